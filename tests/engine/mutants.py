#!/usr/bin/env python3
"""Makes wrong variants of the engines, to see that the differential test catches them, and harmless ones.

mutants.py ENGINE-FOLDER OUTPUT.cpp...

Each mutant is an engine's own source with one deliberate change, in a namespace of its own, so it keeps in step with the
engine. It fails, and with it the build, if a text to be replaced is not there exactly once: then say in MUTANTS how the
change is made now.
"""
import pathlib
import re
import sys

OPTIMAL = "optimal.cpp"
SOURCE = "source.cpp"
TRANSDPOR = "transdpor.cpp"
PERSISTENT = "persistent.cpp"
DCUTE = "dcute.cpp"
TRUST = "trust.cpp"
AS_MEASURED = "transdpor_as_measured.cpp"
STATEFUL = "stateful.cpp"

# How each engine is run, and what it promises: see search::promise in observed.hpp.
RUNS = {
    OPTIMAL: ("explore_optimal(s, o, by)", "optimal"),
    SOURCE: ("explore_source(s, o, by)", "once"),
    TRANSDPOR: ("explore_transdpor(s, o, by, true)", "once"),
    PERSISTENT: ("explore_persistent(s, o, by, true)", "once"),
    DCUTE: ("explore_dcute(s, o, by)", "covers"),
    TRUST: ("explore_trust(s, o)", "optimal"),
    AS_MEASURED: ("explore_transdpor_as_measured(s, o, by, false)", "covers"),
}

# Changes that must make no difference: name, engine, what is changed, [(text, what it becomes)...]
VARIANTS = [
    ("optimal_with_clocks", OPTIMAL,
     "happens-before is kept as in executions too long for rows of bits",
     [("order_(s),", "order_(s, 3),")]),
    ("optimal_settles_nothing", OPTIMAL,
     "all races are looked at after each execution",
     [("return order_.precedes_all(e) &&", "return false && order_.precedes_all(e) &&")]),
    ("optimal_inserts_whole", OPTIMAL,
     "whole sequences are put into the trees",
     [("if (!elements_[j].needed || elements_[j].taken) continue;", "elements_[j].needed = true; continue;")]),
    ("persistent_latest_receive", PERSISTENT,
     "a send is compared with the last unordered delivery only: reversing that exposes the others",
     [("if (!order_.before_sending(k, m)) add(points_[k - base], cause(k, last));",
       "{ if (!order_.before_sending(k, m)) add(points_[k - base], cause(k, last)); break; }")]),
    ("dcute_latest_receive", DCUTE,
     "a send is compared with the last unordered delivery only: reversing that exposes the others",
     [("if (!order_.before_sending(k, m)) delay(k);", "{ if (!order_.before_sending(k, m)) delay(k); break; }")]),
    ("settled_without_the_old", OPTIMAL,
     "a race counts as settled though a step that is gone was independent of it (no program is known that needs it)",
     [(" && path_[e - base_].last_notdep < analysed_", "")]),
]

# name, engine, what is wrong with it, [(text, what it becomes)...], and the delivery model if it is not `unordered`
MUTANTS = [
    ("fifo_hides_the_rest", OPTIMAL,
     "of the messages from one actor to another that are not delivered only the first has races, though it may be refused",
     [("const auto e = rival_of(m, system_.actor_at",
       """const auto from = [&](message_slot x) { return system_.step_at(system_.message_at(x).sent_by).receiver; };
      bool is_first = true;
      for (auto x = system_.first_pending(); x != m; x = system_.next_pending(x))
        is_first = is_first && !(from(x) == from(m) && system_.message_at(x).receiver == system_.message_at(m).receiver);
      if (!is_first) continue;
      const auto e = rival_of(m, system_.actor_at""")], "fifo"),
    ("sends_do_not_wake", OPTIMAL,
     "a sleeping delivery is not woken by one that sends to an actor to which it sends",
     [("(a.sends_to != mailbox_set::none && b.sends_to != mailbox_set::none && meet(a.sends_to, b.sends_to))", "false")],
     "mailbox"),
    ("sends_do_not_race", OPTIMAL,
     "deliveries race at their receiver only, not for who sends first",
     [("has_mailboxes_(s.model() == delivery::mailbox)", "has_mailboxes_(false)")], "mailbox"),
    ("sends_race_with_one_only", OPTIMAL,
     "a delivery that sends to two actors races with the last one before it that sends to the first of them",
     [("for (const auto e : rivals_) {", "if (rivals_.size() > 1) rivals_.resize(1);\n    for (const auto e : rivals_) {")],
     "mailbox"),
    ("source_sends_do_not_race", SOURCE,
     "deliveries race at their receiver only, not for who sends first",
     [("has_mailboxes_(s.model() == delivery::mailbox)", "has_mailboxes_(false)")], "mailbox"),
    ("only_the_last_delivery", OPTIMAL,
     "a message is compared with the delivery just before it only, though that may have disabled it",
     [("if (system_.was_deliverable(m, e)) return e;", "return system_.was_deliverable(m, e) ? e : no_step;")]),
    ("undelivered_ignored", OPTIMAL,
     "messages that are never delivered have no races",
     [("for (auto m = system_.first_pending(); m != no_message", "for (auto m = no_message; m != no_message")]),
    ("receiver_by_name", OPTIMAL,
     "a planned delivery's receiver is looked up by its name in the current execution",
     [("class wakeup_trees {",
       """inline system* now = nullptr;
inline planned_step as_now(planned_step p) {
  if (const auto m = now->slot_of(now->names().message_of(p.label)); m != no_message)
    p.receiver = now->actor_at(now->message_at(m).receiver).id;
  return p;
}
class wakeup_trees {"""),
      ("!v.is_weak_initial(nodes_[n].step)", "!v.is_weak_initial(as_now(nodes_[n].step))"),
      ("v.take(nodes_[n].step)", "v.take(as_now(nodes_[n].step))"),
      ("v_.clear();", "v_.clear(); now = &system_;")]),
    ("causal_past_only", OPTIMAL,
     "v is shortened to what happens before the message",
     [("v_.add(path_[f - base_].step, f);", "if (order_.before_sending(f, m)) v_.add(path_[f - base_].step, f);")]),
    ("shared_prefix_skipped", OPTIMAL,
     "races whose second event was there in the execution before are not looked at again",
     [("if (!is_settled(r.first)) reverse(r);", "if (r.first == r.second && !is_settled(r.first)) reverse(r);")]),
    ("shared_draws_skipped", OPTIMAL,
     "draws that were there in the execution before are not looked at again",
     [("if (!is_settled(r.first)) reverse(r);", "if (r.first != r.second && !is_settled(r.first)) reverse(r);")]),
    ("settled_without_the_new", OPTIMAL,
     "a race counts as settled though some new step is independent of it",
     [("order_.precedes_all(e) && ", "")]),
    ("frozen", OPTIMAL,
     "a point to which a sequence was added takes no other until that one is run",
     [("std::vector<planned_step> asleep;", "std::vector<planned_step> asleep; bool frozen = false;"),
      ("child.asleep.clear();", "child.asleep.clear(); child.frozen = false;"),
      ("trees_.insert(p.todo, v_,", "if (p.frozen) return; p.frozen = true; trees_.insert(p.todo, v_,"),
      ("trees_.take_first(p.todo, below);", "(p.frozen = false, trees_.take_first(p.todo, below));")]),
    ("leaf_extended", OPTIMAL,
     "a planned leaf, which stands for everything below it, is taken for a branch with nothing below",
     [("if (nodes_[n].children.empty()) return;", "")]),
    ("branch_planned_again", OPTIMAL,
     "a planned branch is not recognised, so it is planned twice",
     [("if (!v.is_weak_initial(nodes_[n].step)) {", "{")]),
    ("covered_sequences_planned", OPTIMAL,
     "a sequence is planned though a sleeping delivery is a weak initial of it",
     [("if (v_.is_weak_initial(q)) return;", "static_cast<void>(v_.is_weak_initial(q));")]),
    ("initials_not_weak", OPTIMAL,
     "an initial must stand in v: one that is independent of all of v does not count",
     [("if (first == nullptr || first->step.label == p.label) return true;",
       "if (first == nullptr) return false; if (first->step.label == p.label) return true;")]),
    ("shortened_to_the_message", OPTIMAL,
     "of v only what happens before the message is kept, not what wakes the sleeping",
     [("first->needed = true;", "")]),
    ("shortened_without_causes", OPTIMAL,
     "of v what is needed is kept, but not what happens before it",
     [("&& before(elements_[i], elements_[j])", "&& before(elements_[i], elements_[j]) && false")]),
    ("never_woken", OPTIMAL,
     "what sleeps is not woken by a delivery to the same receiver",
     [("if (!depends_.between(q, next)) child", "child")]),
    ("siblings_do_not_sleep", OPTIMAL,
     "an explored branch is not put to sleep",
     [("points_.back().asleep.push_back(done);", "static_cast<void>(done);")]),
    ("sleep_survives_going_back", OPTIMAL,
     "going back forgets to empty the sleep set of the point that was left",
     [("child.asleep.clear();", "")]),
    ("twins_interchangeable", OPTIMAL,
     "messages with the same contents are not raced with each other",
     [("if (system_.was_deliverable(m, e)) return",
       """if (const auto& x = system_.message_at(m); system_.message_at(system_.step_at(e).message).type == x.type &&
          x.type->hash(x.payload) == x.type->hash(system_.message_at(system_.step_at(e).message).payload)) continue;
      else if (system_.was_deliverable(m, e)) return""")]),
    ("replies_outside_the_schedule", OPTIMAL,
     "the walk back stops at a reply, so nothing races with the delivery that made the call",
     [("if (system_.was_deliverable(m, e)) return",
       "if (system_.message_at(system_.step_at(e).message).kind == message::role::reply) return no_step;\n"
       "      else if (system_.was_deliverable(m, e)) return")]),
    ("stops_at_an_abort", OPTIMAL,
     "a failed requirement or an exception ends the execution for all actors",
     [("const past_aborts guard(system);", "")]),
    ("aborted_not_analysed", OPTIMAL,
     "the races of an execution with a failed requirement or an exception are not looked at",
     [("reverse_races();", "if (!system_.aborted()) reverse_races();")]),
    ("draws_without_notdep", OPTIMAL,
     "a value is drawn anew without what was independent of the draw",
     [("v_.add(path_[f - base_].step, f);", "if (system_.step_at(e).message != m) v_.add(path_[f - base_].step, f);")]),
    ("draws_not_varied", OPTIMAL,
     "the last of the values that can be drawn is never tried",
     [("value < c.arity; ++value", "value + 1 < c.arity; ++value")]),

    ("source_only_the_last_delivery", SOURCE,
     "a message is compared with the delivery just before it only",
     [("if (system_.was_deliverable(m, e)) return reverse(e, m);",
       "{ if (system_.was_deliverable(m, e)) reverse(e, m); return; }")]),
    ("source_undelivered_ignored", SOURCE,
     "messages that are never delivered have no races",
     [("look_for_race(m);  // D1", "{}")]),
    ("source_undelivered_only_at_ends", SOURCE,
     "messages that are pending where an execution is given up have no races",
     [("else\n      watcher_.execution_blocked(system_);", "else\n      return watcher_.execution_blocked(system_);")]),
    ("source_siblings_do_not_sleep", SOURCE,
     "an explored branch is not put to sleep",
     [("p.sleep.insert(system_", "static_cast<void>(p); if (false) p.sleep.insert(system_")]),
    ("source_initials_ignore_order", SOURCE,
     "everything that the race leaves over is an initial",
     [("if (first) initials_", "initials_"), ("const auto first =", "[[maybe_unused]] const auto first =")]),

    ("transdpor_naive_sleep", TRANSDPOR,
     "a sleeping candidate freezes the point, though it will never be run there",
     [(" || p.sleep.contains(system_.message_at(e).id)) return;", ") return;"),
      ("p.backtrack.push_back(e);", "if (!p.sleep.contains(system_.message_at(e).id)) p.backtrack.push_back(e);")]),
    ("transdpor_never_thaws", TRANSDPOR,
     "a frozen point takes no candidate ever again",
     [("p.frozen = false;                                         // 14'", "")]),
    ("transdpor_only_delivered", TRANSDPOR,
     "messages that are not deliverable do not race",
     [("  look_for_race(m);", "  if (system_.deliverable(m)) look_for_race(m);")]),
    ("transdpor_candidate_is_the_message", TRANSDPOR,
     "only the racing message itself is a candidate, though it need not have been sent yet",
     [("if (order_.before_sending(j, m)) return system_.step_at(j).message;", "continue;")]),

    ("transdpor_as_measured", AS_MEASURED,
     "no mutant: the engine behind a published table, which loses executions with destroy, guards and calls",
     []),

    ("persistent_last_cause", PERSISTENT,
     "the actor added is the sender, not the first that leads to the send",
     [("if (order_.before(f, last)) return system_.step_at(f).receiver;", "continue;")]),
    ("persistent_one_message", PERSISTENT,
     "one message of the actor added is tried, not all",
     [("p.scheduled.push_back(m);", "{ p.scheduled.push_back(m); return; }")]),
    ("dcute_deaf", DCUTE,
     "a point is left after the messages of its first actor",
     [(".needs_delay = true;", ".needs_delay = false;")]),

    ("trust_latest_receive", TRUST,
     "a send revisits the last receive of its receiver only",
     [("if (system_.was_deliverable(s, r) && all_maximal(g, r - base_, w))\n"
       "          result.push_back(revisit(g, r - base_, w, s));",
       "{ if (system_.was_deliverable(s, r) && all_maximal(g, r - base_, w))\n"
       "          result.push_back(revisit(g, r - base_, w, s)); break; }")]),
    ("trust_revisits_what_is_not_maximal", TRUST,
     "a revisit is allowed though what it deletes was not maximal",
     [("deleted(g, rank, r, w) && !is_maximal(g, rank, w)", "false")]),
    ("trust_write_read_by_deleted", TRUST,
     "a bundle of sends is maximal though it was read",
     [("write_is_unread(x, rank, w) :", "true :")]),
    ("trust_drawn_is_maximal", TRUST,
     "a drawn value other than 0 is maximal",
     [("if (step.code != 0) return false;", "")]),
    ("trust_past_kept_out", TRUST,
     "what happens before the sends is deleted too when an old receive is revisited",
     [("return rank > read_rank_[r] && x != w && !in_past(x, w);", "return rank > read_rank_[r] && x != w;")]),
    ("trust_least_of_all", TRUST,
     "a receive is maximal only if it read the least of everything, what came later included",
     [("if (!exists) continue;", "static_cast<void>(exists);")]),
]

# What an engine is made of beside itself and its private headers.
ALONG = {STATEFUL: ["stateful_breadth_first.cpp"]}

# Of engine stateful: name, what is wrong with it, [(text, what it becomes)...]
STATE_MUTANTS = [
    ("done_before_sleeps", "on a revisit what was done at the earlier visit sleeps, though on a cycle it may not be done yet",
     [("if ((slept & bit) == 0) continue;  // done at an earlier visit, or being done",
       "if ((slept & bit) == 0) {\n        p.asleep.push_back(c);\n        continue;\n      }")]),
    ("revisits_ignored", "a state found again is never gone through again",
     [("if (!found.is_new && *found.word == 0) return false;", "if (!found.is_new) return false;")]),
    ("equal_messages_cancel", "the parts of messages are put together by exclusive or",
     [("  value_ += part;\n}", "  value_.low ^= part.low;\n  value_.high ^= part.high;\n}"),
      ("value_ -= message_parts_[s.message];",
       "value_.low ^= message_parts_[s.message].low;\n  value_.high ^= message_parts_[s.message].high;")]),
    ("messages_by_name", "messages with different names are different",
     [("name(x.receiver) | kind << 32", "name(x.receiver) | static_cast<std::uint64_t>(x.id) << 16 | kind << 40")]),
    ("woken_by_the_sender", "what sleeps wakes when its sender takes a step, not when its receiver does",
     [("if (c.receiver != receiver) asleep_.push_back(c);",
       "if (sender(c.message) != receiver) asleep_.push_back(c);"),
      ("if (parent->todo[i].receiver != receiver)", "if (sender(parent->todo[i].message) != receiver)"),
      ("  /// What can be delivered, oldest first",
       """  [[nodiscard]] actor_slot sender(message_slot m) const {
    const auto by = system_.message_at(m).sent_by;
    return by == no_step ? actor_slot{0} : system_.step_at(by).receiver;
  }

  /// What can be delivered, oldest first""")]),
    ("never_woken", "what sleeps never wakes",
     [("if (c.receiver != receiver) asleep_.push_back(c);", "static_cast<void>(receiver), asleep_.push_back(c);")]),
    ("first_sleep_set_kept", "the sleep set stored is that of the first visit",
     [("stored &= ~bit;", "")]),
    ("waiting_is_open", "what a blocked actor waits for is no part of the state",
     [("if (x.state_of_life == actor::mode::waiting) {", "if (false) {")]),
    ("receiver_forgotten", "to whom a message goes is no part of it",
     [("name(x.receiver) | kind << 32", "kind << 32")]),
]

PRELUDE = """// Generated by mutants.py from the engines' sources. Do not edit.
#include "mutants.hpp"

"""

INCLUDE = re.compile(r'^#include .*\n', re.MULTILINE)
PRIVATE = re.compile(r'^#include "([a-z_]+\.hpp)"\n', re.MULTILINE)


class Failure(Exception):
    pass


def private_headers(folder, text, seen):
    """The private headers that text includes, those they include first."""
    for name in PRIVATE.findall(text):
        if name not in seen:
            header = (folder / name).read_text(encoding="utf-8")
            private_headers(folder, header, seen)
            seen[name] = header
    return seen


def private_sources(folder, text):
    """The private headers that text includes, and then the files that implement them, with what those include."""
    headers, bodies, pending = private_headers(folder, text, {}), {}, None
    while pending != {}:
        pending = {name: (folder / name).with_suffix(".cpp") for name in headers if name not in bodies}
        for name, path in pending.items():
            bodies[name] = path.read_text(encoding="utf-8") if path.exists() else ""
            private_headers(folder, bodies[name], headers)
    return headers | {name + " body": body for name, body in bodies.items()}


def mutant(folder, name, engine, changes):
    text = (folder / engine).read_text(encoding="utf-8")
    # Private headers are mutated too, with what implements them, so each mutant has its own copy of them, in its own
    # namespace.
    text += "".join((folder / other).read_text(encoding="utf-8") for other in ALONG.get(engine, []))
    whole = "".join(private_sources(folder, text).values()) + text
    includes = "".join(line for line in INCLUDE.findall(whole) if not PRIVATE.match(line))
    whole = INCLUDE.sub("", whole).replace("#pragma once\n", "")
    for old, new in changes:
        if whole.count(old) != 1:
            raise Failure(f"mutant {name}: in {folder / engine} and what it includes the text to be replaced is there "
                          f"{whole.count(old)} times, not once:\n  {old}\n"
                          f"The engine has changed: say in {__file__} how to make the same mistake now.")
        whole = whole.replace(old, new)
    # A wrong search may want to deliver what cannot be: that is caught, not undefined.
    whole, deliveries = re.subn(r"\b(\w+)\.(deliver|deliver_event)\(", r"\2_if_possible(\1, ", whole)
    if deliveries == 0:
        raise Failure(f"mutant {name}: no delivery in {engine} to be guarded")
    whole = whole.replace("make_path(v.shorten(before))", "make_path(not_empty(v.shorten(before)))")
    whole = whole.replace("HARRIER_INVARIANT(", "require_of_mutant(").replace("!may_sleep(", "!harrier::may_sleep(")
    return includes, whole.replace("namespace harrier {", f"namespace harrier::mutants::{name} {{")


def part(folder, chosen):
    """A source file with these variants, and the rows that name them."""
    includes, bodies, rows = "", "", {"mutants": "", "variants": "", "states": ""}
    for kind, (name, engine, wrong, changes, *model) in chosen:
        needed, body = mutant(folder, name, engine, changes)
        includes += needed
        bodies += f"\n// ==== {name}: {wrong}\n{body}"
        if kind == "states":
            rows[kind] += f'  all.states.push_back({{"{name}", "{wrong}", mutants::{name}::explore_stateful}});\n'
            continue
        run, promise = RUNS[engine]
        rows[kind] += (f'  all.{kind}.push_back({{{{"{name}", search::promise::{promise}, true,\n'
                       f"                     [](system& s, observer& o, [[maybe_unused]] std::string_view by) {{\n"
                       f"                       return mutants::{name}::{run};\n                     }}}},\n"
                       f'                    "{engine.removesuffix(".cpp")}", "{wrong}",\n'
                       f'                    delivery_of("{model[0] if model else "unordered"}")}});\n')
    return "".join(sorted(set(includes.splitlines(keepends=True)))), bodies, "".join(rows.values())


def main():
    folder, outputs = pathlib.Path(sys.argv[1]), sys.argv[2:]
    everything = [("mutants", m) for m in MUTANTS] + [("variants", v) for v in VARIANTS]
    everything += [("states", (name, STATEFUL, wrong, changes)) for name, wrong, changes in STATE_MUTANTS]
    for i, output in enumerate(outputs):
        includes, bodies, rows = part(folder, everything[i::len(outputs)])
        declared = "".join(f"void add_part_{k}(mutants_made&);\n" for k in range(len(outputs)))
        called = "".join(f"    add_part_{k}(all);\n" for k in range(len(outputs)))
        table = "" if i > 0 else f"""
{declared}
namespace {{
const auto& everything() {{
  static const auto made = [] {{
    mutants_made all;
{called}    return all;
  }}();
  return made;
}}
}}  // namespace

const std::vector<mutant>& all_mutants() {{ return everything().mutants; }}
const std::vector<mutant>& all_variants() {{ return everything().variants; }}
const std::vector<state_mutant>& all_state_mutants() {{ return everything().states; }}
"""
        pathlib.Path(output).write_text(f"""{PRELUDE}{includes}{bodies}
namespace harrier::differential {{

void add_part_{i}(mutants_made&);
void add_part_{i}([[maybe_unused]] mutants_made& all) {{
{rows}}}
{table}
}}  // namespace harrier::differential
""", encoding="utf-8")
    return 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except Failure as failure:
        print(f"mutants.py: {failure}", file=sys.stderr)
        sys.exit(1)
