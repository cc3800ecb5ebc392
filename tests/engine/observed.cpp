#include "observed.hpp"

#include <algorithm>
#include <exception>
#include <memory>

#include <harrier/engine/dcute.hpp>
#include <harrier/engine/exhaustive.hpp>
#include <harrier/engine/optimal.hpp>
#include <harrier/engine/persistent.hpp>
#include <harrier/engine/source.hpp>
#include <harrier/engine/transdpor.hpp>
#include <harrier/engine/trust.hpp>
#include <harrier/native/world.hpp>
#include <harrier/replay/ends.hpp>

#include <src/engine/dpor/observing_parts.hpp>
#include <src/engine/dpor/parts.hpp>
#include <src/explore/by_stages.hpp>

#include "../litmus/random_program.hpp"
#include "threads.hpp"
#include "trust_turns.hpp"
#include "turns.hpp"

namespace harrier::differential {
namespace {

std::uint64_t mix(std::uint64_t a, std::uint64_t b) {
  auto z = a * 0x9e3779b97f4a7c15U ^ (b + 0x2545f4914f6cdd1dU);
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9U;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebU;
  return z ^ (z >> 31);
}
std::uint64_t hash_text(std::string_view text) {
  std::uint64_t h = 0xcbf29ce484222325U;
  for (const auto c : text) h = (h ^ static_cast<unsigned char>(c)) * 0x100000001b3U;
  return h;
}

bool is_from_outside(const system& s, message_slot m) {
  return s.message_at(m).sent_by == no_step || s.message_at(m).makes == step_kind::stage;
}

/// The names of everything in the execution a system is at.
struct names_of {
  std::vector<name> messages, actors, events;

  explicit names_of(const system& s) { follow(s); }
  names_of() = default;

  void follow(const system& s) {
    messages.assign(s.message_count() + 1, 0);
    actors.assign(s.actor_count(), 0);
    events.clear();
    actors[0] = mix(1, 1);
    std::uint64_t outside = 0;
    for (message_slot m = 1; m <= s.message_count(); ++m)
      if (is_from_outside(s, m)) messages[m] = mix(2, outside++);
    std::uint64_t stage = 0;  // part of an event: what it was to whoever looked then
    for (std::size_t i = 0; i < s.step_count(); ++i) {
      const auto& step = s.step_at(i);
      stage += step.kind == step_kind::stage;
      events.push_back(mix(mix(messages[step.message], stage), mix(3, step.code)));
      std::uint64_t k = 0;
      for (auto m = step.first_sent; m < s.sent_end(i); ++m)
        if (s.message_at(m).sent_by == i && !is_from_outside(s, m)) messages[m] = mix(events[i], mix(4, k++));
      k = 0;
      for (auto a = step.first_created; a < s.created_end(i); ++a) actors[a] = mix(events[i], mix(5, k++));
    }
  }
};

/// The configuration, in those names: local states, who waits for what, what is pending.
std::uint64_t end_of(const system& s, const names_of& names) {
  const auto name_of_ref = [&](ref<litmus::node> r) {
    return r && s.exists(r.id()) ? names.actors[s.slot_of(r.id())] : 0;
  };
  std::uint64_t sum = 0;
  for (actor_slot a = 0; a < s.actor_count(); ++a) {
    const auto& x = s.actor_at(a);
    auto h = mix(names.actors[a], static_cast<std::uint64_t>(x.state_of_life));
    if (x.state_of_life == actor::mode::waiting) h = mix(h, names.messages[x.awaited]);
    if (x.type == &detail::class_of<litmus::node>) {
      const auto& n = *static_cast<const litmus::node*>(x.state);
      h = mix(h, static_cast<std::uint64_t>(n.role * 1000 + n.state * 100 + n.fuel));
      for (const auto k : n.knows) h = mix(h, name_of_ref(k));
    }
    sum += h;
  }
  for (auto m = s.first_pending(); m != no_message; m = s.next_pending(m)) {
    const auto& x = s.message_at(m);
    sum += mix(mix(names.messages[m], names.actors[x.receiver]), x.dead ? 1 : 0);
  }
  return sum;
}

/// What actor `who` was before step `i`: litmus::node's state, or null for another class.
const litmus::node* node_before(const system& s, actor_slot who, std::size_t i) {
  if (s.actor_at(who).type != &detail::class_of<litmus::node>) return nullptr;
  const void* state = s.actor_at(who).state;
  for (auto e = s.actor_at(who).last_step; e != no_step && e >= i; e = s.step_at(e).previous)
    if (s.step_at(e).state_before != nullptr) state = s.step_at(e).state_before;
  return static_cast<const litmus::node*>(state);
}

/// Whether step `i` can be left out and nobody sees it but its message, which was taken.
bool does_nothing(const system& s, std::size_t i) {
  const auto& step = s.step_at(i);
  const auto next = [&] {
    auto e = s.actor_at(step.receiver).last_step;
    while (e != i && s.step_at(e).previous != i) e = s.step_at(e).previous;
    return e == i ? s.step_count() : e;
  }();
  const auto was_idle = [&](std::size_t e) {
    const auto& x = s.actor_at(step.receiver);
    return e == s.step_count()
               ? x.state_of_life == actor::mode::open && x.activity == nullptr
               : s.step_at(e).mode_before == actor::mode::open && s.step_at(e).activity_before == nullptr;
  };
  if (!was_idle(i) || !was_idle(next)) return false;
  if (step.flagged || step.aborted || !s.choices_of(i).empty()) return false;
  if (step.first_created != s.created_end(i)) return false;
  for (const auto m : s.sent_by(i))  // that the driver goes on after it is not its own doing
    if (s.message_at(m).makes != step_kind::stage) return false;
  const auto* before = node_before(s, step.receiver, i);
  const auto* after = node_before(s, step.receiver, i + 1);
  return before != nullptr && before->role == after->role && before->state == after->state &&
         before->fuel == after->fuel && before->knows == after->knows;
}

std::string text_of_execution(const system& s) {
  std::map<actor_slot, std::string> lines;
  for (std::size_t i = s.setup_steps(); i < s.step_count(); ++i) {
    const auto& step = s.step_at(i);
    auto& line = lines[step.receiver];
    line += (line.empty() ? "" : ", ") + s.message_path(step.message) + " " + s.message_text(step.message);
    if (!s.choices_of(i).empty()) line += " drawing " + std::to_string(step.code);
    if (step.aborted) line += " FAILS";
  }
  std::string text;
  for (const auto& [a, line] : lines) text += "    " + s.actor_name(a) + ": " + line + "\n";
  return text;
}

class collector final : public observer {
public:
  collector(const program& tested, observed& into, limits most, watch_for what)
      : finally_(tested.finally), seen_(into), most_(most), what_(what) {}

  void step_flagged(system& s) override {
    names_.follow(s);
    for (const auto& r : s.records_of_last_step()) {
      const auto key = mix(mix(names_.events.back(), static_cast<std::uint64_t>(r.kind)), hash_text(r.message));
      add_finding(key, [&] {
        return std::string(to_string(r.kind)) + " '" + r.message + "' at the end of\n" + text_of_execution(s);
      });
    }
  }

  void poll(system& s) override {
    if (s.watch().deliveries() > most_.transitions) give_up();
  }

  void execution_ended(system& s) override {
    if (s.truncated()) return give_up();
    names_.follow(s);
    ++seen_.executions;
    count(s);
    std::map<name, std::uint64_t> sequence, observed_since;
    bool aborts = false;
    for (std::size_t i = s.setup_steps(); i < s.step_count(); ++i) {
      const auto who = names_.actors[s.step_at(i).receiver];
      auto& h = sequence[who];
      auto& block = observed_since[who];
      if (what_.observers && does_nothing(s, i)) {
        block += mix(h, names_.events[i]);
      } else {
        h = mix(mix(h, block), names_.events[i]);
        block = 0;
      }
      aborts = aborts || s.step_at(i).aborted;
    }
    for (const auto& [who, block] : observed_since) sequence[who] = mix(sequence[who], block);
    if (s.model() == delivery::mailbox)  // the order in which messages are sent is part of a trace, taken or not
      for (auto m = first_explored(s); m <= s.message_count(); ++m) {
        if (s.message_at(m).dead) continue;
        auto& h = sequence[mix(8, names_.actors[s.message_at(m).receiver])];
        h = mix(h, names_.messages[m]);
      }
    std::uint64_t key = 0;
    for (const auto& [actor, h] : sequence) key += mix(actor, h);
    const auto end = end_of(s, names_);
    auto [known, is_new] = seen_.traces.try_emplace(key);
    ++known->second.executions;
    if (!is_new && known->second.end != end) seen_.ends_differ = true;
    known->second.end = end;
    if (!is_new) return;
    if (what_.texts) seen_.texts[key] = text_of_execution(s);
    if (aborts) keep_aborting(s);
    if (!s.aborted()) judge_end(s);
    if (what_.features) look_for_features(s);
  }

  void execution_blocked(system& s) override {
    ++seen_.blocked;
    count(s);
  }

private:
  void count(system& s) {
    if (seen_.executions + seen_.blocked > most_.executions || s.watch().deliveries() > most_.transitions) give_up();
  }
  void give_up() {
    seen_.how_it_ended = verdict::too_large;
    stopping_ = true;
  }

  template <class Text>
  void add_finding(std::uint64_t key, Text text) {
    if (seen_.findings.insert(key).second && what_.texts) seen_.texts[key] = text();
  }

  static message_slot first_explored(const system& s) {
    return s.depth() == 0 ? static_cast<message_slot>(s.message_count() + 1) : s.step_at(s.setup_steps()).first_sent;
  }

  void keep_aborting(const system& s) {
    auto& t = seen_.aborting.emplace_back();
    for (std::size_t i = s.setup_steps(); i < s.step_count(); ++i) {
      t.deliveries[names_.actors[s.step_at(i).receiver]].push_back(names_.events[i]);
      if (s.step_at(i).aborted) t.aborting.insert(names_.events[i]);
    }
  }

  void judge_end(const system& s) {
    if (finally_)
      for (const auto& r : check_end(s, finally_))
        add_finding(mix(9, hash_text(r.message)),
                    [&] { return r.message + " at the end of\n" + text_of_execution(s); });
    const auto end = look_at_end(s, options_.judging.ends());
    if (!end.stuck.empty()) {
      std::uint64_t key = 0;
      for (const auto a : end.stuck) key += mix(names_.actors[a], names_.messages[s.actor_at(a).awaited]);
      add_finding(mix(6, key), [&] { return "deadlock at the end of\n" + text_of_execution(s); });
    }
    for (const auto m : end.undelivered)
      add_finding(mix(7, names_.messages[m]),
                  [&] { return "undelivered " + s.message_path(m) + " at the end of\n" + text_of_execution(s); });
  }

  void look_for_features(const system& s) {
    auto& f = seen_.shown;
    int aborts = 0;
    bool others_flagged = false;
    for (auto i = static_cast<step_index>(s.setup_steps()); i < s.step_count(); ++i) {
      const auto& step = s.step_at(i);
      const auto& m = s.message_at(step.message);
      f.created = f.created || s.created_end(i) != step.first_created;
      f.created_took =
          f.created_took || (step.receiver >= s.step_at(s.setup_steps()).first_created && step.receiver != 0);
      const bool drew = !s.choices_of(i).empty();
      f.drew = f.drew || drew;
      f.drew_after_race = f.drew_after_race || (drew && step.previous != no_step && step.previous >= s.setup_steps());
      if (m.kind == message::role::reply) {
        f.replied = true;
        const auto text = s.message_text(step.message);
        f.callee_failed = f.callee_failed || text.starts_with("failure") || text.starts_with("on_error");
        f.then_replied = f.then_replied || text.starts_with("on_");
      }
      if (step.aborted) ++aborts;
      if (step.flagged && !step.aborted && aborts > 0) others_flagged = true;
      bool was_refused = false;
      bool reply_between = false;
      for (auto e = step.previous; e != no_step && e >= s.setup_steps(); e = s.step_at(e).previous) {
        if (m.sent_by != no_step && m.sent_by >= e) break;  // not yet sent
        was_refused = was_refused || !s.was_deliverable(step.message, e);
        reply_between = reply_between || s.message_at(s.step_at(e).message).kind == message::role::reply;
      }
      f.refused_then_taken = f.refused_then_taken || was_refused;
      f.overtook_reply = f.overtook_reply || (was_refused && reply_between);
      const auto known = receivers_.try_emplace(names_.messages[step.message], names_.actors[step.receiver]);
      f.same_name_elsewhere = f.same_name_elsewhere || known.first->second != names_.actors[step.receiver];
      if (step.previous != no_step && step.previous >= s.setup_steps()) {
        const auto& before = s.message_at(s.step_at(step.previous).message);
        f.twins = f.twins || (before.type == m.type && m.kind == message::role::plain &&
                              m.type->hash(m.payload) == before.type->hash(before.payload));
      }
    }
    f.aborted = f.aborted || aborts > 0;
    f.aborted_twice = f.aborted_twice || aborts > 1;
    f.finding_after_abort = f.finding_after_abort || others_flagged;
    for (actor_slot a = 0; a < s.actor_count(); ++a) {
      const auto& x = s.actor_at(a);
      f.destroyed = f.destroyed || (x.state_of_life == actor::mode::gone && !x.failed);
      f.deadlock = f.deadlock || x.state_of_life == actor::mode::waiting;
    }
    for (auto m = s.first_pending(); m != no_message; m = s.next_pending(m)) {
      const auto& x = s.message_at(m);
      if (x.dead) continue;
      const bool dead = s.actor_at(x.receiver).state_of_life == actor::mode::gone;
      f.left_over_at_dead = f.left_over_at_dead || dead;
      f.refused_for_ever = f.refused_for_ever || !dead;
      f.call_to_dead = f.call_to_dead || (dead && x.kind == message::role::request);
    }
  }

  const final_check& finally_;
  observed& seen_;
  limits most_;
  watch_for what_;
  options options_;
  names_of names_;
  std::map<name, name> receivers_;
};

template <class Run>
observed observe_by(const program& tested, limits most, watch_for what, Run run) {
  observed result;
  collector watcher(tested, result, most, what);
  const auto s = tested.start(what.model);
  s->limit_depth(deepest);
  s->watch().observe(&watcher);
  s->watch().check_determinism(what.check_undo ? repetition::all : repetition::off);
  s->watch().check_undo(what.check_undo);
  try {
    run(*s, watcher);
  } catch (const derailed& e) {
    result.how_it_ended = verdict::derailed;
    result.why = e.why;
  } catch (const std::exception& e) {
    result.how_it_ended = verdict::derailed;
    result.why = e.what();
  }
  return result;
}

using run_function = bool (*)(search_context&, std::string_view ordering);

/// An engine as a function of a system and its observer.
template <run_function Run>
bool run_on(system& s, observer& o, std::string_view ordering) {
  search_context context{s, o};
  return Run(context, ordering);
}

bool run_dcute(search_context& s, std::string_view by) { return explore_alone(s, share_dcute({.ordering = by})); }
bool run_persistent(search_context& s, std::string_view by) {
  return explore_alone(s, share_persistent({.ordering = by}));
}
bool run_persistent_asleep(search_context& s, std::string_view by) {
  return explore_alone(s, share_persistent({.ordering = by, .sleep_sets = true}));
}
bool run_transdpor(search_context& s, std::string_view by) {
  return explore_alone(s, share_transdpor({.ordering = by}));
}
bool run_transdpor_asleep(search_context& s, std::string_view by) {
  return explore_alone(s, share_transdpor({.ordering = by, .sleep_sets = true}));
}
bool run_source(search_context& s, std::string_view by) { return explore_alone(s, share_source({.ordering = by})); }
bool run_optimal(search_context& s, std::string_view by) {
  return explore_alone(s, share_optimal({.ordering = by}, made_by::one));
}
bool run_with_observers(search_context& s, std::string_view by) {
  return explore_alone(s, share_optimal({.ordering = by, .observers = true}, made_by::one));
}
bool run_with_observers_by_threads(const program& tested, system& first, observer& watcher, std::string_view by) {
  return search_by_threads([&] { return share_optimal({.ordering = by, .observers = true}); }, tested, first, watcher);
}
bool run_optimal_by_threads(const program& tested, system& first, observer& watcher, std::string_view by) {
  return search_by_threads([&] { return share_optimal({.ordering = by}); }, tested, first, watcher);
}
bool run_trust_by_threads(const program& tested, system& first, observer& watcher, std::string_view) {
  const auto make = [&] {
    return first.model() == delivery::mailbox
               ? share_trust_with_mailboxes([&] { return tested.start(delivery::mailbox_interleaved); })
               : share_trust();
  };
  return search_by_threads(make, tested, first, watcher);
}
bool run_trust(search_context& s, std::string_view) { return explore_alone(s, share_trust(made_by::one)); }

/// What `m` was known by in either; empty if neither kept texts.
std::string text_in(const observed& a, const observed& b, std::uint64_t m) {
  if (const auto t = a.texts.find(m); t != a.texts.end()) return "\n" + t->second;
  const auto t = b.texts.find(m);
  return t != b.texts.end() ? "\n" + t->second : std::string();
}

std::string count(std::size_t n, const char* what) { return std::to_string(n) + " " + what; }

}  // namespace

bool is_prefix(const trace& shorter, const trace& longer) {
  for (const auto& [actor, events] : shorter.deliveries) {
    const auto other = longer.deliveries.find(actor);
    if (other == longer.deliveries.end() || other->second.size() < events.size()) return false;
    if (!std::equal(events.begin(), events.end(), other->second.begin())) return false;
  }
  return true;
}

trace with_one_abort(const trace& t, name kept) {
  auto result = t;
  result.aborting = {kept};
  for (auto a = result.deliveries.begin(); a != result.deliveries.end();) {
    const auto last = a->second.back();  // an aborting delivery is its actor's last
    if (last != kept && t.aborting.contains(last)) a->second.pop_back();
    a = a->second.empty() ? result.deliveries.erase(a) : std::next(a);
  }
  return result;
}

void features::operator|=(const features& other) {
  for (const auto& [text, which] : feature_list()) this->*which = this->*which || other.*which;
}

std::vector<std::pair<const char*, bool features::*>> feature_list() {
  return {{"a message is refused and taken later", &features::refused_then_taken},
          {"a message is refused to the end", &features::refused_for_ever},
          {"an actor takes a message after the reply it waited for", &features::overtook_reply},
          {"an actor destroys itself", &features::destroyed},
          {"a message is left over at an actor that is gone", &features::left_over_at_dead},
          {"a call to an actor that is gone", &features::call_to_dead},
          {"a deadlock", &features::deadlock},
          {"an actor is created", &features::created},
          {"a created actor takes a message", &features::created_took},
          {"a value is drawn", &features::drew},
          {"a value is drawn after another delivery to its actor", &features::drew_after_race},
          {"a reply is delivered", &features::replied},
          {"a reply is delivered by then", &features::then_replied},
          {"a reply is an exception", &features::callee_failed},
          {"a step aborts", &features::aborted},
          {"two steps abort in one execution", &features::aborted_twice},
          {"an actor has a finding after another aborted", &features::finding_after_abort},
          {"one message name has two receivers", &features::same_name_elsewhere},
          {"two messages differ in their names only", &features::twins}};
}

const std::vector<search>& searches() {
  using enum search::promise;
  static const std::vector<search> all = {
      {"dcute", covers, true, run_on<run_dcute>},
      {"persistent", covers, true, run_on<run_persistent>},
      {"persistent+sleep", once, true, run_on<run_persistent_asleep>},
      {"transdpor", covers, true, run_on<run_transdpor>},
      {"transdpor+sleep", once, true, run_on<run_transdpor_asleep>},
      {"source", once, true, run_on<run_source>},
      {"optimal", optimal, true, run_on<run_optimal>},
      {"optimal in turns", optimal, true, nullptr, search_in_turns<parts>},
      {"optimal by workers", optimal, true, nullptr, search_by_workers<parts>},
      {"optimal by threads", optimal, true, nullptr, run_optimal_by_threads},
      {"trust in turns", optimal, false, nullptr, trust_in_turns<>},
      {"trust by threads", optimal, false, nullptr, run_trust_by_threads},
      {"trust", optimal, false, run_on<run_trust>},
  };
  return all;
}

const std::vector<search>& searches_with_observers() {
  using enum search::promise;
  static const std::vector<search> all = {
      {"optimal with observers", optimal, true, run_on<run_with_observers>},
      {"optimal with observers in turns", optimal, true, nullptr, search_in_turns<observing_parts>},
      {"optimal with observers by workers", optimal, true, nullptr, search_by_workers<observing_parts>},
      {"optimal with observers by threads", optimal, true, nullptr, run_with_observers_by_threads},
  };
  return all;
}

observed observe(const program& tested, const search& s, std::string_view ordering, limits most, watch_for what) {
  return observe_by(tested, most, what, [&](system& fresh, observer& watcher) {
    if (has_stages(fresh)) {
      search_context whole{fresh, watcher};
      search_by_stages(whole, [&](search_context& stage) { return s.run(stage.tested, stage.watcher, ordering); });
    } else if (s.name == "trust" && what.model == delivery::mailbox) {
      search_context context{fresh, watcher};
      explore_alone(context, share_trust_with_mailboxes([&] { return tested.start(delivery::mailbox_interleaved); },
                                                        made_by::one));
    } else if (s.run_several != nullptr) {
      s.run_several(tested, fresh, watcher, ordering);
    } else {
      s.run(fresh, watcher, ordering);
    }
  });
}

observed observe(const program& tested, const std::function<void(system&, observer&)>& run, limits most,
                 watch_for what) {
  return observe_by(tested, most, what, run);
}

observed observe_all(const program& tested, bool past_aborts, limits most, watch_for what) {
  return observe_by(tested, most, what, [&](system& fresh, observer& watcher) {
    fresh.go_on_after_abort(past_aborts);
    search_context context{fresh, watcher};
    explore_alone(context, share_exhaustive(made_by::one));
  });
}

std::vector<std::string> differences(const observed& oracle, const search& s, const observed& reduced) {
  std::vector<std::string> lines;
  const auto say = [&](const std::string& what) { lines.push_back(s.name + ": " + what); };
  if (reduced.how_it_ended == verdict::derailed) say("went wrong: " + reduced.why);
  if (reduced.how_it_ended == verdict::too_large) say("explored far more than there is");
  if (!lines.empty()) return lines;
  if (reduced.ends_differ) say("one trace ended in two configurations");
  for (const auto& [t, seen] : oracle.traces) {
    const auto found = reduced.traces.find(t);
    if (found == reduced.traces.end())
      say("lost a trace" + text_in(oracle, reduced, t));
    else if (found->second.end != seen.end)
      say("a trace ended in another configuration" + text_in(oracle, reduced, t));
    else if (s.promises != search::promise::covers && found->second.executions != 1)
      say("ran a trace " + count(found->second.executions, "times") + text_in(oracle, reduced, t));
  }
  for (const auto& [t, seen] : reduced.traces)
    if (!oracle.traces.contains(t)) say("has a trace that cannot be" + text_in(oracle, reduced, t));
  for (const auto f : oracle.findings)
    if (!reduced.findings.contains(f)) say("lost a finding" + text_in(oracle, reduced, f));
  for (const auto f : reduced.findings)
    if (!oracle.findings.contains(f)) say("has a finding that cannot be" + text_in(oracle, reduced, f));
  if (s.promises == search::promise::optimal && reduced.blocked != 0) say(count(reduced.blocked, "executions blocked"));
  return lines;
}

std::vector<std::string> differences_of_stopping(const observed& stopping, const observed& going_on) {
  std::vector<std::string> lines;
  std::vector<trace> expected;
  for (const auto& t : going_on.aborting)
    for (const auto failed : t.aborting) expected.push_back(with_one_abort(t, failed));
  for (const auto& t : expected)
    if (std::find(stopping.aborting.begin(), stopping.aborting.end(), t) == stopping.aborting.end())
      lines.emplace_back("exhaustive: a trace that ends at a failure is missing");
  for (const auto& t : stopping.aborting)
    if (std::none_of(expected.begin(), expected.end(), [&](const trace& whole) { return is_prefix(t, whole); }))
      lines.emplace_back("exhaustive: a trace that ends at a failure leads nowhere");
  const auto without_abort = [](const observed& o) { return o.traces.size() - o.aborting.size(); };
  if (without_abort(stopping) != without_abort(going_on))
    lines.emplace_back("exhaustive: other traces without a failure");
  if (stopping.findings != going_on.findings)
    lines.emplace_back("exhaustive: other findings when it stops at a failure");
  return lines;
}

}  // namespace harrier::differential
