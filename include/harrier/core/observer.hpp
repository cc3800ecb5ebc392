#pragma once

namespace harrier {

class system;

/// What a search tells those who watch it. A system calls the first two, an
/// engine the others. Deriving classes set `stopping_` to end the search.
class observer {
public:
  virtual ~observer() = default;

  /// The last step of `system` recorded a finding (system::records_of_last_step).
  virtual void step_flagged(system& system) = 0;
  /// Called now and then, at least every few milliseconds of a search.
  virtual void poll(system& system) = 0;
  /// Nothing more can be delivered: a maximal execution, or one cut by a bound.
  virtual void execution_ended(system& system) = 0;
  /// Everything deliverable sleeps: the search will not run this execution on.
  virtual void execution_blocked(system& system) = 0;

  /// Whether the search should end now. Engines ask between two deliveries.
  [[nodiscard]] bool stopping() const { return stopping_; }

protected:
  bool stopping_ = false;
};

}  // namespace harrier
