#pragma once

#include <barrier>
#include <cstddef>
#include <exception>
#include <functional>
#include <thread>
#include <vector>

namespace harrier {

/// Threads that do one thing after another together, for as long as it exists.
/// Who calls `run` is the first of them. What one of them allocated in an earlier
/// thing does not lie among what another one writes: a search whose actors do is a
/// tenth slower.
class crew {
public:
  /// @param begin  what each thread but the first calls at its beginning; may be empty.
  explicit crew(std::size_t size, std::function<void()> begin = {}) : meeting_(static_cast<std::ptrdiff_t>(size)) {
    for (std::size_t i = 1; i < size; ++i)
      others_.emplace_back([this, i, begin] {
        if (begin) begin();
        while (true) {
          meeting_.arrive_and_wait();
          if (task_ == nullptr) return;
          (*task_)(i);
          meeting_.arrive_and_wait();
        }
      });
  }
  crew(const crew&) = delete;
  crew& operator=(const crew&) = delete;
  ~crew() {
    task_ = nullptr;
    meeting_.arrive_and_wait();
  }

  [[nodiscard]] std::size_t size() const { return others_.size() + 1; }

  /// Calls `job(i)` in the `i`th thread, for all of them, and returns when all have returned.
  /// @throws what the job of the first thread that threw did, once all have returned
  void run(const std::function<void(std::size_t)>& job) {
    std::vector<std::exception_ptr> failures(size());
    const std::function<void(std::size_t)> supervised = [&](std::size_t i) {
      try {
        job(i);
      } catch (...) {
        failures[i] = std::current_exception();
      }
    };
    task_ = &supervised;
    meeting_.arrive_and_wait();
    supervised(0);
    meeting_.arrive_and_wait();
    for (const auto& f : failures)
      if (f != nullptr) std::rethrow_exception(f);
  }

private:
  std::barrier<> meeting_;
  const std::function<void(std::size_t)>* task_ = nullptr;  // null: to go home
  std::vector<std::jthread> others_;
};

}  // namespace harrier
