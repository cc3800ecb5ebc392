#pragma once

#include <harrier/native/compiler.hpp>

#include <chrono>
#include <coroutine>
#include <cstdint>
#include <exception>
#include <optional>
#include <source_location>
#include <string_view>
#include <type_traits>
#include <utility>

#include <harrier/core/faults.hpp>
#include <harrier/core/message.hpp>
#include <harrier/native/group.hpp>
#include <harrier/native/handler.hpp>
#include <harrier/native/receive.hpp>
#include <harrier/native/ref.hpp>
#include <harrier/native/task.hpp>

namespace harrier {

namespace detail {

struct continuation;

/// `self.call<&server::get>(store)` before it is awaited. Nothing is sent until
/// then; one that never is, is a finding of the handler that dropped it. Not an aggregate, and its arguments are
/// inside: GCC 12 would post both requests of `co_await a + co_await b` at once otherwise.
template <class Actor, auto Handler>
class [[nodiscard]] pending_call {
  using h = traits<Handler>;

public:
  using payload = typename h::parameters::payload;
  using result = typename h::result;

  pending_call(world& in, actor_id callee, payload arguments)
      : world_(&in), callee_(callee), arguments_(std::move(arguments)) {}
  pending_call(pending_call&& other) noexcept
      : world_(other.world_),
        callee_(other.callee_),
        arguments_(std::move(other.arguments_)),
        asked_(std::exchange(other.asked_, true)) {}
  pending_call& operator=(pending_call&&) = delete;
  /// One that was neither awaited nor continued is a finding.
  ~pending_call();

  bool await_ready() const noexcept { return false; }
  template <class Promise>
  void await_suspend(std::coroutine_handle<Promise> caller) {
    request(&caller.promise(), &reply_);
  }
  result await_resume();

  /// The same call without a coroutine: the caller takes nothing until the
  /// reply, which is then delivered to `OnValue`, a handler of the caller with
  /// the reply as its only argument (none if the callee returns void). An
  /// exception in the callee goes to `OnError` (const std::string&) if given,
  /// else it is a finding. The last thing a handler does.
  template <auto OnValue, auto OnError = nullptr>
  void then() &&;

  /// The same call, which waits no longer than that: `co_await self.call<&S::get>(s).within(100ms)` is an
  /// std::optional of the reply, empty if none came in time; of a callee that returns void, whether one came. The time
  /// may be over at any moment until the reply is there (as a timer may fire, see self::after); a reply that comes
  /// later is dropped.
  [[nodiscard]] limited_call<Actor, Handler> within(std::chrono::nanoseconds limit) && {
    return {std::move(*this), limit};
  }

  /// For the error that it gives.
  template <class T>
  operator T() const {
    static_assert(
        sizeof(T) == 0,
        "harrier: co_await is missing before self.call: without it there is a call still to be made, and no result");
    std::terminate();
  }

private:
  friend class harrier::self;
  friend class limited_call<Actor, Handler>;
  message_slot request(frame* leaf, awaited_reply* reply);

  world* world_;
  actor_id callee_;
  payload arguments_;
  awaited_reply reply_;
  bool asked_ = false;
};

/// `self.call<&server::get>(store).within(100ms)` before it is awaited.
template <class Actor, auto Handler>
class [[nodiscard]] limited_call {
public:
  using value = typename traits<Handler>::result;

  limited_call(pending_call<Actor, Handler> call, std::chrono::nanoseconds limit)
      : call_(std::move(call)), limit_(limit) {}

  bool await_ready() const noexcept { return false; }
  template <class Promise>
  void await_suspend(std::coroutine_handle<Promise> caller) {
    request(&caller.promise());
  }
  auto await_resume();

private:
  void request(frame* leaf);

  pending_call<Actor, Handler> call_;
  std::chrono::nanoseconds limit_;
};

/// A call that does not compile, so that there is one error.
struct wrong_call : awaited_in_vain {
  template <auto... Handler>
  void then() &&;
  wrong_call within(std::chrono::nanoseconds limit) &&;
};
template <>
inline constexpr bool is_wait<wrong_call> = true;

template <class... T>
constexpr bool begin_with_address = false;
template <class First, class... Rest>
constexpr bool begin_with_address<First, Rest...> = address<First>;

}  // namespace detail

/// What a handler can do besides changing its own state. Handlers that need it
/// take it as their first parameter. It is valid in the handler it was passed
/// to, and after each co_await of it.
class self {
public:
  /// Sends message `Handler` to `to`; it will be delivered some time later.
  /// Arguments are copied into the message.
  template <auto Handler, class Actor, class... Arguments>
  void send(ref<Actor> to, Arguments&&... arguments);  // harrier: overload<int>(&server::set) or &server::set<int>

  /// Sends `message`, a plain struct, to `to`: a coroutine of that actor receives it (see receive), and nothing else
  /// does. Where the class of `to` has `using receives = harrier::messages<...>`, it is one of these.
  template <class... None, class Actor, class Message>
  void send(ref<Actor> to, Message&& message);

  /// Creates an actor `Actor{fields...}`.
  template <class Actor = detail::no_class, class... Fields>
  ref<Actor> create(Fields&&... fields);

  /// Creates a straight-line actor, `Actor{fields...}`, and sends it `Run`, a coroutine of it that takes no arguments:
  /// `self.spawn<&counter::run>(0)`. When that returns, the actor is destroyed.
  template <auto Run, class... Fields>
  auto spawn(Fields&&... fields);

  /// Waits for a plain message of one of these types for which `predicate` holds: `co_await self.receive<increment>()`
  /// is the message, `co_await self.receive<increment, stop>()` an std::variant of both. The actor takes nothing else
  /// until then; what does not match stays where it is, in its place. The predicate takes `const T&` of each type, and
  /// is asked whenever a search needs it, also of messages that came later: so it depends on the message and on what it
  /// captured by value. One that captured a reference or `this` is an error.
  ///
  /// An execution may end with an actor that receives, unless its class has
  /// `static constexpr bool must_end = true;`: then that is a deadlock.
  /// @see pending_receive: `.within(100ms)`, `.or_none()`
  template <class... Message, class Predicate = detail::any_message>
  detail::pending_receive<std::remove_cvref_t<Predicate>, Message...> receive(Predicate&& predicate = {});

  /// Waits until an actor has ended: until it was destroyed, by itself, by a failure or a crash, or since the coroutine
  /// with which it was spawned returned. `co_await self.ended(worker)`.
  template <class Actor>
  detail::pending_end ended(ref<Actor> of);

  /// Sends a request and waits for its reply: `co_await self.call<&S::get>(s)`.
  /// The caller takes no other message until then. The reply is a delivery of
  /// its own. A call to a destroyed actor never returns: a deadlock. An
  /// exception that leaves the callee is thrown here as call_failed.
  template <auto Handler, class Actor, class... Arguments>
    requires(detail::traits<Handler>::is_handler)
  detail::pending_call<Actor, Handler> call(  // harrier: overload<int>(&server::get) or &server::get<int>
      ref<Actor> callee, Arguments&&... arguments);

  /// The actor takes nothing more once this handler has ended; messages to it
  /// stay undelivered.
  void destroy();

  /// Arms a timer: the running actor is sent message `Handler`, one of its own, when `when` has passed. No clock is
  /// looked at. The timer may fire at any moment from now on, before or after all that others do, however long or
  /// short `when` is (it is shown in traces); what the actor was sent before it armed the timer still comes first
  /// where the delivery model keeps an order. It fires once, unless it is cancelled first, or the actor crashes; and
  /// the timers of an actor fire faults::timeouts times in an execution at most.
  /// @throws error if `when` is negative, if the running actor is not of the handler's class, and under
  ///         delivery::mailbox_interleaved.
  template <auto Handler, class... Arguments>
  void after(std::chrono::nanoseconds when, Arguments&&... arguments);  // harrier: a duration, after<&me::on>(5ms)

  /// Disarms all timers of the running actor that send `Handler` and have not fired.
  template <auto Handler>
  void cancel();

  /// How much time has passed since the execution began, by the clock of timers that fire earliest first
  /// (faults::earliest_first, `--timers earliest-first`): it stands still while anything can be delivered.
  /// @throws untestable_program, which ends the search, where timers may fire at any moment.
  [[nodiscard]] std::chrono::nanoseconds now() const;

  /// What the running actor keeps when it crashes (`persistent`) is from here on as it is now: it is on its disk. What
  /// it sends later in this step is sent after that. Without it, that is so when the step is complete.
  void sync();

  /// Records a failed check as a finding and goes on, like EXPECT.
  void check(bool condition, std::string_view text,
             const std::source_location& where = std::source_location::current());

  /// Records a failed requirement as a finding and ends the execution, like
  /// ASSERT. What follows in the handler does not run.
  void require(bool condition, std::string_view text,
               const std::source_location& where = std::source_location::current());

  /// Discards the execution if the condition does not hold: it ends here, its end
  /// is not judged, and it counts as assumed away. What was found before stays.
  void assume(bool condition);

  /// Leaves a word for the tally of outcomes: in how many executions it was left
  /// (exploration::outcomes). One left twice in an execution counts once.
  void note(std::string_view outcome);

  /// That the program has come here at least once, in any execution, is in the result (exploration::points). A point
  /// that is never reached is known only where it was announced (covers()).
  void cover(std::string_view point);

  /// Between these two groups the network may be cut (faults::partition): what one sends the other is then lost, until
  /// it is whole again; cuts::one_way: only what the first sends the second. All channels between them are cut, and are
  /// whole again, at the same moment, and where groups are named no other channels are ever cut. The driver says it, or
  /// the body of a test, before it sends the first message.
  ///
  ///     self.partition(group("left", a, b), group("right", c));
  ///
  /// @throws error if another actor says it, if a group is empty, and if an actor is in both.
  void partition(const group& first, const group& second, cuts how = cuts::both_ways);

  /// A value from 0 to n-1; all of them are explored. @throws error if n is 0.
  std::uint64_t choose(std::uint64_t n);

  /// The address of the running actor, which is an `Actor`.
  /// @throws error if it is of another class.
  template <class Actor>
  [[nodiscard]] ref<Actor> me() const;  // harrier: me<server>()

  self(const self&) = delete;
  self& operator=(const self&) = delete;

  /// @name For the errors that they give
  /// @{
  template <auto Handler, class... To>
    requires(!detail::begin_with_address<To...>)
  void send(To&&... to);
  template <class... None, class... To>
    requires(!detail::begin_with_address<To...> || sizeof...(To) != 2)
  void send(To&&... to);
  template <auto Handler, class... To>
    requires(!detail::begin_with_address<To...> || !detail::traits<Handler>::is_handler)
  detail::wrong_call call(To&&... to);
  template <class... None, class... To>
  detail::wrong_call call(To&&... to);
  template <auto None, class... Fields>
  ref<detail::no_class> create(Fields&&... fields);
  template <class None, class... Fields>
  void spawn(Fields&&... fields);
  /// @}

private:
  friend class detail::world;
  friend struct detail::promise_base;
  explicit self(detail::world& in) : world_(&in) {}

  detail::world* world_;
};

}  // namespace harrier

#include <harrier/native/bodies.hpp>  // of what is declared here
#include <harrier/native/receive_bodies.hpp>
