#include <fmt/format.h>

#include <cstddef>
#include <utility>

#include <harrier/explain/explain.hpp>
#include <harrier/replay/describe.hpp>
#include <harrier/replay/replay.hpp>

#include "../core/base/current_exception.hpp"
#include "../core/finding_origin.hpp"

namespace harrier {
namespace {

constexpr std::size_t most_text = std::size_t{1} << 30;
constexpr std::size_t steps_between_looks = 1024;  // where somebody waits for the end, a short one is shown
constexpr auto no_time = "there was no time left to write out its deliveries: allow more";
constexpr auto no_room = "its deliveries and the states they lead to are too much text to write out";

/// Keeps the steps in the finding that they are of.
class writer final : public replay_listener {
public:
  writer(finding& f, const explaining& how) : finding_(f), how_(how) {}

  bool made(const system&, std::size_t, trace_step step, bool) override {
    auto& trace = finding_.trace;
    text_ += step.state.size() + step.message.size();
    trace.push_back(std::move(step));
    if (text_ > most_text) return give_up(no_room);
    const bool is_unwanted =
        trace.size() % steps_between_looks == 0 && how_.is_unwanted != nullptr && how_.is_unwanted();
    return !is_unwanted || give_up(no_time);
  }
  bool give_up(const char* why) {
    finding_.trace.clear();
    finding_.details.emplace_back(why);
    return false;
  }

private:
  finding& finding_;
  const explaining& how_;
  std::size_t text_ = 0;
};

bool is_by_a_monitor(finding_kind kind) { return origin_of(kind) == finding_origin::a_monitor; }

}  // namespace

void complete(finding& found, const program& tested, const explaining& how) {
  writer steps(found, how);
  if (!found.schedule.empty() && how.is_late != nullptr && how.is_late()) {
    steps.give_up(no_time);
    return;
  }
  try {
    const auto end = replay(tested,
                            {.finding = found,
                             .found_by = recorded_trace::by::slots,
                             .delivery = how.delivery,
                             .depth_limit = how.depth_limit},
                            steps);
    const bool is_complete = end.way == replay_end::how::followed;
    if (is_complete && is_by_a_monitor(found.kind) && !found.actor.empty() && !found.trace.empty())
      found.trace.back().findings.push_back(  // what a monitor said is not in the program
          to_line({.kind = found.kind, .message = found.message, .file = found.file, .line = found.line}));
  } catch (...) {
    // A program that is not deterministic may not follow its own schedule.
    found.details.push_back(fmt::format("the schedule could not be repeated beyond delivery {}: {}", found.trace.size(),
                                        text_of_current_exception()));
  }
}

}  // namespace harrier
