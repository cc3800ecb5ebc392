#pragma once

#include <cstddef>
#include <tuple>
#include <type_traits>
#include <utility>

/// The arguments of a message. A std::tuple would do, but each one costs a megabyte and more of the compiler's memory,
/// and there is one for each signature of a handler.
namespace harrier::detail {

template <std::size_t I, class T>
struct numbered_argument {
  template <class From>
  constexpr numbered_argument(std::in_place_t, From&& from) : value(static_cast<T>(std::forward<From>(from))) {}
  T value;
};

template <class Numbers, class... T>
class numbered_arguments;
template <std::size_t... I, class... T>
class numbered_arguments<std::index_sequence<I...>, T...> : numbered_argument<I, T>... {
public:
  template <class... From>
  constexpr explicit numbered_arguments(std::in_place_t, From&&... from)
      : numbered_argument<I, T>(std::in_place, std::forward<From>(from))... {}

  /// `call(each of them...)`
  template <class Call>
  constexpr decltype(auto) give_to(Call&& call) const {
    return call(static_cast<const numbered_argument<I, T>&>(*this).value...);
  }
  template <std::size_t N>
  [[nodiscard]] constexpr const auto& at() const {
    return value_in<N>(*this);
  }

private:
  template <std::size_t N, class Of>
  static constexpr const Of& value_in(const numbered_argument<N, Of>& at) {
    return at.value;
  }
};

template <class... T>
class arguments : public numbered_arguments<std::index_sequence_for<T...>, T...> {
  using base = numbered_arguments<std::index_sequence_for<T...>, T...>;

public:
  /// One of each, converted as a parameter of the handler would be.
  template <class... From>
    requires(sizeof...(From) == sizeof...(T) && !(std::is_same_v<std::remove_cvref_t<From>, arguments> || ...))
  constexpr explicit arguments(From&&... from) : base(std::in_place, std::forward<From>(from)...) {}
};

template <std::size_t I, class... T>
constexpr const auto& get(const arguments<T...>& from) {
  return from.template at<I>();
}

}  // namespace harrier::detail

template <class... T>
struct std::tuple_size<harrier::detail::arguments<T...>> : std::integral_constant<std::size_t, sizeof...(T)> {};
