// Branches of a `par` that have at most one role in common, without cycles. docs/protocols.md says why they can be
// projected one by one.
#include <harrier/protocol/parts.hpp>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <utility>

#include <fmt/format.h>

#include <harrier/core/error.hpp>

#include "knowledge.hpp"

namespace harrier::protocol {
namespace {

constexpr std::size_t max_problems = 20;

constexpr std::size_t max_product_states = 1'000'000;

// Branches that stay together, and what they do, once that is known.
struct component {
  std::vector<std::size_t> branches;
  std::optional<explored_session> explored;
};

// Components that are on one cycle of components and roles they have in common; none: there is no cycle. From each
// component the others are reached by roles, each in one way unless there is a cycle.
std::vector<std::size_t> cycle_of(const std::vector<std::set<std::string>>& roles) {
  constexpr auto none = static_cast<std::size_t>(-1);
  std::map<std::string, std::vector<std::size_t>> places;  // components, by role
  for (std::size_t c = 0; c < roles.size(); ++c) {
    for (const auto& role : roles[c]) places[role].push_back(c);
  }
  std::vector<std::size_t> before(roles.size(), none);  // the component from which it was reached
  std::vector<std::string> by(roles.size());            // and the role
  std::vector<bool> known(roles.size(), false);
  const auto way_to = [&](std::size_t c) {
    std::vector<std::size_t> way;
    for (; c != none; c = before[c]) way.push_back(c);
    return way;
  };
  std::set<std::string> passed;
  for (std::size_t start = 0; start < roles.size(); ++start) {
    if (known[start]) continue;
    known[start] = true;
    std::vector<std::size_t> queue{start};
    for (std::size_t i = 0; i < queue.size(); ++i) {
      const auto c = queue[i];
      for (const auto& role : roles[c]) {
        if (role == by[c] || !passed.insert(role).second) continue;
        for (const auto other : places[role]) {
          if (other == c) continue;
          if (!known[other]) {
            known[other] = true;
            before[other] = c;
            by[other] = role;
            queue.push_back(other);
            continue;
          }
          auto one = way_to(c);
          auto two = way_to(other);
          auto met = none;
          while (!one.empty() && !two.empty() && one.back() == two.back()) {
            met = one.back();
            one.pop_back();
            two.pop_back();
          }
          // Where both ways leave it by one role, the cycle goes through the role and not through the component.
          if (one.empty() || two.empty() || by[one.back()] != by[two.back()]) one.push_back(met);
          one.insert(one.end(), two.begin(), two.end());
          std::sort(one.begin(), one.end());
          return one;
        }
      }
    }
  }
  return {};
}

class taking_apart {
public:
  taking_apart(const std::shared_ptr<const specification>& definitions, std::string_view session,
               const std::vector<value>& arguments, std::size_t max_states, const std::function<bool()>& enough)
      : definitions_(definitions),
        session_(session),
        arguments_(arguments),
        max_states_(max_states),
        enough_(enough),
        whole_(definitions, session, arguments) {
    for (std::size_t b = 0; b < whole_.branches(); ++b) components_.push_back({{b}, {}});
  }

  session_parts run() {
    join_by([this](const component& c) { return first_roles(c.branches[0]); });
    while (explore_all() && join_by([](const component& c) { return roles_of(*c.explored); })) continue;
    session_parts result;
    for (auto& c : components_) {
      if (!c.explored) {
        result.complete = false;
        continue;
      }
      result.complete = result.complete && c.explored->graph.complete();
      if (c.explored->graph.complete()) c.explored->terms->forget_states();
      result.parts.push_back(std::move(*c.explored));
    }
    return result;
  }

private:
  std::vector<std::string> first_roles(std::size_t branch) {
    std::vector<std::string> result;
    for (const auto role : whole_.first_roles(branch)) result.push_back(whole_.names().roles()[role]);
    return result;
  }

  // False: a limit was reached.
  bool explore_all() {
    for (auto& c : components_) {
      if (c.explored) continue;
      const auto used = states();
      if (max_states_ != 0 && used >= max_states_) return false;
      const auto left = max_states_ == 0 ? 0 : max_states_ - used;
      const bool is_whole = components_.size() == 1;
      c.explored = explore_session(
          std::make_unique<lts>(definitions_, session_, arguments_, is_whole ? std::vector<std::size_t>() : c.branches),
          left, enough_);
      if (!c.explored->graph.complete()) return false;
    }
    return true;
  }

  std::size_t states() const {
    std::size_t result = 0;
    for (const auto& c : components_) result += c.explored ? c.explored->graph.states() : 0;
    return result;
  }

  // And a name for each channel from a role to itself: two components with one have two things in common.
  static std::vector<std::string> roles_of(const explored_session& session) {
    const auto& names = session.terms->names();
    auto result = names.roles();
    std::set<role_id> to_themselves;
    for (const auto& a : names.actions()) {
      if (a.from == a.to && to_themselves.insert(a.from).second) result.push_back(names.roles()[a.from] + " to itself");
    }
    return result;
  }

  // Makes components one until no two are connected in two ways by roles they have in common, be it through other
  // components. Whether there were some.
  template <class Naming>
  bool join_by(const Naming& roles_in) {
    std::vector<std::set<std::string>> roles;
    for (const auto& c : components_) {
      const auto all = roles_in(c);
      roles.emplace_back(all.begin(), all.end());
    }
    const auto before = components_.size();
    for (auto cycle = cycle_of(roles); !cycle.empty(); cycle = cycle_of(roles)) {
      auto& first = components_[cycle[0]];
      for (std::size_t i = cycle.size(); --i > 0;) {  // the last ones first: others keep their places
        const auto place = static_cast<std::ptrdiff_t>(cycle[i]);
        const auto& more = components_[cycle[i]].branches;
        first.branches.insert(first.branches.end(), more.begin(), more.end());
        roles[cycle[0]].merge(roles[cycle[i]]);
        components_.erase(components_.begin() + place);
        roles.erase(roles.begin() + place);
      }
      std::sort(first.branches.begin(), first.branches.end());
      first.explored.reset();
    }
    return components_.size() < before;
  }

  const std::shared_ptr<const specification>& definitions_;
  std::string_view session_;
  const std::vector<value>& arguments_;
  std::size_t max_states_;
  const std::function<bool()>& enough_;
  lts whole_;
  std::vector<component> components_;
};

// Names in the order in which a search of the whole session would meet them: at each distance from the start the first
// states of the whole in which something new is done are those in which one part has moved alone, part after part.
alphabet names_of(const std::vector<explored_session>& parts) {
  alphabet all;
  struct place {
    state_id next = 0;
    state_id end = 1;
  };
  std::vector<place> places(parts.size());
  for (bool more = true; more;) {
    more = false;
    for (std::size_t p = 0; p < parts.size(); ++p) {
      const auto& graph = parts[p].graph;
      const auto& names = parts[p].terms->names();
      auto& [next, end] = places[p];
      for (const auto last = end; next < last; ++next) {
        for (const auto& t : graph.steps[next]) {
          auto a = names.actions()[t.action];
          a.from = all.role(names.roles()[a.from]);
          a.to = all.role(names.roles()[a.to]);
          if (a.type != no_type) a.type = all.type(names.types()[a.type]);
          static_cast<void>(all.number(a));
          end = std::max(end, t.target + 1);
        }
      }
      more = more || next < end;
    }
  }
  return all;
}

// Whether a run of the part ends, all branches that look alike being taken at once.
bool may_stop(const explored_session& part) {
  std::vector<std::vector<state_id>> members;
  const auto graph = determinise(part.graph, members);
  for (state_id s = 0; s < graph.states(); ++s) {
    if (graph.steps[s].empty()) return true;
  }
  return false;
}

// What was said of parts, put into the words of the whole.
class joining {
public:
  explicit joining(const session_parts& session) : session_(session) {
    result_.names = session.names;
    result_.machines.resize(session.names.roles().size());
  }

  void add(const explored_session& part, checked_projection projection) {
    const auto& names = part.terms->names();
    result_.marked = result_.marked || projection.marked;
    for (auto& p : projection.problems) {
      p.role = role(names, p.role);
      result_.problems.push_back(std::move(p));
    }
    for (auto& p : projection.open_ends) {
      p.role = role(names, p.role);
      open_ends_.push_back(std::move(p));
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
      auto& known = result_.machines[m.role];
      known = known.states.empty() ? std::move(m) : beside(known, m);
    }
  }

  checked_projection result() {
    const auto by_role = [](const auto& a, const auto& b) { return a.role < b.role; };
    std::stable_sort(result_.problems.begin(), result_.problems.end(), by_role);
    if (result_.problems.size() > max_problems) result_.problems.resize(max_problems);
    if (!result_.problems.empty()) {
      result_.machines.clear();
      return std::move(result_);
    }
    add_open_ends();
    std::stable_sort(result_.open_ends.begin(), result_.open_ends.end(), by_role);
    return std::move(result_);
  }

private:
  // What a role does that is in two parts: they know nothing of each other.
  local_machine beside(const local_machine& one, const local_machine& other) const {
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
      if (states.size() > max_product_states) {
        throw error(
            fmt::format("the session cannot be projected to {}: it is in several branches of a par, and its "
                        "part has more than {} states",
                        escaped(result_.names.roles()[one.role]), max_product_states));
      }
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

  // The session has ended where all parts have.
  void add_open_ends() {
    if (open_ends_.empty()) return;
    if (!std::all_of(session_.parts.begin(), session_.parts.end(), may_stop)) return;
    std::set<role_id> known;
    for (auto& p : open_ends_) {
      if (known.insert(p.role).second) result_.open_ends.push_back(std::move(p));
    }
  }

  const session_parts& session_;
  checked_projection result_;
  std::vector<projection_problem> open_ends_;
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

session_parts explore_parts(const std::shared_ptr<const specification>& definitions, std::string_view session,
                            const std::vector<value>& arguments, std::size_t max_states,
                            const std::function<bool()>& enough) {
  auto result = taking_apart(definitions, session, arguments, max_states, enough).run();
  result.names = names_of(result.parts);
  return result;
}

std::vector<diagnostic> review(const session_parts& session) {
  std::vector<diagnostic> result;
  std::set<std::tuple<source_position, std::string, std::string>> said;
  for (const auto& part : session.parts) {
    for (auto& d : review(part)) {
      if (said.emplace(d.at, d.construct, d.message).second) result.push_back(std::move(d));
    }
  }
  return result;
}

checked_projection project_checked(const session_parts& session, const projection_watch& watch) {
  if (session.parts.size() == 1) return project_checked(session.parts[0], watch);
  joining all(session);
  internal::proof_budget budget(watch.proof, watch.enough);
  std::size_t done = 0;
  for (const auto& part : session.parts) {
    projection_watch watch_of_part{watch.enough, {}, watch.proof};
    if (watch.tell) {
      watch_of_part.tell = [&](std::string_view doing, std::size_t of_part, std::size_t) {
        watch.tell(doing, done + of_part, session.names.roles().size());
      };
    }
    auto projection = internal::project_within(part, watch_of_part, budget);
    if (!projection.complete) {
      checked_projection stopped;
      stopped.complete = false;
      return stopped;
    }
    done += part.terms->names().roles().size();
    all.add(part, std::move(projection));
  }
  return all.result();
}

}  // namespace harrier::protocol
