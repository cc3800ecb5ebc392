// Raft, once, with a seam for each of the bugs that SandTable found in implementations of it. Read README.md beside
// this file.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <harrier/harrier.hpp>
#include <map>
#include <optional>
#include <set>
#include <stdexcept>
#include <utility>
#include <vector>

#include "bugs.hpp"

using namespace std::chrono_literals;

enum class role { follower, asking, candidate, leader };

/// The value of an entry that writes nothing: a client's read, which has its place in the log, too.
constexpr int reading = -1;

struct entry {
  int term;
  int value;
};
struct appending {
  int term;
  int from;
  int previous;
  int previous_term;
  std::vector<entry> entries;
  int committed;
  int number;
};
struct appended {
  int term;
  int from;
  bool success;
  int next;  ///< that the follower wants
  std::optional<int> answers;
};

struct client;  // clients.hpp

struct server {
  bug has = bug::none;
  bool pipelines = false;
  bool retries = false;
  bool pre_votes = false;
  int terms = 0;
  int me = 0;
  std::vector<harrier::ref<server>> all;

  harrier::persistent<int> term = 0;
  harrier::persistent<int> voted_for = -1;
  harrier::persistent<int> base = 0;  ///< up to here the log is compacted
  harrier::persistent<int> base_term = 0;
  harrier::persistent<std::vector<entry>> log;

  role now = role::follower;
  std::set<int> votes;
  int committed = 0;
  int acknowledged = 0;  ///< up to here, to the leader of this term; for a check
  std::vector<int> next, match;
  int sent = 0;
  std::map<int, harrier::ref<client>> waiting;  ///< who asked for the entry of that index, until it is committed

  void meet(harrier::self& self, const std::vector<harrier::ref<server>>& everybody, int number) {
    all = everybody;
    me = number;
    next.assign(all.size(), 1);
    match.assign(all.size(), 0);
    listen(self);
  }
  void on_restart(harrier::self& self) {
    committed = base;
    listen(self);
  }

  // Elections. The timer may fire at any moment, so a heartbeat need not arm it anew.

  void hear_nobody(harrier::self& self) {
    pre_votes ? ask(self) : begin_election(self);
    listen(self);
  }

  void ask_for_vote(harrier::self& self, int of_term, int from, int last_term, int last_index, bool pre) {
    const bool is_newer =
        std::pair(last_term, last_index) >= std::pair(term_at(last()), last()) || has == bug::votes_for_any;
    if (pre) {
      if (of_term <= term || !is_newer || (now == role::leader && has != bug::daosraft_70)) return;
      self.check(now != role::leader, "a leader votes for nobody else");
    } else {
      if (of_term > term) follow(self, of_term);
      const bool is_free = voted_for == -1 || voted_for == from || has == bug::votes_twice;
      if (of_term < term || !is_newer || !is_free) return;
      voted_for = from;
      self.sync();
    }
    self.send<&server::vote>(all[static_cast<std::size_t>(from)], of_term, me, pre);
  }

  void vote(harrier::self& self, int of_term, int from, bool pre) {
    if (now != (pre ? role::asking : role::candidate)) return;
    if (of_term != term + (pre ? 1 : 0) && has != bug::xraft_33) return;
    votes.insert(from);
    if (votes.size() <= all.size() / 2) return;
    if (pre) return begin_election(self);
    now = role::leader;
    self.cancel<&server::hear_nobody>();
    next.assign(all.size(), last() + 1);
    match.assign(all.size(), 0);
    beat(self);
  }

  // What a leader does.

  void beat(harrier::self& self) {
    append_everywhere(self);
    self.after<&server::beat>(50ms);
  }

  void request(harrier::self& self, int value) {
    log.write().push_back({term, value});
    self.sync();
    append_everywhere(self);
  }
  bool accepts(harrier::handler<&server::request>, int) const { return now == role::leader; }

  /// A client that waits for the answer.
  void operate(harrier::self& self, int value, harrier::ref<client> by) {
    if (value == reading && has == bug::reads_alone) return tell(self, by, committed);
    log.write().push_back({term, value});
    self.sync();
    if (value != reading && has == bug::answers_early)
      tell(self, by, committed);
    else
      waiting.emplace(last(), by);
    append_everywhere(self);
  }
  bool accepts(harrier::handler<&server::operate>, int, harrier::ref<client>) const { return now == role::leader; }

  void on_appended(harrier::self& self, const appended& reply) {
    if (!reply.answers.has_value()) throw std::out_of_range("a reply without the number of what it answers");
    if (reply.term > term) follow(self, reply.term);
    if (now != role::leader || reply.term != term) return;
    const auto to = static_cast<std::size_t>(reply.from);
    if (!reply.success) return send_again(self, to, reply.next);
    const int now_matches = reply.next - 1;
    if (has == bug::raftos_25 || has == bug::pysyncobj_167a || has == bug::pysyncobj_167b) {
      self.check(has == bug::pysyncobj_167a || now_matches >= match[to], "what a follower has does not become less");
      match[to] = now_matches;
    } else {
      match[to] = std::max(match[to], now_matches);
    }
    if (has != bug::pysyncobj_167a && has != bug::pysyncobj_167b) next[to] = std::max(next[to], match[to] + 1);
    self.check(next[to] > match[to] || has == bug::pysyncobj_167b, "what is sent next is not there yet");
    commit(self);
  }

  // What a follower does.

  void append(harrier::self& self, const appending& said) {
    self.require(now != role::leader || said.term != term, "a term has one leader");
    if (said.term < term) return answer(self, said, false, last() + 1);
    if (said.term > term || now != role::follower) follow(self, said.term);
    if (said.previous > last() || (said.previous < base && has == bug::wraft_7 && said.previous > 0))
      return answer(self, said, false, last() + 1);
    if (said.previous > base && term_at(said.previous) != said.previous_term)
      return answer(self, said, false, said.previous);
    if (has == bug::raftos_26 && last() != said.previous) erase_after(self, said.previous);
    int at = said.previous;
    for (const auto& one : said.entries) {
      if (++at <= base || (at <= last() && term_at(at) == one.term)) continue;
      if (at <= last()) erase_after(self, at - 1);
      log.write().push_back(one);
    }
    const int known = std::min(said.committed, has == bug::pysyncobj_166 ? last() : at);
    self.check(known >= committed || has != bug::pysyncobj_166, "what is committed does not become less");
    committed = has == bug::pysyncobj_166 ? known : std::max(committed, known);
    acknowledged = std::max(acknowledged, at);
    self.sync();
    answer(self, said, true, has == bug::pysyncobj_167b && !said.entries.empty() ? at : at + 1);
  }

  // Compaction.

  void compact() { forget_up_to(committed); }
  bool accepts(harrier::handler<&server::compact>) const { return committed > base; }

  /// `said.previous` is the end of what the leader has compacted.
  void install(harrier::self& self, const appending& said) {
    if (said.term < term) return answer(self, said, false, last() + 1);
    if (said.term > term || now != role::follower) follow(self, said.term);
    if (said.previous <= committed)
      return answer(self, said, has != bug::wraft_5, has == bug::wraft_5 ? last() + 1 : said.previous + 1);
    if (said.previous < last() && term_at(said.previous) == said.previous_term)
      forget_up_to(said.previous);
    else
      log.write().clear(), base = said.previous, base_term = said.previous_term;
    committed = said.previous;
    self.sync();
    answer(self, said, true, said.previous + 1);
  }

private:
  void listen(harrier::self& self) const {
    if (term < terms) self.after<&server::hear_nobody>(150ms);
  }
  [[nodiscard]] int last() const { return base + static_cast<int>(log->size()); }
  [[nodiscard]] int term_at(int i) const {
    return i == base ? base_term.get() : log[static_cast<std::size_t>(i - base - 1)].term;
  }

  void follow(harrier::self& self, int of_term) {
    if (of_term > term) {
      term = of_term;
      voted_for = -1;
      acknowledged = 0;
      waiting.clear();
      if (term >= terms) self.cancel<&server::hear_nobody>();
    }
    if (now == role::leader) {
      self.cancel<&server::beat>();
      listen(self);
    }
    now = role::follower;
    votes.clear();
  }
  void ask(harrier::self& self) {
    now = role::asking;
    ask_everybody(self, term + 1, true);
  }
  void begin_election(harrier::self& self) {
    follow(self, term + 1);
    now = role::candidate;
    voted_for = me;
    self.sync();
    ask_everybody(self, term, false);
  }
  void ask_everybody(harrier::self& self, int of_term, bool pre) {
    votes = {me};
    for (std::size_t i = 0; i < all.size(); ++i)
      if (static_cast<int>(i) != me)
        self.send<&server::ask_for_vote>(all[i], of_term, me, term_at(last()), last(), pre);
  }

  void append_everywhere(harrier::self& self) {
    for (std::size_t i = 0; i < all.size(); ++i)
      if (static_cast<int>(i) != me) append_to(self, i, false);
  }
  void append_to(harrier::self& self, std::size_t to, bool again) {
    const bool is_compacted = next[to] <= base;
    const int number = has == bug::raftos_27 ? ++sent : 0;
    if (is_compacted && !(has == bug::wraft_5 && next[to] == base))
      return self.send<&server::install>(all[to], appending{term, me, base, base_term, {}, committed, number});
    const int previous = is_compacted ? base.get() : next[to] - 1;
    std::vector<entry> entries(log->begin() + (previous - base), log->end());
    if (is_compacted) entries.clear();
    self.check(!again || !entries.empty() || next[to] > last(), "what is sent again is not empty");
    self.send<&server::append>(all[to], appending{term, me, previous, term_at(previous), entries, committed, number});
    if (pipelines) next[to] = last() + 1;
  }
  void send_again(harrier::self& self, std::size_t to, int wanted) {
    const int before = next[to];
    if (has == bug::pysyncobj_167a || has == bug::pysyncobj_167b) {
      next[to] = wanted;
    } else if (has == bug::wraft_5 || has == bug::wraft_7) {
      if (wanted <= match[to]) return;
      next[to] = std::max(1, wanted < next[to] ? std::min(wanted, last()) : next[to] - 1);
      self.check(has == bug::wraft_5 || next[to] > match[to], "what is sent next is not there yet");
    } else {
      next[to] = std::max(match[to] + 1, std::min(wanted, next[to]));
    }
    if (retries && next[to] != before) append_to(self, to, true);
  }
  void commit(harrier::self& self) {
    int most = committed;
    for (int i = committed + 1; i <= last(); ++i)
      if (is_at_majority(i) && (term_at(i) == term || has == bug::pysyncobj_169)) most = i;
    int done = most;
    if (has == bug::raftos_30)
      for (done = committed; done < most && term_at(done + 1) == term;) ++done;
    self.check(done == most, "what a majority has is committed");
    if (most > committed) self.check(term_at(most) == term, "copies of entries of its own term are counted, no others");
    committed = done;
    for (; !waiting.empty() && waiting.begin()->first <= committed; waiting.erase(waiting.begin()))
      tell(self, waiting.begin()->second, waiting.begin()->first);
  }
  /// Tells a client what the register held after the entry of that index.
  void tell(harrier::self& self, harrier::ref<client> whom, int index) const;
  [[nodiscard]] bool is_at_majority(int i) const {
    const auto having = std::count_if(match.begin(), match.end(), [i](int there) { return there >= i; });
    return static_cast<std::size_t>(having) + 1 > all.size() / 2 - (has == bug::commits_alone ? 1 : 0);
  }

  void answer(harrier::self& self, const appending& said, bool success, int wanted) {
    const bool has_number = said.term == term || has != bug::raftos_27;
    self.send<&server::on_appended>(
        all[static_cast<std::size_t>(said.from)],
        appended{term, me, success, wanted, has_number ? std::optional(said.number) : std::nullopt});
  }
  void erase_after(harrier::self& self, int i) {
    self.check(i >= committed, "what is committed is not erased");
    self.check(i >= acknowledged, "what was acknowledged to the leader of this term is not erased");
    log.write().resize(static_cast<std::size_t>(i - base), entry{});
  }
  void forget_up_to(int i) {
    base_term = term_at(i);
    auto& entries = log.write();
    entries.erase(entries.begin(), entries.begin() + (i - base));
    base = i;
  }
};
