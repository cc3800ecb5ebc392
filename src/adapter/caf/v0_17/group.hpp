#pragma once

#include <caf/group.hpp>
#include <caf/group_manager.hpp>
#include <string>
#include <vector>

namespace harrier::caf_adapter {

class run;

/// The local groups of a run. As CAF's own, each is memory that all actors share, and whoever publishes hands on, there
/// and then; a strand of the run stands for it.
class groups {
public:
  explicit groups(run& of) : of_(of) {}

  /// The one of that name, a new one if it is empty.
  caf::group called(const std::string& name, const caf::group_manager& of);
  /// Those of that system have no members any more.
  void stop(const caf::actor_system& of);
  void clear() { all_.clear(); }

private:
  run& of_;
  std::vector<caf::group> all_;
};

}  // namespace harrier::caf_adapter
