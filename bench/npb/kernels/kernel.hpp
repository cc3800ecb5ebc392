#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace npb {

/// The sizes that were published with the benchmarks, small to large.
enum class size_class : char { s = 'S', w = 'W', a = 'A', b = 'B', c = 'C' };

/// What a run of a kernel gave.
struct outcome {
  bool verified = false;  ///< whether it agrees with the published values, as nearly as the benchmarks ask for
  double seconds =
      0;  ///< of the timed part: without making the input, the first iteration if that is untimed, and threads
  std::string computed;  ///< the values that were compared, for people
};

/// The workers of one kind, as a kernel's master sees them.
template <class Task>
class crew {
public:
  /// Gives the task to each of them, and returns when all have done it.
  virtual void perform(const Task& task) = 0;

protected:
  ~crew() = default;
};

/// What a kernel gives its workers to do, one type for each kind of worker.
template <class... Tasks>
struct task_list {};

/// The answer of a worker to every message.
struct done {};

/// Tells a worker that there is nothing more to do.
struct leave {};

/// [first, last)
struct slice {
  std::size_t first;
  std::size_t last;
};

/// What one of several workers takes of `size` things; all take equally many, or one less.
inline slice share(std::size_t size, std::size_t worker, std::size_t workers) {
  return {size * worker / workers, size * (worker + 1) / workers};
}

/// What each worker found of a sum, each in a cache line of its own.
class partial_sums {
public:
  explicit partial_sums(std::size_t workers) : parts_(workers) {}
  double& operator[](std::size_t worker) { return parts_[worker].value; }
  [[nodiscard]] double total() const {
    double sum = 0;
    for (const auto& p : parts_) sum += p.value;
    return sum;
  }

private:
  struct alignas(64) part {
    double value = 0;
  };
  std::vector<part> parts_;
};

/// The generator of the benchmarks: x <- 5^13 x mod 2^46, divided by 2^46. They compute it in halves, as doubles; what
/// a product of 64 bits loses is above the 46.
class generator {
public:
  /// The next number, in (0, 1).
  double next() {
    state_ = (state_ * 1220703125U) & ((std::uint64_t{1} << 46U) - 1);
    return static_cast<double>(state_) * 0x1p-46;
  }

private:
  std::uint64_t state_ = 314159265;
};

/// Whether they differ by at most `tolerance` times the second.
bool agree(double computed, double published, double tolerance);

/// A clock that starts when it is made.
class stopwatch {
public:
  stopwatch();
  /// Since then.
  [[nodiscard]] double seconds() const;

private:
  std::int64_t start_;  // nanoseconds
};

}  // namespace npb
