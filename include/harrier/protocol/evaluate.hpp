#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <harrier/core/error.hpp>
#include <harrier/protocol/ast.hpp>
#include <harrier/protocol/value.hpp>

namespace harrier::protocol {

/// An expression has no value: a wrong type, a division by zero, a number that
/// cannot be read. `try` in a definition catches it.
class evaluation_error : public harrier::error {
public:
  evaluation_error(source_position where, std::string_view construct, const std::string& problem);

  source_position at;
  std::string construct;
  std::string message;
};

/// An expression takes too long or recurs too deep; `try` does not catch it.
class evaluation_limit : public evaluation_error {
public:
  using evaluation_error::evaluation_error;
};

/// Calls may be nested this deep, and one evaluation take this many steps.
inline constexpr std::size_t max_evaluation_depth = 1500;
inline constexpr std::size_t max_evaluation_steps = 5'000'000;

/// The builtins that there are, for diagnostics: null if `name` is none.
struct builtin_arity {
  std::size_t least;
  std::size_t most;
};
[[nodiscard]] const builtin_arity* find_builtin(std::string_view name);

/// Variables and their values, innermost last.
using bindings = std::vector<std::pair<std::string_view, value>>;

/// The value of `expression`.
///
/// Arithmetic is exact on 64-bit integers and fractions of them, and an error
/// where it would overflow; `mod` takes the sign of the divisor; `long`
/// truncates. Sets are iterated in sorted order.
///
/// @param definitions  where functions are looked up.
/// @throws evaluation_error
[[nodiscard]] value evaluate(const node& expression, const specification& definitions, const bindings& variables = {});

}  // namespace harrier::protocol
