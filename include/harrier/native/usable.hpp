#pragma once

#include <harrier/native/names.hpp>
#include <harrier/native/tracked.hpp>
#include <harrier/native/value_kinds.hpp>

/// What can be part of a state or of a message, and what a user is told of what
/// cannot: at compile time, once, by class and field.
namespace harrier::detail {

enum class fault {
  raw_pointer,
  function_pointer,
  view,
  iterator,
  reference,
  shared_mutable,
  weak_pointer,
  unique_pointer,
  function,
  any_value,
  c_array,
  a_union,
  base_class,
  opaque,
  virtual_functions,
  not_copyable,
  too_many_fields,
  member_inspect,
};

/// Nothing is wrong with a type.
struct sound {};

/// `What` is wrong with `Type`, which is field number `Field` of `Holder`, or
/// inside that field; `void` if it is not inside a field.
template <fault What, class Type, class Holder = void, std::size_t Field = 0>
struct faulty {
  static constexpr auto what = What;
  using type = Type;
  using holder = Holder;
  static constexpr auto field = Field;
};

template <class Member>
concept sound_type = std::is_same_v<Member, sound>;

// Whether a class has a member of some name, private or not: a class that has it and inherits another one is
// ambiguous. A final class cannot be asked.
#define HARRIER_ASKS_FOR(member)                                                \
  struct has_also_##member {                                                    \
    void member();                                                              \
  };                                                                            \
  template <class T>                                                            \
  struct twice_##member : T, has_also_##member {};                              \
  template <class T>                                                            \
  constexpr bool names_##member = [] {                                          \
    if constexpr (std::is_class_v<T> && !std::is_final_v<T>) return !requires { \
        &twice_##member<T>::member;                                             \
      };                                                                        \
    else                                                                        \
      return false;                                                             \
  }();
HARRIER_ASKS_FOR(inspect)
HARRIER_ASKS_FOR(accepts)
HARRIER_ASKS_FOR(at_rest)
HARRIER_ASKS_FOR(on_restart)
HARRIER_ASKS_FOR(interchangeable)
HARRIER_ASKS_FOR(must_end)
HARRIER_ASKS_FOR(rebuilt)
HARRIER_ASKS_FOR(receives)
HARRIER_ASKS_FOR(test)
HARRIER_ASKS_FOR(set_up)
HARRIER_ASKS_FOR(setup)
HARRIER_ASKS_FOR(setUp)
HARRIER_ASKS_FOR(SetUp)
HARRIER_ASKS_FOR(finally)
HARRIER_ASKS_FOR(start_up)
HARRIER_ASKS_FOR(startup)
HARRIER_ASKS_FOR(startUp)
HARRIER_ASKS_FOR(StartUp)
#undef HARRIER_ASKS_FOR

template <class T>
concept views_others = std::ranges::enable_view<T> || requires {  // <string_view> has it, too
  typename T::traits_type;
  requires std::is_same_v<T, std::basic_string_view<typename T::value_type, typename T::traits_type>>;
};
template <class T>
constexpr bool is_borrowed = false;
template <class T>
constexpr bool is_borrowed<std::reference_wrapper<T>> = true;
template <class T>
constexpr bool is_borrowed<std::initializer_list<T>> = true;
template <class T>
concept iterates = std::is_class_v<T> && std::input_or_output_iterator<T>;
template <class T>
constexpr bool is_shared_mutable = false;
template <class T>
constexpr bool is_shared_mutable<std::shared_ptr<T>> = !std::is_const_v<T>;
template <class T>
constexpr bool is_weak = false;
template <class T>
constexpr bool is_weak<std::weak_ptr<T>> = true;
template <class T>
constexpr bool is_unique = false;
template <class T, class D>
constexpr bool is_unique<std::unique_ptr<T, D>> = true;
template <class T>
concept calls_anything = requires(const T& f) {
  typename T::result_type;
  f.target_type();
};
template <class T>
concept holds_anything = requires(const T& x) {
  { x.has_value() } -> std::same_as<bool>;
  {x.type().hash_code()};
};

/// What an initialiser gives to a field of type F that is no reference.
template <class F>
struct copy_for {
  operator F();
  operator const F&() const = delete;
};

template <class T, class... Above>
constexpr auto look_at();

template <class Tuple>
struct elements;
template <template <class...> class Tuple, class... T>
struct elements<Tuple<T...>> {
  template <class... Above>
  static constexpr auto first_fault() {
    return first_of(look_at<std::remove_cv_t<T>, Above...>()...);
  }

private:
  static constexpr sound first_of() { return {}; }
  template <class First, class... Rest>
  static constexpr auto first_of(First first, Rest... rest) {
    if constexpr (sound_type<First>)
      return first_of(rest...);
    else
      return first;
  }
};

template <class T, std::size_t I>
constexpr bool is_reference_field() {
  return
      []<std::size_t... Before, std::size_t... After>(std::index_sequence<Before...>, std::index_sequence<After...>) {
    return !requires {
      T{each<lvalue_of_any, Before>{}..., copy_for<field_type<T, I>>{}, each<lvalue_of_any, After>{}...};
    };
  }
  (std::make_index_sequence<I>{}, std::make_index_sequence<field_count<T> - I - 1>{});
}

template <class T, class... Above>
struct looked_at {
  using found = decltype(look_at<T, Above...>());
};
/// Found once for all classes, where they make no difference.
template <class T, class... Above>
using found_in = typename std::conditional_t<is_closed<T>, looked_at<T>, looked_at<T, Above...>>::found;

template <class T, std::size_t I, class... Above>
constexpr auto look_at_fields() {
  if constexpr (I == field_count<T>) {
    return sound{};
  } else {
    using found = found_in<std::remove_cv_t<field_type<T, I>>, Above..., T>;
    if constexpr (sound_type<found>)
      return look_at_fields<T, I + 1, Above...>();
    else if constexpr (std::is_void_v<typename found::holder>)
      return faulty<found::what, typename found::type, T, I>{};
    else
      return found{};
  }
}

/// A class with a reference can be copied and not assigned.
template <class T, std::size_t I = 0>
constexpr auto look_for_reference() {
  if constexpr (std::is_copy_assignable_v<T> || !std::is_copy_constructible_v<T> || I == field_count<T>)
    return sound{};
  else if constexpr (is_reference_field<T, I>())
    return faulty<fault::reference, field_type<T, I>, T, I>{};
  else
    return look_for_reference<T, I + 1>();
}

/// Boost.PFR stops with an error of its own at what is caught here before.
template <class T, class... Above>
constexpr auto look_at_class() {
  if constexpr (std::is_polymorphic_v<T>)
    return faulty<fault::virtual_functions, T>{};
  else if constexpr (!std::is_aggregate_v<T>)
    return faulty<fault::opaque, T>{};
  else if constexpr (names_inspect<T>)
    return faulty<fault::member_inspect, T>{};
  else if constexpr (has_base<T>)
    return faulty<fault::base_class, T>{};
  else if constexpr (std::is_empty_v<T>)
    return sound{};
  else if constexpr (field_count<T> == 0)
    return faulty<fault::opaque, T>{};
  else if constexpr (has_array<T, field_count<T>>())
    return faulty<fault::c_array, T>{};
  else if constexpr (field_count<T> > most_fields)
    return faulty<fault::too_many_fields, T>{};
  else if constexpr (!sound_type<decltype(look_for_reference<T>())>)
    return look_for_reference<T>();
  else
    return look_at_fields<T, 0, Above...>();
}

/// The first thing that is wrong with T as part of a state or message: `sound` or a `faulty`. `Above`: the classes
/// that it lies in, which are being looked at.
template <class T, class... Above>
constexpr auto look_at() {
  if constexpr (std::is_arithmetic_v<T> || std::is_enum_v<T> || is_ref<T>)
    return sound{};
  else if constexpr (is_tracked<T>)
    return look_at<std::remove_cv_t<typename T::value_type>, Above...>();
  else if constexpr ((std::is_same_v<T, Above> || ...))
    return sound{};  // of a class that holds its like, in a vector
  else if constexpr (std::is_array_v<T>)
    return faulty<fault::c_array, T>{};
  else if constexpr (std::is_member_pointer_v<T> ||
                     (std::is_pointer_v<T> && std::is_function_v<std::remove_pointer_t<T>>))
    return faulty<fault::function_pointer, T>{};
  else if constexpr (std::is_pointer_v<T> || std::is_null_pointer_v<T>)
    return faulty<fault::raw_pointer, T>{};
  else if constexpr (std::is_union_v<T>)
    return faulty<fault::a_union, T>{};
  else if constexpr (inspectable<T>)
    return sound{};  // its fields are looked at where it hands them over
  else if constexpr (views_others<T> || is_borrowed<T>)
    return faulty<fault::view, T>{};
  else if constexpr (is_text<T> || is_bitset<T> || is_duration<T> || is_time_point<T>)
    return sound{};
  else if constexpr (is_shared_mutable<T>)
    return faulty<fault::shared_mutable, T>{};
  else if constexpr (is_weak<T>)
    return faulty<fault::weak_pointer, T>{};
  else if constexpr (is_unique<T>)
    return faulty<fault::unique_pointer, T>{};
  else if constexpr (calls_anything<T>)
    return faulty<fault::function, T>{};
  else if constexpr (is_shared_constant<T>)
    return look_at<std::remove_cv_t<typename T::element_type>, Above..., T>();
  else if constexpr (is_optional<T>)
    return look_at<std::remove_cv_t<typename T::value_type>, Above...>();
  else if constexpr (is_variant<T> || is_tuple<T>)
    return elements<T>::template first_fault<Above...>();
  else if constexpr (holds_anything<T>)
    return faulty<fault::any_value, T>{};
  else if constexpr (iterates<T>)
    return faulty<fault::iterator, T>{};
  else if constexpr (is_adaptor<T>)
    return look_at<typename T::container_type, Above...>();
  else if constexpr (is_range<T>)
    return look_at<element_of<T>, Above..., T>();
  else if constexpr (std::is_aggregate_v<T>)
    return look_at_class<T, Above...>();
  else if constexpr (!std::is_copy_constructible_v<T>)
    return faulty<fault::not_copyable, T>{};
  else
    return look_at_class<T, Above...>();
}

/// What is wrong with an actor's own class: nothing of what it is made of, or that.
template <class Actor>
constexpr auto look_at_actor() {
  if constexpr (std::is_polymorphic_v<Actor>)
    return faulty<fault::virtual_functions, Actor>{};
  else if constexpr (inspectable<Actor>)
    return sound{};
  else
    return look_at_class<Actor>();
}

/// A name as an argument of a template, so that the compiler's message shows it.
template <std::size_t N>
struct spelling {
  char text[N + 1]{};
  constexpr explicit spelling(std::string_view name) {
    for (std::size_t i = 0; i < N; ++i) text[i] = name[i];
  }
};
/// The field's name (0 outside one), or its number where a reference keeps the compiler from saying it.
template <class Faulty>
constexpr auto name_of_field() {
  if constexpr (std::is_void_v<typename Faulty::holder>) {
    return 0;
  } else if constexpr (Faulty::what == fault::reference) {
    return Faulty::field + 1;
  } else {
    constexpr auto name = field_name<typename Faulty::holder, Faulty::field>();
    return spelling<name.size()>(name);
  }
}

/// Fails to compile with the reason, and with nothing else. Its arguments appear
/// in the compiler's message: `Type` is what has no place in the state of `Actor`,
/// or in a message if that is void; it is `Field` of `Class`, or part of it.
template <fault What, class Type, class Class, auto Field, class Actor>
constexpr void unsuitable() {
  static_assert(What != fault::raw_pointer,
                "harrier: a raw pointer in an actor's state or message: what it points to is neither copied nor "
                "restored; use a value, an index, or harrier::ref (std::string for text)");
  static_assert(What != fault::function_pointer,
                "harrier: a pointer to a function or member in an actor's state or message: it is an address, which "
                "can be neither compared between runs nor shown; use an enum or a variant");
  static_assert(What != fault::view,
                "harrier: a view in an actor's state or message: what it looks at belongs to somebody else, is not "
                "copied, and may be gone; keep the value itself (std::string, std::vector)");
  static_assert(What != fault::iterator,
                "harrier: an iterator in an actor's state or message: a copy of the state has another container; keep "
                "a key or an index");
  static_assert(What != fault::reference,
                "harrier: a reference as a field of an actor's state or message: what it refers to is neither copied "
                "nor restored; use a value, an index, or harrier::ref");
  static_assert(What != fault::shared_mutable,
                "harrier: shared_ptr to something mutable in an actor's state or message: a copy would share it, so "
                "going back could not restore it; use a value or shared_ptr<const T>");
  static_assert(What != fault::weak_pointer,
                "harrier: a weak_ptr in an actor's state or message: whether it is expired depends on copies that "
                "others hold; use a value, std::optional or harrier::ref");
  static_assert(What != fault::unique_pointer,
                "harrier: a unique_ptr in an actor's state or message: states are copied; use a value, std::optional, "
                "std::vector or shared_ptr<const T>");
  static_assert(What != fault::function,
                "harrier: std::function in an actor's state or message has no value to compare or show; use a "
                "message, a variant or an enum instead");
  static_assert(What != fault::any_value,
                "harrier: std::any in an actor's state or message has no value to compare or show; use std::variant");
  static_assert(What != fault::c_array, "harrier: a C array field cannot be enumerated; use std::array");
  static_assert(What != fault::a_union, "harrier: a union cannot be enumerated; use std::variant");
  static_assert(What != fault::base_class,
                "harrier: an aggregate with a base class cannot be enumerated; make the base a field, or give the "
                "class a friend inspect(f, x)");
  static_assert(What != fault::opaque,
                "harrier: this class is no aggregate (it has private fields or a constructor), so its fields are "
                "unknown; give it a friend `template <class F> friend bool inspect(F& f, my_class& x) { return "
                "f.object(x).fields(f.field(\"a\", x.a)); }`");
  static_assert(What != fault::virtual_functions,
                "harrier: a class with virtual functions in an actor's state or message, or as an actor: it is a plain "
                "struct without virtual functions; use std::variant for alternatives");
  static_assert(What != fault::not_copyable,
                "harrier: states and messages are copied, and this cannot be (a mutex, atomic, thread or promise has "
                "no place in an actor: nothing runs beside its handler)");
  static_assert(
      What != fault::too_many_fields,
      "harrier: a struct with more than 100 fields (each element of a C array is one) cannot be enumerated; group "
      "them into structs, use std::array");
  static_assert(What != fault::member_inspect,
                "harrier: inspect is a friend function, not a member: `template <class F> friend bool inspect(F& f, "
                "my_class& x) { return f.object(x).fields(f.field(\"a\", x.a)); }`");
}

/// Whether actors of the class are not copied, but made anew: `static constexpr bool rebuilt = true;`.
template <class Actor>
constexpr bool is_rebuilt = false;
template <class Actor>
  requires(static_cast<bool>(Actor::rebuilt))
constexpr bool is_rebuilt<Actor> = true;

/// Whether `Actor` can be an actor's state. If not, it does not compile.
template <class Actor>
constexpr bool check_state() {
  if constexpr (is_rebuilt<Actor>) {
    return true;
  } else {
    // What it hands over is looked at here, where the compiler's message is not long yet.
    if constexpr (inspectable<Actor>)
      static_cast<void>([](inspector<ignore_field>& f, Actor& actor) { inspect(f, actor); });
    using found = decltype(look_at_actor<Actor>());
    if constexpr (!sound_type<found>)
      unsuitable<found::what, typename found::type, typename found::holder, name_of_field<found>(), Actor>();
    else
      static_assert(std::is_copy_constructible_v<Actor>,
                    "harrier: an actor is copied before each of its steps, so that going back can restore it; make it "
                    "copyable, or let it be made anew: `static constexpr bool rebuilt = true;`");
    return sound_type<found> && std::is_copy_constructible_v<Actor>;
  }
}

/// Whether `Type` can be an argument, or a reply. If not, it does not compile.
template <class Type>
constexpr bool check_value() {
  using found = decltype(look_at<Type>());
  if constexpr (!sound_type<found>)
    unsuitable<found::what, typename found::type, typename found::holder, name_of_field<found>(), void>();
  return sound_type<found>;
}

template <class T>
constexpr bool is_usable_value = sound_type<decltype(look_at<T>())>;
template <class Actor>
constexpr bool is_usable_state = sound_type<decltype(look_at_actor<Actor>())>;

}  // namespace harrier::detail
