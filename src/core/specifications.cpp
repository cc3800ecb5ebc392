#include "specifications.hpp"

#include <algorithm>
#include <iterator>
#include <map>
#include <utility>

#include <harrier/core/error.hpp>
#include <harrier/core/invariant.hpp>

namespace harrier {
namespace {

using tuple = std::vector<actor_slot>;

bool is_looked_at(const system& s, const specification& what, actor_slot a) {
  const auto* const type = s.actor_at(a).type->state_class();
  return type != nullptr && std::any_of(what.looks_at.begin(), what.looks_at.end(),
                                        [&](const std::type_info* looked_at) { return *looked_at == *type; });
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

/// Whether more than the configuration at an end decides.
bool is_asked_between_deliveries(const specification& what) { return what.says != specification::kind::eventually; }

bool looks_at_several_of(const specification& what) {
  return !what.is_of_one_actor && is_asked_between_deliveries(what);
}

/// ` of a and b`; nothing of nobody in particular.
std::string of_whom(const system& s, const tuple& actors) {
  std::string text;
  for (const auto a : actors) text += (text.empty() ? " of " : " and ") + s.actor_name(a);
  return text;
}

record broken(std::string message) { return {.kind = finding_kind::assertion, .message = std::move(message)}; }

}  // namespace

void specifications::add(const system& initial, specification what) {
  first_ = static_cast<step_index>(initial.step_count());
  all_.push_back(std::move(what));
  const auto& added = all_.back();
  const auto found = found_in(initial, added);
  if (added.says == specification::kind::always && !found.empty()) {
    broken_at_first_.push_back(broken("always '" + added.name + "' does not hold" + of_whom(initial, found.front()) +
                                      " before the first delivery"));
    noted_.push_back({no_step, all_.size() - 1, found, {}});
  }
  if (added.says == specification::kind::leads_to) note_promises(initial, all_.size() - 1, no_step);
}

bool specifications::depend_on_path() const {
  return std::any_of(all_.begin(), all_.end(),
                     [](const specification& what) { return what.says == specification::kind::leads_to; });
}

bool specifications::looks_at_several() const { return std::any_of(all_.begin(), all_.end(), looks_at_several_of); }

bool specifications::look_at_configurations() const {
  return std::any_of(all_.begin(), all_.end(), is_asked_between_deliveries);
}

specification::tuples specifications::found_in(const system& s, const specification& what) const {
  return s.watch().asking(flight_record::asked::specification, [&] { return what.found(states(s)); });
}

bool specifications::is_touched_by_last_step(const system& s) const {
  const auto i = s.last_step();
  return std::any_of(all_.begin(), all_.end(),
                     [&](const specification& what) { return looks_at_several_of(what) && may_change(s, i, what); });
}

std::vector<record> specifications::look(system& s) {
  const auto i = s.last_step();
  forget_from(i);
  std::vector<record> all;
  if (i == first_) all = broken_at_first_;
  for (std::size_t n = 0; n < all_.size(); ++n) {
    const auto& what = all_[n];
    if (!is_asked_between_deliveries(what) || !may_change(s, i, what)) continue;
    if (what.says == specification::kind::leads_to) {
      note_promises(s, n, i);
      continue;
    }
    if (is_broken(n)) continue;
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
      if (!found.empty())
        all.push_back(broken("eventually '" + what.name + "' does not hold" + of_whom(s, found.front()) +
                             " at the end of the execution"));
    }
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
  return all_[of].says == specification::kind::always &&
         std::any_of(noted_.begin(), noted_.end(), [of](const note& noted) { return noted.of == of; });
}

void specifications::forget_from(step_index at) {
  while (!noted_.empty() && noted_.back().at != no_step && noted_.back().at >= at) noted_.pop_back();
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

program specified(program tested, std::vector<specification> all) {
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
  if (specifications_->looks_at_several()) share_memory();
  steps_end_with_more_ = true;
}

void system::look_at_states() {
  if (shares_memory() && specifications_->is_touched_by_last_step(*this)) touch(0);
  if (steps_.back().aborted) return;  // nobody goes on from there
  for (auto& failed : specifications_->look(*this)) record_finding(std::move(failed));
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
  throw untestable_program(std::string(who) +
                           " does not go with leads_to: what was seen on the way to a state is forgotten where it is "
                           "reached again; engine optimal has it");
}

}  // namespace harrier
