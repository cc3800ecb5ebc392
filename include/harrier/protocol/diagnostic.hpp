#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace harrier::protocol {

/// A place in a definition. Both from 1; the column counts bytes. {0, 0}: nowhere in particular.
struct source_position {
  std::uint32_t line = 0;
  std::uint32_t column = 0;
  friend auto operator<=>(const source_position&, const source_position&) = default;
};

enum class severity : std::uint8_t {
  error,    ///< nothing can be done with the definition
  warning,  ///< it means something, but perhaps not what was meant
};

/// One thing wrong with a definition, or one that deserves a second look.
struct diagnostic {
  severity level = severity::error;
  std::string file;
  source_position at;
  std::string construct;  ///< the form in question, as in `alt-every`; may be empty
  std::string message;    ///< one line
  std::string expected;   ///< what could have stood there; empty if nothing sensible can be said
  friend bool operator==(const diagnostic&, const diagnostic&) = default;
};

/// `ring.dcj:3:7: error: alt-every: ... (expected ...)`
[[nodiscard]] std::string to_string(const diagnostic& d);

/// How many diagnostics people are shown of one thing.
inline constexpr std::size_t max_shown_diagnostics = 20;

/// Each once, the first `max_shown_diagnostics`, errors before warnings if that
/// leaves any out; and then one that counts those left out.
[[nodiscard]] std::vector<diagnostic> shortened(std::span<const diagnostic> all);

/// All of them, one a line, in the order given.
[[nodiscard]] std::string to_string(std::span<const diagnostic> all);

[[nodiscard]] bool has_errors(std::span<const diagnostic> all);

}  // namespace harrier::protocol
