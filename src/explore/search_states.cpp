#include "search_states.hpp"

#include <fmt/format.h>

#include <harrier/engine/stateful.hpp>

namespace harrier {
namespace {

constexpr std::uint64_t many_states = 1'000'000;

std::string what_grows(const stateful_report& report) {
  std::string text;
  for (const auto& field : report.growing)
    text += fmt::format("{}{} takes {} values", text.empty() ? "" : ", ", field.name, field.different_values);
  return fmt::format("where the states come from: in {} sampled states, {}", report.sampled_states, text);
}

}  // namespace

std::string word_for(state_comparison c) {
  switch (c) {
    case state_comparison::none: return "none";
    case state_comparison::exact: return "exact";
    case state_comparison::canonical: return "canonical";
    case state_comparison::as_measured: return "as-measured";
  }
  return {};
}

stateful_options states_asked_for(const options& how) {
  stateful_options chosen;
  chosen.search = how.states.order;
  chosen.comparison = how.states.comparison.value_or(state_comparison::exact);
  chosen.steps = how.states.steps;
  chosen.visited = how.states.visited;
  chosen.interchangeable = how.states.interchangeable;
  chosen.sleep_sets = how.search.sleep_sets.value_or(may_sleep(chosen, how.search.delivery));
  return chosen;
}

bool are_gone_actors_seen(const system& tested, const options& how) {
  return how.judging.finally || how.judging.may_be_left ||
         const_cast<system&>(tested).in_stages() != nullptr;  // asking changes nothing
}

bool asks_for_states(const options& how) {
  const stateful_options defaults;
  return how.states.order != defaults.search ||
         how.states.comparison.value_or(state_comparison::none) != state_comparison::none ||
         how.states.steps != defaults.steps || how.states.visited != defaults.visited ||
         !how.states.interchangeable.empty();
}

namespace {

void tell(const stateful_report& report, const stateful_options& chosen, bool ended, exploration& result) {
  result.sleep_sets = chosen.sleep_sets;
  result.states = {.comparison = word_for(chosen.comparison),
                   .states = report.states,
                   .final_states = report.final_states,
                   .revisits = report.revisits,
                   .depth = report.depth,
                   .bytes_per_state = static_cast<double>(report.bytes) / static_cast<double>(report.states),
                   .expected_misses = report.expected_misses};
  if (!report.growing.empty() && (!ended || report.states >= many_states)) result.notes.push_back(what_grows(report));
}

/// With what it counted.
class states_as_asked final : public shared_search {
public:
  states_as_asked(const stateful_options& asked, made_by who) : asked_(asked), search_(share_stateful(asked_, who)) {}
  void work(search_context& s) override { search_->work(s); }
  [[nodiscard]] bool is_explored() const override { return search_->is_explored(); }
  void save(archive_writer& to) const override { search_->save(to); }
  void load(archive_reader& from) override { search_->load(from); }
  void conclude(exploration& result) const override { tell(search_->report(), asked_, is_explored(), result); }

private:
  const stateful_options asked_;
  const std::unique_ptr<shared_states> search_;
};

}  // namespace

std::unique_ptr<shared_search> search_states(const search_request& asked) {
  auto chosen = states_asked_for(asked.how);
  chosen.gone_actors = are_gone_actors_seen(asked.initial, asked.how);
  return std::make_unique<states_as_asked>(chosen, asked.who);
}

}  // namespace harrier
