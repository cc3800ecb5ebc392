#include "virtual_clock.hpp"

#include <algorithm>
#include <limits>
#include <string>

namespace harrier::detail {
namespace {

class passing_time final : public message_type {
public:
  void deliver(system& s, step& st) const override { static_cast<world&>(s).clock()->time_passes(st); }
  void undo(system& s, step& st) const override { static_cast<world&>(s).clock()->time_is_taken_back(st); }
  void destroy(void*) const override {}
  [[nodiscard]] std::string describe(const system&, const void*) const override { return "time_passes()"; }
  [[nodiscard]] std::string name() const override { return "time_passes"; }
  [[nodiscard]] fingerprint hash(const void*) const override { return {}; }
};
constexpr passing_time time_passes_now{};

}  // namespace

stages::end virtual_clock::current() const {
  return world_.anything_deliverable() || !due().empty() ? end::at_rest : end::last;
}

std::vector<message_slot> virtual_clock::due() const {
  std::vector<message_slot> first;
  auto earliest = std::numeric_limits<std::int64_t>::max();
  for (auto m = world_.first_pending(); m != no_message; m = world_.next_pending(m)) {
    if (world_.message_at(m).makes != step_kind::timeout || !world_.would_fire(m)) continue;
    const auto at = world_.due_time(m);
    if (at < earliest) first.clear();
    if (at <= earliest) first.push_back(m);
    earliest = std::min(earliest, at);
  }
  return first;
}

void virtual_clock::time_passes(step& s) {
  s.needs_cleaning = true;
  s.keeps_state = true;
  world_.let_go();
  const auto timers = due();
  const auto drawn = timers.size() > 1 ? world_.choose(timers.size()) : 0;
  world_.release(timers[static_cast<std::size_t>(drawn)]);
}

void virtual_clock::time_is_taken_back(const step& s) {
  if (!is_apart_) world_.hold_all_but(s.message);
}

void virtual_clock::begin_next(std::uint64_t code) { world_.deliver(world_.post_next_stage(0, time_passes_now), code); }

void virtual_clock::take_back_next() {
  world_.undo();
  world_.let_go();
  world_.take_back_next_stage();
}

void virtual_clock::step_ended() {
  if (is_apart_ || world_.aborted() || world_.anything_deliverable() || due().empty()) return;
  const auto m = world_.post_next_stage(0, time_passes_now);
  world_.running().needs_cleaning = true;
  world_.hold_all_but(m);
}

}  // namespace harrier::detail
