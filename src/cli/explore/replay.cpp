#include "replay.hpp"

#include <harrier/replay/replay.hpp>

#include "../../core/finding_origin.hpp"
#include "failing_step.hpp"

namespace harrier {
namespace {

class teller final : public replay_listener {
public:
  teller(const finding& of, const told_in_json& tell, bool in_debugger)
      : finding_(of), tell_(tell), in_debugger_(in_debugger) {}

  void about_to(const system& now, std::size_t number, const scheduled& next) override {
    if (in_debugger_ && number + 1 == finding_.trace.size() && next.message <= now.message_count())
      announce_failing_step(now, next);
    if (kills(number)) tell_({{"lethal", to_json(finding_.trace.back())}});
  }
  bool made(const system&, std::size_t number, trace_step step, bool is_as_recorded) override {
    if (is_as_recorded)
      tell_({{"same", true}, {"handler", step.handler}});
    else if (!kills(number))
      tell_({{"step", to_json(step)}});
    return true;
  }
  bool differs(const system&, std::size_t, const trace_difference& how) override {
    const auto actual = how.in == trace_difference::what::outcome ? to_json(*how.actual) : json_value(how.why);
    tell_({{"differs", {{"expected", to_json(how.expected)}, {"actual", actual}}}});
    return false;
  }

private:
  [[nodiscard]] bool kills(std::size_t number) const {
    const bool is_lethal = origin_of(finding_.kind) == finding_origin::the_process;
    return is_lethal && number + 1 == finding_.trace.size();
  }

  const finding& finding_;
  const told_in_json& tell_;
  bool in_debugger_;
};

}  // namespace

void replay_in_json(const program& tested, const trace_file& trace, monitor* judge, const options& how,
                    const told_in_json& tell, bool in_debugger) {
  teller each(trace.finding, tell, in_debugger);
  const auto end = replay(tested,
                          {.finding = trace.finding,
                           .delivery = delivery_of(trace.delivery),
                           .faults = trace.faults,
                           .facts = trace.facts,
                           .ends = rules_for_environment(trace.environment, how.judging.may_be_left),
                           .finally = how.judging.finally,
                           .judge = judge,
                           .as_kept = as_read},
                          each);
  if (end.way != replay_end::how::differs)
    tell({{"ended", {{"again", end.way == replay_end::how::found_again}, {"note", end.why}}}});
}

}  // namespace harrier
