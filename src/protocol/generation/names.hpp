#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <harrier/protocol/action.hpp>
#include <harrier/protocol/diagnostic.hpp>
#include <harrier/protocol/generate.hpp>

namespace harrier::protocol::internal {

/// A type of messages that is declared inside the module, by what is said of that message and no other.
struct cpp_struct {
  std::string name;
  std::string value;      ///< the type of its only field, `value`; or nothing, and it is empty
  std::string shortened;  ///< another name, without what stands before the last dot, if no other message has it
};

/// The names that a session has in C++.
struct cpp_names {
  std::string module;              ///< the class
  std::vector<std::string> roles;  ///< by number
  std::vector<cpp_struct> types;   ///< by number; no name is one of the module's own functions and types
};

/// Appends an error for each two names that would be one.
[[nodiscard]] cpp_names names_in_cpp(std::string_view session, const alphabet& names, const type_mapping& mapping,
                                     const std::string& file, std::vector<diagnostic>& diagnostics);

/// A name that C++ accepts: other characters become `_`, keywords get one.
[[nodiscard]] std::string identifier(std::string_view text);

}  // namespace harrier::protocol::internal
