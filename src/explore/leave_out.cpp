#include "leave_out.hpp"

#include <cstdint>

#include "follower.hpp"
#include "start.hpp"

namespace harrier {
namespace {

constexpr std::size_t longest_way = 1'000;  // deliveries, as for minimise()

options that_run_once(options how) {
  how.judging.check_determinism = repetition::off;
  how.judging.check_undo = false;
  return how;
}

/// The last delivery of `way`, if it can still be made. With which draws it ends the process is not known before.
void deliver_last(system& fresh, follower& along, const scheduled& last, const std::function<void()>& trying) {
  const auto m = along.find_alike_of(last.message);
  if (!along.can_be_delivered(m)) return;
  trying();
  fresh.deliver(m);
  std::uint64_t codes = 1;
  for (const auto& choice : fresh.choices_of(fresh.last_step())) codes *= choice.arity;
  if (last.code == 0 || last.code >= codes) return;
  fresh.undo();
  fresh.deliver(m, last.code);
}

}  // namespace

void leave_out_deliveries(const program& tested, const options& how, const schedule& way, left_out begin,
                          const std::function<void(const left_out&, bool is_last)>& trying) {
  const auto once = that_run_once(how);
  const auto old = tested.start(how.search.delivery);
  if (!old->shows_changes() || way.size() > longest_way) return;
  old->run({way.begin(), way.end() - 1});
  const auto first = static_cast<step_index>(old->setup_steps());
  const auto attempt = [&](const left_out& now) {
    trying(now, false);
    const auto fresh = start_as_asked(tested, once);
    follower along(*old, *fresh);
    for (auto i = first; i < old->step_count(); ++i) {
      if (i >= first + now.from && i < first + now.from + now.width) continue;
      along.find_alike(i);
      along.deliver_as(i);
    }
    deliver_last(*fresh, along, way.back(), [&] { trying(now, true); });
  };
  if (begin.width == 0) attempt(begin);
  for (auto now = begin; now.width > 0; now = {now.width / 2, 0})
    for (; now.from + 1 < way.size(); now.from += now.width) attempt(now);
}

}  // namespace harrier
