#pragma once

#include <vector>

#include <harrier/core/program.hpp>
#include <harrier/core/system.hpp>
#include <harrier/engine/search_context.hpp>
#include <harrier/explore/options.hpp>

namespace harrier {

/// How the path branches on which engine exhaustive is (search_context::branches).
/// The engine keeps nothing that would tell, so another system goes where it is
/// and counts what could be delivered on the way.
class replayed_branches {
public:
  replayed_branches(const program& tested, const options& how);
  /// @param searched  at the end of an execution. O(deliveries since the last call x messages pending)
  /// @throws error  the program does not repeat itself, which somebody else will tell.
  void list(const system& searched, std::vector<branching>& path);

private:
  void go_on(const scheduled& next);

  system_handle other_;
  schedule here_;
  std::vector<std::vector<branching>> of_step_;
};

}  // namespace harrier
