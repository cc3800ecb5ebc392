#include <harrier/protocol/check.hpp>

#include <algorithm>
#include <map>
#include <memory>

#include <fmt/format.h>

#include <harrier/core/error.hpp>
#include <harrier/protocol/checked.hpp>
#include <harrier/protocol/liberal.hpp>
#include <harrier/protocol/module.hpp>
#include <harrier/protocol/proposition.hpp>
#include <harrier/protocol/strict.hpp>

#include "vacuity.hpp"

namespace harrier::protocol {
namespace {

// A transition system as the property engine sees it.
class system_model final : public model {
public:
  explicit system_model(transition_system& system) : system_(&system), names_(&system.names()) {}

  model_state initial() override { return 0; }
  std::span<const model_step> successors(model_state state) override {
    steps_.clear();
    for (const auto& t : system_->steps(state)) steps_.push_back({t.action, t.target});
    return steps_;
  }
  bool holds(model_label label, std::string_view text) override {
    const auto known = propositions_.find(text);
    if (known != propositions_.end()) return known->second.holds(names_->actions()[label], *names_);
    std::vector<diagnostic> reported_before;
    const auto parsed = parse_proposition(text, *names_, reported_before);
    return propositions_.emplace(text, parsed).first->second.holds(names_->actions()[label], *names_);
  }
  std::vector<model_role> acting(model_label label) override {
    const auto& a = names_->actions()[label];
    if (a.kind == action_kind::handshake) return {a.from, a.to};
    return {a.subject()};
  }

  /// From now on the system is needed no more. @param names  a copy of the system's
  void keep_only(const alphabet& names) {
    system_ = nullptr;
    names_ = &names;
  }

private:
  transition_system* system_;
  const alphabet* names_;
  std::vector<model_step> steps_;
  std::map<std::string, proposition, std::less<>> propositions_;
};

// All states of a system, found before any formula is looked at. The system itself, which has them as words, may go.
class explored_system {
public:
  /// @param states, transitions  perhaps so many; 0: nobody knows.
  explored_system(std::unique_ptr<transition_system> system, std::size_t states, std::size_t transitions,
                  const property_options& options)
      : owned_(std::move(system)), source_(*owned_), space_(source_) {
    space_.reserve(states, transitions);
    find(options);
    names_ = owned_->names();
    source_.keep_only(names_);
    owned_.reset();
  }
  explored_system(transition_system& system, const property_options& options) : source_(system), space_(source_) {
    find(options);
    names_ = system.names();
    source_.keep_only(names_);
  }

  [[nodiscard]] state_space& space() { return space_; }
  [[nodiscard]] system_model& source() { return source_; }
  [[nodiscard]] const alphabet& names() const { return names_; }

private:
  void find(const property_options& options) {
    const auto is_left = [&] { return options.max_states == 0 || space_.found() <= options.max_states; };
    while (!space_.complete() && is_left() && !(options.enough && options.enough()))
      space_.explore(space_.expanded() + 1);
  }

  std::unique_ptr<transition_system> owned_;
  system_model source_;
  state_space space_;
  alphabet names_;
};

std::vector<formula> parse_formulas(std::span<const std::string> texts, const alphabet& names,
                                    std::vector<diagnostic>& warnings) {
  std::vector<formula> result;
  std::vector<diagnostic> errors;
  for (std::size_t i = 0; i < texts.size(); ++i) {
    const auto parsed = parse_formula(texts[i]);
    const auto file = fmt::format("property {}", i + 1);
    for (const auto& d : parsed.diagnostics) {
      errors.push_back({severity::error,
                        file,
                        {static_cast<std::uint32_t>(d.line), static_cast<std::uint32_t>(d.column)},
                        {},
                        d.message,
                        d.expected});
    }
    if (!parsed.value) continue;
    std::vector<diagnostic> found;
    for (const auto& atom : parsed.value->atoms()) static_cast<void>(parse_proposition(atom, names, found));
    for (auto& d : found) {
      d.file = file;
      (d.level == severity::error ? errors : warnings).push_back(std::move(d));
    }
    result.push_back(*parsed.value);
  }
  if (!errors.empty()) throw property_error(to_string(errors));
  return result;
}

described_lasso describe(const lasso& l, const alphabet& names) {
  const auto words = [&](const std::vector<model_step>& steps) {
    std::vector<std::string> result;
    for (const auto& s : steps) result.push_back(names.describe(names.actions()[s.label]));
    return result;
  };
  return {words(l.prefix), words(l.cycle), l.end};
}

/// Which actions are part of a run that counts, and whether any run does.
struct counted_runs {
  std::vector<action_id> actions;
  bool has_empty_letter = false;  ///< in which no proposition is true
  bool none = false;
};

counted_runs runs_that_count(explored_system& system, const std::vector<bool>& goes_on, const check_options& how) {
  const auto& space = system.space();
  counted_runs result;
  result.has_empty_letter = how.ends == run_ends::stutter;
  std::vector<bool> counts(system.names().actions().size());
  for (model_state s = 0; s < space.expanded(); ++s) {
    for (const auto& step : space.steps(s)) {
      if (how.ends != run_ends::ignore || goes_on[step.target]) counts[step.label] = true;
    }
  }
  for (action_id a = 0; a < counts.size(); ++a) {
    if (counts[a]) result.actions.push_back(a);
  }
  if (how.ends != run_ends::ignore) return result;
  result.none = !goes_on[0];
  if (how.fair && !result.none) {
    const formula impossible[] = {formula::truth(false)};
    result.none = harrier::check(system.space(), impossible, how)[0].holds == true;
  }
  return result;
}

std::string note_on(const formula& f, const counted_runs& runs, system_model& source, const check_options& how) {
  if (runs.none) {
    return fmt::format("{}, and runs that end do not count: every formula holds",
                       how.fair ? "no run that is fair is infinite" : "all runs end");
  }
  const auto holds = [&](std::size_t i, std::string_view atom) {
    return i < runs.actions.size() && source.holds(runs.actions[i], atom);
  };
  const auto part = internal::untried(f, runs.actions.size() + (runs.has_empty_letter ? 1 : 0), holds);
  if (!part) return {};
  return fmt::format("{} is true of {} action of the runs that count; what else is said there was not put to the test",
                     part->part, part->is_ever_true ? "every" : "no");
}

struct checked {
  property_report report;
  std::vector<lasso> lassos;
};

checked check_all(explored_system& system, std::span<const std::string> texts, const property_options& options) {
  checked result;
  auto& report = result.report;
  auto& space = system.space();
  const auto formulas = parse_formulas(texts, system.names(), report.warnings);
  report.states = space.found();
  report.transitions = space.transitions();
  report.complete = space.complete();
  const auto goes_on = internal::going_on_for_ever(space);
  if (space.complete() || goes_on[0]) report.infinite_runs = goes_on[0];
  report.ends = options.ends.value_or(report.infinite_runs == false ? run_ends::finite : run_ends::ignore);
  check_options search{report.ends, options.fair, 0, options.max_pairs, options.gives_up};
  if (!space.complete()) search.max_states = space.expanded();  // states beyond have steps that are not known
  const auto verdicts = harrier::check(space, formulas, search);
  const auto is_held = [](const verdict& v) { return v.holds == true; };
  counted_runs runs;
  if (space.complete() && std::any_of(verdicts.begin(), verdicts.end(), is_held)) {
    runs = runs_that_count(system, goes_on, search);
  }
  report.no_run_counts = runs.none;
  for (std::size_t i = 0; i < verdicts.size(); ++i) {
    property_verdict v{texts[i], verdicts[i].holds, {}, {}};
    if (is_held(verdicts[i])) v.note = note_on(formulas[i], runs, system.source(), search);
    if (verdicts[i].counterexample) {
      v.lasso = describe(*verdicts[i].counterexample, system.names());
      result.lassos.push_back(*verdicts[i].counterexample);
    }
    report.properties.push_back(std::move(v));
  }
  return result;
}

void replay(const module_space& space, const lasso& l) {
  std::vector<action> actions;
  for (const auto& s : l.prefix) actions.push_back(space.names().actions()[s.label]);
  for (int turn = 0; turn < 2; ++turn) {
    for (const auto& s : l.cycle) actions.push_back(space.names().actions()[s.label]);
  }
  const auto done = space.replay(actions);
  if (done == actions.size()) return;
  throw error(fmt::format("the module does not repeat itself: a violating run stops before its step {}, {}", done + 1,
                          space.names().describe(actions[done])));
}

property_report stopped_report(std::span<const std::string> formulas, const property_options& options) {
  property_report report;
  report.ends = options.ends.value_or(run_ends::ignore);
  report.complete = false;
  report.stopped = true;
  for (const auto& f : formulas) report.properties.push_back({f, std::nullopt, std::nullopt, {}});
  return report;
}

std::string text_of(const property_verdict& v) {
  if (v.holds == true) return "holds: " + v.formula + (v.note.empty() ? "" : "\n  note: " + v.note);
  if (!v.holds) return "undecided within the limits: " + v.formula;
  std::string text = "violated: " + v.formula;
  for (const auto& step : v.lasso->prefix) text += "\n  " + step;
  if (v.lasso->end == lasso_end::cycle) text += "\n  and again and again:";
  for (const auto& step : v.lasso->cycle) text += "\n    " + step;
  if (v.lasso->end == lasso_end::stutter) text += "\n  and nothing more forever";
  if (v.lasso->end == lasso_end::stop) text += "\n  and no more";
  return text;
}

}  // namespace

property_report check_space(transition_system& space, std::span<const std::string> formulas,
                            const property_options& options) {
  explored_system found(space, options);
  return check_all(found, formulas, options).report;
}

property_report check_probe(const harrier_probe& probe, std::span<const std::string> formulas,
                            const property_options& options) {
  module_space space(probe, options.capacity);
  explored_system found(space, options);
  space.forget_states();
  auto result = check_all(found, formulas, options);
  for (const auto& l : result.lassos) replay(space, l);
  result.report.thrown = space.thrown();
  return std::move(result.report);
}

namespace {

std::unique_ptr<transition_system> definition_in_mode(explored_session& session, module_mode mode,
                                                      transition_system& complete, std::size_t capacity) {
  if (mode == module_mode::liberal) {
    return std::make_unique<liberal_space>(session, capacity);
  }
  // What a limit cut goes on in the terms.
  return std::make_unique<strict_space>(session.graph.complete() ? complete : *session.terms);
}

property_report check_generated(const generated_module& generated, std::span<const std::string> formulas,
                                const property_options& options) {
  if (!generated.complete) return stopped_report(formulas, options);
  if (generated.code.empty()) throw error(to_string(shortened(generated.diagnostics)));
  const auto loaded = load(generated);
  auto report = check_probe(loaded.probe(), formulas, options);
  report.cached = loaded.cached();
  report.warnings.insert(report.warnings.begin(), generated.diagnostics.begin(), generated.diagnostics.end());
  return report;
}

property_report check_projection(const checked_projection& projection, const std::string& file,
                                 std::span<const std::string> formulas, const property_options& options) {
  if (!projection.complete) return stopped_report(formulas, options);
  std::vector<diagnostic> problems;
  for (const auto& p : projection.problems) problems.push_back(to_diagnostic(p, projection, file, severity::error));
  if (!problems.empty()) throw error(to_string(shortened(problems)));
  explored_system found(std::make_unique<checked_space>(projection, options.capacity), 0, 0, options);
  auto report = check_all(found, formulas, options).report;
  for (const auto& p : projection.open_ends) {
    report.warnings.push_back(to_diagnostic(p, projection, file, severity::warning));
  }
  return report;
}

property_report check_session(explored_session& session, bool is_used_up, std::string_view name,
                              const generate_options& module, checked_thing what, std::span<const std::string> formulas,
                              const property_options& options) {
  if (what == checked_thing::module) {
    const auto generated = generate(session, name, module);
    if (is_used_up) {
      session.graph = {};
      session.place_of = {};
    }
    return check_generated(generated, formulas, options);
  }
  if (module.mode == module_mode::liberal_checked) {
    return check_projection(project_checked(session, module.watch), session.terms->definitions().file, formulas,
                            options);
  }
  graph_system complete(session.graph, session.terms->names());
  explored_system found(definition_in_mode(session, module.mode, complete, options.capacity), session.graph.states(),
                        session.graph.transitions(), options);
  if (is_used_up) session.graph = {};
  return check_all(found, formulas, options).report;
}

}  // namespace

property_report check_session(explored_session& session, std::string_view name, const generate_options& module,
                              checked_thing what, std::span<const std::string> formulas,
                              const property_options& options) {
  return check_session(session, false, name, module, what, formulas, options);
}

property_report check_session(explored_session&& session, std::string_view name, const generate_options& module,
                              checked_thing what, std::span<const std::string> formulas,
                              const property_options& options) {
  return check_session(session, true, name, module, what, formulas, options);
}

property_report check_session(session_parts&& session, std::string_view name, const generate_options& module,
                              checked_thing what, std::span<const std::string> formulas,
                              const property_options& options) {
  if (what == checked_thing::module) {
    const auto generated = generate(session, name, module);
    session = {};
    return check_generated(generated, formulas, options);
  }
  const auto file = session.parts[0].terms->definitions().file;
  const auto projection = project_checked(session, module.watch);
  session = {};
  return check_projection(projection, file, formulas, options);
}

module_verdict check_module(const harrier_probe& probe, std::string_view text, const property_options& options) {
  const std::string formulas[] = {std::string(text)};
  const auto report = check_probe(probe, formulas, options);
  return {report.properties[0].holds == true, text_of(report.properties[0])};
}

}  // namespace harrier::protocol
