#pragma once

#include <chrono>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>

#include <harrier/core/exploration.hpp>
#include <harrier/core/observer.hpp>
#include <harrier/core/program.hpp>
#include <harrier/explore/options.hpp>

namespace harrier {

/// Which findings are the same: made of what the program calls things, so that it
/// means the same in every process.
class finding_key {
public:
  explicit finding_key(finding_kind kind) { add(static_cast<std::uint64_t>(kind)); }
  finding_key& add(std::uint64_t number) {
    const std::uint64_t words[] = {value_.low, value_.high, number};
    value_ = hash_bytes(words, sizeof words);
    return *this;
  }
  finding_key& add(std::string_view text) {
    const auto hashed = hash_bytes(text.data(), text.size());
    return add(hashed.low).add(hashed.high);
  }
  [[nodiscard]] fingerprint value() const { return value_; }

private:
  fingerprint value_;
};

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
  void found(std::vector<finding>& among, const finding_key& key, const system& system, std::size_t length,
             Describe describe);
  /// The class of an actor, and what kind of message `m` is.
  const std::string& name_of(const system& system, actor_slot a);
  const std::string& kind_of(const system& system, message_slot m);
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
  std::map<fingerprint, std::size_t> seen_;                  // by finding_key
  std::unordered_map<const void*, std::string> type_names_;  // asked for often, and they take long to make
  std::chrono::steady_clock::time_point started_ = std::chrono::steady_clock::now();
  double reported_ = 0;
  std::uint64_t limit_executions_ = 0;
};

}  // namespace harrier
