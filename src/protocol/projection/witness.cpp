// Runs of the machines, shortest first. What counts of a run is what each role does in it, so of runs that differ in
// the order of different roles' actions only one is looked at. A run that is explained mostly goes on as its
// explanation does; another one is looked for only where it does not.
#include <algorithm>
#include <limits>
#include <map>
#include <set>
#include <string>
#include <utility>

#include "../../core/base/mix.hpp"
#include "knowledge.hpp"

namespace harrier::protocol::internal {
namespace {

constexpr auto nobody = std::numeric_limits<role_id>::max();

// The machines after a run.
class machines {
public:
  machines(const global_graph& global, std::span<const knowledge> all)
      : global_(global), all_(all), local_(all.size(), 0), done_(all.size(), 0) {}

  void restart() {
    std::fill(local_.begin(), local_.end(), 0U);
    std::fill(done_.begin(), done_.end(), 0U);
    queues_.clear();
  }

  [[nodiscard]] const std::vector<knowledge::move>& moves(role_id r) const { return all_[r].moves(local_[r]); }
  [[nodiscard]] const std::vector<std::uint32_t>& local() const { return local_; }
  /// How many actions the role has done.
  [[nodiscard]] std::uint32_t done(role_id r) const { return done_[r]; }

  [[nodiscard]] bool is_possible(view v) const {
    const auto& a = global_.what(v);
    if (a.kind != action_kind::receive) return true;
    const auto queue = queues_.find({a.from, a.to});
    return queue != queues_.end() && !queue->second.empty() && queue->second.front() == a.type;
  }

  /// @pre it is a move of its role, and possible
  void take(view v) {
    const auto& a = global_.what(v);
    const auto r = a.subject();
    local_[r] = all_[r].after(local_[r], v);
    ++done_[r];
    if (a.kind == action_kind::send) queues_[{a.from, a.to}].push_back(a.type);
    if (a.kind == action_kind::receive) queues_[{a.from, a.to}].erase(queues_[{a.from, a.to}].begin());
  }

private:
  const global_graph& global_;
  std::span<const knowledge> all_;
  std::vector<std::uint32_t> local_;
  std::vector<std::uint32_t> done_;
  std::map<std::pair<role_id, role_id>, std::vector<std::uint32_t>> queues_;
};

// By role: the one before it that differs by an index, as `w[1]` is before `w[2]`; or nobody.
std::vector<role_id> earlier_of_its_kind(const global_graph& global) {
  std::vector<role_id> result(global.roles(), nobody);
  std::map<std::string, role_id> last;
  for (role_id r = 0; r < global.roles(); ++r) {
    const auto& name = global.name(r);
    const auto index = name.find('[');
    if (index == std::string::npos) continue;
    const auto [place, is_first] = last.try_emplace(name.substr(0, index), r);
    if (!is_first) result[r] = std::exchange(place->second, r);
  }
  return result;
}

// Of what somebody does: 128 bits, since of runs that are taken for one only one is looked at.
using digest = std::pair<std::uint64_t, std::uint64_t>;

digest and_then(const digest& before, std::uint64_t what) {
  constexpr std::uint64_t other = 0x9e3779b97f4a7c15U;
  return {harrier::internal::mix(before.first, what + 1), harrier::internal::mix(before.second + other, what + 1)};
}

class witness_search {
public:
  witness_search(const global_graph& global, std::span<const knowledge> all, std::vector<role_id> earlier,
                 witness_effort effort, const std::function<bool()>& enough)
      : global_(global), now_(global, all), earlier_(std::move(earlier)), left_(effort), enough_(enough) {}

  witness_result find() {
    explanations_.emplace_back();
    runs_.push_back({0, 0, 0});
    for (std::uint32_t i = 0; i < runs_.size(); ++i) {
      if (left_.places == 0 || (enough_ && enough_())) return {};
      go_to(i);
      for (role_id r = 0; r < global_.roles(); ++r) {
        for (const auto& m : now_.moves(r)) {
          if (!now_.is_possible(m.what)) continue;
          if (!may_join(m.what))
            is_all_ = false;
          else if (auto found = go_on(i, m.what))
            return {std::move(found), false};
        }
      }
    }
    return {std::nullopt, is_all_};
  }

private:
  struct run_node {
    std::uint32_t before;
    view last;
    std::uint32_t explanation;
  };

  std::vector<view> run_of(std::uint32_t node) const {
    std::vector<view> run;
    for (; node != 0; node = runs_[node].before) run.push_back(runs_[node].last);
    std::reverse(run.begin(), run.end());
    return run;
  }

  void go_to(std::uint32_t node) {
    run_ = run_of(node);
    now_.restart();
    hashes_.assign(global_.roles(), digest());
    is_in_.assign(global_.roles(), false);
    for (const auto v : run_) {
      now_.take(v);
      const auto& a = global_.what(v);
      hashes_[a.subject()] = and_then(hashes_[a.subject()], v);
      is_in_[a.from] = is_in_[a.to] = true;
    }
  }

  // Of what all roles do, if `r` does `v` next.
  digest with(role_id r, view v) const {
    digest all;
    for (role_id q = 0; q < hashes_.size(); ++q) {
      const auto of = and_then(q == r ? and_then(hashes_[q], v) : hashes_[q], q);
      all.first += of.first;
      all.second += of.second;
    }
    return all;
  }

  bool may_join(view v) const {
    const auto& a = global_.what(v);
    const auto may = [&](role_id r) { return is_in_[r] || earlier_[r] == nobody || is_in_[earlier_[r]]; };
    return may(a.from) && may(a.to);
  }

  // The run with `v` after it, if nothing explains it.
  std::optional<std::vector<view>> go_on(std::uint32_t node, view v) {
    const auto r = global_.what(v).subject();
    if (left_.runs == 0) {
      is_all_ = false;
      return std::nullopt;
    }
    if (!known_.insert(with(r, v)).second) return std::nullopt;
    --left_.runs;
    auto explained_by = runs_[node].explanation;
    if (!goes_on_with(explanations_[explained_by], r, now_.done(r), v)) {
      auto longer = run_;
      longer.push_back(v);
      auto other = explain(global_, longer, left_.places);
      left_.places -= std::min(left_.places, other.places);
      if (other.is_there == false) return longer;
      if (!other.is_there) {
        is_all_ = false;
        return std::nullopt;
      }
      explained_by = static_cast<std::uint32_t>(explanations_.size());
      explanations_.push_back(std::move(other.run));
    }
    runs_.push_back({node, v, explained_by});
    return std::nullopt;
  }

  bool goes_on_with(const std::vector<view>& explanation, role_id r, std::uint32_t done, view v) const {
    for (const auto w : explanation) {
      if (global_.what(w).subject() == r && done-- == 0) return w == v;
    }
    return false;
  }

  const global_graph& global_;
  machines now_;
  std::vector<role_id> earlier_;
  witness_effort left_;
  const std::function<bool()>& enough_;
  std::vector<run_node> runs_;
  std::vector<std::vector<view>> explanations_;
  std::set<digest> known_;  // what the roles do in a run
  bool is_all_ = true;      // what was looked at
  // Of the run that is looked at:
  std::vector<view> run_;
  std::vector<digest> hashes_;  // by role
  std::vector<bool> is_in_;     // by role
};

}  // namespace

witness_result short_witness(const global_graph& global, std::span<const knowledge> all, witness_effort effort,
                             const std::function<bool()>& enough) {
  const auto earlier = earlier_of_its_kind(global);
  const std::vector<role_id> none(global.roles(), nobody);
  if (earlier != none) {
    if (auto found = witness_search(global, all, earlier, effort, enough).find(); found.run || found.is_all)
      return found;
  }
  return witness_search(global, all, none, effort, enough).find();
}

std::optional<std::vector<std::uint32_t>> replayed(const global_graph& global, std::span<const knowledge> all,
                                                   std::span<const view> run) {
  machines now(global, all);
  for (const auto v : run) {
    const auto& moves = now.moves(global.what(v).subject());
    const bool is_move = std::any_of(moves.begin(), moves.end(), [&](const auto& m) { return m.what == v; });
    if (!is_move || !now.is_possible(v)) return std::nullopt;
    now.take(v);
  }
  return now.local();
}

}  // namespace harrier::protocol::internal
