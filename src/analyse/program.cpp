#include "program.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "cursors.hpp"
#include "tree.hpp"

namespace harrier::clang {
namespace {

/// Members that harrier calls itself, or that say something of the class.
bool is_a_hook(const std::string& name) {
  static const std::set<std::string> names = {"accepts",   "at_rest", "declares", "finally", "inspect",
                                              "run_etest", "test",    "set_up",   "start_up"};
  return names.count(name) != 0 || name.substr(0, 8) == "operator";
}

bool takes_self(CXCursor method) {
  return Cursor_getNumArguments(method) > 0 &&
         name_of(type_of(Cursor_getArgument(method, 0))).find("harrier::self &") == 0;
}

/// Member functions that a declaration's types name: of `handler<&fork::take>`.
std::vector<CXCursor> methods_in(CXCursor declaration) { return syntax_tree(declaration).methods(); }

bool is_base_of(CXCursor base, CXCursor of_class) {
  if (key_of(base) == key_of(of_class)) return true;
  const auto members = children_of(getCursorDefinition(of_class));
  return std::any_of(members.begin(), members.end(), [&](CXCursor member) {
    return getCursorKind(member) == CXCursor_CXXBaseSpecifier && is_base_of(base, getTypeDeclaration(type_of(member)));
  });
}

/// Whether an object of one may be part of an object of the other.
bool are_related(CXCursor a, CXCursor b) {
  return is_class(a) && is_class(b) && (is_base_of(a, b) || is_base_of(b, a));
}

/// A message perhaps, that another file sends, or a function that is made of a template and not found.
bool is_plausible(CXCursor method) {
  return getCursorKind(method) == CXCursor_CXXMethod && CXXMethod_isStatic(method) == 0 && takes_self(method) &&
         getCXXAccessSpecifier(method) == CX_CXXPublic && !is_a_hook(name_of(method));
}

}  // namespace

actor_program::actor_program(CXTranslationUnit unit) {
  for (const auto declaration : children_of(getTranslationUnitCursor(unit))) collect(declaration);
  // Functions made of templates, and lambdas, are found where they are named.
  for (std::size_t i = 0; i < functions_.size(); ++i) read(functions_[i]);
  find_handlers();
}

void actor_program::collect(CXCursor declaration) {
  if (is_foreign(declaration)) return;
  switch (getCursorKind(declaration)) {
    case CXCursor_Namespace:
    case CXCursor_LinkageSpec:
    case CXCursor_UnexposedDecl:
      for (const auto inner : children_of(declaration)) collect(inner);
      return;
    case CXCursor_StructDecl:
    case CXCursor_ClassDecl:
    case CXCursor_UnionDecl: return collect_class(declaration);
    case CXCursor_VarDecl: functions_.push_back(declaration); return;
    default:
      if (!is_function(declaration)) return;
      if (const auto definition = getCursorDefinition(declaration); !is_none(definition))
        functions_.push_back(definition);
  }
}

void actor_program::collect_class(CXCursor declaration) {
  if (outermost_namespace(declaration) == "harrier" && name_of(declaration) == "declared")
    return declared_beside(declaration);
  if (equalCursors(getCursorDefinition(declaration), declaration) == 0) return;
  classes_.push_back(declaration);
  for (const auto member : children_of(declaration)) {
    collect(member);
    if (name_of(member) == "declares") declared_beside(member);
    if (name_of(member) == "accepts" || name_of(member) == "declares")
      for (const auto handler : methods_in(member)) add_handler(handler);
  }
}

void actor_program::declared_beside(CXCursor declaration) {
  // The first that it names is what it is about; the others are what that sends.
  if (const auto named = methods_in(declaration); !named.empty())
    declared_.emplace(key_of(named.front()), place_of(declaration));
}

void actor_program::read(CXCursor definition) {
  const auto [at, is_new] = facts_.emplace(key_of(definition), function_facts());
  if (!is_new) return;
  at->second = facts_of(definition, types_);
  for (const auto& c : at->second.calls) functions_.push_back(c.function);
  functions_.insert(functions_.end(), at->second.names.begin(), at->second.names.end());
}

void actor_program::add_handler(CXCursor method) {
  if (!known_handlers_.insert(key_of(method)).second) return;
  const auto definition = getCursorDefinition(method);
  handlers_.push_back(is_none(definition) ? method : definition);
  if (!is_none(definition) && facts_.count(key_of(method)) == 0) {
    // Of a class template it is found by its name alone.
    auto first = functions_.size();
    functions_.push_back(definition);
    for (; first < functions_.size(); ++first) read(functions_[first]);
  }
}

void actor_program::find_handlers() {
  std::size_t before = 0;
  do {  // what is sent by what was not known to be one
    before = handlers_.size();
    std::vector<CXCursor> named;
    for (const auto& [key, facts] : facts_) {
      for (const auto& s : facts.sends) named.push_back(s.handler);
      for (const auto& c : facts.continuations) named.insert(named.end(), c.by.begin(), c.by.end());
    }
    for (const auto handler : named) add_handler(handler);
  } while (handlers_.size() != before);
  for (const auto c : classes_)
    for (const auto member : children_of(c))
      if (is_plausible(member)) add_handler(member);
  std::stable_sort(handlers_.begin(), handlers_.end(), [](CXCursor a, CXCursor b) {
    const auto x = place_of(getCanonicalCursor(a));
    const auto y = place_of(getCanonicalCursor(b));
    return std::pair(x.file, x.line) < std::pair(y.file, y.line);
  });
}

/// Tells the facts of a function and of all that it calls, and whether that is done to the same object.
void actor_program::for_all_called(CXCursor definition,
                                   const std::function<void(const function_facts&, bool on_this)>& tell) {
  std::vector<function_facts::called> to_see = {{definition, true}};
  std::set<std::pair<std::string, bool>> seen;
  while (!to_see.empty()) {
    const auto [function, on_this] = to_see.back();
    to_see.pop_back();
    if (!seen.emplace(key_of(function), on_this).second) continue;
    const auto& facts = facts_[key_of(function)];
    for (auto c = facts.calls.rbegin(); c != facts.calls.rend(); ++c)
      to_see.push_back({c->function, on_this && c->on_this});
    tell(facts, on_this);
  }
}

handler_summary actor_program::all_of(CXCursor handler) {
  handler_summary all;
  const auto definition = getCursorDefinition(handler);
  if (is_none(definition)) {
    const source_remark unseen{place_of(handler), "its body is not in this file"};
    all.any_field.push_back(unseen);
    all.any_send.push_back(unseen);
    return all;
  }
  for_all_called(definition, [&](const function_facts& facts, bool on_this) {
    all.sends.insert(all.sends.end(), facts.sends.begin(), facts.sends.end());
    add_new(all.any_send, facts.any_send);
    add_new(all.any_field, facts.any_field_of_any);
    all.shared.insert(all.shared.end(), facts.shared.begin(), facts.shared.end());
    if (!on_this) return;
    all.fields.insert(all.fields.end(), facts.fields.begin(), facts.fields.end());
    add_new(all.any_field, facts.any_field);
  });
  const int count = Cursor_getNumArguments(definition);
  for (int i = 0; i < count; ++i) {
    const auto parameter = Cursor_getArgument(definition, static_cast<unsigned>(i));
    auto t = type_of(parameter);
    if (is_reference(t)) t = canonical(getPointeeType(t));
    if (types_.refers_elsewhere(t))
      all.any_field.push_back(
          {place_of(parameter), fmt::format("argument {} may refer to fields: it is a {}", name_of(parameter),
                                            name_of(getCursorType(parameter)))});
  }
  add_leaks(getCursorSemanticParent(definition), all);
  add_replies(key_of(handler), all);
  return all;
}

/// Whether a member of the class, by what it calls, hands its object to what is not seen: that may use it in any
/// handler.
void actor_program::add_leaks(CXCursor of_class, handler_summary& all) {
  for (const auto f : std::vector<CXCursor>(functions_)) {
    if (getCursorKind(f) == CXCursor_VarDecl || !are_related(getCursorSemanticParent(f), of_class)) continue;
    bool exposes = false;
    std::vector<source_remark> unseen;
    for_all_called(f, [&](const function_facts& facts, bool on_this) {
      exposes |= on_this && facts.exposes;
      add_new(unseen, facts.unseen);
    });
    if (exposes) add_new(all.any_field, unseen);
  }
}

/// The reply to a call that is continued is a message, sent by who was called.
void actor_program::add_replies(const std::string& handler, handler_summary& all) {
  const auto is_called = [&](CXCursor c) { return key_of(c) == handler; };
  const bool is_called_at_all = std::any_of(facts_.begin(), facts_.end(), [&](const auto& f) {
    return std::any_of(f.second.sends.begin(), f.second.sends.end(),
                       [&](const auto& s) { return s.is_call && is_called(s.handler); });
  });
  if (!is_called_at_all) return;
  for (const auto& [key, facts] : facts_)
    for (const auto& c : facts.continuations)
      if (c.callees.empty() || std::any_of(c.callees.begin(), c.callees.end(), is_called))
        for (const auto by : c.by) all.sends.push_back({by, "who called it", c.where, false});
}

std::vector<analysed_handler> actor_program::handlers() {
  std::vector<analysed_handler> all;
  for (const auto h : handlers_) {
    const auto at = declared_.find(key_of(h));
    all.push_back(describe(h, all_of(h), at == declared_.end() ? nullptr : &at->second));
  }
  return all;
}

}  // namespace harrier::clang
