#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include <harrier/property/ltl.hpp>

namespace harrier::internal {

/// Collects the nodes of a formula bottom up, each different one once.
class formula_builder {
public:
  /// An index to be used as operand of later nodes and in `finish`.
  using index = std::uint32_t;

  index add_constant(bool value);
  index add_proposition(std::string_view name);
  index add_unary(ltl_operator op, index operand);
  index add_binary(ltl_operator op, index left, index right);
  /// Adds a whole formula.
  index add(const formula& f);

  /// The formula at `root`: its nodes alone, in the order that makes equal formulas equal arrays.
  [[nodiscard]] formula finish(index root) const;

private:
  struct node_hash {
    std::size_t operator()(const formula::node& n) const noexcept;
  };

  index intern(const formula::node& n);

  std::vector<formula::node> nodes_;
  std::vector<std::string> atoms_;
  std::unordered_map<formula::node, index, node_hash> index_of_node_;
  std::unordered_map<std::string, index> index_of_atom_;
};

}  // namespace harrier::internal
