// A step is run when it is taken; going back runs nothing. When the next step is taken elsewhere, a new run makes all
// steps before it once more, and what it tells is compared with what was told the first time.
//
// What a receiver takes is a function of its past and of the message. Both are known by what they come of: the past of
// an actor is the list of what it took, a message is the k-th that its sender sent having that past. So an answer holds
// in every interleaving, and is tried once. Of what could be delivered next it is tried in the run itself, which is
// then ahead by one delivery: in most cases the one that is made next.
#include "reexecuted_system.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <charconv>
#include <functional>
#include <map>
#include <mutex>
#include <new>
#include <set>
#include <thread>
#include <utility>

#include <harrier/core/error.hpp>

#include "../../core/base/spin_lock.hpp"

namespace harrier::reexecution {
namespace {

/// What comes of `from` by `how`.
fingerprint below(const fingerprint& from, const fingerprint& how, std::uint64_t which) {
  const std::array<std::uint64_t, 5> all = {from.low, from.high, how.low, how.high, which};
  return hash_bytes(all.data(), sizeof all);
}

constexpr std::size_t most_answers = 1U << 20;
constexpr std::size_t most_texts = 1U << 14;
constexpr std::uint64_t always_compared = 20;  // of runs, also by the texts of messages and by what they touch
constexpr std::uint64_t compared_every = 61;

// What stands for an actor in a text is between these.
constexpr char before_actor = '\x01';
constexpr char after_actor = '\x02';

/// @param name  of what is between them, or what that is not
template <class Name>
std::string with_actors(const std::string& text, Name name) {
  std::string changed;
  std::size_t from = 0;
  for (auto begin = text.find(before_actor); begin != std::string::npos; begin = text.find(before_actor, from)) {
    const auto end = text.find(after_actor, begin);
    if (end == std::string::npos) break;
    changed.append(text, from, begin - from).append(name(std::string_view(text).substr(begin + 1, end - begin - 1)));
    from = end + 1;
  }
  return changed.append(text, from);
}

std::string actor_between(std::string_view which) { return before_actor + std::string(which) + after_actor; }

std::string text_of_key(const fingerprint& key) { return std::to_string(key.low) + '.' + std::to_string(key.high); }

std::uint64_t drawn(const execution& e, std::size_t step, const choice& c) {
  return e.step_at(step).code / c.scale % c.arity;
}

}  // namespace

/// The local state of an actor, as far as harrier knows it.
struct reexecuted_system::local {
  fingerprint past;
  /// Of the memory for which it stands: what touched that last.
  fingerprint memory;
};

struct reexecuted_system::parcel {
  number which;
  fingerprint comes_of = {};
  sending as = {.receiver = 0, .kind = {}};

  /// In place of a number: what starts the program.
  static constexpr auto the_beginning = static_cast<number>(-1);
};

class reexecuted_system::class_of_actors final : public actor_type {
public:
  explicit class_of_actors(std::string name) : name_(std::move(name)) {}
  void copy(void* target, const void* state) const override { ::new (target) local(*static_cast<const local*>(state)); }
  void destroy(void*) const override {}
  [[nodiscard]] std::size_t bytes() const override { return sizeof(local); }
  [[nodiscard]] std::string name() const override { return name_; }
  [[nodiscard]] bool is(std::string_view name) const { return name_ == name; }
  [[nodiscard]] std::string describe(const system&, const void*) const override { return {}; }
  [[nodiscard]] bool at_rest(const void*) const override { return true; }
  [[nodiscard]] bool tells_rest() const override { return false; }
  [[nodiscard]] fingerprint hash(const void* state) const override {
    const auto& l = *static_cast<const local*>(state);
    return l.memory == fingerprint{} ? l.past : below(l.past, l.memory, 0);
  }

private:
  std::string name_;
};

class reexecuted_system::kind_of_message final : public message_type {
public:
  explicit kind_of_message(std::string name) : name_(std::move(name)) {}
  void deliver(system& s, step& st) const override { static_cast<reexecuted_system&>(s).react(st); }
  void undo(system& s, step&) const override { static_cast<reexecuted_system&>(s).take_back(); }
  void destroy(void*) const override {}
  [[nodiscard]] std::string describe(const system& s, const void* payload) const override {
    const auto* p = static_cast<const parcel*>(payload);
    if (p == nullptr || p->which == parcel::the_beginning) return name_ + "()";
    return static_cast<const reexecuted_system&>(s).text_of(*p);
  }
  [[nodiscard]] std::string name() const override { return name_; }
  [[nodiscard]] std::string_view text() const { return name_; }
  [[nodiscard]] bool is(std::string_view name) const { return name_ == name; }
  [[nodiscard]] fingerprint hash(const void* payload) const override {
    return payload != nullptr ? static_cast<const parcel*>(payload)->comes_of : fingerprint{};
  }

private:
  std::string name_;
};

/// The classes of actors and the kinds of messages of a program, by name: the same for all its systems, which may be in
/// several threads.
class reexecuted_system::kinds {
public:
  /// Some actor does not take every answer at once.
  std::atomic<bool> answers_are_refused = false;

  const class_of_actors& class_called(std::string_view name) { return one_called(classes_, name); }
  const kind_of_message& message_called(std::string_view name) { return one_called(messages_, name); }

  /// @return whose run was begun last in this thread; null if there is none any more
  const reexecuted_system* begins_a_run(const reexecuted_system* of) {
    const std::lock_guard lock(one_at_a_time_);
    return std::exchange(begun_last_[std::this_thread::get_id()], of);
  }
  void is_gone(const reexecuted_system* of) {
    const std::lock_guard lock(one_at_a_time_);
    std::erase_if(begun_last_, [of](const auto& begun) { return begun.second == of; });
  }

private:
  template <class Kind>
  using by_name = std::map<std::string, std::unique_ptr<Kind>, std::less<>>;

  template <class Kind>
  const Kind& one_called(by_name<Kind>& all, std::string_view name) {
    const std::lock_guard lock(one_at_a_time_);
    auto found = all.find(name);
    if (found == all.end()) found = all.emplace(name, std::make_unique<Kind>(std::string(name))).first;
    return *found->second;
  }

  spin_lock one_at_a_time_;  // a mutex might be taken for the program's
  by_name<class_of_actors> classes_;
  by_name<kind_of_message> messages_;
  std::map<std::thread::id, const reexecuted_system*> begun_last_;
};

/// Hears of a step that was made before: whether it is the same again. Actors and messages keep their numbers.
class reexecuted_system::again {
public:
  explicit again(const reexecuted_system& of) : of_(of) {}

  void makes(std::size_t step) {
    step_ = step;
    draws_ = complaints_ = 0;
    has_failed_ = false;
    difference_.clear();
    next_actor_ = of_.first_created_in(step);
    end_of_actors_ = of_.first_created_in(step + 1);
    first_message_ = first_unsent_ = of_.first_sent_in(step);
    was_sent_.assign(of_.first_sent_in(step + 1) - first_message_, false);
  }
  /// What differed; empty if nothing.
  std::string difference() {
    const auto missing = std::find(was_sent_.begin(), was_sent_.end(), false) - was_sent_.begin();
    if (static_cast<std::size_t>(missing) < was_sent_.size())
      differs("it did not send " + kind_of(first_message_ + static_cast<number>(missing)).name());
    if (next_actor_ < end_of_actors_) differs("it did not create " + of_.actor_name(of_.actors_[next_actor_]));
    const auto& then = of_.step_at(step_);
    if (has_failed_ != (then.aborted && !then.discarded))  // one fault too many is no failure
      differs(has_failed_ ? "it failed, which it did not before" : "it did not fail, as it did before");
    if (const auto before = then.flagged ? of_.records_of_step(step_).size() : 0; before != complaints_)
      differs("it had " + std::to_string(complaints_) + " findings, not " + std::to_string(before));
    return difference_;
  }

  number created(std::string_view name) {
    if (next_actor_ >= end_of_actors_ || !class_of(next_actor_).is(name))
      differs("it created an actor of class " + std::string(name) + ", which it did not before");
    return next_actor_ < end_of_actors_ ? next_actor_++ : nobody_before();
  }
  number sent(const sending& what) {
    const auto is_it = [&](number m) {
      return !was_sent_[m - first_message_] && kind_of(m).is(what.kind) && what.receiver < of_.actors_.size() &&
             of_.message_at(of_.messages_[m]).receiver == of_.actors_[what.receiver];
    };
    const auto end = first_message_ + static_cast<number>(was_sent_.size());
    for (auto m = first_unsent_; m < end; ++m)
      if (is_it(m)) {
        was_sent_[m - first_message_] = true;
        while (first_unsent_ < end && was_sent_[first_unsent_ - first_message_]) ++first_unsent_;
        return m;
      }
    differs("it sent " + std::string(what.kind) + " to " + name_of(what.receiver) + ", which it did not before");
    return nobody_before();
  }
  void failed() {
    has_failed_ = true;
    ++complaints_;
  }
  void complained() { ++complaints_; }
  std::uint64_t choose(std::uint64_t arity) {
    const auto before = of_.choices_of(step_);
    if (draws_ < before.size() && before[draws_].arity == arity) return drawn(of_, step_, before[draws_++]);
    differs("it drew one of " + std::to_string(arity) + " values, which it did not before");
    return 0;
  }

private:
  void differs(std::string how) {
    if (difference_.empty()) difference_ = std::move(how);
  }
  /// A number that nobody has had.
  number nobody_before() { return of_.nobody() + extra_++; }
  [[nodiscard]] const kind_of_message& kind_of(number m) const {
    return static_cast<const kind_of_message&>(*of_.message_at(of_.messages_[m]).type);
  }
  [[nodiscard]] const class_of_actors& class_of(number a) const {
    return static_cast<const class_of_actors&>(*of_.actor_at(of_.actors_[a]).type);
  }
  [[nodiscard]] std::string name_of(number a) const {
    return a < of_.actors_.size() ? of_.actor_name(of_.actors_[a]) : "an actor that was not there";
  }

  const reexecuted_system& of_;
  std::size_t step_ = 0;
  std::size_t draws_ = 0;
  std::size_t complaints_ = 0;
  bool has_failed_ = false;
  number next_actor_ = 0;
  number end_of_actors_ = 0;
  number first_message_ = 0;
  number first_unsent_ = 0;  // of those it has sent before
  number extra_ = 0;
  std::vector<bool> was_sent_;
  std::string difference_;
};

/// Hears what the run does: a step for the first time, or again. What is told for the first time is kept until the step
/// is made: the run may be ahead by it, and what was sent in no order gets one.
class reexecuted_system::told_of_run final : public listener {
public:
  explicit told_of_run(reexecuted_system& of) : of_(of), again_(of) {}

  /// @param code  what it draws
  void first_time(std::uint64_t code) {
    is_again_ = false;
    code_ = code;
    forget();
    actors_ = static_cast<number>(of_.actors_.size());
    messages_ = static_cast<number>(of_.messages_.size());
  }
  void repeats(std::size_t step) {
    is_again_ = true;
    again_.makes(step);
  }
  std::string difference() { return again_.difference(); }
  [[nodiscard]] bool heard_nothing() const { return kept_.empty(); }
  /// The step in which it was told is made now.
  void comes_true() {
    for (auto& e : kept_)
      if (e.what == event::is::created) of_.add(e.name);
    of_.touch_all_of(kept_touches_, touches_all_);
    order_bursts();
    for (auto& e : kept_) {
      switch (e.what) {
        case event::is::created: break;
        case event::is::sent: of_.put(e.sent, e.which); break;
        case event::is::ended: of_.end(e.which); break;
        case event::is::failed:
          of_.record_finding(std::move(e.found));
          of_.abort_execution();
          break;
        case event::is::complained: of_.record_finding(std::move(e.found)); break;
        case event::is::drew: static_cast<void>(of_.system::choose(e.arity)); break;
      }
    }
    forget();
  }

  number created(std::string_view name) override {
    if (is_again_) return again_.created(name);
    kept_.push_back({.what = event::is::created, .name = std::string(name)});
    return actors_++;
  }
  number sent(const sending& what) override {
    if (is_again_) return again_.sent(what);
    kept_.push_back({.what = event::is::sent, .which = messages_, .sent = of_.lasting(what)});
    return messages_++;
  }
  void ended(number actor) override {
    if (!is_again_) kept_.push_back({.what = event::is::ended, .which = actor});
  }
  void failed(record what) override {
    if (is_again_) return again_.failed();
    kept_.push_back({.what = event::is::failed, .found = std::move(what)});
  }
  void complained(record what) override {
    if (is_again_) return again_.complained();
    kept_.push_back({.what = event::is::complained, .found = std::move(what)});
  }
  std::uint64_t choose(std::uint64_t arity) override {
    if (is_again_) return again_.choose(arity);
    const auto value = code_ % arity;
    code_ /= arity;
    kept_.push_back({.what = event::is::drew, .arity = arity});
    return value;
  }
  void touches(number actor) override {
    if (!is_again_) kept_touches_.push_back(actor);
  }
  void touches_all() override { touches_all_ = touches_all_ || !is_again_; }
  void may_refuse_answers() override { of_.kinds_->answers_are_refused = true; }
  [[nodiscard]] bool is_known() const override { return is_again_ && !of_.compares_all_; }
  [[nodiscard]] std::uint32_t facts() const override { return of_.facts_; }

private:
  void forget() {
    kept_.clear();
    kept_touches_.clear();
    touches_all_ = false;
  }
  struct event {
    enum class is : std::uint8_t { created, sent, ended, failed, complained, drew };
    is what;
    number which = 0;
    sending sent = {};
    std::string name = {};
    record found = {};
    std::uint64_t arity = 0;
  };

  /// By their receivers, as these are called in every interleaving.
  void order_bursts() {
    for (std::size_t first = 0; first < kept_.size(); ++first) {
      const auto* const burst = kept_[first].sent.burst;
      if (burst == nullptr) continue;
      std::vector<std::size_t> places;
      for (auto i = first; i < kept_.size(); ++i)
        if (kept_[i].sent.burst == burst) places.push_back(i);
      std::vector<event> all;
      for (const auto i : places) all.push_back(std::move(kept_[i]));
      std::stable_sort(all.begin(), all.end(), [&](const event& a, const event& b) {
        return of_.keys_[a.sent.receiver] < of_.keys_[b.sent.receiver];
      });
      for (std::size_t i = 0; i < places.size(); ++i) {
        kept_[places[i]] = std::move(all[i]);
        kept_[places[i]].sent.burst = nullptr;
      }
    }
  }

  reexecuted_system& of_;
  again again_;
  bool is_again_ = false;
  number actors_ = 1;
  number messages_ = 0;
  std::uint64_t code_ = 0;
  std::vector<event> kept_;
  std::vector<number> kept_touches_;
  bool touches_all_ = false;
};

/// Hears of a trial: of some steps of the execution, and of one that may follow.
class reexecuted_system::told_of_trial final : public listener {
public:
  explicit told_of_trial(const reexecuted_system& of) : of_(of), again_(of) {}
  void makes(std::size_t step) { again_.makes(step); }
  void tries() { is_trying_ = true; }
  [[nodiscard]] bool was_sent(number m) const { return m < sent_.size() && sent_[m]; }

  number created(std::string_view name) override { return is_trying_ ? of_.nobody() + extra_++ : again_.created(name); }
  number sent(const sending& what) override {
    if (is_trying_) return of_.nobody() + extra_++;
    const auto m = again_.sent(what);
    if (m >= sent_.size()) sent_.resize(std::size_t{m} + 1);
    sent_[m] = true;
    return m;
  }
  void ended(number) override {}
  void failed(record) override {}
  void complained(record) override {}
  std::uint64_t choose(std::uint64_t arity) override { return is_trying_ ? 0 : again_.choose(arity); }
  [[nodiscard]] std::uint32_t facts() const override { return of_.facts_; }

private:
  const reexecuted_system& of_;
  again again_;
  bool is_trying_ = false;
  number extra_ = 0;
  std::vector<bool> sent_;
};

reexecuted_system::reexecuted_system(rerun_program what, std::shared_ptr<kinds> all, delivery model)
    : system(model),
      program_(std::move(what)),
      kinds_(std::move(all)),
      told_(std::make_unique<told_of_run>(*this)),
      watching_(watch()) {
  if (model == delivery::mailbox_interleaved) program_.eager_starts = false;
  if (program_.seen != nullptr && program_.seen->shares_memory()) share_memory();
  orders_starts_ = program_.seen != nullptr && program_.seen->orders_starts();
  facts_ = program_.seen != nullptr ? program_.seen->facts() : 0;
  if (program_.eager_starts || program_.may_go_on) tell_ends_of_steps();
  guards_are_dear();
  spare_what_is_created();
}
reexecuted_system::~reexecuted_system() { kinds_->is_gone(this); }

void reexecuted_system::begin() {
  add("main");
  auto* const start = ::new (memory().allocate(sizeof(parcel), alignof(parcel))) parcel{.which = parcel::the_beginning};
  deliver_in_setup(post_from_outside(actors_.front(), kinds_->message_called("start"), start));
  if (!choices_of(last_step()).empty())
    throw untestable_program("the program draws values before its first delivery; let an actor draw them");
  if (step_at(last_step()).flagged)
    throw untestable_program("the program fails before its first message: " + records_of_last_step().front().message);
  begin_exploration();
  explored_from_ = step_count();
}

void reexecuted_system::react(step& s) {
  auto& me = *static_cast<local*>(actor_in(s.receiver).state);
  const auto& taken = message_at(s.message);
  s.state_before = ::new (memory().allocate(sizeof(local), alignof(local))) local(me);
  me.past = s.kind == step_kind::stage ? below(past_of_all(), {}, s.code)
                                       : below(me.past, parcel_in(taken)->comes_of, s.code);
  const auto here = step_count() - 1;
  if (is_held()) held_steps_.push_back(static_cast<step_index>(here));
  const bool is_made = ahead_by_ == s.message && s.code == 0 && !is_elsewhere_ && run_ != nullptr;  // else it was left
  if (!is_made) catch_up(here);
  ran_ = here + 1;
  ahead_by_ = no_message;
  sent_in_step_ = created_in_step_ = 0;
  if (!is_made) {
    told_->first_time(s.code);
    if (!make(*run_, taken)) throw nondeterminism("it refuses the message, which it did not before");
  }
  told_->comes_true();
  if (s.aborted) void_last_step();
}

void reexecuted_system::take_back() {
  const auto& s = running();
  *static_cast<local*>(actor_in(s.receiver).state) = *static_cast<const local*>(s.state_before);
  const auto pop_from = [](auto& slots, auto first) {
    while (!slots.empty() && slots.back() >= first) slots.pop_back();
  };
  pop_from(messages_, s.first_sent);
  pop_from(starts_, s.first_sent);
  pop_from(actors_, s.first_created);
  for (; !touched_.empty() && touched_.back().at == last_step(); touched_.pop_back())
    static_cast<local*>(actor_in(touched_.back().what).state)->memory = touched_.back().before;
  keys_.resize(actors_.size());
  for (; !ended_by_others_.empty() && ended_by_others_.back().first == last_step(); ended_by_others_.pop_back())
    set_mode(actor_in(ended_by_others_.back().second), actor::mode::open);
  if (!held_steps_.empty() && held_steps_.back() == last_step()) {
    held_steps_.pop_back();
    hold_all_but(s.message);
  }
  if (ran_ >= step_count()) is_elsewhere_ = true;
}

void reexecuted_system::step_ended() {
  if (is_held()) let_go();
  const auto hold = [this](message_slot m) {
    hold_all_but(m);
    running().needs_cleaning = true;
  };
  if (starts_eagerly())
    if (const auto m = next_start(); m != no_message) return hold(m);
  if (program_.may_go_on && !is_apart_ && !aborted() && !anything_deliverable() && goes_on())
    hold(post_next_stage(actors_.front(), kinds_->message_called("goes_on")));
}

crash_rules reexecuted_system::rules_of_crash(actor_slot a) const {
  return {.happens = program_.can_be_befallen && a != 0 && run_->may_crash(number_of(a)), .by_library = true};
}

void reexecuted_system::crash_running(bool, std::size_t) {
  const auto who = running().receiver;
  run_->crash(number_of(who));
  told_->comes_true();
  set_mode(actor_in(who), actor::mode::gone);
}

bool reexecuted_system::may_be_befallen(message_slot m) const { return parcel_of(m).as.may_be_lost; }

void reexecuted_system::message_lost(message_slot m) {
  run_->lose(parcel_of(m).which);
  told_->comes_true();
}

bool reexecuted_system::may_come_twice(message_slot m) const { return parcel_of(m).as.may_come_twice; }

message_slot reexecuted_system::send_again(message_slot m) {
  run_->send_again(parcel_of(m).which);
  told_->comes_true();
  const auto second = messages_.back();
  sent(second).constrained = true;
  return second;
}

void reexecuted_system::befall(live_run& run, std::size_t i) const {
  if (!allowed_faults().any()) return;
  for (const auto& f : fates_of(i)) {
    if (f.drawn == fate::what::crashes)
      run.crash(number_of(f.who));
    else if (f.drawn == fate::what::comes_twice)
      run.send_again(parcel_of(f.message).which);
    else if (loses(f.drawn))
      run.lose(parcel_of(f.message).which);
  }
}

reexecuted_system::number reexecuted_system::number_of(actor_slot a) const {
  return static_cast<number>(std::lower_bound(actors_.begin(), actors_.end(), a) - actors_.begin());
}

stages::end reexecuted_system::current() const {
  return anything_deliverable() || goes_on() ? end::at_rest : end::last;
}

void reexecuted_system::begin_next(std::uint64_t code) {
  deliver(post_next_stage(actors_.front(), kinds_->message_called("goes_on")), code);
}

void reexecuted_system::take_back_next() {
  undo();
  take_back_next_stage();
}

bool reexecuted_system::goes_on() const {
  catch_up(step_count());
  return run_->goes_on();
}

void reexecuted_system::check(final_states& reached) const {
  catch_up(step_count());
  for (auto& wrong : run_->at_end()) reached.fail(std::move(wrong));
}

bool reexecuted_system::make(live_run& run, const message& taken) {
  const auto* const p = parcel_in(taken);
  if (p == nullptr) return run.go_on(), true;
  if (p->which == parcel::the_beginning) return run.begin(), true;
  return run.deliver(p->which);
}

std::unique_ptr<live_run> reexecuted_system::start(listener& told) const {
  if (program_.one_run_at_a_time)
    if (const auto* const other = kinds_->begins_a_run(this)) other->leave_run();
  return program_.start(told);
}

void reexecuted_system::catch_up(std::size_t end) const {
  if (run_ == nullptr || is_elsewhere_ || ahead_by_ != no_message) {
    ahead_by_ = no_message;
    run_.reset();
    run_ = start(*told_);
    compares_all_ = runs_ < always_compared || runs_ % compared_every == 0;
    ++runs_;
    ran_ = 0;
    is_elsewhere_ = false;
  }
  for (; ran_ < end; ++ran_)
    if (is_of_the_program(ran_)) repeat(ran_);
}

void reexecuted_system::repeat(std::size_t i) const {
  told_->repeats(i);
  const auto& taken = message_at(step_at(i).message);
  const bool took = make(*run_, taken);
  if (took) befall(*run_, i);
  auto difference = took ? told_->difference() : std::string("it refuses the message, which it did not before");
  if (difference.empty() && compares_all_) difference = difference_of_texts(i);
  if (!difference.empty()) {
    is_elsewhere_ = true;
    throw nondeterminism(actor_name(step_at(i).receiver) + "." + taken.type->name() +
                         " did not repeat itself: " + difference);
  }
}

reexecuted_system::number reexecuted_system::add(std::string_view class_name) {
  const auto which = static_cast<number>(actors_.size());
  auto* const state = ::new (memory().allocate(sizeof(local), alignof(local))) local{};
  keys_.push_back(step_count() == 0 ? fingerprint{} : below(past_of_running(), fingerprint{1, 1}, created_in_step_++));
  actors_.push_back(add_actor(kinds_->class_called(class_name), state));
  return which;
}

const fingerprint& reexecuted_system::past_of_running() const {
  return static_cast<const local*>(actor_at(step_at(last_step()).receiver).state)->past;
}

void reexecuted_system::put(const sending& what, number which) {
  auto* const payload = ::new (memory().allocate(sizeof(parcel), alignof(parcel)))
      parcel{which, below(past_of_running(), {}, sent_in_step_++), what};
  has_queues_ = has_queues_ || what.queue != 0;
  const auto m = post(actors_[what.receiver], kinds_->message_called(what.kind), payload, what.in);
  if (which >= messages_.size()) messages_.resize(std::size_t{which} + 1);
  messages_[which] = m;
  if (what.starts) starts_.push_back(m);
  if (what.may_be_refused) guard(m);
  using when_gone = message::when_gone;
  if (what.posthumous)
    sent(m).posthumous = what.in_any_order_then ? when_gone::answered_in_any_order : when_gone::answered;
  sent(m).may_be_left = what.may_be_left;
}

sending reexecuted_system::lasting(sending what) const {
  what.kind = kinds_->message_called(what.kind).text();
  return what;
}

/// What the running step does comes of what touched that before.
void reexecuted_system::touch_all_of(const std::vector<number>& memory, bool is_all) {
  if (running().kind == step_kind::stage) return;
  const auto& own = *static_cast<const local*>(actor_in(running().receiver).state);
  if (!shares_memory() && !is_all && memory.empty() && own.memory == fingerprint{}) return;
  const auto is_touched = [this](actor_slot what) {
    for (auto t = touched_.rbegin(); t != touched_.rend() && t->at == last_step(); ++t)
      if (t->what == what) return true;
    return false;
  };
  const auto touch_one = [&, this](actor_slot what) {
    if (is_touched(what)) return;
    auto& me = *static_cast<local*>(actor_in(running().receiver).state);
    auto& it = *static_cast<local*>(actor_in(what).state);
    touched_.push_back({last_step(), what, it.memory});
    me.past = below(me.past, it.memory, 1);
    it.memory = me.past;
    touch(what);
  };
  if (is_all) {
    for (const auto slot : actors_) touch_one(slot);
    return;
  }
  // At its own looks whoever touches all.
  std::vector<actor_slot> all = {running().receiver};
  for (const auto which : memory) all.push_back(actors_[which]);
  std::sort(all.begin(), all.end());
  all.erase(std::unique(all.begin(), all.end()), all.end());
  for (const auto slot : all) touch_one(slot);
}

void reexecuted_system::end(number actor) {
  const auto slot = actors_[actor];
  if (slot != running().receiver) ended_by_others_.emplace_back(last_step(), slot);
  set_mode(actor_in(slot), actor::mode::gone);
}

void reexecuted_system::void_last_step() {
  set_mode(actor_in(running().receiver), actor::mode::gone);
  for (auto m = running().first_sent; m <= message_count(); ++m) sent(m).dead = sent(m).constrained = true;
}

message_slot reexecuted_system::next_start() const {
  auto oldest = no_message;
  for (auto i = starts_.size(); i-- > 0;) {
    if (message_at(starts_[i]).dead) continue;
    if (is_taken(starts_[i])) break;
    oldest = starts_[i];
  }
  return oldest;
}

fingerprint reexecuted_system::past_of_all() const {
  fingerprint all;
  for (const auto a : actors_) all = below(all, static_cast<const local*>(actor_at(a).state)->past, 0);
  return all;
}

reexecuted_system::number reexecuted_system::first_sent_in(std::size_t i) const {
  const auto before = [&](message_slot m, std::size_t step) { return message_at(m).sent_by < step; };
  return static_cast<number>(std::lower_bound(messages_.begin(), messages_.end(), i, before) - messages_.begin());
}

reexecuted_system::number reexecuted_system::first_created_in(std::size_t i) const {
  const auto end = i < step_count() ? step_at(i).first_created : static_cast<actor_slot>(actor_count());
  return static_cast<number>(std::lower_bound(actors_.begin(), actors_.end(), end) - actors_.begin());
}

bool reexecuted_system::takes(message_slot m, step_index e) const {
  if (parcel_of(m).as.comes_last && !nothing_comes_before(m, e)) return false;
  if (answers_.size() >= most_answers) answers_.clear();
  const auto [known, is_new] =
      answers_.try_emplace({past_before(message_at(m).receiver, e), parcel_of(m).comes_of}, false);
  if (is_new) known->second = e == no_step && ahead_by_ == no_message ? is_taken_next(m) : is_taken_in_a_trial(m, e);
  return known->second;
}

bool reexecuted_system::nothing_comes_before(message_slot m, step_index e) const {
  const auto& last = message_at(m);
  if ((e == no_step ? actor_at(last.receiver).last_step : step_at(e).previous) != last.sent_by) return false;
  std::set<message_slot> taken;
  for (auto i = last.sent_by; i != no_step; i = step_at(i).previous) taken.insert(step_at(i).message);
  for (const auto other : messages_) {
    if (other >= m) break;
    if (message_at(other).receiver != last.receiver || taken.contains(other)) continue;
    if (parcel_of(other).as.comes_from_afar || parcel_of(other).as.comes_last) continue;
    if (takes(other, e)) return false;
  }
  return true;
}

bool reexecuted_system::is_taken_next(message_slot m) const {
  catch_up(step_count());
  told_->first_time(0);
  const bool took =
      watching_.trying(step_count() + 1 - explored_from_, m, [&] { return run_->deliver(parcel_of(m).which); });
  if (took)
    ahead_by_ = m;
  else if (!told_->heard_nothing())
    throw nondeterminism("it refuses " + message_at(m).type->name() + ", and yet something happened");
  return took;
}

bool reexecuted_system::is_taken_in_a_trial(message_slot m, step_index e) const {
  const auto steps = past_of(m, e);
  if (steps.empty()) return false;
  told_of_trial told(*this);
  const auto trial = start(told);
  const auto must_be_there = [&](message_slot sent) {
    const auto* const p = parcel_in(message_at(sent));
    if (p != nullptr && p->which != parcel::the_beginning && !told.was_sent(p->which))
      throw nondeterminism("a run of only what leads to it did not send " + message_at(sent).type->name() + " to " +
                           actor_name(message_at(sent).receiver) + ", as the execution did");
  };
  for (const auto i : steps) {
    must_be_there(step_at(i).message);
    told.makes(i);
    make(*trial, message_at(step_at(i).message));
    befall(*trial, i);
  }
  must_be_there(m);
  told.tries();
  return trial->deliver(parcel_of(m).which);
}

std::vector<std::size_t> reexecuted_system::past_of(message_slot m, step_index e) const {
  const auto receiver = message_at(m).receiver;
  std::vector<bool> is_needed(step_count());
  std::vector<step_index> todo = {message_at(m).sent_by,
                                  e == no_step ? actor_at(receiver).last_step : step_at(e).previous};
  const auto need = [&](step_index i) {
    is_needed[i] = true;
    todo.push_back(step_at(i).previous);
    todo.push_back(message_at(step_at(i).message).sent_by);
    for (const auto& t : touches_of(i))
      if (t.before != 0) todo.push_back(touches()[t.before - 1].at);
  };
  while (!todo.empty()) {
    const auto i = todo.back();
    todo.pop_back();
    if (i == no_step || is_needed[i]) continue;
    if (e != no_step && step_at(i).receiver == receiver && i >= e) return {};
    need(i);
    if (step_at(i).kind != step_kind::stage) continue;
    for (step_index before = 0; before < i; ++before)  // it came after everything
      if (!is_needed[before]) todo.push_back(before);
  }
  std::vector<std::size_t> steps;
  for (std::size_t i = 0; i < is_needed.size(); ++i)
    if (is_needed[i] && is_of_the_program(i)) steps.push_back(i);
  return steps;
}

std::string reexecuted_system::text_of(const parcel& p) const {
  if (texts_.size() >= most_texts) texts_.clear();
  const auto [known, is_new] = texts_.try_emplace(p.comes_of);
  if (is_new) known->second = with_keys(waits_in_the_run(p) ? run_->describe(p.which) : text_in_a_trial(p));
  return with_names(known->second);
}

std::string reexecuted_system::with_keys(const std::string& told) const {
  return with_actors(told, [this](std::string_view digits) {
    number which = nobody();
    std::from_chars(digits.data(), digits.data() + digits.size(), which);
    return which < keys_.size() ? actor_between(text_of_key(keys_[which])) : std::string("an actor");
  });
}

std::string reexecuted_system::with_names(const std::string& kept) const {
  return with_actors(kept, [this](std::string_view key) {
    for (std::size_t which = 0; which < keys_.size(); ++which)
      if (text_of_key(keys_[which]) == key) return actor_name(actors_[which]);
    return std::string("an actor");
  });
}

bool reexecuted_system::waits_in_the_run(const parcel& p) const {
  const auto m = messages_[p.which];
  return run_ != nullptr && ran_ == step_count() && !is_elsewhere_ && ahead_by_ == no_message && !is_taken(m);
}

std::string reexecuted_system::difference_of_texts(std::size_t i) const {
  for (auto m = first_sent_in(i); m < first_sent_in(i + 1); ++m) {
    const auto text = with_keys(run_->describe(m));
    if (texts_.size() >= most_texts) texts_.clear();
    const auto [known, is_new] = texts_.try_emplace(parcel_of(messages_[m]).comes_of, text);
    if (!is_new && known->second != text) return "it sent " + with_names(text) + ", not " + with_names(known->second);
  }
  return {};
}

std::string reexecuted_system::text_in_a_trial(const parcel& p) const {
  const auto by = message_at(messages_[p.which]).sent_by;
  told_of_trial told(*this);
  const auto trial = start(told);
  for (std::size_t i = 0; i <= by; ++i) {
    if (!is_of_the_program(i)) continue;
    told.makes(i);
    make(*trial, message_at(step_at(i).message));
    befall(*trial, i);
  }
  if (!told.was_sent(p.which)) return message_at(messages_[p.which]).type->name() + "(...)";
  return trial->describe(p.which);
}

const fingerprint& reexecuted_system::past_before(actor_slot a, step_index e) const {
  const auto* state = e == no_step ? actor_at(a).state : state_before(a, e);
  return static_cast<const local*>(state)->past;
}

bool reexecuted_system::can_be() const { return can_be_with(no_message); }

bool reexecuted_system::can_be_with(message_slot next) const {
  if (!has_queues_ || model() != delivery::causal || allowed_faults().any()) return true;
  std::vector<message_slot> slots;
  auto all = with_queues(slots);
  if (next != no_message) {
    const auto& m = message_at(next);
    const auto& receiver = actor_at(m.receiver);
    const auto taken = static_cast<std::size_t>(std::find(slots.begin(), slots.end(), next) - slots.begin());
    const auto is_in_queue = taken < slots.size() && receiver.state_of_life != actor::mode::gone;
    all.steps.push_back({.previous = receiver.last_step,
                         .cause = m.sent_by,
                         .takes = is_in_queue ? taken : execution_with_queues::nothing,
                         .answers_for = execution_with_queues::nothing});
    if (is_in_queue) all.messages[taken].taken_by = static_cast<step_index>(step_count());
    std::erase_if(all.debts, [taken](const auto& d) { return d.request == taken; });
  }
  return all.can_be([&](std::size_t n, step_index e) {
    return !message_at(slots[n]).guarded || takes(slots[n], e < step_count() ? e : no_step);
  });
}

/// What a step sent that failed came into no queue; what an actor takes that has ended, it takes out of none.
execution_with_queues reexecuted_system::with_queues(std::vector<message_slot>& slots) const {
  execution_with_queues all;
  all.fetches_when_nothing_is_left = program_.fetches_when_nothing_is_left;
  std::vector<std::size_t> numbers(message_count() + 1, execution_with_queues::nothing);
  all.messages.reserve(message_count());
  all.steps.reserve(step_count() + 1);
  slots.reserve(message_count());
  for (message_slot m = 1; m <= message_count(); ++m) {
    const auto& x = message_at(m);
    const auto* const p = parcel_in(x);
    if (p == nullptr || p->as.queue == 0 || x.sent_by == no_step || step_at(x.sent_by).aborted) continue;
    numbers[m] = slots.size();
    slots.push_back(m);
    all.messages.push_back({.queue = p->as.queue,
                            .is_urgent = p->as.is_urgent,
                            .comes_later = p->as.comes_later,
                            .as_sender_ends = p->as.as_sender_ends,
                            .is_no_message = x.posthumous == message::when_gone::answered,
                            .before_all = p->as.comes_before_all,
                            .is_answered_by_place = p->as.is_answered_by_place,
                            .sent_by = x.sent_by});
  }
  for (step_index e = 0; e < step_count(); ++e) {
    const auto& s = step_at(e);
    const auto m = numbers[s.message];
    const auto* const p = parcel_in(message_at(s.message));
    const bool is_gone = s.mode_before == actor::mode::gone;
    all.steps.push_back({.previous = s.previous,
                         .cause = message_at(s.message).sent_by,
                         .takes = is_gone ? execution_with_queues::nothing : m,
                         .answers_for = is_gone ? m : execution_with_queues::nothing,
                         .closes_last = program_.tells_end_before_it_answers && (p == nullptr || !p->as.comes_last)});
    if (m != execution_with_queues::nothing && !is_gone) all.messages[m].taken_by = e;
  }
  add_debts(all, slots);
  return all;
}

void reexecuted_system::add_debts(execution_with_queues& all, const std::vector<message_slot>& slots) const {
  std::vector<bool> is_answered(slots.size());
  for (const auto& s : all.steps)
    if (s.answers_for != execution_with_queues::nothing) is_answered[s.answers_for] = true;
  for (std::size_t m = 0; m < slots.size(); ++m) {
    const auto& x = message_at(slots[m]);
    const auto& as = parcel_of(slots[m]).as;
    const auto& receiver = actor_at(x.receiver);
    if (as.answered_to == 0 || all.messages[m].taken_by != no_step || is_answered[m]) continue;
    if (receiver.state_of_life != actor::mode::gone ||
        (receiver.last_step != no_step && step_at(receiver.last_step).aborted))
      continue;
    all.debts.push_back({.request = m,
                         .answer = all.messages.size(),
                         .last_of_receiver = receiver.last_step,
                         .is_taken_at_once = !kinds_->answers_are_refused});
    all.messages.push_back({.queue = as.answered_to,
                            .is_urgent = as.is_urgent,
                            .comes_later = false,
                            .as_sender_ends = false,
                            .is_no_message = false,
                            .before_all = false,
                            .is_answered_by_place = false,
                            .sent_by = no_step});
  }
}

std::string actor_in_text(std::uint32_t actor) { return actor_between(std::to_string(actor)); }

program reexecute(rerun_program what) {
  const auto usual = what.usual_delivery;
  auto seen = what.seen;
  return {[what = std::move(what), all = std::make_shared<reexecuted_system::kinds>()](delivery model) {
            if (!what.fits_mailboxes && (model == delivery::mailbox || model == delivery::mailbox_interleaved))
              throw untestable_program(
                  "its library does not deliver as model " + std::string(to_string(model)) +
                  " says, which would leave out orders that happen; causal, fifo and unordered do not");
            return start_system<reexecuted_system>(what, all, model);
          },
          [](final_states& end) { static_cast<const reexecuted_system&>(end.system()).check(end); }, usual,
          std::move(seen)};
}

}  // namespace harrier::reexecution
