// First with messages that carry their type only; if that is not sound, with marks: at first each step of the session
// that sends has a mark of its own, then marks between which a sender cannot choose, because it does not know where it
// is, are made one, until none are left.
#include <harrier/protocol/checked.hpp>

#include <algorithm>
#include <numeric>
#include <set>

#include <fmt/format.h>

#include <harrier/core/error.hpp>

#include "knowledge.hpp"
#include "word_table.hpp"

namespace harrier::protocol {
namespace {

using internal::global_graph;
using internal::knowledge;

// The session, made deterministic (all branches at once), as it is or with a type of its own for each step that sends.
class labelled_session final : public transition_system {
public:
  labelled_session(const explored_session& session, bool fine)
      : names_(session.terms->names()), graph_(determinise(session.graph, members_, 1'000'000)) {
    if (!graph_.complete()) throw error("the session is too large to project");
    for (type_id t = 0; t < names_.types().size(); ++t) type_of_.push_back(t);
    if (!fine) return;
    for (auto& out : graph_.steps) {
      for (auto& t : out) {
        auto a = names_.actions()[t.action];
        if (a.kind != action_kind::send) continue;
        const auto type = a.type;
        a.type = names_.type(fmt::format("{}#{}", names_.types()[type], type_of_.size()));
        type_of_.push_back(type);
        t.action = names_.number(a);
      }
    }
  }

  const std::vector<transition>& steps(state_id state) override { return graph_.steps[state]; }
  const alphabet& names() const override { return names_; }
  const std::vector<type_id>& type_of() const { return type_of_; }
  /// The states of the session that a state stands for.
  const std::vector<state_id>& members(state_id state) const { return members_[state]; }

private:
  alphabet names_;
  std::vector<std::vector<state_id>> members_;
  state_graph graph_;
  std::vector<type_id> type_of_;  // by label
};

class projection {
public:
  projection(const explored_session& session, bool fine)
      : session_(session), labels_(session, fine), space_(labels_), fine_(fine) {
    global_.space = &space_;
    global_.graph = explore(space_, 2'000'000);
    if (!global_.graph.complete()) throw error("the session is too large to project");
    global_.type_of = labels_.type_of();
    global_.class_of.resize(global_.type_of.size());
    std::iota(global_.class_of.begin(), global_.class_of.end(), 0U);
  }

  checked_projection run() {
    result_.names = session_.terms->names();
    result_.marked = fine_;
    std::vector<knowledge> all;
    do {
      all.clear();
      for (role_id r = 0; r < result_.names.roles().size(); ++r) all.push_back(internal::knowledge_of(global_, r));
    } while (merge_classes(all));
    internal::validate(global_, all, result_.problems, result_.open_ends);
    for (auto& p : result_.problems) p.at = place_of(all[p.role]);
    for (auto& p : result_.open_ends) p.at = place_of(all[p.role]);
    if (result_.problems.empty()) {
      number_marks(all);
      for (const auto& local : all) result_.machines.push_back(machine_of(local));
    }
    return std::move(result_);
  }

private:
  // Whether some sender could not choose between two marks; they are one from now on.
  bool merge_classes(const std::vector<knowledge>& all) {
    bool merged = false;
    for (const auto& local : all) {
      for (const auto& moves : local.moves) {
        for (const auto& one : moves) {
          for (const auto& other : moves) merged |= merge(one.what, other.what);
        }
      }
    }
    return merged;
  }

  bool merge(const action& a, const action& b) {
    if (a.kind != action_kind::send || b.kind != action_kind::send || a.to != b.to) return false;
    if (global_.type_of[a.type] != global_.type_of[b.type]) return false;
    const auto one = global_.class_of[a.type];
    const auto other = global_.class_of[b.type];
    if (one == other) return false;
    for (auto& c : global_.class_of) c = c == std::max(one, other) ? std::min(one, other) : c;
    return true;
  }

  // Marks from 1 for each channel and type that has several classes; 0 where the type says it all.
  void number_marks(const std::vector<knowledge>& all) {
    std::map<std::tuple<role_id, role_id, type_id>, std::set<std::uint32_t>> classes;
    for (const auto& local : all) {
      for (const auto& moves : local.moves) {
        for (const auto& m : moves) {
          if (m.what.type != no_type) {
            classes[{m.what.from, m.what.to, global_.type_of[m.what.type]}].insert(m.what.type);
          }
        }
      }
    }
    for (const auto& [channel, members] : classes) {
      std::uint32_t next = 1;
      for (const auto c : members)
        marks_[{std::get<0>(channel), std::get<1>(channel), c}] = members.size() == 1 ? 0 : next++;
    }
  }

  local_machine machine_of(const knowledge& local) {
    local_machine result{local.role, {}};
    for (std::uint32_t s = 0; s < local.moves.size(); ++s) {
      auto& out = result.states.emplace_back();
      for (const auto& m : local.moves[s]) {
        local_machine::move move{m.what, 0, m.next, place_of(local, s, m.what)};
        if (m.what.type != no_type) {
          move.what.type = global_.type_of[m.what.type];
          move.mark = marks_.at({m.what.from, m.what.to, m.what.type});
        }
        out.push_back(move);
      }
    }
    return reduced(result);
  }

  // Local states that behave alike are one.
  static local_machine reduced(const local_machine& machine) {
    std::map<std::pair<action, std::uint32_t>, action_id> numbers;
    state_graph graph;
    for (const auto& moves : machine.states) {
      auto& out = graph.steps.emplace_back();
      for (const auto& m : moves) {
        out.push_back(
            {numbers.try_emplace({m.what, m.mark}, static_cast<action_id>(numbers.size())).first->second, m.next});
      }
    }
    graph.expanded = graph.steps.size();
    const auto blocks = bisimulation(graph);
    local_machine result{machine.role, {}};
    for (std::size_t s = 0; s < blocks.size(); ++s) {
      if (blocks[s] != result.states.size()) continue;
      result.states.push_back(machine.states[s]);
      for (auto& m : result.states.back()) m.next = blocks[m.next];
    }
    return result;
  }

  source_position place_of(const knowledge& local) const {
    return local.moves[0].empty() ? source_position{} : place_of(local, 0, local.moves[0][0].what);
  }

  source_position place_of(const knowledge& local, std::uint32_t state, const action& what) const {
    for (const auto s : local.members[state]) {
      const auto& out = global_.graph.steps[s];
      if (std::none_of(out.begin(), out.end(), [&](const auto& t) { return global_.seen(t) == what; })) continue;
      for (const auto d : labels_.members(space_.definition_state(s))) {
        if (const auto at = place_in(d, what); at.line != 0) return at;
      }
    }
    return {};
  }

  source_position place_in(state_id state, const action& what) const {
    for (std::size_t i = 0; i < session_.graph.steps[state].size(); ++i) {
      const auto& a = session_.terms->names().actions()[session_.graph.steps[state][i].action];
      const bool same_type = a.type == no_type || what.type == no_type || a.type == global_.type_of[what.type];
      if (a.kind == what.kind && a.from == what.from && a.to == what.to && same_type) return session_.places[state][i];
    }
    return {};
  }

  const explored_session& session_;
  labelled_session labels_;
  strict_space space_;
  bool fine_;
  global_graph global_;
  std::map<std::tuple<role_id, role_id, std::uint32_t>, std::uint32_t> marks_;
  checked_projection result_;
};

}  // namespace

checked_projection project_checked(const explored_session& session) {
  const auto& actions = session.terms->names().actions();
  if (std::any_of(actions.begin(), actions.end(), [](const action& a) { return a.kind == action_kind::handshake; })) {
    throw error("a handshake (-->) is one step of two roles, which cannot be projected to each; use -->>");
  }
  if (!session.graph.complete()) throw error("the session is too large to project");
  auto plain = projection(session, false).run();
  if (plain.problems.empty()) return plain;
  auto marked = projection(session, true).run();
  return marked.problems.empty() ? std::move(marked) : std::move(plain);
}

diagnostic to_diagnostic(const projection_problem& p, const checked_projection&, const std::string& file,
                         severity level) {
  const auto run = [](const std::vector<std::string>& steps) {
    std::string text;
    for (const auto& s : steps) text += (text.empty() ? "" : "; ") + s;
    return text.empty() ? std::string("the start") : text;
  };
  return {level,
          file,
          p.at,
          "liberal-checked",
          fmt::format("{}. It may after: {}. It may not after: {}. Both look alike to it", p.message, run(p.right),
                      run(p.wrong)),
          {}};
}

}  // namespace harrier::protocol
