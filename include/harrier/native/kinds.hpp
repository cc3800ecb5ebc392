#pragma once

#include <concepts>
#include <cstdint>
#include <cstring>
#include <memory>
#include <new>
#include <optional>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include <harrier/core/system.hpp>
#include <harrier/native/checks.hpp>
#include <harrier/native/declaration.hpp>
#include <harrier/native/exact_copy.hpp>
#include <harrier/native/handler.hpp>
#include <harrier/native/names.hpp>
#include <harrier/native/object_kinds.hpp>
#include <harrier/native/rebuilt.hpp>
#include <harrier/native/receive.hpp>
#include <harrier/native/reflect.hpp>
#include <harrier/native/tracked.hpp>
#include <harrier/native/usable.hpp>
#include <harrier/native/value_functions.hpp>
#include <harrier/native/value_printer.hpp>
#include <harrier/native/world.hpp>

/// What a class of actors, a handler and a reply are to a system.
namespace harrier::detail {

template <class Driver>
constexpr bool is_opaque_driver = false;

/// Where the code of a member function begins, as the Itanium ABI has it; null for a virtual one, of which the object
/// decides.
template <class Member>
const void* code_of_member(Member member) {
  std::uintptr_t word = 0;
  static_assert(sizeof member >= sizeof word);
  std::memcpy(&word, &member, sizeof word);
  constexpr std::uintptr_t first_page = 4096;  // a place in a table of virtual functions, where ARM's ABI says so
  return word % 2 != 0 || word < first_page ? nullptr : reinterpret_cast<const void*>(word);
}

/// Whether some field of an `Actor` may be tracked.
template <class Actor>
constexpr bool may_be_tracked() {
  if constexpr (inspectable<Actor>)
    return true;
  else
    return []<std::size_t... I>(std::index_sequence<I...>) {
      return (is_tracked<std::remove_cv_t<field_type<Actor, I>>> || ...);
    }
  (std::make_index_sequence<field_count<Actor>>{});
}

/// Calls what must change nothing of `actor`, but could. @throws changed_by_a_look if it has, `name` being what did.
template <class Actor, class Call>
decltype(auto) unchanged(const Actor& actor, std::string_view name, Call call) {
  constexpr std::size_t most = 1024;
  if constexpr (std::is_empty_v<Actor> || sizeof(Actor) > most) {
    return call();
  } else {
    std::byte before[sizeof(Actor)];
    std::memcpy(before, static_cast<const void*>(std::addressof(actor)), sizeof(Actor));
    const auto answer = call();
    if (std::memcmp(before, static_cast<const void*>(std::addressof(actor)), sizeof(Actor)) != 0) [[unlikely]]
      changed_by_a_look(type_name<Actor>(), name);
    return answer;
  }
}

/// What the bytes of an object were.
template <std::size_t Size>
class bytes_beside {
public:
  explicit bytes_beside(const void* object) { std::memcpy(bytes_, object, Size); }
  [[nodiscard]] bool are_those_of(const void* object) const { return std::memcmp(bytes_, object, Size) == 0; }
  void* put_into(arena& memory, std::size_t alignment) const {
    return std::memcpy(memory.allocate(Size, alignment), bytes_, Size);
  }

private:
  std::byte bytes_[Size];
};
template <>
class bytes_beside<0> {
public:
  explicit bytes_beside(const void* /*object*/) {}
};

template <class Actor>
constexpr actor_facts facts_of_actor() {
  actor_facts facts{.name = type_name<Actor>(), .type = &typeid(Actor), .object = object_functions_of<Actor>};
  if constexpr (!is_opaque_driver<Actor>) {
    facts.value = &functions_of<Actor>;
    facts.hash = [](const void* object) { return hash_of(*static_cast<const Actor*>(object)); };
    facts.fields = &visit_fields<Actor>;
    if constexpr (inspectable<Actor> && !shows_all<Actor>)
      facts.tell_unshown = [](const void* object, value_bytes& out) {
        return tell_unshown(*static_cast<const Actor*>(object), out);
      };
  }
  facts.tells_rest = has_rest<Actor>;
  facts.may_refuse = std::is_final_v<Actor> || names_accepts<Actor>;  // a final class cannot be asked
  if constexpr (has_must_end<Actor>) facts.must_end = static_cast<bool>(Actor::must_end);
  if constexpr (has_interchangeable<Actor>) facts.interchangeable = static_cast<bool>(Actor::interchangeable);
  facts.acts_on_restart = has_on_restart<Actor>;
  return facts;
}

template <class Actor>
class actor_class final : public object_class {
public:
  constexpr actor_class() : object_class(facts_of_actor<Actor>()) {}

  [[nodiscard]] bool at_rest(const void* state) const override {
    if constexpr (has_rest<Actor>) {
      const auto& actor = *static_cast<const Actor*>(state);
      return unchanged(actor, "at_rest", [&] { return static_cast<bool>(actor.at_rest()); });
    } else {
      return object_class::at_rest(state);
    }
  }
  [[nodiscard]] bool may_be_sent(const std::type_info& message) const override {
    if constexpr (lists_messages<Actor>)
      return []<class... Listed>(const std::type_info& of, std::type_identity<messages<Listed...>>) {
        return ((of == typeid(Listed)) || ...);
      }(message, std::type_identity<typename Actor::receives>{});
    else
      return object_class::may_be_sent(message);
  }

private:
  void act_on_restart(world& in, void* state) const override {
    if constexpr (!has_on_restart<Actor>)
      object_class::act_on_restart(in, state);
    else if constexpr (requires(Actor & a, self & me) { a.on_restart(me); })
      static_cast<Actor*>(state)->on_restart(in.handle());
    else
      static_cast<Actor*>(state)->on_restart();
  }
};

template <class Actor>
inline constexpr actor_class<Actor> class_of{};

/// The actor whose local state that is.
template <class Actor>
const Actor& actor_of(const void* state) {
  if constexpr (is_rebuilt<Actor>)
    return *static_cast<const Actor*>(class_of<Actor>.object(state));
  else
    return *static_cast<const Actor*>(state);
}

/// @tparam Ends  whether its receiver is destroyed when it returns
template <class Actor, auto Handler, bool Ends = false>
class handler_type final : public object_message {
  using h = traits<Handler>;
  using payload_type = typename h::parameters::payload;

public:
  constexpr handler_type() : object_message(facts()) {}

  static constexpr bool guarded_by_actor = guard_takes_none<Actor, Handler>;
  static constexpr bool guarded_by_message = guard_takes_arguments<Actor, Handler, payload_type>;
  static constexpr bool is_guarded = guarded_by_actor || guarded_by_message;
  static constexpr bool owns_payload = !std::is_trivially_destructible_v<payload_type>;
  /// It is to change nothing, and a copy of the state can lie on the stack until it is known whether it did.
  static constexpr bool is_held_apart = h::is_const && !h::suspends && !is_rebuilt<Actor> &&
                                        std::is_trivially_copyable_v<Actor> && !std::is_empty_v<Actor> &&
                                        sizeof(Actor) <= 128;

  void deliver(system& s, step& st) const override {
    if constexpr (is_rebuilt<Actor>)
      deliver_to_rebuilt(static_cast<world&>(s), st);
    else
      deliver_to_copied(static_cast<world&>(s), st);
  }

  void undo(system& s, step& st) const override {
    auto& w = static_cast<world&>(s);
    if constexpr (is_rebuilt<Actor>) {
      w.undo_rebuilt(st);
    } else {
      if constexpr (h::suspends) w.undo_start(st);
      w.restore<Actor>(st);
    }
  }

  void repeat(world& w, void* object, const void* payload, bool answers) const override {
    static_cast<void>(w), static_cast<void>(object), static_cast<void>(payload), static_cast<void>(answers);
    if constexpr (is_rebuilt<Actor> && !h::suspends) {
      auto& actor = *static_cast<Actor*>(object);
      try {
        if constexpr (std::is_void_v<typename h::result>) {
          call(w, actor, payload);
          if (answers) w.repeat_reply<void>(nullptr);
        } else if constexpr (is_usable_reply<typename h::result>) {
          const typename h::result value = call(w, actor, payload);
          if (answers) w.repeat_reply<typename h::result>(&value);
        } else {
          static_cast<void>(call(w, actor, payload));
        }
      } catch (...) {
        w.repeat_throw(answers);
      }
    }
  }

private:
  /// @param request  what is answered with the handler's result; no_message: nothing is
  static void call_and_answer(world& w, Actor& actor, const void* payload, message_slot request) {
    if constexpr (std::is_void_v<typename h::result>) {
      call(w, actor, payload);
      if (request != no_message) w.reply(request);
    } else {
      if (request == no_message)
        static_cast<void>(call(w, actor, payload));
      else if constexpr (is_usable_reply<typename h::result>)
        w.reply<typename h::result>(request, call(w, actor, payload));
    }
  }

  static void deliver_to_rebuilt(world& w, step& st) {
    auto& actor = *static_cast<Actor*>(w.begin_rebuilt(st));
    const auto& m = w.message_at(st.message);
    const auto request = m.kind == message::role::request ? st.message : no_message;
    if (m.kind == message::role::reply) w.open(w.actor_in(st.receiver));
    try {
      if constexpr (h::suspends) {
        throw error("a coroutine of an actor that is made anew does not compile");
      } else {
        call_and_answer(w, actor, m.payload, request);
      }
    } catch (...) {
      w.handler_threw(request);
    }
    w.end_rebuilt(st);
    w.end_step();
  }

  void deliver_to_copied(world& w, step& st) const {
    if constexpr (!h::suspends)
      if (w.looks_back() && w.recall(st)) [[unlikely]]
        return;
    auto& actor = w.state_of<Actor>(st.receiver);
    [[maybe_unused]] const bytes_beside<is_held_apart ? sizeof(Actor) : 0> before(&actor);
    if constexpr (std::is_empty_v<Actor>)
      st.keeps_state = true;
    else if constexpr (!is_held_apart)
      w.save<Actor>(st);  // of a const handler, too: it may have a mutable field, or cast the const away
    const auto& m = w.message_at(st.message);
    const auto kind = m.kind;
    const auto request = kind == message::role::request ? st.message : no_message;
    if (kind == message::role::reply) w.open(w.actor_in(st.receiver));  // what a `then` waited for
    std::optional<access_log::watching> watched;
    if constexpr (may_be_tracked<Actor>())
      if (w.accesses() != nullptr) watched.emplace(*w.accesses(), &actor, sizeof(Actor));
    try {
      if constexpr (h::suspends) {
        w.start_activity(*this, &actor, m.payload);
      } else {
        call_and_answer(w, actor, m.payload, request);
      }
    } catch (...) {
      w.handler_threw(request);
    }
    if constexpr (is_held_apart) {
      st.keeps_state = before.are_those_of(&actor);
      if (!st.keeps_state) [[unlikely]]
        st.state_before = before.put_into(w.memory(), alignof(Actor));
    }
    w.end_step();
  }

public:
  [[nodiscard]] bool accepts(const void* state, const void* payload) const override {
    if constexpr (!is_guarded) return true;
    [[maybe_unused]] const auto& actor = actor_of<Actor>(state);
    if constexpr (guarded_by_actor)
      return unchanged(actor, handler_name<Handler>(),
                       [&] { return static_cast<bool>(actor.accepts(handler<Handler>{})); });
    else if constexpr (guarded_by_message)
      return unchanged(actor, handler_name<Handler>(), [&] {
        return static_cast<const payload_type*>(payload)->give_to(
            [&](const auto&... x) { return static_cast<bool>(actor.accepts(handler<Handler>{}, x...)); });
      });
    else
      return true;
  }

  bool declare_accesses(const void* state, std::vector<field_access>& all) const override {
    if constexpr (as_declaration<declared_here>::tells_fields && !is_rebuilt<Actor>) {
      add_fields(*static_cast<const Actor*>(state), declared_here{}, all);
      return true;
    } else {
      return false;
    }
  }
  bool declare_sends(std::vector<const message_type*>& all) const override;
  [[nodiscard]] const actor_type* receiver_class() const override { return &class_of<Actor>; }
  [[nodiscard]] const void* handler_code() const override { return code_of_member(Handler); }

  frame* start(world& w, void* state, const void* payload) const override {
    if constexpr (h::suspends)
      return call(w, *static_cast<Actor*>(state), payload).release();
    else
      return nullptr;
  }

  void finish(world& w, frame& finished, message_slot request) const override {
    if constexpr (h::suspends) {
      if (finished.error) std::rethrow_exception(finished.error);
      if constexpr (Ends) w.destroy_running();
      if (request == no_message) return;
      if constexpr (std::is_void_v<typename h::result>)
        w.reply(request);
      else if constexpr (is_usable_reply<typename h::result>)
        w.reply(request, *static_cast<promise<typename h::result>&>(finished).value);
    }
  }

private:
  static constexpr message_facts facts() {
    message_facts all{handler_name<Handler>(), &functions_of<payload_type>, nullptr};
    if constexpr (h::parameters::count != 0) all.object = &object_functions_of<payload_type>;
    return all;
  }

  using declared_here = declaration_of<Actor, Handler>;

  template <class... What>
  static void add_fields(const Actor& state, declaration<What...> /*of*/, std::vector<field_access>& all) {
    (add_fields(state, What{}, all), ...);
  }
  template <auto... Field>
  static void add_fields(const Actor& state, reads<Field...> /*of*/, std::vector<field_access>& all) {
    (all.push_back({offset_in(std::addressof(state), sizeof(Actor), std::addressof(state.*Field)), false}), ...);
  }
  template <auto... Field>
  static void add_fields(const Actor& state, writes<Field...> /*of*/, std::vector<field_access>& all) {
    (all.push_back({offset_in(std::addressof(state), sizeof(Actor), std::addressof(state.*Field)), true}), ...);
  }
  template <auto... Sent>
  static void add_fields(const Actor&, sends<Sent...> /*of*/, std::vector<field_access>&) {}

  template <class... What>
  static void add_sends(declaration<What...> /*of*/, std::vector<const message_type*>& all) {
    (add_sends(What{}, all), ...);
  }
  template <class What>
  static void add_sends(What /*of*/, std::vector<const message_type*>&) {}
  template <auto... Sent>
  static void add_sends(sends<Sent...> /*of*/, std::vector<const message_type*>& all);

  static decltype(auto) call(world& w, Actor& actor, const void* payload) {
    if constexpr (h::parameters::count == 0) {
      if constexpr (h::takes_self)
        return (actor.*Handler)(w.handle());
      else
        return (actor.*Handler)();
    } else {
      return static_cast<const payload_type*>(payload)->give_to([&](const auto&... x) -> decltype(auto) {
        if constexpr (h::takes_self)
          return (actor.*Handler)(w.handle(), x...);
        else
          return (actor.*Handler)(x...);
      });
    }
  }
};

template <class Actor, auto Handler>
inline constexpr handler_type<Actor, Handler> type_of{};
template <class Actor, auto Handler>
inline constexpr handler_type<Actor, Handler, true> start_of{};

template <class Actor, auto Handler, bool Ends>
bool handler_type<Actor, Handler, Ends>::declare_sends(std::vector<const message_type*>& all) const {
  if constexpr (as_declaration<declared_here>::tells_sends) {
    add_sends(declared_here{}, all);
    return true;
  } else {
    return false;
  }
}

template <class Actor, auto Handler, bool Ends>
template <auto... Sent>
void handler_type<Actor, Handler, Ends>::add_sends(sends<Sent...> /*of*/, std::vector<const message_type*>& all) {
  (all.push_back(&type_of<typename traits<Sent>::actor, Sent>), ...);
}

template <class T>
constexpr reply_message make_reply_kind() {
  if constexpr (std::is_void_v<T>)
    return {nullptr, nullptr};
  else
    return {&functions_of<T>, &object_functions_of<T>};
}
template <class T>
inline constexpr reply_message reply_of = make_reply_kind<T>();

template <class T>
void world::repeat_reply(const T* value) {
  compare_reply(reply_of<T>, value);
}

template <class Actor>
void world::save(step& s) {
  if constexpr (!std::is_empty_v<Actor>) {
    auto* copy = memory().allocate(sizeof(Actor), alignof(Actor));
    const auto& state = state_of<Actor>(s.receiver);
    if constexpr (std::is_trivially_copyable_v<Actor>)
      std::memcpy(copy, static_cast<const void*>(&state), sizeof(Actor));
    else
      copy_exactly(copy, state);
    s.state_before = copy;
  }
}

template <class Actor>
void world::restore(step& s) {
  if constexpr (!std::is_empty_v<Actor>) {
    if (s.state_before == nullptr) return;  // the copy itself threw
    auto* const copy = static_cast<Actor*>(s.state_before);
    auto* const live = &state_of<Actor>(s.receiver);
    std::destroy_at(live);
    ::new (static_cast<void*>(live)) Actor(std::move(*copy));
    std::destroy_at(copy);
  }
}

template <class Actor, auto Handler>
message_slot world::post_message(actor_slot to, typename traits<Handler>::parameters::payload&& arguments, lane in) {
  using payload_type = typename traits<Handler>::parameters::payload;
  using type = handler_type<Actor, Handler>;
  void* payload = nullptr;
  if constexpr (traits<Handler>::parameters::count != 0) {
    payload = memory().allocate(sizeof(payload_type), alignof(payload_type));
    ::new (payload) payload_type(std::move(arguments));
  }
  const auto m = post(to, type_of<Actor, Handler>, payload, in);
  if constexpr (type::is_guarded) guard(m);
  if constexpr (type::owns_payload) sent(m).owns_payload = running().needs_cleaning = true;
  return m;
}

template <class Actor, auto Run>
void world::post_start(actor_slot to) {
  const auto m = post(to, start_of<Actor, Run>, nullptr);
  if constexpr (handler_type<Actor, Run>::is_guarded) guard(m);
}

template <class T>
void world::reply(message_slot request, const T& value) {
  if (reply_to_then(request, &value)) return;
  auto* payload = memory().allocate(sizeof(T), alignof(T));
  ::new (payload) T(value);
  const auto m = post_reply(request, reply_of<T>, payload);
  if constexpr (!std::is_trivially_destructible_v<T>) sent(m).owns_payload = running().needs_cleaning = true;
}

template <class Actor, auto Handler>
constexpr continuation continue_with(bool has_value) {
  using type = handler_type<Actor, Handler>;
  using payload_type = typename traits<Handler>::parameters::payload;
  return {.type = &type_of<Actor, Handler>,
          .payload = has_value ? +[](arena& memory, const void* result) -> void* {
            if constexpr (traits<Handler>::parameters::count == 1) {
              using value = std::remove_cvref_t<decltype(std::declval<payload_type>().template at<0>())>;
              auto* payload = memory.allocate(sizeof(payload_type), alignof(payload_type));
              return ::new (payload) payload_type(*static_cast<const value*>(result));
            } else {
              return nullptr;
            }
          }
          : +[](arena&, const void*) -> void* { return nullptr; },
          .guarded = type::is_guarded,
          .owns_payload = type::owns_payload};
}

template <class Actor, auto Handler, bool HasValue>
inline constexpr continuation continuation_to = continue_with<Actor, Handler>(HasValue);

}  // namespace harrier::detail
