#include <algorithm>
#include <map>

#include <fmt/format.h>

#include <harrier/protocol/parse.hpp>

#include "../language/analysis.hpp"

namespace harrier::protocol::internal {
namespace {

constexpr auto a_term =
    "-->>, -->, close, channel, cat, alt, par, cat-every, alt-every, par-every, if, let, loop, recur, ?, *, + or a "
    "session "
    "(::name "
    "arguments...)";

}  // namespace

const node* analysis::term(const form& f, const scope& names) {
  if (f.kind == form_kind::vector) return sequence(f, 0, names);
  if (f.kind == form_kind::symbol && (f.symbol == "s/end" || f.symbol == "s/skip")) return skip(f.at);
  if (f.kind != form_kind::list || f.children.empty()) return fail(f, to_string(f), "is not a protocol", a_term);
  if (!keyword_name(f.children[0]).empty()) return session(f, names);
  if (f.children[0].kind != form_kind::symbol) return fail(f, to_string(f), "is not a protocol", a_term);
  std::string_view name = f.children[0].symbol;
  if (name.starts_with("s/")) name.remove_prefix(2);
  return operation(f, name, names);
}

const node* analysis::operation(const form& f, std::string_view name, const scope& names) {
  if (name == "-->>") return communication(f, node_kind::send, names);
  if (name == "-->") return communication(f, node_kind::handshake, names);
  if (name == "close") return close(f, names);
  if (name == "channel") return channel(f, names);
  if (name == "cat" || name == "do") return sequence(f, 1, names);
  if (name == "alt") return choice(f, node_kind::alt, names);
  if (name == "par") return choice(f, node_kind::par, names);
  if (name == "cat-every") return every(f, node_kind::cat_every, names);
  if (name == "alt-every") return every(f, node_kind::alt_every, names);
  if (name == "par-every") return every(f, node_kind::par_every, names);
  if (name == "if") return branch(f, names);
  if (name == "let") return let(f, names);
  if (name == "loop") return loop(f, names);
  if (name == "recur") return recur(f, names);
  if (name == "?" || name == "*" || name == "+") return repetition(f, name[0], names);
  if (name == "end" || name == "skip") return skip(f.at);
  return fail(f, f.children[0].symbol, "is not an operator of protocols", a_term);
}

const node* analysis::cat(source_position at, std::vector<const node*> children) {
  if (children.empty()) return skip(at);
  if (children.size() == 1) return children[0];
  return make({node_kind::cat, at, {}, {}, {}, std::move(children)});
}

const node* analysis::sequence(const form& f, std::size_t from, const scope& names) {
  std::vector<const node*> children;
  for (std::size_t i = from; i < f.children.size(); ++i) {
    children.push_back(term(f.children[i], i + 1 < f.children.size() ? names.followed() : names));
  }
  return cat(f.at, std::move(children));
}

const node* analysis::role(const form& f, const scope& names) {
  const bool indexed = f.kind == form_kind::list && !f.children.empty();
  const auto name = keyword_name(indexed ? f.children[0] : f);
  if (name.empty()) return fail(f, to_string(f), "is not a role", "::role or (::role index...)");
  if (!spec_.roles.contains(name) && warned_roles_.insert(name).second) {
    report(severity::warning, f.at, "::" + name, std::string(undeclared_role), fmt::format("(s/defrole ::{})", name));
  }
  return make({node_kind::role, f.at, name, {}, {}, indexed ? expressions(f, 1, names) : std::vector<const node*>{}});
}

const node* analysis::communication(const form& f, node_kind kind, const scope& names) {
  const auto& head = f.children[0].symbol;
  if (!has_parts(f, 2, 3, fmt::format("({} type from to)", head))) return skip(f.at);
  const bool typed = f.children.size() == 4;
  const auto& type = f.children[1];
  if (typed && type.kind != form_kind::symbol) {
    return fail(type, head, fmt::format("`{}` is not the type of a message", to_string(type)),
                "a name, as Boolean or game.Move");
  }
  const std::string name = typed ? type.symbol : "Object";
  const auto* from = role(f.children[typed ? 2 : 1], names);
  const auto* to = role(f.children[typed ? 3 : 2], names);
  if (equal(*from, *to)) report(severity::warning, f.at, head, "sender and receiver are the same role");
  if (kind == node_kind::handshake) return make({kind, f.at, name, {}, {}, {from, to}});
  return cat(f.at, {make({node_kind::send, f.at, name, {}, {}, {from, to}}),
                    make({node_kind::receive, f.at, {}, {}, {}, {from, to}})});
}

const node* analysis::close(const form& f, const scope& names) {
  if (!has_parts(f, 2, 2, "(s/close from to)")) return skip(f.at);
  return make({node_kind::close, f.at, {}, {}, {}, {role(f.children[1], names), role(f.children[2], names)}});
}

const node* analysis::channel(const form& f, const scope& names) {
  if (!has_parts(f, 4, any_number, "(s/channel from to capacity body...)")) return skip(f.at);
  const auto* from = role(f.children[1], names);
  const auto* to = role(f.children[2], names);
  const auto* capacity = expression(f.children[3], names);
  return make({node_kind::channel, f.at, {}, {}, {}, {from, to, capacity, sequence(f, 4, names.followed())}});
}

const node* analysis::choice(const form& f, node_kind kind, const scope& names) {
  const auto inside = kind == node_kind::par && f.children.size() > 2 ? names.followed() : names;
  std::vector<const node*> children;
  for (std::size_t i = 1; i < f.children.size(); ++i) children.push_back(term(f.children[i], inside));
  if (children.empty()) return skip(f.at);
  if (children.size() == 1) return children[0];
  return make({kind, f.at, {}, {}, {}, std::move(children)});
}

const node* analysis::every(const form& f, node_kind kind, const scope& names) {
  const auto& head = f.children[0].symbol;
  if (!has_parts(f, 2, any_number, fmt::format("({} [name collection ...] body)", head))) return skip(f.at);
  auto [bound_names, values, inside] = binding_vector(f.children[1], head, names);
  values.push_back(sequence(f, 2, kind == node_kind::alt_every ? inside : inside.followed()));
  return make({kind, f.at, {}, std::move(bound_names), {}, std::move(values)});
}

const node* analysis::branch(const form& f, const scope& names) {
  if (!has_parts(f, 2, 3, "(s/if condition then else)")) return skip(f.at);
  const auto* condition = expression(f.children[1], names);
  const auto* then = term(f.children[2], names);
  const auto* otherwise = f.children.size() > 3 ? term(f.children[3], names) : skip(f.at);
  return make({node_kind::branch, f.at, {}, {}, {}, {condition, then, otherwise}});
}

const node* analysis::let(const form& f, const scope& names) {
  if (!has_parts(f, 1, any_number, "(s/let [name value ...] body...)")) return skip(f.at);
  auto [bound_names, values, inside] = binding_vector(f.children[1], f.children[0].symbol, names);
  values.push_back(sequence(f, 2, inside));
  return make({node_kind::let, f.at, {}, std::move(bound_names), {}, std::move(values)});
}

const node* analysis::loop(const form& f, const scope& names) {
  constexpr auto shape = "(s/loop :label [name value ...] body...)";
  if (!has_parts(f, 2, any_number, shape)) return skip(f.at);
  const auto label = keyword_name(f.children[1]);
  if (label.empty()) return fail(f.children[1], f.children[0].symbol, "has no label", shape);
  auto [bound_names, values, inside] = binding_vector(f.children[2], f.children[0].symbol, names);
  inside.loops.push_back({label, true});
  values.push_back(sequence(f, 3, inside));
  return make({node_kind::loop, f.at, label, std::move(bound_names), {}, std::move(values)});
}

const node* analysis::recur(const form& f, const scope& names) {
  if (!has_parts(f, 1, any_number, "(s/recur :label values...)")) return skip(f.at);
  const auto label = keyword_name(f.children[1]);
  const auto found =
      std::find_if(names.loops.rbegin(), names.loops.rend(), [&](const auto& l) { return l.label == label; });
  const auto construct = fmt::format("{} :{}", f.children[0].symbol, label);
  if (found == names.loops.rend()) {
    std::string known;
    for (const auto& l : names.loops) {
      if (l.label[0] != '*') known += (known.empty() ? ":" : ", :") + l.label;
    }
    return fail(f, construct, "is in no loop of that name", known);
  }
  if (!found->tail) return fail(f, construct, "is not the last thing that its loop does");
  return make({node_kind::recur, f.at, label, {}, {}, expressions(f, 2, names)});
}

// (? b k): alt[b, k].  (* b k): loop n [] alt[cat[b, recur n], k].  (+ b k): cat[b, (* b k)].  k may be missing: skip.
const node* analysis::repetition(const form& f, char which, const scope& names) {
  const auto& head = f.children[0].symbol;
  if (!has_parts(f, 1, 2, fmt::format("({} body) or ({} body continuation)", head, head))) return skip(f.at);
  const auto* rest = f.children.size() > 2 ? term(f.children[2], names) : skip(f.at);
  const auto* body = term(f.children[1], which == '?' ? names : names.followed());
  if (which == '?') return make({node_kind::alt, f.at, {}, {}, {}, {body, rest}});
  const auto label = fmt::format("*{}:{}", f.at.line, f.at.column);  // no name that can be written
  const auto* again = make({node_kind::recur, f.at, label, {}, {}, {}});
  const auto* turn = make({node_kind::alt, f.at, {}, {}, {}, {cat(f.at, {body, again}), rest}});
  const auto* star = make({node_kind::loop, f.at, label, {}, {}, {turn}});
  return which == '*' ? star : cat(f.at, {body, star});
}

const node* analysis::session(const form& f, const scope& names) {
  const auto name = keyword_name(f.children[0]);
  session_calls_.push_back({name, f.children.size() - 1, f.at});
  return make({node_kind::session, f.at, name, {}, {}, expressions(f, 1, names)});
}

}  // namespace harrier::protocol::internal
