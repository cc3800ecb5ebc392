#pragma once

#include <compare>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <type_traits>
#include <variant>
#include <vector>

namespace harrier::protocol {

class value;

/// An exact fraction in lowest terms; the denominator is at least 2.
struct ratio {
  std::int64_t numerator = 0;
  std::int64_t denominator = 2;
  friend bool operator==(const ratio&, const ratio&) = default;
};

/// A name that stands for itself, written with its colons: `::worker`.
struct keyword {
  std::string text;
  friend bool operator==(const keyword&, const keyword&) = default;
};

/// A builtin or a `defn`, named.
struct function_name {
  std::string text;
  friend bool operator==(const function_name&, const function_name&) = default;
};

/// Immutable and shared: copying a long list is cheap.
using value_list = std::shared_ptr<const std::vector<value>>;

/// Elements sorted by `compare`, each once. Iterated in that order, whereas
/// Clojure iterates in the order of its hashes.
struct value_set {
  value_list elements;
};

/// A value of the expression language.
class value {
public:
  using alternatives = std::variant<std::monostate, bool, std::int64_t, ratio, double, std::string, keyword,
                                    function_name, value_list, value_set>;

  value() = default;  ///< nil
  template <class T>
    requires(!std::is_same_v<std::remove_cvref_t<T>, value> && std::is_constructible_v<alternatives, T&&>)
  value(T&& content) : content_(std::forward<T>(content)) {}

  [[nodiscard]] static value list(std::vector<value> elements);
  /// Sorts, and drops what is there twice.
  [[nodiscard]] static value set(std::vector<value> elements);

  template <class T>
  [[nodiscard]] const T* get_if() const noexcept {
    return std::get_if<T>(&content_);
  }
  [[nodiscard]] const alternatives& content() const noexcept { return content_; }

  /// Everything but nil and false; 0 too.
  [[nodiscard]] bool truthy() const noexcept;
  [[nodiscard]] bool is_number() const noexcept;
  /// The elements of a list or set; nothing for nil; a null pointer otherwise.
  [[nodiscard]] const std::vector<value>* elements() const noexcept;

private:
  alternatives content_;
};

/// A total order: kinds in the order nil, booleans, numbers, strings, keywords,
/// functions, lists, sets; numbers by size (1, then 1.0); lists and sets by
/// length, then by their elements.
[[nodiscard]] std::strong_ordering compare(const value& a, const value& b);

/// Clojure's `=`: 1 and 1.0 differ.
[[nodiscard]] inline bool operator==(const value& a, const value& b) { return compare(a, b) == 0; }

/// As it would be written: strings in quotation marks.
[[nodiscard]] std::string to_string(const value& v);

/// As `str` writes it: strings bare, nil as nothing.
[[nodiscard]] std::string display(const value& v);

[[nodiscard]] std::size_t hash_of(const value& v);

}  // namespace harrier::protocol
