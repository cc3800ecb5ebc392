#pragma once

#include <string>
#include <vector>

#include <harrier/analyse/analyse.hpp>

#include "types.hpp"

namespace harrier::clang {

/// What the body of one function does by itself, without what it calls.
struct function_facts {
  struct touched {
    CXCursor field;
    bool written;
    source_place where;
  };
  struct called {
    CXCursor function;  ///< with its body
    bool on_this;       ///< for the same object
  };
  struct sent {
    CXCursor handler;
    std::string to;
    source_place where;
    bool is_call;  ///< so that it replies
  };
  /// `self.call<&callee::h>(to).then<&caller::on_value, &caller::on_error>()`
  struct continued {
    std::vector<CXCursor> callees;  ///< empty: it is not seen which
    std::vector<CXCursor> by;
    source_place where;
  };

  std::vector<touched> fields;
  std::vector<called> calls;
  std::vector<sent> sends;
  std::vector<continued> continuations;
  std::vector<named_access> shared;
  /// Functions that it names, and may not call.
  std::vector<CXCursor> names;
  /// Why it may touch every field of its object; of any object; why it may send anything.
  std::vector<source_remark> any_field;
  std::vector<source_remark> any_field_of_any;
  std::vector<source_remark> any_send;
  /// It hands on a reference to its object, or part of it, not only to constants.
  bool exposes = false;
  /// Calls of what is not in the file and may keep what refers to something.
  std::vector<source_remark> unseen;
};

[[nodiscard]] function_facts facts_of(CXCursor definition, type_facts& types);

}  // namespace harrier::clang
