#pragma once

#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

#include <harrier/analyse/analyse.hpp>

#include "description.hpp"
#include "function.hpp"
#include "types.hpp"

namespace harrier::clang {

/// The functions of a file and of what it includes, as far as that is not foreign: what
/// each does, which are handlers, and what a handler does with all that it calls.
class actor_program {
public:
  explicit actor_program(CXTranslationUnit unit);

  [[nodiscard]] std::vector<analysed_handler> handlers();

private:
  void collect(CXCursor declaration);
  void collect_class(CXCursor definition);
  void read(CXCursor definition);
  void find_handlers();
  void add_handler(CXCursor method);
  void declared_beside(CXCursor declaration);
  void for_all_called(CXCursor definition, const std::function<void(const function_facts&, bool on_this)>& tell);
  void add_leaks(CXCursor of_class, handler_summary& all);
  [[nodiscard]] handler_summary all_of(CXCursor handler);
  void add_replies(const std::string& handler, handler_summary& all);

  type_facts types_;
  std::vector<CXCursor> functions_;
  std::map<std::string, function_facts> facts_;
  std::vector<CXCursor> classes_;  ///< definitions
  std::vector<CXCursor> handlers_;
  std::set<std::string> known_handlers_;
  std::map<std::string, source_place> declared_;  ///< handlers that have a declaration
};

}  // namespace harrier::clang
