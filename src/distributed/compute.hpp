#pragma once

#include <functional>
#include <string>

#include <harrier/core/program.hpp>
#include <harrier/explore/options.hpp>

#include "bundle.hpp"
#include "result.hpp"

namespace harrier::distributed {

/// Explores `graphs` in this process until `stop` says so, which is asked between
/// two graphs, at least one being explored; what is then left comes back as
/// children, two halves if there is enough for two.
///
/// What it counted and what comes of its children is all that comes of `graphs`,
/// each execution once, whenever it was stopped.
[[nodiscard]] item_result explore_bundle(const program& tested, const options& how, bundle graphs,
                                         const std::function<bool()>& stop);

/// How an item ended.
enum class item_end : std::uint8_t {
  done,         ///< there is a result
  interrupted,  ///< SIGINT or SIGTERM came
  killed,       ///< SIGKILL to the process that explored it, or it never began: it is to be tried again
};

struct computed {
  item_end way = item_end::done;
  std::string result = {};  ///< its bytes, as they are published
  std::string why = {};     ///< of `killed`: what happened
};

/// The same in a child process, for `item`, by its name. One that crashes, or a handler that does not end,
/// is a finding and a result that ends the run.
///
/// @param stop  asked in this process, several times a second; what it throws ends the child.
[[nodiscard]] computed compute(const program& tested, const options& how, double handler_limit, std::string item,
                               const bundle& graphs, const std::function<bool()>& stop);

}  // namespace harrier::distributed
