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

}  // namespace

bool observing_dependence::leaves_state(step_index i) {
  const auto& ran = system_.step_at(i);
  if (ran.keeps_state) return true;
  if (ran.state_before == nullptr) return false;
  const auto& receiver = system_.actor_at(ran.receiver);
  const auto before = is_hashed(ran.previous) ? known_[ran.previous].state : receiver.type->hash(ran.state_before);
  known_[i].state = receiver.type->hash(receiver.state);
  known_[i].is_hashed = true;
  return before == known_[i].state;
}

touched_set observing_dependence::touched_by_last_step() {
  const auto i = system_.last_step();
  if (known_.size() <= i) known_.resize(i + std::size_t{1});
  known_[i].is_hashed = false;
  known_[i].observes = is_silent(system_) && leaves_state(i);
  return known_[i].observes ? observed : touched_set::nothing;
}

}  // namespace harrier
