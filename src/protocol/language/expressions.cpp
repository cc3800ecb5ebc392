#include <algorithm>

#include <fmt/format.h>

#include <harrier/protocol/evaluate.hpp>

#include "analysis.hpp"

namespace harrier::protocol::internal {

std::vector<const node*> analysis::expressions(const form& f, std::size_t from, const scope& names) {
  std::vector<const node*> result;
  for (std::size_t i = from; i < f.children.size(); ++i) result.push_back(expression(f.children[i], names));
  return result;
}

const node* analysis::expression(const form& f, const scope& names) {
  switch (f.kind) {
    case form_kind::literal: return make({node_kind::literal, f.at, {}, {}, f.literal, {}});
    case form_kind::symbol: return symbol(f, names);
    case form_kind::vector: return make({node_kind::list, f.at, {}, {}, {}, expressions(f, 0, names)});
    case form_kind::set: return make({node_kind::set, f.at, {}, {}, {}, expressions(f, 0, names)});
    case form_kind::list: break;
  }
  if (f.children.empty()) return make({node_kind::list, f.at, {}, {}, {}, {}});
  if (f.children[0].kind == form_kind::symbol) return special(f, names);
  if (f.children[0].kind == form_kind::set) {
    if (!has_parts(f, 1, 1, "a set and one element")) return fail(f, {}, "is not an expression");
    return make({node_kind::apply, f.at, {}, {}, {}, expressions(f, 0, names)});
  }
  return fail(f, to_string(f), "is not a call of a function", "(function arguments...)");
}

const node* analysis::symbol(const form& f, const scope& names) {
  if (std::find(names.variables.begin(), names.variables.end(), f.symbol) != names.variables.end()) {
    return make({node_kind::variable, f.at, f.symbol, {}, {}, {}});
  }
  if (f.symbol == "s/empty-set" || f.symbol == "empty-set") {
    return make({node_kind::literal, f.at, {}, {}, value::set({}), {}});
  }
  const bool is_function = find_builtin(f.symbol) != nullptr || spec_.function(f.symbol, 1) != nullptr;
  if (is_function) return make({node_kind::literal, f.at, {}, {}, value(function_name{f.symbol}), {}});
  std::string known;
  for (const auto& v : names.variables) known += (known.empty() ? "one of " : ", ") + v;
  return fail(f, f.symbol, "is not bound", known);
}

const node* analysis::special(const form& f, const scope& names) {
  const auto& head = f.children[0].symbol;
  if (head == "if" || head == "s/if") {
    if (!has_parts(f, 2, 3, "(if condition then else)")) return make({node_kind::literal, f.at, {}, {}, {}, {}});
    auto parts = expressions(f, 1, names);
    if (parts.size() == 2) parts.push_back(make({node_kind::literal, f.at, {}, {}, {}, {}}));
    return make({node_kind::choose, f.at, {}, {}, {}, std::move(parts)});
  }
  if (head == "let" || head == "s/let") {
    if (!has_parts(f, 2, 2, "(let [name value ...] body)")) return make({node_kind::literal, f.at, {}, {}, {}, {}});
    auto [bound_names, values, inside] = binding_vector(f.children[1], "let", names);
    values.push_back(expression(f.children[2], inside));
    return make({node_kind::let_in, f.at, {}, std::move(bound_names), {}, std::move(values)});
  }
  if (head == "try") {
    constexpr auto shape = "(try expression (catch Exception e expression))";
    if (!has_parts(f, 2, 2, shape)) return make({node_kind::literal, f.at, {}, {}, {}, {}});
    const auto& handler = f.children[2];
    if (handler.kind != form_kind::list || handler.children.size() != 4 || !handler.children[0].is_symbol("catch") ||
        handler.children[2].kind != form_kind::symbol) {
      return fail(handler, "try", "has no catch", shape);
    }
    return make({node_kind::attempt,
                 f.at,
                 {},
                 {},
                 {},
                 {expression(f.children[1], names), expression(handler.children[3], names)}});
  }
  return function_call(f, names);
}

const node* analysis::function_call(const form& f, const scope& names) {
  const auto& head = f.children[0].symbol;
  const auto count = f.children.size() - 1;
  if (std::find(names.variables.begin(), names.variables.end(), head) !=
      names.variables.end()) {  // a set in a variable
    if (!has_parts(f, 1, 1, "one argument")) return make({node_kind::literal, f.at, {}, {}, {}, {}});
    return make({node_kind::apply, f.at, {}, {}, {}, expressions(f, 0, names)});
  }
  const auto* arity = find_builtin(head);
  if (spec_.function(head, count) == nullptr) {
    if (arity == nullptr) {
      const bool other = std::any_of(spec_.functions.begin(), spec_.functions.end(),
                                     [&](const auto& entry) { return entry.first.first == head; });
      fail(f, head, other ? fmt::format("does not take {} arguments", count) : "is not a function");
    } else if (count < arity->least || count > arity->most) {
      fail(f, head, fmt::format("does not take {} argument{}", count, count == 1 ? "" : "s"),
           arity->most == any_number     ? fmt::format("at least {}", arity->least)
           : arity->least == arity->most ? fmt::format("{}", arity->least)
                                         : fmt::format("{} to {}", arity->least, arity->most));
    }
  }
  return make({node_kind::call, f.at, head, {}, {}, expressions(f, 1, names)});
}

analysis::bound analysis::binding_vector(const form& f, const std::string& construct, const scope& names) {
  bound result{{}, {}, names};
  if (f.kind != form_kind::vector || f.children.size() % 2 != 0) {
    fail(f, construct, "the bindings are not complete", "[name value ...]");
    return result;
  }
  for (std::size_t i = 0; i < f.children.size(); i += 2) {
    if (f.children[i].kind != form_kind::symbol) {
      fail(f.children[i], construct, fmt::format("`{}` is not a name", to_string(f.children[i])), "[name value ...]");
      continue;
    }
    result.values.push_back(expression(f.children[i + 1], result.inside));
    result.names.push_back(f.children[i].symbol);
    result.inside.variables.push_back(f.children[i].symbol);
  }
  return result;
}

}  // namespace harrier::protocol::internal
