#pragma once

#include <cstdint>

#include <harrier/harrier.hpp>

namespace harrier {

/// Counts for ever: neither executions nor states come to an end.
struct never_ends {
  std::uint64_t n = 0;
  void next(self& me) {
    ++n;
    me.send<&never_ends::next>(me.me<never_ends>());
  }
};
inline void counts_for_ever(self& me) { me.send<&never_ends::next>(me.create<never_ends>()); }

}  // namespace harrier
