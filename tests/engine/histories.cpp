#include "histories.hpp"

#include <exception>

#include <harrier/core/error.hpp>
#include <harrier/engine/optimal.hpp>
#include <harrier/replay/ends.hpp>

#include <src/engine/trust/receive_histories.hpp>

#include "outside_trace.hpp"
#include "threads.hpp"

namespace harrier::differential {
namespace {

constexpr std::uint64_t most_polls = 20'000;

class listener final : public observer {
public:
  listener(seen_histories& into, limits most) : seen_(into), most_(most) {}

  void step_flagged(system& s) override {
    for (const auto& r : s.records_of_last_step())
      seen_.findings.insert(s.names().path_of(s.step_at(s.last_step()).label) + ": " + r.message);
  }
  void poll(system& s) override {
    if (++polls_ > most_polls) seen_.is_too_large = stopping_ = true;  // a wrong search may find nothing for ever
    look_at_size(s);
  }
  void execution_ended(system& s) override {
    if (s.truncated()) seen_.is_too_large = stopping_ = true;
    auto told = outside::told_by(s);
    told.put.clear();
    ++seen_.executions[outside::text_of(told, s.model())];
    ++runs_;
    look_at_size(s);
    if (s.aborted()) return;
    const auto end = look_at_end(s, {});
    for (const auto a : end.stuck) {
      const auto awaited = s.message_at(s.actor_at(a).awaited).id;
      seen_.findings.insert("deadlock, waits for the reply to " + s.names().path_of(awaited));
    }
    for (const auto m : end.undelivered) seen_.findings.insert("undelivered: " + s.names().path_of(s.message_at(m).id));
  }
  void execution_blocked(system& s) override {
    ++seen_.blocked;
    look_at_size(s);
  }

private:
  void look_at_size(system& s) {
    if (runs_ + seen_.blocked <= most_.executions && s.watch().deliveries() <= most_.transitions) return;
    seen_.is_too_large = stopping_ = true;
  }

  seen_histories& seen_;
  limits most_;
  std::uint64_t runs_ = 0, polls_ = 0;
};

}  // namespace

seen_histories histories_by(const history_search& search, const litmus::random_program& tables, limits most) {
  seen_histories seen;
  listener watcher(seen, most);
  const auto tested = litmus::interpret(tables);
  const auto s = tested.start(delivery::mailbox_interleaved);
  s->limit_depth(deepest);
  s->watch().observe(&watcher);
  try {
    search(tested, *s, watcher);
  } catch (const derailed& e) {
    seen.why = e.why;
  } catch (const std::exception& e) {
    seen.why = e.what();
  }
  return seen;
}

std::optional<seen_histories> all_histories(const litmus::random_program& tables, limits most) {
  try {
    auto all = histories_by(
        [](const program&, system& s, observer& watcher) {
          search_context context{s, watcher};
          explore_alone(context, share_optimal({}, made_by::one));
        },
        tables, most);
    if (all.is_too_large) return {};
    return all;
  } catch (const untestable_program&) {
    return {};
  }
}

bool has_histories(const litmus::random_program& tables) {
  const auto tested = litmus::interpret(tables);
  return have_same_setup(*tested.start(delivery::mailbox_interleaved), *tested.start(delivery::unordered));
}

void search_by_histories(const program& tested, system& s, observer& watcher) {
  search_context context{s, watcher};
  explore_alone(context, share_receive_histories([&] { return tested.start(delivery::unordered); }));
}

void search_by_histories_in_threads(const program& tested, system& s, observer& watcher) {
  search_by_threads([&] { return share_receive_histories([&] { return tested.start(delivery::unordered); }); }, tested,
                    s, watcher);
}

std::vector<std::string> differences(const seen_histories& all, const seen_histories& found) {
  std::vector<std::string> lines;
  if (!found.why.empty()) lines.push_back("went wrong: " + found.why);
  if (found.is_too_large) lines.emplace_back("explored far more than there is");
  if (!lines.empty()) return lines;
  for (const auto& [history, times] : all.executions)
    if (!found.executions.contains(history)) lines.push_back("lost a history\n" + history);
  for (const auto& [history, times] : found.executions) {
    if (!all.executions.contains(history)) lines.push_back("has a history that cannot be\n" + history);
    if (times != 1) lines.push_back("ran a history " + std::to_string(times) + " times\n" + history);
  }
  for (const auto& f : all.findings)
    if (!found.findings.contains(f)) lines.push_back("lost a finding: " + f);
  for (const auto& f : found.findings)
    if (!all.findings.contains(f)) lines.push_back("has a finding that cannot be: " + f);
  if (found.blocked != 0) lines.push_back(std::to_string(found.blocked) + " executions blocked");
  return lines;
}

}  // namespace harrier::differential
