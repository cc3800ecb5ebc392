#include "observing_dependence.hpp"

namespace harrier {
namespace {

/// Whether the last step left nothing behind but its receiver's state. The
/// driver's state is not always known.
bool is_silent(const system& s) {
  const auto i = s.last_step();
  const auto& ran = s.step_at(i);
  const auto& receiver = s.actor_at(ran.receiver);
  const bool says_nothing = ran.first_sent == s.sent_end(i) && ran.first_created == s.created_end(i) && !ran.flagged &&
                            !ran.aborted && !ran.discarded && s.choices_of(i).empty() &&
                            (s.notes().empty() || s.notes().back().at != i) && !s.last_step_withdrew();
  const bool is_whole = ran.mode_before == actor::mode::open && receiver.state_of_life == actor::mode::open &&
                        ran.activity_before == nullptr && receiver.activity == nullptr;
  return says_nothing && is_whole && ran.kind == step_kind::delivery && ran.receiver != 0;
}

bool leaves_state(const system& s) {
  const auto& ran = s.step_at(s.last_step());
  if (ran.keeps_state) return true;
  const auto& receiver = s.actor_at(ran.receiver);
  return ran.state_before != nullptr && receiver.type->hash(ran.state_before) == receiver.type->hash(receiver.state);
}

}  // namespace

touched_set observing_dependence::touched_by_last_step() {
  const auto i = system_.last_step();
  const bool is_observer = is_silent(system_) && leaves_state(system_);
  if (observes_.size() <= i) observes_.resize(i + std::size_t{1});
  observes_[i] = static_cast<std::uint8_t>(is_observer);
  return is_observer ? observed : touched_set::nothing;
}

}  // namespace harrier
