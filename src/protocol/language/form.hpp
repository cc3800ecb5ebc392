#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <harrier/protocol/diagnostic.hpp>
#include <harrier/protocol/value.hpp>

namespace harrier::protocol::internal {

enum class form_kind : std::uint8_t { symbol, literal, list, vector, set };

/// What Clojure's reader gives: brackets and atoms, without a meaning yet.
struct form {
  form_kind kind = form_kind::list;
  source_position at;
  std::string symbol;          ///< of a symbol
  value literal;               ///< of a literal: number, string, keyword, true, false, nil
  std::vector<form> children;  ///< of a bracket

  [[nodiscard]] bool is_symbol(std::string_view name) const { return kind == form_kind::symbol && symbol == name; }
};

/// The top-level forms of `text`. Errors are appended to `diagnostics`, with recovery.
[[nodiscard]] std::vector<form> read_forms(std::string_view text, std::string_view file,
                                           std::vector<diagnostic>& diagnostics);

/// As it could be written, cut after some 40 bytes.
[[nodiscard]] std::string to_string(const form& f);

}  // namespace harrier::protocol::internal
