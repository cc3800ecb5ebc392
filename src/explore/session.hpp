#pragma once

#include <chrono>
#include <memory>
#include <unordered_map>

#include <harrier/core/exploration.hpp>
#include <harrier/core/observer.hpp>
#include <harrier/core/program.hpp>
#include <harrier/explore/options.hpp>

namespace harrier {

/// One exploration while it runs: counts, judges ends, keeps findings, minds
/// the limits.
class session final : public observer {
public:
  session(const program& tested, const options& how);

  exploration run();

  void step_flagged(system& system) override;
  void poll(system& system) override;
  void execution_ended(system& system) override;
  void execution_blocked(system& system) override;

private:
  /// Counts a finding, and keeps its schedule, the first `length` deliveries, if
  /// it is new or shorter. `describe` makes the finding itself and is called
  /// only when needed.
  template <class Describe>
  void found(std::vector<finding>& among, std::uint64_t key, const system& system, std::size_t length,
             Describe describe);
  void judge_end(system& system);
  /// What the monitor says of an execution as a whole.
  void judge_execution(system& system);
  /// @throws error if the monitor relies on more than the engine keeps.
  void refuse_unsound(const system& initial) const;
  /// What the monitor says of the search as a whole.
  void conclude();
  void nondeterminism_found(const system& system, const std::string& what);
  void complete(finding& f) const;
  void stop(std::string why);
  [[nodiscard]] double seconds() const;
  [[nodiscard]] progress current(const system& system) const;

  const program& program_;
  const options& how_;
  exploration result_;
  std::unordered_map<std::uint64_t, std::size_t> seen_;
  std::chrono::steady_clock::time_point started_ = std::chrono::steady_clock::now();
  double reported_ = 0;
  std::uint64_t limit_executions_ = 0;
};

}  // namespace harrier
