#pragma once

#include <cstddef>
#include <memory>
#include <string_view>
#include <vector>

#include <harrier/protocol/ast.hpp>
#include <harrier/protocol/diagnostic.hpp>

namespace harrier::protocol {

/// Brackets may be nested this deep in a definition.
inline constexpr std::size_t max_form_nesting = 200;

/// The message of the warning about a role that no `defrole` names.
inline constexpr std::string_view undeclared_role = "the role is not declared";

/// A specification, and what there is to say about its text.
struct parsed_specification {
  /// Null iff one of the diagnostics is an error.
  std::shared_ptr<const specification> value;
  /// In the order of the text: errors, all of them, and warnings.
  std::vector<diagnostic> diagnostics;
};

/// Reads Discourje definitions; operators may have their `s/` or not.
///
/// Never fails on any text, however malformed: what is wrong is in the
/// diagnostics. Reading goes on after an error, so that one run shows all.
///
/// @param file  only named in diagnostics and in generated code.
[[nodiscard]] parsed_specification parse(std::string_view text, std::string_view file = "<text>");

/// Reads one expression, as an argument of a session on the command line:
/// `4`, `#{0 1 2}`, `(range 3)`. There are no variables to use.
///
/// @param into  gets the nodes.
/// @return null iff `diagnostics` got an error.
[[nodiscard]] const node* parse_expression(std::string_view text, specification& into,
                                           std::vector<diagnostic>& diagnostics);

}  // namespace harrier::protocol
