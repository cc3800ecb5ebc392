// Emptiness of a generalised Büchi automaton by strongly connected components.
//
// Paper: J.-M. Couvreur, "On-the-fly verification of linear temporal logic", FM 1999, the algorithm of its section on
// checking, itself Dijkstra's path-based search for components. The stack of roots is roots_, the numbering order_.
//
// Invariant: live_, cut at the roots, is the partition, into the components known so far, of the pairs that can still
// reach a root. A root's `marks` are those of the explored edges inside its component, its `entry` those of the edge
// that led to it. So as soon as `marks` are all marks, the component has an accepted cycle.
//
// D1: no recursion; the edges that are still to be followed lie on one stack, `edges_`.
//
// D2: a finished component is marked dead by walking down `live_`, not by a second search of its successors.
//
// D3: a pair in which a run may stop ends the search too, and so does one from which everything is accepted.
#include "emptiness.hpp"

#include <deque>
#include <limits>
#include <utility>

#include <harrier/core/error.hpp>

namespace harrier::internal {
namespace {

class search {
public:
  search(product& p, std::size_t max_pairs, const std::function<bool()>& enough)
      : product_(p), max_pairs_(max_pairs), enough_(enough) {}

  search_outcome run() {
    push(product_.initial(), {});
    bool is_new = true;
    while (!path_.empty()) {
      if (std::exchange(is_new, false)) {
        const auto p = path_.back().at;
        if (product_.accepts_stop(p)) return accepted_stop{p};
        if (product_.accepts_all(p)) return accepted_beginning{p};
      }
      if (max_pairs_ != 0 && product_.size() > max_pairs_) return too_many_pairs{};
      if (enough_ && ++looked_at_ % looked_at_between_polls == 0 && enough_()) return stopped_search{};
      auto& top = path_.back();
      if (edges_.size() == top.first_edge) {
        pop();
        continue;
      }
      const auto edge = std::move(edges_.back());
      edges_.pop_back();
      const auto order = order_of(edge.target);
      if (order == unseen) {
        push(edge.target, edge.marks);
        is_new = true;
      } else if (order != dead) {
        close_cycle(order, edge.marks);
        if (roots_.back().marks.includes(product_.marks())) return component();
      }
    }
    return nothing_accepted{};
  }

private:
  using number = std::uint32_t;
  static constexpr std::size_t looked_at_between_polls = 1024;
  static constexpr number unseen = 0;
  static constexpr number dead = std::numeric_limits<number>::max();

  struct root {
    number order;
    mark_set marks;
    mark_set entry;
  };
  struct frame {
    product::pair at;
    std::uint32_t first_edge;  // the edges from here on lie above this height
  };

  number order_of(product::pair p) const { return p < order_.size() ? order_[p] : unseen; }

  void push(product::pair p, mark_set entry) {
    if (edges_.size() > std::numeric_limits<std::uint32_t>::max()) throw error("a search has too many steps before it");
    path_.push_back({p, static_cast<std::uint32_t>(edges_.size())});
    product_.expand(p, edges_);
    if (order_.size() < product_.size()) order_.resize(product_.size(), unseen);
    live_.push_back(p);
    order_[p] = ++last_order_;
    roots_.push_back({last_order_, {}, std::move(entry)});
  }

  void pop() {
    const auto p = path_.back().at;
    path_.pop_back();
    if (order_[p] != roots_.back().order) return;
    roots_.pop_back();
    product::pair member;
    do {
      member = live_.back();
      live_.pop_back();
      order_[member] = dead;
    } while (member != p);
  }

  /// An edge with `marks` leads back to the live pair of this order: everything since is one component.
  void close_cycle(number order, mark_set marks) {
    while (roots_.back().order > order) {
      marks |= roots_.back().marks;
      marks |= roots_.back().entry;
      roots_.pop_back();
    }
    roots_.back().marks |= marks;
  }

  search_outcome component() const {
    accepted_component found;
    for (auto i = live_.size(); i-- > 0 && order_[live_[i]] >= roots_.back().order;) found.pairs.push_back(live_[i]);
    return found;
  }

  product& product_;
  std::size_t max_pairs_;
  const std::function<bool()>& enough_;
  std::size_t looked_at_ = 0;
  std::vector<number> order_;  // by pair
  number last_order_ = 0;
  // A way may be as long as there are pairs: these give back what they need no more, and are not moved as they grow.
  std::deque<product::pair> live_;
  std::deque<root> roots_;
  std::deque<frame> path_;
  std::vector<product::edge> edges_;
};

}  // namespace

search_outcome find_accepted(product& p, std::size_t max_pairs, const std::function<bool()>& enough) {
  return search(p, max_pairs, enough).run();
}

}  // namespace harrier::internal
