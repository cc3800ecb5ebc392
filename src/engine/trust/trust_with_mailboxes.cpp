// trust for delivery::mailbox, in which it is not the receiver alone that
// decides what it can take.
//
// It searches the same program under mailbox_interleaved, where it is: each
// sending is an event of its own there. Of the classes found that way, those are
// executions under `mailbox` in which each macro-step's sendings can be made at
// once (execution::atomic_order; Must too filters what is not consistent with its
// mailboxes). Its steps in that order are then delivered under `mailbox`, where
// the queue leaves each actor one message to take.
//
// Two classes differ in the order of arrivals at some mailbox, so they are
// different executions here: each class is run once. The others are wasted,
// and counted as given up.
#include <harrier/engine/trust.hpp>

#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <harrier/core/error.hpp>
#include <harrier/core/invariant.hpp>
#include <harrier/core/names_in_use.hpp>
#include <harrier/core/stages.hpp>

#include "../alone.hpp"
#include "../depth_first.hpp"
#include "shared_trust.hpp"

namespace harrier {
namespace {

/// The actors of the program, in the order of their creation.
std::vector<actor_slot> actors_of(const execution& e) {
  std::vector<actor_slot> actors;
  for (actor_slot a = 0; a < e.actor_count(); ++a)
    if (!e.is_internal(a)) actors.push_back(a);
  return actors;
}

/// Watches the search under mailbox_interleaved, and runs each execution that is one under `mailbox` there.
class atomic_executions final : public observer {
public:
  atomic_executions(system& s, observer& watcher, made_by who)
      : system_(s), watcher_(watcher), runs_to_end_(who == made_by::several) {}

  void step_flagged(system&) override {}  // it is found again when the execution is run
  void poll(system&) override {
    watcher_.poll(system_);
    stopping_ = watcher_.stopping();
  }
  void execution_ended(system& found) override {
    if (const auto steps = found.atomic_order())
      run(found, *steps);
    else
      watcher_.execution_blocked(system_);
    stopping_ = watcher_.stopping();
  }
  void execution_blocked(system&) override {}

  void go_back() {
    while (system_.depth() > 0) system_.undo();
  }

private:
  void run(const system& found, const std::vector<step_index>& steps) {
    std::vector<actor_slot> slots(found.actor_count());  // here, by the slot there
    go_back();
    actor_slot number = 0;
    for (const auto a : actors_of(found))
      if (number < system_.actor_count()) slots[a] = number++;
    for (const auto i : steps) {
      const auto& step = found.step_at(i);
      system_.deliver(only_message_to(slots[step.receiver]), step.code);
      if (is_to_leave()) return;
      auto here = system_.step_at(system_.last_step()).first_created;
      for (const auto there : found.created_by(i)) slots[there] = here++;
    }
    while (found.truncated() && !is_to_leave() && system_.first_deliverable() != no_message)
      system_.deliver(system_.first_deliverable());  // until it is cut here too
    if (!is_to_leave()) watcher_.execution_ended(system_);
  }
  /// Where somebody goes on with what is left, an execution that was begun is not among it.
  [[nodiscard]] bool is_to_leave() const { return watcher_.stopping() && !runs_to_end_; }

  [[nodiscard]] message_slot only_message_to(actor_slot receiver) const {
    auto m = system_.first_deliverable();
    while (m != no_message && system_.message_at(m).receiver != receiver) m = system_.next_deliverable(m);
    HARRIER_INVARIANT(m != no_message, "an actor takes under mailbox what it took when sendings came one by one");
    return m;
  }

  system& system_;
  observer& watcher_;
  const bool runs_to_end_;
};

/// The local state of `a`, with actors named by their places among those of the program.
std::string state_of(const system& s, actor_slot a) {
  std::vector<std::uint32_t> names;
  std::uint32_t place = 0;
  for (const auto other : actors_of(s)) {
    const auto id = static_cast<std::size_t>(s.actor_at(other).id);
    if (id >= names.size()) names.resize(id + 1);
    names[id] = place++;
  }
  value_bytes state(names);
  s.actor_at(a).type->write(s.actor_at(a).state, state);
  return state.take();
}

/// A set-up is run in the order of sending, in which arrivals stand too; so it may have come out differently.
void require_same_beginning(const system& s, const system& interleaved) {
  const auto here = actors_of(s);
  const auto there = actors_of(interleaved);
  const bool same = std::equal(here.begin(), here.end(), there.begin(), there.end(), [&](actor_slot a, actor_slot b) {
    return s.actor_at(a).type == interleaved.actor_at(b).type && state_of(s, a) == state_of(interleaved, b);
  });
  if (!same)
    throw error(
        "engine trust cannot search this program under delivery model mailbox: its set-up depends on the order of "
        "messages; optimal can");
}

bool search_atomic_executions(search_context& s, system& interleaved, std::vector<trust_item>& todo,
                              const trust_sharing& sharing, schedule* where, made_by who) {
  if (const auto* in = s.tested.in_stages(); in != nullptr && in->current() != stages::end::last)
    throw error(
        "engine trust cannot search a program that continues by itself (by timers, a main function that waits, or the "
        "body of a test) under delivery model mailbox; optimal can, and trust under mailbox-interleaved");
  const past_aborts guard(s.tested);
  const names_in_use held(s.tested, [](name_keeper&) {});
  atomic_executions executions(s.tested, s.watcher, who);
  require_same_beginning(s.tested, interleaved);
  interleaved.watch().observe(&executions);
  search_context inner{interleaved, executions};
  const bool ended = who == made_by::one ? explore_trust_alone(inner) : explore_trust(inner, todo, sharing, where);
  executions.go_back();
  return ended;
}

}  // namespace

std::unique_ptr<shared_search> share_trust_with_mailboxes(std::function<system_handle()> start_interleaved,
                                                          made_by who) {
  return std::make_unique<shared_trust>([start = std::move(start_interleaved), who]() -> shared_trust::explorer {
    const std::shared_ptr<system> interleaved = start();
    return [interleaved, who](search_context& s, std::vector<trust_item>& todo, const trust_sharing& sharing,
                              schedule* where) {
      return search_atomic_executions(s, *interleaved, todo, sharing, where, who);
    };
  });
}

}  // namespace harrier
