#include "remembered_steps.hpp"

#include <algorithm>
#include <new>
#include <utility>

#include "suspended.hpp"

namespace harrier::detail {
namespace {

// Of deliveries as long as no handler was found dear: each of the first ones is measured, then one in so many.
constexpr std::uint64_t always_measured = 512;
constexpr std::uint64_t measured_every = 257;  // prime, to keep out of step with loops
// Ten times what it takes to write the key of a small state, to look it up, and to do what was done again.
constexpr auto dear_handler = std::chrono::microseconds(10);
constexpr std::uint32_t first_samples = 4;  // what is called for the first time takes longer
constexpr std::uint32_t samples_in_a_row = 16;
constexpr std::uint32_t dear_enough = 4;  // of them: one may have been interrupted
constexpr std::uint64_t tries_between_weighings = 256;

template <class Type>
std::shared_ptr<void> copy_of(const Type& type, std::size_t bytes, std::size_t alignment, const void* value) {
  const std::align_val_t aligned{alignment};
  void* const place = ::operator new(bytes, aligned);
  try {
    type.copy(place, value);
  } catch (...) {
    ::operator delete(place, aligned);
    throw;
  }
  return {place, [&type, aligned](void* kept) {
            type.destroy(kept);
            ::operator delete(kept, aligned);
          }};
}

}  // namespace

remembered_steps::remembered_steps(world& in, memoising how, std::size_t most) : in_(in), how_(how), most_(most) {}
remembered_steps::~remembered_steps() = default;

std::optional<memoised_steps> remembered_steps::counts() const {
  return was_used_ ? std::optional(counts_) : std::nullopt;
}

std::uint64_t remembered_steps::next_look() const {
  const bool all = how_ == memoising::on || dear_kinds_ > 0 || looks_ < always_measured;
  return all ? 1 : measured_every;
}

bool remembered_steps::is_measured_now() const {
  return looks_ < always_measured || dear_kinds_ == 0 || looks_ % measured_every == 0;
}

/// What goes on in the middle of something, or is watched closer than memory is, is not asked for.
bool remembered_steps::may_be_remembered(const step& s) const {
  return !in_.is_repeating() && in_.accesses() == nullptr && s.receiver != 0 && s.mode_before == actor::mode::open &&
         s.activity_before == nullptr && in_.message_at(s.message).kind != message::role::reply;
}

bool remembered_steps::recall(step& s) {
  ++looks_;
  running_ = {};
  last_kept_ = no_step;
  if (!may_be_remembered(s)) return false;
  auto& kind = kinds_[in_.message_at(s.message).type];
  running_.at = in_.last_step();
  running_.kind = &kind;
  if (how_ == memoising::automatic && kind.is != experience::verdict::dear) {
    if (kind.is == experience::verdict::hopeless || !is_measured_now()) return false;
    running_.to_do = running_step::task::measure;
    in_.step_needs_ending_ = true;
    running_.began = clock::now();
    return false;
  }

  was_used_ = true;
  const auto delivery = in_.watch().deliveries();
  is_counted_ = std::exchange(counted_at_, delivery) == delivery;
  const auto began = now();
  weigh(kind);
  ++kind.tries;
  if (!write_key(s)) {
    count(counts_.unfit);
    kind.besides += now() - began;
    return false;
  }
  if (const auto* const done = find(running_.key); done != nullptr && can_be_done_again(*done)) {
    do_again(*done, s);
    count(counts_.recalled);
    ++kind.hits;
    kind.besides += now() - began;
    return true;
  }
  running_.to_do = running_step::task::keep;
  in_.step_needs_ending_ = true;
  running_.began = now();
  kind.besides += running_.began - began;
  return false;
}

void remembered_steps::step_ended() {
  if (running_.at != in_.last_step()) return;
  const auto to_do = std::exchange(running_.to_do, running_step::task::nothing);
  if (to_do == running_step::task::nothing) return;
  const auto ended = now();
  if (to_do == running_step::task::measure) return judge(*running_.kind, ended - running_.began);
  running_.kind->in_handlers += ended - running_.began;
  keep(in_.running());
  running_.kind->besides += now() - ended;
}

void remembered_steps::judge(experience& of, clock::duration handler) {
  if (of.first_samples < first_samples) {
    ++of.first_samples;
    return;
  }
  ++of.samples;
  if (handler >= dear_handler) ++of.dear_samples;
  if (of.dear_samples >= dear_enough) {
    of.is = experience::verdict::dear;
    ++dear_kinds_;
  }
  if (of.samples >= samples_in_a_row) of.samples = of.dear_samples = 0;
}

/// Whether what was saved so far is more than what it took.
void remembered_steps::weigh(experience& of) {
  if (how_ != memoising::automatic || of.tries == 0 || of.tries % tries_between_weighings != 0) return;
  const auto called = static_cast<double>(of.tries - of.hits);
  const auto hits = static_cast<double>(of.hits);
  if (called == 0 || std::chrono::duration<double>(of.in_handlers) * (hits / called) > of.besides) return;
  of.is = experience::verdict::hopeless;
  --dear_kinds_;
}

bool remembered_steps::write_key(const step& s) {
  const auto& receiver = in_.actor_at(s.receiver);
  const auto& m = in_.message_at(s.message);
  text_.clear();
  receiver.type->write(receiver.state, text_);
  running_.state = text_.hash_of_all();
  m.type->write(m.payload, text_);
  running_.objects.assign(text_.shared_objects().begin(), text_.shared_objects().end());
  text_.raw(running_.state);  // says where the state ends
  text_.raw(m.type);
  text_.raw(receiver.id);
  text_.raw(s.code);
  if (m.kind == message::role::request) {  // who asks is replied to as it waits
    const auto* const caller = in_.suspended_->continuation_of(s.message);
    text_.raw(caller == nullptr ? nullptr : caller->on_value);
    text_.raw(caller == nullptr ? nullptr : caller->on_error);
  }
  running_.key = text_.hash_of_all();
  return text_.is_all() && text_.unshown().empty();
}

const remembered_steps::effect* remembered_steps::find(const fingerprint& key) {
  if (const auto found = young_.find(key); found != young_.end()) return &found->second;
  auto aged = old_.extract(key);
  if (aged.empty()) return nullptr;
  make_room_for(aged.mapped().bytes);
  return &young_.insert(std::move(aged)).position->second;
}

/// A name that was given back and stands for nobody in this execution is no receiver.
bool remembered_steps::can_be_done_again(const effect& done) const {
  for (const auto& x : done.sends)
    if (!x.is_reply && !in_.exists(x.receiver)) return false;
  return true;
}

void remembered_steps::do_again(const effect& done, step& s) {
  in_.mark_recalled();
  if (done.state == nullptr)
    s.keeps_state = true;
  else
    change_state(done.state, s);
  for (const auto arity : done.arities) static_cast<void>(in_.choose(arity));
  for (const auto& x : done.sends) send_again(x, s);
  for (const auto& word : done.notes) in_.leave_note(word);
  if (done.ends_actor) in_.set_mode(in_.actor_in(s.receiver), actor::mode::gone);
}

void remembered_steps::change_state(const kept_value& to, step& s) {
  const auto& receiver = in_.actor_in(s.receiver);
  const auto& type = *receiver.type;
  in_.suspended_->save(s);
  type.destroy(receiver.state);
  try {
    type.copy(receiver.state, to.get());
  } catch (...) {
    type.copy(receiver.state, s.state_before);  // there must be one, to be taken back
    throw;
  }
}

void remembered_steps::send_again(const sending& x, step& s) {
  void* payload = nullptr;
  if (x.payload != nullptr) {
    const auto shape = x.type->shape();
    payload = in_.memory().allocate(shape.bytes, shape.alignment);
    x.type->copy(payload, x.payload.get());
  }
  const auto m =
      x.is_reply ? in_.post_reply(s.message, *x.type, payload) : in_.post(in_.slot_of(x.receiver), *x.type, payload);
  if (x.guarded) in_.guard(m);
  if (x.owns_payload) in_.sent(m).owns_payload = s.needs_cleaning = true;
}

bool remembered_steps::can_be_kept(const step& s) const {
  const auto i = in_.step_count() - 1;
  const auto& receiver = in_.actor_at(s.receiver);
  if (s.flagged || s.aborted || s.discarded || in_.created_end(i) != s.first_created || in_.last_step_withdrew() ||
      receiver.activity != nullptr || receiver.state_of_life == actor::mode::waiting)
    return false;
  for (const auto m : in_.sent_by(i)) {
    const auto& x = in_.message_at(m);
    if (x.makes != step_kind::delivery || (x.payload != nullptr && x.type->shape().bytes == 0)) return false;
  }
  return true;
}

remembered_steps::effect remembered_steps::effect_of(const step& s) {
  const auto i = in_.step_count() - 1;
  const auto& receiver = in_.actor_at(s.receiver);
  effect done;
  done.ends_actor = receiver.state_of_life == actor::mode::gone;
  done.bytes = sizeof(generation::value_type);
  if (!s.keeps_state) {
    text_.clear();
    receiver.type->write(receiver.state, text_);
    if (!text_.is_all() || text_.hash_of_all() != running_.state) {
      done.makes_objects = done.makes_objects || !are_known(text_);
      const auto& type = static_cast<const native_actor&>(*receiver.type);
      done.state = copy_of(type, type.size, type.alignment, receiver.state);
      done.bytes += type.size + text_.text().size();
    }
  }
  for (const auto m : in_.sent_by(i)) {
    const auto& x = in_.message_at(m);
    sending again{.receiver = in_.actor_at(x.receiver).id,
                  .type = x.type,
                  .payload = nullptr,
                  .guarded = x.guarded,
                  .owns_payload = x.owns_payload,
                  .is_reply = x.kind == message::role::reply};
    if (x.payload != nullptr) {
      const auto shape = x.type->shape();
      text_.clear();
      x.type->write(x.payload, text_);
      done.makes_objects = done.makes_objects || !are_known(text_);
      again.payload = copy_of(*x.type, shape.bytes, shape.alignment, x.payload);
      done.bytes += shape.bytes + text_.text().size();
    }
    done.bytes += sizeof again;
    done.sends.push_back(std::move(again));
  }
  for (const auto& c : in_.choices_of(i)) done.arities.push_back(c.arity);
  const auto& notes = in_.notes();
  auto first = notes.size();
  while (first > 0 && notes[first - 1].at == i) --first;
  for (; first < notes.size(); ++first) {
    done.notes.push_back(notes[first].word);
    done.bytes += notes[first].word.size();
  }
  return done;
}

/// Whether the handler was given all objects that what was written shares: one that it makes is another each time.
bool remembered_steps::are_known(const value_bytes& written) const {
  const auto& given = running_.objects;
  return std::all_of(written.shared_objects().begin(), written.shared_objects().end(),
                     [&](const void* object) { return std::find(given.begin(), given.end(), object) != given.end(); });
}

/// What a copy throws here, it throws again where the state is copied for each step.
void remembered_steps::keep(const step& s) {
  try {
    if (!can_be_kept(s)) {
      count(counts_.unfit);
      return;
    }
    auto done = effect_of(s);
    if (done.makes_objects) {
      count(counts_.unfit);
      return;
    }
    make_room_for(done.bytes);
    young_.insert_or_assign(running_.key, std::move(done));
    last_kept_ = in_.last_step();
    count(counts_.distinct);
  } catch (...) {
    count(counts_.unfit);
  }
}

void remembered_steps::forget_last_step() {
  if (last_kept_ != in_.last_step()) return;
  if (young_.erase(running_.key) == 0 || is_counted_) return;
  --counts_.distinct;
  ++counts_.unfit;
}

void remembered_steps::make_room_for(std::size_t bytes) {
  if (young_bytes_ + bytes > most_ / 2) {
    if (!old_.empty()) ++counts_.forgotten;
    old_ = std::exchange(young_, {});
    young_bytes_ = 0;
  }
  young_bytes_ += bytes;
}

}  // namespace harrier::detail
