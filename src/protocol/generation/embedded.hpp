#pragma once

#include <string_view>

namespace harrier::protocol::internal {

/// The text of an installed header, kept in the library so that modules can be compiled wherever it runs.
struct embedded_header {
  std::string_view name;  ///< as included: `harrier/protocol/runtime.hpp`
  std::string_view text;
};
extern const embedded_header embedded_headers[7];

}  // namespace harrier::protocol::internal
