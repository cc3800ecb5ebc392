#include "replay.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include <harrier/core/error.hpp>
#include <harrier/core/printable.hpp>
#include <harrier/core/stages.hpp>
#include <harrier/explore/ends.hpp>
#include <harrier/explore/trace.hpp>

#include "../../core/dependence/field_dependence.hpp"
#include "../../core/dependence/wrong_declaration.hpp"
#include "../../explore/failure.hpp"
#include "../../isolation/retrace.hpp"

namespace harrier {
namespace {

bool is_lethal(finding_kind kind) { return kind == finding_kind::crash || kind == finding_kind::nontermination; }

bool same_delivery(const trace_step& a, const trace_step& b) {
  return a.message == b.message && a.receiver == b.receiver;
}

/// What the step did, apart from what was found in it: a check may have been
/// mended or moved to another line.
bool same_outcome(const trace_step& a, const trace_step& b) {
  return a.state == b.state && a.choices == b.choices && a.sends == b.sends && a.creates == b.creates &&
         a.destroys == b.destroys;
}

/// The step as it comes back from a file: without bytes that are no UTF-8.
trace_step as_read(const trace_step& step) { return trace_step_from(json_value::parse(to_text(to_json(step)))); }

std::string what_is_deliverable(const system& s) {
  constexpr int most = 8;
  std::string list;
  int count = 0;
  for (auto m = s.first_deliverable(); m != no_message && count < most; m = s.next_deliverable(m), ++count)
    list += fmt::format("{}{}.{}", count == 0 ? "" : ", ", s.actor_name(s.message_at(m).receiver), s.message_text(m));
  return list.empty() ? "nothing can be delivered"
                      : "what can be delivered is " + list + (count == most ? ", ..." : "");
}

class replayer {
public:
  replayer(const program& tested, const trace_file& trace, monitor* judge, const options& how,
           const replay_listener& tell)
      : trace_(trace),
        found_(trace.finding),
        tell_(tell),
        judge_(judge),
        how_(how),
        finally_(both(tested.finally, how.finally)),
        system_(tested.start(delivery_of(trace.delivery))) {
    system_->go_on_after_abort(true);  // as the search did, if it was a reduction
    system_->watch().attach(judge);
    // To see whether something can be delivered may be to run it (see retrace.cpp), and that kills.
    is_apart_ = is_lethal(found_.kind) && system_->in_stages() != nullptr;
    if (is_apart_) system_->in_stages()->search_apart(true);
    if (found_.kind == finding_kind::nondeterminism) system_->watch().check_determinism(repetition::all);
    if (found_.kind == finding_kind::declaration) declared_.emplace(*system_);
  }

  void run() {
    try {
      for (std::size_t i = 0; i < found_.trace.size(); ++i)
        if (!take(i)) return;
    } catch (const system::nondeterminism& difference) {
      if (found_.kind == finding_kind::nondeterminism) {
        tell_({{"step", to_json(describe_last_step(*system_))}});
        return end(true, difference.what());
      }
      throw error(std::string("the program is not deterministic: ") + difference.what());
    } catch (const wrong_declaration& difference) {
      tell_({{"step", to_json(describe_last_step(*system_))}});
      return end(true, difference.what());
    }
    judge();
  }

private:
  /// Makes delivery `i` of the trace. False if the replay is over.
  bool take(std::size_t i) {
    const auto& expected = found_.trace[i];
    const auto message = system_->message_at_path(expected.id);
    const bool is_last = i + 1 == found_.trace.size();
    if (is_apart_ && message == no_message && system_->in_stages()->current() == stages::end::at_rest) {
      system_->in_stages()->begin_next(found_.schedule[i].code);
      compare(describe_last_step(*system_), expected);
      return !over_;
    }
    const bool is_unasked = is_apart_ && is_last && message != no_message && system_->pending(message);
    if (!is_unasked && (message == no_message || !system_->pending(message) || !system_->deliverable(message) ||
                        system_->first_deliverable() == no_message))
      return differs(expected, message == no_message ? "the message was not sent; " + what_is_deliverable(*system_)
                                                     : "it cannot be delivered; " + what_is_deliverable(*system_));
    const auto next = scheduled{found_.schedule[i].code, message};
    if (const auto raw = announce(*system_, next); !same_delivery(raw, expected))
      if (const auto actual = as_read(raw); !same_delivery(actual, expected))
        return differs(expected, fmt::format("that message is {}.{}", actual.receiver, actual.message));
    if (is_last && is_lethal(found_.kind)) tell_({{"lethal", to_json(expected)}});
    system_->deliver(message, next.code);
    if (is_last && is_lethal(found_.kind)) return true;
    if (declared_) check_declaration(is_last);
    compare(describe_last_step(*system_), expected);
    return !over_;
  }

  void check_declaration(bool is_last) {
    static_cast<void>(declared_->touched_by_last_step());
    if (is_last && system_->step_at(system_->last_step()).previous == system_->last_step() - 1)
      declared_->check_last_two();
  }

  void compare(const trace_step& raw, const trace_step& expected) {
    if (raw == expected) return tell_({{"same", true}});
    const auto actual = as_read(raw);
    if (found_.kind == finding_kind::nondeterminism || same_outcome(actual, expected))
      return tell_({{"step", to_json(actual)}});
    over_ = true;
    tell_({{"differs", {{"expected", to_json(expected)}, {"actual", to_json(actual)}}}});
  }

  bool differs(const trace_step& expected, const std::string& actual) {
    tell_({{"differs", {{"expected", to_json(expected)}, {"actual", actual}}}});
    return false;
  }

  void judge() {
    switch (found_.kind) {
      case finding_kind::exception:
        if (!found_.actor.empty() && !recorded_again())
          return judge_outside_handlers("the step that failed did not fail this time");
        [[fallthrough]];
      case finding_kind::unexpected:
      case finding_kind::assertion:
        if (found_.actor.empty()) return judge_final_states();
        return end(recorded_again(), "the step that failed did not fail this time");
      case finding_kind::deadlock: return judge_deadlock();
      case finding_kind::undelivered: return judge_undelivered();
      case finding_kind::crash:
      case finding_kind::nontermination: return judge_outside_handlers("the handler returned this time");
      case finding_kind::nondeterminism:
        return end(false, "each handler repeated itself; one that depends on something outside may do so by chance");
      case finding_kind::declaration: return end(false, "each handler did what it is declared to do");
      case finding_kind::ltl:
      case finding_kind::conformance: return judge_execution();
      default: throw error(fmt::format("a finding of kind {} cannot be looked for again", to_string(found_.kind)));
    }
  }

  [[nodiscard]] bool recorded_again() const {
    if (system_->depth() == 0 || !system_->step_at(system_->step_count() - 1).flagged) return false;
    const auto records = system_->records_of_last_step();
    return std::any_of(records.begin(), records.end(), [&](const record& r) {
      return r.kind == found_.kind && printable(r.message) == printable(found_.message);
    });
  }

  void judge_execution() {
    if (judge_ == nullptr) throw error("the trace does not say by what property the execution was judged");
    auto broken = judge_->ended(*system_);
    if (recorded_again()) return end(true, {});
    const bool again = std::any_of(broken.begin(), broken.end(), [&](const record& r) {
      return r.kind == found_.kind && printable(r.message) == printable(found_.message);
    });
    end(again, broken.empty() ? "nothing is violated" : "something else is: " + broken.front().message);
  }

  void judge_final_states() {
    if (system_->first_deliverable() != no_message) return end(false, what_is_deliverable(*system_));
    if (finally_ == nullptr) throw error("the program no longer checks the states in which an execution ends");
    const auto broken = check_end(*system_, finally_);
    const bool again = std::any_of(broken.begin(), broken.end(), [&](const record& r) {
      return r.kind == found_.kind && printable(r.message) == printable(found_.message);
    });
    end(again,
        broken.empty() ? "the check of the final states holds" : "another check fails: " + broken.front().message);
  }

  [[nodiscard]] options how_ends_are_judged() const {
    options how;
    how.environment = trace_.environment == "empty" ? environment::empty : environment::total;
    if (trace_.environment == own_environment) how.may_be_left = how_.may_be_left;
    return how;
  }

  /// It may have been a guard, a copy or the like: they are called again.
  void judge_outside_handlers(const char* if_all_is_well) {
    std::string called;
    try {
      examine_all(*system_, [&](const outside_handlers& call) { called = call.what; });
    } catch (...) {
      const auto now = printable(called + " threw: " + text_of_current_exception());
      return end(now == printable(found_.message), "something else: " + now);
    }
    end(false, if_all_is_well);
  }

  void judge_deadlock() {
    if (system_->first_deliverable() != no_message) return end(false, what_is_deliverable(*system_));
    const auto stuck = look_at_end(*system_, how_ends_are_judged()).stuck;
    if (stuck.empty()) return finally_ != nullptr ? judge_final_states() : end(false, "nobody waits");
    const auto now = printable(describe_deadlock(*system_, stuck).message);
    end(now == printable(found_.message), "another deadlock: " + now);
  }

  void judge_undelivered() {
    const auto left = look_at_end(*system_, how_ends_are_judged()).undelivered;
    const bool again = std::any_of(left.begin(), left.end(), [&](message_slot m) {
      return printable(describe_undelivered(*system_, m).message) == printable(found_.message);
    });
    end(again, "that message is not left over");
  }

  void end(bool again, const std::string& note) { tell_({{"ended", {{"again", again}, {"note", note}}}}); }

  const trace_file& trace_;
  const finding& found_;
  const replay_listener& tell_;
  monitor* judge_;
  const options& how_;
  final_check finally_;
  system_handle system_;
  std::optional<field_dependence> declared_;  // of a finding that a handler did what it is declared not to do
  bool over_ = false;
  bool is_apart_ = false;
};

}  // namespace

void replay(const program& tested, const trace_file& trace, monitor* judge, const options& how,
            const replay_listener& tell) {
  if (tested.seen != nullptr) tested.seen->know(trace.facts);
  replayer(tested, trace, judge, how, tell).run();
}

}  // namespace harrier
