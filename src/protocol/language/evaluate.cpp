#include <harrier/protocol/evaluate.hpp>

#include <algorithm>

#include <fmt/format.h>

#include "builtins.hpp"

namespace harrier::protocol {
namespace {

class evaluation {
public:
  evaluation(const specification& definitions, bindings variables)
      : definitions_(definitions), variables_(std::move(variables)) {
    static_cast<void>(internal::builtin_named("+"));  // the table is made here, not deep down on the stack
  }

  value of(const node& e) {
    const deeper guard(*this, e);
    spend(e, 1);
    switch (e.kind) {
      case node_kind::literal: return e.literal;
      case node_kind::variable: return variable(e);
      case node_kind::list:
      case node_kind::set: return set_or_list(e);
      case node_kind::choose: return choose(e);
      case node_kind::let_in: return let(e);
      case node_kind::attempt: return attempt(e);
      case node_kind::apply: return apply(e);
      default: return call(e);
    }
  }

private:
  struct deeper {
    deeper(evaluation& owner, const node& e) : self(owner) {
      if (++self.depth_ > max_evaluation_depth) {
        too_deep(e);
      }
    }
    ~deeper() { --self.depth_; }
    deeper(const deeper&) = delete;
    deeper& operator=(const deeper&) = delete;
    evaluation& self;
  };

  void spend(const node& e, std::size_t steps) {
    steps_ += steps;
    if (steps_ > max_evaluation_steps) too_long(e);
  }

  // Functions of their own, and not inlined, as are those below: the frames of a deep recursion must be small.
  [[noreturn, gnu::noinline]] static void too_deep(const node& e) {
    throw evaluation_limit(
        e.at, e.name,
        fmt::format("calls are nested more than {} deep: a function without an end?", max_evaluation_depth));
  }
  [[noreturn, gnu::noinline]] static void too_long(const node& e) {
    throw evaluation_limit(e.at, e.name, fmt::format("takes more than {} steps", max_evaluation_steps));
  }

  [[gnu::noinline]] std::vector<value> all(const node& e) {
    std::vector<value> values;
    values.reserve(e.children.size());
    for (const auto* child : e.children) values.push_back(of(*child));
    return values;
  }

  [[gnu::noinline]] value variable(const node& e) const {
    const auto found = std::find_if(variables_.rbegin(), variables_.rend() - static_cast<std::ptrdiff_t>(hidden_),
                                    [&](const auto& b) { return b.first == e.name; });
    if (found == variables_.rend() - static_cast<std::ptrdiff_t>(hidden_)) {
      throw evaluation_error(e.at, e.name, "has no value");
    }
    return found->second;
  }

  [[gnu::noinline]] value choose(const node& e) { return of(*e.children[of(*e.children[0]).truthy() ? 1 : 2]); }
  [[gnu::noinline]] value apply(const node& e) { return apply(e, of(*e.children[0]), of(*e.children[1])); }
  [[gnu::noinline]] value set_or_list(const node& e) {
    return e.kind == node_kind::set ? value::set(all(e)) : value::list(all(e));
  }

  [[gnu::noinline]] value let(const node& e) {
    const auto before = variables_.size();
    for (std::size_t i = 0; i < e.names.size(); ++i) {
      auto bound = of(*e.children[i]);
      variables_.emplace_back(e.names[i], std::move(bound));
    }
    auto result = of(*e.children.back());
    variables_.resize(before);
    return result;
  }

  [[gnu::noinline]] value attempt(const node& e) {
    const auto before = variables_.size();
    const auto hidden = hidden_;
    try {
      return of(*e.children[0]);
    } catch (const evaluation_limit&) {
      throw;
    } catch (const evaluation_error&) {
      variables_.resize(before);
      hidden_ = hidden;
      return of(*e.children[1]);
    }
  }

  [[gnu::noinline]] value call(const node& e) {
    if (e.name == "and" || e.name == "or") return shortcut(e);
    return call(e, e.name, all(e));
  }

  // The last value that was needed.
  [[gnu::noinline]] value shortcut(const node& e) {
    value result = e.name == "and" ? value(true) : value();
    for (const auto* child : e.children) {
      result = of(*child);
      if (result.truthy() == (e.name == "or")) break;
    }
    return result;
  }

  [[gnu::noinline]] value call(const node& e, const std::string& name, std::vector<value> arguments) {
    if (const auto* function = definitions_.function(name, arguments.size()))
      return enter(*function, std::move(arguments));
    return call_builtin(e, name, arguments);
  }

  [[gnu::noinline]] value call_builtin(const node& e, const std::string& name, const std::vector<value>& arguments) {
    const auto* builtin = internal::builtin_named(name);
    if (builtin == nullptr) throw evaluation_error(e.at, name, "is not a function");
    if (arguments.size() < builtin->arity.least || arguments.size() > builtin->arity.most) {
      throw evaluation_error(e.at, name, fmt::format("does not take {} arguments", arguments.size()));
    }
    const internal::builtin_context context{
        [&](const value& f, const value& argument) { return apply(e, f, argument); },
        [&](std::size_t steps) { spend(e, steps); }};
    try {
      return builtin->call(arguments, context);
    } catch (const internal::builtin_failure& failure) {
      throw evaluation_error(e.at, name, failure.message);
    }
  }

  // A function sees its parameters only.
  [[gnu::noinline]] value enter(const parameterised& function, std::vector<value> arguments) {
    const auto before = variables_.size();
    const auto hidden = std::exchange(hidden_, before);
    for (std::size_t i = 0; i < arguments.size(); ++i) {
      variables_.emplace_back(function.parameters[i], std::move(arguments[i]));
    }
    auto result = of(*function.body);
    variables_.resize(before);
    hidden_ = hidden;
    return result;
  }

  // A set as a predicate gives the element itself, or nil.
  [[gnu::noinline]] value apply(const node& e, const value& function, const value& argument) {
    const deeper guard(*this, e);
    spend(e, 1);
    if (const auto* name = function.get_if<function_name>()) return call(e, name->text, {argument});
    if (const auto* set = function.get_if<value_set>()) {
      const auto& elements = *set->elements;
      const auto found = std::lower_bound(elements.begin(), elements.end(), argument,
                                          [](const value& a, const value& b) { return compare(a, b) < 0; });
      return found != elements.end() && *found == argument ? *found : value();
    }
    throw evaluation_error(e.at, e.name, fmt::format("`{}` is not a function or set", to_string(function)));
  }

  const specification& definitions_;
  bindings variables_;
  std::size_t hidden_ = 0;  // variables of callers, not seen
  std::size_t depth_ = 0;
  std::size_t steps_ = 0;
};

}  // namespace

evaluation_error::evaluation_error(source_position where, std::string_view subject, const std::string& problem)
    : harrier::error(fmt::format("{}:{}: {}: {}", where.line, where.column, subject, problem)),
      at(where),
      construct(subject),
      message(problem) {}

const builtin_arity* find_builtin(std::string_view name) {
  const auto* found = internal::builtin_named(name);
  return found == nullptr ? nullptr : &found->arity;
}

value evaluate(const node& expression, const specification& definitions, const bindings& variables) {
  return evaluation(definitions, variables).of(expression);
}

}  // namespace harrier::protocol
