// Sessions around one role, the centre, as those of a server with its clients and with a database behind it: whether
// the machines together do what the session does, in a time that grows with the session and not with what its roles may
// do at once. docs/protocols.md, "Around one role", has the proof; letters beside conditions are those used there.
#include <algorithm>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <utility>
#include <vector>

#include "knowledge.hpp"

namespace harrier::protocol::internal {
namespace {

// Where nothing is under way, if each message is received as soon as it is sent; and from there, message by message.
class quiet_graph {
public:
  struct message {
    view sent;
    role_id from;
    role_id to;
    std::size_t next;
  };

  quiet_graph(const global_graph& global, const std::function<bool()>& enough)
      : global_(global), numbers_(global.states(), none) {
    static_cast<void>(number(0));
    for (std::size_t i = 0; i < states_.size() && !(enough && enough()); ++i) {
      std::vector<message> out;
      for (const auto& t : global.steps(states_[i])) {
        const auto& a = global.what(global.seen(t));
        if (a.kind != action_kind::send) continue;
        for (const auto& u : global.steps(t.target)) {
          const auto& b = global.what(global.seen(u));
          if (b.kind == action_kind::receive && b.from == a.from && b.to == a.to)
            out.push_back({global.seen(t), a.from, a.to, number(u.target)});
        }
      }
      messages_.push_back(std::move(out));
    }
    before_.resize(states_.size());
    for (std::size_t i = 0; i < messages_.size(); ++i) {
      for (const auto& m : messages_[i]) before_[m.next].push_back(i);
    }
  }

  [[nodiscard]] std::size_t states() const { return messages_.size(); }
  [[nodiscard]] const std::vector<message>& from(std::size_t state) const { return messages_[state]; }
  /// Those from which a message leads there.
  [[nodiscard]] const std::vector<std::size_t>& before(std::size_t state) const { return before_[state]; }
  [[nodiscard]] bool offers(std::size_t state, view sent) const {
    const auto& out = messages_[state];
    return std::any_of(out.begin(), out.end(), [&](const message& m) { return m.sent == sent; });
  }
  /// Calls `look` with each of these states of the session that is one of this graph.
  template <class Look>
  void for_each(std::span<const state_id> members, const Look& look) const {
    for (const auto s : members) {
      if (numbers_[s] != none) look(numbers_[s]);
    }
  }

private:
  std::size_t number(state_id s) {
    if (numbers_[s] == none) {
      numbers_[s] = states_.size();
      states_.push_back(s);
    }
    return numbers_[s];
  }

  static constexpr auto none = static_cast<std::size_t>(-1);
  const global_graph& global_;
  std::vector<std::size_t> numbers_;  // by state of the session
  std::vector<state_id> states_;
  std::vector<std::vector<message>> messages_;
  std::vector<std::vector<std::size_t>> before_;
};

class around {
public:
  around(const global_graph& global, std::span<const knowledge> all, role_id centre, const quiet_graph& quiet,
         const std::function<bool()>& enough)
      : global_(global), all_(all), centre_(centre), quiet_(quiet), enough_(enough) {}

  bool is_proved() {
    if (!nobody_hesitates()) return false;
    may_send_.assign(quiet_.states(), {});
    for (const auto& local : all_) note_sends(local);
    for (auto& sends : may_send_) {
      std::sort(sends.begin(), sends.end());
      sends.erase(std::unique(sends.begin(), sends.end()), sends.end());
    }
    return centre_sends_what_it_may() && centre_receives_what_may_come() && others_send_each_other_what_they_may() &&
           all_sends_come();
  }

private:
  // (a) None of the others may both send and receive, or receive from one or from another.
  bool nobody_hesitates() const {
    for (const auto& local : all_) {
      for (std::uint32_t s = 0; s < local.states() && local.role() != centre_; ++s) {
        const auto& moves = local.moves(s);
        const auto like_the_first = [&](const auto& m) {
          const auto& one = global_.what(moves[0].what);
          const auto& other = global_.what(m.what);
          return one.kind == other.kind && (one.kind == action_kind::send || one.from == other.from);
        };
        if (!std::all_of(moves.begin(), moves.end(), like_the_first)) return false;
      }
    }
    return true;
  }

  void note_sends(const knowledge& local) {
    for (std::uint32_t s = 0; s < local.states(); ++s) {
      for (const auto& m : local.moves(s)) {
        if (global_.what(m.what).kind != action_kind::send) continue;
        quiet_.for_each(local.members(s), [&](std::size_t q) { may_send_[q].push_back(m.what); });
      }
    }
  }

  // (b)
  bool centre_sends_what_it_may() const {
    return all_may_be_sent([this](const action& a) { return a.from == centre_; });
  }
  // (d)
  bool others_send_each_other_what_they_may() const {
    return all_may_be_sent([this](const action& a) { return a.from != centre_ && a.to != centre_; });
  }
  template <class Which>
  bool all_may_be_sent(const Which& which) const {
    for (std::size_t q = 0; q < quiet_.states(); ++q) {
      if (must_stop()) return false;
      for (const auto v : may_send_[q]) {
        if (which(global_.what(v)) && !quiet_.offers(q, v)) return false;
      }
    }
    return true;
  }

  // (c)
  bool centre_receives_what_may_come() const {
    bool result = true;
    const auto& local = all_[centre_];
    for (std::uint32_t s = 0; s < local.states() && result; ++s) {
      if (must_stop()) return false;
      for (const auto& m : local.moves(s)) {
        const auto& received = global_.what(m.what);
        if (received.kind != action_kind::receive) continue;
        quiet_.for_each(local.members(s), [&](std::size_t q) {
          for (const auto v : may_send_[q]) {
            const auto& sent = global_.what(v);
            const bool is_that = sent.from == received.from && sent.to == centre_ && sent.type == received.type;
            if (is_that && !quiet_.offers(q, v)) result = false;
          }
        });
      }
    }
    return result;
  }

  // (e)
  bool all_sends_come() const {
    std::map<view, std::vector<std::size_t>> where;
    for (std::size_t q = 0; q < quiet_.states(); ++q) {
      for (const auto v : may_send_[q]) {
        if (global_.what(v).to == centre_) where[v].push_back(q);
      }
    }
    return std::all_of(where.begin(), where.end(), [this](const auto& w) {
      if (must_stop()) return false;
      const auto comes = coming(w.first);
      return std::all_of(w.second.begin(), w.second.end(), [&](std::size_t q) { return comes[q]; });
    });
  }

  // From where its role may send that next, wherever others that have something to send insist on it.
  std::vector<bool> coming(view sent) const {
    const auto sender = global_.what(sent).from;
    std::vector<bool> result(quiet_.states(), false);
    std::vector<std::size_t> found;
    for (std::size_t q = 0; q < result.size(); ++q) {
      result[q] = quiet_.offers(q, sent);
      if (result[q]) found.push_back(q);
    }
    while (!found.empty()) {
      const auto next = found.back();
      found.pop_back();
      for (const auto q : quiet_.before(next)) {
        if (result[q] || !is_led_on(q, sender, result)) continue;
        result[q] = true;
        found.push_back(q);
      }
    }
    return result;
  }
  bool is_led_on(std::size_t q, role_id sender, const std::vector<bool>& good) const {
    for (const auto& m : quiet_.from(q)) {
      if (!good[m.next] || m.from == sender || m.to == sender) continue;
      if (m.from == centre_) return true;
      const auto leads_on = [&](view v) { return global_.what(v).from != m.from || leads(q, v, good); };
      if (std::all_of(may_send_[q].begin(), may_send_[q].end(), leads_on)) return true;
    }
    return false;
  }
  bool leads(std::size_t q, view sent, const std::vector<bool>& good) const {
    const auto& out = quiet_.from(q);
    return std::any_of(out.begin(), out.end(), [&](const auto& m) { return m.sent == sent && good[m.next]; });
  }

  bool must_stop() const { return enough_ && enough_(); }

  const global_graph& global_;
  std::span<const knowledge> all_;
  role_id centre_;
  const quiet_graph& quiet_;
  const std::function<bool()>& enough_;
  std::vector<std::vector<view>> may_send_;  // by quiet state, sorted: of any role
};

// Between whom messages go. Empty: something else is done, too.
std::vector<std::set<role_id>> neighbours(const global_graph& global) {
  std::vector<std::set<role_id>> result(global.roles());
  for (state_id s = 0; s < global.states(); ++s) {
    for (const auto& t : global.steps(s)) {
      const auto& a = global.what(global.seen(t));
      if ((a.kind != action_kind::send && a.kind != action_kind::receive) || a.from == a.to) return {};
      result[a.from].insert(a.to);
      result[a.to].insert(a.from);
    }
  }
  return result;
}

// Whether of those that are connected without this role one deals with it.
bool may_be_centre(role_id centre, const std::vector<std::set<role_id>>& neighbours) {
  std::vector<bool> known(neighbours.size(), false);
  known[centre] = true;
  for (const auto start : neighbours[centre]) {
    if (known[start]) return false;  // another one has led there
    std::vector<role_id> open{start};
    known[start] = true;
    while (!open.empty()) {
      const auto at = open.back();
      open.pop_back();
      for (const auto next : neighbours[at]) {
        if (!known[next]) open.push_back(next);
        known[next] = true;
      }
    }
  }
  return true;
}

}  // namespace

bool is_proved_around_one_role(const global_graph& global, std::span<const knowledge> all,
                               const std::function<bool()>& enough) {
  const auto between = neighbours(global);
  std::optional<quiet_graph> quiet;
  for (role_id r = 0; r < between.size(); ++r) {
    if (!may_be_centre(r, between)) continue;
    if (!quiet) quiet.emplace(global, enough);
    if (enough && enough()) return false;
    if (around(global, all, r, *quiet, enough).is_proved()) return true;
  }
  return false;
}

}  // namespace harrier::protocol::internal
