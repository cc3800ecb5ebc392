// Zab, ZooKeeper's protocol: an election, and how its leader brings the others up to date. Read README.md beside this
// file.
#pragma once

#include <algorithm>
#include <chrono>
#include <compare>
#include <cstddef>
#include <deque>
#include <harrier/harrier.hpp>
#include <map>
#include <set>
#include <stdexcept>
#include <vector>

using namespace std::chrono_literals;

enum class bug { none, zookeeper_3911, zookeeper_4394 };
enum class role { looking, following, leading };

/// For whom, and why: the newest log wins, then the greatest number.
struct ballot {
  int epoch;
  int last;
  int leader;
  auto operator<=>(const ballot&) const = default;
};

/// Of a leader with one of its followers, until that restarts.
struct session {
  int epoch;
  int life;
  auto operator<=>(const session&) const = default;
};

struct server {
  bug has = bug::none;
  int me = 0;
  harrier::persistent<int> accepted = 0;  ///< no leader of this epoch or an older one is followed any more
  harrier::persistent<int> epoch = 0;     ///< that the log is of
  harrier::persistent<int> life = 1;
  harrier::persistent<std::vector<int>> log = {};  ///< what was proposed, in order
  std::vector<harrier::ref<server>> all;

  role now = role::looking;
  ballot mine{};
  std::map<int, ballot> heard;
  std::map<int, int> followers;  ///< in which life each has joined
  std::map<int, int> in_step;    ///< how long the log was that each had then
  std::set<int> acknowledged;
  int leads = 0;  ///< the epoch of which it is the leader; 0 before it has chosen that
  int most_accepted = 0;
  session follows{};              ///< whose leader has brought it up to date
  std::deque<int> not_committed;  ///< of a follower: what was proposed before it was up to date
  bool is_up_to_date = false;
  int committed = 0;  ///< so many of the log

  void meet(harrier::self& self, const std::vector<harrier::ref<server>>& everybody) {
    all = everybody;
    self.after<&server::look>(200ms);
  }
  void on_restart(harrier::self& self) {
    life = life + 1;
    self.after<&server::look>(200ms);
  }

  // The election.

  void look(harrier::self& self) {
    now = role::looking;
    heard.clear();
    mine = {epoch, last(), me};
    tell_all(self);
    decide(self);
  }

  void notify(harrier::self& self, const ballot& theirs, int from) {
    if (now != role::looking) return;
    heard[from] = theirs;
    if (theirs > mine) {
      mine = theirs;
      tell_all(self);
    }
    decide(self);
  }

  // What a leader does with who has joined it.

  void join(harrier::self& self, int from, int its_life, int it_accepted, int its_last) {
    const auto had = in_step.contains(from) ? std::min(in_step[from], committed) : 0;
    self.check(its_last >= had, "who was in step still has what is committed");
    followers[from] = its_life;
    in_step.erase(from);
    most_accepted = std::max(most_accepted, it_accepted);
    if (leads != 0) return bring_up_to_date(self, from);
    if (followers.size() + 1 <= all.size() / 2) return;
    accepted = leads = std::max(most_accepted, accepted.get()) + 1;
    self.sync();
    for (const auto& [one, its] : followers) bring_up_to_date(self, one);
  }
  bool accepts(harrier::handler<&server::join>, int, int, int, int) const { return now == role::leading; }

  void in_step_now(harrier::self& self, int from, const session& in, int its_last) {
    if (!is_mine(from, in)) return;
    in_step[from] = its_last;
    if (is_up_to_date) return self.send<&server::up_to_date>(at(from), in, committed);
    if (in_step.size() + 1 <= all.size() / 2) return;
    is_up_to_date = true;
    epoch = leads;
    self.sync();
    committed = last();
    self.note("a leader is established");
    for (const auto& [one, its] : in_step) self.send<&server::up_to_date>(at(one), with(one), committed);
  }

  /// Of a client: to the leader, once it is one.
  void request(harrier::self& self, int value) {
    log.write().push_back(value);
    self.sync();
    acknowledged.clear();
    for (const auto& [one, its] : followers) self.send<&server::propose>(at(one), with(one), value);
  }
  bool accepts(harrier::handler<&server::request>, int) const {
    return now == role::leading && is_up_to_date && committed == last();
  }

  void acknowledge(harrier::self& self, int from, const session& in) {
    if (!is_mine(from, in)) return;
    acknowledged.insert(from);
    if (committed == last() || acknowledged.size() + 1 <= all.size() / 2) return;
    committed = last();
    for (const auto& [one, its] : followers) self.send<&server::commit>(at(one), with(one));
  }

  // What a follower does.

  void new_leader(harrier::self& self, int leader, const session& in, const std::vector<int>& its_log) {
    if (now != role::following || leader != mine.leader || in.life != life || in.epoch <= accepted) return;
    accepted = epoch = in.epoch;
    follows = in;
    log = its_log;
    for (const auto value : not_committed) log.write().push_back(value);
    const auto written = not_committed.size();
    if (has == bug::zookeeper_4394) not_committed.clear();
    if (has != bug::zookeeper_3911) self.sync();  // on disk before the leader counts on it
    self.send<&server::in_step_now>(at(leader), me, in, last());
    for (std::size_t i = 0; i < written; ++i) self.send<&server::acknowledge>(at(leader), me, in);
  }

  void propose(harrier::self& self, const session& in, int value) {
    if (now != role::following || in.life != life || (in.epoch <= accepted && in != follows)) return;
    not_committed.push_back(value);
    if (in != follows) return;  // it is written when the new leader has said what comes before
    log.write().push_back(value);
    self.sync();
    self.send<&server::acknowledge>(at(mine.leader), me, in);
  }

  void commit(const session& in) {
    if (now != role::following || in != follows) return;
    if (not_committed.empty()) throw std::logic_error("what is to be committed was never proposed");
    not_committed.pop_front();
    ++committed;
  }

  void up_to_date(const session& in, int so_many) {
    if (now == role::following && in == follows) committed = std::max(committed, so_many);
  }

private:
  [[nodiscard]] int last() const { return static_cast<int>(log->size()); }
  [[nodiscard]] session with(int whom) const { return {leads, followers.at(whom)}; }
  [[nodiscard]] bool is_mine(int whom, const session& in) const {
    return now == role::leading && followers.contains(whom) && in == with(whom);
  }
  [[nodiscard]] harrier::ref<server> at(int i) const { return all[static_cast<std::size_t>(i)]; }

  void tell_all(harrier::self& self) const {
    for (int i = 0; i < static_cast<int>(all.size()); ++i)
      if (i != me) self.send<&server::notify>(at(i), mine, me);
  }
  void decide(harrier::self& self) {
    std::size_t agreed = 1;
    for (const auto& [who, theirs] : heard) agreed += theirs == mine ? 1 : 0;
    if (agreed <= all.size() / 2) return;
    now = mine.leader == me ? role::leading : role::following;
    followers.clear(), in_step.clear(), acknowledged.clear(), not_committed.clear();
    is_up_to_date = false;
    committed = leads = most_accepted = 0;
    follows = {};
    if (now == role::following) self.send<&server::join>(at(mine.leader), me, life.get(), accepted.get(), last());
  }
  /// What is proposed and not yet committed comes before the log that is.
  void bring_up_to_date(harrier::self& self, int whom) {
    const auto end = is_up_to_date ? log->begin() + committed : log->end();
    for (auto one = end; one != log->end(); ++one) self.send<&server::propose>(at(whom), with(whom), *one);
    self.send<&server::new_leader>(at(whom), me, with(whom), std::vector<int>(log->begin(), end));
  }
};
