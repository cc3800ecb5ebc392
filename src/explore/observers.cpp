#include "observers.hpp"

#include <fmt/format.h>

#include <string>

#include <harrier/core/error.hpp>

namespace harrier {
namespace {

/// What stands against it, in words; empty: nothing.
std::string objection_to_observers(const system& tested, const options& how) {
  if (how.delivery == delivery::mailbox || how.delivery == delivery::mailbox_interleaved)
    return fmt::format("delivery model {} decides by the order of sends what is taken, so nothing commutes there",
                       to_string(how.delivery));
  if (how.judge != nullptr) return "a property is judged, and it may tell one order of deliveries from another";
  if (workers_asked_for(how) > 1) return "several jobs search";
  if (!how.checkpoint.empty() || !how.resume.empty()) return "the search is written to a checkpoint";
  if (!tested.shows_changes())
    return "it cannot be seen whether a delivery changed anything: that is for native actors, and not in a test that "
           "lets messages be handled in its middle";
  return {};
}

}  // namespace

bool are_observers_told(const system& tested, const options& how) {
  if (!how.observers.value_or(false)) return false;
  const auto objection = objection_to_observers(tested, how);
  if (!objection.empty()) throw error(fmt::format("observers cannot be told apart: {}", objection));
  return true;
}

}  // namespace harrier
