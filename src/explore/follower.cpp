#include "follower.hpp"

#include <algorithm>

namespace harrier {

bool is_fault(const fate& f) {
  return f.drawn != fate::what::arrives && f.drawn != fate::what::goes_on && f.drawn != fate::what::is_whole &&
         f.drawn != fate::what::stays_cut;
}

follower::follower(const system& old, system& fresh)
    : old_(old), fresh_(fresh), there_(old.message_count() + 1, no_message), step_there_(old.step_count(), no_step) {
  for (std::size_t i = 0; i < std::min(old.setup_steps(), fresh.setup_steps()); ++i) {
    step_there_[i] = static_cast<step_index>(i);
    know_what_was_sent(static_cast<step_index>(i));
  }
  // What begins the execution was sent by no step.
  for (message_slot m = 1; m <= std::min(old.message_count(), fresh.message_count()); ++m)
    if (old.message_at(m).sent_by == no_step) there_[m] = m;
}

message_slot follower::message_of(step_index i) const {
  if (old_.step_at(i).kind != step_kind::stage) return there_[old_.step_at(i).message];
  const auto m = fresh_.first_deliverable();
  return m != no_message && fresh_.message_at(m).makes == step_kind::stage ? m : no_message;
}

bool follower::deliver_as(step_index i, std::optional<std::size_t> without) {
  const auto m = message_of(i);
  if (!can_be_delivered(m)) return false;
  deliver(m, i, without);
  step_there_[i] = fresh_.last_step();
  know_what_was_sent(i);
  return true;
}

void follower::find_alike(step_index i) {
  if (old_.step_at(i).kind != step_kind::stage) find_alike_of(old_.step_at(i).message);
}

message_slot follower::find_alike_of(message_slot ours) {
  if (there_[ours] != no_message) return there_[ours];
  for (auto m = fresh_.first_deliverable(); m != no_message; m = fresh_.next_deliverable(m))
    if (is_alike(ours, m) && std::find(there_.begin(), there_.end(), m) == there_.end()) return there_[ours] = m;
  return no_message;
}

bool follower::is_alike(message_slot ours, message_slot theirs) const {
  const auto& a = old_.message_at(ours);
  const auto& b = fresh_.message_at(theirs);
  const auto sender = [](const system& s, message_slot m) {
    const auto by = s.sender_of(m);
    return by == no_step ? actor_id{} : s.actor_at(s.step_at(by).receiver).id;
  };
  return a.makes == b.makes && old_.actor_at(a.receiver).id == fresh_.actor_at(b.receiver).id &&
         sender(old_, ours) == sender(fresh_, theirs) && old_.message_text(ours) == fresh_.message_text(theirs);
}

void follower::deliver_drawing(step_index i, std::uint64_t code) {
  fresh_.deliver(message_of(i), code);
  step_there_[i] = fresh_.last_step();
  know_what_was_sent(i);
}

bool follower::come_to_stage(std::size_t most) {
  const auto longest = fresh_.depth() + most;
  for (auto m = next_by_itself(); m != no_message && fresh_.depth() < longest; m = next_by_itself()) {
    if (fresh_.message_at(m).makes == step_kind::stage) return true;
    fresh_.deliver(m);
  }
  return false;
}

void follower::come_to_end(std::size_t most) {
  const auto longest = fresh_.depth() + most;
  for (auto m = next_by_itself(); m != no_message && fresh_.depth() < longest; m = next_by_itself()) fresh_.deliver(m);
}

message_slot follower::next_by_itself() const {
  const auto first = fresh_.first_deliverable();
  for (auto m = first; m != no_message; m = fresh_.next_deliverable(m))
    if (fresh_.message_at(m).makes != step_kind::timeout) return m;
  return first;
}

void follower::know_what_was_sent(step_index i) {
  const auto at = step_there_[i];
  const auto theirs = fresh_.step_at(at).first_sent;
  const auto ours = old_.step_at(i).first_sent;
  for (auto m = ours; m < old_.sent_end(i) && theirs + (m - ours) < fresh_.sent_end(at); ++m)
    there_[m] = theirs + (m - ours);
}

/// Draws what step `i` of the old execution drew, but for one fate.
void follower::deliver(message_slot m, step_index i, std::optional<std::size_t> without) {
  std::uint64_t code = 0;
  fresh_.deliver(m, code);
  for (std::size_t c = 0; c < fresh_.choices_of(fresh_.last_step()).size(); ++c) {
    const auto wanted = draw_wanted(c, i, without);
    const auto drawn = fresh_.choices_of(fresh_.last_step())[c];
    if (wanted == 0 || wanted >= drawn.arity) continue;
    fresh_.undo();
    code += wanted * drawn.scale;
    fresh_.deliver(m, code);
  }
}

std::uint64_t follower::draw_wanted(std::size_t c, step_index i, std::optional<std::size_t> without) const {
  const auto at = fresh_.last_step();
  const auto theirs = fresh_.fates_of(at);
  const auto ours = old_.fates_of(i);
  const auto value_of = [&](std::size_t draw) {
    const auto& choice = old_.choices_of(i)[draw];
    return old_.step_at(i).code / choice.scale % choice.arity;
  };
  const auto there = std::find_if(theirs.begin(), theirs.end(), [c](const fate& f) { return f.draw == c; });
  if (there == theirs.end()) {  // the handler's own
    const bool is_own = c < old_.choices_of(i).size() &&
                        std::none_of(ours.begin(), ours.end(), [c](const fate& f) { return f.draw == c; });
    return is_own ? value_of(c) : 0;
  }
  for (std::size_t f = 0; f < ours.size(); ++f) {
    if (without == f || !is_fate_of_same(ours[f], i, *there, at)) continue;
    return value_of(ours[f].draw);
  }
  return 0;
}

bool follower::is_fate_of_same(const fate& ours, step_index i, const fate& theirs, step_index at) const {
  if ((ours.message == no_message) != (theirs.message == no_message) || ours.between != theirs.between) return false;
  if (ours.message == no_message)
    return old_.actor_at(ours.who).id == old_.actor_at(old_.step_at(i).receiver).id
               ? theirs.who == fresh_.step_at(at).receiver
               : ours.who - old_.step_at(i).first_created == theirs.who - fresh_.step_at(at).first_created;
  return ours.message - old_.step_at(i).first_sent == theirs.message - fresh_.step_at(at).first_sent;
}

}  // namespace harrier
