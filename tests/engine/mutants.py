#!/usr/bin/env python3
"""Makes wrong variants of the engines, to see that the differential test catches them, and harmless ones.

mutants.py ENGINE-FOLDER OUTPUT.cpp...

What can be got wrong by putting a wrong part into an engine is not here but in wrong_dependences.cpp and wrong_trees.cpp.
Here are changes of the algorithms themselves, which no part reaches. Each mutant is an engine's own source with one
deliberate change, in a namespace of its own, so it keeps in step with the engine. It fails, and with it the build, if a
text to be replaced is not there exactly once, or if replacing it changes no code: then say in MUTANTS how the change is
made now.
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
STATEFUL = "stateful.cpp"
HISTORIES = "receive_histories.cpp"

# How each engine is run, and what it promises: see search::promise in observed.hpp.
RUNS = {
    OPTIMAL: ("explore_optimal_alone(c, {.ordering = by})", "optimal"),
    SOURCE: ("share_source({.ordering = by})", "once"),
    TRANSDPOR: ("share_transdpor({.ordering = by, .sleep_sets = true})", "once"),
    PERSISTENT: ("share_persistent({.ordering = by, .sleep_sets = true})", "once"),
    DCUTE: ("share_dcute({.ordering = by})", "covers"),
    TRUST: ("explore_trust_alone(c)", "optimal"),
}

# Changes that must make no difference: name, engine, what is changed, [(text, what it becomes)...]
VARIANTS = [
    ("optimal_with_clocks", OPTIMAL,
     "happens-before is kept as in executions too long for rows of bits",
     [("order_(s, rows_of_order),", "order_(s, 3),")]),
    ("optimal_settles_nothing", OPTIMAL,
     "all races are looked at after each execution",
     [("return order_.precedes_all(e) &&", "return false && order_.precedes_all(e) &&")]),
    ("settled_without_the_old", OPTIMAL,
     "a race counts as settled though a step that is gone was independent of it (no program is known that needs it)",
     [(" && path_[e - base_].last_notdep < analysed_", "")]),
    ("settled_without_the_new", OPTIMAL,
     "a race counts as settled though some new step is independent of it (no program is known that needs it)",
     [("order_.precedes_all(e) && ", "")]),
    ("lone_draws_do_not_race", OPTIMAL,
     "where a draw was planned by itself the others are not tried (no program is known that needs it)",
     [("(!depends_.foresees_all() || path_[f - base_].is_lone_draw)", "!depends_.foresees_all()")]),
]

# name, engine, what is wrong with it, [(text, what it becomes)...], and the delivery model if it is not `unordered`
MUTANTS = [
    ("shared_prefix_skipped", OPTIMAL,
     "races whose second event was there in the execution before are not looked at again",
     [("if (!is_settled(r.first)) reverse(r);", "if (r.first == r.second && !is_settled(r.first)) reverse(r);")]),
    ("leaf_extended", OPTIMAL,
     "a planned leaf, which stands for everything below it, is taken for a branch with nothing below",
     [("if (nodes_[n].children.empty()) return true;", "")]),
    ("stops_at_an_abort", OPTIMAL,
     "a failed requirement or an exception ends the execution for all actors",
     [("const past_aborts guard(s.tested);", "")]),
    ("aborted_not_analysed", OPTIMAL,
     "the races of an execution with a failed requirement or an exception are not looked at",
     [("      reverse_races();\n      return;", "      if (!system_.aborted()) reverse_races();\n      return;")]),
    ("draws_without_notdep", OPTIMAL,
     "a value is drawn anew without what was independent of the draw",
     [("v_.add(path_[f - base_].step, f);", "if (system_.step_at(e).message != m) v_.add(path_[f - base_].step, f);")], "mailbox"),
    ("draws_not_varied", OPTIMAL,
     "the last of the values that can be drawn is never tried",
     [("value < c.arity; ++value", "value + 1 < c.arity; ++value")], "mailbox"),
    ("next_draw_not_planned", OPTIMAL,
     "what a planned leaf stands for is its first draw only",
     [("tree_.plan_next_draw(child, names_.told(next));", "static_cast<void>(next);")]),
    ("lone_draws_taken_again", OPTIMAL,
     "draws that were taken by themselves are taken again with all the others",
     [("if (!first_not_taken(child, label)) return true;", "static_cast<void>(0);")]),

    ("source_undelivered_only_at_ends", SOURCE,
     "messages that are pending where an execution is given up have no races",
     [("else\n      watcher_.execution_blocked(system_);", "else\n      return watcher_.execution_blocked(system_);")]),
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
    ("transdpor_candidate_is_the_message", TRANSDPOR,
     "only the racing message itself is a candidate, though it need not have been sent yet",
     [("if (order_.before_sending(j, m)) return system_.step_at(j).message;", "continue;")]),

    ("persistent_last_cause", PERSISTENT,
     "the actor added is the sender, not the first that leads to the send",
     [("if (order_.before(f, last)) return system_.step_at(f).receiver;", "continue;")]),
    ("persistent_one_message", PERSISTENT,
     "one message of the actor added is tried, not all",
     [("p.backtrack.push_back(m);", "{ p.backtrack.push_back(m); return; }")]),
    ("dcute_deaf", DCUTE,
     "a point is left after the messages of its first actor",
     [(".needs_delay = true;", ".needs_delay = false;")]),

    ("trust_revisits_what_is_not_maximal", TRUST,
     "a revisit is allowed though what it deletes was not maximal",
     [("(!is_maximal(g, rank, w) || gives_up_after(system_.message_count()))",
       "gives_up_after(system_.message_count())")]),
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

# Of engine stateful: name, what is wrong with it, [(text, what it becomes)...]
STATE_MUTANTS = [
    ("done_before_sleeps", "on a revisit what was done at the earlier visit sleeps, though on a cycle it may not be done yet",
     [("if ((slept & bit) == 0) return fate::left;", "if ((slept & bit) == 0) return fate::asleep;")]),
    ("revisits_ignored", "a state found again is never gone through again",
     [("if (!found.is_new && *found.word == 0) return false;", "if (!found.is_new) return false;")]),
    ("equal_messages_cancel", "the parts of messages are put together by exclusive or",
     [("  value_ += part;\n}", "  value_.low ^= part.low;\n  value_.high ^= part.high;\n}"),
      ("value_ -= message_parts_[s.message];",
       "value_.low ^= message_parts_[s.message].low;\n  value_.high ^= message_parts_[s.message].high;")]),
    ("messages_by_name", "messages with different names are different",
     [("name(x.receiver) | kind << 32", "name(x.receiver) | static_cast<std::uint64_t>(x.id) << 16 | kind << 40")]),
    ("woken_by_the_sender", "what sleeps wakes when its sender takes a step, not when its receiver does",
     [("if (!depends_.between(listed_[i].touched(), last))", "if (!this->woken(listed_[i].message))"),
      ("  /// What can be delivered, oldest first",
       """  [[nodiscard]] bool woken(message_slot m) const {
    const auto by = system_.message_at(m).sent_by;
    const auto sender = by == no_step ? actor_slot{0} : system_.step_at(by).receiver;
    return sender == system_.step_at(system_.last_step()).receiver;
  }

  /// What can be delivered, oldest first""")]),
    ("never_woken", "what sleeps never wakes",
     [("if (!depends_.between(listed_[i].touched(), last))", "if (static_cast<void>(last), true)")]),
    ("first_sleep_set_kept", "the sleep set stored is that of the first visit",
     [("stored &= ~bit;", "")]),
    ("waiting_is_open", "what a blocked actor waits for is no part of the state",
     [("if (actor::is_suspended(x.state_of_life)) {", "if (false) {")]),
    ("receiver_forgotten", "to whom a message goes is no part of it",
     [("name(x.receiver) | kind << 32", "kind << 32")]),
]

# name, what is wrong with it, [(text, what it becomes)...]
HISTORY_MUTANTS = [
    ("histories_order_only_what_is_taken",
     "what an actor takes is not known to have come before what it never takes",
     [("const auto by = taker_of(m);  // E3", "const auto by = taker_of(m);  // E3\n    if (by == no_step) return;")]),
    ("histories_order_what_is_refused",
     "what an actor takes is known to have come before what it refused then",
     [("if (accepts(m, e)) visit_arrival(", "visit_arrival(")]),
    ("histories_sends_unordered",
     "what one handler sends may arrive in any order",
     [("if (m > system_.step_at(x.sent_by).first_sent)\n        visit_arrival(m - 1, visit);\n      else if", "if")]),
    ("histories_not_drained",
     "an actor may take the next message before all that it sent has arrived",
     [("if (has_sent && ", "if (has_sent && e == no_step && ")]),
    ("histories_setup_unordered",
     "what arrived in the set-up is in no order",
     [("other != 0 && (place == 0 || other < place)", "other != 0 && false")]),
    ("histories_least_of_the_accepted",
     "the least that could be read may be one that cannot be read there",
     [("choice_.may_take(m, step_of(x), seen_from{*this, rank, w})", "true")]),
    ("histories_revisit_unasked",
     "a receive is revisited by what cannot be in front there",
     [("choice_.may_take(s, r, kept_by_revisit{*this, r - base_, w})", "true")]),
    ("histories_latest_receive",
     "a send revisits the last receive of its receiver only",
     [("if (!gives_up_after(1) && system_.was_deliverable(s, r) &&",
       "if (r == system_.actor_at(system_.message_at(s).receiver).last_step && system_.was_deliverable(s, r) &&")]),
    ("histories_read_anything",
     "a receive reads whatever is accepted",
     [(" || !choice_.may_take(m, no_step, everything{})", "")]),
]

PRELUDE = """// Generated by mutants.py from the engines' sources. Do not edit.
#include "mutants.hpp"

"""

INCLUDE = re.compile(r'^#include .*\n', re.MULTILINE)
PRIVATE = re.compile(r'^#include "(?:\.\./)?(?:(?:dpor|trust|states|sampling)/)?([a-z_]+\.hpp)"\n', re.MULTILINE)


class Failure(Exception):
    pass


def file_of(folder, name):
    """Where in the rooms of the floor the file of that name is; names are used once."""
    return next(folder.rglob(name), folder / name)


def private_headers(folder, text, seen):
    """The private headers that text includes, those they include first."""
    for name in PRIVATE.findall(text):
        if name not in seen:
            header = file_of(folder, name).read_text(encoding="utf-8")
            private_headers(folder, header, seen)
            seen[name] = header
    return seen


def private_sources(folder, text, own):
    """The private headers that text includes, and then the files that implement them, with what those include.

    The files `own` are the text itself.
    """
    headers, bodies, pending = private_headers(folder, text, {}), {}, None
    while pending != {}:
        pending = {name: file_of(folder, name).with_suffix(".cpp") for name in headers if name not in bodies}
        for name, path in pending.items():
            is_new = path.exists() and path.name not in own
            bodies[name] = path.read_text(encoding="utf-8") if is_new else ""
            private_headers(folder, bodies[name], headers)
    return headers | {name + " body": body for name, body in bodies.items()}


def code_of(text):
    return re.sub(r"//.*", "", text)


def replace_once(name, engine, whole, old, new):
    if whole.count(old) != 1:
        raise Failure(f"mutant {name}: in {engine} and what it includes the text to be replaced is there "
                      f"{whole.count(old)} times, not once:\n  {old}\n"
                      f"The engine has changed: say in {__file__} how to make the same mistake now.")
    changed = whole.replace(old, new)
    if code_of(changed) == code_of(whole):
        raise Failure(f"mutant {name}: in {engine} and what it includes replacing this changes no code:\n  {old}")
    return changed


def guarded(name, engine, whole):
    """The same, but what a wrong search may want that cannot be is noticed, not undefined."""
    whole, deliveries = re.subn(r"\b(\w+)\.(deliver|deliver_event)\(", r"\2_if_possible(\1, ", whole)
    if deliveries == 0 or re.search(r"(\.|->)\s*deliver(_event)?\(", code_of(whole)):
        raise Failure(f"mutant {name}: deliveries of {engine} that are not guarded")
    if "class wakeup_trees" in whole:
        whole = replace_once(name, engine, whole, "= v.shorten(before);", "= not_empty(v.shorten(before));")
    return whole.replace("HARRIER_INVARIANT(", "require_of_mutant(")


def moved(name, whole):
    """The same in a namespace of its own, where it means itself by what it says."""
    # A parameter of a type in harrier has them looked up there too.
    whole = re.sub(r"(?<!std::string )\bobjection\(", "harrier::objection(", whole)
    whole = re.sub(r"(?<!bool )\bmay_sleep\(", "harrier::may_sleep(", whole)
    whole = whole.replace("harrier::sleep_set;", f"harrier::mutants::{name}::sleep_set;")
    whole = whole.replace("namespace harrier {", f"namespace harrier::mutants::{name} {{")
    for opened in re.findall(r"^namespace (harrier\S*)", whole, re.MULTILINE):
        if opened != f"harrier::mutants::{name}":
            raise Failure(f"mutant {name}: a copy of a part of namespace {opened} would take the place of the engine's own")
    return whole


def mutant(folder, name, engine, changes):
    if not changes:
        raise Failure(f"mutant {name}: nothing is changed")
    # Private headers are mutated too, with what implements them, so each mutant has its own copy of them, in its own
    # namespace.
    text = file_of(folder, engine).read_text(encoding="utf-8")
    whole = "".join(private_sources(folder, text, [engine]).values()) + text
    includes = "".join(line for line in INCLUDE.findall(whole) if not PRIVATE.match(line))
    whole = INCLUDE.sub("", whole).replace("#pragma once\n", "")
    for old, new in changes:
        whole = replace_once(name, engine, whole, old, new)
    return includes, moved(name, guarded(name, engine, whole))


def part(folder, chosen):
    """A source file with these variants, and the rows that name them."""
    includes, bodies, rows = "", "", {"mutants": "", "variants": "", "states": "", "histories": ""}
    for kind, (name, engine, wrong, changes, *model) in chosen:
        needed, body = mutant(folder, name, engine, changes)
        includes += needed
        bodies += f"\n// ==== {name}: {wrong}\n{body}"
        if kind == "states":
            rows[kind] += f'  all.states.push_back({{"{name}", "{wrong}", mutants::{name}::explore_stateful}});\n'
            continue
        if kind == "histories":
            rows[kind] += (f'  all.histories.push_back({{"{name}", "{wrong}",\n'
                           f"                           [](const program& tested, system& s, observer& o) {{\n"
                           f"                             search_context c{{s, o}};\n"
                           f"                             explore_alone(c, mutants::{name}::share_receive_histories(\n"
                           f"                                 [&] {{ return tested.start(delivery::unordered); }}));\n"
                           f"                           }}}});\n")
            continue
        run, promise = RUNS[engine]
        called = f"mutants::{name}::{run}"
        if run.startswith("share_"):
            called = f"explore_alone(c, {called})"
        rows[kind] += (f'  all.{kind}.push_back({{{{"{name}", search::promise::{promise}, true,\n'
                       f"                     [](system& s, observer& o, [[maybe_unused]] std::string_view by) {{\n"
                       f"                       search_context c{{s, o}};\n"
                       f"                       return {called};\n                     }}}},\n"
                       f'                    "{engine.removesuffix(".cpp")}", "{wrong}",\n'
                       f'                    delivery_of("{model[0] if model else "unordered"}")}});\n')
    return "".join(sorted(set(includes.splitlines(keepends=True)))), bodies, "".join(rows.values())


def check_names(everything):
    names = [(kind == "states", chosen[0]) for kind, chosen in everything]
    for name in names:
        if names.count(name) > 1:
            raise Failure(f"mutant {name[1]}: there are two of them")


def main():
    folder, outputs = pathlib.Path(sys.argv[1]), sys.argv[2:]
    everything = [("mutants", m) for m in MUTANTS] + [("variants", v) for v in VARIANTS]
    everything += [("states", (name, STATEFUL, wrong, changes)) for name, wrong, changes in STATE_MUTANTS]
    everything += [("histories", (name, HISTORIES, wrong, changes)) for name, wrong, changes in HISTORY_MUTANTS]
    check_names(everything)
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
    add_wrong_dependences(all);
    add_wrong_trees(all);
    add_wrong_workers(all);
{called}    return all;
  }}();
  return made;
}}
}}  // namespace

const std::vector<mutant>& all_mutants() {{ return everything().mutants; }}
const std::vector<mutant>& all_variants() {{ return everything().variants; }}
const std::vector<state_mutant>& all_state_mutants() {{ return everything().states; }}
const std::vector<history_mutant>& all_history_mutants() {{ return everything().histories; }}
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
