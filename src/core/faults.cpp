#include <harrier/core/faults.hpp>

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include <harrier/core/system.hpp>

#include "specifications.hpp"

// Why a fate can be drawn where the message is sent. What a message does depends on whether it is delivered, and when;
// that it is lost, or that there is a second one, shows to nobody before. So executions in which it is lost at
// different moments differ in nothing that anybody sees, and the one in which it is lost at once stands for them. The
// budget of a channel is counted along its sender's own steps, which no reduction reorders. An actor's crash shows to
// nobody but by what the actor does next, so one after its step i stands for all between its steps i and i + 1.

namespace harrier {
namespace {

/// The draws of one thing's fate: at most one of each kind.
class draw {
public:
  void may(fate::what happened) { possible_[count_++] = happened; }
  [[nodiscard]] std::size_t count() const { return count_; }
  [[nodiscard]] fate::what at(std::uint64_t i) const { return possible_[i]; }

private:
  fate::what possible_[4] = {};
  std::size_t count_ = 0;
};

const char* point_of(fate::what happened) {
  switch (happened) {
    case fate::what::is_lost: return "a message is lost";
    case fate::what::comes_twice: return "a message arrives twice";
    case fate::what::is_cut_off: return "a channel is cut";
    case fate::what::stays_cut: return "a channel stays cut";
    case fate::what::is_whole: return "the network is whole again";
    case fate::what::crashes: return "an actor crashes";
    case fate::what::arrives:
    case fate::what::goes_on: break;
  }
  return "nothing";
}

}  // namespace

std::span<const fault_kind> fault_kinds() {
  static constexpr fault_kind all[] = {
      {"lose", "How many messages of each channel, from one actor to another, may be lost", "message lost",
       "messages lost", "channel", &faults::lose, 0},
      {"duplicate", "How many messages of each channel may arrive twice", "message doubled", "messages doubled",
       "channel", &faults::duplicate, 0},
      {"partition",
       "How often each channel may be cut, or the network between each two groups that the program names; all messages "
       "are lost until it is restored",
       "cut", "cuts", "channel (or two groups that the program names)", &faults::partition, 0},
      {"crash", "How often each actor may crash; it restarts if it says how", "crash", "crashes", "actor",
       &faults::crash, 0},
      {"faults", "How many faults there may be in one execution, of all kinds (0: no such limit)", "fault", "faults",
       "execution", &faults::in_all, 0},
      {"heal-within",
       "From each end of an execution, run on fairly and without faults, all must come to rest within N deliveries "
       "(0: not checked; --heal means 1000)",
       "delivery", "deliveries", "healing", &faults::heal, 0},
      {"earliest-first", "", "", "", "clock", &faults::earliest_first, 0},
      {"timeouts", "How often the timers of each actor may fire in one execution, counted together", "timer fired",
       "timers fired", "actor", &faults::timeouts, faults{}.timeouts}};
  return all;
}

void system::allow(const faults& may_happen) {
  HARRIER_INVARIANT(depth() == 0, "what may happen to messages is said before the first is delivered");
  if (allowed_ == may_happen) return;  // it was said before
  allowed_ = may_happen;
  steps_end_with_more_ = steps_end_with_more_ || may_happen.any();
  const std::pair<std::uint64_t, fate::what> kinds[] = {{may_happen.lose, fate::what::is_lost},
                                                        {may_happen.duplicate, fate::what::comes_twice},
                                                        {may_happen.partition, fate::what::is_cut_off},
                                                        {may_happen.crash, fate::what::crashes}};
  for (const auto& [budget, what] : kinds)
    if (budget != 0) know_point(point_of(what));
  if (may_happen.crash != 0) prepare_restarts();
  if (may_happen.earliest_first != 0) prepare_clock();
}

bool execution::has_crashed(actor_slot a) const {
  return actors_[a].state_of_life == actor::mode::gone &&
         std::any_of(mishaps_.begin(), mishaps_.end(),
                     [a](const fate& f) { return f.drawn == fate::what::crashes && f.who == a; });
}

std::uint64_t system::times_befallen(fate::what happened, actor_slot sender, actor_slot receiver) const {
  return static_cast<std::uint64_t>(std::count_if(mishaps_.begin(), mishaps_.end(), [&](const fate& f) {
    if (f.drawn != happened) return false;
    if (f.message == no_message) return f.who == receiver;
    return steps_[f.at].receiver == sender && messages_[f.message].receiver == receiver;
  }));
}

/// Whether the last message of the channel was lost because that is cut.
bool system::is_cut(actor_slot sender, actor_slot receiver) const {
  for (auto f = fates_.rbegin(); f != fates_.rend(); ++f)
    if (f->message != no_message && steps_[f->at].receiver == sender && messages_[f->message].receiver == receiver)
      return f->drawn == fate::what::is_cut_off || f->drawn == fate::what::stays_cut;
  return false;
}

bool named_partition::is_between(actor_slot sender, actor_slot receiver) const {
  const auto is_in = [](const std::vector<actor_slot>& group, actor_slot a) {
    return std::find(group.begin(), group.end(), a) != group.end();
  };
  return (is_in(left, sender) && is_in(right, receiver)) ||
         (how == cuts::both_ways && is_in(right, sender) && is_in(left, receiver));
}

void system::add_partition(named_partition groups) {
  groups.said_by = last_step();
  steps_.back().needs_cleaning = true;
  partitions_.push_back(std::move(groups));
}

/// What its receiver knew, and what the sender of what it took knew: all that comes before the running step.
void system::learn_of_cuts() {
  const auto i = last_step();
  if (known_cuts_.size() <= i) known_cuts_.resize(i + std::size_t{1});
  auto& known = known_cuts_[i];
  known.assign(partitions_.size(), 0);
  const auto learn_from = [&](step_index before) {
    for (std::size_t p = 0; before != no_step && p < known.size(); ++p)
      known[p] = std::max(known[p], known_cuts(before, p));
  };
  learn_from(steps_.back().previous);
  learn_from(messages_[steps_.back().message].sent_by);
  for (const auto& r : releases_)
    if (r.message == steps_.back().message) learn_from(r.by);
  if (steps_.back().kind == step_kind::stage)  // comes after everything
    for (step_index before = 0; before < i; ++before) learn_from(before);
}

/// The fate of `m` at each border between two groups that it crosses.
/// @return whether it is lost at one.
bool system::draw_cuts(message_slot m) {
  const auto sender = steps_.back().receiver;
  for (std::uint32_t p = 0; p < partitions_.size(); ++p) {
    if (!partitions_[p].is_between(sender, messages_[m].receiver)) continue;
    if (has_had_enough() || steps_.back().discarded) return false;
    auto& known = known_cuts_[last_step()][p];
    const bool is_cut = known % 2 != 0;
    if (!is_cut && known >= 2 * allowed_.partition) continue;
    const bool changes = choose(2) != (is_cut ? 1U : 0U);
    if (changes) ++known;
    const bool loses_it = is_cut != changes;
    if (loses_it) lose(m);
    fate of_message{last_step(), m, fate::what::arrives};
    if (is_cut) of_message.drawn = changes ? fate::what::is_whole : fate::what::stays_cut;
    if (!is_cut && changes) of_message.drawn = fate::what::is_cut_off;
    of_message.between = p + 1;
    befall(of_message);
    if (loses_it) return true;
  }
  return false;
}

void system::lose(message_slot m) {
  auto& x = messages_[m];
  x.dead = x.constrained = x.may_be_left = true;
  message_lost(m);
}

/// A second message of the same content can be made of it.
bool system::may_come_twice(message_slot m) const {
  const auto& x = messages_[m];
  return x.kind != message::role::reply && (x.payload == nullptr || x.type->shape().bytes != 0);
}

message_slot system::send_again(message_slot m) {
  const auto first = messages_[m];
  void* payload = nullptr;
  if (first.payload != nullptr) {
    const auto shape = first.type->shape();
    payload = arena_.allocate(shape.bytes, shape.alignment);
    first.type->copy(payload, first.payload);
  }
  const auto second = post(first.receiver, *first.type, payload);
  auto& x = messages_[second];
  x.guarded = first.guarded;
  x.constrained = true;
  x.posthumous = first.posthumous;
  x.may_be_left = first.may_be_left;
  if (first.owns_payload) x.owns_payload = steps_.back().needs_cleaning = true;
  return second;
}

/// A function of what the receiver took before its step `e`, as guards are.
bool system::waits_for_first(message_slot m, step_index e) const {
  const auto found = std::find_if(mishaps_.begin(), mishaps_.end(), [m](const fate& f) { return f.second == m; });
  if (found == mishaps_.end() || m == no_message) return false;
  if (pending(found->message)) return true;
  for (auto i = actors_[messages_[m].receiver].last_step; i != no_step && i >= e; i = steps_[i].previous)
    if (steps_[i].message == found->message) return true;
  return false;
}

/// What was drawn last.
void system::befall(fate drawn) {
  drawn.draw = static_cast<std::uint32_t>(choices_.size() - 1) - steps_.back().first_choice;
  fates_.push_back(drawn);
  if (drawn.drawn == fate::what::arrives || drawn.drawn == fate::what::goes_on) return;
  if (drawn.drawn == fate::what::is_whole) return;  // the end of a fault is none
  mishaps_.push_back(drawn);
  const auto kind = static_cast<std::size_t>(drawn.drawn);
  if (!has_befallen_[kind]) {
    has_befallen_[kind] = true;
    reach_point(point_of(drawn.drawn));
  }
  if (allowed_.in_all != 0 && mishaps_.size() > allowed_.in_all) discard_execution();
}

/// Whether the running step alone has met as many faults as an execution may: then it draws no more. What other steps
/// met may be concurrent to it, so that an execution with more is left instead (see befall).
bool system::has_had_enough() const {
  if (allowed_.in_all == 0) return false;
  std::uint64_t here = 0;
  for (auto f = mishaps_.rbegin(); f != mishaps_.rend() && f->at == last_step(); ++f) ++here;
  return here >= allowed_.in_all;
}

/// What of the running step came about before its actor crashed: all of it; or the first messages that it sent from
/// `from` on, and what it had seen to that it is kept by then.
/// @return whether the actor has crashed, and is there again.
bool system::draw_crash(message_slot from, const crash_rules& rules) {
  const auto a = steps_.back().receiver;
  if (!rules.happens || has_had_enough()) return false;
  if (times_befallen(fate::what::crashes, a, a) >= allowed_.crash) return false;
  std::vector<message_slot> sent;
  for (auto m = from; m < messages_.size() && !rules.by_library; ++m)
    if (messages_[m].makes == step_kind::delivery && messages_[m].sent_by == last_step()) sent.push_back(m);
  const auto synced = rules.keeps ? synced_after(from) : std::vector<std::size_t>();
  const auto events = sent.size() + synced.size();
  // To have sent everything and kept everything is to have ended, but for what is kept only then.
  const auto points = rules.keeps ? events + 1 : events;
  const auto drawn = choose(2 + points);
  fate of_actor{last_step(), no_message, drawn == 0 ? fate::what::goes_on : fate::what::crashes, no_message, a};
  std::size_t kept = 0;
  if (drawn >= 2) {
    auto left = drawn - 2;
    of_actor.sent = 0;
    for (std::size_t i = 0; left > 0; --left)
      if (kept < synced.size() && synced[kept] == i)
        ++kept;
      else
        of_actor.sent = static_cast<std::uint32_t>(++i);
    of_actor.synced = static_cast<std::uint32_t>(kept);
    for (std::size_t i = of_actor.sent; i < sent.size(); ++i) lose(sent[i]);
  }
  befall(of_actor);
  // A library's run does what was drawn whenever it makes the step again, also in an execution that is left.
  if (drawn == 0 || (steps_.back().discarded && !rules.by_library)) return false;
  for (auto m = first_pending(); m != no_message && !rules.by_library; m = next_pending(m)) {
    const auto& x = messages_[m];
    if (x.receiver != a || x.withdrawn || x.dead) continue;
    const bool is_own = x.sent_by != no_step && steps_[x.sent_by].receiver == a;  // it never left the actor
    if (x.makes == step_kind::timeout || (x.makes == step_kind::delivery && is_own)) withdraw(m);
  }
  crash_running(drawn == 1, kept);
  return actors_[a].state_of_life != actor::mode::gone && !steps_.back().aborted;
}

void system::draw_crashes() {
  const auto a = steps_.back().receiver;
  const auto rules = rules_of_crash(a);
  if (actors_[a].state_of_life == actor::mode::gone && !rules.by_library) return;
  auto from = steps_.back().first_sent;
  for (auto next = static_cast<message_slot>(messages_.size()); draw_crash(from, rules) && rules.acts;
       next = static_cast<message_slot>(messages_.size()))
    from = next;
}

void system::crash_running(bool is_complete, std::size_t synced) {
  static_cast<void>(is_complete);
  static_cast<void>(synced);
  set_mode(actors_[steps_.back().receiver], actor::mode::gone);
}

/// One that restarts has nothing to lose before it takes its first message.
void system::draw_fate_of_created(actor_slot created) {
  if (is_internal(created) || rules_of_crash(created).restarts || has_had_enough()) return;
  const auto drawn = choose(2);
  befall({last_step(), no_message, drawn == 0 ? fate::what::goes_on : fate::what::crashes, no_message, created});
  if (drawn != 0) set_mode(actors_[created], actor::mode::gone);
}

void system::draw_fate_of(message_slot m) {
  const auto sender = steps_.back().receiver;
  const auto& x = messages_[m];
  if (x.makes != step_kind::delivery || x.receiver == sender || x.dead || has_had_enough()) return;
  if (!may_be_befallen(m)) return;
  if (!partitions_.empty() && allowed_.partition != 0 && (draw_cuts(m) || has_had_enough() || steps_.back().discarded))
    return;
  using what = fate::what;
  const bool cuts_channels = allowed_.partition != 0 && partitions_.empty();
  draw possible;
  possible.may(what::arrives);
  if (cuts_channels && is_cut(sender, x.receiver)) {
    possible.may(what::stays_cut);
  } else {
    if (times_befallen(what::is_lost, sender, x.receiver) < allowed_.lose) possible.may(what::is_lost);
    if (cuts_channels && times_befallen(what::is_cut_off, sender, x.receiver) < allowed_.partition)
      possible.may(what::is_cut_off);
  }
  // Also the first after a cut.
  if (may_come_twice(m) && times_befallen(what::comes_twice, sender, x.receiver) < allowed_.duplicate)
    possible.may(what::comes_twice);
  if (possible.count() == 1) return;
  fate of_message{last_step(), m, possible.at(choose(possible.count()))};
  if (loses(of_message.drawn)) lose(m);
  if (of_message.drawn == what::comes_twice) of_message.second = send_again(m);
  befall(of_message);
}

/// At the end of a step, after what its handler drew itself.
void system::draw_fates() {
  const auto sender = steps_.back().receiver;
  if (allowed_.partition != 0) learn_of_cuts();
  if (steps_.back().aborted || is_internal(sender)) return;
  if (specifications_ != nullptr && specifications_->withheld_last_step(*this)) return;
  if (allowed_.crash != 0 && draws_of_created_) {
    const auto end = static_cast<actor_slot>(actors_.size());
    // What the set-up created may crash when the driver begins.
    const bool is_beginning = sender == 0 && last_step() == origin_;
    for (auto a = is_beginning ? 1 : steps_.back().first_created; a < end && !steps_.back().aborted; ++a)
      draw_fate_of_created(a);
  }
  if (sender == 0 || steps_.back().aborted) return;
  if (allowed_.crash != 0) draw_crashes();
  const auto end = static_cast<message_slot>(messages_.size());
  for (auto m = steps_.back().first_sent; m < end && !steps_.back().aborted; ++m) draw_fate_of(m);
}

void system::mark_timer(message_slot m, std::int64_t nanoseconds) {
  armed_.push_back({m, nanoseconds, now() + nanoseconds});
  steps_.back().needs_cleaning = true;
  auto& x = messages_[m];
  x.makes = step_kind::timeout;
  x.constrained = x.may_be_left = true;
  has_timers_ = steps_end_with_more_ = true;
}

const system::armed& system::armed_by(message_slot m) const {
  const auto found =
      std::lower_bound(armed_.begin(), armed_.end(), m, [](const armed& a, message_slot of) { return a.message < of; });
  HARRIER_INVARIANT(found != armed_.end() && found->message == m, "what a timer sends was armed");
  return *found;
}

std::int64_t system::delay_of(message_slot m) const { return armed_by(m).nanoseconds; }
std::int64_t system::due_time(message_slot m) const { return armed_by(m).due; }

void system::release(message_slot m) {
  releases_.push_back({last_step(), m, std::max(now(), due_time(m))});
  steps_.back().needs_cleaning = true;
}

/// Whether time had come for timer `m` before step `e`.
bool system::is_released(message_slot m, step_index e) const {
  return std::any_of(releases_.begin(), releases_.end(), [&](const released& r) { return r.message == m && r.by < e; });
}

/// Whether its actor would take what timer `m` sends, however often its timers fired.
bool system::takes_timer(message_slot m) const {
  const auto& x = messages_[m];
  const auto mode = actors_[x.receiver].state_of_life;
  if (is_void(m) || mode == actor::mode::gone) return false;
  return (!x.guarded && mode == actor::mode::open) || takes(m, no_step);
}

bool system::would_fire(message_slot m) const {
  return !fired_enough(messages_[m].receiver, no_step) && takes_timer(m);
}

std::uint64_t system::times_fired(actor_slot a, step_index e) const {
  std::uint64_t fired = 0;
  for (auto i = actors_[a].last_step; i != no_step; i = steps_[i].previous)
    if (i < e && steps_[i].kind == step_kind::timeout) ++fired;
  return fired;
}

/// A function of the receiver's own steps, as guards are.
bool system::fired_enough(actor_slot a, step_index e) const {
  return !timeouts_are_lifted_ && times_fired(a, e) >= allowed_.timeouts;
}

bool system::is_out_of_timeouts() const {
  if (!has_timers_) return false;
  for (auto m = first_pending(); m != no_message; m = next_pending(m)) {
    const auto& x = messages_[m];
    if (x.makes == step_kind::timeout && fired_enough(x.receiver, no_step) && takes_timer(m)) return true;
  }
  return false;
}

void system::write_known_cuts(message_slot m, value_bytes& out) const {
  if (!tells_of_cuts(m)) return;
  for (std::size_t p = 0; p < partitions_.size(); ++p) out.raw(known_cuts(messages_[m].sent_by, p));
}

void system::write_used_faults(actor_slot a, value_bytes& out) const {
  if (specifications_ != nullptr) specifications_->write_way(*this, a, out);
  if (allowed_.any()) {
    std::vector<std::pair<std::uint32_t, fate::what>> used;
    for (const auto& f : mishaps_) {
      const bool is_own = f.message == no_message ? f.who == a : steps_[f.at].receiver == a;
      if (!is_own || f.drawn == fate::what::stays_cut || f.between != 0) continue;
      const auto other = f.message == no_message ? 0 : out.name_of(actors_[messages_[f.message].receiver].id);
      used.emplace_back(other, f.drawn);
    }
    if (allowed_.partition != 0 && partitions_.empty())
      for (actor_slot other = 0; other < actors_.size(); ++other)
        if (is_cut(a, other)) used.emplace_back(out.name_of(actors_[other].id), fate::what::stays_cut);
    std::sort(used.begin(), used.end());
    for (const auto& [receiver, what] : used) {
      out.raw(receiver);
      out.raw(what);
    }
    for (std::size_t p = 0; allowed_.partition != 0 && p < partitions_.size(); ++p) {
      out.raw(known_cuts(actors_[a].last_step, p));
      for (const auto* group : {&partitions_[p].left, &partitions_[p].right})
        out.raw(std::find(group->begin(), group->end(), a) != group->end());
    }
  }
  if (!has_timers_) return;
  if (a == 0 && !releases_.empty()) {  // whose step it is that time passes
    out.raw(now());
    for (const auto& r : releases_)
      if (pending(r.message) && !is_void(r.message)) out.raw(r.at);
  }
  const auto fired = times_fired(a, no_step);
  if (fired > 0) out.raw(std::min(fired, allowed_.timeouts));
}

}  // namespace harrier
