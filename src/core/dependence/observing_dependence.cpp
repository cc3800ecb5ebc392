#include "observing_dependence.hpp"

#include "../base/visible_value.hpp"
#include "pair_outcome.hpp"

namespace harrier {

bool observing_dependence::leaves_state(step_index i) {
  const auto& ran = system_.step_at(i);
  if (ran.keeps_state) return true;
  if (ran.state_before == nullptr) return false;
  const auto& receiver = system_.actor_at(ran.receiver);
  if (!receiver.type->hash_is_all())
    return visible_value::of(*receiver.type, ran.state_before)
        .equals(visible_value::of(*receiver.type, receiver.state));
  const auto before = is_hashed(ran.previous) ? known_[ran.previous].state : receiver.type->hash(ran.state_before);
  known_[i].state = receiver.type->hash(receiver.state);
  known_[i].is_hashed = true;
  return before == known_[i].state;
}

touched_set observing_dependence::touched_by_last_step() {
  const auto i = system_.last_step();
  if (known_.size() <= i) known_.resize(i + std::size_t{1});
  known_[i].is_hashed = false;
  const auto& ran = system_.step_at(i);
  const bool sends_nothing = ran.first_sent == system_.sent_end(i) && ran.first_created == system_.created_end(i);
  known_[i].observes =
      sends_nothing && !system_.tells_of_cuts(ran.message) && is_state_and_sends(system_) && leaves_state(i);
  return known_[i].observes ? observed : touched_set::nothing;
}

}  // namespace harrier
