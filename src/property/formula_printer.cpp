#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <harrier/core/error.hpp>
#include <harrier/property/ltl.hpp>

namespace harrier {
namespace {

/// How tightly an operator binds; the grammar of formula_parser.cpp in numbers.
enum class binding : std::uint8_t { disjunction, conjunction, binary, unary, atom };

binding binding_of(ltl_operator op) {
  switch (arity(op)) {
    case 0: return binding::atom;
    case 1: return binding::unary;
    default: break;
  }
  if (op == ltl_operator::disjunction) return binding::disjunction;
  if (op == ltl_operator::conjunction) return binding::conjunction;
  return binding::binary;
}

std::string_view symbol(ltl_operator op) {
  switch (op) {
    case ltl_operator::constant_true: return "true";
    case ltl_operator::constant_false: return "false";
    case ltl_operator::atom: return "";
    case ltl_operator::negation: return "!";
    case ltl_operator::conjunction: return " & ";
    case ltl_operator::disjunction: return " | ";
    case ltl_operator::implication: return " -> ";
    case ltl_operator::equivalence: return " <-> ";
    case ltl_operator::exclusive_or: return " ^ ";
    case ltl_operator::next: return "X ";
    case ltl_operator::eventually: return "F ";
    case ltl_operator::always: return "G ";
    case ltl_operator::until: return " U ";
    case ltl_operator::weak_until: return " W ";
    case ltl_operator::release: return " R ";
    case ltl_operator::strong_release: return " M ";
  }
  return "";
}

bool is_name(std::string_view text) {
  constexpr std::string_view words[] = {"tt", "true", "ff", "false", "xor"};
  const auto begins = [](char c) { return (c >= 'a' && c <= 'z') || c == 'L' || c == '_'; };
  const auto continues = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
  };
  return !text.empty() && begins(text.front()) && std::all_of(text.begin(), text.end(), continues) &&
         std::find(std::begin(words), std::end(words), text) == std::end(words);
}

std::string quoted(const std::string& name) {
  if (is_name(name)) return name;
  const bool has_double = name.find('"') != std::string::npos;
  if (name.empty() || name.find_first_of("\r\n") != std::string::npos ||
      (has_double && name.find('\'') != std::string::npos)) {
    throw error("to_string: a proposition that cannot be quoted: " + name);
  }
  const char mark = has_double ? '\'' : '"';
  return mark + name + mark;
}

/// What is still to be written: a subformula or a piece of text.
struct item {
  std::uint32_t node;
  binding at_least;       // a subformula that binds less tightly needs parentheses
  std::string_view text;  // written instead of the node, unless empty
};

}  // namespace

std::string to_string(const formula& f) {
  const auto nodes = f.nodes();
  std::string out;
  std::vector<item> pending{{static_cast<std::uint32_t>(nodes.size() - 1), binding::disjunction, {}}};
  const auto push_text = [&](std::string_view text) { pending.push_back({0, binding::atom, text}); };
  while (!pending.empty()) {
    const auto next = pending.back();
    pending.pop_back();
    if (!next.text.empty()) {
      out += next.text;
      continue;
    }
    const auto& n = nodes[next.node];
    const auto own = binding_of(n.op);
    if (own < next.at_least) {
      out += '(';
      push_text(")");
    }
    switch (own) {
      case binding::atom: out += n.op == ltl_operator::atom ? quoted(f.atoms()[n.left]) : symbol(n.op); break;
      case binding::unary:
        out += symbol(n.op);
        pending.push_back({n.left, binding::unary, {}});
        break;
      case binding::binary:  // groups to the right
        pending.push_back({n.right, binding::binary, {}});
        push_text(symbol(n.op));
        pending.push_back({n.left, binding::unary, {}});
        break;
      default:  // & and | are read from the left
        pending.push_back({n.right, static_cast<binding>(static_cast<std::uint8_t>(own) + 1), {}});
        push_text(symbol(n.op));
        pending.push_back({n.left, own, {}});
        break;
    }
  }
  return out;
}

}  // namespace harrier
