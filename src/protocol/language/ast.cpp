#include <harrier/protocol/ast.hpp>

#include <algorithm>

#include <fmt/format.h>

namespace harrier::protocol {
namespace {

std::string join(const std::vector<const node*>& children, std::string_view before = " ") {
  std::string text;
  for (const auto* child : children) text += std::string(before) + to_string(*child);
  return text;
}

std::string with_bindings(const node& n, const std::string& head) {
  std::string text = fmt::format("({} [", head);
  for (std::size_t i = 0; i < n.names.size() && i + 1 < n.children.size(); ++i) {
    text += fmt::format("{}{} {}", i == 0 ? "" : " ", n.names[i], to_string(*n.children[i]));
  }
  return fmt::format("{}] {})", text, to_string(*n.children.back()));
}

std::string bracket(std::string_view open, const std::vector<const node*>& children, char close) {
  const auto inside = join(children);
  return std::string(open) + (inside.empty() ? "" : inside.substr(1)) + close;
}

// `(s/-->> T a b)` is a send and the receive.
bool is_message(const node& n) {
  return n.children.size() == 2 && n.children[0]->kind == node_kind::send &&
         n.children[1]->kind == node_kind::receive && equal(*n.children[0]->children[0], *n.children[1]->children[0]) &&
         equal(*n.children[0]->children[1], *n.children[1]->children[1]);
}

// `(s/* b k)` is a loop of a name that nobody can write, around `(s/alt (s/cat b (s/recur ...)) k)`.
bool is_star(const node& loop) {
  if (!loop.name.starts_with('*') || loop.children.size() != 1) return false;
  const auto& turn = *loop.children[0];
  if (turn.kind != node_kind::alt || turn.children.size() != 2) return false;
  const auto& round = *turn.children[0];
  return round.kind == node_kind::cat && round.children.size() == 2 && round.children[1]->kind == node_kind::recur &&
         round.children[1]->name == loop.name;
}
std::string star(const node& loop) {
  const auto& turn = *loop.children[0];
  const auto& rest = *turn.children[1];
  return fmt::format("(s/* {}{})", to_string(*turn.children[0]->children[0]),
                     rest.kind == node_kind::skip ? "" : " " + to_string(rest));
}

const parameterised* find(const std::map<specification::key, parameterised>& in, std::string_view name, std::size_t n) {
  const auto found = in.find({std::string(name), n});
  return found == in.end() ? nullptr : &found->second;
}

}  // namespace

bool equal(const node& a, const node& b) {
  if (&a == &b) return true;
  return a.kind == b.kind && a.name == b.name && a.names == b.names && a.literal == b.literal &&
         std::equal(a.children.begin(), a.children.end(), b.children.begin(), b.children.end(),
                    [](const node* x, const node* y) { return equal(*x, *y); });
}

std::string to_string(const node& n) {
  switch (n.kind) {
    case node_kind::literal: return to_string(n.literal);
    case node_kind::variable: return n.name;
    case node_kind::call: return fmt::format("({}{})", n.name, join(n.children));
    case node_kind::apply: return bracket("(", n.children, ')');
    case node_kind::list: return bracket("[", n.children, ']');
    case node_kind::set: return bracket("#{", n.children, '}');
    case node_kind::choose: return fmt::format("(if{})", join(n.children));
    case node_kind::let_in: return with_bindings(n, "let");
    case node_kind::attempt:
      return fmt::format("(try {} (catch Exception e {}))", to_string(*n.children[0]), to_string(*n.children[1]));
    case node_kind::role:
      return n.children.empty() ? fmt::format("::{}", n.name) : fmt::format("(::{}{})", n.name, join(n.children));
    case node_kind::skip: return "(s/cat)";
    case node_kind::send: return fmt::format("(send {}{})", n.name, join(n.children));
    case node_kind::receive: return fmt::format("(receive{})", join(n.children));
    case node_kind::handshake: return fmt::format("(s/--> {}{})", n.name, join(n.children));
    case node_kind::close: return fmt::format("(s/close{})", join(n.children));
    case node_kind::cat:
      if (is_message(n)) return fmt::format("(s/-->> {}{})", n.children[0]->name, join(n.children[0]->children));
      return fmt::format("(s/cat{})", join(n.children));
    case node_kind::alt: return fmt::format("(s/alt{})", join(n.children));
    case node_kind::par: return fmt::format("(s/par{})", join(n.children));
    case node_kind::cat_every: return with_bindings(n, "s/cat-every");
    case node_kind::alt_every: return with_bindings(n, "s/alt-every");
    case node_kind::par_every: return with_bindings(n, "s/par-every");
    case node_kind::branch: return fmt::format("(s/if{})", join(n.children));
    case node_kind::let: return with_bindings(n, "s/let");
    case node_kind::loop:
      if (is_star(n)) return star(n);
      return with_bindings(n, "s/loop :" + n.name);
    case node_kind::recur: return fmt::format("(s/recur :{}{})", n.name, join(n.children));
    case node_kind::channel: return fmt::format("(s/channel{})", join(n.children));
    case node_kind::session: return fmt::format("(::{}{})", n.name, join(n.children));
  }
  return {};
}

const parameterised* specification::session(std::string_view name, std::size_t arguments) const {
  return find(sessions, name, arguments);
}

const parameterised* specification::function(std::string_view name, std::size_t arguments) const {
  return find(functions, name, arguments);
}

}  // namespace harrier::protocol
