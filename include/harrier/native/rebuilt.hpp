#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>

#include <harrier/core/system.hpp>
#include <harrier/native/checks.hpp>
#include <harrier/native/declaration.hpp>
#include <harrier/native/names.hpp>
#include <harrier/native/reflect.hpp>
#include <harrier/native/value_printer.hpp>
#include <harrier/native/world.hpp>

/// Actors that cannot be copied: they are made anew, from the arguments with which they were created, and take again
/// what they took. docs/libraries.md tells users; what is done is in src/native/rebuilding.cpp.
namespace harrier::detail {

template <class Actor>
class actor_class;

/// Makes the object of an actor, each time from the same arguments.
class object_maker {
public:
  object_maker() = default;
  object_maker(const object_maker&) = delete;
  object_maker& operator=(const object_maker&) = delete;
  virtual ~object_maker() = default;
  [[nodiscard]] virtual void* make() const = 0;
};

template <class Actor, class... Argument>
class maker_of final : public object_maker {
public:
  template <class... From>
  explicit maker_of(From&&... from) : arguments_(std::forward<From>(from)...) {}
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wmissing-field-initializers"
  [[nodiscard]] void* make() const override {
    return std::apply([](const auto&... argument) { return new Actor{argument...}; }, arguments_);
  }
#pragma GCC diagnostic pop

private:
  std::tuple<Argument...> arguments_;
};

/// The local state of such an actor, now or before one of its steps: how far it is in its history, and the object, if
/// that is there.
struct rebuilt_state {
  world* in;
  actor_slot who;
  /// The last step that it has taken; no_step: none.
  step_index last = no_step;
  /// Null: it is made when somebody needs it.
  void* object = nullptr;
  std::shared_ptr<const object_maker> made_by;
  /// What its fingerprint() gave, if it has that.
  std::shared_ptr<const void> shown;
  /// Stands for that, or for all that it took.
  fingerprint mark;
  /// What its survives() gave, if it may crash.
  std::shared_ptr<const void> survivors;

  /// @name Of the state before a step
  /// @{

  /// What self::now() said in the step.
  std::int64_t now = 0;
  /// The actor crashed in the step, or after it, and was made anew: what it did then is what was sent, created and
  /// drawn from there on.
  bool restarted = false;
  message_slot sent_from = no_message;
  std::uint32_t created_from = 0;
  std::uint32_t drawn_from = 0;
  std::shared_ptr<const void> survived;
  /// @}
};

/// A class of such actors. The states of its actors are rebuilt_state.
class rebuilt_class : public native_actor {
public:
  constexpr rebuilt_class() : native_actor(sizeof(rebuilt_state), alignof(rebuilt_state)) {}

  /// Ends the life of an object; not of a null pointer.
  virtual void discard(void* object) const = 0;
  /// A copy of the object; null if there is none.
  [[nodiscard]] virtual void* clone(const void* object) const = 0;
  [[nodiscard]] virtual bool has_fingerprint() const = 0;
  /// What fingerprint() and survives() give; null if there is no such function.
  [[nodiscard]] virtual std::shared_ptr<const void> shown(const void* object) const = 0;
  [[nodiscard]] virtual fingerprint hash_of_shown(const void* shown) const = 0;
  [[nodiscard]] virtual std::shared_ptr<const void> survivors(const void* object) const = 0;
  /// Calls the handler for that. What it throws is the caller's to catch.
  virtual void restart_object(world& in, void* object, const void* survivors) const = 0;

  void copy(void* target, const void* state) const final;
  void destroy(void* state) const final;
  [[nodiscard]] std::size_t bytes() const final { return sizeof(rebuilt_state); }
  [[nodiscard]] fingerprint hash(const void* state) const final {
    return static_cast<const rebuilt_state*>(state)->mark;
  }
  [[nodiscard]] const void* object(const void* state) const final;
  void adopt(world& by, actor_slot a, void* state) const final;
  void restart(void* state, const void* created, const void* kept) const final;
  void restarted(world& in, void* state) const final;

protected:
  constexpr ~rebuilt_class() = default;
};

template <class Actor>
  requires is_rebuilt<Actor>
class actor_class<Actor> final : public rebuilt_class {
public:
  void discard(void* object) const override { delete static_cast<Actor*>(object); }
  [[nodiscard]] void* clone(const void* object) const override {
    if constexpr (has_clone<Actor>)
      return static_cast<const Actor*>(object)->clone().release();
    else
      return static_cast<void>(object), nullptr;
  }
  [[nodiscard]] bool has_fingerprint() const override { return detail::has_fingerprint<Actor>; }
  [[nodiscard]] std::shared_ptr<const void> shown(const void* object) const override {
    if constexpr (detail::has_fingerprint<Actor>)
      return std::make_shared<const shown_value>(static_cast<const Actor*>(object)->fingerprint());
    else
      return static_cast<void>(object), nullptr;
  }
  [[nodiscard]] fingerprint hash_of_shown(const void* shown) const override {
    if constexpr (detail::has_fingerprint<Actor>)
      return hash_of(*static_cast<const shown_value*>(shown));
    else
      return static_cast<void>(shown), fingerprint();
  }
  [[nodiscard]] std::shared_ptr<const void> survivors(const void* object) const override {
    if constexpr (has_survives<Actor>)
      return std::make_shared<const survivors_type>(static_cast<const Actor*>(object)->survives());
    else
      return static_cast<void>(object), nullptr;
  }
  void restart_object(world& in, void* object, const void* survivors) const override {
    auto& actor = *static_cast<Actor*>(object);
    static_cast<void>(survivors);
    if constexpr (restarts_with_what_survives<Actor>)
      actor.on_restart(in.handle(), *static_cast<const survivors_type*>(survivors));
    else if constexpr (requires(self & me) { actor.on_restart(me); })
      actor.on_restart(in.handle());
    else if constexpr (has_on_restart<Actor>)
      actor.on_restart();
  }

  [[nodiscard]] std::string name() const override { return std::string(type_name<Actor>()); }
  [[nodiscard]] std::string describe(const system& system, const void* state) const override {
    value_printer print(system);
    if constexpr (inspectable<Actor>)
      print.add(*static_cast<const Actor*>(object(state)));
    else if constexpr (detail::has_fingerprint<Actor>)
      print.add(shown_in(state));
    else
      return static_cast<void>(state), std::string();
    auto text = print.take();
    if (text == "{}") return {};
    return text.starts_with('{') ? text : "{" + text + "}";
  }
  [[nodiscard]] bool tells_rest() const override { return has_rest<Actor>; }
  [[nodiscard]] bool at_rest(const void* state) const override {
    if constexpr (has_rest<Actor>)
      return static_cast<bool>(static_cast<const Actor*>(object(state))->at_rest());
    else
      return static_cast<void>(state), true;
  }
  [[nodiscard]] bool hash_is_all() const override {
    if constexpr (detail::has_fingerprint<Actor>)
      return tells_all<shown_value>();
    else
      return true;
  }
  void write(const void* state, value_bytes& out) const override {
    if constexpr (detail::has_fingerprint<Actor>)
      write_value(shown_in(state), out);
    else
      out.raw(hash(state));
  }
  [[nodiscard]] bool may_refuse() const override { return names_accepts<Actor>; }
  [[nodiscard]] crash_rules rules_of_crash(const void* /*state*/) const override {
    constexpr bool acts = has_on_restart<Actor> || restarts_with_what_survives<Actor>;
    return {.restarts = acts || has_survives<Actor>, .keeps = has_survives<Actor>, .acts = acts};
  }
  [[nodiscard]] const std::type_info* state_class() const override { return &typeid(Actor); }
  [[nodiscard]] bool interchangeable() const override {
    if constexpr (has_interchangeable<Actor>)
      return static_cast<bool>(Actor::interchangeable);
    else
      return false;
  }

private:
  template <class T>
    requires detail::has_fingerprint<T>
  static auto shown_type_of()
      -> std::type_identity<std::remove_cvref_t<decltype(std::declval<const T&>().fingerprint())>>;
  template <class T>
    requires(!detail::has_fingerprint<T>)
  static auto shown_type_of() -> std::type_identity<int>;
  template <class T>
    requires has_survives<T>
  static auto survivors_type_of()
      -> std::type_identity<std::remove_cvref_t<decltype(std::declval<const T&>().survives())>>;
  template <class T>
    requires(!has_survives<T>)
  static auto survivors_type_of() -> std::type_identity<int>;
  using shown_value = typename decltype(shown_type_of<Actor>())::type;
  using survivors_type = typename decltype(survivors_type_of<Actor>())::type;

  static const shown_value& shown_in(const void* state) {
    return *static_cast<const shown_value*>(static_cast<const rebuilt_state*>(state)->shown.get());
  }
};

}  // namespace harrier::detail
