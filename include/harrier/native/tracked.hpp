#pragma once

#include <concepts>
#include <iterator>
#include <type_traits>
#include <utility>

#include <harrier/core/accesses.hpp>

namespace harrier {

namespace detail {

struct nobody_converts_to_this {};

/// U makes a T, and is not one of those helpers of reflection that make everything.
template <class U, class T, class Tracked>
concept makes_only = std::is_convertible_v<U, T> && !std::is_convertible_v<U, nobody_converts_to_this> &&
                     !std::is_same_v<std::remove_cvref_t<U>, Tracked> && !std::is_same_v<std::remove_cvref_t<U>, T>;

}  // namespace detail

/// A field of an actor that tells which handlers read it and which write it. With
/// `--independence fields` two messages of one actor commute if neither writes
/// what the other touches; of a field that is not tracked it is only seen
/// whether it changed, and every handler counts as one that reads it.
///
///     struct account {
///       harrier::tracked<int> balance = 0;
///       harrier::tracked<std::string> owner;
///       void deposit(int amount) { balance += amount; }
///       void rename(std::string name) { owner = std::move(name); }
///     };
///
/// It is read where a `const T&` is wanted, by `*x`, `x->`, `x[i]`, a comparison, a
/// loop over it, or get(); written by `=`, by `+=` and its like, `++` and `--`, or
/// through write(): `owner.write().push_back('x')`. What write() returns must not be
/// used after the handler has returned. Copying reads, moving from writes. It is
/// hashed, compared and shown like the T in it.
///
/// Elements of a container are not told apart: make the container tracked, not what
/// is in it.
///
/// @par Cost  a load and a branch an access; with `--independence fields` a look
///      through the fields that the handler touched before.
template <class T>
class tracked {
public:
  using value_type = T;

  tracked() = default;
  tracked(const T& value) : value_(value) {}        // NOLINT(google-explicit-constructor): stands for a T
  tracked(T&& value) : value_(std::move(value)) {}  // NOLINT(google-explicit-constructor)
  template <class U>
    requires detail::makes_only<U, T, tracked> tracked(U&& value)
        : value_(std::forward<U>(value)) {}  // NOLINT(google-explicit-constructor)
    tracked(const tracked& other) : value_(other.get()) {}
    tracked(tracked&& other) noexcept(std::is_nothrow_move_constructible_v<T>) : value_(std::move(other.write())) {}
    ~tracked() = default;

    tracked& operator=(const tracked& other) {
      write() = other.get();
      return *this;
    }
    tracked& operator=(tracked&& other) noexcept(std::is_nothrow_move_assignable_v<T>) {
      write() = std::move(other.write());
      return *this;
    }
    template <class U>
      requires(std::is_assignable_v<T&, U> && !std::is_same_v<std::remove_cvref_t<U>, tracked>)
    tracked& operator=(U&& value) {
      write() = std::forward<U>(value);
      return *this;
    }

    [[nodiscard]] const T& get() const {
      access_log::note(this, false);
      return value_;
    }
    [[nodiscard]] T& write() {
      access_log::note(this, true);
      return value_;
    }
    operator const T&() const { return get(); }  // NOLINT(google-explicit-constructor)
    explicit operator bool() const requires(std::is_class_v<T>&& std::is_constructible_v<bool, const T&>) {
      return static_cast<bool>(get());
    }
    const T& operator*() const { return get(); }
    const T* operator->() const { return &get(); }
    template <class Index>
      requires requires(const T& value, const Index& i) { value[i]; }
    decltype(auto) operator[](const Index& i) const { return get()[i]; }
    auto begin() const requires requires(const T& value) { std::begin(value); }
    { return std::begin(get()); }
    auto end() const requires requires(const T& value) { std::end(value); }
    { return std::end(get()); }

#define HARRIER_WRITES_BY(op)                                  \
  template <class U>                                           \
    requires requires(T & value, const U& by) { value op by; } \
  tracked& operator op(const U& by) {                          \
    write() op by;                                             \
    return *this;                                              \
  }
    HARRIER_WRITES_BY(+=)
    HARRIER_WRITES_BY(-=)
    HARRIER_WRITES_BY(*=)
    HARRIER_WRITES_BY(/=)
    HARRIER_WRITES_BY(%=)
    HARRIER_WRITES_BY(&=)
    HARRIER_WRITES_BY(|=)
    HARRIER_WRITES_BY(^=)
    HARRIER_WRITES_BY(<<=)
    HARRIER_WRITES_BY(>>=)
#undef HARRIER_WRITES_BY

    tracked& operator++() requires requires(T& value) { ++value; }
    {
      ++write();
      return *this;
    }
    tracked& operator--() requires requires(T& value) { --value; }
    {
      --write();
      return *this;
    }
    T operator++(int) requires requires(T& value) { value++; }
    { return write()++; }
    T operator--(int) requires requires(T& value) { value--; }
    { return write()--; }

    // Of numbers and enums the built-in comparisons do.
    friend bool operator==(const tracked& a,
                           const tracked& b) requires(std::is_class_v<T>&& std::equality_comparable<T>) {
      return a.get() == b.get();
    }
    template <class U>
      requires(std::is_class_v<T> && !std::is_same_v<U, tracked> && requires(const T& value, const U& other) {
        { value == other } -> std::convertible_to<bool>;
      })
    friend bool operator==(const tracked& a, const U& b) { return a.get() == b; }

    /// The value, and nobody is told: for harrier itself.
    [[nodiscard]] const T& untold() const { return value_; }

  private:
    T value_{};
};

namespace detail {

template <class T>
constexpr bool is_tracked = false;
template <class T>
constexpr bool is_tracked<tracked<T>> = true;

}  // namespace detail
}  // namespace harrier
