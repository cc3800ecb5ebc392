#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <harrier/protocol/checked.hpp>
#include <harrier/protocol/diagnostic.hpp>
#include <harrier/protocol/lts.hpp>
#include <harrier/protocol/parts.hpp>

namespace harrier::protocol {

/// How a module enforces its protocol.
enum class module_mode : std::uint8_t {
  strict,           ///< one machine for all roles, under one lock
  liberal,          ///< each role its own machine and queue, as Prut4j projects: not sound
  liberal_checked,  ///< each role its own machine, a queue a pair of roles: sound, see `project_checked`
};

/// `strict`, `liberal`, `liberal-checked`.
[[nodiscard]] std::string_view to_string(module_mode mode);
[[nodiscard]] std::optional<module_mode> parse_mode(std::string_view text);

/// The C++ types of messages.
struct type_mapping {
  std::map<std::string, std::string>
      types;                          ///< by name in the definition, with or without what stands before the last dot
  std::vector<std::string> includes;  ///< as written after `#include`: `<string>`, `"move.hpp"`
};

/// Reads a mapping file: lines `Name = c++ type`, `#include <header>`, empty
/// ones and comments with `//` or `;`.
[[nodiscard]] type_mapping parse_mapping(std::string_view text, std::string_view file,
                                         std::vector<diagnostic>& diagnostics);

struct generate_options {
  module_mode mode = module_mode::strict;
  type_mapping types = {};
  std::string in_namespace = "protocols";
  std::string title = {};       ///< how the session was named, for the head of the file: `token-star 4 0`
  projection_watch watch = {};  ///< of mode liberal-checked
  std::size_t largest = 0;      ///< bytes that a header may have: a larger one is an error, which says why; 0: no limit
};

/// A header, or why there is none.
struct generated_module {
  std::string code;        ///< empty iff a diagnostic is an error, or it is not complete
  std::string class_name;  ///< with its namespace
  std::vector<diagnostic> diagnostics;
  bool complete = true;  ///< whether the watch let it come to its end
};

/// Writes a module that enforces `session` in C++: one header, to be compiled
/// with `harrier/protocol/runtime.hpp`.
///
/// Where the same action leads to several states, a module goes on to all of
/// them at once: nothing that the definition allows is forbidden. Types without a mapping: Boolean, Integer, Long and
/// Double are `bool`, `int`, `long` and `double`, others an empty struct of that name inside the module.
///
/// @param session  named `name`; complete.
[[nodiscard]] generated_module generate(const explored_session& session, std::string_view name,
                                        const generate_options& options);

/// The same for a session that was taken apart. @pre `options.mode` is `liberal_checked`
[[nodiscard]] generated_module generate(const session_parts& session, std::string_view name,
                                        const generate_options& options);

/// The machine of one role, in modes that have one for each; of several that a header has for it, one.
struct role_machine {
  state_graph graph;      ///< as the steps in a module's header are, in the same order
  alphabet names;         ///< of its actions; a type is written `Move#2` where that is the mark of its message
  std::size_t first = 0;  ///< the number that state 0 has in the header; 0 if the header has several machines
  std::vector<diagnostic> diagnostics;
  bool complete = true;  ///< whether the watch let the projection come to its end
};

/// @param role  as printed, or as propositions write it: `worker[1]`, `worker_1_`.
/// @return its machine; nothing is in it iff a diagnostic is an error or it is not complete.
/// @throws error  there is no such role, the mode is strict, where one machine is for all, or one machine in place of
///         several would have more than a million states.
[[nodiscard]] role_machine machine_of(const explored_session& session, std::string_view role,
                                      const generate_options& options);

/// The same for a session that was taken apart. @pre `options.mode` is `liberal_checked`
[[nodiscard]] role_machine machine_of(const session_parts& session, std::string_view role,
                                      const generate_options& options);

}  // namespace harrier::protocol
