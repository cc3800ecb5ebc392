#pragma once

// What plays a role: a coroutine of Boost.Asio, or a thread.

#include <chrono>
#include <exception>
#include <memory>
#include <optional>
#include <stop_token>
#include <type_traits>
#include <utility>

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/async_result.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <harrier/transport/part.hpp>

namespace harrier::runtime {

/// What both kinds of participants have: a role that is theirs, and the calls that do not wait. When it is destroyed
/// the role leaves, also where an exception destroys it. All errors are those of a module: see `module`.
template <class Module>
class seat {
public:
  using role = typename Module::role;
  using message = typename Module::message;

  /// A message, and who sent it.
  class received : public message {
  public:
    received() = default;
    received(message&& content, role sender) : message(std::move(content)), sender_(sender) {}
    [[nodiscard]] role sender() const { return sender_; }

  private:
    role sender_{};
  };

  seat(seat&& other) noexcept
      : part_(std::exchange(other.part_, nullptr)), self_(other.self_), exceptions_(other.exceptions_) {}
  seat& operator=(seat&&) = delete;
  ~seat() {
    if (part_ != nullptr) static_cast<void>(part_->depart(number(self_), std::uncaught_exceptions() > exceptions_));
  }

  /// Sends without waiting: false if it is not possible now; then the value is the caller's again.
  template <class T>
  bool try_send(role to, T&& value) {
    request call{kind::send, number(self_), number(to), type_of<std::remove_cvref_t<T>>()};
    auto content = as_message(std::forward<T>(value));
    try {
      if (part_->perform_now(call, content)) return true;
    } catch (...) {
      give_back<T>(value, content);
      throw;
    }
    give_back<T>(value, content);
    return false;
  }
  bool try_recv(role from, message& into) {
    auto call = receive_from(number(from), anything);
    return part_->perform_now(call, into);
  }
  bool try_recv_any(message& into) {
    auto call = receive_from(anything, anything);
    return part_->perform_now(call, into);
  }
  bool try_recv_any(received& into) {
    auto call = receive_from(anything, anything);
    message content;
    if (!part_->perform_now(call, content)) return false;
    into = received(std::move(content), static_cast<role>(call.from));
    return true;
  }
  bool try_close(role to) {
    request call{kind::close, number(self_), number(to), anything};
    message none;
    return part_->perform_now(call, none);
  }

  [[nodiscard]] role self() const { return self_; }
  /// Whether the protocol has nothing more for it to do.
  [[nodiscard]] bool has_finished() const { return part_->has_finished(number(self_)); }
  /// It does nothing more; as its destruction. Calls are `not_yours` then.
  void leave() noexcept { static_cast<void>(part_->depart(number(self_), false)); }
  /// The same for a role that has done all that it has to do.
  /// @throws left_early  it has not, and has left all the same; says what it owed, and where that is defined
  void finish() {
    words text;
    if (part_->depart(number(self_), false, &text)) throw left_early(text);
  }

protected:
  using owner_part = session_part<Module>;
  seat(std::shared_ptr<owner_part> owner, role self) : part_(std::move(owner)), self_(self) {}

  template <class T>
  static constexpr std::uint32_t type_of() {
    static_assert(!message::template is_in_several<T>,
                  "harrier: several messages of this protocol have the type of this value; say which, by its name in "
                  "the module");
    static_assert(
        message::template has<T> || message::template is_in_several<T>,
        "harrier: no message of this protocol has the type of this value; convert it, as std::string(\"text\")");
    if constexpr (message::template has<T>) return message::template index_of<T>();
    return 0;
  }
  template <class T>
  static message as_message(T&& value) {
    if constexpr (message::template has<std::remove_cvref_t<T>>) {
      return message(std::forward<T>(value));
    } else {
      return message();  // and `type_of` has said what is wrong
    }
  }
  // What was moved into a message that was not sent.
  template <class T>
  static void give_back(std::remove_reference_t<T>& value, message& content) {
    using type = std::remove_cvref_t<T>;
    if constexpr (!std::is_lvalue_reference_v<T> && std::is_assignable_v<T&, type>) {
      value = std::move(content.template get<type>());
    }
  }
  static constexpr std::uint32_t number(role r) { return static_cast<std::uint32_t>(r); }
  request receive_from(std::uint32_t from, std::uint32_t type) const {
    return {kind::receive, from, number(self_), type};
  }

  std::shared_ptr<owner_part> part_;
  role self_;

private:
  int exceptions_ = std::uncaught_exceptions();
};

/// Played by a coroutine: what waits in a module is awaited here.
///
///     asio::awaitable<void> black(participant<protocols::chess> self) {
///       const auto move = co_await self.recv<std::string>(role::white);
///       co_await self.send(role::white, answer_to(move), 5s);
///     }
///
/// A call that is possible at once does not suspend. It waits on the coroutine's executor; if that coroutine is
/// cancelled by Asio (`||` of two operations, say), the call throws `stopped`, and has done nothing. One call at a
/// time: a second one, while the first waits, throws `used_at_once`. A value that was to be sent is the call's: if it
/// throws, the value is gone.
///
/// @pre the participant outlives its calls, which its coroutine sees to if it has it.
template <class Module>
class participant : public seat<Module> {
  using base = seat<Module>;

public:
  using typename base::message;
  using typename base::received;
  using typename base::role;

  participant(std::shared_ptr<session_part<Module>> owner, role self) : base(std::move(owner), self) {}

  template <class T>
  boost::asio::awaitable<void> send(role to, T&& value) {
    return put(sending<T>(to), base::as_message(std::forward<T>(value)), {});
  }
  template <class T>
  boost::asio::awaitable<void> send(role to, T&& value, wait_limit limit) {
    return put(sending<T>(to), base::as_message(std::forward<T>(value)), std::move(limit));
  }
  boost::asio::awaitable<message> recv(role from) { return get<all_of_it>(this->number(from), anything, {}); }
  boost::asio::awaitable<message> recv(role from, wait_limit limit) {
    return get<all_of_it>(this->number(from), anything, std::move(limit));
  }
  template <class T>
  boost::asio::awaitable<T> recv(role from) {
    return get<one_type<T>>(this->number(from), base::template type_of<T>(), {});
  }
  template <class T>
  boost::asio::awaitable<T> recv(role from, wait_limit limit) {
    return get<one_type<T>>(this->number(from), base::template type_of<T>(), std::move(limit));
  }
  boost::asio::awaitable<received> recv_any() { return get<with_sender>(anything, anything, {}); }
  boost::asio::awaitable<received> recv_any(wait_limit limit) {
    return get<with_sender>(anything, anything, std::move(limit));
  }
  boost::asio::awaitable<void> close(role to) { return put(closing(to), message(), {}); }
  boost::asio::awaitable<void> close(role to, wait_limit limit) {
    return put(closing(to), message(), std::move(limit));
  }

private:
  using owner_part = session_part<Module>;
  using limits = std::optional<wait_limit>;

  template <class T>
  request sending(role to) const {
    return {kind::send, this->number(this->self()), this->number(to), base::template type_of<std::remove_cvref_t<T>>()};
  }
  request closing(role to) const { return {kind::close, this->number(this->self()), this->number(to), anything}; }

  // What goes on with a coroutine that waits; until then, its executor has something left to do.
  class resumption {
  public:
    virtual ~resumption() = default;
    virtual void post() = 0;
  };
  template <class Handler>
  class resumption_by final : public resumption {
  public:
    resumption_by(Handler&& handler, const boost::asio::any_io_executor& executor)
        : handler_(std::move(handler)), work_(executor) {}
    void post() override {
      boost::asio::post(work_.get_executor(),
                        [h = std::move(handler_)]() mutable { std::move(h)(boost::system::error_code()); });
      work_.reset();
    }

  private:
    Handler handler_;
    boost::asio::executor_work_guard<boost::asio::any_io_executor> work_;
  };

  // A call of a coroutine. Where Asio may end its waiting, by time or by cancellation, a timer waits, which is
  // cancelled when it is done; else, which is four times as fast, nothing but what goes on with it.
  class suspended_call final : public waiting_call<message> {
  public:
    suspended_call(std::shared_ptr<owner_part>&& owner, const request& what, message&& with, bool only_others)
        : waiting_call<message>(what, std::move(with), only_others), owner_(std::move(owner)) {}
    ~suspended_call() { forget(); }

    /// @return whether it is done, or need not wait for its time is over
    bool is_over_at_once(const limits& limit) {
      if (owner_->perform_or_wait(*this)) return true;
      known_ = true;
      return limit && limit->is_over();
    }
    void wake() noexcept override {
      if (timer_) timer_->cancel();
      if (resumption_) std::exchange(resumption_, nullptr)->post();
    }
    void stop() {
      const guard hold(owner_->lock());
      stopped_ = true;
      wake();
    }
    // The handler is called when it is done, is to stop, or its time is over.
    template <class Handler>
    void when_over(Handler&& handler, const boost::asio::any_io_executor& executor, const limits& limit) {
      using handler_type = std::decay_t<Handler>;
      const guard hold(owner_->lock());
      if (this->done || stopped_) {
        resumption_by<handler_type>(std::forward<Handler>(handler), executor).post();
      } else if (this->patient) {
        resumption_ = std::make_unique<resumption_by<handler_type>>(std::forward<Handler>(handler), executor);
      } else {
        timer_.emplace(executor, limit ? limit->deadline() : std::chrono::steady_clock::time_point::max());
        timer_->async_wait(std::forward<Handler>(handler));
      }
    }
    // @throws what the call has, if it is not done
    void finish(const limits& limit) {
      forget();
      if (this->error) std::rethrow_exception(this->error);
      if (this->done) return;
      if (limit && limit->is_over()) fail_of<typename Module::spec>(*limit, this->call);
      const auto& c = this->call;
      words text;
      throw stopped(describe<typename Module::spec>(text, c.what, c.from, c.to, c.type)
                    << ": its coroutine was cancelled");
    }

  private:
    void forget() noexcept {
      if (!std::exchange(known_, false)) return;
      const guard hold(owner_->lock());
      if (!this->done) owner_->forget_locked(*this);
    }

    std::shared_ptr<owner_part> owner_;
    std::optional<boost::asio::steady_timer> timer_;
    std::unique_ptr<resumption> resumption_;
    bool known_ = false;  // to the part, which may wake it
    bool stopped_ = false;
  };

  // What the caller gets of a call that is done.
  struct nothing {
    static void of(suspended_call&) {}
  };
  struct all_of_it {
    static message of(suspended_call& one) { return std::move(one.content); }
  };
  template <class T>
  struct one_type {
    static T of(suspended_call& one) { return std::move(one.content.template get<T>()); }
  };
  struct with_sender {
    static received of(suspended_call& one) {
      return received(std::move(one.content), static_cast<role>(one.call.from));
    }
  };

  template <class Result>
  static auto perform(std::shared_ptr<owner_part> owner, request call, message content, limits limit)
      -> boost::asio::awaitable<decltype(Result::of(std::declval<suspended_call&>()))> {
    namespace asio = boost::asio;
    const auto state = co_await asio::this_coro::cancellation_state;
    suspended_call one(std::move(owner), call, std::move(content), !limit && !state.slot().is_connected());
    if (!one.is_over_at_once(limit)) {
      const auto executor = co_await asio::this_coro::executor;
      const auto waker = [&one] { one.stop(); };
      std::optional<std::stop_callback<decltype(waker)>> waking;
      if (limit) waking.emplace(limit->stop_token(), waker);
      constexpr auto token = asio::as_tuple(asio::use_awaitable);
      co_await asio::async_initiate<decltype(token), void(boost::system::error_code)>(
          [&](auto handler) { one.when_over(std::move(handler), executor, limit); }, token);
    }
    one.finish(limit);
    co_return Result::of(one);
  }

  boost::asio::awaitable<void> put(request call, message content, limits limit) {
    return perform<nothing>(this->part_, call, std::move(content), std::move(limit));
  }
  template <class Result>
  auto get(std::uint32_t from, std::uint32_t type, limits limit) {
    return perform<Result>(this->part_, this->receive_from(from, type), message(), std::move(limit));
  }
};

/// Played by a thread: the calls of a module's participant. The session's executor must run in another thread.
template <class Module>
class thread_participant : public seat<Module> {
  using base = seat<Module>;

public:
  using typename base::message;
  using typename base::received;
  using typename base::role;

  thread_participant(std::shared_ptr<session_part<Module>> owner, role self) : base(std::move(owner), self) {}

  template <class T>
  void send(role to, T&& value) {
    put(to, std::forward<T>(value), no_limit());
  }
  template <class T>
  void send(role to, T&& value, const wait_limit& limit) {
    put(to, std::forward<T>(value), limit);
  }
  message recv(role from) { return get(this->number(from), anything, no_limit()).content; }
  message recv(role from, const wait_limit& limit) { return get(this->number(from), anything, limit).content; }
  template <class T>
  T recv(role from) {
    auto one = get(this->number(from), base::template type_of<T>(), no_limit());
    return std::move(one.content.template get<T>());
  }
  template <class T>
  T recv(role from, const wait_limit& limit) {
    auto one = get(this->number(from), base::template type_of<T>(), limit);
    return std::move(one.content.template get<T>());
  }
  received recv_any() { return with_sender(get(anything, anything, no_limit())); }
  received recv_any(const wait_limit& limit) { return with_sender(get(anything, anything, limit)); }
  void close(role to) { shut(to, no_limit()); }
  void close(role to, const wait_limit& limit) { shut(to, limit); }

private:
  class blocked_call final : public waiting_call<message> {
  public:
    using waiting_call<message>::waiting_call;
    void wake() noexcept override { alarm.ring(); }
    bell alarm;
  };
  struct result {
    message content;
    std::uint32_t from;
  };

  template <class Limit>
  void perform(blocked_call& one, const Limit& limit) {
    auto& owner = *this->part_;
    if (!owner.perform_or_wait(one)) {
      const auto waking = limit.when_stopped([&] {
        const guard hold(owner.lock());
        one.alarm.ring();
      });
      const guard hold(owner.lock());
      while (!one.done) {
        if (limit.is_over()) {
          owner.forget_locked(one);
          fail_of<typename Module::spec>(limit, one.call);
        }
        limit.wait(one.alarm, owner.lock());
      }
    }
    if (one.error) std::rethrow_exception(one.error);
  }
  template <class Limit>
  result get(std::uint32_t from, std::uint32_t type, const Limit& limit) {
    blocked_call one(this->receive_from(from, type), message(), Limit::for_ever);
    perform(one, limit);
    return {std::move(one.content), one.call.from};
  }
  static received with_sender(result&& one) { return received(std::move(one.content), static_cast<role>(one.from)); }
  template <class Limit>
  void shut(role to, const Limit& limit) {
    blocked_call one({kind::close, this->number(this->self()), this->number(to), anything}, message(), Limit::for_ever);
    perform(one, limit);
  }
  template <class T, class Limit>
  void put(role to, T&& value, const Limit& limit) {
    using type = std::remove_cvref_t<T>;
    blocked_call one({kind::send, this->number(this->self()), this->number(to), base::template type_of<type>()},
                     base::as_message(std::forward<T>(value)), Limit::for_ever);
    try {
      perform(one, limit);
    } catch (...) {
      base::template give_back<T>(value, one.content);
      throw;
    }
  }
};

}  // namespace harrier::runtime
