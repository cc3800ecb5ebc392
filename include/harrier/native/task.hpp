#pragma once

#include <coroutine>
#include <cstddef>
#include <exception>
#include <new>
#include <optional>
#include <stdexcept>
#include <type_traits>
#include <utility>

#include <harrier/core/error.hpp>

// A handler that returns a task and has neither co_await nor co_return is no coroutine: it runs off its end, and what
// then happens is undefined. The compiler knows, and must not only warn.
#pragma GCC diagnostic error "-Wreturn-type"

namespace harrier {

class message_type;
class self;

/// An exception that left the callee of `co_await self.call<...>`; what() says
/// which call, and what the callee's exception said.
class call_failed : public std::runtime_error {
public:
  using std::runtime_error::runtime_error;
};

template <class T>
class task_of;

namespace detail {

class world;

/// What every coroutine of one handler has: its frame, who awaits it, and what
/// it threw. Frames are linked from the leaf (which waits for a reply) outward.
struct frame {
  std::coroutine_handle<> handle;
  frame* awaited_by = nullptr;
  std::exception_ptr error;
  /// Where it runs; null if it does not take `self&`.
  world* in = nullptr;
  bool started = false;
  /// Of the coroutine's memory, which begins at `handle`'s address.
  std::size_t bytes = std::exchange(allocated_last, 0);

  static void* operator new(std::size_t size) {
    void* const memory = ::operator new(size);
    allocated_last = size;
    return memory;
  }
  static void operator delete(void* memory) { ::operator delete(memory); }

private:
  static inline thread_local std::size_t allocated_last = 0;  // for the frame that is made in it
};

/// A finding of the running handler: it made a task and did not await it.
void task_was_dropped(world& in) noexcept;

/// The reply as the waiting expression sees it. It lives in the awaiter, since
/// GCC resumes the first operand of `co_await a + co_await b` after the second
/// was awaited.
struct awaited_reply {
  const void* value = nullptr;
  const char* failure = nullptr;
  bool expired = false;                // none came within the time
  const message_type* type = nullptr;  // of a message that was received: what it is
};

template <class Actor, auto Handler>
class pending_call;
template <class Actor, auto Handler>
class limited_call;

template <class T>
constexpr bool is_task = false;
template <class T>
constexpr bool is_task<task_of<T>> = true;
/// What a handler may await beside a task.
template <class T>
constexpr bool is_wait = false;
template <class Actor, auto Handler>
constexpr bool is_wait<pending_call<Actor, Handler>> = true;
template <class Actor, auto Handler>
constexpr bool is_wait<limited_call<Actor, Handler>> = true;

struct promise_base : frame {
  promise_base() = default;
  /// Given what the coroutine was called with.
  template <class... Parameters>
  explicit promise_base(Parameters&... called_with) noexcept {
    (note(called_with), ...);
  }

  std::suspend_always initial_suspend() noexcept { return {}; }
  std::suspend_always final_suspend() noexcept { return {}; }  // a loop resumes leaf to outer: no symmetric transfer
  void unhandled_exception() noexcept { error = std::current_exception(); }

  template <class Awaited>
  Awaited&& await_transform(Awaited&& awaited) {
    static_assert(is_task<std::remove_cvref_t<Awaited>> || is_wait<std::remove_cvref_t<Awaited>>,
                  "harrier: a handler may co_await only self.call<&actor::message>(ref, ...), self.receive<message>(), "
                  "self.ended(ref) or a harrier::task; any other wait is outside the scheduler");
    return std::forward<Awaited>(awaited);
  }

private:
  template <class Parameter>
  void note(Parameter& x) noexcept {
    if constexpr (std::is_same_v<Parameter, self>) in = x.world_;
  }
};

template <class T>
struct promise : promise_base {
  using promise_base::promise_base;
  std::optional<T> value;

  task_of<T> get_return_object();
  template <class U = T>
  void return_value(U&& result) {
    value.emplace(std::forward<U>(result));
  }
};

template <>
struct promise<void> : promise_base {
  using promise_base::promise_base;
  task_of<void> get_return_object();
  void return_void() noexcept {}
};

}  // namespace detail

namespace detail {

/// What is awaited where nothing can be, so that there is one error.
struct awaited_in_vain {
  struct result {
    template <class T>
    operator T() const;
  };
  bool await_ready() noexcept;
  void await_suspend(std::coroutine_handle<> caller) noexcept;
  result await_resume() noexcept;
};

/// For the error that it gives.
template <class... Parameters>
struct promise_of_no_coroutine {
  static_assert(sizeof...(Parameters) == 0,
                "harrier: co_await in a function that returns void: a handler that waits returns harrier::task or "
                "harrier::task_of<T>; a driver and the body of a test send messages, and wait for nothing");
  void get_return_object();
  std::suspend_never initial_suspend() noexcept;
  std::suspend_never final_suspend() noexcept;
  void unhandled_exception() noexcept;
  void return_void() noexcept;
  template <class Awaited>
  awaited_in_vain await_transform(Awaited&& awaited);
};

}  // namespace detail

/// What a handler returns that waits for replies: a coroutine. A `task_of<T>`
/// handler replies with its co_return; a `task` has nothing to reply with. It
/// starts when its message is delivered; a helper's task starts when it is
/// awaited, and may be awaited once. One that takes `self&` and is never awaited
/// is a finding of the handler that dropped it.
template <class T>
class [[nodiscard]] task_of {
public:
  using promise_type = detail::promise<T>;

  task_of(task_of&& other) noexcept : frame_(std::exchange(other.frame_, nullptr)) {}
  task_of& operator=(task_of&&) = delete;
  ~task_of() {
    if (frame_ == nullptr) return;
    if (!frame_->started && frame_->in != nullptr) [[unlikely]]
      detail::task_was_dropped(*frame_->in);
    frame_->handle.destroy();
  }

  [[nodiscard]] bool await_ready() const noexcept { return false; }
  template <class Promise>
  bool await_suspend(std::coroutine_handle<Promise> caller) {
    if (frame_ == nullptr || std::exchange(frame_->started, true)) throw error("a harrier::task is awaited twice");
    frame_->awaited_by = &caller.promise();
    frame_->handle.resume();
    return !frame_->handle.done();
  }
  T await_resume() {
    if (frame_->error) std::rethrow_exception(frame_->error);
    if constexpr (!std::is_void_v<T>) return std::move(*frame_->value);
  }

  /// The coroutine's frame, not started; the caller destroys it.
  promise_type* release() { return std::exchange(frame_, nullptr); }

private:
  friend promise_type;
  explicit task_of(promise_type* frame) : frame_(frame) {}

  promise_type* frame_;
};

/// A handler that waits for replies and returns nothing.
using task = task_of<void>;

template <class T>
task_of<T> detail::promise<T>::get_return_object() {
  this->handle = std::coroutine_handle<promise>::from_promise(*this);
  return task_of<T>(this);
}
inline task_of<void> detail::promise<void>::get_return_object() {
  handle = std::coroutine_handle<promise>::from_promise(*this);
  return task_of<void>(this);
}

}  // namespace harrier

template <class... Parameters>
struct std::coroutine_traits<void, harrier::self&, Parameters...> {
  using promise_type = harrier::detail::promise_of_no_coroutine<harrier::self&, Parameters...>;
};
template <class Actor, class... Parameters>
struct std::coroutine_traits<void, Actor&, harrier::self&, Parameters...> {
  using promise_type = harrier::detail::promise_of_no_coroutine<Actor&, harrier::self&, Parameters...>;
};
