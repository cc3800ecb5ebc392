// A session as a whole, and what is worth saying about it.
#include <harrier/protocol/lts.hpp>

#include <algorithm>
#include <map>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "review.hpp"

namespace harrier::protocol {
namespace {

class reviewer {
public:
  reviewer(const explored_session& session, const std::function<std::vector<std::string>()>& before)
      : session_(session), names_(session.terms->names()), before_(before) {}

  std::vector<diagnostic> all() {
    result_ = session_.terms->warnings();
    for (state_id s = 0; s < session_.graph.expanded(); ++s) look_at(s);
    return std::move(result_);
  }

private:
  void look_at(state_id s) {
    const auto steps = session_.graph.steps[s];
    for (std::size_t i = 0; i < steps.size(); ++i) {
      for (std::size_t j = i + 1; j < steps.size(); ++j) compare(s, i, j);
    }
  }

  void compare(state_id s, std::size_t i, std::size_t j) {
    const auto& [first, one] = session_.graph.steps[s][i];
    const auto& [second, other] = session_.graph.steps[s][j];
    if (first == second) {
      if (!same(one, other)) {
        report(s, i, "nondeterminism", fmt::format("`{}` can continue in two ways", describe(first)));
      }
    } else if (names_.actions()[first].subject() != names_.actions()[second].subject() && !commute(s, i, j)) {
      report(s, i, "choice",
             fmt::format("between `{}` and `{}` is not one role's: neither knows what the other does", describe(first),
                         describe(second)));
    }
  }

  // Most states that are compared are one and the same. Bisimulation takes more time and memory than all else here.
  bool same(state_id a, state_id b) const {
    if (a == b || !session_.graph.complete()) return a == b;
    if (blocks_.empty()) blocks_ = bisimulation(session_.graph);
    return blocks_[a] == blocks_[b];
  }

  // Whether both orders are possible and lead to the same.
  bool commute(state_id s, std::size_t i, std::size_t j) const {
    const auto& [first, one] = session_.graph.steps[s][i];
    const auto& [second, other] = session_.graph.steps[s][j];
    for (const auto& a : session_.graph.steps[one]) {
      for (const auto& b : session_.graph.steps[other]) {
        if (a.action == second && b.action == first && same(a.target, b.target)) return true;
      }
    }
    return one >= session_.graph.expanded() || other >= session_.graph.expanded();
  }

  std::string describe(action_id a) const { return names_.describe(names_.actions()[a]); }

  void report(state_id s, std::size_t index, const std::string& construct, const std::string& message) {
    const auto at = session_.place(s, index);
    if (!reported_.emplace(at, construct).second) return;
    auto steps = before_();
    for (const auto a : shortest_path(session_.graph, s)) steps.push_back(describe(a));
    const auto way = fmt::format("{}", fmt::join(steps, "; "));
    result_.push_back({severity::warning,
                       session_.terms->definitions().file,
                       at,
                       construct,
                       message + (way.empty() ? ", at the start" : ", after " + way),
                       {}});
  }

  const explored_session& session_;
  const alphabet& names_;
  const std::function<std::vector<std::string>()>& before_;
  mutable std::vector<std::uint32_t> blocks_;  // empty until needed
  std::vector<diagnostic> result_;
  std::set<std::pair<source_position, std::string>> reported_;
};

}  // namespace

std::size_t explored_session::terminated_states() const {
  return static_cast<std::size_t>(std::count(terminated.begin(), terminated.end(), true));
}

explored_session explore_session(std::shared_ptr<const specification> definitions, std::string_view session,
                                 std::vector<value> arguments, std::size_t max_states,
                                 const std::function<bool()>& enough) {
  return explore_session(std::make_unique<lts>(std::move(definitions), session, std::move(arguments)), max_states,
                         enough);
}

explored_session explore_session(std::unique_ptr<lts> terms, std::size_t max_states,
                                 const std::function<bool()>& enough) {
  explored_session result;
  result.terms = std::move(terms);
  auto& graph = result.graph;
  std::map<source_position, std::uint32_t> places;
  while (!graph.complete() && (max_states == 0 || graph.states() <= max_states)) {
    if (enough && enough()) break;
    const auto s = static_cast<state_id>(graph.expanded());
    graph.expand(result.terms->steps(s));
    for (const auto at : result.terms->places(s)) {
      const auto [place, is_new] = places.emplace(at, static_cast<std::uint32_t>(result.written.size()));
      if (is_new) result.written.push_back(at);
      result.place_of.push_back(place->second);
    }
    result.terminated.push_back(result.terms->terminated(s));
  }
  return result;
}

std::vector<diagnostic> internal::review_after(const explored_session& session,
                                               const std::function<std::vector<std::string>()>& before) {
  return reviewer(session, before).all();
}

std::vector<diagnostic> review(const explored_session& session) {
  return internal::review_after(session, [] { return std::vector<std::string>(); });
}

}  // namespace harrier::protocol
