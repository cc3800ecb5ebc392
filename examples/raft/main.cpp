// Raft, once, and the bugs that SandTable found in implementations of it. Read README.md beside this file.
#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <harrier/cli/main.hpp>
#include <harrier/harrier.hpp>
#include <optional>
#include <set>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

using namespace std::chrono_literals;

enum class bug {
  none,
  pysyncobj_166,
  pysyncobj_167a,
  pysyncobj_167b,
  pysyncobj_169,
  wraft_5,
  wraft_7,
  daosraft_70,
  raftos_25,
  raftos_26,
  raftos_27,
  raftos_30,
  xraft_33,
};

/// How an implementation works, right or wrong, and what is tried with it unless the command line says otherwise.
struct variant {
  std::string name;
  bug has = bug::none;
  std::int64_t nodes = 2;
  std::int64_t requests = 1;     ///< that each server is sent, which takes them while it leads
  std::int64_t compactions = 0;  ///< how often each server drops the part of its log that is committed
  std::int64_t terms = 1;        ///< no server begins another one
  bool pipelines = false;        ///< what was sent is not sent again before the follower asks for it
  bool retries = false;          ///< when a follower misses something, it is sent at once, not with the next heartbeat
  bool pre_votes = false;        ///< a server asks who would vote for it before it begins a term
  harrier::delivery network = harrier::delivery::unordered;
  harrier::faults may_happen = {};
};

enum class role { follower, asking, candidate, leader };

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
    const bool is_newer = std::pair(last_term, last_index) >= std::pair(term_at(last()), last());
    if (pre) {
      if (of_term <= term || !is_newer || (now == role::leader && has != bug::daosraft_70)) return;
      self.check(now != role::leader, "a leader votes for nobody else");
    } else {
      if (of_term > term) follow(self, of_term);
      if (of_term < term || !is_newer || (voted_for != -1 && voted_for != from)) return;
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
  }
  [[nodiscard]] bool is_at_majority(int i) const {
    const auto having = std::count_if(match.begin(), match.end(), [i](int there) { return there >= i; });
    return static_cast<std::size_t>(having) + 1 > all.size() / 2;
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

struct cluster {
  variant as;
  std::vector<harrier::ref<server>> all;

  void set_up(harrier::self& self) {
    for (std::int64_t i = 0; i < as.nodes; ++i)
      all.push_back(self.create<server>(as.has, as.pipelines, as.retries, as.pre_votes, static_cast<int>(as.terms)));
    for (std::size_t i = 0; i < all.size(); ++i) self.send<&server::meet>(all[i], all, static_cast<int>(i));
  }
  void test(harrier::self& self) const {
    for (const auto one : all) {
      for (std::int64_t i = 0; i < as.requests; ++i) self.send<&server::request>(one, static_cast<int>(i));
      for (std::int64_t i = 0; i < as.compactions; ++i) self.send<&server::compact>(one);
    }
  }
};

const std::vector<variant>& variants() {
  using enum harrier::delivery;
  static const std::vector<variant> all = {
      {.name = "fixed", .terms = 2, .may_happen = {.timeouts = 2}},
      {.name = "pysyncobj-166",
       .has = bug::pysyncobj_166,
       .terms = 2,
       .pipelines = true,
       .network = fifo,
       .may_happen = {.timeouts = 1}},
      {.name = "pysyncobj-167a",
       .has = bug::pysyncobj_167a,
       .requests = 4,
       .pipelines = true,
       .network = fifo,
       .may_happen = {.lose = 1, .timeouts = 1}},
      {.name = "pysyncobj-167b",
       .has = bug::pysyncobj_167b,
       .requests = 4,
       .pipelines = true,
       .network = fifo,
       .may_happen = {.lose = 1, .timeouts = 3}},
      {.name = "pysyncobj-169",
       .has = bug::pysyncobj_169,
       .terms = 2,
       .pipelines = true,
       .network = fifo,
       .may_happen = {.timeouts = 2}},
      {.name = "wraft-5", .has = bug::wraft_5, .nodes = 3, .requests = 2, .compactions = 1, .retries = true},
      {.name = "wraft-7", .has = bug::wraft_7, .requests = 2, .compactions = 1, .retries = true},
      {.name = "daosraft-70",
       .has = bug::daosraft_70,
       .terms = 2,
       .pre_votes = true,
       .network = fifo,
       .may_happen = {.timeouts = 1}},
      {.name = "raftos-25", .has = bug::raftos_25, .may_happen = {.timeouts = 1}},
      {.name = "raftos-26", .has = bug::raftos_26, .may_happen = {.timeouts = 1}},
      {.name = "raftos-27", .has = bug::raftos_27, .terms = 2, .may_happen = {.timeouts = 1}},
      {.name = "raftos-30", .has = bug::raftos_30, .terms = 2, .may_happen = {.lose = 1, .timeouts = 1}},
      {.name = "xraft-33", .has = bug::xraft_33, .nodes = 3, .requests = 0, .terms = 2, .may_happen = {.timeouts = 2}},
  };
  return all;
}

harrier::program raft(const harrier::arguments& given) {
  auto as = *std::ranges::find(variants(), given.word("variant"), &variant::name);
  for (const auto& [name, field] :
       {std::pair("nodes", &variant::nodes), std::pair("requests", &variant::requests),
        std::pair("compactions", &variant::compactions), std::pair("terms", &variant::terms)})
    if (given.number(name) >= 0) as.*field = given.number(name);
  auto tested = harrier::make_program(cluster{as, {}});
  tested.usual_delivery = as.network;
  return harrier::with_faults(std::move(tested), as.may_happen);
}

int main(int argc, char** argv) {
  std::vector<std::string> names;
  for (const auto& one : variants()) names.emplace_back(one.name);
  const auto as_needed = [](const char* name, const char* about, std::int64_t greatest) {
    return harrier::parameter{.name = name, .value = -1, .about = about, .least = -1, .greatest = greatest};
  };
  return harrier::main(
      argc, argv,
      {{"raft",
        "servers elect a leader, which replicates a log",
        {{.name = "variant", .value = "fixed", .about = "the bug", .words = names},
         as_needed("nodes", "how many servers (-1: what the variant needs)", 9),
         as_needed("requests", "how many requests each server is sent, which it takes while it leads", 9),
         as_needed("compactions", "how often each server compacts its log", 9),
         as_needed("terms", "how many terms there are at most", 9)},
        raft}});
}
