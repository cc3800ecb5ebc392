#include <algorithm>
#include <limits>

#include <harrier/core/error.hpp>
#include <harrier/property/model.hpp>

namespace harrier {
namespace {
constexpr auto unnumbered = std::numeric_limits<model_state>::max();
}

std::vector<model_role> model::acting(model_label /*label*/) { return {}; }

std::optional<std::vector<model_role>> model::enabled(model_state /*state*/) { return std::nullopt; }

state_space::state_space(model& source) : source_(&source), first_step_{0} { number(source.initial()); }

model_state state_space::number(model_state model_id) {
  if (model_id == unnumbered) throw error("a model has too many states to number them");
  if (model_id >= numbers_.size()) {
    // Dense ids grow by one; doubling keeps that linear.
    const auto enough = std::size_t{model_id} + 1;
    if (numbers_.capacity() < enough) numbers_.reserve(std::max(enough, 2 * numbers_.capacity()));
    numbers_.resize(enough, unnumbered);
  }
  auto& place = numbers_[model_id];
  if (place == unnumbered) {
    place = static_cast<model_state>(model_ids_.size());
    model_ids_.push_back(model_id);
  }
  return place;
}

void state_space::reserve(std::size_t states, std::size_t transitions) {
  model_ids_.reserve(states);
  numbers_.reserve(states);
  first_step_.reserve(states + 1);
  steps_.reserve(transitions);
}

void state_space::explore(std::size_t count) {
  while (expanded() < count && !complete()) {
    // A model that throws leaves this state unexpanded; what it had already led to stays numbered, which changes
    // nothing but the order in which the successors of this state would have been numbered: it is the same order.
    const auto successors = source_->successors(model_ids_[expanded()]);
    const auto before = steps_.size();
    try {
      for (const auto& step : successors) steps_.push_back({step.label, number(step.target)});
      first_step_.push_back(steps_.size());
    } catch (...) {
      steps_.resize(before);
      throw;
    }
  }
}

}  // namespace harrier
