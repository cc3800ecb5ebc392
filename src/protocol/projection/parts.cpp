// Branches of a `par` that have no role in common. docs/protocols.md says why they can be projected one by one.
#include <harrier/protocol/parts.hpp>

#include <algorithm>
#include <map>
#include <numeric>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <utility>

#include "knowledge.hpp"

namespace harrier::protocol {
namespace {

constexpr std::size_t max_problems = 20;

// Branches that stay together, and what they do, once that is known.
struct component {
  std::vector<std::size_t> branches;
  std::optional<explored_session> explored;
};

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
    while (explore_all() && join_by([](const component& c) { return c.explored->terms->names().roles(); })) continue;
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

  // Makes components one that have a role in common. Whether there were some.
  template <class RolesOf>
  bool join_by(const RolesOf& roles_of) {
    std::vector<std::size_t> leader(components_.size());
    std::iota(leader.begin(), leader.end(), std::size_t{0});
    const auto first_of = [&](std::size_t c) {
      while (leader[c] != c) c = leader[c] = leader[leader[c]];
      return c;
    };
    std::map<std::string, std::size_t> component_of;
    for (std::size_t c = 0; c < components_.size(); ++c) {
      for (const auto& role : roles_of(components_[c])) {
        const auto [known, is_new] = component_of.try_emplace(role, c);
        const auto one = first_of(known->second);
        const auto other = first_of(c);
        leader[std::max(one, other)] = std::min(one, other);
      }
    }
    std::vector<component> joined;
    std::map<std::size_t, std::size_t> place_of;
    for (std::size_t c = 0; c < components_.size(); ++c) {
      const auto [place, is_new] = place_of.try_emplace(first_of(c), joined.size());
      if (is_new) {
        joined.push_back(std::move(components_[c]));
        continue;
      }
      auto& all = joined[place->second];
      all.branches.insert(all.branches.end(), components_[c].branches.begin(), components_[c].branches.end());
      all.explored.reset();
    }
    const bool some = joined.size() < components_.size();
    components_ = std::move(joined);
    return some;
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
      result_.machines[m.role] = std::move(m);
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
  role_id role(const alphabet& names, role_id in_part) { return result_.names.role(names.roles()[in_part]); }

  // The session has ended where all parts have.
  void add_open_ends() {
    if (open_ends_.empty()) return;
    if (!std::all_of(session_.parts.begin(), session_.parts.end(), may_stop)) return;
    result_.open_ends = std::move(open_ends_);
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
