#include "search_plan.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <span>
#include <string_view>
#include <utility>

#include <harrier/core/error.hpp>
#include <harrier/core/monitor.hpp>
#include <harrier/core/stages.hpp>
#include <harrier/engine/pct.hpp>
#include <harrier/engine/stateful.hpp>
#include <harrier/ordering/ordering.hpp>

#include "../engine/states/shared_stateful.hpp"
#include "by_stages.hpp"
#include "independences.hpp"
#include "search_states.hpp"
#include "start.hpp"

namespace harrier {
namespace {

constexpr std::uint64_t most_workers = 1024;

struct question {
  const program_facts& facts;
  const options& how;
  searched_by who;
  /// Null while trials are to say which.
  const named_engine* engine = nullptr;

  [[nodiscard]] bool is_named() const { return !how.search.engine.is_automatic(); }
  [[nodiscard]] bool has_budget() const { return how.limits.budget != 0; }
  [[nodiscard]] bool by_broker() const { return who == searched_by::a_broker; }
  [[nodiscard]] bool by_several() const { return workers_asked_for(how) != 1; }
  [[nodiscard]] bool is_written() const { return !how.kept.checkpoint.empty() || !how.kept.resume.empty(); }
  [[nodiscard]] bool is_judged() const { return how.judging.by != nullptr; }
  [[nodiscard]] bool has_stages() const { return facts.are_known && facts.has_stages; }
  /// Those of the program itself are known once it was started.
  [[nodiscard]] const harrier::faults& faults() const { return facts.faults.any() ? facts.faults : how.search.faults; }
  [[nodiscard]] bool has_faults() const { return faults().any(); }
  [[nodiscard]] const named_independence& independent_by() const { return independence_as(how.search.independence); }
  [[nodiscard]] bool wants_independence() const { return how.search.independence != independence::receiver; }
  /// The engine decides independence as it was asked to, and that is more than all do.
  [[nodiscard]] bool decides_independence() const {
    return wants_independence() && engine != nullptr && independent_by().is_decided_by(*engine);
  }
  [[nodiscard]] bool wants_ordering() const { return how.search.ordering != ordering_choice(); }
  [[nodiscard]] bool is_by_mailboxes() const {
    return how.search.delivery == delivery::mailbox || how.search.delivery == delivery::mailbox_interleaved;
  }
  /// `shared by several jobs`.
  [[nodiscard]] const char* sharing() const {
    return by_several() ? "shared by several jobs" : "written to a checkpoint";
  }
  /// `engine trust`.
  [[nodiscard]] std::string who_searches() const { return fmt::format("engine {}", engine ? engine->name : "auto"); }
};

constexpr auto looks_at_several =
    "something is to hold that looks at several actors at once, or a script counts deliveries: their order may matter";

/// What stands against telling deliveries apart by what they did, in words; empty: nothing.
/// @param judged  by something that could tell what commutes
std::string objection_to_commuting(const question& q, bool judged) {
  if (q.is_by_mailboxes())
    return fmt::format("delivery model {} decides by the order of sends what is taken, so nothing commutes there",
                       to_string(q.how.search.delivery));
  if (judged) return "a property is judged, and it may tell one order of deliveries from another";
  if (q.facts.looks_at_several) return looks_at_several;
  if (!q.facts.shows_changes) return "it cannot be seen whether a delivery changed anything: that is for native actors";
  return {};
}

/// The same, where messages commute for what they touch or do in the state an actor is in.
std::string objection_to_more_than_observers(const question& q) {
  if (q.facts.shows_changes && q.has_stages())
    return "the body of an ETEST that waits (handle_all() and the like) may look at the actors between deliveries, and "
           "it is not shown that this sees the same";
  if (q.facts.looks_at_configurations)
    return "something is to hold between two deliveries, and of two that commute one order is not run";
  return objection_to_commuting(q, q.is_judged());
}

std::string objection_to_observers(const question& q) {
  return objection_to_commuting(q, q.is_judged() && q.how.judging.by->tells_observers_apart());
}

/// Whether observers are told apart where they can be: unless asked for otherwise.
bool tells_observers(const question& q) {
  return q.engine != nullptr && q.engine->takes_observers && q.how.search.observers.value_or(true) &&
         (q.decides_independence() || objection_to_observers(q).empty());
}

std::vector<std::string> orderings_that_learn_nothing() {
  auto all = ordering_names();
  std::erase_if(all, [](const auto& name) { return ordering_learns(name); });
  return all;
}

std::string names_of(const std::vector<std::string>& engines) { return fmt::format("{}", fmt::join(engines, ", ")); }

/// A line of the table: when something does not go with something else, and what is then said.
struct rule {
  /// Empty: nothing is wrong.
  std::string (*says)(const question&);
  bool of_sharing = false;
  /// What is told of a search that one worker does instead; empty: the same.
  std::string_view note = {};
};

/// What cannot be meant, whatever else is asked.
constexpr rule numbers[] = {
    {[](const question& q) {
      return q.how.search.bug_depth > greatest_bug_depth
                 ? fmt::format("a bug depth from 1 to {} is expected", greatest_bug_depth)
                 : "";
    }},
    {[](const question& q) -> std::string {
      return q.has_budget() && !(q.how.limits.budget > 0) ? "a budget is a number of seconds above 0" : "";
    }},
    {[](const question& q) -> std::string {
      return q.how.limits.max_depth == 0 ? "executions need a depth limit of at least 1 delivery" : "";
    }},
    {[](const question& q) -> std::string {
      return q.is_written() && !(q.how.kept.checkpoint_interval > 0)
                 ? "the time between checkpoints must be more than 0 seconds"
                 : "";
    }},
    {[](const question& q) {
      return workers_asked_for(q.how) > most_workers
                 ? fmt::format("{} jobs are too many; {} is the most", q.how.search.jobs, most_workers)
                 : "";
    }},
};

/// What is asked of an engine that has no use for it.
constexpr rule of_engines[] = {
    {[](const question& q) {
      const bool takes = q.has_budget() || (q.engine != nullptr && q.engine->takes_bug_depth);
      return q.how.search.bug_depth != 0 && !takes
                 ? fmt::format("{} has no use for a bug depth; engine pct has", q.who_searches())
                 : "";
    }},
    {[](const question& q) {
      const bool takes = q.has_budget() || (q.engine != nullptr && q.engine->takes_delays);
      return q.how.search.delays && !takes
                 ? fmt::format("{} has no use for a limit of delays; engine delay has", q.who_searches())
                 : "";
    }},
    {[](const question& q) {
      // Engine auto samples, and so do estimates and budgets.
      const bool draws =
          q.engine == nullptr || q.engine->endless || !q.is_named() || q.has_budget() || q.how.search.only_estimate;
      return q.how.search.seed != 0 && !draws
                 ? fmt::format("{} draws nothing, so it has no use for a seed; engines {} have", q.who_searches(),
                               names_of(engines_that(&named_engine::endless)))
                 : "";
    }},
    {[](const question& q) {
      return q.wants_ordering() && q.engine != nullptr && !q.engine->takes_ordering
                 ? fmt::format("{} has no use for an ordering; engines {} have", q.who_searches(),
                               names_of(engines_that(&named_engine::takes_ordering)))
                 : "";
    }},
    {[](const question& q) {
      if (!q.how.search.sleep_sets.value_or(false)) return std::string();
      if (!q.is_named())
        return std::string("engine auto has no use for sleep sets; name the engine that is to have them");
      return q.engine->takes_sleep_sets ? ""
                                        : fmt::format("{} has no use for sleep sets; leave them out", q.who_searches());
    }},
    {[](const question& q) {
      return q.how.search.delivery == delivery::mailbox && q.engine != nullptr && !q.engine->takes_mailbox
                 ? fmt::format("{} cannot search under delivery model mailbox; engine optimal can", q.who_searches())
                 : "";
    }},
    {[](const question& q) {
      return q.has_stages() && q.how.search.delivery == delivery::mailbox && q.engine != nullptr &&
                     !q.engine->takes_mailbox_in_stages
                 ? fmt::format(
                       "{} cannot search a program that continues by itself (by timers, a main function that "
                       "waits, or the body of a test) under delivery model mailbox; engine optimal can, and {} "
                       "under mailbox-interleaved",
                       q.who_searches(), q.engine->name)
                 : "";
    }},
    {[](const question& q) {
      return q.facts.shares_memory && q.engine != nullptr && !q.engine->takes_shared_memory
                 ? fmt::format("{} cannot search a program {}; engine optimal can", q.who_searches(),
                               q.facts.looks_at_several
                                   ? "of which something is to hold that looks at several actors, or whose script "
                                     "pins what several take"
                                   : "whose actors share memory (docs/caf.md)")
                 : "";
    }},
    {[](const question& q) {
      // A state's messages are all tried there, but for those that sleep: nothing has to be planned.
      return q.facts.shares_memory && q.how.search.sleep_sets.value_or(false) && q.engine != nullptr &&
                     q.engine->takes_sleep_sets && !q.engine->compares_states
                 ? fmt::format(
                       "with sleep sets {} can miss orders in which actors use memory that they share{}; leave out "
                       "--sleep-sets, or use engine optimal",
                       q.who_searches(),
                       q.facts.looks_at_several ? ", such as what a specification of several actors looks at" : "")
                 : "";
    }},
    {[](const question& q) {
      return q.how.search.observers.value_or(false) && q.is_named() && !q.engine->takes_observers &&
                     !q.decides_independence()
                 ? fmt::format("{} does not tell observers apart; engine optimal does", q.who_searches())
                 : "";
    }},
    {[](const question& q) {
      const auto& way = q.independent_by();
      return q.engine != nullptr && !way.is_decided_by(*q.engine)
                 ? fmt::format("{} {}; engine {} does", q.who_searches(), way.others_do_not, way.engine)
                 : "";
    }},
};

/// How states are compared.
constexpr rule of_states[] = {
    {[](const question& q) {
      return asks_for_states(q.how) && q.engine != nullptr && !q.engine->compares_states
                 ? fmt::format("{} does not look at states; engine stateful does", q.who_searches())
                 : "";
    }},
    {[](const question& q) {
      const bool compares = q.is_named() ? q.engine->compares_states : asks_for_states(q.how);
      return compares ? objection(states_asked_for(q.how), q.how.search.delivery) : "";
    }},
    {[](const question& q) -> std::string {
      return q.has_stages() && q.engine != nullptr && q.engine->compares_states &&
                     q.how.states.order == search_order::breadth_first
                 ? "a program that continues by itself once nothing can be delivered is searched depth first: leave "
                   "out --search bfs"
                 : "";
    }},
};

/// What deliveries to one actor are independent by.
constexpr rule of_independence[] = {
    {[](const question& q) -> std::string {
      return q.wants_independence() && !q.how.search.observers.value_or(true)
                 ? std::string(q.independent_by().needs_observers)
                 : "";
    }},
    {[](const question& q) -> std::string {
      const auto why = q.wants_independence() ? objection_to_more_than_observers(q) : "";
      return why.empty() ? "" : fmt::format("{}: {}", q.independent_by().impossible, why);
    }},
    {[](const question& q) -> std::string {
      const bool is_asked =
          q.how.search.observers.value_or(false) && q.how.search.independence == independence::receiver;
      const auto why = is_asked && (q.engine == nullptr || q.engine->takes_observers) ? objection_to_observers(q) : "";
      return why.empty() ? "" : fmt::format("observers cannot be told apart: {}", why);
    }},
};

/// What may befall messages.
constexpr rule of_faults[] = {
    {[](const question& q) -> std::string {
      return q.has_faults() && q.how.search.delivery == delivery::mailbox_interleaved
                 ? "what may happen to messages is drawn when a handler ends, so handlers cannot be interleaved then; "
                   "delivery model mailbox has faults"
                 : "";
    }},
    {[](const question& q) {
      return q.has_faults() && q.how.search.delivery == delivery::mailbox && q.engine != nullptr &&
                     q.engine->takes_mailbox && !q.engine->takes_mailbox_in_stages
                 ? fmt::format(
                       "{} searches delivery model mailbox by mailbox-interleaved, which has no faults; engine "
                       "optimal searches it itself",
                       q.who_searches())
                 : "";
    }},
    {[](const question& q) -> std::string {
      return q.has_faults() && q.how.search.independence != independence::receiver
                 ? "messages that one actor sends share a budget of faults, so its deliveries do not commute; leave "
                   "out --independence"
                 : "";
    }},
    {[](const question& q) -> std::string {
      return q.how.search.faults != faults{} && q.facts.are_known && !q.facts.can_be_befallen
                 ? "faults, budgets of timers and healing are for actors of harrier's own kit, and some of them for "
                   "programs of CAF: behind another adapter a message lies in a queue of the library, from which it "
                   "cannot be taken, and what an actor would lose in a crash is the library's; leave out --lose, "
                   "--duplicate, --partition, --crash, --timeouts and --heal"
                 : "";
    }},
    {[](const question& q) -> std::string {
      const auto& asked = q.how.search.faults;
      const bool asks_for_more = asked.heal != 0 || asked.earliest_first != 0 || asked.timeouts != faults{}.timeouts;
      return asks_for_more && q.facts.are_known && q.facts.can_be_befallen && !q.facts.shows_changes
                 ? "healing and budgets of timers are for actors of harrier's own kit: behind an adapter it cannot be "
                   "seen who waits for a reply, and timers are the library's; leave out --timeouts and --heal"
                 : "";
    }},
    {[](const question& q) -> std::string {
      return q.has_faults() && q.how.search.memoise == memoising::on
                 ? "what happens to messages is drawn anew each time, so handlers cannot be remembered then; leave out "
                   "--memoise on"
                 : "";
    }},
};

/// By what executions are judged.
constexpr rule of_judges[] = {
    {[](const question& q) -> std::string {
      return q.is_judged() && !q.is_named() && asks_for_states(q.how)
                 ? "properties are judged along executions, so states cannot be compared; engine optimal can judge them"
                 : "";
    }},
    {[](const question& q) {
      return q.is_judged() && q.is_named() && q.engine->judges == judged::nothing
                 ? fmt::format(
                       "{} looks at a configuration once, whatever led to it, so it cannot judge properties of "
                       "executions; engine exhaustive can",
                       q.who_searches())
                 : "";
    }},
    {[](const question& q) {
      return q.is_judged() && q.engine != nullptr && q.engine->judges == judged::one_order &&
                     !q.facts.needs_every_order.empty()
                 ? fmt::format("{} runs one order of independent deliveries only, and {}; engine exhaustive runs all",
                               q.who_searches(), q.facts.needs_every_order)
                 : "";
    }},
    {[](const question& q) {
      return q.is_judged() && q.has_stages() && q.engine != nullptr && q.engine->judges == judged::one_order
                 ? fmt::format(
                       "{} searches a program that continues by itself once nothing can be delivered stage by "
                       "stage, so it cannot judge whole executions; engine exhaustive can",
                       q.who_searches())
                 : "";
    }},
};

/// Time, and estimates.
constexpr rule of_limits[] = {
    {[](const question& q) {
      return q.has_budget() && q.is_named()
                 ? fmt::format(
                       "a budget is shared by several engines, so engine {} cannot be asked for; give it a time "
                       "limit, or leave it out",
                       q.how.search.engine.name())
                 : "";
    }},
    {[](const question& q) -> std::string {
      return q.has_budget() && q.how.search.only_estimate ? "an estimate takes two seconds, and no budget" : "";
    }},
    {[](const question& q) -> std::string {
      return q.has_budget() && q.how.limits.time_limit != 0 ? "a budget is a time limit; give one of the two" : "";
    }},
    {[](const question& q) -> std::string {
      return q.how.judging.check_undo && q.how.judging.check_determinism == repetition::off
                 ? "--check-undo looks at deliveries that are run twice: leave out --check-determinism off"
                 : "";
    }},
    {[](const question& q) -> std::string {
      return q.how.search.memoise == memoising::on && q.facts.are_known && !q.facts.can_be_remembered
                 ? "handlers of such programs are always called: what they do cannot be remembered; leave out "
                   "--memoise on"
                 : "";
    }},
};

/// Several workers, and what is written down.
constexpr rule of_sharing[] = {
    {[](const question& q) {
       return is_shared(q.how) && q.has_budget()
                  ? fmt::format(
                        "a budget is shared by several engines, one after the other, and cannot be {}; name an "
                        "engine and a time limit",
                        q.sharing())
                  : "";
     },
     true},
    {[](const question& q) {
       return is_shared(q.how) && q.how.search.only_estimate
                  ? fmt::format("an estimate takes two seconds, and cannot be {}", q.sharing())
                  : "";
     },
     true},
    {[](const question& q) {
       return is_shared(q.how) && q.engine != nullptr && !can_share(*q.engine, q.by_several())
                  ? fmt::format("{} cannot be {}{}{}; engines {} can", q.who_searches(), q.sharing(),
                                q.engine->no_jobs_because.empty() ? "" : ", since ", q.engine->no_jobs_because,
                                names_of(engines_that_share(q.by_several())))
                  : "";
     },
     true},
    {[](const question& q) {
       const bool takes = q.engine == nullptr || !q.engine->takes_jobs || q.engine->takes_learning_with_jobs;
       return q.by_several() && !takes && ordering_learns(q.how.search.ordering.name())
                  ? fmt::format(
                        "{} cannot be shared by several jobs with ordering {}, which learns from all that was explored "
                        "before; orderings {} do not",
                        q.who_searches(), q.how.search.ordering.name(), names_of(orderings_that_learn_nothing()))
                  : "";
     },
     true},
    {[](const question& q) -> std::string {
       return q.is_written() && q.is_judged() &&
                      (q.how.judging.by->criterion().empty() || q.how.judging.by->another() == nullptr)
                  ? "what this monitor has seen cannot be written to a checkpoint; let it override criterion() and "
                    "another(), or leave it out"
                  : "";
     },
     true},
    {[](const question& q) -> std::string {
       return q.by_several() && q.is_judged() && q.how.judging.by->another() == nullptr
                  ? "what judges the executions can do so in one search only, not for several jobs; --jobs 1 is one"
                  : "";
     },
     true},
    {[](const question& q) -> std::string {
       return is_shared(q.how) && q.has_stages() && !q.facts.shows_changes
                  ? "a program that continues by itself once nothing can be delivered (by timers, or a main function "
                    "that waits) is searched by one worker, and cannot be checkpointed: leave out --jobs, --checkpoint "
                    "and --resume"
                  : "";
     },
     true, "it continues by itself once nothing can be delivered"},
    {[](const question& q) -> std::string {
       return is_shared(q.how) && q.has_stages() && q.how.search.delivery == delivery::mailbox_interleaved
                  ? "a test whose body waits cannot be shared by several jobs under delivery model mailbox-interleaved "
                    "yet, since a stage may end while messages are on their way; mailbox can"
                  : "";
     },
     true, "its body waits, and messages are on their way where that goes on"},
    {[](const question& q) {
       return is_shared(q.how) && q.has_stages() && q.engine != nullptr && q.engine->compares_states
                  ? fmt::format(
                        "{} compares the states of each stage by themselves, with numbers for actors that several "
                        "workers cannot share, so a test whose body waits cannot be {}; engine optimal can",
                        q.who_searches(), q.sharing())
                  : "";
     },
     true, "its body waits, and states are compared"},
};

/// Workers of a broker.
constexpr rule of_brokers[] = {
    {[](const question& q) {
      return q.is_named() && !q.engine->takes_broker
                 ? fmt::format("{} cannot be shared by a broker's workers; trust can, and is the default with --broker",
                               q.who_searches())
                 : "";
    }},
    {[](const question& q) -> std::string {
      return q.is_judged() && (q.how.judging.by->criterion().empty() || q.how.judging.by->another() == nullptr)
                 ? "what this monitor has seen cannot be sent through a broker; let it override criterion() and "
                   "another(), or explore without --broker"
                 : "";
    }},
    {[](const question& q) -> std::string {
      return q.has_budget() ? "a budget is shared by engines that sample; with --broker give --time-limit" : "";
    }},
    {[](const question& q) -> std::string {
      return q.how.search.jobs != 1 ? "--jobs is for each worker to say: `harrier work --jobs N`" : "";
    }},
    {[](const question& q) -> std::string {
      return q.is_written() ? "--checkpoint and --resume are of a search here; a run at a broker is resumed by its "
                              "name, --run"
                            : "";
    }},
    {[](const question& q) -> std::string {
      return q.how.search.memoise != memoising::automatic
                 ? "--memoise is for each process to say, and a broker's workers decide by themselves; leave it out"
                 : "";
    }},
    {[](const question& q) -> std::string {
      return q.how.search.delivery == delivery::mailbox
                 ? "under delivery model mailbox a search cannot be shared; mailbox-interleaved can be"
                 : "";
    }},
    {[](const question& q) -> std::string {
      return q.has_stages() ? "a program in stages is searched stage by stage, and a broker shares work items of a "
                              "single stage; explore without --broker can, also with several --jobs"
                            : "";
    }},
};

void apply(std::span<const rule> rules, const question& q, std::vector<objection_to_search>& to) {
  for (const auto& r : rules)
    if (const auto says = r.says(q); !says.empty())
      to.push_back({says, r.of_sharing, r.note.empty() ? says : std::string(r.note)});
}

void refuse(const std::vector<objection_to_search>& objections) {
  if (objections.empty()) return;
  std::vector<std::string_view> all;
  for (const auto& o : objections) all.push_back(o.says);
  throw error(fmt::format("{}", fmt::join(all, "\n  also: ")));
}

/// What follows from what was asked for, if nothing stands against it.
void conclude(const question& q, search_plan& plan) {
  plan.engine = q.engine;
  plan.independence = q.decides_independence() ? q.how.search.independence : independence::receiver;
  plan.tells_observers = tells_observers(q) || plan.independence != independence::receiver;
  plan.is_shared = is_shared(q.how);
}

/// The engine that engine auto takes without a trial, and why; null: trials are to say.
struct forced_engine {
  std::string_view name = {};
  std::string because = {};
};
forced_engine taken_by_auto(const question& q) {
  const auto picked = [](std::string_view name, std::string_view why) {
    return forced_engine{name, fmt::format("engine auto picked {}: {}", name, why)};
  };
  if (q.by_broker() && !q.how.search.only_estimate)
    return {"trust", "engine trust, since its work can be shared by the workers of a broker"};
  if (const auto& way = q.independent_by(); q.wants_independence()) return picked(way.engine, way.asked_for);
  if (q.is_judged()) {
    if (!q.facts.are_known) return {};
    if (q.has_stages())
      return picked("exhaustive",
                    "the program continues by itself once nothing can be delivered, and whole executions are judged");
    if (q.facts.needs_every_order.empty()) return {"optimal", {}};
    return picked("exhaustive",
                  "a reduction runs one order of independent deliveries only, and " + q.facts.needs_every_order);
  }
  if (q.has_stages()) return picked("optimal", "the program continues by itself once nothing can be delivered");
  if (asks_for_states(q.how)) return picked("stateful", "it was asked how states are compared");
  if (q.wants_ordering()) return picked("optimal", "it was asked which actor goes first");
  if (q.how.search.only_estimate) return {"optimal", {}};
  return {};
}

}  // namespace

bool is_shared(const options& how) {
  return workers_asked_for(how) != 1 || !how.kept.checkpoint.empty() || !how.kept.resume.empty();
}

program_facts facts_of(const program& tested, const options& how) {
  return facts_of(*start_as_asked(tested, how), how);
}

program_facts facts_of(system& initial, const options& how) {
  return {.are_known = true,
          .has_stages = has_stages(initial),
          .shares_memory = initial.shares_memory(),
          .looks_at_several = initial.looks_at_several(),
          .looks_at_configurations = initial.looks_at_configurations(),
          .shows_changes = initial.shows_changes(),
          .can_be_befallen = initial.can_be_befallen(),
          .can_be_remembered = initial.memoise(how.search.memoise),
          .faults = initial.allowed_faults(),
          .needs_every_order = how.judging.by != nullptr ? how.judging.by->order_dependence(initial) : ""};
}

resolution resolve(const program_facts& facts, const options& how, searched_by who) {
  question q{.facts = facts, .how = how, .who = who};
  resolution found;
  auto& plan = found.plan;
  if (q.is_named()) {
    q.engine = &engine_named(how.search.engine);
  } else if (auto forced = taken_by_auto(q); !forced.name.empty()) {
    q.engine = &engine_named(forced.name);
    plan.because = std::move(forced.because);
  }
  apply(numbers, q, found.objections);
  apply(of_limits, q, found.objections);
  apply(of_engines, q, found.objections);
  apply(of_states, q, found.objections);
  apply(of_independence, q, found.objections);
  apply(of_faults, q, found.objections);
  apply(of_judges, q, found.objections);
  if (q.by_broker())
    apply(of_brokers, q, found.objections);
  else
    apply(of_sharing, q, found.objections);

  conclude(q, plan);
  return found;
}

search_plan require_plan(const program_facts& facts, const options& how, searched_by who) {
  auto found = resolve(facts, how, who);
  refuse(found.objections);
  return std::move(found.plan);
}

void say(const search_plan& plan, exploration& result) {
  result.observers = plan.tells_observers;
  result.independence = independence_as(plan.independence).name;
}

search_plan require_independence(engine_choice engine, const system& tested, const options& how) {
  const program_facts facts{.are_known = true,
                            .has_stages = has_stages(const_cast<system&>(tested)),  // asking changes nothing
                            .looks_at_several = tested.looks_at_several(),
                            .looks_at_configurations = tested.looks_at_configurations(),
                            .shows_changes = tested.shows_changes()};
  const question q{.facts = facts, .how = how, .who = searched_by::this_process, .engine = &engine_named(engine)};
  resolution found;
  apply(of_independence, q, found.objections);
  refuse(found.objections);
  conclude(q, found.plan);
  return std::move(found.plan);
}

}  // namespace harrier
