// Blom and Orzan's signature refinement. A block's signature is that of each of its members: the pairs (action, block
// of the target). A round looks only at states with a successor whose block has a new name; in each block the largest
// part keeps the old name, so that a state gets a new name at most log n times.
#include <algorithm>
#include <map>
#include <set>

#include <harrier/protocol/graph.hpp>

namespace harrier::protocol {
namespace {

using signature = std::vector<std::pair<action_id, std::uint32_t>>;

class refinement {
public:
  explicit refinement(const state_graph& graph)
      : graph_(graph),
        block_of_(graph.states(), 0),
        members_(1),
        signatures_(1),
        sizes_(1, graph.states()),
        predecessors_(graph.states()) {
    for (state_id s = 0; s < graph.states(); ++s) {
      members_[0].push_back(s);
      for (const auto& t : graph.steps[s]) predecessors_[t.target].push_back(s);
    }
  }

  std::vector<std::uint32_t> run() {
    std::vector<state_id> dirty = members_[0];
    while (!dirty.empty()) dirty = round(dirty);
    return in_order_of_first_state();
  }

private:
  signature signature_of(state_id s) const {
    signature result;
    for (const auto& t : graph_.steps[s]) result.emplace_back(t.action, block_of_[t.target]);
    std::sort(result.begin(), result.end());
    result.erase(std::unique(result.begin(), result.end()), result.end());
    return result;
  }

  std::vector<state_id> round(const std::vector<state_id>& dirty) {
    std::map<std::uint32_t, std::map<signature, std::vector<state_id>>> parts;
    for (const auto s : dirty) parts[block_of_[s]][signature_of(s)].push_back(s);
    std::vector<state_id> renamed;
    for (auto& [block, groups] : parts) split(block, groups, renamed);
    std::vector<state_id> next;
    for (const auto s : renamed) next.insert(next.end(), predecessors_[s].begin(), predecessors_[s].end());
    std::sort(next.begin(), next.end());
    next.erase(std::unique(next.begin(), next.end()), next.end());
    return next;
  }

  // Members that are not dirty still have the block's signature; they are only enumerated when they are the smaller
  // part.
  void split(std::uint32_t block, std::map<signature, std::vector<state_id>>& groups, std::vector<state_id>& renamed) {
    std::size_t moved = 0;
    for (const auto& [sign, states] : groups) moved += states.size();
    const auto rest = sizes_[block] - moved;
    auto& same = groups[signatures_[block]];
    const auto size_of = [&](const auto& group) { return group.second.size() + (&group.second == &same ? rest : 0); };
    const auto largest = std::max_element(groups.begin(), groups.end(),
                                          [&](const auto& a, const auto& b) { return size_of(a) < size_of(b); });
    if (rest != 0 && &largest->second != &same) add_rest(block, groups, same);
    const auto kept = size_of(*largest);
    for (auto& [sign, states] : groups) {
      if (&states == &largest->second || states.empty()) continue;
      const auto name = static_cast<std::uint32_t>(members_.size());
      for (const auto s : states) block_of_[s] = name;
      renamed.insert(renamed.end(), states.begin(), states.end());
      sizes_.push_back(states.size());
      signatures_.push_back(sign);
      members_.push_back(std::move(states));
    }
    signatures_[block] = largest->first;
    sizes_[block] = &largest->second == &same ? kept : largest->second.size();
  }

  void add_rest(std::uint32_t block, const std::map<signature, std::vector<state_id>>& groups,
                std::vector<state_id>& same) {
    std::set<state_id> dirty;
    for (const auto& [sign, states] : groups) dirty.insert(states.begin(), states.end());
    auto& all = members_[block];  // may hold states that have left
    std::erase_if(all, [&](state_id s) { return block_of_[s] != block; });
    for (const auto s : all) {
      if (!dirty.contains(s)) same.push_back(s);
    }
  }

  std::vector<std::uint32_t> in_order_of_first_state() const {
    constexpr auto unnamed = static_cast<std::uint32_t>(-1);
    std::vector<std::uint32_t> names(members_.size(), unnamed);
    std::vector<std::uint32_t> result;
    std::uint32_t next = 0;
    for (const auto block : block_of_) {
      if (names[block] == unnamed) names[block] = next++;
      result.push_back(names[block]);
    }
    return result;
  }

  const state_graph& graph_;
  std::vector<std::uint32_t> block_of_;
  std::vector<std::vector<state_id>> members_;  // by block; some may have left
  std::vector<signature> signatures_;           // by block
  std::vector<std::size_t> sizes_;              // by block
  std::vector<std::vector<state_id>> predecessors_;
};

}  // namespace

std::vector<std::uint32_t> bisimulation(const state_graph& graph) { return refinement(graph).run(); }

state_graph minimise(const state_graph& graph) {
  const auto blocks = bisimulation(graph);
  state_graph result;
  std::vector<transition> out;
  for (state_id s = 0; s < blocks.size(); ++s) {
    if (blocks[s] != result.expanded()) continue;  // all states of a block have the same steps, up to blocks
    out.clear();
    for (const auto& t : graph.steps[s]) out.push_back({t.action, blocks[t.target]});
    std::sort(out.begin(), out.end());
    out.erase(std::unique(out.begin(), out.end()), out.end());
    result.expand(out);
  }
  return result;
}

}  // namespace harrier::protocol
