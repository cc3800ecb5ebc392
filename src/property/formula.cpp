#include <utility>

#include <harrier/core/error.hpp>
#include <harrier/property/ltl.hpp>

#include "formula_builder.hpp"

namespace harrier {

using internal::formula_builder;

std::size_t arity(ltl_operator op) noexcept {
  switch (op) {
    case ltl_operator::constant_true:
    case ltl_operator::constant_false:
    case ltl_operator::atom: return 0;
    case ltl_operator::negation:
    case ltl_operator::next:
    case ltl_operator::eventually:
    case ltl_operator::always: return 1;
    default: return 2;
  }
}

formula::formula() : nodes_{{ltl_operator::constant_true, 0, 0}} {}

formula formula::truth(bool value) {
  formula_builder builder;
  return builder.finish(builder.add_constant(value));
}

formula formula::proposition(std::string name) {
  formula_builder builder;
  return builder.finish(builder.add_proposition(std::move(name)));
}

formula formula::unary(ltl_operator op, const formula& operand) {
  if (arity(op) != 1) throw error("formula::unary: the operator does not take one operand");
  formula_builder builder;
  return builder.finish(builder.add_unary(op, builder.add(operand)));
}

formula formula::binary(ltl_operator op, const formula& left, const formula& right) {
  if (arity(op) != 2) throw error("formula::binary: the operator does not take two operands");
  formula_builder builder;
  const auto l = builder.add(left);
  const auto r = builder.add(right);
  return builder.finish(builder.add_binary(op, l, r));
}

}  // namespace harrier
