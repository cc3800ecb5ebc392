#include "observers.hpp"

#include <fmt/format.h>

#include <cstddef>
#include <string>

#include <harrier/core/error.hpp>
#include <harrier/core/monitor.hpp>
#include <harrier/core/stages.hpp>

namespace harrier {
namespace {

/// What stands against it, in words; empty: nothing.
/// @param judged  the property in question, if there is one, can tell what commutes
std::string objection_to_commuting(const system& tested, const options& how, bool judged) {
  if (how.delivery == delivery::mailbox || how.delivery == delivery::mailbox_interleaved)
    return fmt::format("delivery model {} decides by the order of sends what is taken, so nothing commutes there",
                       to_string(how.delivery));
  if (judged) return "a property is judged, and it may tell one order of deliveries from another";
  if (!tested.shows_changes())
    return "it cannot be seen whether a delivery changed anything: that is for native actors";
  return {};
}

/// The same, where messages commute for what they touch or do in the state an actor is in.
std::string objection_to_more_than_observers(const system& tested, const options& how, bool judged) {
  const auto* const in = const_cast<system&>(tested).in_stages();  // asking changes nothing
  if (tested.shows_changes() && in != nullptr && in->current() != stages::end::last)
    return "the body of an ETEST that waits (handle_all() and the like) may look at the actors between deliveries, and "
           "it is not shown that this sees the same";
  return objection_to_commuting(tested, how, judged);
}

/// An execution of n deliveries takes n^2 / 8 bytes: 8 MiB, or 512 for who asks for it.
std::size_t longest_with_observers(const options& how) {
  return how.observers || how.independence == independence::fields ? 65'536 : 8'192;
}

}  // namespace

bool are_observers_told(const system& tested, const options& how) {
  const bool fields = how.independence == independence::fields;
  if (fields && !how.observers.value_or(true))
    throw error("messages are independent by their fields only if observers are, too; do without --observers off");
  if (!how.observers.value_or(true)) return false;
  const bool judged = how.judge != nullptr && (fields || how.judge->tells_observers_apart());
  const auto objection =
      fields ? objection_to_more_than_observers(tested, how, judged) : objection_to_commuting(tested, how, judged);
  if (objection.empty()) return true;
  if (fields) throw error(fmt::format("messages cannot be independent by their fields: {}", objection));
  if (how.observers) throw error(fmt::format("observers cannot be told apart: {}", objection));
  return false;
}

optimal_options options_of_optimal(const system& tested, const options& how) {
  return {.ordering = how.ordering,
          .observers = are_observers_told(tested, how),
          .fields = how.independence == independence::fields,
          .longest_with_observers = longest_with_observers(how)};
}

source_options options_of_source(const system& tested, const options& how) {
  const bool semantic = how.independence == independence::semantic;
  if (semantic && !how.observers.value_or(true))
    throw error("messages that change nothing commute, whichever way that is tried; do without --observers off");
  const auto objection = objection_to_more_than_observers(tested, how, how.judge != nullptr);
  if (semantic && !objection.empty())
    throw error(fmt::format("it cannot be tried whether messages commute: {}", objection));
  return {.ordering = how.ordering, .semantic = semantic};
}

options without_observers(const options& how) {
  auto plain = how;
  plain.observers = false;
  plain.independence = independence::receiver;
  plain.resume.clear();
  return plain;
}

std::string why_without_observers(const options& how) {
  return fmt::format("{} were not told apart: an execution has more than {} deliveries",
                     how.independence == independence::fields ? "fields" : "observers", longest_with_observers(how));
}

}  // namespace harrier
