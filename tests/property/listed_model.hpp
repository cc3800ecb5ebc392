#pragma once

#include <cstddef>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <harrier/property/model.hpp>

namespace harrier::test {

/// An action: the propositions that hold in it, and the roles that act.
struct action {
  std::set<std::string> propositions;
  std::vector<model_role> roles;
};

/// A model written down: `states[s]` lists the steps of state s, as (label, target).
class listed_model : public model {
public:
  listed_model(std::vector<action> labels, std::vector<std::vector<model_step>> states)
      : labels_(std::move(labels)), states_(std::move(states)) {}

  model_state initial() override { return 0; }
  std::span<const model_step> successors(model_state s) override {
    ++expansions_;
    return states_.at(s);
  }
  bool holds(model_label l, std::string_view p) override {
    ++questions_;
    return labels_.at(l).propositions.contains(std::string(p));
  }
  std::vector<model_role> acting(model_label l) override { return labels_.at(l).roles; }

  const std::vector<action>& labels() const { return labels_; }
  const std::vector<std::vector<model_step>>& states() const { return states_; }
  std::size_t expansions() const { return expansions_; }
  std::size_t questions() const { return questions_; }

private:
  std::vector<action> labels_;
  std::vector<std::vector<model_step>> states_;
  std::size_t expansions_ = 0;
  std::size_t questions_ = 0;
};

}  // namespace harrier::test
