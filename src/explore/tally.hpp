#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include <harrier/core/exploration.hpp>
#include <harrier/core/observer.hpp>
#include <harrier/core/system.hpp>
#include <harrier/explore/options.hpp>

#include "estimator.hpp"
#include "finding_key.hpp"
#include "limits.hpp"

namespace harrier {

class archive_writer;
class archive_reader;

/// What one worker sees of an exploration: counts, judges ends, keeps findings.
/// What several of them saw is joined.
class tally final : public observer {
public:
  /// @param judge  what judges in this worker's system; null: nothing.
  tally(const options& how, limits& shared, monitor* judge)
      : how_(how), ends_(how.judging.ends()), limits_(shared), judge_(judge) {
    may_end_one_ = limits_.keep_execution();
    stopping_ = !may_end_one_;
  }

  void step_flagged(system& system) override;
  void poll(system& system) override;
  void execution_ended(system& system) override;
  void execution_blocked(system& system) override;
  /// The last step of `system` did not repeat itself; the exploration ends.
  /// What was searched is not what a search can be of: `kind` is nondeterminism or declaration.
  void untestable_found(const system& system, finding_kind kind, const std::string& what);
  /// Something of the program's failed outside its handlers, after as many of the
  /// deliveries of `system` as `failure` has; the exploration ends.
  void failure_found(const system& system, const finding& failure);

  using places = std::map<fingerprint, std::size_t>;  ///< where each finding_key is
  /// What it saw, in a form that can go to another process.
  struct collected {
    exploration result;
    places findings, warnings;  ///< in the lists of `result`
  };
  /// Gives it away: it has then seen nothing.
  [[nodiscard]] collected take() {
    return {std::exchange(result_, {}), std::exchange(findings_, {}), std::exchange(warnings_, {})};
  }
  /// Takes over what another saw: sums of what is counted, each finding once,
  /// with its shortest schedule, the least of those of one length.
  void join(collected&& other);
  /// The same for another worker, which has then seen nothing.
  void join(tally&& other);

  /// Whether something was found, and sooner on the way there than `other` has it.
  [[nodiscard]] bool found_before(const tally& other) const;
  /// Another worker found something first, so this one was to find nothing more.
  void forget_findings();
  /// Whether the worker should return is asked anew.
  void go_on();
  /// The worker has returned. @return whether it had to since the others have under way all executions that may end
  bool rest();
  /// Writes down what it saw, and takes over what was written down.
  void save(archive_writer& to) const;
  void load(archive_reader& from);

  /// From now on it is estimated how many executions there are. @param search  outlives what is watched
  void estimate_size_of(const search_context& search) { estimator_.emplace(search); }
  /// @param ended  the search came to its end. @return nothing if that is not known, or was not to be
  [[nodiscard]] std::optional<size_estimate> estimate(bool ended) const;

  /// @name Findings that are a matter of the states alone, of no monitor
  /// @{

  /// The length of the longest of their schedules; 0 if there are none.
  [[nodiscard]] std::size_t longest_of_states() const;
  /// Whether it has all of those of `other`.
  [[nodiscard]] bool has_all_of(const tally& other) const;
  /// Takes over, for those that `other` has too, its schedules where they are
  /// shorter. @pre its schedules are shortest ones
  void take_shortest(const tally& other);
  /// @}

  /// Counts and findings; the schedules are as they were found.
  [[nodiscard]] exploration& result() { return result_; }
  /// Of which actors' members, and of which messages' arguments, not all is known: `client.cache`. As far as executions
  /// were looked at: the first, the second, the fourth, and so on.
  [[nodiscard]] const std::set<std::string>& unknown() const { return unknown_; }

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
  /// Each of `stuck` and what it waits for, by causal names: another order creates the same actors in other slots.
  std::vector<fingerprint> who_is_stuck(const system& system, const std::vector<actor_slot>& stuck);
  void count_outcomes(const system& system);
  void look_for_unknown(const system& system);
  void keep_records(const system& system, step_index i);
  void keep_records_of_all(const system& system);
  void note_size(const system& of);
  void judge_end(system& system);
  /// What the check of the final states says.
  void judge_states(system& system);
  /// What the monitor says of an execution as a whole.
  void judge_execution(system& system);
  void stop(std::string why);
  [[nodiscard]] bool is_to_return() const { return limits_.are_to_return() || !may_end_one_; }
  /// @return whether all are kept.
  static bool join(std::vector<finding>& ours, places& known_to_us, std::vector<finding>& theirs,
                   const places& known_to_them);

  const options& how_;
  end_rules ends_;
  limits& limits_;
  monitor* judge_;
  exploration result_;
  places findings_, warnings_;
  std::unordered_map<const void*, std::string> type_names_;  // asked for often, and they take long to make
  std::set<std::string> unknown_;
  progress told_;
  std::uint64_t longer_than_before_ = 0;  // executions
  bool may_end_one_;                      // see limits::keep_execution
  std::optional<estimator> estimator_;
};

}  // namespace harrier
