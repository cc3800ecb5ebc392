#include "smaller_program.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <utility>
#include <variant>
#include <vector>

#include <harrier/report/causes.hpp>
#include <harrier/report/text.hpp>

#include "../../core/finding_origin.hpp"

namespace harrier {
namespace {

constexpr std::uint64_t most_executions = 2'000;  // of a program that is tried
constexpr double most_seconds_each = 0.25;        // as a share of what all may take

/// The least number and those near it, then fewer and fewer: a program of a thousand actors is not tried a thousand
/// times. None below 0: -1 often stands for a number that the program chooses.
std::vector<std::int64_t> smaller_numbers(std::int64_t least, std::int64_t now) {
  least = std::max<std::int64_t>(least, 0);
  std::vector<std::int64_t> all;
  for (std::int64_t above = 0; above < now - least; above += above < 8 ? 1 : above / 2) all.push_back(least + above);
  return all;
}

/// A program as `asked`, but what `make` makes, there where it is needed first: in the process that searches it, which
/// may end of that, or never come to an end.
program made_when_needed(const program& asked, std::function<program()> make) {
  const auto made = std::make_shared<std::optional<program>>();
  const auto is = [made, make = std::move(make)]() -> const program& {
    if (!*made) *made = make();
    return **made;
  };
  auto later = asked;
  later.make = [is](delivery model) { return is().make(model); };
  later.finally = [is](final_states& end) {
    if (is().finally) is().finally(end);
  };
  return later;
}

class reduction {
public:
  reduction(const finding& found, const chosen_program& explored, const explore_request& request,
            const remake_program& remake)
      : found_(found),
        asked_(explored.made),
        request_(request),
        remake_(remake),
        parameters_(explored.parameters()),
        numbers_(numbers_of(explored)),
        seconds_(request.how.judging.minimise),
        until_(clock::now() + std::chrono::duration_cast<clock::duration>(std::chrono::duration<double>(seconds_))) {}

  std::optional<smaller_program> result() {
    while (is_one_made_smaller()) {}
    if (changed_.empty()) return {};
    const auto shown = search(parameters_, std::max(0.1, seconds_left()));
    if (!has_it(shown)) return {};
    const auto deliveries = shown_length(shown.findings.front());
    if (deliveries > shown_length(found_)) return {};  // it would be no help
    return smaller_program{changed_, deliveries};
  }

private:
  using clock = std::chrono::steady_clock;

  struct number {
    std::string name;
    std::int64_t least;
    std::int64_t now;
  };

  static std::vector<number> numbers_of(const chosen_program& explored) {
    std::vector<number> all;
    for (const auto& p : explored.values.all())
      if (const auto* value = std::get_if<std::int64_t>(&p.value)) all.push_back({p.name, p.least, *value});
    return all;
  }

  [[nodiscard]] double seconds_left() const { return std::chrono::duration<double>(until_ - clock::now()).count(); }

  bool is_one_made_smaller() {
    bool is_any = false;
    for (auto& one : numbers_) is_any = is_made_smaller(one) || is_any;
    return is_any && numbers_.size() > 1;  // one alone has its least value at once
  }

  bool is_made_smaller(number& one) {
    for (const auto value : smaller_numbers(one.least, one.now)) {
      if (seconds_left() <= 0) return false;
      auto tried = parameters_;
      tried[one.name] = std::to_string(value);
      if (!has_it(search(tried, 0))) continue;
      changed_[one.name] = value;
      parameters_ = std::move(tried);
      one.now = value;
      return true;
    }
    return false;
  }

  /// Nothing found where there is no such program, or none that can be searched like that.
  exploration search(const std::map<std::string, std::string>& parameters, double minimise) const {
    auto how = request_.how;
    how.kept = {};
    how.told = {};
    how.search.jobs = 1;
    how.search.only_estimate = false;
    how.judging.keep_going = false;
    how.judging.minimise = minimise;
    how.limits.budget = 0;
    how.limits.time_limit = std::max(0.01, std::min(seconds_left(), seconds_ * most_seconds_each));
    how.limits.max_executions = most_executions;
    try {
      return explore_isolated(made_when_needed(asked_, [&] { return remake_(parameters); }), how, request_.apart);
    } catch (...) {  // the user asked for none of these programs, and has a finding that must not be lost
      return {};
    }
  }

  [[nodiscard]] bool has_it(const exploration& tried) const {
    return !tried.findings.empty() && causes_of({found_, tried.findings.front()}).size() == 1;
  }

  const finding& found_;
  const program& asked_;
  const explore_request& request_;
  const remake_program& remake_;
  std::map<std::string, std::string> parameters_;
  std::vector<number> numbers_;
  std::map<std::string, std::int64_t> changed_;
  double seconds_;
  clock::time_point until_;
};

bool can_be_had_again(const finding& found) {
  return !is_of_the_search(found.kind) && found.kind != finding_kind::nontermination;
}

}  // namespace

const finding& first_shown(const exploration& result) {
  return result.findings[causes_of(result.findings).front().front()];
}

std::optional<smaller_program> smaller_with(const exploration& result, const chosen_program& explored,
                                            const explore_request& request, const remake_program& remake) {
  if (result.findings.empty() || request.how.judging.minimise <= 0 || result.stopped_by == "an interrupt") return {};
  const auto& first = first_shown(result);
  if (!can_be_had_again(first)) return {};
  return reduction(first, explored, request, remake).result();
}

std::string sentence_of(const smaller_program& smaller, const chosen_program& explored, std::size_t deliveries) {
  const auto before = explored.parameters();
  std::vector<std::string> now, then;
  for (const auto& [name, value] : smaller.changed) {
    now.push_back(fmt::format("{}={}", name, value));
    then.push_back(fmt::format("{}={}", name, before.at(name)));
  }
  const auto length =
      smaller.deliveries == deliveries
          ? std::string()
          : fmt::format(", in {} instead of {}", count_of(smaller.deliveries, "delivery", "deliveries"), deliveries);
  return fmt::format("smaller numbers show it, too: {} (here {}){}", fmt::join(now, " "), fmt::join(then, " "), length);
}

json_value to_json(const smaller_program& smaller) {
  return {{"parameters", smaller.changed}, {"deliveries", smaller.deliveries}};
}

}  // namespace harrier
