// What was said of parts, put into the words of the whole. docs/protocols.md says why they can be projected one by one.
#include <harrier/protocol/parts.hpp>

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <utility>

#include <fmt/format.h>

#include <harrier/core/error.hpp>

#include "../lts/review.hpp"
#include "knowledge.hpp"
#include "manner.hpp"

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

// Of some parts of the session.
struct part_projection {
  std::map<role_id, local_machine> machines;  // of roles that do something, numbered as in the whole
  std::vector<projection_problem> problems;
  std::vector<projection_problem> open_ends;
  bool may_end = false;  // there is a run after which it is done
};

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
    for (role_id r = 0; r < result_.names.roles().size(); ++r)
      result_.machines.push_back(std::move(all.machines.at(r)));
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
    projection_watch watch_of_part{watch_.enough, {}, watch_.proof};
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
    for (const auto& [ends, room] : projection.rooms) {
      const auto& names = part.terms->names();
      auto& in_all = result_.rooms[{role(names, ends.first), role(names, ends.second)}];
      in_all = std::max(in_all, room);
    }
    return in_words_of_the_whole(part, std::move(projection));
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
      result.machines.emplace(m.role, std::move(m));
    }
    return result;
  }

  part_projection side_by_side(const arrangement& order) {
    part_projection all;
    all.may_end = true;
    std::map<role_id, std::vector<local_machine>> machines;
    for (const auto& part : order.of) {
      auto more = project(part);
      if (stopped_) return {};
      all.may_end = all.may_end && more.may_end;
      append(all.problems, more.problems);
      append(all.open_ends, more.open_ends);
      for (auto& [r, m] : more.machines) machines[r].push_back(std::move(m));
    }
    if (!all.problems.empty()) return all;
    for (auto& [r, beside_each_other] : machines) all.machines.emplace(r, beside(std::move(beside_each_other)));
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
  static void follow(std::map<role_id, local_machine>& machines, std::map<role_id, local_machine> next, bool may_end) {
    for (auto& [r, m] : machines) {
      if (!next.contains(r)) next.emplace(r, local_machine{r, {{}}, {may_end}});
    }
    for (auto& [r, m] : next) {
      const auto known = machines.find(r);
      if (known == machines.end()) {
        machines.emplace(r, std::move(m));
      } else {
        known->second = behind(known->second, m);
      }
    }
  }

  static local_machine behind(const local_machine& one, const local_machine& other) {
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

  // What a role does that is in several parts: they know nothing of each other.
  local_machine beside(std::vector<local_machine> machines) const {
    // What is done in one takes nothing from the others, so wherever each can be they can be together.
    std::size_t states = 1;
    for (const auto& m : machines) {
      states *= m.states.size();
      if (states <= max_product_states) continue;
      throw error(
          fmt::format("the session cannot be projected to {}: it is in {} branches of a par, and its part has more "
                      "than {} states",
                      escaped(result_.names.roles()[m.role]), machines.size(), max_product_states));
    }
    auto all = std::move(machines[0]);
    for (std::size_t i = 1; i < machines.size(); ++i) all = beside(all, machines[i]);
    return all;
  }

  static local_machine beside(const local_machine& one, const local_machine& other) {
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
