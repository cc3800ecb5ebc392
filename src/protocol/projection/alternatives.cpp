// For a role r, a state of its knowledge, and a move m of it: the session's runs from where r has just acted, r
// waiting, are followed step by step; beside each, all runs of the session (`alternatives`) in which the others do the
// same and r's next action is m. Wherever m is possible, there must be an alternative. Then a run of the machines that
// a run of the session explains still has such a run after one more step: docs/protocols.md has the proof. This accepts
// more than certainty.cpp, and its cost is exponential in the roles that wait.
//
// Where it does not accept a move, it is tried with more freedom: runs begin before some actions of r, which
// alternatives have in common with them; and some actions of others come sooner in alternatives than in the run.
#include <algorithm>
#include <deque>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "../lts/word_table.hpp"
#include "knowledge.hpp"

namespace harrier::protocol::internal {
namespace {

using word = std::vector<std::uint32_t>;

struct effort_spent {};

// The pairs of roles of which one sends to the other, numbered receiver after receiver.
class channels {
public:
  explicit channels(const global_graph& global)
      : first_(global.roles() + 1, 0), number_of_(global.roles() * global.roles(), 0), roles_(global.roles()) {
    std::set<std::pair<role_id, role_id>> used;  // receiver and sender
    for (state_id s = 0; s < global.states(); ++s) {
      for (const auto& t : global.steps(s)) {
        const auto& a = global.what(global.seen(t));
        if (a.kind == action_kind::send) used.emplace(a.to, a.from);
      }
    }
    for (const auto& [to, from] : used) {
      number_of_[from * roles_ + to] = static_cast<std::uint32_t>(senders_.size());
      senders_.push_back(from);
      first_[to + std::size_t{1}] = senders_.size();
    }
    for (std::size_t r = 1; r < first_.size(); ++r) first_[r] = std::max(first_[r], first_[r - 1]);
  }

  [[nodiscard]] std::size_t count() const { return senders_.size(); }
  /// @pre it is used
  [[nodiscard]] std::size_t number(role_id from, role_id to) const { return number_of_[from * roles_ + to]; }
  /// Those to `to`: from this one to before that one.
  [[nodiscard]] std::pair<std::size_t, std::size_t> to(role_id to) const {
    return {first_[to], first_[to + std::size_t{1}]};
  }
  [[nodiscard]] role_id sender(std::size_t number) const { return senders_[number]; }

private:
  std::vector<std::size_t> first_;  // by receiver
  std::vector<std::uint32_t> number_of_;
  std::vector<role_id> senders_;  // by number
  std::size_t roles_;
};

// One run of the session with some roles waiting, as a word: the state; how many of the role's own actions were done;
// then by role whether it waits; and by channel how many messages are really under way, or, to the role when it waits,
// the class of the first one, + 1.
class configuration {
public:
  configuration(const global_graph& global, const channels& between, role_id waiting)
      : global_(global), channels_(between), waiting_(waiting), roles_(global.roles()) {}

  // Of a word.
  std::size_t size() const { return 2 + roles_ + channels_.count(); }
  static std::uint32_t& own(word& w) { return w[1]; }
  bool waits(const word& w) const { return w[blocked(waiting_)] != 0; }
  bool is_own(const transition& t) const { return global_.subject(t) == waiting_; }

  word start(state_id state) const {
    word w(size(), 0);
    w[0] = state;
    for (role_id to = 0; to < roles_; ++to) {
      const auto [first_to, end] = channels_.to(to);
      for (auto c = first_to; c != end; ++c)
        w[channel(c)] = static_cast<std::uint32_t>(global_.under_way(state, channels_.sender(c), to).size());
    }
    return w;
  }

  // The role does nothing any more.
  void let_wait(word& w) const {
    w[blocked(waiting_)] = 1;
    const auto [first_to, end] = channels_.to(waiting_);
    for (auto c = first_to; c != end; ++c) {
      if (w[channel(c)] != 0) w[channel(c)] = global_.under_way(w[0], channels_.sender(c), waiting_).front() + 1;
    }
  }

  // Goes along `t`. Nothing: the action does not really happen, now or later.
  std::optional<view> follow(word& w, const transition& t) const {
    w[0] = t.target;
    const auto& a = global_.what(global_.seen(t));
    const bool to_who_waits = a.to == waiting_ && waits(w);
    const bool needs_message = a.kind == action_kind::receive && !to_who_waits && w[channel(a)] == 0;
    if (w[blocked(a.subject())] != 0 || needs_message) {
      w[blocked(a.subject())] = 1;
      // What cannot be taken any more need not be counted: keeps the configurations finite.
      const auto [first, end] = channels_.to(a.subject());
      for (auto c = first; c != end && a.subject() != waiting_; ++c) w[channel(c)] = 0;
      return std::nullopt;
    }
    if (a.kind == action_kind::receive) --w[channel(a)];
    if (a.kind == action_kind::send && to_who_waits && w[channel(a)] == 0) w[channel(a)] = a.type + 1;
    if (a.kind == action_kind::send && !to_who_waits && w[blocked(a.to)] == 0) ++w[channel(a)];
    return global_.seen(t);
  }

  bool possible(const word& w, view v) const {
    const auto& move = global_.what(v);
    return move.kind != action_kind::receive || w[channel(move)] == move.type + 1;
  }

private:
  std::size_t blocked(role_id r) const { return 2 + r; }
  std::size_t channel(std::size_t number) const { return 2 + roles_ + number; }
  std::size_t channel(const action& a) const { return channel(channels_.number(a.from, a.to)); }

  const global_graph& global_;
  const channels& channels_;
  role_id waiting_;
  std::size_t roles_;
};

// By state: whether the role's `move` may come next, others acting before.
std::vector<bool> reaching(const global_graph& global, role_id role, view move) {
  std::vector<std::vector<state_id>> predecessors(global.states());
  std::vector<bool> result(global.states(), false);
  std::vector<state_id> stack;
  for (state_id s = 0; s < global.states(); ++s) {
    for (const auto& t : global.steps(s)) {
      if (global.subject(t) != role) predecessors[t.target].push_back(s);
      if (global.seen(t) == move && !result[s]) {
        result[s] = true;
        stack.push_back(s);
      }
    }
  }
  while (!stack.empty()) {
    const auto s = stack.back();
    stack.pop_back();
    for (const auto before : predecessors[s]) {
      if (!result[before]) stack.push_back(before);
      result[before] = true;
    }
  }
  return result;
}

// How far alternatives may differ from a run.
struct freedom {
  std::size_t back;   // they begin before so many actions of the role
  std::size_t ahead;  // so many actions of others may have come sooner
};

// Where runs begin: in a state in which the role has just acted, or at the start; and what it does then until it waits.
struct entry {
  state_id state;
  std::uint32_t local;  // where it is then
  std::vector<view> own;
  auto operator<=>(const entry&) const = default;
};

class move_check {
public:
  move_check(const global_graph& global, const channels& between, role_id role, view move,
             const std::vector<bool>& reaching, std::size_t most_ahead, proof_budget& budget)
      : global_(global),
        steps_(global, between, role),
        move_(move),
        reaching_(reaching),
        most_ahead_(most_ahead),
        budget_(budget) {}

  // What is done from there in a run after which the move would be wrong.
  std::optional<std::vector<view>> wrong_from(const entry& from) {
    own_ = from.own;
    auto start = steps_.start(from.state);
    if (own_.empty()) steps_.let_wait(start);
    add(start, close({alternatives_.number(start)}), 0, std::nullopt);
    for (std::uint32_t i = 0; i < runs_.size(); ++i) {
      spend();
      const word run(runs_[i].begin(), runs_[i].end());
      const word at(run.begin() + 1, run.end());
      if (steps_.waits(at) && steps_.possible(at, move_) && !has_alternative(run[0])) return done_until(i);
      for (const auto& t : global_.steps(at[0])) {
        auto next = at;
        if (steps_.is_own(t) && !steps_.waits(at)) {
          if (act(next, t)) add(next, run[0], i, global_.seen(t));
          continue;
        }
        const auto done = steps_.follow(next, t);
        add(next, done ? after(run[0], *done) : run[0], i, done);
      }
    }
    return std::nullopt;
  }

private:
  void spend(std::size_t configurations = 1) {
    constexpr std::size_t of_an_entry = 80;  // of `after_`, about
    constexpr std::size_t of_a_word = 16;
    const auto letters = runs_.letters() + alternatives_.letters() + sets_.letters();
    const auto words = 2 * runs_.size() + alternatives_.size() + sets_.size();
    const auto bytes = sizeof(std::uint32_t) * letters + of_a_word * words + of_an_entry * after_.size();
    if (!budget_.spend(configurations, bytes)) throw effort_spent();
  }

  void add(const word& at, std::uint32_t beside, std::uint32_t from, const std::optional<view>& done) {
    word run{beside};
    run.insert(run.end(), at.begin(), at.end());
    const auto number = runs_.number(run);
    if (number == came_from_.size()) came_from_.emplace_back(from, done);
  }

  // With what may happen without anybody really acting, or before they do.
  std::uint32_t close(std::set<std::uint32_t> alternatives) {
    std::vector<std::uint32_t> stack(alternatives.begin(), alternatives.end());
    while (!stack.empty()) {
      const word at(alternatives_[stack.back()].begin(), alternatives_[stack.back()].end());
      stack.pop_back();
      spend();
      for (const auto& t : global_.steps(at[0])) {
        auto next = at;
        if (steps_.is_own(t) && !steps_.waits(at)) {
          if (!act(next, t)) continue;
        } else if (!may_follow(next, t)) {
          continue;
        } else if (const auto done = steps_.follow(next, t)) {
          if (at.size() == steps_.size() + most_ahead_) continue;
          add_ahead(next, *done);
        }
        const auto number = alternatives_.number(next);
        if (alternatives.insert(number).second) stack.push_back(number);
      }
    }
    const word members(alternatives.begin(), alternatives.end());
    return sets_.number(members);
  }

  // The role's next action, before it waits. @return whether that is `t`, and can be done
  bool act(word& at, const transition& t) const {
    auto& own = configuration::own(at);
    if (global_.seen(t) != own_[own]) return false;
    if (!steps_.follow(at, t)) return false;
    if (++own == own_.size()) steps_.let_wait(at);
    return true;
  }
  // In an alternative the role does the same, and then the move.
  bool may_follow(word& at, const transition& t) const {
    auto& own = configuration::own(at);
    if (!steps_.is_own(t) || own > own_.size()) return true;
    ++own;
    return global_.seen(t) == move_;
  }

  std::uint32_t after(std::uint32_t set, view done) {
    if (const auto found = after_.find({set, done}); found != after_.end()) return found->second;
    std::set<std::uint32_t> next_set;
    const word members(sets_[set].begin(), sets_[set].end());
    spend(members.size());
    for (const auto member : members) {
      word at(alternatives_[member].begin(), alternatives_[member].end());
      if (const auto ahead = first_ahead(at, global_.what(done).subject()); ahead != at.end()) {
        if (*ahead != done) continue;
        at.erase(ahead);
        next_set.insert(alternatives_.number(at));
        continue;
      }
      for (const auto& t : global_.steps(at[0])) {
        auto next = at;
        if (!steps_.is_own(t) && steps_.follow(next, t) == done) next_set.insert(alternatives_.number(next));
      }
    }
    return after_[{set, done}] = close(std::move(next_set));
  }

  // What was done ahead stands behind the rest of an alternative, role by role.
  word::iterator first_ahead(word& at, role_id role) const {
    const auto first = at.begin() + static_cast<std::ptrdiff_t>(steps_.size());
    const auto found = std::find_if(first, at.end(), [&](view v) { return global_.what(v).subject() >= role; });
    return found != at.end() && global_.what(*found).subject() == role ? found : at.end();
  }
  void add_ahead(word& at, view done) const {
    const auto role = global_.what(done).subject();
    const auto first = at.begin() + static_cast<std::ptrdiff_t>(steps_.size());
    at.insert(std::find_if(first, at.end(), [&](view v) { return global_.what(v).subject() > role; }), done);
  }

  bool has_alternative(std::uint32_t set) const {
    const auto members = sets_[set];
    return std::any_of(members.begin(), members.end(), [&](std::uint32_t member) {
      const auto at = alternatives_[member];
      return at[1] > own_.size() || (at[1] == own_.size() && reaching_[at[0]]);
    });
  }

  std::vector<view> done_until(std::uint32_t run) const {
    std::vector<view> result;
    for (auto i = run; i != 0; i = came_from_[i].first) {
      if (came_from_[i].second) result.push_back(*came_from_[i].second);
    }
    std::reverse(result.begin(), result.end());
    return result;
  }

  const global_graph& global_;
  configuration steps_;
  view move_;
  std::vector<view> own_;  // what the role does until it waits
  const std::vector<bool>& reaching_;
  std::size_t most_ahead_;
  proof_budget& budget_;
  word_table runs_;  // alternatives beside the run, then the run
  word_table alternatives_;
  word_table sets_;
  std::map<std::pair<std::uint32_t, view>, std::uint32_t> after_;
  std::vector<std::pair<std::uint32_t, std::optional<view>>> came_from_;
};

// Which moves of a role are still to be looked at.
class role_check {
public:
  role_check(const global_graph& global, const channels& between, const knowledge& local)
      : global_(global), channels_(between), local_(local), entries_(local.states()) {
    entries_[0].insert(0);
    for (std::uint32_t state = 0; state < local.states(); ++state) {
      for (const auto s : local.members(state)) add_entries(state, s);
      if (one_sender(state)) continue;
      for (const auto& m : local.moves(state)) open_.push_back({{local.role(), state, m.what, {}}, {}});
    }
  }

  // @return a run that refutes the session
  // `at_most`: if the first freedom does not do, and with so many configurations no other one does, nobody looks
  // further.
  std::optional<wrong_run> look(proof_budget& budget, std::size_t of_a_move, std::size_t at_most, std::size_t& in_all,
                                const std::function<bool(const wrong_run&)>& is_refuting) {
    for (std::size_t i = 0; i < open_.size() && in_all != 0 && !budget.is_called_off();) {
      auto& at = open_[i];
      if (!at.move.suspect) {
        const auto allowed = std::min(of_a_move, in_all);
        budget.begin(allowed);
        if (auto found = look(at, budget, is_refuting)) return found;
        if (of_a_move >= at_most && at.otherwise && !is_proved(at)) at.move.suspect = at.otherwise;
        budget.end();
        in_all -= allowed - budget.left();
      }
      if (is_proved(at))
        open_.erase(open_.begin() + static_cast<std::ptrdiff_t>(i));
      else
        ++i;
    }
    return std::nullopt;
  }

  void add_open(std::vector<open_move>& all) const {
    for (const auto& o : open_) all.push_back(o.move);
  }
  bool is_hopeless() const {
    return std::any_of(open_.begin(), open_.end(), [](const auto& o) { return o.move.suspect.has_value(); });
  }

private:
  // Each is tried where the one before does not do.
  static constexpr freedom freedoms[] = {{0, 0}, {0, 2}, {1, 2}, {2, 3}, {3, 4}};
  struct open_check {
    open_move move;
    std::optional<std::set<entry>> entries_left;  // nothing: all of its state
    std::size_t tried = 0;                        // freedoms that do not do
    std::optional<wrong_run> otherwise = {};      // with the first of them this seems to be wrong
  };

  static bool is_proved(const open_check& at) {
    return at.entries_left && at.entries_left->empty() && !at.move.suspect;
  }
  void add_entries(std::uint32_t state, state_id s) {
    for (const auto& t : global_.steps(s)) {
      if (global_.subject(t) == local_.role()) entries_[local_.after(state, global_.seen(t))].insert(t.target);
    }
  }

  // Then the order of its messages is that of the session, and nothing else can happen to the role.
  bool one_sender(std::uint32_t state) const {
    const auto& moves = local_.moves(state);
    return std::all_of(moves.begin(), moves.end(), [&](const auto& m) {
      const auto& a = global_.what(m.what);
      return a.kind == action_kind::receive && a.from == global_.what(moves[0].what).from;
    });
  }

  const std::vector<bool>& states_reaching(view move) {
    const auto [place, is_new] = reaching_.try_emplace(move);
    if (is_new) place->second = reaching(global_, local_.role(), move);
    return place->second;
  }

  std::optional<wrong_run> look(open_check& at, proof_budget& budget,
                                const std::function<bool(const wrong_run&)>& is_refuting) {
    const auto role = at.move.role;
    const auto state = at.move.local;
    const auto move = at.move.what;
    for (;;) {
      const auto [back, ahead] = freedoms[at.tried];
      if (!at.entries_left) add_windows({0, state, {}}, back, at.entries_left.emplace());
      auto& left = *at.entries_left;
      if (left.empty()) return std::nullopt;
      const auto from = *left.begin();
      std::optional<std::vector<view>> done;
      try {
        done = move_check(global_, channels_, role, move, states_reaching(move), ahead, budget).wrong_from(from);
      } catch (const effort_spent&) {
        return std::nullopt;
      }
      if (!done) {
        left.erase(left.begin());
        continue;
      }
      wrong_run found{role, from.local, move, from.state, std::move(*done)};
      if (is_refuting(found)) return found;
      if (!at.otherwise) at.otherwise = std::move(found);
      if (++at.tried == std::size(freedoms)) {
        at.move.suspect = at.otherwise;
        return std::nullopt;
      }
      at.entries_left.reset();
    }
  }

  // All ways to where `of` is, of so many more actions of the role, or fewer from the start.
  void add_windows(const entry& of, std::size_t more, std::set<entry>& result) const {
    if (more == 0) {
      for (const auto s : entries_[of.local]) result.insert({s, of.local, of.own});
      return;
    }
    if (of.local == 0) result.insert({0, 0, of.own});
    for (std::uint32_t before = 0; before < local_.states(); ++before) {
      for (const auto& m : local_.moves(before)) {
        if (m.next != of.local) continue;
        entry longer{0, before, {m.what}};
        longer.own.insert(longer.own.end(), of.own.begin(), of.own.end());
        add_windows(longer, more - 1, result);
      }
    }
  }

  const global_graph& global_;
  const channels& channels_;
  const knowledge& local_;
  std::vector<std::set<state_id>> entries_;  // by local state: members in which the role has just acted
  std::map<view, std::vector<bool>> reaching_;
  std::vector<open_check> open_;
};

}  // namespace

void proof_budget::begin(std::size_t configurations) {
  at_ = std::chrono::steady_clock::now();
  left_ = is_late() ? 0 : configurations;
}

void proof_budget::end() {
  const auto now = std::chrono::steady_clock::now();
  seconds_ += std::chrono::duration<double>(now - std::exchange(at_, now)).count();
}

bool proof_budget::is_over() {
  end();
  return is_late();
}

bool proof_budget::is_late() {
  if (limits_.seconds == 0 || seconds_ <= limits_.seconds) return false;
  limit_ = fmt::format("{:g} s", limits_.seconds);
  return true;
}

bool proof_budget::spend(std::size_t configurations, std::size_t bytes) {
  constexpr std::size_t mebibyte = 1024 * 1024;
  if (left_ < configurations) {
    left_ = 0;
    return false;
  }
  left_ -= configurations;
  if (limits_.mebibytes != 0 && bytes > limits_.mebibytes * mebibyte) {
    limit_ = fmt::format("{} MiB", limits_.mebibytes);
    return false;
  }
  constexpr std::size_t every = 4096;
  until_clock_ += configurations;
  if (until_clock_ < every) return true;
  until_clock_ = 0;
  end();
  called_off_ = called_off_ || (enough_ && enough_());
  return !called_off_ && !is_late();
}

class second_look::search {
public:
  search(const global_graph& global, std::span<const knowledge> all, proof_budget& budget,
         std::function<bool(const wrong_run&)> is_refuting)
      : channels_(global), budget_(budget), is_refuting_(std::move(is_refuting)) {
    for (const auto& local : all) roles_.emplace_back(global, channels_, local);
  }
  search(const search&) = delete;
  search& operator=(const search&) = delete;
  ~search() = default;

  std::optional<wrong_run> look(std::size_t of_a_move, std::size_t in_all) {
    constexpr std::size_t few_moves = 24;
    const std::size_t at_most = open().size() <= few_moves ? 1'000'000 : 50'000;
    for (auto& r : roles_) {
      if (auto found = r.look(budget_, of_a_move, at_most, in_all, is_refuting_)) return found;
    }
    return std::nullopt;
  }

  std::vector<open_move> open() const {
    std::vector<open_move> result;
    for (const auto& r : roles_) r.add_open(result);
    return result;
  }

  bool is_hopeless() const {
    return std::any_of(roles_.begin(), roles_.end(), [](const auto& r) { return r.is_hopeless(); });
  }

private:
  channels channels_;
  proof_budget& budget_;
  std::function<bool(const wrong_run&)> is_refuting_;
  std::deque<role_check> roles_;
};

second_look::second_look(const global_graph& global, std::span<const knowledge> all, proof_budget& budget,
                         std::function<bool(const wrong_run&)> is_refuting)
    : search_(std::make_unique<search>(global, all, budget, std::move(is_refuting))) {}
second_look::~second_look() = default;

std::optional<wrong_run> second_look::look(std::size_t of_a_move, std::size_t in_all) {
  return search_->look(of_a_move, in_all);
}
std::vector<open_move> second_look::open() const { return search_->open(); }
bool second_look::is_hopeless() const { return search_->is_hopeless(); }

}  // namespace harrier::protocol::internal
