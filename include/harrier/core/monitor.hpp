#pragma once

#include <optional>
#include <string>

#include <harrier/core/finding.hpp>

namespace harrier {

class system;

/// Judges an execution while it runs: sees each delivery, and says when a
/// property is broken. It goes back with the search.
///
/// Under a reduction only one order of independent deliveries is seen, so a
/// monitor may rely on the local state of one actor, and on the order of the
/// deliveries to one actor; to judge several actors together use `exhaustive`.
class monitor {
public:
  virtual ~monitor() = default;

  /// The last step of `system` was taken. @return what it breaks, if anything;
  /// the search records it as a finding of that step (step_index and kind are
  /// filled in: an invariant unless another kind is given).
  virtual std::optional<record> stepped(const system& system) = 0;

  /// The last step of `system` is about to be taken back.
  virtual void undone(const system& system) { static_cast<void>(system); }
};

}  // namespace harrier
