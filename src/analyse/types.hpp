#pragma once

#include <map>
#include <utility>

#include "libclang.hpp"

namespace harrier::clang {

/// What a type lets its objects do that their use in a handler does not show. Where it
/// is not known, the answer is yes.
class type_facts {
public:
  /// An object may refer to what lies outside of it, by a pointer say: whoever has it may touch another field.
  [[nodiscard]] bool refers_elsewhere(CXType t) { return ask(t, question::refers_elsewhere); }
  /// An object that is const may change: something in it is mutable, or decided at run time.
  [[nodiscard]] bool changes_when_const(CXType t) { return ask(t, question::changes_when_const); }
  /// Making an object from an lvalue may change that, or keep a reference to it.
  [[nodiscard]] bool takes_by_reference(CXType t) { return ask(t, question::takes_by_reference); }

private:
  enum class question { refers_elsewhere, changes_when_const, takes_by_reference };

  bool ask(CXType t, question q);
  bool look(CXType t, question q);
  bool look_at_class(CXType t, question q);
  bool look_at_members(CXCursor of, question q);

  std::map<std::pair<question, const void*>, bool> known_;  ///< of a class, by its declaration
};

}  // namespace harrier::clang
