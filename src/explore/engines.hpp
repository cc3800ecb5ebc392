#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <harrier/core/exploration.hpp>
#include <harrier/core/observer.hpp>
#include <harrier/core/system.hpp>
#include <harrier/explore/options.hpp>

namespace harrier {

/// What a monitor may rely on (options::judge).
enum class judged : std::uint8_t {
  every_order,  ///< the executions themselves: all of them are run, or any may be drawn
  one_order,    ///< what the executions of a class have in common: see monitor::order_dependence
  nothing,      ///< a configuration is looked at once, whatever led to it: no monitor can be used
};

/// An engine as the command line knows it.
struct named_engine {
  std::string_view name;
  bool takes_sleep_sets;
  /// Which actor goes first matters to it.
  bool takes_ordering;
  /// It never ends by itself and needs a limit.
  bool endless;
  judged judges;
  /// @return whether the search is exhausted.
  bool (*run)(system&, observer&, const options&, exploration&, const program&);
  /// It knows of delivery::mailbox, which is not decided at the receiver alone.
  bool takes_mailbox = true;
  /// Why its coming to an end proves nothing; empty if it does.
  std::string_view warning = {};
};

/// @throws error naming all engines if there is none of that name.
const named_engine& engine_named(std::string_view name);

}  // namespace harrier
