#include "tree.hpp"

#include <algorithm>
#include <set>
#include <tuple>

#include "cursors.hpp"

namespace harrier::clang {
namespace {

class builder {
public:
  explicit builder(std::vector<syntax_tree::node>& nodes) : nodes_(nodes) {}

  void add(CXCursor c, std::size_t parent) {
    if (getCursorKind(c) == CXCursor_UnaryExpr || (is_class(c) && parent != syntax_tree::none)) return;
    if (parent != syntax_tree::none && is_again(c, nodes_[parent].cursor)) return;
    const auto own = nodes_.size();
    nodes_.push_back({c, parent});
    if (parent != syntax_tree::none) nodes_[parent].children.push_back(own);
    for (const auto child : children_of(c)) add(child, own);
    // What a lambda captures by a name of its own has its initialiser there.
    if (getCursorKind(c) == CXCursor_VariableRef && parent != syntax_tree::none &&
        getCursorKind(nodes_[parent].cursor) == CXCursor_LambdaExpr)
      add(getCursorReferenced(c), parent);
  }

private:
  /// A coroutine shows what it awaits several times, and what is awaited in that several times as often.
  bool is_again(CXCursor c, CXCursor parent) {
    if (isExpression(getCursorKind(c)) == 0 && isStatement(getCursorKind(c)) == 0) return false;
    return !seen_.insert({c.data[1], parent.data[1], getCursorKind(c)}).second;
  }

  std::vector<syntax_tree::node>& nodes_;
  std::set<std::tuple<const void*, const void*, CXCursorKind>> seen_;
};

}  // namespace

syntax_tree::syntax_tree(CXCursor root) { builder(nodes_).add(root, none); }

std::size_t syntax_tree::place(std::size_t i) const {
  const auto& among = children(parent(i));
  return static_cast<std::size_t>(std::find(among.begin(), among.end(), i) - among.begin());
}

std::size_t syntax_tree::bare(std::size_t i) const {
  while ((kind(i) == CXCursor_ParenExpr || kind(i) == CXCursor_UnexposedExpr) && children(i).size() == 1)
    i = children(i).front();
  return i;
}

std::size_t syntax_tree::callee(std::size_t call) const {
  if (children(call).empty()) return none;
  const auto first = bare(children(call).front());
  if (kind(first) != CXCursor_MemberRefExpr) return none;
  // An operator's first operand may be a member, too.
  const auto called = getCursorReferenced(cursor(call));
  const auto named = getCursorReferenced(cursor(first));
  if (is_none(called)) return getCursorKind(named) == CXCursor_FieldDecl ? none : first;
  return equalCursors(named, called) != 0 ? first : none;
}

std::size_t syntax_tree::call_of(std::size_t member) const {
  auto i = parent(member);
  while (i != none && (kind(i) == CXCursor_ParenExpr || kind(i) == CXCursor_UnexposedExpr)) i = parent(i);
  return i != none && kind(i) == CXCursor_CallExpr && callee(i) == member ? i : none;
}

std::size_t syntax_tree::object(std::size_t member) const {
  for (const auto child : children(member)) {
    if (isExpression(kind(child)) == 0 || kind(child) == CXCursor_OverloadedDeclRef) continue;
    auto t = type_of(cursor(child));
    if (is_pointer(t)) t = canonical(getPointeeType(t));
    return is_record(t) || is_open(t) ? child : none;
  }
  return none;
}

bool syntax_tree::is_of_this(std::size_t member) const {
  const auto whose = object(member);
  if (whose == none) return true;
  auto expression = bare(whose);
  if (kind(expression) == CXCursor_UnaryOperator && !children(expression).empty())
    expression = bare(children(expression).front());
  return kind(expression) == CXCursor_CXXThisExpr;
}

std::vector<CXCursor> syntax_tree::methods() const {
  std::vector<CXCursor> all;
  for (std::size_t i = 0; i < size(); ++i)
    if (const auto named = getCursorReferenced(cursor(i));
        kind(i) == CXCursor_DeclRefExpr && getCursorKind(named) == CXCursor_CXXMethod)
      all.push_back(named);
  return all;
}

std::vector<CXCursor> syntax_tree::methods_named_by(std::size_t member) const {
  std::vector<CXCursor> all;
  std::vector<std::size_t> to_see;
  for (const auto child : children(member))
    if (child != object(member)) to_see.insert(to_see.begin(), child);
  while (!to_see.empty()) {
    const auto i = to_see.back();
    to_see.pop_back();
    if (const auto named = getCursorReferenced(cursor(i)); kind(i) == CXCursor_DeclRefExpr) {
      if (getCursorKind(named) == CXCursor_CXXMethod) all.push_back(named);
      if (getCursorKind(named) == CXCursor_VarDecl) {  // a constant that stands for one
        const auto more = syntax_tree(named).methods();
        all.insert(all.end(), more.begin(), more.end());
      }
    }
    to_see.insert(to_see.end(), children(i).rbegin(), children(i).rend());
  }
  return all;
}

std::size_t syntax_tree::function_of(std::size_t i) const {
  while (parent(i) != none && kind(i) != CXCursor_LambdaExpr && !is_function(cursor(i))) i = parent(i);
  return i;
}

}  // namespace harrier::clang
