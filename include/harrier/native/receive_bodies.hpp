#pragma once

#include <memory>
#include <new>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <typeinfo>
#include <utility>

#include <harrier/core/error.hpp>
#include <harrier/native/bodies.hpp>
#include <harrier/native/checks.hpp>
#include <harrier/native/kinds.hpp>
#include <harrier/native/receive.hpp>
#include <harrier/native/self.hpp>
#include <harrier/native/world.hpp>

/// What a plain message is to a system, and what a coroutine that receives asks of it.
namespace harrier::detail {

template <class Message>
inline constexpr value_message plain{
    message_facts{type_name<Message>(), &functions_of<Message>, &object_functions_of<Message>}};

template <class Message>
message_slot world::post_plain(actor_slot to, Message message) {
  auto* const payload = memory().allocate(sizeof(Message), alignof(Message));
  ::new (payload) Message(std::move(message));
  const auto m = post(to, plain<Message>, payload);
  guard(m);
  if constexpr (!std::is_trivially_destructible_v<Message>) sent(m).owns_payload = running().needs_cleaning = true;
  return m;
}

template <class Predicate, class... Message>
bool pattern_of<Predicate, Message...>::matches(const message_type& type, const void* payload) const {
  return ((&type == &plain<Message> && static_cast<bool>(predicate_(*static_cast<const Message*>(payload)))) || ...);
}

template <class... Message>
std::string names_of_messages(std::string_view between) {
  std::string names;
  ((names += (names.empty() ? "" : std::string(between)) + std::string(type_name<Message>())), ...);
  return names;
}

template <class Predicate, class... Message>
std::string pattern_of<Predicate, Message...>::describe() const {
  return names_of_messages<Message...>(" or ") + (std::is_same_v<Predicate, any_message> ? "" : " of a certain kind");
}

template <class Predicate, class... Message>
pending_receive<Predicate, Message...>::~pending_receive() {
  if (!asked_) [[unlikely]]
    world_->receive_was_dropped("receive<" + names_of_messages<Message...>(", ") + ">()");
}

template <class Predicate, class... Message>
bool pending_receive<Predicate, Message...>::wait(frame* leaf) {
  asked_ = true;
  if (world_->muted()) return world_->awaits(leaf, &reply_);  // what is rebuilt waited for the same before
  (world_->require_listed(typeid(Message), type_name<Message>()), ...);
  constexpr auto size = std::is_empty_v<Predicate> ? 0 : sizeof(Predicate);
  return world_->receives(leaf, &reply_, std::addressof(predicate_), size,
                          pattern_of<Predicate, Message...>::make(predicate_));
}

template <class... Message>
constexpr bool are_different = true;
template <class First, class... Rest>
constexpr bool are_different<First, Rest...> = !(std::is_same_v<First, Rest> || ...) && are_different<Rest...>;

template <class Predicate, class... Message>
auto pending_receive<Predicate, Message...>::message_in(const awaited_reply& reply) -> result {
  if constexpr (sizeof...(Message) == 0 || !are_different<Message...>) {
    throw error("a receive that does not compile");
  } else if constexpr (sizeof...(Message) == 1) {
    return *static_cast<const result*>(reply.value);
  } else {
    std::optional<result> found;
    ((reply.type == &plain<Message> ? void(found.emplace(*static_cast<const Message*>(reply.value))) : void()), ...);
    return *std::move(found);
  }
}

template <class Predicate, class... Message>
void optional_receive<Predicate, Message...>::wait(frame* leaf) {
  auto& in = *receive_.world_;
  if (limit_) in.check_timer(*limit_);
  if (!receive_.wait(leaf)) return;
  if (limit_)
    in.limit_receive(*limit_);
  else
    in.poll_receive();
}

inline pending_end::~pending_end() {
  if (!asked_) [[unlikely]]
    world_->receive_was_dropped("ended(...)");
}
inline void pending_end::wait(frame* leaf) {
  asked_ = true;
  world_->wait_for_end(leaf, &reply_, of_);
}

/// Whether `Message` can be a plain message. If not, it does not compile.
template <class Message>
constexpr bool check_plain() {
  static_assert(std::is_class_v<Message> || std::is_enum_v<Message>,
                "harrier: a plain message is a struct or an enum of its own, which says what it means: "
                "`struct increment { int by; }; self.send(counter, increment{5});`");
  static_assert(!std::is_class_v<Message> || std::is_copy_constructible_v<Message>,
                "harrier: a plain message is move-only; messages are delivered in many interleavings and must be "
                "copyable (shared_ptr<const T> shares a large value)");
  if constexpr ((std::is_class_v<Message> || std::is_enum_v<Message>)&&std::is_copy_constructible_v<Message>)
    return check_value<Message>();
  else
    return false;
}

/// GCC 12 destroys temporaries of a full expression that contains co_await twice, lambdas that own something among
/// them.
template <class Predicate>
constexpr void check_predicate() {
#if defined(__GNUC__) && !defined(__clang__) && __GNUC__ < 13
  static_assert(std::is_lvalue_reference_v<Predicate> || std::is_trivially_destructible_v<Predicate>,
                "harrier: GCC 12 miscompiles a temporary lambda with a destructor in an expression with co_await; name "
                "the predicate in a line of its own before the receive");
#endif
}

}  // namespace harrier::detail

namespace harrier {

template <class... None, class Actor, class Message>
void self::send(ref<Actor> to, Message&& message) {
  using plain_message = std::remove_cvref_t<Message>;
  detail::check_names_handler<None...>();
  static_assert(sizeof...(None) != 0 || detail::receives_message<Actor, plain_message>,
                "harrier: the actor does not receive this message: it is not in its `using receives = "
                "harrier::messages<...>;`");
  if constexpr (sizeof...(None) != 0) {
  } else if constexpr (detail::check_plain<plain_message>() && detail::receives_message<Actor, plain_message>) {
    const auto receiver = world_->resolve(to.id());
    plain_message payload(std::forward<Message>(message));  // also if muted: it may throw, or move something away
    if (world_->muted()) [[unlikely]]
      return world_->repeat_send(detail::plain<plain_message>, receiver, &payload);
    world_->post_plain<plain_message>(receiver, std::move(payload));
  }
}

template <class... None, class... To>
  requires(!detail::begin_with_address<To...> || sizeof...(To) != 2)
void self::send(To&&...) {
  detail::check_names_handler<None...>();
  if constexpr (sizeof...(None) == 0 && detail::begin_with_address<To...>)
    static_assert(sizeof...(To) == 2,
                  "harrier: what is sent without a handler's name is one struct: self.send(counter, increment{5}); a "
                  "handler is named in <>: self.send<&counter::add>(counter, 2, 3)");
  else if constexpr (sizeof...(None) == 0)
    detail::refuse_receiver<To...>();
}

template <class None, class... Fields>
void self::spawn(Fields&&...) {
  static_assert(sizeof(None*) == 0,
                "harrier: spawn<&worker::run>(fields...) creates an actor that runs a coroutine of it without "
                "arguments, and names the coroutine: not spawn<worker>(fields...)");
}

template <auto Run, class... Fields>
auto self::spawn(Fields&&... fields) {
  using run = detail::traits<Run>;
  constexpr bool runs = [] {
    if constexpr (run::is_handler)
      return run::suspends && run::parameters::count == 0;
    else
      return false;
  }();
  static_assert(runs,
                "harrier: spawn<&worker::run>(fields...) creates an actor that runs a coroutine of it without "
                "arguments: `harrier::task run(harrier::self& self)`");
  if constexpr (runs) {
    using actor_class = typename run::actor;
    // Asked here, too, so that Clang names the line that says spawn.
    if constexpr (!detail::check_actor_hooks<actor_class>() || !detail::check_state<actor_class>()) {
      return ref<actor_class>();
    } else {
      const auto created = create<actor_class>(std::forward<Fields>(fields)...);
      if (world_->muted()) [[unlikely]]
        world_->repeat_send(detail::start_of<actor_class, Run>, world_->resolve(created.id()), nullptr);
      else
        world_->post_start<actor_class, Run>(world_->resolve(created.id()));
      return created;
    }
  }
}

template <class... Message, class Predicate>
detail::pending_receive<std::remove_cvref_t<Predicate>, Message...> self::receive(Predicate&& predicate) {
  detail::check_predicate<Predicate>();
  static_assert(sizeof...(Message) > 0, "harrier: receive<message>() names what is received");
  static_assert(detail::are_different<Message...>, "harrier: receive<...> names a message twice");
  static_assert((std::is_invocable_r_v<bool, const std::remove_cvref_t<Predicate>&, const Message&> && ...),
                "harrier: the predicate of receive takes `const T&` of each message that it names, does not change "
                "itself, and returns bool");
  static_assert((detail::check_plain<Message>() && ...));
  return {*world_, std::forward<Predicate>(predicate)};
}

template <class Actor>
detail::pending_end self::ended(ref<Actor> of) {
  return {*world_, of.id()};
}

}  // namespace harrier
