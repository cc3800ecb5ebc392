#include "specifications.hpp"

#include <cxxabi.h>

#include <algorithm>
#include <cstdlib>
#include <iterator>
#include <map>
#include <memory>
#include <string>
#include <utility>

#include <harrier/core/error.hpp>
#include <harrier/core/invariant.hpp>

#include "outside.hpp"

namespace harrier {
namespace {

using tuple = std::vector<actor_slot>;

bool is_of(const system& s, actor_slot a, const std::type_info& type) {
  const auto* const own = s.actor_at(a).type->state_class();
  return own != nullptr && *own == type;
}

bool is_looked_at(const system& s, const specification& what, actor_slot a) {
  return std::any_of(what.looks_at.begin(), what.looks_at.end(),
                     [&](const std::type_info* looked_at) { return is_of(s, a, *looked_at); });
}

/// `node`, without the namespaces and functions that it is in.
std::string short_name(const std::type_info& type) {
  int status = 0;
  const std::unique_ptr<char, decltype(&std::free)> text(abi::__cxa_demangle(type.name(), nullptr, nullptr, &status),
                                                         &std::free);
  const std::string whole = text == nullptr ? type.name() : text.get();
  const auto scope = whole.substr(0, whole.find('<')).rfind("::");
  return scope == std::string::npos ? whole : whole.substr(scope + 2);
}

/// The point that one of these is there: of nobody everything holds.
std::string existence_of(const std::type_info& type, const specification& what) {
  return "there is an actor of class " + short_name(type) + ", at which '" + what.name + "' looks";
}

/// Where none is there at the beginning.
void announce_classes(system& initial, const specification& what) {
  for (const auto* type : what.looks_at) {
    bool is_there = false;
    for (actor_slot a = 0; a < initial.actor_count(); ++a) is_there = is_there || is_of(initial, a, *type);
    if (!is_there) initial.know_point(existence_of(*type, what));
  }
}

bool is_gone(const system& s, actor_slot a) { return s.actor_at(a).state_of_life == actor::mode::gone; }

/// Whether step `i` may change what `what` looks at: by its handler and what it creates, not by the state in which it
/// ran. Planned sequences (engine optimal) take a message to touch the same whatever its receiver took before.
bool may_change(const system& s, step_index i, const specification& what) {
  const auto& ran = s.step_at(i);
  for (auto a = ran.first_created; a < s.created_end(i); ++a)
    if (is_looked_at(s, what, a)) return true;
  return is_looked_at(s, what, ran.receiver) && (!ran.keeps_state || is_gone(s, ran.receiver));
}

/// Whether more than what there is at an end decides.
bool is_asked_between_deliveries(const specification& what) {
  return what.says != specification::kind::eventually && what.says != specification::kind::at_end;
}

bool looks_at_several_of(const specification& what) {
  return !what.is_of_one_actor && is_asked_between_deliveries(what);
}

/// ` of a and b`; nothing of nobody in particular.
std::string of_whom(const system& s, const tuple& actors) {
  std::string text;
  for (const auto a : actors) text += (text.empty() ? " of " : " and ") + s.actor_name(a);
  return text;
}

/// A line for each: `lamp_0 is {on=true} at the end`.
std::vector<std::string> states_of(const system& s, const tuple& actors) {
  std::vector<std::string> lines;
  for (const auto a : actors)
    if (auto state = s.state_text(a); !state.empty())
      lines.push_back(s.actor_name(a) + " is " + std::move(state) + " at the end");
  return lines;
}

/// Of actors that the last step created.
void reach_classes(system& s, const specification& what) {
  for (auto a = s.step_at(s.last_step()).first_created; a < s.actor_count(); ++a)
    for (const auto* type : what.looks_at)
      if (is_of(s, a, *type) && s.points().contains(existence_of(*type, what)))
        s.reach_point(existence_of(*type, what));
}

/// Whether it is the driver's own step, which is explored since it draws: what is there after it comes before all else.
bool is_drivers(const system& s, step_index i) { return is_from_outside(s, s.step_at(i).message); }

record broken(std::string message) { return {.kind = finding_kind::assertion, .message = std::move(message)}; }

}  // namespace

void specifications::add(system& initial, specification what) {
  if (const auto* line = what.found.target<script_line>()) {
    if (script_ == nullptr) script_ = std::make_unique<scripted_decisions>();
    return script_->add(initial, what, *line);
  }
  first_ = static_cast<step_index>(initial.step_count());
  all_.push_back(std::move(what));
  const auto& added = all_.back();
  announce_classes(initial, added);
  const auto found = found_in(initial, added);
  if (added.says == specification::kind::always && !found.empty()) {
    broken_at_first_.push_back(broken("always '" + added.name + "' does not hold" + of_whom(initial, found.front()) +
                                      " before the first delivery"));
    noted_.push_back({no_step, all_.size() - 1, found, {}});
  }
  if (added.says == specification::kind::leads_to) note_promises(initial, all_.size() - 1, no_step);
  if (added.says != specification::kind::in_time) return;
  for (actor_slot a = 0; a < initial.actor_count(); ++a) add_recordings(initial, all_.size() - 1, a, no_step);
  if (auto failed = broken_history(initial, added, recordings_of(all_.size() - 1))) {
    broken_at_first_.push_back(std::move(*failed));
    noted_.push_back({no_step, all_.size() - 1, {}, {}});
  }
}

bool specifications::depend_on_path() const {
  return script_ != nullptr || std::any_of(all_.begin(), all_.end(), [](const specification& what) {
           return what.says == specification::kind::leads_to;
         });
}

bool specifications::looks_at_several() const {
  return script_ != nullptr || std::any_of(all_.begin(), all_.end(), looks_at_several_of);
}

bool specifications::widen() const {
  return (script_ != nullptr && script_->widens()) || std::any_of(all_.begin(), all_.end(), looks_at_several_of);
}

bool specifications::look_at_configurations() const {
  return std::any_of(all_.begin(), all_.end(), is_asked_between_deliveries);
}

specification::tuples specifications::found_in(const system& s, const specification& what) const {
  if (what.found == nullptr) return {};  // of a history
  return s.watch().asking(flight_record::asked::specification, [&] { return what.found(states(s)); });
}

/// What comes in time is told apart by the order of the steps that record something, and by no other.
bool specifications::is_touched_by_last_step(const system& s, bool is_scripted) const {
  const auto i = s.last_step();
  for (std::size_t n = 0; n < all_.size(); ++n) {
    const auto& what = all_[n];
    if (!looks_at_several_of(what)) continue;
    if (is_scripted ||
        (what.says == specification::kind::in_time ? records_in_last_step(s, n) : may_change(s, i, what)))
      return true;
  }
  return false;
}

std::vector<record> specifications::look(system& s) {
  const auto i = s.last_step();
  forget_from(i);
  std::vector<record> all;
  if (i == first_) all = broken_at_first_;
  for (std::size_t n = 0; n < all_.size(); ++n) {
    const auto& what = all_[n];
    reach_classes(s, what);
    if (!is_asked_between_deliveries(what)) continue;
    if (!may_change(s, i, what) && !(i == first_ && is_drivers(s, i))) continue;
    if (what.says == specification::kind::leads_to) {
      note_promises(s, n, i);
      continue;
    }
    if (is_broken(n)) continue;
    if (what.says == specification::kind::in_time) {
      if (!records_in_last_step(s, n)) continue;
      if (auto failed = broken_history(s, what, recordings_of(n))) {
        all.push_back(std::move(*failed));
        noted_.push_back({i, n, {}, {}});
      }
      continue;
    }
    auto found = found_in(s, what);
    if (found.empty()) continue;
    if (what.says == specification::kind::sometimes) {
      s.reach_point(what.name);
      continue;
    }
    all.push_back(broken("always '" + what.name + "' does not hold" + of_whom(s, found.front())));
    noted_.push_back({i, n, std::move(found), {}});
  }
  return all;
}

std::vector<record> specifications::look_at_end(const system& s) const {
  std::vector<record> all;
  if (s.step_count() == first_) all = broken_at_first_;
  for (std::size_t n = 0; n < all_.size(); ++n) {
    const auto& what = all_[n];
    if (what.says == specification::kind::eventually) {
      const auto found = found_in(s, what);
      if (!found.empty()) {
        all.push_back(broken("eventually '" + what.name + "' does not hold" + of_whom(s, found.front()) +
                             " at the end of the execution"));
        all.back().details = states_of(s, found.front());
      }
    }
    if (what.says == specification::kind::at_end)
      if (auto failed = broken_history(s, what, recordings_at_end(s, what))) all.push_back(std::move(*failed));
    if (what.says == specification::kind::leads_to) {
      auto found = broken_promises(s, n);
      std::move(found.begin(), found.end(), std::back_inserter(all));
    }
  }
  return all;
}

void specifications::note_promises(const system& s, std::size_t of, step_index at) {
  const auto& what = all_[of];
  auto begun = found_in(s, what);
  auto kept = s.watch().asking(flight_record::asked::specification, [&] { return what.then(states(s)); });
  if (!begun.empty() || !kept.empty()) noted_.push_back({at, of, std::move(begun), std::move(kept)});
}

bool specifications::is_broken(std::size_t of) const {
  return (all_[of].says == specification::kind::always || all_[of].says == specification::kind::in_time) &&
         std::any_of(noted_.begin(), noted_.end(), [of](const note& noted) { return noted.of == of; });
}

void specifications::forget_from(step_index at) {
  while (!noted_.empty() && noted_.back().at != no_step && noted_.back().at >= at) noted_.pop_back();
}

recorded_events specifications::events_so_far(std::size_t of, actor_slot a) const {
  const auto last = std::find_if(recorded_.rbegin(), recorded_.rend(),
                                 [&](const recorded& r) { return r.of == of && r.what.by == a; });
  return last == recorded_.rend() ? recorded_events() : last->what.in_all;
}

void specifications::add_recordings(const system& s, std::size_t of, actor_slot a, step_index at) {
  const auto& what = all_[of];
  if (!is_looked_at(s, what, a)) return;
  const auto events = what.events(states(s), a);
  const auto before = events_so_far(of, a);
  if (events.invoked < before.invoked || events.returned < before.returned)
    throw untestable_program("'" + what.name + "' cannot be judged: " + s.actor_name(a) +
                             " has forgotten operations that it had recorded, in a crash, say; record them in a field "
                             "that survives it, harrier::persistent<...>");
  const auto after = at == no_step ? std::size_t{0} : std::size_t{at} - first_ + 1;
  if (events != before) recorded_.push_back({at, of, {after, a, events}});
}

void specifications::take_recordings(const system& s) {
  const auto i = s.last_step();
  while (!recorded_.empty() && recorded_.back().at != no_step && recorded_.back().at >= i) recorded_.pop_back();
  const auto& ran = s.step_at(i);
  for (std::size_t n = 0; n < all_.size(); ++n) {
    if (all_[n].says != specification::kind::in_time) continue;
    if (!ran.keeps_state && !ran.aborted) add_recordings(s, n, ran.receiver, i);
    for (auto a = ran.first_created; a < s.created_end(i); ++a) add_recordings(s, n, a, i);
  }
}

bool specifications::records_in_last_step(const system& s, std::size_t of) const {
  const auto i = s.last_step();
  return std::any_of(recorded_.rbegin(), recorded_.rend(), [&](const recorded& r) { return r.at == i && r.of == of; });
}

std::vector<recording> specifications::recordings_of(std::size_t of) const {
  std::vector<recording> all;
  for (const auto& r : recorded_)
    if (r.of == of) all.push_back(r.what);
  return all;
}

std::vector<recording> specifications::recordings_at_end(const system& s, const specification& what) const {
  std::vector<recording> all;
  for (actor_slot a = 0; a < s.actor_count(); ++a)
    if (is_looked_at(s, what, a)) all.push_back({s.step_count() - first_, a, what.events(states(s), a)});
  return all;
}

std::optional<record> specifications::broken_history(const system& s, const specification& what,
                                                     const std::vector<recording>& all) const {
  auto judged = s.watch().asking(flight_record::asked::specification, [&] { return what.judge(states(s), all); });
  return std::move(judged.broken);
}

void specifications::write_way(const system& s, actor_slot a, value_bytes& out) const {
  for (std::size_t n = 0; n < all_.size(); ++n) {
    if (all_[n].says != specification::kind::in_time || !is_looked_at(s, all_[n], a)) continue;
    std::map<std::uint32_t, std::size_t> returned;  // of others, so far
    std::size_t invoked = 0;
    for (const auto& r : recorded_) {
      if (r.of != n || (r.at != no_step && r.at >= s.step_count())) continue;
      const auto& [after, by, in_all] = r.what;
      if (by != a && in_all.returned > 0) returned[out.name_of(s.actor_at(by).id)] = in_all.returned;
      if (by != a || in_all.invoked == invoked) continue;
      invoked = in_all.invoked;
      for (const auto& [other, times] : returned) {
        out.raw(invoked);
        out.raw(other);
        out.raw(times);
      }
    }
  }
}

std::vector<record> specifications::broken_promises(const system& s, std::size_t of) const {
  std::map<tuple, step_index> open;  // since when
  for (const auto& p : noted_) {
    if (p.of != of || (p.at != no_step && p.at >= s.step_count())) continue;
    for (const auto& begun : p.begun) open.try_emplace(begun, p.at);
    for (const auto& kept : p.kept) open.erase(kept);
  }
  for (const auto& [who, since] : open) {
    if (std::any_of(who.begin(), who.end(), [&](actor_slot a) { return is_gone(s, a); })) continue;
    const auto when = since == no_step ? std::string("from the beginning")
                                       : "since " + s.actor_name(s.step_at(since).receiver) + "." +
                                             s.message_text(s.step_at(since).message);
    return {
        broken("leads_to '" + all_[of].name + "' is not kept" + of_whom(s, who) + ": what leads to it holds " + when)};
  }
  return {};
}

namespace {

/// What `what` leaves undecided is told to `seen`.
specification telling(specification what, const std::shared_ptr<seen_of_program>& seen) {
  what.judge = [judge = std::move(what.judge), seen](const states& now, const std::vector<recording>& recorded) {
    auto said = judge(now, recorded);
    if (!said.undecided.empty()) seen->leave_out(said.undecided);
    return said;
  };
  return what;
}

}  // namespace

program specified(program tested, std::vector<specification> all) {
  for (auto& what : all) {
    if (what.judge == nullptr) continue;
    if (tested.seen == nullptr) tested.seen = std::make_shared<seen_of_program>();
    what = telling(std::move(what), tested.seen);
  }
  tested.make = [make = std::move(tested.make), all = std::move(all)](delivery model) {
    auto made = make(model);
    for (const auto& what : all) made->specify(what);
    return made;
  };
  tested.finally = both(tested.finally, [](final_states& end) {
    for (auto& failed : end.system().broken_by_end()) end.fail(std::move(failed));
  });
  return tested;
}

void system::specify(specification what) {
  HARRIER_INVARIANT(depth() == 0, "what is to hold is said before the first delivery");
  if (!shows_changes())
    throw untestable_program("'" + what.name + "' looks at the states of actors, which only actors of the kit show");
  if (what.says == specification::kind::sometimes) know_point(what.name);
  if (specifications_ == nullptr) specifications_ = std::make_shared<specifications>();
  specifications_->add(*this, std::move(what));
  if (specifications_->widen()) share_memory();
  if (specifications_->scripted() != nullptr) watch_.be_due();  // supervision asks it before each delivery
  steps_end_with_more_ = true;
}

void system::look_at_states() {
  auto& all = *specifications_;
  auto* const script = all.scripted();
  all.take_recordings(*this);
  const auto scripted = script == nullptr ? std::vector<actor_slot>() : script->touched_by_last_step(*this);
  for (const auto a : scripted) touch(a);
  if (shares_memory() && all.is_touched_by_last_step(*this, !scripted.empty())) touch(0);
  if (all.withheld_last_step(*this)) discard_execution();
  if (steps_.back().aborted) return all.pass_over(*this);  // nobody goes on from there
  for (auto& failed : all.look(*this)) record_finding(std::move(failed));
  if (script == nullptr) return;
  script->note_last_step(*this, points_);
  // Where an execution is not followed further its actor is as good as gone, but nobody is told so.
  const auto tells_of_end = [&](message_slot m) { return messages_[m].posthumous != message::when_gone::left; };
  for (const auto m : sent_by(last_step()))
    if (tells_of_end(m) && script->has_ended(*this, messages_[m].receiver))
      messages_[m].dead = messages_[m].constrained = true;
  if (!script->ends_with_last_step(*this)) return;
  for (auto m = first_pending(); m != no_message; m = next_pending(m))
    if (messages_[m].receiver == steps_.back().receiver && tells_of_end(m)) withdraw(m);
  abort_execution();
}

std::vector<record> system::broken_by_end() const {
  return specifications_ == nullptr ? std::vector<record>() : specifications_->look_at_end(*this);
}

bool system::looks_at_several() const { return specifications_ != nullptr && specifications_->looks_at_several(); }

bool system::looks_at_configurations() const {
  return specifications_ != nullptr && specifications_->look_at_configurations();
}

bool system::depends_on_path() const { return specifications_ != nullptr && specifications_->depend_on_path(); }

void system::merge_paths(std::string_view who) {
  if (!system::depends_on_path()) return;
  if (specifications_->scripted() != nullptr)
    throw untestable_program(std::string(who) +
                             " does not go with a script: which delivery to an actor is the second one, say, is "
                             "forgotten where one execution stands for others; engine optimal has it");
  throw untestable_program(std::string(who) +
                           " does not go with leads_to: what was seen on the way to a state is forgotten where it is "
                           "reached again; engine optimal has it");
}

}  // namespace harrier
