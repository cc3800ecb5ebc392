#include <algorithm>
#include <limits>
#include <numeric>

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
  if (is_same_) {
    if (model_id < found_) return model_id;
    if (model_id == found_) return static_cast<model_state>(found_++);
    is_same_ = false;
    model_ids_.resize(found_);
    std::iota(model_ids_.begin(), model_ids_.end(), model_state{0});
    numbers_ = model_ids_;
  }
  if (model_id >= numbers_.size()) {
    // Dense ids grow by one; doubling keeps that linear.
    const auto enough = std::size_t{model_id} + 1;
    if (numbers_.capacity() < enough) numbers_.reserve(std::max(enough, 2 * numbers_.capacity()));
    numbers_.resize(enough, unnumbered);
  }
  auto& place = numbers_[model_id];
  if (place == unnumbered) {
    place = static_cast<model_state>(found_++);
    model_ids_.push_back(model_id);
  }
  return place;
}

void state_space::reserve(std::size_t states, std::size_t transitions) {
  first_step_.reserve(states + 1);
  steps_.reserve(transitions);
}

void state_space::explore(std::size_t count) {
  while (expanded() < count && !complete()) {
    // A model that throws leaves this state unexpanded; what it had already led to stays numbered, which changes
    // nothing but the order in which the successors of this state would have been numbered: it is the same order.
    const auto successors = source_->successors(model_id(static_cast<model_state>(expanded())));
    const auto before = steps_.size();
    try {
      if (before + successors.size() > std::numeric_limits<std::uint32_t>::max())
        throw error("a model has too many transitions to number them");
      for (const auto& step : successors) steps_.push_back({step.label, number(step.target)});
      first_step_.push_back(static_cast<std::uint32_t>(steps_.size()));
    } catch (...) {
      steps_.resize(before);
      throw;
    }
  }
}

}  // namespace harrier
