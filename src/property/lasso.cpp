// A short witness for what emptiness.cpp found.
//
// Breadth-first search gives a shortest way into the component; then, inside of it, the nearest edge that carries a
// mark still missing, again and again; and at last a shortest way back. Each leg is shortest. Their sum need not be:
// to find a shortest cycle that carries all marks is NP-hard.
//
// Only pairs that the search had found are visited, so a witness costs no more than the search.
#include "lasso.hpp"

#include <algorithm>
#include <functional>
#include <unordered_map>
#include <utility>

namespace harrier::internal {
namespace {

struct leg {
  std::vector<product::edge> edges;
  product::pair last;
};

/// Breadth-first search among the pairs that were known when it was made.
class walker {
public:
  explicit walker(product& p) : product_(p), known_(p.size()) {}

  using admits = std::function<bool(product::pair)>;
  using arrives = std::function<bool(const product::edge&)>;

  /// A shortest path of at least one edge, through admitted pairs, whose last edge arrives. Nothing if there is none.
  leg shortest(product::pair from, const admits& admitted, const arrives& arrived) {
    std::unordered_map<product::pair, std::pair<product::pair, product::edge>> reached_by;
    std::vector<product::pair> queue{from};
    std::vector<product::edge> edges;
    for (std::size_t head = 0; head < queue.size(); ++head) {
      const auto at = queue[head];
      edges.clear();
      product_.expand(at, edges);
      for (auto& edge : edges) {
        if (edge.target >= known_ || !admitted(edge.target)) continue;
        if (arrived(edge)) return trace(from, at, std::move(edge), reached_by);
        if (edge.target == from || reached_by.contains(edge.target)) continue;
        queue.push_back(edge.target);
        reached_by.emplace(edge.target, std::pair{at, edge});
      }
    }
    return {{}, from};
  }

private:
  static leg trace(product::pair from, product::pair at, product::edge last,
                   const std::unordered_map<product::pair, std::pair<product::pair, product::edge>>& reached_by) {
    leg result{{}, last.target};
    result.edges.push_back(std::move(last));
    while (at != from) {
      const auto& [before, edge] = reached_by.at(at);
      result.edges.push_back(edge);
      at = before;
    }
    std::reverse(result.edges.begin(), result.edges.end());
    return result;
  }

  product& product_;
  std::size_t known_;
};

/// The steps of the system under a path of the product, up to the first stutter.
std::vector<model_step> steps_of(const product& p, const state_space& space, product::pair from,
                                 const std::vector<product::edge>& edges) {
  std::vector<model_step> steps;
  auto at = from;
  for (const auto& edge : edges) {
    if (edge.step == product::stutter) break;
    steps.push_back(space.steps(p.state_of(at))[edge.step]);
    at = edge.target;
  }
  return steps;
}

}  // namespace

lasso shortest_finite(product& p, const state_space& space) {
  if (p.accepts_all(p.initial())) return {{}, {}, lasso_end::any};
  const auto anywhere = [](product::pair) { return true; };
  const auto arrived = [&](const product::edge& edge) {
    return p.accepts_stop(edge.target) || p.accepts_all(edge.target);
  };
  const auto way = walker(p).shortest(p.initial(), anywhere, arrived);
  const bool stutters = way.edges.back().step == product::stutter;
  const auto end = p.accepts_stop(way.last) ? lasso_end::stop : stutters ? lasso_end::stutter : lasso_end::any;
  return {steps_of(p, space, p.initial(), way.edges), {}, end};
}

lasso short_lasso(product& p, const state_space& space, const accepted_component& goal) {
  walker walk(p);
  std::vector<bool> is_inside(p.size());
  for (const auto pair : goal.pairs) is_inside[pair] = true;
  const auto anywhere = [](product::pair) { return true; };
  const auto inside = [&](product::pair pair) { return bool{is_inside[pair]}; };

  leg prefix{{}, p.initial()};
  if (!is_inside[p.initial()]) {
    prefix = walk.shortest(p.initial(), anywhere, [&](const product::edge& edge) { return inside(edge.target); });
  }
  const auto start = prefix.last;
  leg cycle{{}, start};
  const auto extend = [&](const walker::arrives& arrived) {
    auto more = walk.shortest(cycle.last, inside, arrived);
    cycle.last = more.last;
    cycle.edges.insert(cycle.edges.end(), more.edges.begin(), more.edges.end());
    return more.edges;
  };
  auto missing = p.marks();
  while (!missing.is_empty()) {
    for (const auto& edge : extend([&](const product::edge& e) { return e.marks.intersects(missing); })) {
      missing -= edge.marks;
    }
  }
  if (cycle.edges.empty() || cycle.last != start) extend([&](const product::edge& e) { return e.target == start; });

  lasso result{steps_of(p, space, p.initial(), prefix.edges), {}, lasso_end::cycle};
  if (cycle.edges.front().step == product::stutter) {
    result.end = lasso_end::stutter;
  } else {
    result.cycle = steps_of(p, space, start, cycle.edges);
  }
  return result;
}

}  // namespace harrier::internal
