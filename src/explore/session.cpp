#include "session.hpp"

#include <fmt/format.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <functional>

#include <harrier/core/error.hpp>
#include <harrier/explore/ends.hpp>
#include <harrier/explore/trace.hpp>

#include "engines.hpp"

namespace harrier {
namespace {

constexpr std::uint64_t executions_without_limit = 10'000;  // of an engine that never ends by itself

double peak_memory_mib() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_maxrss) / 1024;
}

double memory_mib() {
  long pages = 0;
  if (auto* statm = std::fopen("/proc/self/statm", "r")) {
    long all = 0;
    if (std::fscanf(statm, "%ld %ld", &all, &pages) != 2) pages = 0;
    std::fclose(statm);
  }
  return static_cast<double>(pages) * static_cast<double>(sysconf(_SC_PAGESIZE)) / (1024 * 1024);
}

}  // namespace

session::session(const program& tested, const options& how) : program_(tested), how_(how) {}

exploration session::run() {
  const auto& engine = engine_named(how_.engine);
  limit_executions_ = how_.max_executions;
  if (engine.endless && how_.max_executions == 0 && how_.time_limit == 0) limit_executions_ = executions_without_limit;
  result_.engine = how_.engine;
  result_.sleep_sets = how_.sleep_sets.value_or(false);
  result_.ordering = how_.ordering;
  result_.delivery = to_string(how_.delivery);
  result_.seed = how_.seed;

  const auto tested = program_.start(how_.delivery);
  tested->limit_depth(how_.max_depth);
  tested->watch().check_determinism(how_.check_determinism);
  tested->watch().check_undo(how_.check_undo);
  if (how_.noted != nullptr) tested->watch().note_deliveries(*how_.noted, how_.noted_path);
  tested->watch().observe(this);
  refuse_unsound(*tested);
  tested->watch().attach(how_.judge);
  result_.actors = tested->created_count();
  try {
    search_context run{*tested, *this};
    result_.exhausted = engine.run(run, how_, program_, result_) && result_.truncated == 0;
    result_.statistics = std::move(run.statistics);
  } catch (const system::nondeterminism& difference) {
    nondeterminism_found(*tested, difference.what());
  }
  if (result_.truncated > 0 && result_.stopped_by.empty())
    result_.stopped_by = "an execution reached --max-depth " + std::to_string(how_.max_depth);
  if (!engine.warning.empty()) {
    result_.notes.emplace_back(engine.warning);
    result_.exhausted = false;
    if (result_.stopped_by.empty()) result_.stopped_by = "an engine that can lose executions";
  }
  if (!result_.exhausted && result_.stopped_by.empty()) result_.stopped_by = "the engine samples executions";
  result_.transitions = tested->watch().deliveries();
  result_.seconds = seconds();
  result_.peak_rss_mib = peak_memory_mib();
  if (how_.judge != nullptr) conclude();
  for (auto& f : result_.findings) complete(f);
  for (auto& f : result_.warnings) complete(f);
  return std::move(result_);
}

const std::string& session::name_of(const system& system, actor_slot a) {
  auto& name = type_names_[system.actor_at(a).type];
  if (name.empty()) name = system.actor_at(a).type->name();
  return name;
}

const std::string& session::kind_of(const system& system, message_slot m) {
  auto& kind = type_names_[system.message_at(m).type];
  if (kind.empty()) {
    const auto text = system.message_text(m);
    kind = system.actor_at(system.message_at(m).receiver).type->name() + "." + text.substr(0, text.find('('));
  }
  return kind;
}

template <class Describe>
void session::found(std::vector<finding>& among, const finding_key& key, const system& system, std::size_t length,
                    Describe describe) {
  const auto described = [&] {
    auto f = describe();
    f.schedule = system.current_schedule();
    f.schedule.resize(length);
    return f;
  };
  const auto [entry, is_new] = seen_.try_emplace(key.value(), among.size());
  if (is_new) {
    auto f = described();
    among.push_back(std::move(f));
    if (how_.on_finding) how_.on_finding(among.back());
    return;
  }
  auto& known = among[entry->second];
  ++known.occurrences;
  if (length < known.schedule.size()) {
    const auto occurrences = known.occurrences;
    known = described();
    known.occurrences = occurrences;
  }
}

void session::step_flagged(system& system) {
  const auto& last = system.step_at(system.step_count() - 1);
  for (const auto& r : system.records_of_last_step()) {
    const auto key = finding_key(r.kind).add(r.message).add(r.line).add(name_of(system, last.receiver));
    found(result_.findings, key, system, system.depth(), [&] {
      finding f;
      f.kind = r.kind;
      f.message = r.message;
      f.actor = system.actor_name(last.receiver);
      f.file = r.file;
      f.line = r.line;
      return f;
    });
  }
  if (!how_.keep_going) stop("the first finding");
}

void session::execution_ended(system& system) {
  result_.max_depth = std::max<std::uint64_t>(result_.max_depth, system.depth());
  result_.actors = std::max<std::uint64_t>(result_.actors, system.created_count());
  if (system.truncated()) {
    ++result_.truncated;
  } else {
    ++result_.executions;
    if (!system.aborted()) judge_end(system);
  }
  if (how_.judge != nullptr) judge_execution(system);
  if (limit_executions_ != 0 && result_.executions + result_.truncated >= limit_executions_)
    stop("--max-executions " + std::to_string(limit_executions_));
}

void session::judge_end(system& system) {
  const auto end = look_at_end(system, how_);
  if (!end.stuck.empty()) {
    auto key = finding_key(finding_kind::deadlock);
    for (const auto a : end.stuck) {
      const auto& x = system.actor_at(a);
      key.add(a);
      if (x.state_of_life == actor::mode::waiting) key.add(kind_of(system, x.awaited));
    }
    found(result_.findings, key, system, system.depth(), [&] { return describe_deadlock(system, end.stuck); });
    if (!how_.keep_going) stop("the first finding");
  }
  const bool is_error = how_.undelivered == undelivered::error;
  for (const auto m : end.undelivered) {
    const auto& x = system.message_at(m);
    const auto key = finding_key(finding_kind::undelivered).add(x.receiver).add(kind_of(system, m));
    found(is_error ? result_.findings : result_.warnings, key, system, system.depth(),
          [&] { return describe_undelivered(system, m); });
  }
  if (is_error && !end.undelivered.empty() && !how_.keep_going) stop("the first finding");
}

void session::judge_execution(system& system) {
  const auto broken = how_.judge->ended(system);
  for (const auto& r : broken) {
    const bool by_a_step = r.at != no_step;
    const auto key = finding_key(r.kind).add(r.message).add(r.line);
    // What the set-up decides needs no delivery.
    const auto length = by_a_step
                            ? std::max<std::size_t>(r.at + std::size_t{1}, system.setup_steps()) - system.setup_steps()
                            : system.depth();
    found(result_.findings, key, system, length, [&] {
      finding f;
      f.kind = r.kind;
      f.message = r.message;
      if (by_a_step) f.actor = system.actor_name(system.step_at(r.at).receiver);
      f.file = r.file;
      f.line = r.line;
      return f;
    });
  }
  if (!broken.empty() && !how_.keep_going) stop("the first finding");
}

void session::refuse_unsound(const system& initial) const {
  if (how_.judge == nullptr || engine_named(how_.engine).judges != judged::one_order) return;
  if (const auto why = how_.judge->order_dependence(initial); !why.empty())
    throw error(fmt::format("engine {} runs one order of independent deliveries only, and {}; use --engine exhaustive",
                            how_.engine, why));
}

void session::conclude() {
  auto sentences = how_.judge->conclusions(result_);
  if (!sentences.empty() && result_.exhausted && engine_named(how_.engine).judges == judged::one_order)
    sentences.emplace_back(
        "one execution of each class was judged; the others differ in nothing that the properties depend on");
  for (auto& sentence : sentences) result_.notes.push_back(std::move(sentence));
}

void session::execution_blocked(system& system) {
  ++result_.blocked;
  result_.max_depth = std::max<std::uint64_t>(result_.max_depth, system.depth());
}

void session::nondeterminism_found(const system& system, const std::string& what) {
  result_.exhausted = false;
  result_.stopped_by = "a handler that is not deterministic";
  finding f;
  f.kind = finding_kind::nondeterminism;
  f.message = what;
  f.actor = system.actor_name(system.step_at(system.step_count() - 1).receiver);
  f.schedule = system.current_schedule();
  result_.findings.push_back(std::move(f));
  if (how_.on_finding) how_.on_finding(result_.findings.back());
}

void session::poll(system& system) {
  const auto now = seconds();
  if (how_.time_limit > 0 && now >= how_.time_limit) stop(fmt::format("--time-limit {:g} s", how_.time_limit));
  if (how_.max_memory > 0 && memory_mib() >= static_cast<double>(how_.max_memory))
    stop("--max-memory " + std::to_string(how_.max_memory) + " MiB");
  if (how_.on_progress && now - reported_ >= how_.progress_interval) {
    reported_ = now;
    how_.on_progress(current(system));
  }
}

void session::stop(std::string why) {
  stopping_ = true;
  if (result_.stopped_by.empty()) result_.stopped_by = std::move(why);
}

/// Shortens the schedule to what leads to the finding, and makes it readable.
void session::complete(finding& f) const {
  const auto same = [&](const system& s) {
    const auto records = s.step_at(s.step_count() - 1).flagged ? s.records_of_last_step() : std::span<const record>();
    return std::any_of(records.begin(), records.end(),
                       [&](const record& r) { return r.kind == f.kind && r.message == f.message && r.line == f.line; });
  };
  const bool in_last_step = f.kind == finding_kind::assertion || f.kind == finding_kind::exception;
  try {
    auto whole = program_.start(how_.delivery);
    whole->limit_depth(how_.max_depth);
    if (in_last_step && !f.schedule.empty()) {
      whole->run(f.schedule);
      const auto fresh = program_.start(how_.delivery);
      if (auto sliced = causal_slice(*whole, *fresh); !sliced.empty() && same(*fresh)) {
        f.schedule = std::move(sliced);
        f.actor = fresh->actor_name(fresh->step_at(fresh->step_count() - 1).receiver);
      }
      whole = program_.start(how_.delivery);
      whole->limit_depth(how_.max_depth);
    }
    for (const auto& next : f.schedule) {  // what can be repeated stays, if not all can
      whole->run({next});
      f.trace.push_back(describe_last_step(*whole));
    }
    const bool by_a_monitor =
        f.kind == finding_kind::invariant || f.kind == finding_kind::ltl || f.kind == finding_kind::conformance;
    if (by_a_monitor && !f.actor.empty() && !f.trace.empty())  // what a monitor said is not in the program
      f.trace.back().findings.push_back(
          to_line({.kind = f.kind, .message = f.message, .file = f.file, .line = f.line}));
  } catch (const std::exception& e) {
    // A program that is not deterministic may not follow its own schedule.
    f.details.push_back(
        fmt::format("the schedule could not be repeated beyond delivery {}: {}", f.trace.size(), e.what()));
  }
}

double session::seconds() const {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - started_).count();
}

progress session::current(const system& system) const {
  return {.executions = result_.executions,
          .transitions = system.watch().deliveries(),
          .depth = system.depth(),
          .findings = result_.findings.size(),
          .seconds = seconds()};
}

}  // namespace harrier
