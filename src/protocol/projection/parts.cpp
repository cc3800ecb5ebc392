// What was said of parts, put into the words of the whole. docs/protocols.md says why they can be projected one by one.
#include <harrier/protocol/parts.hpp>

#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>

#include <fmt/format.h>

#include <harrier/core/error.hpp>

#include "../lts/review.hpp"
#include "knowledge.hpp"
#include "manner.hpp"
#include "rooms.hpp"

namespace harrier::protocol {
namespace {

constexpr std::size_t max_problems = 20;

constexpr std::size_t max_product_states = 1'000'000;

// Whether a run of the part ends, all branches that look alike being taken at once.
bool may_stop(const explored_session& part) {
  std::vector<std::vector<state_id>> members;
  const auto graph = determinise(part.graph, members);
  for (state_id s = 0; s < graph.states(); ++s) {
    if (graph.steps[s].empty()) return true;
  }
  return false;
}

bool may_stop(const session_parts& session, const arrangement& order) {
  if (order.is == arrangement::form::one) return may_stop(session.parts[order.part]);
  if (order.is == arrangement::form::sequence) return may_stop(session, order.of.back());
  return std::all_of(order.of.begin(), order.of.end(), [&](const auto& part) { return may_stop(session, part); });
}

using side_by_side_machines = std::vector<local_machine>;
// Of a role, phase after phase.
using phases = std::vector<side_by_side_machines>;

// Of some parts of the session.
struct part_projection {
  std::map<role_id, phases> machines;  // of roles that do something, numbered as in the whole
  std::vector<projection_problem> problems;
  std::vector<projection_problem> open_ends;
  bool may_end = false;  // there is a run after which it is done
};

// What a role does first, and then.
local_machine behind(const local_machine& one, const local_machine& other) {
  local_machine result{one.role, {}};
  std::vector<std::uint32_t> number(one.states.size());
  std::uint32_t states = 0;
  for (std::size_t s = 0; s < one.states.size(); ++s) number[s] = one.states[s].empty() ? 0 : states++;
  for (std::size_t s = 0; s < one.states.size(); ++s) {
    if (one.states[s].empty()) {
      number[s] = states;
      continue;
    }
    result.states.push_back(one.states[s]);
    result.may_end.push_back(false);
  }
  for (auto& moves : result.states) {
    for (auto& m : moves) m.next = number[m.next];
  }
  result.states.insert(result.states.end(), other.states.begin(), other.states.end());
  result.may_end.insert(result.may_end.end(), other.may_end.begin(), other.may_end.end());
  for (auto s = static_cast<std::size_t>(states); s < result.states.size(); ++s) {
    for (auto& m : result.states[s]) m.next += states;
  }
  return internal::reduced(result);
}

local_machine beside(const local_machine& one, const local_machine& other) {
  local_machine result{one.role, {}};
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> numbers;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> states;
  const auto number = [&](std::uint32_t a, std::uint32_t b) {
    const auto [place, is_new] = numbers.try_emplace({a, b}, static_cast<std::uint32_t>(states.size()));
    if (is_new) states.emplace_back(a, b);
    return place->second;
  };
  static_cast<void>(number(0, 0));
  for (std::uint32_t s = 0; s < states.size(); ++s) {
    const auto [a, b] = states[s];
    auto& moves = result.states.emplace_back();
    result.may_end.push_back(one.may_end[a] && other.may_end[b]);
    for (auto m : one.states[a]) {
      m.next = number(m.next, b);
      moves.push_back(m);
    }
    for (auto m : other.states[b]) {
      m.next = number(a, m.next);
      moves.push_back(m);
    }
  }
  return result;
}

// What is done in one takes nothing from the others, so wherever each can be they can be together. At most `limit`:
// then one more than that.
std::size_t combinations(const side_by_side_machines& machines, std::size_t limit) {
  std::size_t states = 1;
  for (const auto& m : machines) {
    states *= m.states.size();
    if (states > limit) return limit + 1;
  }
  return states;
}

// What a role does that is in several parts: they know nothing of each other. `cannot`: what is impossible if that is
// too much.
local_machine product(const side_by_side_machines& machines, const alphabet& names, std::string_view cannot) {
  if (combinations(machines, max_product_states) > max_product_states) {
    throw error(
        fmt::format("{} {}: it has {} machines beside each other, which must be one for that, and together they have "
                    "more than {} states",
                    cannot, escaped(names.roles()[machines[0].role]), machines.size(), max_product_states));
  }
  auto all = machines[0];
  for (std::size_t i = 1; i < machines.size(); ++i) all = beside(all, machines[i]);
  return all;
}

local_machine product(const phases& all, const alphabet& names, std::string_view cannot) {
  auto result = product(all[0], names, cannot);
  for (std::size_t i = 1; i < all.size(); ++i) result = behind(result, product(all[i], names, cannot));
  return result;
}

class joining {
public:
  joining(const session_parts& session, const projection_watch& watch)
      : session_(session), watch_(watch), budget_(watch.proof, watch.enough) {
    result_.names = session.names;
  }

  checked_projection run() {
    auto all = project(session_.order);
    if (stopped_) {
      checked_projection stopped;
      stopped.complete = false;
      return stopped;
    }
    const auto by_role = [](const auto& a, const auto& b) { return a.role < b.role; };
    std::stable_sort(all.problems.begin(), all.problems.end(), by_role);
    if (all.problems.size() > max_problems) all.problems.resize(max_problems);
    result_.problems = std::move(all.problems);
    if (!result_.problems.empty()) return std::move(result_);
    for (role_id r = 0; r < result_.names.roles().size(); ++r) {
      std::uint32_t number = 0;
      for (auto& machines : all.machines.at(r)) {
        for (auto& m : machines) m.phase = number;
        std::move(machines.begin(), machines.end(), std::back_inserter(result_.machines));
        ++number;
      }
    }
    add_rooms();
    // The session has ended where all parts have.
    if (!all.open_ends.empty() && may_stop(session_, session_.order)) add_open_ends(all.open_ends);
    return std::move(result_);
  }

private:
  part_projection project(const arrangement& order) {
    if (stopped_) return {};
    if (order.is == arrangement::form::one) {
      auto result = project(session_.parts[order.part]);
      for (auto& p : result.problems) p.instead = session_.instead[order.part];
      return result;
    }
    return order.is == arrangement::form::sequence ? in_sequence(order) : side_by_side(order);
  }

  part_projection project(const explored_session& part) {
    projection_watch watch_of_part{watch_.enough, {}, watch_.proof, watch_.largest_product};
    if (watch_.tell) {
      watch_of_part.tell = [&](std::string_view doing, std::size_t of_part, std::size_t) {
        watch_.tell(doing, std::min(done_ + of_part, session_.names.roles().size()), session_.names.roles().size());
      };
    }
    auto projection = internal::project_within(part, watch_of_part, budget_);
    stopped_ = !projection.complete;
    if (stopped_) return {};
    done_ += part.terms->names().roles().size();
    result_.marked = result_.marked || projection.marked;
    return in_words_of_the_whole(part, std::move(projection));
  }

  // Between two roles that have a channel in some part there may be more messages under way in another one, where they
  // have none.
  void add_rooms() {
    using ends = std::pair<role_id, role_id>;
    std::set<ends> channels;
    for (const auto& part : session_.parts) {
      const auto& names = part.terms->names();
      for (const auto& [from, to] : part.terms->channels()) channels.emplace(role(names, from), role(names, to));
    }
    for (const auto& part : session_.parts) {
      const auto& names = part.terms->names();
      std::set<ends> here;
      for (const auto& a : names.actions()) {
        if (a.kind == action_kind::send && channels.contains({role(names, a.from), role(names, a.to)}))
          here.emplace(a.from, a.to);
      }
      for (const auto& [between, most] : internal::most_under_way(part, here)) {
        auto& in_all = result_.rooms[{role(names, between.first), role(names, between.second)}];
        in_all = std::max(in_all, most);
      }
    }
  }

  part_projection in_words_of_the_whole(const explored_session& part, checked_projection projection) {
    const auto& names = part.terms->names();
    part_projection result;
    result.may_end = part.terminated_states() != 0;
    result.problems = std::move(projection.problems);
    result.open_ends = std::move(projection.open_ends);
    for (auto* list : {&result.problems, &result.open_ends}) {
      for (auto& p : *list) p.role = role(names, p.role);
    }
    for (auto& m : projection.machines) {
      for (auto& moves : m.states) {
        for (auto& move : moves) {
          auto& a = move.what;
          a.from = role(names, a.from);
          a.to = role(names, a.to);
          if (a.type != no_type) a.type = result_.names.type(names.types()[a.type]);
        }
      }
      m.role = role(names, m.role);
      result.machines.emplace(m.role, phases{{std::move(m)}});
    }
    return result;
  }

  part_projection side_by_side(const arrangement& order) {
    part_projection all;
    all.may_end = true;
    std::map<role_id, std::vector<phases>> machines;
    for (const auto& part : order.of) {
      auto more = project(part);
      if (stopped_) return {};
      all.may_end = all.may_end && more.may_end;
      append(all.problems, more.problems);
      append(all.open_ends, more.open_ends);
      for (auto& [r, m] : more.machines) machines[r].push_back(std::move(m));
    }
    if (!all.problems.empty()) return all;
    for (auto& [r, branches] : machines) all.machines.emplace(r, beside_each_other(std::move(branches)));
    return all;
  }

  // What is before can come to its end from wherever it is, and all roles know when it has.
  part_projection in_sequence(const arrangement& order) {
    part_projection all;
    std::vector<std::string> before;
    for (const auto& part : order.of) {
      auto more = project(part);
      if (stopped_) return {};
      for (auto* list : {&more.problems, &more.open_ends}) {
        for (auto& p : *list) {
          p.right.insert(p.right.begin(), before.begin(), before.end());
          if (p.refuted || !p.wrong.empty()) p.wrong.insert(p.wrong.begin(), before.begin(), before.end());
        }
      }
      if (&part != &order.of.back()) {
        const auto run = internal::run_through(session_, part, true);
        before.insert(before.end(), run.begin(), run.end());
      }
      all.may_end = more.may_end;
      append(all.problems, more.problems);
      all.open_ends = std::move(more.open_ends);
      if (!all.problems.empty()) continue;
      follow(all.machines, std::move(more.machines), more.may_end);
    }
    return all;
  }

  static void append(std::vector<projection_problem>& all, std::vector<projection_problem>& more) {
    all.insert(all.end(), std::make_move_iterator(more.begin()), std::make_move_iterator(more.end()));
  }

  // A role that is done with one thing begins with the next one.
  static void follow(std::map<role_id, phases>& machines, std::map<role_id, phases> next, bool may_end) {
    for (auto& [r, all] : machines) {
      if (!next.contains(r)) next.emplace(r, phases{{local_machine{r, {{}}, {may_end}}}});
    }
    for (auto& [r, all] : next) {
      const auto known = machines.find(r);
      if (known == machines.end()) {
        machines.emplace(r, std::move(all));
      } else {
        append(known->second, std::move(all));
      }
    }
  }

  static void append(phases& before, phases after) {
    if (before.back().size() == 1 && after[0].size() == 1) {
      before.back()[0] = behind(before.back()[0], after[0][0]);
      after.erase(after.begin());
    } else {
      for (auto& m : before.back()) m.may_end.assign(m.states.size(), false);
    }
    std::move(after.begin(), after.end(), std::back_inserter(before));
  }

  // As many machines, unless these are few states together.
  phases beside_each_other(std::vector<phases> branches) const {
    if (branches.size() == 1) return std::move(branches[0]);
    side_by_side_machines all;
    constexpr auto cannot = "the session cannot be projected to";
    for (auto& branch : branches) {
      if (branch.size() != 1) branch = {{product(branch, result_.names, cannot)}};
      std::move(branch[0].begin(), branch[0].end(), std::back_inserter(all));
    }
    if (combinations(all, watch_.largest_product) > watch_.largest_product) return {std::move(all)};
    return {{product(all, result_.names, cannot)}};
  }

  role_id role(const alphabet& names, role_id in_part) { return result_.names.role(names.roles()[in_part]); }

  void add_open_ends(std::vector<projection_problem>& open_ends) {
    std::set<role_id> known;
    for (auto& p : open_ends) {
      if (known.insert(p.role).second) result_.open_ends.push_back(std::move(p));
    }
    std::stable_sort(result_.open_ends.begin(), result_.open_ends.end(),
                     [](const auto& a, const auto& b) { return a.role < b.role; });
  }

  const session_parts& session_;
  const projection_watch& watch_;
  internal::proof_budget budget_;
  std::size_t done_ = 0;  // roles, of each part
  bool stopped_ = false;
  checked_projection result_;
};

class reviewing {
public:
  explicit reviewing(const session_parts& session) : session_(session) {}

  std::vector<diagnostic> run() {
    look_at(session_.order, {});
    return std::move(result_);
  }

private:
  // `before` must be done until it begins.
  void look_at(const arrangement& order, std::vector<const arrangement*> before) {
    if (order.is == arrangement::form::one) {
      const auto way = [&] {
        std::vector<std::string> words;
        for (const auto* part : before) {
          const auto run = internal::run_through(session_, *part, false);
          words.insert(words.end(), run.begin(), run.end());
        }
        return words;
      };
      for (auto& d : internal::review_after(session_.parts[order.part], way)) {
        if (said_.emplace(d.at, d.construct, d.message).second) result_.push_back(std::move(d));
      }
    }
    for (const auto& part : order.of) {
      look_at(part, before);
      if (order.is == arrangement::form::sequence) before.push_back(&part);
    }
  }

  const session_parts& session_;
  std::vector<diagnostic> result_;
  std::set<std::tuple<source_position, std::string, std::string>> said_;
};

}  // namespace

std::size_t session_parts::states() const {
  std::size_t result = 0;
  for (const auto& part : parts) result += part.graph.states();
  return result;
}

std::size_t session_parts::transitions() const {
  std::size_t result = 0;
  for (const auto& part : parts) result += part.graph.transitions();
  return result;
}

local_machine in_one(std::vector<local_machine> machines, const alphabet& names) {
  phases all;
  for (auto& m : machines) {
    if (m.phase >= all.size()) all.resize(m.phase + std::size_t{1});
    all[m.phase].push_back(std::move(m));
  }
  return product(all, names, "there is no picture of");
}

std::vector<diagnostic> review(const session_parts& session) { return reviewing(session).run(); }

checked_projection project_checked(const session_parts& session, const projection_watch& watch) {
  if (session.parts.size() == 1) {
    auto result = project_checked(session.parts[0], watch);
    for (auto& p : result.problems) p.instead = session.instead[0];
    return result;
  }
  return joining(session, watch).run();
}

}  // namespace harrier::protocol
