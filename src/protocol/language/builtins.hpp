#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include <harrier/protocol/evaluate.hpp>
#include <harrier/protocol/value.hpp>

namespace harrier::protocol::internal {

/// What a builtin may use besides its arguments.
struct builtin_context {
  /// Applies a function or set to one argument.
  std::function<value(const value& function, const value& argument)> apply;
  /// Counts work that is not a call; throws `evaluation_limit`.
  std::function<void(std::size_t steps)> spend;
};

/// A builtin's mistake, without its place.
struct builtin_failure {
  std::string message;
};

struct builtin {
  builtin_arity arity;
  value (*call)(const std::vector<value>& arguments, const builtin_context& context);
};

/// @return null if there is no builtin of that name. With or without `s/`.
[[nodiscard]] const builtin* builtin_named(std::string_view name);

// Arithmetic, in numbers.cpp.
[[nodiscard]] value add(const value& a, const value& b);
[[nodiscard]] value subtract(const value& a, const value& b);
[[nodiscard]] value multiply(const value& a, const value& b);
[[nodiscard]] value divide(const value& a, const value& b);
[[nodiscard]] value modulo(const value& a, const value& b);
[[nodiscard]] value quotient(const value& a, const value& b);
[[nodiscard]] value truncate(const value& a);
[[nodiscard]] double to_double(const value& a);
[[nodiscard]] std::int64_t to_integer(const value& a);

/// Replaces the first match of `pattern` in `text`: literal characters, `.`, `^`, `$`, `[abc]`, `\d` and
/// `* + ?` on one of them. @throws builtin_failure  something else is in the pattern.
[[nodiscard]] std::string replace_first(std::string_view text, std::string_view pattern, std::string_view by,
                                        const builtin_context& context);

}  // namespace harrier::protocol::internal
