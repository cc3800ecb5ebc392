#include "formula_builder.hpp"

#include <limits>
#include <utility>

#include "../core/base/mix.hpp"

namespace harrier::internal {

std::size_t formula_builder::node_hash::operator()(const formula::node& n) const noexcept {
  return mix(mix(mix(1, static_cast<std::uint64_t>(n.op)), n.left), n.right);
}

formula_builder::index formula_builder::intern(const formula::node& n) {
  const auto [place, is_new] = index_of_node_.try_emplace(n, static_cast<index>(nodes_.size()));
  if (is_new) nodes_.push_back(n);
  return place->second;
}

formula_builder::index formula_builder::add_constant(bool value) {
  return intern({value ? ltl_operator::constant_true : ltl_operator::constant_false, 0, 0});
}

formula_builder::index formula_builder::add_proposition(std::string_view name) {
  const auto [place, is_new] = index_of_atom_.try_emplace(std::string(name), static_cast<index>(atoms_.size()));
  if (is_new) atoms_.emplace_back(name);
  return intern({ltl_operator::atom, place->second, 0});
}

formula_builder::index formula_builder::add_unary(ltl_operator op, index operand) { return intern({op, operand, 0}); }

formula_builder::index formula_builder::add_binary(ltl_operator op, index left, index right) {
  return intern({op, left, right});
}

formula_builder::index formula_builder::add(const formula& f) {
  std::vector<index> here;
  here.reserve(f.nodes().size());
  for (const auto& n : f.nodes()) {
    switch (arity(n.op)) {
      case 0: here.push_back(n.op == ltl_operator::atom ? add_proposition(f.atoms()[n.left]) : intern(n)); break;
      case 1: here.push_back(add_unary(n.op, here[n.left])); break;
      default: here.push_back(add_binary(n.op, here[n.left], here[n.right])); break;
    }
  }
  return here.back();
}

formula formula_builder::finish(index root) const {
  constexpr auto absent = std::numeric_limits<index>::max();
  formula result;
  result.nodes_.clear();
  std::vector<index> new_index(nodes_.size(), absent);
  std::vector<index> new_atom(atoms_.size(), absent);
  // Postorder, left operand first, without recursion: a node is emitted when it is met for the second time.
  std::vector<std::pair<index, bool>> pending{{root, false}};
  while (!pending.empty()) {
    const auto [at, operands_done] = pending.back();
    pending.pop_back();
    if (new_index[at] != absent) continue;
    auto n = nodes_[at];
    const auto operands = arity(n.op);
    if (!operands_done && operands > 0) {
      pending.emplace_back(at, true);
      if (operands == 2) pending.emplace_back(n.right, false);
      pending.emplace_back(n.left, false);
      continue;
    }
    if (n.op == ltl_operator::atom) {
      if (new_atom[n.left] == absent) {
        new_atom[n.left] = static_cast<index>(result.atoms_.size());
        result.atoms_.push_back(atoms_[n.left]);
      }
      n.left = new_atom[n.left];
    } else if (operands > 0) {
      n.left = new_index[n.left];
      if (operands == 2) n.right = new_index[n.right];
    }
    new_index[at] = static_cast<index>(result.nodes_.size());
    result.nodes_.push_back(n);
  }
  return result;
}

}  // namespace harrier::internal
