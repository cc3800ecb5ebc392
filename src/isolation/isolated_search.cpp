#include <harrier/isolation/isolated_search.hpp>

#include <fmt/format.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <functional>
#include <optional>
#include <string>
#include <utility>

#include <harrier/core/error.hpp>
#include <harrier/explore/explore.hpp>

#include "../core/global_variables.hpp"
#include "../explore/earlier_findings.hpp"
#include "../explore/engines.hpp"
#include "../explore/leave_out.hpp"
#include "../explore/limits.hpp"
#include "../explore/search_wiring.hpp"
#include "../explore/shorten.hpp"
#include "../explore/start.hpp"
#include "child.hpp"
#include "failing_writes.hpp"
#include "leaks.hpp"
#include "printing.hpp"
#include "retrace.hpp"
#include "stack_overflow.hpp"
#include "wire.hpp"

namespace harrier {
namespace {

double peak_memory_of_children_mib() {
  rusage usage{};
  getrusage(RUSAGE_CHILDREN, &usage);
  return static_cast<double>(usage.ru_maxrss) / 1024;
}

/// MiB of the machine, or of the group of processes that this one is in, if that may have less. Whoever takes all of
/// it is killed, or others are.
std::uint64_t memory_there_is() {
  const auto pages = static_cast<std::uint64_t>(sysconf(_SC_PHYS_PAGES));
  auto mib = pages * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE)) >> 20U;
  if (auto* const file = std::fopen("/sys/fs/cgroup/memory.max", "re")) {
    unsigned long long of_group = 0;
    if (std::fscanf(file, "%llu", &of_group) == 1) mib = std::min<std::uint64_t>(mib, of_group >> 20U);
    std::fclose(file);
  }
  return mib;
}

constexpr auto note_of_printing =
    "the program prints (printf, std::cout): a handler runs in every order, and again to be checked, so its lines come "
    "many "
    "times. A trace shows each delivery with the state after it, and self.note(\"...\") counts; see docs/rejected.md, "
    "output of handlers";

constexpr double no_time = 1e-3;  // 0 would be all there is

class isolated_search {
public:
  isolated_search(const program& tested, const options& how, const isolation_options& apart)
      : tested_(tested),
        how_(how),
        handler_limit_(apart.handler_limit),
        finds_leaks_(apart.finds_leaks),
        noted_(how.limits.max_depth, workers_asked_for(how)) {}

  exploration run() {
    static_cast<void>(global_variables());  // which they are is found out once, not in each child
    const auto end = run_in_child(noted_, {handler_limit_, how_.limits.most_seconds(), most_memory_, &stop_},
                                  {.run = [this](const auto& tell) { search(tell); },
                                   .hear = [this](const json_value& told) { hear(told); },
                                   .tick = [this] { report_progress(); },
                                   .silent = [this](const auto& alive) { return finds_what_does_not_end(alive); },
                                   .stops_when_asked = true,
                                   .saves_first = !how_.kept.checkpoint.empty()});
    if (parts_.whole()) return std::move(*parts_.whole());
    const bool is_the_programs = end.way == child_end::how::died || end.way == child_end::how::did_not_end;
    if (is_the_programs && noted_.before_first_message())
      throw untestable_program("it fails before its first message: the driver " +
                               what_happened(end, noted_, handler_limit_));
    return unfinished(end);
  }

private:
  struct told_earlier {
    finding is;
    std::uint32_t facts;  // that the search knew
  };

  /// In the child.
  void search(const child_voice& tell) {
    auto how = how_;
    const search_wiring wiring = {.workers = noted_.workers(),
                                  .begin_thread = notice_stack_overflow_in_thread,
                                  .on_writing = [this](bool begins) {
                                    noted_.noted().is_writing = begins;
                                    note_own_writing(begins);
                                  }};
    how.told.wiring = &wiring;
    how.told.on_checkpoint = [&](const std::string& failed, std::uint64_t transitions) {
      tell({{"checkpoint", failed}, {"transitions", transitions}});
    };
    how.limits.should_stop = [this] {
      if (!noted_.noted().stop_asked) return how_.limits.should_stop && how_.limits.should_stop();
      noted_.noted().stop_noticed = true;
      return true;
    };
    how.told.progress_interval = 0;
    how.told.on_progress = [this](const progress& p) {
      auto& latest = noted_.noted().progress;
      const auto deepest = std::max(latest.deepest, p.depth);
      latest.now = p;
      latest.deepest = deepest;
    };
    how.told.on_finding = [&](const finding& f) { tell({{"finding", to_wire(f)}, {"facts", facts_known()}}); };
    const bool finds_leaks = finds_leaks_ && !leaks_memory(leak_report::nowhere);  // not what was lost before
    watch_printing();
    auto result = explore(noted_.watched(tested_, false), how);
    // A program of another library, which says how that delivers, is run as it is.
    if (tested_.usual_delivery == delivery::unordered && was_printed()) result.notes.emplace_back(note_of_printing);
    if (finds_leaks && leaks_memory(leak_report::standard_error)) {
      finding lost;
      lost.message = "memory is lost: the report of LeakSanitizer says where it was allocated";
      result.findings.push_back(std::move(lost));
    }
    noted_.noted().only_tells = true;
    tell_in_parts(std::move(result), tell);
  }

  void hear(const json_value& told) {
    if (told.contains("finding")) {
      told_earlier f{finding_from_wire(told.at("finding")), told.at("facts").get<std::uint32_t>()};
      std::erase_if(found_, [&](const told_earlier& other) {
        return other.facts != f.facts && other.is.kind == f.is.kind && other.is.message == f.is.message;
      });
      found_.push_back(std::move(f));
      report(found_.back().is);
    }
    if (told.contains("checkpoint") && how_.told.on_checkpoint)
      how_.told.on_checkpoint(told.at("checkpoint").get<std::string>(), told.at("transitions").get<std::uint64_t>());
    parts_.hear(told);
  }

  void report(const finding& found) const {
    if (how_.told.on_finding) how_.told.on_finding(found);
  }

  void report_progress() {
    if (!how_.told.on_progress || parts_.whole()) return;
    const auto now = std::chrono::steady_clock::now();
    if (std::chrono::duration<double>(now - reported_).count() < how_.told.progress_interval) return;
    reported_ = now;
    how_.told.on_progress(noted_.noted().progress.now);
  }

  /// What there is to say when the child did not come to its end.
  exploration unfinished(const child_end& end) {
    auto r = counters();
    const bool search_is_over = noted_.noted().first.search_is_over;
    for (auto& f : found_) keep(std::move(f), r);
    if (was_ended(end))
      tell_why_ended(end, r);
    else if (endless_)
      add(r, std::move(*endless_), "something that does not end");
    else if (search_is_over && noted_.in_handler())
      r.stopped_by = "a handler that, when a schedule was repeated, " + what_happened(end, noted_, handler_limit_);
    else
      judge_crash(end, r);
    return r;
  }

  /// By what is known of the program now: a search begins anew as soon as it knows more.
  [[nodiscard]] std::uint32_t facts_known() const { return tested_.seen == nullptr ? 0 : tested_.seen->facts(); }

  void keep(told_earlier f, exploration& r) {
    make_readable(f.is);
    if (f.facts != facts_known() && !occurs_again_apart(f.is)) return r.notes.push_back(note_of_lost(f.is));
    r.findings.push_back(std::move(f.is));
  }

  [[nodiscard]] bool occurs_again_apart(const finding& f) {
    if (f.trace.size() != f.schedule.size()) return false;
    bool is_again = false;
    const watch noted(f.schedule.size());
    run_in_child(noted, afterwards(),
                 {.run =
                      [&](const auto& tell) {
                        tell({{"again", occurs_again(f, noted.watched(tested_, true), how_)}});
                      },
                  .hear = [&](const json_value& told) { is_again = told.at("again").get<bool>(); },
                  .quiet = true});
    return is_again;
  }

  void make_readable(finding& f) {
    const auto bounds = afterwards();
    if (bounds.seconds != no_time) return retrace(tested_, how_.search.delivery, f, bounds);
    f.details.emplace_back("there was no time left to write out its deliveries: allow more");
  }

  /// Whether somebody or a limit ended the child, and not the program.
  [[nodiscard]] static bool was_ended(const child_end& end) {
    return end.way == child_end::how::interrupted || end.way == child_end::how::late ||
           end.way == child_end::how::too_large;
  }

  void tell_why_ended(const child_end& end, exploration& r) {
    if (end.way == child_end::how::interrupted)
      r.stopped_by = "an interrupt";
    else if (end.way == child_end::how::late)
      r.stopped_by =
          fmt::format("the {} of {:g} s", how_.limits.budget > 0 ? "budget" : "time limit", how_.limits.most_seconds());
    else if (how_.limits.max_memory > 0)
      r.stopped_by = memory_limit(how_.limits.max_memory);
    else
      r.stopped_by = fmt::format(
          "lack of memory: it used more than {} MiB, nine tenths of the memory available (max_memory "
          "ends a search before)",
          most_memory_);
    if (noted_.before_first_message()) {
      r.notes.emplace_back("the driver was running then, before its first message");
      return;
    }
    if (noted_.noted().first.search_is_over) return;
    const auto count = noted_.workers().size();
    for (std::size_t worker = 0; worker < count; ++worker) {
      if (!noted_.is_in_handler(worker)) continue;
      auto running = lethal_at(noted_, finding_kind::nontermination, "was running then", worker);
      running.judge = flight_record::asked::nobody;
      const auto there = retrace_lethal(tested_, how_.search.delivery, running, afterwards());
      r.actors = there.actors;
      r.notes.push_back(fmt::format("{}, and was not waited for (one that runs for {:g} s is a finding)",
                                    there.found.message, handler_limit_));
      return;
    }
    if (noted_.in_handler()) r.notes.emplace_back("a handler was running then, in a trial execution");
  }

  /// 0: as many as it takes.
  [[nodiscard]] double seconds_of_search_left() const {
    const auto given = how_.limits.most_seconds();
    return given > 0 ? std::max(no_time, given - seconds_since(started_)) : 0;
  }

  static double seconds_since(std::chrono::steady_clock::time_point then) {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - then).count();
  }

  /// What may still be done once the search is over, or was ended: somebody waits for that.
  [[nodiscard]] child_bounds afterwards() {
    constexpr double moment = 0.25;
    if (!ended_) ended_ = std::chrono::steady_clock::now();
    const auto given = how_.limits.most_seconds();
    const bool is_interrupted = stop_.count() > 0;
    if (given <= 0 && !is_interrupted) return {handler_limit_, 0, most_memory_, &stop_};
    auto seconds = std::max(no_time, moment - seconds_since(*ended_));
    if (!is_interrupted) seconds = std::max(seconds, given + seconds_to_conclude(given) - seconds_since(started_));
    return {handler_limit_, seconds, most_memory_, &stop_};
  }

  void add(exploration& r, retraced lethal, const std::string& why) const {
    r.stopped_by = why;
    r.actors = lethal.actors;
    if (!lethal.can_be) {
      r.stopped_by += " in an execution that the library never gives; what was left of the search was not run";
      ++r.assumed_away;
      return;
    }
    report(lethal.found);
    r.findings.push_back(std::move(lethal.found));
  }

  void judge_crash(const child_end& end, exploration& r) {
    if (noted_.workers().size() > 1 && end.way == child_end::how::died) return judge_crash_of_several(end, r);
    const auto lethal =
        lethal_at(noted_, end.way == child_end::how::did_not_end ? finding_kind::nontermination : finding_kind::crash,
                  what_happened(end, noted_, handler_limit_), end.worker);
    if (noted_.in_unnoted_path()) return found_without_path(lethal, r);
    auto again = retrace_lethal(tested_, how_.search.delivery, lethal, afterwards());
    if (was_killed(end) && !again.again) {
      r.stopped_by = "SIGKILL to the searching process (from the system because memory ran out, or from a user)";
      return;
    }
    if (lethal.kind == finding_kind::crash && again.again) make_shorter(again, lethal);
    add(r, std::move(again), lethal.kind == finding_kind::crash ? "a crash" : "a handler that does not end");
  }

  /// One of the workers ended the process: the first that does it again, alone.
  void judge_crash_of_several(const child_end& end, exploration& r) {
    const auto count = noted_.workers().size();
    for (const bool in_handler : {true, false})
      for (std::size_t worker = 0; worker < count; ++worker) {
        if (noted_.is_in_handler(worker) != in_handler) continue;
        auto lethal = lethal_at(noted_, finding_kind::crash, what_happened(end, noted_, handler_limit_), worker);
        lethal.in_handler = in_handler;
        auto again = retrace_lethal(tested_, how_.search.delivery, lethal, afterwards());
        if (!again.again) continue;
        make_shorter(again, lethal);
        return add(r, std::move(again), "a crash");
      }
    if (was_killed(end)) {
      r.stopped_by = "SIGKILL to the searching process (from the system because memory ran out, or from a user)";
      return;
    }
    finding f;
    f.kind = finding_kind::crash;
    f.message = fmt::format("with {} jobs something {}", count, what_happened(end, noted_, handler_limit_));
    f.details.push_back(
        "none of the schedules that were being run does it alone: the actors of one execution share something with "
        "those "
        "of another (a global variable, a static one, what a pointer points to), which is not safe between threads");
    f.details.emplace_back("--jobs 1 searches without threads; ThreadSanitizer in the program names what is shared");
    r.stopped_by = "a crash";
    report(f);
    r.findings.push_back(std::move(f));
  }

  void make_shorter(retraced& crash, const lethal_call& lethal) {
    if (how_.judging.minimise <= 0) return;
    if (lethal.in_handler && !crash.found.schedule.empty()) minimise_crash(crash, lethal);
    shorten(crash);
  }

  /// Whether a schedule that asks less of its reader leads to the same crash: as minimise() does. Each child tries one
  /// change after the other until one ends it, in which case the next child goes on from there.
  void minimise_crash(retraced& crash, lethal_call lethal) {
    const auto given = how_.limits.most_seconds();
    const auto most =
        given > 0 ? std::min(how_.judging.minimise, seconds_to_conclude(given) / 2) : how_.judging.minimise;
    const auto began = std::chrono::steady_clock::now();
    lethal.planned = crash.found.schedule;
    const auto as_found = std::exchange(lethal.what, {});
    left_out next;  // nothing at first: that says what it looks like
    for (bool is_shorter = true; most > seconds_since(began);) {
      auto bounds = afterwards();
      bounds.seconds = std::max(no_time, most - seconds_since(began));
      const auto tried = try_leaving_out(lethal, next, bounds);
      if (tried.is_given_up) break;
      is_shorter = is_shorter || tried.is_shorter;
      next = tried.next;
      if (next.kind != left_out::what::nothing) continue;
      if (!std::exchange(is_shorter, false)) break;
      next = {left_out::what::extra};
    }
    if (lethal.planned == crash.found.schedule) return;
    lethal.what = as_found;
    auto there = retrace_lethal(tested_, how_.search.delivery, lethal, afterwards());
    if (there.again && handler_in(there.found) == handler_in(crash.found)) crash = std::move(there);
  }

  struct attempt_to_leave_out {
    left_out next;
    bool is_shorter = false;
    bool is_given_up = false;
  };

  /// @param lethal  what it plans is made shorter if that can be; what it looks like is noted if that is not known
  [[nodiscard]] attempt_to_leave_out try_leaving_out(lethal_call& lethal, left_out begin, const child_bounds& bounds) {
    const watch noted(how_.limits.max_depth);
    left_out now = begin;
    bool is_last = false;
    const auto end = run_in_child(
        noted, bounds,
        {.run =
             [&](const child_voice& tell) {
               die_without_report();
               auto how = how_;
               const search_wiring wiring = {.workers = noted.workers()};
               how.told.wiring = &wiring;
               const auto trying = [&](const left_out& what, bool last) {
                 tell({{"kind", static_cast<int>(what.kind)},
                       {"width", what.width},
                       {"from", what.from},
                       {"detail", what.detail},
                       {"last", last}});
               };
               harrier::leave_out(noted.watched(tested_, false), how, lethal.planned, begin, trying);
             },
         .hear =
             [&](const json_value& told) {
               now = {static_cast<left_out::what>(told.at("kind").get<int>()), told.at("width").get<std::size_t>(),
                      told.at("from").get<std::size_t>(), told.at("detail").get<std::size_t>()};
               is_last = told.at("last").get<bool>();
             },
         .quiet = true});
    const bool is_known = !lethal.what.empty();
    auto after = now;
    ++after.detail;
    if (end.way == child_end::how::finished) return {.next = {}, .is_given_up = !is_known};
    if (end.way == child_end::how::did_not_end && is_known) return {after};
    if (end.way != child_end::how::died) return {.next = {}, .is_given_up = true};
    const auto what = what_happened(end, noted, handler_limit_);
    if (!is_known) lethal.what = what;
    auto shorter = noted.schedule_so_far();
    const bool is_it = is_last && noted.is_in_handler(0) && what == lethal.what && !shorter.empty();
    if (!is_it || now.kind == left_out::what::nothing) return {after};
    lethal.planned = std::move(shorter);
    return {now, true};
  }

  /// What a sanitizer says of a signal takes a second, and was said before.
  static void die_without_report() {
    for (const int signal : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT}) std::signal(signal, SIG_DFL);
  }

  /// `server_0.append` of `server_0.append(1) ended the process: SIGSEGV`.
  static std::string handler_in(const finding& f) { return f.message.substr(0, f.message.find('(')); }

  /// Whether the same crash comes nearer: what is run nearest first ends in the
  /// nearest one.
  void shorten(retraced& crash) {
    const watch nearer(how_.limits.max_depth);
    const auto end =
        run_in_child(nearer, afterwards(),
                     {.run =
                          [&](const auto&) {
                            auto how = how_;
                            const search_wiring wiring = {.workers = nearer.workers()};
                            how.told.wiring = &wiring;
                            run_nearest_first(nearer.watched(tested_, false), how, crash.found.schedule.size());
                          },
                      .hear = [](const json_value&) {},
                      .quiet = true});
    if (end.way != child_end::how::died) return;
    auto lethal = lethal_at(nearer, finding_kind::crash, what_happened(end, nearer, handler_limit_));
    lethal.judge = flight_record::asked::nobody;
    auto there = retrace_lethal(tested_, how_.search.delivery, lethal, afterwards());
    if (!there.again || there.found.message != crash.found.message) return;
    crash = std::move(there);
    crash.found.is_shortest = true;
  }

  /// See child_work::silent.
  bool finds_what_does_not_end(const std::function<bool()>& alive) {
    if (noted_.noted().only_tells || noted_.noted().is_writing) return false;
    const child_bounds bounds(handler_limit_, seconds_of_search_left(), most_memory_, &stop_);
    endless_ = retrace_silent(tested_, how_.search.delivery, noted_, bounds, alive);
    return endless_.has_value();
  }

  void found_without_path(const lethal_call& lethal, exploration& r) const {
    finding f;
    f.kind = lethal.kind;
    f.message = "a handler " + lethal.what;
    f.details.push_back(
        fmt::format("engine {} runs it in a system whose schedules are not those of delivery model {}: engine optimal "
                    "finds it with a schedule",
                    how_.search.engine.name(), to_string(how_.search.delivery)));
    r.stopped_by = lethal.kind == finding_kind::crash ? "a crash" : "a handler that does not end";
    report(f);
    r.findings.push_back(std::move(f));
  }

  [[nodiscard]] exploration counters() const {
    const auto& latest = noted_.noted().progress;
    exploration r;
    r.engine = how_.search.engine.name();
    r.sleep_sets = how_.search.sleep_sets.value_or(false);
    if (!how_.search.engine.is_automatic()) r.ordering = ordering_used(how_);
    r.delivery = to_string(how_.search.delivery);
    r.faults = how_.search.faults;
    r.seed = how_.search.seed;
    if (!how_.search.engine.is_automatic()) r.draws_executions = engine_named(how_.search.engine).draws();
    r.jobs = noted_.workers().size();
    r.executions = latest.now.executions;
    if (latest.now.estimate.executions > 0) r.estimate = latest.now.estimate;
    r.max_depth = std::max<std::uint64_t>(latest.deepest, noted_.noted().first.depth);
    r.transitions = std::max<std::uint64_t>(latest.now.transitions, noted_.noted().first.depth);
    r.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - started_).count();
    r.peak_rss_mib = peak_memory_of_children_mib();
    return r;
  }

  const program& tested_;
  const options& how_;
  double handler_limit_;
  bool finds_leaks_;
  std::uint64_t most_memory_ = how_.limits.max_memory > 0 ? how_.limits.max_memory : memory_there_is() * 9 / 10;
  watch noted_;
  std::vector<told_earlier> found_;
  std::optional<retraced> endless_;
  exploration_in_parts parts_;
  interruption stop_;
  std::optional<std::chrono::steady_clock::time_point> ended_;
  std::chrono::steady_clock::time_point started_ = std::chrono::steady_clock::now();
  std::chrono::steady_clock::time_point reported_ = started_;
};

}  // namespace

exploration explore_isolated(const program& tested, const options& asked, const isolation_options& apart) {
  const auto how = as_usual_for(tested, asked);
  return isolated_search(with_faults(tested, how.search.faults), how, apart).run();
}

}  // namespace harrier
