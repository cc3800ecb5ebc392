#pragma once

#include <concepts>
#include <cstddef>
#include <functional>
#include <iterator>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include <harrier/core/field_count.hpp>
#include <harrier/native/arguments.hpp>
#include <harrier/native/ref.hpp>

/// Which kind of value a type is, as far as states and messages are made of it.
/// What a user has only if he includes its header (a duration, a queue) is known by
/// what it looks like: those headers are a fifth of what compiling this one takes.
namespace harrier::detail {

// Of usable.hpp.
template <class T>
constexpr bool check_value();
template <class T>
extern const bool is_usable_value;

/// The `f` of `inspect(f, x)`: hands each field to a visitor.
template <class Visit>
class inspector {
public:
  explicit inspector(Visit& visit) : visit_(&visit) {}

  template <class T>
  struct named {
    std::string_view name;
    T* value;
  };
  class object_of_fields {
  public:
    explicit object_of_fields(Visit& visit) : visit_(&visit) {}
    object_of_fields& pretty_name(std::string_view) { return *this; }
    template <class... T>
    bool fields(named<T>... field) {
      (show(field), ...);
      return true;
    }

  private:
    template <class T>
    void show(const named<T>& field) {
      if constexpr (is_usable_value<T>) (*visit_)(field.name, std::as_const(*field.value));
    }

    Visit* visit_;
  };

  template <class T>
  object_of_fields object(T&) {
    return object_of_fields(*visit_);
  }
  template <class T>
  named<T> field(std::string_view name, T& value) {
    static_cast<void>(check_value<T>());
    return {name, &value};
  }

private:
  Visit* visit_;
};

struct ignore_field {
  template <class T>
  void operator()(std::string_view, const T&) {}
};

template <class T>
concept inspectable = requires(inspector<ignore_field>& f, T& x) {
  inspect(f, x);
};

template <class T>
constexpr bool is_ref = false;
template <class T>
constexpr bool is_ref<ref<T>> = true;
template <class T>
constexpr bool is_optional = false;
template <class T>
constexpr bool is_optional<std::optional<T>> = true;
template <class T>
constexpr bool is_variant = false;
template <class... T>
constexpr bool is_variant<std::variant<T...>> = true;
template <class T>
constexpr bool is_tuple = false;
template <class... T>
constexpr bool is_tuple<std::tuple<T...>> = true;
template <class A, class B>
constexpr bool is_tuple<std::pair<A, B>> = true;
template <class... T>
constexpr bool is_tuple<arguments<T...>> = true;
using std::get;
/// std::bitset.
template <class T>
concept is_bitset = requires(const T& x, std::size_t i) {
  typename T::reference;
  { x.test(i) } -> std::same_as<bool>;
  x.to_ullong();
  x.to_string();
};
template <class T>
constexpr bool is_shared_constant = false;
template <class T>
constexpr bool is_shared_constant<std::shared_ptr<const T>> = true;
/// std::chrono::duration: a count, and nothing else.
template <class T>
concept is_duration = requires(const T& x) {
  T::period::num;
  { x.count() } -> std::same_as<typename T::rep>;
  requires sizeof(T) == sizeof(typename T::rep);
};
/// std::chrono::time_point: a duration, and nothing else.
template <class T>
concept is_time_point = requires(const T& x) {
  typename T::clock;
  { x.time_since_epoch() } -> std::same_as<typename T::duration>;
  requires sizeof(T) == sizeof(typename T::duration);
};

/// Text that it owns.
template <class T>
constexpr bool is_text =
    std::is_convertible_v<const T&, std::string_view> && !std::is_pointer_v<T> && !std::is_array_v<T>;
template <class T>
concept is_range = requires(const T& x) {
  { std::begin(x) } -> std::input_iterator;
  std::begin(x) != std::end(x);
};
template <class Range>
using given_by = std::remove_cvref_t<decltype(*std::begin(std::declval<const Range&>()))>;
/// libc++'s std::vector<bool> gives a class that stands for a bool.
template <class Range>
using element_of =
    std::conditional_t<std::is_same_v<given_by<Range>, std::vector<bool>::const_reference>, bool, given_by<Range>>;
template <class T>
concept unordered = requires {
  typename T::hasher;
};
/// A range of which there is nothing to know but its elements, in their order: an array, or a standard container,
/// not what somebody derived from one.
template <class T>
constexpr bool shows_all_by_elements = std::is_array_v<T> ||
                                       (std::is_aggregate_v<T> && requires { std::tuple_size<T>::value; });
template <template <class...> class Container, class... Of>
  requires requires { typename Container<Of...>::allocator_type; }
constexpr bool shows_all_by_elements<Container<Of...>> = true;

/// Whether nothing that a user defined can be in a T but numbers: what is found out of it is the same wherever it is.
template <class T>
constexpr bool is_closed = std::is_scalar_v<T> || is_ref<T>;
template <class Character, class Traits, class Allocator>
constexpr bool is_closed<std::basic_string<Character, Traits, Allocator>> = true;
template <class T, class Allocator>
constexpr bool is_closed<std::vector<T, Allocator>> = is_closed<T>;
template <class T>
constexpr bool is_closed<std::optional<T>> = is_closed<T>;
template <class A, class B>
constexpr bool is_closed<std::pair<A, B>> = is_closed<std::remove_const_t<A>>&& is_closed<B>;

template <class T>
constexpr bool is_vector = false;
template <class T, class Allocator>
constexpr bool is_vector<std::vector<T, Allocator>> = true;
/// The functions and the allocator that a container is made with have no state of their own.
template <class T>
constexpr bool is_made_with_nothing = [] {
  bool is = true;
  if constexpr (requires { typename T::allocator_type; }) is = is && std::is_empty_v<typename T::allocator_type>;
  if constexpr (requires { typename T::hasher; }) is = is && std::is_empty_v<typename T::hasher>;
  if constexpr (requires { typename T::key_equal; }) is = is && std::is_empty_v<typename T::key_equal>;
  if constexpr (requires { typename T::key_compare; })
    is = is && std::is_empty_v<typename T::key_compare>;
  else if constexpr (requires { typename T::value_compare; })  // of a map it holds the other
    is = is && std::is_empty_v<typename T::value_compare>;
  return is;
}();

/// Sees what is protected in an `Adaptor`.
template <class Adaptor>
struct opened : Adaptor {
  template <class Self = opened>
  static auto content(const Adaptor& of) -> const typename Adaptor::container_type& requires requires {
    &Self::c;
  }
  { return of.*(&Self::c); }
};
/// std::queue, std::stack, std::priority_queue: a container that is hidden, but for the order of its elements.
template <class T>
concept is_adaptor = requires {
  typename T::container_type;
}
&&!is_range<T> && !std::is_final_v<T> && requires(const T& x) { opened<T>::content(x); };
template <class Adaptor>
const typename Adaptor::container_type& content_of(const Adaptor& adaptor) {
  return opened<Adaptor>::content(adaptor);
}

/// Converts to bases of T only: an aggregate that can begin with it has one.
template <class T>
struct any_base_of {
  template <class Base>
    requires(std::is_base_of_v<Base, T> && !std::is_same_v<Base, T>)
  operator Base() const;
};
struct convertible_to_nothing {};
/// A first field that can be made of anything at all is none.
template <class T>
concept has_base = requires {
  T{any_base_of<T>{}};
}
&&!requires { T{convertible_to_nothing{}}; };

struct anything {
  template <class U>
  operator U() const;
};
struct any_lvalue {
  template <class U>
  operator U&() const;
};
struct any_scalar {
  // Never called, but defined: Clang takes it for used, and an enum of an unnamed namespace could have it nowhere else.
  template <class U>
    requires(std::is_scalar_v<U>)
  operator U() const { return {}; }
};
/// Whether initialiser number I of aggregate T, of N with braces left out, is
/// the first element of a C array of scalars: braces around two scalars are
/// accepted there, but then fewer initialisers can follow than without them.
template <class T, std::size_t I, std::size_t N>
constexpr bool array_starts_at() {
  return
      []<std::size_t... Before, std::size_t... After>(std::index_sequence<Before...>, std::index_sequence<After...>) {
    return requires { T{each<anything, Before>{}..., {any_scalar{}, any_scalar{}}}; }
    &&!requires { T{each<anything, Before>{}..., {any_scalar{}, any_scalar{}}, each<anything, After>{}...}; };
  }
  (std::make_index_sequence<I>{}, std::make_index_sequence<N - I - 1>{});
}
template <class T, std::size_t N>
constexpr bool has_array() {
  return []<std::size_t... I>(std::index_sequence<I...>) { return (array_starts_at<T, I, N>() || ...); }
  (std::make_index_sequence<N>{});
}

}  // namespace harrier::detail
