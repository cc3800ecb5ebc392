#include "tally.hpp"

#include <algorithm>
#include <set>
#include <string_view>
#include <tuple>
#include <utility>

#include <harrier/core/archive.hpp>
#include <harrier/core/printable.hpp>
#include <harrier/replay/ends.hpp>

#include "../core/exploration_fields.hpp"
#include "../core/finding_origin.hpp"
#include "../core/script.hpp"
#include "../explain/take_shortest.hpp"

namespace harrier {
namespace {

/// Findings that differ, and warnings likewise: each has a schedule, and is made readable by a run of its own.
constexpr std::size_t most_kept = 1000;

constexpr auto not_all_are_kept = "more than 1,000 different findings or warnings are not kept: there are others";

bool says_that_not_all_are_kept(const std::vector<std::string>& notes) {
  return std::find(notes.begin(), notes.end(), not_all_are_kept) != notes.end();
}

void say_that_not_all_are_kept(std::vector<std::string>& notes) {
  if (!says_that_not_all_are_kept(notes)) notes.emplace_back(not_all_are_kept);
}

/// Which of two schedules is to be shown.
bool is_better(const std::vector<scheduled>& a, const std::vector<scheduled>& b) {
  if (a.size() != b.size()) return a.size() < b.size();
  return std::lexicographical_compare(a.begin(), a.end(), b.begin(), b.end(), [](const auto& x, const auto& y) {
    return std::tie(x.message, x.code) < std::tie(y.message, y.code);
  });
}

/// Whether an actor failed, too, in an execution in which an assumption does not hold. A reduction runs past both: the
/// class has executions that end at the failure, before that is assumed, and what they left counts.
bool fails_beside_assumption(const system& s) {
  if (s.notes().empty()) return false;
  for (auto i = s.setup_steps(); i < s.step_count(); ++i)
    if (s.step_at(i).aborted && !s.step_at(i).discarded) return true;
  return false;
}

// Of the ends whose states are checked: all of the first ones are compared with what the check leaves, then one in so
// many.
constexpr std::uint64_t always_compared = 256;
constexpr std::uint64_t compared_every = 257;

/// Asked at each end; std::has_single_bit counts all bits, by a function unless the processor is known to.
bool is_power_of_two(std::uint64_t n) { return (n & (n - 1)) == 0; }

}  // namespace

const std::string& tally::name_of(const system& system, actor_slot a) {
  auto& name = type_names_[system.actor_at(a).type];
  if (name.empty()) name = system.actor_at(a).type->name();
  return name;
}

const std::string& tally::kind_of(const system& system, message_slot m) {
  auto& kind = type_names_[system.message_at(m).type];
  if (kind.empty()) {
    const auto text = system.message_text(m);
    kind = system.actor_at(system.message_at(m).receiver).type->name() + "." + text.substr(0, text.find('('));
  }
  return kind;
}

template <class Describe>
void tally::found(std::vector<finding>& among, const finding_key& key, const system& system, std::size_t length,
                  Describe describe) {
  const auto described = [&] {
    auto f = describe();
    f.schedule = system.current_schedule();
    f.schedule.resize(length);
    return f;
  };
  auto& seen = &among == &result_.warnings ? warnings_ : findings_;
  if (among.size() >= most_kept && !seen.contains(key.value())) return say_that_not_all_are_kept(result_.notes);
  const auto [entry, is_new] = seen.try_emplace(key.value(), among.size());
  if (is_new) {
    auto f = described();
    among.push_back(std::move(f));
    limits_.tell(key.value(), among.back());
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

void tally::step_flagged(system& system) {
  if (!system.can_be() || waits_for_ends(system)) return;
  keep_records(system, system.last_step());
  if (how_.judging.keep_going) return;
  note_size(system);  // it does not come to its end
  stop("the first finding");
}

/// What step `i` recorded.
void tally::keep_records(const system& system, step_index i) {
  const auto& step = system.step_at(i);
  for (const auto& r : system.records_of_step(i)) {
    const auto key = finding_key(r.kind).add(r.message).add(r.line).add(name_of(system, step.receiver));
    found(result_.findings, key, system, i + std::size_t{1} - system.setup_steps(), [&] {
      finding f;
      f.kind = r.kind;
      f.message = r.message;
      f.actor = system.actor_name(step.receiver);
      f.file = r.file;
      f.line = r.line;
      f.details = r.details;
      return f;
    });
  }
}

/// Where only the end shows whether what its steps recorded counts.
void tally::keep_records_of_all(const system& system) {
  bool is_any = false;
  for (auto i = static_cast<step_index>(system.setup_steps()); i < system.step_count(); ++i) {
    if (!system.step_at(i).flagged) continue;
    keep_records(system, i);
    is_any = true;
  }
  if (is_any && !how_.judging.keep_going) stop("the first finding");
}

void tally::note_size(const system& of) {
  result_.max_depth = std::max<std::uint64_t>(result_.max_depth, of.depth());
  result_.actors = std::max<std::uint64_t>(result_.actors, of.created_count());
}

void tally::execution_ended(system& system) {
  if (system.depth() > result_.max_depth) ++longer_than_before_;
  note_size(system);
  const bool counts = !system.discarded() && system.can_be() && (comes_through(system) || system.truncated());
  if (counts && waits_for_ends(system)) keep_records_of_all(system);
  if (system.anything_befell()) ++result_.with_faults;
  for (const auto& [name, is_reached] : system.points()) result_.points[name] |= is_reached;
  if (!counts) {
    ++result_.assumed_away;
    if (system.discarded() && fails_beside_assumption(system)) count_outcomes(system);
  } else if (system.truncated()) {
    ++result_.truncated;
  } else {
    ++result_.executions;
    count_outcomes(system);
    if (is_power_of_two(result_.executions)) look_for_unknown(system);
    const bool is_cut = system.is_out_of_timeouts();
    if (is_cut) ++result_.out_of_timeouts;
    if (!system.aborted() && is_cut && how_.judging.finally) judge_states(system);  // what converges, and nothing else
    if (!system.aborted() && !is_cut) judge_end(system);
  }
  if (judge_ != nullptr && counts) judge_execution(system);
  if (estimator_) estimator_->leaf_met(true);
  limits_.count_execution();
  may_end_one_ = limits_.keep_execution();
  stopping_ = is_to_return();
}

void tally::go_on() {
  if (!may_end_one_) may_end_one_ = limits_.keep_execution();
  stopping_ = is_to_return();
}

bool tally::rest() {
  if (!std::exchange(may_end_one_, false)) return true;
  limits_.give_execution_back();
  return false;
}

void tally::count_outcomes(const system& system) {
  if (system.notes().empty()) return;
  std::set<std::string_view> left;
  for (const auto& n : system.notes())
    if (!system.step_at(n.at).discarded) left.insert(n.word);
  for (const auto word : left) ++result_.outcomes[std::string(word)];
}

void tally::look_for_unknown(const system& system) {
  for (actor_slot a = 0; a < system.actor_count(); ++a) {
    const auto& x = system.actor_at(a);
    if (x.type->hash_is_all()) continue;
    if (const auto member = x.type->unknown_member(x.state); !member.empty())
      unknown_.insert(name_of(system, a) + '.' + member);
  }
  for (message_slot m = 1; m <= system.message_count(); ++m) {
    const auto& x = system.message_at(m);
    if (x.type->hash_is_all()) continue;
    value_bytes written;
    x.type->write(x.payload, written);
    if (!written.is_all()) unknown_.insert("the arguments of " + kind_of(system, m));
  }
}

std::vector<fingerprint> tally::who_is_stuck(const system& system, const std::vector<actor_slot>& stuck) {
  std::vector<fingerprint> all;
  for (const auto a : stuck) {
    const auto& x = system.actor_at(a);
    const auto name = system.names().name_of(x.id);
    auto key = finding_key(finding_kind::deadlock).add(name.low).add(name.high);
    if (x.state_of_life == actor::mode::waiting) key.add(kind_of(system, x.awaited));
    all.push_back(key.value());
  }
  std::sort(all.begin(), all.end());
  return all;
}

void tally::judge_end(system& system) {
  if (how_.judging.finally) judge_states(system);
  const auto end = look_at_end(system, ends_);
  if (!end.stuck.empty()) {
    auto key = finding_key(finding_kind::deadlock);
    for (const auto& who : who_is_stuck(system, end.stuck)) key.add(who.low).add(who.high);
    found(result_.findings, key, system, system.depth(), [&] { return describe_deadlock(system, end.stuck); });
    if (!how_.judging.keep_going) stop("the first finding");
  }
  const bool is_error = how_.judging.undelivered == undelivered::error;
  for (const auto m : end.undelivered) {
    const auto& x = system.message_at(m);
    const auto to = system.names().name_of(system.actor_at(x.receiver).id);
    const auto key = finding_key(finding_kind::undelivered).add(to.low).add(to.high).add(kind_of(system, m));
    found(is_error ? result_.findings : result_.warnings, key, system, system.depth(),
          [&] { return describe_undelivered(system, m); });
  }
  if (is_error && !end.undelivered.empty() && !how_.judging.keep_going) stop("the first finding");
}

void tally::judge_states(system& system) {
  const auto number = result_.executions;
  const bool is_compared = number <= always_compared || number % compared_every == 0;
  const auto before = is_compared ? system.configuration() : fingerprint{};
  const auto broken = check_end(system, how_.judging.finally);
  if (is_compared && system.configuration() != before)
    throw harrier::system::nondeterminism(
        "the check of the final states changes them (by a mutable member, or a cast): it must only look");
  for (const auto& r : broken) {
    const auto key = finding_key(r.kind).add(r.message).add(r.line);
    found(result_.findings, key, system, system.depth(), [&] {
      finding f;
      f.kind = r.kind;
      f.message = r.message;
      f.file = r.file;
      f.line = r.line;
      f.details = r.details;
      return f;
    });
  }
  if (!broken.empty() && !how_.judging.keep_going) stop("the first finding");
}

void tally::judge_execution(system& system) {
  const auto broken = system.watch().asking(flight_record::asked::monitor, [&] { return judge_->ended(system); });
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
      f.message = printable(r.message);
      if (by_a_step) f.actor = system.actor_name(system.step_at(r.at).receiver);
      f.file = r.file;
      f.line = r.line;
      return f;
    });
  }
  if (!broken.empty() && !how_.judging.keep_going) stop("the first finding");
}

void tally::execution_blocked(system& system) {
  ++result_.blocked;
  if (estimator_) estimator_->leaf_met(false);
  result_.max_depth = std::max<std::uint64_t>(result_.max_depth, system.depth());
}

void tally::untestable_found(const system& system, finding_kind kind, const std::string& what) {
  stop(std::string(ends_search_as(kind)));
  const auto receiver = system.step_at(system.last_step()).receiver;
  const auto key = finding_key(kind).add(what);
  found(result_.findings, key, system, system.depth(), [&] {
    finding f;
    f.kind = kind;
    f.message = what;
    f.actor = system.actor_name(receiver);
    if (!system.step_at(system.last_step()).flagged) return f;
    for (const auto& r : system.records_of_last_step()) {
      if (what.find(r.message) == std::string::npos) continue;
      f.file = r.file;  // where the check is whose words were others the second time
      f.line = r.line;
      break;
    }
    return f;
  });
}

void tally::failure_found(const system& system, const finding& failure) {
  stop("an exception outside the handlers");
  const auto depth = std::min(failure.schedule.size(), system.depth());
  const auto key = finding_key(failure.kind).add(failure.message);
  found(result_.findings, key, system, depth, [&] { return failure; });
}

std::optional<size_estimate> tally::estimate(bool ended) const {
  if (!estimator_ || result_.truncated > 0) return std::nullopt;
  return estimator_->estimate(result_.executions, ended);
}

void tally::poll(system& system) {
  if (estimator_) estimator_->tick();
  const progress now{.executions = result_.executions,
                     .transitions = system.watch().deliveries(),
                     .depth = system.depth(),
                     .findings = result_.findings.size(),
                     .seconds = 0,
                     .estimate = how_.told.on_progress ? estimate(false).value_or(size_estimate{}) : size_estimate{}};
  limits_.look_whether_it_ends(now, longer_than_before_);
  if (limits_.stopped() && result_.executions == 0) note_size(system);
  limits_.poll(now, told_);
  stopping_ = is_to_return();
}

void tally::stop(std::string why) {
  limits_.stop(std::move(why));
  stopping_ = true;
}

std::size_t tally::longest_of_states() const {
  return std::max(harrier::longest_of_states(result_.findings), harrier::longest_of_states(result_.warnings));
}

bool tally::has_all_of(const tally& other) const {
  return has_all_of_states({result_.findings, findings_}, {other.result_.findings, other.findings_}) &&
         has_all_of_states({result_.warnings, warnings_}, {other.result_.warnings, other.warnings_});
}

void tally::take_shortest(const tally& other) {
  harrier::take_shortest(result_.findings, findings_, {other.result_.findings, other.findings_});
  harrier::take_shortest(result_.warnings, warnings_, {other.result_.warnings, other.warnings_});
}

bool tally::found_before(const tally& other) const {
  const auto& ours = result_.findings;
  const auto& theirs = other.result_.findings;
  return !ours.empty() && (theirs.empty() || is_better(ours.front().schedule, theirs.front().schedule));
}

void tally::forget_findings() {
  result_.findings.clear();
  findings_.clear();
}

void tally::join(collected&& other) {
  auto& theirs = other.result;
  for_each_count([&](auto member, put_together how) {
    if (how == put_together::as_sum)
      result_.*member += theirs.*member;
    else
      result_.*member = std::max(result_.*member, theirs.*member);
  });
  for (const auto& [word, count] : theirs.outcomes) result_.outcomes[word] += count;
  for (const auto& [name, is_reached] : theirs.points) result_.points[name] |= is_reached;
  const bool has_all_findings = join(result_.findings, findings_, theirs.findings, other.findings);
  const bool has_all_warnings = join(result_.warnings, warnings_, theirs.warnings, other.warnings);
  if (!has_all_findings || !has_all_warnings || says_that_not_all_are_kept(theirs.notes))
    say_that_not_all_are_kept(result_.notes);
}

void tally::join(tally&& other) {
  join(other.take());
  unknown_.merge(other.unknown_);
  told_.executions += std::exchange(other.told_.executions, 0);
  told_.findings += std::exchange(other.told_.findings, 0);
}

namespace {

void save_findings(archive_writer& to, const std::vector<finding>& all,
                   const std::map<fingerprint, std::size_t>& places) {
  to.list(places, [&](const auto& entry) {
    const auto& f = all[entry.second];
    to.hash(entry.first);
    to.number(entry.second);
    to.number(static_cast<std::uint64_t>(f.kind));
    for (const auto* text : {&f.message, &f.actor, &f.file}) to.text(*text);
    to.number(f.line);
    to.list(f.details, [&](const std::string& line) { to.text(line); });
    to.number(f.occurrences);
    to.deliveries(f.schedule);
  });
}

void load_findings(archive_reader& from, std::vector<finding>& all, std::map<fingerprint, std::size_t>& places) {
  from.list([&] {
    const auto key = from.hash();
    const auto place = static_cast<std::size_t>(from.number());
    places.emplace(key, place);
    if (place >= all.size()) all.resize(place + 1);
    auto& f = all[place];
    f.kind = static_cast<finding_kind>(from.number());
    for (auto* text : {&f.message, &f.actor, &f.file}) *text = from.text();
    f.line = static_cast<std::uint32_t>(from.number());
    from.list([&] { f.details.push_back(from.text()); });
    f.occurrences = from.number();
    f.schedule = from.deliveries();
  });
}

}  // namespace

void tally::save(archive_writer& to) const {
  const auto& r = result_;
  for_each_count([&](auto member, put_together) { to.number(r.*member); });
  to.list(r.outcomes, [&](const auto& outcome) {
    to.text(outcome.first);
    to.number(outcome.second);
  });
  to.list(r.points, [&](const auto& point) {
    to.text(point.first);
    to.flag(point.second);
  });
  save_findings(to, r.findings, findings_);
  save_findings(to, r.warnings, warnings_);
}

void tally::load(archive_reader& from) {
  auto& r = result_;
  for_each_count([&](auto member, put_together) { r.*member = from.number(); });
  from.list([&] {
    const auto word = from.text();
    r.outcomes[word] = from.number();
  });
  from.list([&] {
    const auto name = from.text();
    r.points[name] = from.flag();
  });
  load_findings(from, r.findings, findings_);
  load_findings(from, r.warnings, warnings_);
  told_.executions = r.executions;
  told_.findings = r.findings.size();
}

bool tally::join(std::vector<finding>& ours, places& known_to_us, std::vector<finding>& theirs,
                 const places& known_to_them) {
  bool is_all = true;
  for (const auto& [key, i] : known_to_them) {
    auto& f = theirs[i];
    if (ours.size() >= most_kept && !known_to_us.contains(key)) {
      is_all = false;
      continue;
    }
    const auto [entry, is_new] = known_to_us.try_emplace(key, ours.size());
    if (is_new) {
      ours.push_back(std::move(f));
      continue;
    }
    auto& kept = ours[entry->second];
    const auto occurrences = kept.occurrences + f.occurrences;
    if (is_better(f.schedule, kept.schedule)) kept = std::move(f);
    kept.occurrences = occurrences;
  }
  return is_all;
}

}  // namespace harrier
