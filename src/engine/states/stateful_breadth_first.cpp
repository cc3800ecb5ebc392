// Explicit-state search of actor programs, breadth first.
//
// A state is reached first by a shortest way, so the first finding has a
// shortest schedule.
//
// D1  States are not kept, but how each was reached: the state before it and
//     the message delivered there, 8 bytes. To come from one state to the next
//     the system goes back to where their ways part, and forth. The ways form a
//     tree, and states of one level are in its order from left to right, so a
//     level costs no more than a walk through the tree above it.
// D2  No sleep sets: every delivery possible in a state is made.
#include <unordered_map>
#include <utility>

#include "../depth_first.hpp"
#include "state_search.hpp"

namespace harrier {
namespace {

class breadth_first_states : state_search {
public:
  using state_search::state_search;

  bool run() {
    const bool ended = search();
    complete_report(ways_.capacity() * sizeof(way));
    return ended;
  }

private:
  struct way {
    std::uint32_t from;
    message_slot message;
  };
  static constexpr std::uint32_t start = 0;

  bool search() {
    if (system_.first_deliverable() == no_message) {
      arrive_at_end();
      return true;
    }
    arrive();
    ways_.push_back({start, no_message});
    for (std::uint32_t next = start; next < ways_.size(); ++next) {
      go_to(next);
      if (!expand(next)) return false;
    }
    return true;
  }

  bool expand(std::uint32_t here) {
    list_deliverable();
    for (const auto& c : deliverable()) {  // nothing else lists meanwhile
      std::uint64_t code = 0;
      do {
        if (stopping()) return false;
        deliver(c.message, code);
        look(here, c.message, code);
        code = go_back();
      } while (code != 0);
    }
    return true;
  }

  void look(std::uint32_t from, message_slot m, std::uint64_t code) {
    report_.depth = std::max<std::uint64_t>(report_.depth, system_.depth());
    if (system_.first_deliverable() == no_message) return arrive_at_end();
    if (!arrive().is_new) return;
    if (code != 0) codes_.emplace(static_cast<std::uint32_t>(ways_.size()), code);
    ways_.push_back({from, m});
  }

  void go_to(std::uint32_t state) {
    wanted_.clear();
    for (auto at = state; at != start; at = ways_[at].from) wanted_.push_back(at);
    std::reverse(wanted_.begin(), wanted_.end());
    const auto part = std::mismatch(path_.begin(), path_.end(), wanted_.begin(), wanted_.end()).first;
    const auto common = static_cast<std::size_t>(part - path_.begin());
    while (path_.size() > common) {
      go_back();
      path_.pop_back();
    }
    for (auto i = common; i < wanted_.size(); ++i) {
      const auto code = codes_.find(wanted_[i]);
      deliver(ways_[wanted_[i]].message, code == codes_.end() ? 0 : code->second);
      path_.push_back(wanted_[i]);
    }
  }

  std::vector<way> ways_;  // by number of the state, in the order found
  std::unordered_map<std::uint32_t, std::uint64_t> codes_;
  std::vector<std::uint32_t> path_, wanted_;  // states from the start to where the system is, or should be
};

}  // namespace

bool search_states_breadth_first(search_context& s, const stateful_options& how, stateful_report& report) {
  return breadth_first_states(s, how, report).run();
}

}  // namespace harrier
