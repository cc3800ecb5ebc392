// First with messages that carry their type only; if that is not sound, with marks: at first each step of the session
// that sends has a mark of its own, then marks between which a sender cannot choose, because it does not know where it
// is, are made one, until none are left.
#include <harrier/protocol/checked.hpp>

#include <algorithm>
#include <deque>
#include <map>
#include <optional>
#include <set>

#include <fmt/format.h>

#include <harrier/core/error.hpp>
#include <harrier/core/invariant.hpp>

#include "../lts/word_table.hpp"
#include "knowledge.hpp"
#include "rooms.hpp"

namespace harrier::protocol {
namespace {

using internal::global_graph;
using internal::knowledge;
using internal::view;
using internal::wrong_run;

constexpr std::size_t max_definition_states = 1'000'000;  // after determinisation
constexpr std::size_t max_problems = 20;
constexpr std::size_t max_session_states = 2'000'000;  // with what is under way

bool is_deterministic(const state_graph& graph) { return count(graph).nondeterministic == 0; }

// The session, made deterministic (all branches at once), as it is or with a type of its own for each step that sends.
class labelled_session final : public transition_system {
public:
  labelled_session(const explored_session& session, bool fine) : names_(session.terms->names()) {
    for (type_id t = 0; t < names_.types().size(); ++t) type_of_.push_back(t);
    const bool as_it_is = is_deterministic(session.graph);
    if (!as_it_is) own_ = determinise(session.graph, members_, max_definition_states);
    if (!own_.complete() && !as_it_is)
      throw error(
          fmt::format("the session has more than {} states when all its branches are kept at once, too many to "
                      "project",
                      max_definition_states));
    if (as_it_is && fine) own_ = session.graph;
    graph_ = as_it_is && !fine ? &session.graph : &own_;
    if (!fine) return;
    for (auto& t : own_.steps.all()) {
      auto a = names_.actions()[t.action];
      if (a.kind != action_kind::send) continue;
      const auto type = a.type;
      a.type = names_.type(fmt::format("{}#{}", names_.types()[type], type_of_.size()));
      type_of_.push_back(type);
      t.action = names_.number(a);
    }
  }
  labelled_session(const labelled_session&) = delete;
  labelled_session& operator=(const labelled_session&) = delete;
  ~labelled_session() override = default;

  std::span<const transition> steps(state_id state) override { return graph_->steps[state]; }
  const alphabet& names() const override { return names_; }
  const std::vector<type_id>& type_of() const { return type_of_; }
  /// The states of the session that a state stands for.
  std::vector<state_id> members(state_id state) const {
    return members_.empty() ? std::vector<state_id>{state} : members_[state];
  }

private:
  alphabet names_;
  std::vector<std::vector<state_id>> members_;  // empty: each stands for itself
  state_graph own_;
  const state_graph* graph_;      // the session's, if that will do
  std::vector<type_id> type_of_;  // by label
};

class projection {
public:
  projection(const explored_session& session, bool fine, const projection_watch& watch, internal::proof_budget& budget)
      : session_(session), labels_(session, fine), space_(labels_), fine_(fine), watch_(watch), budget_(budget) {}

  /// Builds what each role knows, and judges it. False: the watch said to stop.
  bool look() {
    auto graph = explore(space_, max_session_states, watch_.enough);
    if (graph.states() > max_session_states)
      throw error(
          fmt::format("the session has more than {} states when messages under way are counted, too many to "
                      "project",
                      max_session_states));
    if (!graph.complete()) return false;
    check_channels(graph);
    global_.emplace(std::move(graph), space_, labels_.type_of());
    do {
      if (!know()) return false;
    } while (merge_classes());
    tell("looking at what roles cannot know", global_->roles());
    auto doubtful = internal::moves_not_certain(*global_, all_, watch_.enough);
    if (!doubtful) return false;
    return doubtful->empty() || internal::is_proved_around_one_role(*global_, all_, watch_.enough) || judge(*doubtful);
  }

  [[nodiscard]] bool is_sound() const { return wrong_.empty(); }
  /// Of what is not sound: whether a run shows it.
  [[nodiscard]] bool is_refuted() const { return !wrong_.empty() && wrong_[0].refuted; }

  checked_projection result() {
    checked_projection result;
    result.names = session_.terms->names();
    result.marked = fine_;
    for (const auto& w : wrong_) result.problems.push_back(problem(w));
    if (!result.problems.empty()) return result;
    for (const auto& local : all_) add_open_end(local, result);
    result.rooms = internal::most_under_way(session_, session_.terms->channels());
    number_marks();
    for (const auto& local : all_) result.machines.push_back(machine_of(local));
    return result;
  }

private:
  // A definition has a receive behind each send, which waits for its message and nothing else.
  void check_channels(const state_graph& graph) const {
    const auto& actions = space_.names().actions();
    for (state_id s = 0; s < graph.states(); ++s) {
      for (const auto& [from, to] : space_.speaking(s)) {
        const auto takes = [&](const transition& t) {
          const auto& a = actions[t.action];
          return a.kind == action_kind::receive && a.from == from && a.to == to;
        };
        HARRIER_INVARIANT(std::any_of(graph.steps[s].begin(), graph.steps[s].end(), takes),
                          "a message that is first in its channel can be received at once");
      }
    }
  }

  // What is shown to be wrong, or may be.
  struct judged_move {
    role_id role;
    std::uint32_t local;
    view what;
    std::vector<view> before;  // a run after which it is wrong
    bool refuted;
    std::string limit = {};  // that ended the search for a proof, if nothing else is known
  };

  // Short runs first, and then more and more work for each way to find out. False: the watch said to stop.
  bool judge(const std::vector<wrong_run>& doubtful) {
    refute_at_once(doubtful);
    if (!wrong_.empty()) return true;
    internal::second_look look(*global_, all_, budget_, [&](const wrong_run& w) { return is_refuting(run_of(w)); });
    struct turn {
      internal::witness_effort of_runs;
      std::size_t of_a_move;
      std::size_t of_all_moves;
    };
    constexpr turn turns[] = {{{1'000, 20'000}, 2'000, 100'000},
                              {{10'000, 300'000}, 50'000, 1'000'000},
                              {{50'000, 1'500'000}, 1'000'000, 5'000'000},
                              {{0, 0}, SIZE_MAX, SIZE_MAX}};
    for (const auto& now : turns) {
      if (now.of_a_move > turns[1].of_a_move && look.is_hopeless()) break;
      tell("looking for runs that are wrong", global_->roles());
      if (is_decided_by_runs(now.of_runs, watch_.enough)) return true;
      tell("looking for a proof", global_->roles());
      if (auto found = look.look(now.of_a_move, now.of_all_moves)) return add_refuted(run_of(*found));
      if (budget_.is_called_off() || must_stop()) return false;
      if (look.open().empty()) return true;
    }
    if (global_->always_ends()) {  // so there are only so many runs
      tell("looking at all runs", global_->roles());
      budget_.begin(SIZE_MAX);
      const bool is_decided =
          is_decided_by_runs({100'000, 4'000'000}, [this] { return must_stop() || budget_.is_over(); });
      budget_.end();
      if (is_decided) return true;
      if (must_stop()) return false;
    }
    add_open(look.open());
    return true;
  }

  bool must_stop() const { return watch_.enough && watch_.enough(); }

  // If there is no other run, and each is explained, that is what a proof would show.
  bool is_decided_by_runs(internal::witness_effort effort, const std::function<bool()>& enough) {
    const auto seen = internal::short_witness(*global_, all_, effort, enough);
    return seen.run ? add_refuted(*seen.run) : seen.is_all;
  }

  // Where the run to a doubtful move and the move are wrong as they are.
  void refute_at_once(const std::vector<wrong_run>& doubtful) {
    constexpr std::size_t places_in_all = 2'000'000;
    std::size_t places = 0;
    std::set<std::pair<role_id, view>> known;
    for (const auto& d : doubtful) {
      if (wrong_.size() == max_problems || places > places_in_all || must_stop()) return;
      if (known.contains({d.role, d.what})) continue;
      const auto before = run_to(all_[d.role], d.local, d.where, &places);
      if (!before || !is_refuting(with(*before, d.what), &places)) continue;
      known.emplace(d.role, d.what);
      wrong_.push_back({d.role, d.local, d.what, *before, true});
    }
  }

  static std::vector<view> with(std::vector<view> run, view last) {
    run.push_back(last);
    return run;
  }

  // A run that the machines can make and no run of the session explains.
  bool is_refuting(const std::vector<view>& run, std::size_t* places = nullptr) const {
    const auto explained = internal::explain(*global_, run);
    if (places != nullptr) *places += explained.places;
    return explained.is_there == false && internal::replayed(*global_, all_, run);
  }

  std::vector<view> run_of(const wrong_run& w) const {
    auto run = *run_to(all_[w.role], w.local, w.where);
    run.insert(run.end(), w.others.begin(), w.others.end());
    run.push_back(w.what);
    return run;
  }

  bool add_refuted(std::vector<view> run) {
    const auto last = run.back();
    run.pop_back();
    const auto places = internal::replayed(*global_, all_, run);
    HARRIER_INVARIANT(places.has_value(), "what refutes a session is a run of its roles");
    const auto role = global_->what(last).subject();
    wrong_.push_back({role, (*places)[role], last, std::move(run), true});
    return true;
  }

  // If more work would not decide some of them, it is these that stand in the way.
  void add_open(const std::vector<internal::open_move>& open) {
    const bool some_hopeless =
        std::any_of(open.begin(), open.end(), [](const auto& m) { return m.suspect.has_value(); });
    std::set<std::pair<role_id, view>> known;
    for (const auto& m : open) {
      if (wrong_.size() == max_problems) return;
      if (m.suspect.has_value() != some_hopeless || !known.emplace(m.role, m.what).second) continue;
      wrong_.push_back({m.role, m.local, m.what, {}, false, m.suspect ? std::string() : budget_.limit()});
      if (!m.suspect) continue;
      wrong_.back().before = run_of(*m.suspect);
      wrong_.back().before.pop_back();
    }
  }

  bool know() {
    all_.clear();
    for (role_id r = 0; r < global_->roles(); ++r) {
      tell("projecting roles", r);
      auto local = internal::knowledge_of(*global_, r, watch_.enough);
      if (!local) return false;
      all_.push_back(std::move(*local));
    }
    return true;
  }

  void tell(const char* doing, std::size_t roles) const {
    if (watch_.tell) watch_.tell(doing, roles, global_->roles());
  }

  // Whether some sender could not choose between two marks; they are one from now on.
  bool merge_classes() {
    bool merged = false;
    for (const auto& local : all_) {
      for (std::uint32_t s = 0; s < local.states(); ++s) {
        std::map<std::pair<role_id, type_id>, std::uint32_t> known;
        for (const auto& m : local.moves(s)) {
          const auto& a = global_->what(m.what);
          if (a.kind != action_kind::send) continue;
          const auto [place, is_new] = known.try_emplace({a.to, global_->type_of(a.type)}, a.type);
          if (!is_new) merged |= global_->merge(place->second, a.type);
        }
      }
    }
    if (merged) global_->renew_views();
    return merged;
  }

  // Marks from 1 for each channel and type that has several classes; 0 where the type says it all.
  void number_marks() {
    std::map<std::tuple<role_id, role_id, type_id>, std::set<std::uint32_t>> classes;
    for (const auto& local : all_) {
      for (std::uint32_t s = 0; s < local.states(); ++s) {
        for (const auto& m : local.moves(s)) {
          const auto& a = global_->what(m.what);
          if (a.type != no_type) classes[{a.from, a.to, global_->type_of(a.type)}].insert(a.type);
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
    local_machine result{local.role(), {}};
    for (std::uint32_t s = 0; s < local.states(); ++s) {
      auto& out = result.states.emplace_back();
      result.may_end.push_back(may_end(local, s));
      for (const auto& m : local.moves(s)) {
        local_machine::move move{global_->what(m.what), 0, m.next, place_of(local, s, m.what)};
        if (move.what.type != no_type) {
          move.mark = marks_.at({move.what.from, move.what.to, move.what.type});
          move.what.type = global_->type_of(move.what.type);
        }
        out.push_back(move);
      }
    }
    return internal::reduced(result);
  }

  // Nothing is under way where the definition has ended: each send has its receive behind it.
  bool may_end(const knowledge& local, std::uint32_t state) const {
    const auto members = local.members(state);
    return std::any_of(members.begin(), members.end(), [&](state_id s) {
      const auto of_definition = labels_.members(space_.definition_state(s));
      return std::any_of(of_definition.begin(), of_definition.end(),
                         [&](state_id d) { return session_.terminated[d]; });
    });
  }

  // --- what is wrong

  void add_open_end(const knowledge& local, checked_projection& result) const {
    for (std::uint32_t state = 0; state < local.states(); ++state) {
      if (local.moves(state).empty()) continue;
      const auto members = local.members(state);
      const auto end =
          std::find_if(members.begin(), members.end(), [&](state_id s) { return global_->steps(s).empty(); });
      if (end == members.end()) continue;
      const auto what = local.moves(state)[0].what;
      result.open_ends.push_back(problem({local.role(), state, what, *run_to(local, state, *end), true}));
      result.open_ends.back().message = message(what, "may wait for this although the session has ended");
      return;
    }
  }

  std::string message(view what, const char* sentence) const {
    const auto role = global_->what(what).subject();
    return fmt::format("`{}`: {} {}", global_->describe(what), escaped(global_->name(role)), sentence);
  }

  projection_problem problem(const judged_move& w) const {
    const auto& local = all_[w.role];
    const auto members = local.members(w.local);
    const auto right =
        std::find_if(members.begin(), members.end(), [&](state_id s) { return global_->offers(s, w.what); });
    return {w.role,
            place_of(local, w.local, w.what),
            global_->describe(w.what),
            message(w.what, w.refuted ? "cannot know whether it may do this" : "may not know whether it may do this"),
            in_words(*run_to(local, w.local, *right)),
            in_words(w.before),
            w.refuted,
            {},
            w.limit};
  }

  std::vector<std::string> in_words(const std::vector<view>& run) const {
    std::vector<std::string> words;
    for (const auto v : run) words.push_back(global_->describe(v));
    return words;
  }

  // A shortest run to a member of a local state that looks to the role like one to that state. With `places`: counts
  // how many states it looks at, and gives up where these are very many.
  std::optional<std::vector<view>> run_to(const knowledge& local, std::uint32_t state, state_id member,
                                          std::size_t* places = nullptr) const {
    constexpr std::size_t very_many = 200'000;
    using place = std::pair<state_id, std::uint32_t>;
    std::map<place, std::pair<place, view>> from{{{0, 0}, {}}};
    std::deque<place> queue{{0, 0}};
    const place goal{member, state};
    while (!from.contains(goal)) {
      const auto at = queue.front();
      queue.pop_front();
      if (places != nullptr && from.size() > very_many) break;
      for (const auto& t : global_->steps(at.first)) {
        const bool own = global_->subject(t) == local.role();
        const place next{t.target, own ? local.after(at.second, global_->seen(t)) : at.second};
        if (from.try_emplace(next, at, global_->seen(t)).second) queue.push_back(next);
      }
    }
    if (places != nullptr) *places += from.size();
    if (!from.contains(goal)) return std::nullopt;
    std::vector<view> run;
    for (auto at = goal; at != place{0, 0}; at = from.at(at).first) run.push_back(from.at(at).second);
    std::reverse(run.begin(), run.end());
    return run;
  }

  source_position place_of(const knowledge& local, std::uint32_t state, view what) const {
    for (const auto s : local.members(state)) {
      if (!global_->offers(s, what)) continue;
      for (const auto d : labels_.members(space_.definition_state(s))) {
        if (const auto at = place_in(d, global_->what(what)); at.line != 0) return at;
      }
    }
    return {};
  }

  source_position place_in(state_id state, const action& what) const {
    for (std::size_t i = 0; i < session_.graph.steps[state].size(); ++i) {
      const auto& a = session_.terms->names().actions()[session_.graph.steps[state][i].action];
      const bool same_type = a.type == no_type || what.type == no_type || a.type == global_->type_of(what.type);
      if (a.kind == what.kind && a.from == what.from && a.to == what.to && same_type) return session_.place(state, i);
    }
    return {};
  }

  const explored_session& session_;
  labelled_session labels_;
  strict_space space_;
  bool fine_;
  const projection_watch& watch_;
  internal::proof_budget& budget_;
  std::optional<global_graph> global_;
  std::vector<knowledge> all_;  // by role
  std::vector<judged_move> wrong_;
  std::map<std::tuple<role_id, role_id, std::uint32_t>, std::uint32_t> marks_;
};

checked_projection stopped() {
  checked_projection result;
  result.complete = false;
  return result;
}

}  // namespace

local_machine internal::reduced(const local_machine& machine) {
  std::map<std::pair<action, std::uint32_t>, action_id> numbers;
  state_graph graph;
  std::vector<transition> out;
  for (const auto& moves : machine.states) {
    out.clear();
    for (const auto& m : moves) {
      out.push_back(
          {numbers.try_emplace({m.what, m.mark}, static_cast<action_id>(numbers.size())).first->second, m.next});
    }
    graph.expand(out);
  }
  const auto blocks = bisimulation(graph);
  local_machine result{machine.role, {}};
  for (std::size_t s = 0; s < blocks.size(); ++s) {
    if (blocks[s] < result.states.size()) result.may_end[blocks[s]] = result.may_end[blocks[s]] || machine.may_end[s];
    if (blocks[s] != result.states.size()) continue;
    result.may_end.push_back(machine.may_end[s]);
    result.states.push_back(machine.states[s]);
    for (auto& m : result.states.back()) m.next = blocks[m.next];
  }
  return result;
}

checked_projection internal::project_within(const explored_session& session, const projection_watch& watch,
                                            proof_budget& budget) {
  const auto& actions = session.terms->names().actions();
  if (std::any_of(actions.begin(), actions.end(), [](const action& a) { return a.kind == action_kind::handshake; })) {
    throw error("a handshake (-->) is one step of two roles, which cannot be projected to each; use -->>");
  }
  if (!session.graph.complete()) throw error("the session was not explored to its end, so it cannot be projected");
  projection plain(session, false, watch, budget);
  if (!plain.look()) return stopped();
  if (plain.is_sound()) return plain.result();
  projection marked(session, true, watch, budget);
  if (!marked.look()) return stopped();
  // A run that is wrong where messages say their types only says nothing of messages that say more.
  return marked.is_sound() || !marked.is_refuted() ? marked.result() : plain.result();
}

checked_projection project_checked(const explored_session& session, const projection_watch& watch) {
  internal::proof_budget budget(watch.proof, watch.enough);
  return internal::project_within(session, watch, budget);
}

diagnostic to_diagnostic(const projection_problem& p, const checked_projection&, const std::string& file,
                         severity level) {
  const auto run = [](const std::vector<std::string>& steps) {
    std::string text;
    for (const auto& s : steps) text += (text.empty() ? "" : "; ") + s;
    return text.empty() ? std::string("the start") : text;
  };
  auto reason = fmt::format("It may not after: {}. Both look alike to it", run(p.wrong));
  if (!p.refuted) {
    reason = p.limit.empty() ? fmt::format(
                                   "Perhaps not after: {}. Both look alike to it; that it is wrong there was "
                                   "not shown, and no proof was found that it never is",
                                   run(p.wrong))
                             : fmt::format(
                                   "No run was found after which it is wrong, and the search for a proof that "
                                   "there is none came to its limit of {}; --proof-time and --proof-memory allow "
                                   "more",
                                   p.limit);
  }
  return {
      level,
      file,
      p.at,
      "liberal-checked",
      fmt::format("{}. It may after: {}. {}", p.message, run(p.right), reason),
      p.instead.empty() ? "" : "channels, in which a sender may be as many messages ahead as they say: " + p.instead};
}

}  // namespace harrier::protocol
