#pragma once

#include <compare>
#include <cstddef>
#include <functional>

#include <harrier/core/program.hpp>
#include <harrier/explore/options.hpp>

namespace harrier {

/// A change to a schedule, as minimise() tries them. They are tried in the order of their fields.
struct left_out {
  enum class what {
    nothing,
    extra,       ///< a fault, or a timer that fired: number `detail` of the delivery in place `from`
    deliveries,  ///< `width` of them, from there; wide ones first
    overtaking,  ///< the delivery in place `from` comes before younger ones
    draw,        ///< a value drawn in the delivery in place `from`
  };
  what kind = what::nothing;
  std::size_t width = 0;
  std::size_t from = 0;
  std::size_t detail = 0;

  friend constexpr std::strong_ordering operator<=>(const left_out& a, const left_out& b) {
    if (a.kind != b.kind) return a.kind <=> b.kind;
    if (a.width != b.width) return b.width <=> a.width;
    if (a.from != b.from) return a.from <=> b.from;
    return a.detail <=> b.detail;
  }
  friend constexpr bool operator==(const left_out&, const left_out&) = default;
};

/// For one who waits for it to end the process, as the last delivery of `way` does: runs that schedule with one change
/// after the other, in their order: without faults, without deliveries, in the order of sending, with lower draws. What
/// it then does is noted as a search's (telling_options::wiring). The last delivery is made only where what comes
/// before asks less of a reader than it did. It comes to its end if none of them ends the process, and at once where
/// minimise() changes nothing.
/// @param begin   what to begin with; nothing: only that is tried, which leaves the schedule as it is
/// @param trying  told before each attempt; and, with `is_last`, when only the last delivery of `way` is to be made
void leave_out(const program& tested, const options& how, const schedule& way, const left_out& begin,
               const std::function<void(const left_out&, bool is_last)>& trying);

}  // namespace harrier
