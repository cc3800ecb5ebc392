#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <utility>

namespace harrier::caf_adapter {

/// Code on a stack of its own, which can wait in its middle.
///
/// Stacks come from a pool of the thread and go back to it. A fiber is resumed by
/// the thread that made it, never from within another fiber.
class fiber {
public:
  /// @param body  what leaves it ends the process
  explicit fiber(std::function<void()> body);
  fiber(const fiber&) = delete;
  fiber& operator=(const fiber&) = delete;
  /// What is on its stack, if it waits, is left as it is: not destroyed.
  ~fiber();

  /// Runs it until it waits, is done, or is abandoned.
  void resume();
  [[nodiscard]] bool is_done() const;
  /// What is on its stack, while it waits: from the first byte on, so many.
  [[nodiscard]] std::pair<const char*, std::size_t> stack() const;

  /// The one that runs in this thread; null on the thread's own stack.
  static fiber* running();
  /// Within it: back to whoever resumed it.
  void wait();
  /// Within it: the same for ever. What is on its stack is not destroyed.
  [[noreturn]] void abandon();

private:
  struct state;
  std::unique_ptr<state> state_;
};

}  // namespace harrier::caf_adapter
