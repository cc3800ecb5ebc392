// What befalls a step that was run: messages that it sent are lost, or sent twice, and its actor crashes.
#include <algorithm>
#include <caf/all.hpp>
#include <memory>
#include <utility>

#include "content.hpp"
#include "run.hpp"

namespace harrier::caf_adapter {

/// What CAF itself says is no message that travels: that of an end, of a time, or of a request that nobody will take.
bool run::may_be_lost(const letter& l) const {
  const bool is_of_caf = sends_late_ || sends_weakly_ || is_bouncing_ || throws_away_ || is_of_the_system(l.kind);
  return l.is == letter::what::mail && l.element != nullptr && l.to != running_ && !is_of_caf && !acts_directly();
}

run::number run::strand_told_as(number actor) const {
  const auto found = std::find_if(strands_.begin(), strands_.end(), [&](const auto& s) { return s->told_as == actor; });
  return static_cast<number>(found - strands_.begin());
}

/// What is in it goes with it; so the last references to somebody may.
void run::lose(number message) {
  const entered me(*this);
  const auto before = std::exchange(running_, ran_last_);
  begin_step(ran_last_);
  auto& l = letters_[message];
  auto& inbox = strands_[l.to]->inbox;
  inbox.erase(std::remove(inbox.begin(), inbox.end(), message), inbox.end());
  if (l.element != nullptr) drop(l);
  dropped_.clear();
  end_step(ran_last_);
  running_ = before;
  tell_what_is_left_out();
  check_rejection();
}

/// Also if CAF has thrown the first away, since its receiver has ended: for its sender it makes no difference.
void run::send_again(number message) {
  const entered me(*this);
  const auto before = std::exchange(running_, ran_last_);
  const auto& first = letters_[message];
  const auto mid = first.mid;
  letter second{.to = first.to, .scoped = first.scoped, .memory = first.memory, .said = first.said, .kind = first.kind};
  if (first.element != nullptr) second.element = copy_of(*first.element);
  const bool is_refusable = may_refuse(*strands_[second.to], second);
  const auto n = post(std::move(second), mid, false, is_refusable);
  if (letters_[n].scoped != nullptr) sent_to_scoped_.push_back(n);
  running_ = before;
}

/// One that ends because nothing refers to it ends sooner or later as others do; nobody can tell.
bool run::may_crash(number actor) const {
  const auto& s = *strands_[strand_told_as(actor)];
  const bool has_ended_itself = s.has_ended && (!s.was_unreachable || s.ends_by_itself);
  return s.is_event_based && s.code == nullptr && !s.has_failed && !s.must_start && !has_ended_itself;
}

/// It does not wait until the actor takes a message: that may await an answer.
void run::crash(number actor) {
  const entered me(*this);
  const auto which = strand_told_as(actor);
  auto& s = *strands_[which];
  if (s.has_ended) return;
  const auto before = std::exchange(running_, which);
  begin_step(which);
  run_code(which, [this, &s] {
    auto* const executes = executor_for(s.handles->home_system());
    s.handles->context(executes);
    if (!s.handles->getf(caf::abstract_actor::is_initialized_flag))
      s.handles->activate(executes);  // one spawned lazily
    s.handles->quit(caf::exit_reason::kill);
    s.handles->finalize();
    bounce_aside(s);
  });
  note_variables();
  if (s.holds_memory) hold_memory(which);
  end_step(which);
  running_ = before;
  tell_what_is_left_out();
  check_rejection();
}

}  // namespace harrier::caf_adapter
