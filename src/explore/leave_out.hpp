#pragma once

#include <cstddef>
#include <functional>

#include <harrier/core/program.hpp>
#include <harrier/explore/options.hpp>

namespace harrier {

/// Which deliveries of a schedule are left out: so many, from there.
struct left_out {
  std::size_t width = 0;
  std::size_t from = 0;
};

/// For one who waits for it to end the process, as the last delivery of `way` does: runs that schedule without some of
/// its deliveries, halves of it first, then less, as minimise() does. What it then does is noted as a search's
/// (telling_options::wiring). It comes to its end if none of them does it, and at once where minimise() changes
/// nothing.
/// @param begin   what to begin with; nothing: only that is tried
/// @param trying  told before each attempt; and, with `is_last`, when only the last delivery of `way` is to be made
void leave_out_deliveries(const program& tested, const options& how, const schedule& way, left_out begin,
                          const std::function<void(const left_out&, bool is_last)>& trying);

}  // namespace harrier
