#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <vector>

#include <harrier/core/delivery.hpp>
#include <harrier/core/states.hpp>
#include <harrier/core/system.hpp>

namespace harrier {

/// What the systems of one program have told of it, from several threads, and of what is a search of its own to know.
/// Processes that it forks share that.
class seen_of_program {
public:
  seen_of_program();
  seen_of_program(const seen_of_program&) = delete;
  seen_of_program& operator=(const seen_of_program&) = delete;
  ~seen_of_program();

  /// Its actors share memory, so that a search by messages alone would leave out what differs: the next system is one
  /// with system::shares_memory.
  void share_memory() { *facts_ |= memory_is_shared; }
  [[nodiscard]] bool shares_memory() const { return (*facts_ & memory_is_shared) != 0; }
  /// What actors do when they start has to be ordered, too.
  void order_starts() { *facts_ |= starts_are_ordered; }
  [[nodiscard]] bool orders_starts() const { return (*facts_ & starts_are_ordered) != 0; }
  /// All that calls for another search if it was not known before.
  [[nodiscard]] std::uint32_t facts() const { return *facts_; }
  /// What another search has seen, of one of whose executions this is, say.
  void know(std::uint32_t facts) { *facts_ |= facts; }
  /// What else an adapter has to know, number `which` of most_facts_of_adapter: what systems do that begin later may
  /// depend on it.
  void see(std::uint32_t which) { *facts_ |= first_of_adapter << which; }
  [[nodiscard]] static bool is_seen(std::uint32_t which, std::uint32_t facts) {
    return (facts & first_of_adapter << which) != 0;
  }
  static constexpr std::uint32_t most_facts_of_adapter = 28;
  /// No search of the program covers that, in words: "timers that come earlier".
  void leave_out(const std::string& what);
  [[nodiscard]] std::vector<std::string> left_out() const;

private:
  static constexpr std::uint32_t memory_is_shared = 1;
  static constexpr std::uint32_t starts_are_ordered = 2;
  static constexpr std::uint32_t first_of_adapter = 16;

  std::atomic<std::uint32_t>* facts_;  // in memory of its own
  mutable std::mutex one_at_a_time_;
  std::set<std::string> left_out_;
};

/// A program under test: how to set it up in its initial configuration.
///
/// `start` gives a fresh system each time it is called, sharing nothing with
/// the others, and always the same one for a delivery model: a search, each
/// replay and each worker have their own. It throws untestable_program if the
/// program fails before its first message.
struct program {
  std::function<system_handle(delivery)> make = {};
  /// What the states must be in which an execution ends; null: anything.
  final_check finally = nullptr;
  /// How its library delivers, for a search that is not told (search_options::delivery).
  delivery usual_delivery = delivery::unordered;
  /// Of an adapter that sees the program as it runs; null: there is nothing to be told.
  std::shared_ptr<seen_of_program> seen = nullptr;

  /// @throws untestable_program  also for what leaves the program while it starts.
  [[nodiscard]] system_handle start(delivery model = delivery::unordered) const;
};

/// `tested`, which after the last fault is to come to a state in which `reached` holds, by itself and in the end: from
/// each end of an execution it is run on, fairly, without faults, and with timers that fire in the order of their times
/// and as often as they like. Where it does not come there within so many deliveries, or nothing more can be delivered
/// before, that is a finding of the execution as a whole. Ends that the budget of timers cut are judged by that, too.
///
///     auto tested = harrier::converges(harrier::make_program(election), "there is one leader", [](const
///     harrier::states& all) {
///       return std::ranges::count_if(all.alive<node>(), &node::leads) == 1;
///     });
program converges(program tested, std::string name, std::function<bool(const states&)> reached,
                  std::size_t most_deliveries = 1000);

/// `tested`, some execution of which is to come to each of those points (self::cover).
program covers(program tested, std::vector<std::string> points);

/// `tested` on a network in which that may happen.
program with_faults(program tested, const faults& may_happen);

}  // namespace harrier
