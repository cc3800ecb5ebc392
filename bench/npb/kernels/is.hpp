#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "kernel.hpp"

namespace npb {

/// A phase of ranking the keys.
struct rank {
  enum class phase : std::uint8_t {
    count,  ///< how often each key is among the worker's part of all keys
    sum,    ///< of the worker's part of the possible keys: how many keys of that part are not greater than each
    shift   ///< the same, of all keys
  };
  phase order;
};

/// Kernel IS: ranks integers, by counting them.
///
/// @par Source  NAS Parallel Benchmarks 3.4, IS: one ranking untimed and ten timed, each after two keys were changed,
/// with five
///      ranks looked at in each, and in the end all keys sorted.
class is {
public:
  using tasks = task_list<rank>;
  static constexpr std::array kinds{"worker"};

  is(size_class size, std::size_t workers);
  void work(const rank& task, std::size_t worker);
  outcome run(crew<rank>& workers);

private:
  static constexpr int iterations = 10;
  static constexpr int tests = 5;
  struct parameters {
    size_class name;
    int log_keys;
    int log_largest;
    std::array<std::size_t, tests> places;  ///< published: the keys there ...
    std::array<int, tests> ranks;           ///< ... have these ranks, but for what `expected` says
  };
  static parameters parameters_of(size_class size);

  void make_keys();
  void count(std::size_t worker);
  void sum(std::size_t worker);
  void shift(std::size_t worker);
  int rank_all(crew<rank>& workers, int iteration);
  [[nodiscard]] int expected(int test, int iteration) const;
  [[nodiscard]] bool sorts() const;

  parameters size_;
  std::size_t workers_;
  std::vector<int> keys_;
  std::vector<std::vector<int>> counts_;  // by worker
  std::vector<int> ranks_;                // by key: how many are not greater
  std::vector<int> before_;               // by worker: how many are less than the possible keys it has
};

}  // namespace npb
