// Servers of libraft, their clients, and what must hold of them. Read README.md beside this file.
#include <harrier/cli/main.hpp>
#include <harrier/harrier.hpp>

#include <algorithm>

#include "adapter.hpp"

namespace {

using harrier::ref;
using harrier::view;
using harrier::views;

struct cluster {
  raft_id servers;
  settings how;
  std::int64_t requests;
  std::int64_t transfers;
  std::int64_t changes;
  std::vector<ref<server>> all;

  void set_up(harrier::self& self) {
    for (raft_id i = 1; i <= servers; ++i) all.push_back(self.create<server>(i, how));
    for (const auto one : all) self.send<&server::begin>(one, all);
  }
  void test(harrier::self& self) const {
    for (const auto one : all) {
      for (std::int64_t i = 0; i < requests; ++i)
        self.send<&server::submit>(one, std::string(1, static_cast<char>('a' + i)));
      for (std::int64_t i = 1; i <= transfers; ++i)
        self.send<&server::ask>(one, wish::transfer, static_cast<raft_id>(i));
    }
    for (std::int64_t i = 0; i < changes; ++i)
      for (const auto one : all) ask_for_changes(self, one);
  }
  /// Whoever is not in the cluster is to be added and promoted; if all are, the last two are to be removed and added.
  void ask_for_changes(harrier::self& self, ref<server> one) const {
    for (raft_id id = std::min(how.voters + 1, servers - 1); id <= servers; ++id) {
      if (how.voters == servers) self.send<&server::ask>(one, wish::remove, id);
      self.send<&server::ask>(one, wish::add, id);
      self.send<&server::ask>(one, wish::promote, id);
    }
  }
};

bool have_no_term_in_common(view<server> a, view<server> b) {
  for (const auto term : a->known().led)
    if (b->known().led.contains(term)) return false;
  return true;
}

/// Entries of one index and term are the same, and so is all that comes before them.
bool match(view<server> a, view<server> b) {
  const auto one = a->log();
  const auto other = b->log();
  bool are_equal = true;
  for (const auto& [index, here] : one) {
    const auto there = other.find(index);
    if (there == other.end()) continue;
    if (here->term == there->second->term && (!are_equal || here != there->second)) return false;
    are_equal = are_equal && here == there->second;
  }
  return true;
}

bool stores_what_it_says(view<server> one) {
  const auto& disk = one->known().disk->log;
  for (const auto& [index, what] : one->log()) {
    if (index > one->library().last_stored) break;
    const auto at = disk.find(index);
    if (at == disk.end() ? index > one->known().disk->taken->index : at->second != what) return false;
  }
  return true;
}

/// Or, of what is stored of it.
bool goes_by_its_log(view<server> one) {
  if (one->installs() || one->library().configuration.n == 0) return true;
  const auto now = encoded(one->library().configuration);
  const auto all = one->log();
  bool is_stored = false;
  for (auto at = all.rbegin(); at != all.rend() && !is_stored; ++at) {
    if (at->second->type != RAFT_CHANGE) continue;
    if (bytes(at->second->buf) == now) return true;
    is_stored = at->first <= one->library().last_stored;
  }
  return !is_stored;
}

bool apply_the_same(view<server> a, view<server> b) {
  for (const auto& [index, value] : a->known().applied)
    if (const auto at = b->known().applied.find(index); at != b->known().applied.end() && at->second != value)
      return false;
  return true;
}

bool has(const entries_by_index& log, const on_disk& disk, raft_index index, const entry& what) {
  const auto at = log.find(index);
  return at == log.end() ? index <= disk.taken->index : at->second == what;
}

/// Whatever happens then, somebody who has it will be asked.
bool is_on_most_disks(views<server> all) {
  for (const auto& told : all)
    for (const auto& [index, what] : told->known().acknowledged) {
      std::size_t copies = 0;
      for (const auto& one : all) copies += has(one->known().disk->log, *one->known().disk, index, what) ? 1 : 0;
      if (copies <= all.size() / 2) return false;
    }
  return true;
}

/// Where the members change: who leads later has it.
bool is_had_by_leaders(view<server> told, view<server> later) {
  if (!later->leads()) return true;
  for (const auto& [index, what] : told->known().acknowledged)
    if (later->library().current_term > what->term && !has(later->log(), *later->known().disk, index, what))
      return false;
  return true;
}

/// A leader, and all whom it knows as voters have applied what it has committed. Entries of earlier terms are committed
/// by the next request only.
bool is_well(const harrier::states& all) {
  const auto servers = all.all<server>();
  for (const auto& leader : servers) {
    const auto& raft = leader.get().library();
    if (!leader.get().leads()) continue;
    const auto has_all = [&raft](const auto& one) {
      const bool votes =
          std::any_of(raft.configuration.servers, raft.configuration.servers + raft.configuration.n,
                      [&one](const raft_server& s) { return s.id == one.get().library().id && s.role == RAFT_VOTER; });
      return !votes || one.get().library().last_applied == raft.last_applied;
    };
    if (std::all_of(servers.begin(), servers.end(), has_all)) return true;
  }
  return false;
}

std::vector<harrier::specification> specifications(const settings& how, bool members_change) {
  std::vector<harrier::specification> all;
  if (how.looks_for("leaders")) all.push_back(harrier::always("one leader in a term", have_no_term_in_common));
  if (how.looks_for("members")) all.push_back(harrier::always("the members are those of the log", goes_by_its_log));
  if (how.looks_for("logs")) {
    all.push_back(harrier::always("logs match", match));
    all.push_back(harrier::always("what is said to be stored is stored", stores_what_it_says));
    all.push_back(harrier::always("what is applied is the same everywhere", apply_the_same));
  }
  if (how.looks_for("losses"))
    all.push_back(members_change ? harrier::always("what was acknowledged is had by later leaders", is_had_by_leaders)
                                 : harrier::always("what was acknowledged is on most disks", is_on_most_disks));
  return all;
}

harrier::program program(const harrier::arguments& given) {
  const auto servers = static_cast<raft_id>(given.number("servers"));
  const auto voters = std::min(static_cast<raft_id>(given.number("voters")), servers);
  const settings how{.voters = voters == 0 ? servers : voters,
                     .asks_first = given.word("votes") == "two-rounds",
                     .disk = {.failures = static_cast<unsigned>(given.number("failures")),
                              .failure_cancels = true,
                              .after_crash = given.word("unfinished") == "some" ? harrier::unfinished::some
                                                                                : harrier::unfinished::lost},
                     .threshold = static_cast<unsigned>(given.number("snapshots")),
                     .trailing = static_cast<unsigned>(given.number("trailing")),
                     .half_ticks = given.word("ends") == "well",
                     .look = given.word("look")};
  const cluster all{servers, how, given.number("requests"), given.number("transfers"), given.number("changes"), {}};
  auto specified = harrier::make_program(all);
  if (auto what = specifications(how, all.changes > 0); !what.empty())
    specified = harrier::specified(std::move(specified), std::move(what));
  if (given.word("ends") == "any") return specified;
  return harrier::converges(std::move(specified), "a leader, and voters that have applied what it has committed",
                            is_well);
}

}  // namespace

int main(int argc, char** argv) {
  return harrier::main(
      argc, argv,
      {{"libraft",
        "servers of Canonical's libraft elect a leader, which replicates a log",
        {{.name = "servers", .value = 3, .about = "how many servers", .least = 1, .greatest = 5},
         {.name = "requests", .value = 1, .about = "how many requests each server is sent", .least = 0, .greatest = 9},
         {.name = "transfers",
          .value = 0,
          .about = "to how many servers each is asked to hand over",
          .least = 0,
          .greatest = 5},
         {.name = "failures", .value = 0, .about = "how many writes to each disk may fail", .least = 0, .greatest = 9},
         {.name = "unfinished",
          .value = "lost",
          .about = "whether a crash may leave some of the writes that were not complete",
          .words = {"lost", "some"}},
         {.name = "snapshots",
          .value = 0,
          .about = "after how many entries a snapshot is taken (0: never)",
          .least = 0,
          .greatest = 9},
         {.name = "trailing",
          .value = 0,
          .about = "how many entries a snapshot leaves in the log",
          .least = 0,
          .greatest = 9},
         {.name = "voters", .value = 0, .about = "how many form the cluster (0: all)", .least = 0, .greatest = 5},
         {.name = "changes",
          .value = 0,
          .about = "how often servers are asked to change who is in the cluster",
          .least = 0,
          .greatest = 3},
         {.name = "look",
          .value = "all",
          .about = "what is looked for: all that must hold, or, behind what is found soon, one thing only; asserts: "
                   "what later versions of libraft assert",
          .words = {"all", "leaders", "members", "logs", "losses", "crashes", "receivers", "asserts"}},
         {.name = "ends",
          .value = "any",
          .about = "whether all must be well after the last fault",
          .words = {"any", "well"}},
         {.name = "votes",
          .value = "one-round",
          .about = "whether candidates ask first who would vote for them",
          .words = {"one-round", "two-rounds"}}},
        program}});
}
