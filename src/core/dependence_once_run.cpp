#include "dependence_once_run.hpp"

namespace harrier {

bool dependence_once_run::is_state_and_sends(const system& s) {
  const auto i = s.last_step();
  const auto& ran = s.step_at(i);
  const auto& receiver = s.actor_at(ran.receiver);
  const bool is_whole = ran.mode_before == actor::mode::open && receiver.state_of_life == actor::mode::open &&
                        ran.activity_before == nullptr && receiver.activity == nullptr;
  const bool is_noticed = ran.flagged || ran.aborted || ran.discarded || !s.choices_of(i).empty() ||
                          (!s.notes().empty() && s.notes().back().at == i) || s.last_step_withdrew();
  // The driver's state is not always known.
  return is_whole && !is_noticed && ran.kind == step_kind::delivery && ran.receiver != 0;
}

}  // namespace harrier
