#pragma once

#include <bitset>
#include <boost/pfr.hpp>
#include <chrono>
#include <concepts>
#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <queue>
#include <ranges>
#include <span>
#include <stack>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <variant>

#include <harrier/native/ref.hpp>

/// Which kind of value a type is, as far as states and messages are made of it.
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
template <class T>
constexpr bool is_bitset = false;
template <std::size_t N>
constexpr bool is_bitset<std::bitset<N>> = true;
template <class T>
constexpr bool is_shared_constant = false;
template <class T>
constexpr bool is_shared_constant<std::shared_ptr<const T>> = true;
template <class T>
constexpr bool is_duration = false;
template <class Rep, class Period>
constexpr bool is_duration<std::chrono::duration<Rep, Period>> = true;
template <class T>
constexpr bool is_time_point = false;
template <class Clock, class Duration>
constexpr bool is_time_point<std::chrono::time_point<Clock, Duration>> = true;

/// Text that it owns.
template <class T>
constexpr bool is_text =
    std::is_convertible_v<const T&, std::string_view> && !std::is_pointer_v<T> && !std::is_array_v<T>;
template <class T>
concept unordered = requires {
  typename T::hasher;
};

/// std::queue, std::stack, std::priority_queue: a container that is hidden.
template <class T>
constexpr bool is_adaptor = false;
template <class T, class C>
constexpr bool is_adaptor<std::queue<T, C>> = true;
template <class T, class C>
constexpr bool is_adaptor<std::stack<T, C>> = true;
template <class T, class C, class L>
constexpr bool is_adaptor<std::priority_queue<T, C, L>> = true;
/// The order in which its container holds the elements is an accident of their history.
template <class T>
constexpr bool is_heap = false;
template <class T, class C, class L>
constexpr bool is_heap<std::priority_queue<T, C, L>> = true;

template <class Adaptor>
const typename Adaptor::container_type& content_of(const Adaptor& adaptor) {
  struct opened : Adaptor {
    static const typename Adaptor::container_type& of(const Adaptor& a) { return a.*(&opened::c); }
  };
  return opened::of(adaptor);
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
  template <class U>
    requires(std::is_scalar_v<U>)
  operator U() const;
};
template <class As, std::size_t>
using each = As;

template <class T, class As, std::size_t... I>
constexpr bool takes_initialisers(std::index_sequence<I...>) {
  return requires { T{each<As, I>{}...}; };
}

/// The most initialisers of kind `As` that aggregate T takes, as far as it takes
/// some from the front; `N` of them are known to be taken.
template <class T, class As, std::size_t N = 0>
constexpr std::size_t initialisers() {
  if constexpr (takes_initialisers<T, As>(std::make_index_sequence<N + 1>{}))
    return initialisers<T, As, N + 1>();
  else
    return N;
}

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
