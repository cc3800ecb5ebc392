#pragma once

#include <harrier/native/compiler.hpp>

#include <chrono>
#include <coroutine>
#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <variant>

#include <harrier/core/message.hpp>
#include <harrier/native/ref.hpp>
#include <harrier/native/task.hpp>

/// Straight-line actors: a coroutine that receives messages which are plain structs, in the middle of its code.
namespace harrier {

/// The plain messages that a class of actors receives, if it says so: then to send it another does not compile.
///
///     struct counter {
///       using receives = harrier::messages<increment, stop>;
///       int total = 0;
///       harrier::task run(harrier::self& self) {
///         for (;;) {
///           const auto m = co_await self.receive<increment, stop>();
///           if (std::holds_alternative<stop>(m)) co_return;
///           total += std::get<increment>(m).by;
///         }
///       }
///     };
template <class... Message>
struct messages {};

namespace detail {

/// What a coroutine that receives waits for.
class receive_pattern {
public:
  virtual ~receive_pattern() = default;
  /// Whether it is what `payload` of that kind is.
  [[nodiscard]] virtual bool matches(const message_type& type, const void* payload) const = 0;
  /// In words: `increment or stop`.
  [[nodiscard]] virtual std::string describe() const = 0;
};

/// One that a world keeps, or one that is always there.
using pattern_pointer = std::unique_ptr<const receive_pattern, void (*)(const receive_pattern*)>;

/// The predicate of a receive that takes all.
struct any_message {
  template <class Message>
  constexpr bool operator()(const Message&) const {
    return true;
  }
};

template <class Predicate, class... Message>
class pattern_of final : public receive_pattern {
public:
  explicit pattern_of(Predicate predicate) : predicate_(std::move(predicate)) {}
  /// With a predicate that captures nothing it is the same one each time.
  static pattern_pointer make(const Predicate& predicate) {
    if constexpr (std::is_empty_v<Predicate>) {
      static const pattern_of always(predicate);
      return {&always, [](const receive_pattern*) {}};
    } else {
      return {new pattern_of(predicate), [](const receive_pattern* made) { delete made; }};
    }
  }
  [[nodiscard]] bool matches(const message_type& type, const void* payload) const override;
  [[nodiscard]] std::string describe() const override;

private:
  Predicate predicate_;
};

/// What a receive gives: the message, or the one that came of several.
template <class... Message>
struct received_of {
  using type = std::variant<Message...>;
};
template <>
struct received_of<> {
  using type = int;  // it does not compile
};
template <class Message>
struct received_of<Message> {
  using type = Message;
};

template <class Predicate, class... Message>
class optional_receive;

/// `self.receive<increment>()` before it is awaited. One that never is, is a finding of the handler that dropped it.
/// Not an aggregate: GCC 12 destroys those twice.
template <class Predicate, class... Message>
class [[nodiscard]] pending_receive {
public:
  using result = typename received_of<Message...>::type;

  pending_receive(world& in, Predicate predicate) : world_(&in), predicate_(std::move(predicate)) {}
  pending_receive(pending_receive&& other) noexcept
      : world_(other.world_), predicate_(std::move(other.predicate_)), asked_(std::exchange(other.asked_, true)) {}
  pending_receive& operator=(pending_receive&&) = delete;
  ~pending_receive();

  bool await_ready() const noexcept { return false; }
  template <class Promise>
  void await_suspend(std::coroutine_handle<Promise> caller) {
    wait(&caller.promise());
  }
  result await_resume() { return message_in(reply_); }

  /// The same, which waits no longer than that: an std::optional of the message, empty if none came in time. The time
  /// may be over at any moment until a message is taken (as a timer may fire, see self::after).
  [[nodiscard]] optional_receive<Predicate, Message...> within(std::chrono::nanoseconds limit) && {
    return {std::move(*this), limit};
  }
  /// The same, which does not wait: an std::optional of a message that is there, empty if there is none that could be
  /// taken now (`after 0` in Erlang).
  [[nodiscard]] optional_receive<Predicate, Message...> or_none() && { return {std::move(*this), std::nullopt}; }

private:
  friend class optional_receive<Predicate, Message...>;
  /// @return whether the wait begins, and is not repeated
  bool wait(frame* leaf);
  static result message_in(const awaited_reply& reply);

  world* world_;
  [[no_unique_address]] Predicate predicate_;
  awaited_reply reply_;
  bool asked_ = false;
};

/// `self.receive<increment>().within(100ms)` before it is awaited; without a limit,
/// `self.receive<increment>().or_none()`.
template <class Predicate, class... Message>
class [[nodiscard]] optional_receive {
public:
  using result = std::optional<typename received_of<Message...>::type>;

  optional_receive(pending_receive<Predicate, Message...> receive, std::optional<std::chrono::nanoseconds> limit)
      : receive_(std::move(receive)), limit_(limit) {}

  bool await_ready() const noexcept { return false; }
  template <class Promise>
  void await_suspend(std::coroutine_handle<Promise> caller) {
    wait(&caller.promise());
  }
  result await_resume() { return receive_.reply_.expired ? result() : result(receive_.message_in(receive_.reply_)); }

private:
  void wait(frame* leaf);

  pending_receive<Predicate, Message...> receive_;
  std::optional<std::chrono::nanoseconds> limit_;
};

/// `self.ended(ref)` before it is awaited.
class [[nodiscard]] pending_end {
public:
  pending_end(world& in, actor_id of) : world_(&in), of_(of) {}
  pending_end(pending_end&& other) noexcept
      : world_(other.world_), of_(other.of_), asked_(std::exchange(other.asked_, true)) {}
  pending_end& operator=(pending_end&&) = delete;
  ~pending_end();

  bool await_ready() const noexcept { return false; }
  template <class Promise>
  void await_suspend(std::coroutine_handle<Promise> caller) {
    wait(&caller.promise());
  }
  void await_resume() const noexcept {}

private:
  void wait(frame* leaf);

  world* world_;
  actor_id of_;
  awaited_reply reply_;
  bool asked_ = false;
};

template <class Predicate, class... Message>
constexpr bool is_wait<pending_receive<Predicate, Message...>> = true;
template <class Predicate, class... Message>
constexpr bool is_wait<optional_receive<Predicate, Message...>> = true;
template <>
inline constexpr bool is_wait<pending_end> = true;

template <class List>
constexpr bool is_list_of_messages = false;
template <class... Message>
constexpr bool is_list_of_messages<messages<Message...>> = true;
/// `using receives = harrier::messages<...>;`
template <class Actor>
concept lists_messages = is_list_of_messages<typename Actor::receives>;

template <class Message, class List>
constexpr bool is_one_of = false;
template <class Message, class... All>
constexpr bool is_one_of<Message, messages<All...>> = (std::is_same_v<Message, All> || ...);

/// Whether an `Actor` can be sent that; a class that lists none takes what it gets.
template <class Actor, class Message>
constexpr bool receives_message = true;
template <lists_messages Actor, class Message>
constexpr bool receives_message<Actor, Message> = is_one_of<Message, typename Actor::receives>;

}  // namespace detail
}  // namespace harrier
