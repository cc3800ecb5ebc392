#pragma once

namespace caf {
class actor_system;
}

namespace harrier::caf_adapter {

class run;

/// CAF 1 has no groups.
class groups {
public:
  explicit groups(run&) {}
  void stop(const caf::actor_system&) {}
  void clear() {}
};

}  // namespace harrier::caf_adapter
