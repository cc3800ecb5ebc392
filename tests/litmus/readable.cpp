#include "readable.hpp"

#include <algorithm>
#include <set>

#include <harrier/engine/dcute.hpp>
#include <harrier/engine/exhaustive.hpp>
#include <harrier/engine/optimal.hpp>
#include <harrier/engine/persistent.hpp>
#include <harrier/engine/source.hpp>
#include <harrier/engine/transdpor.hpp>
#include <harrier/engine/trust.hpp>
#include <harrier/ordering/ordering.hpp>
#include <harrier/replay/ends.hpp>

namespace harrier::litmus {
namespace {

class listener final : public observer {
public:
  std::vector<trace> traces;
  std::set<std::string> findings;

  void step_flagged(system& s) override {
    for (const auto& r : s.records_of_last_step())
      findings.insert(std::string(to_string(r.kind)) + " of " + s.actor_name(s.step_at(s.step_count() - 1).receiver) +
                      ": " + r.message);
  }
  void poll(system&) override {}
  void execution_ended(system& s) override {
    auto& t = traces.emplace_back();
    for (std::size_t i = s.setup_steps(); i < s.step_count(); ++i) {
      const auto& step = s.step_at(i);
      if (!is_visible(step.kind)) continue;
      auto text = s.message_text(step.message);
      if (!s.choices_of(i).empty()) text += "=" + std::to_string(step.code);
      if (step.aborted) text += "!";
      t.of[s.actor_name(step.receiver)].push_back(std::move(text));
    }
    if (s.aborted()) return;
    const auto end = look_at_end(s, {});
    for (const auto a : end.stuck) findings.insert("deadlock of " + s.actor_name(a));
    for (const auto m : end.undelivered)
      findings.insert("undelivered to " + s.actor_name(s.message_at(m).receiver) + ": " + s.message_text(m));
  }
  void execution_blocked(system&) override {}
};

void run(const std::string& engine, const std::string& ordering, system& s, observer& o) {
  search_context given{s, o};
  if (engine == "exhaustive") {
    s.go_on_after_abort(true);
    explore_alone(given, share_exhaustive(made_by::one));
  } else if (engine == "dcute") {
    explore_alone(given, share_dcute({.ordering = ordering}));
  } else if (engine == "persistent" || engine == "persistent+sleep") {
    explore_alone(given, share_persistent({.ordering = ordering, .sleep_sets = engine != "persistent"}));
  } else if (engine == "transdpor" || engine == "transdpor+sleep") {
    explore_alone(given, share_transdpor({.ordering = ordering, .sleep_sets = engine != "transdpor"}));
  } else if (engine == "source") {
    explore_alone(given, share_source({.ordering = ordering}));
  } else if (engine == "optimal") {
    explore_alone(given, share_optimal({.ordering = ordering}, made_by::one));
  } else {
    explore_alone(given, share_trust(made_by::one));
  }
}

bool may_repeat(const std::string& engine) {
  return engine == "exhaustive" || engine == "dcute" || engine == "persistent" || engine == "transdpor";
}

/// Runs `tested` with each ordering; `same` sees what the first showed, and each other.
template <class Same>
listener listen(const program& tested, const searched_by& how, delivery model, Same same) {
  listener first;
  const auto orderings = ordering_names();
  for (const auto& ordering : orderings) {
    listener heard;
    const auto s = tested.start(model);
    s->watch().observe(&heard);
    s->watch().check_determinism(repetition::all);
    s->watch().check_undo(true);
    run(how.engine, ordering, *s, heard);
    std::sort(heard.traces.begin(), heard.traces.end());
    if (may_repeat(how.engine) || model == delivery::mailbox_interleaved)
      heard.traces.erase(std::unique(heard.traces.begin(), heard.traces.end()), heard.traces.end());
    if (ordering == orderings.front()) {
      first = heard;
      continue;
    }
    EXPECT_TRUE(same(first, heard)) << "with ordering " << ordering;
  }
  return first;
}

}  // namespace

std::ostream& operator<<(std::ostream& out, const trace& t) {
  for (const auto& [actor, messages] : t.of) {
    out << "\n  " << actor << ":";
    for (const auto& m : messages) out << " " << m;
  }
  return out;
}

std::vector<trace> traces(const program& tested, const searched_by& how, delivery model) {
  return listen(tested, how, model, [](const auto& a, const auto& b) { return a.traces == b.traces; }).traces;
}

std::vector<std::string> findings(const program& tested, const searched_by& how, delivery model) {
  const auto heard =
      listen(tested, how, model, [](const auto& a, const auto& b) { return a.findings == b.findings; }).findings;
  return {heard.begin(), heard.end()};
}

std::vector<searched_by> all_searches() {
  return {{"exhaustive"},      {"dcute"},   {"persistent"}, {"persistent+sleep"}, {"transdpor"}, {"source"},
          {"transdpor+sleep"}, {"optimal"}, {"trust"}};
}

}  // namespace harrier::litmus
