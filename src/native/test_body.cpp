#include <harrier/native/test_body.hpp>

#include <cstring>
#include <memory>
#include <utility>

#include <harrier/core/error.hpp>
#include <harrier/core/stages.hpp>

#include "../core/healing.hpp"
#include "../core/script.hpp"
#include "body_trial.hpp"

namespace harrier {
namespace detail {
namespace {

constexpr std::uint64_t always_compared = 200;  // of the runs of a body
constexpr std::uint64_t compared_every = 61;

using run_handle = std::unique_ptr<body_trial, take_down>;

/// Follows the steps of an execution, the first `count` of them.
class following final : public script {
public:
  following(const execution& of, std::size_t count) : of_(of), count_(count) {}
  order after(const system&, bool) override {
    if (next_ == count_) return {};
    const auto& s = of_.step_at(next_);
    const bool is_stage = next_ == 0 || s.kind == step_kind::stage;
    ++next_;
    return {is_stage ? what::stage : what::delivery, {s.code, s.message}};
  }

private:
  const execution& of_;
  std::size_t count_;
  std::size_t next_ = 0;
};

/// The driver of a test in a search, which goes back over deliveries, but not
/// over the body: where that goes on, it is run anew in a system of its own, with
/// all that was delivered so far, and what it does then is done here.
class test_world final : public body_host, public stages {
public:
  test_world(std::shared_ptr<const test_body> body, std::shared_ptr<seen_of_program> seen, delivery model)
      : body_host(model), body_(std::move(body)), seen_(std::move(seen)) {
    tell_ends_of_steps();
  }
  test_world(const test_world&) = delete;
  test_world& operator=(const test_world&) = delete;
  ~test_world() override { hide_system(*this); }

  stages* in_stages() override { return this; }
  [[nodiscard]] end current() const override { return runs_.empty() ? end::not_begun : runs_.back().of->stage(); }
  [[nodiscard]] bool looks_at_ends() const override {
    return current() != end::last || runs_.back().of->finally() != nullptr || wanted_.look_at_ends();
  }
  void search_apart(bool on) override { is_apart_ = on; }
  void begin_next(std::uint64_t code) override;
  void take_back_next() override;
  [[nodiscard]] bool is_closed() const override { return is_closed_; }
  void open() override { set_closed(false); }
  void close() override { set_closed(true); }

  void body_goes_on(step& s) override;
  void body_is_taken_back(const step& s) override;

  /// What the body wants of an end.
  static void check_end_of(final_states& reached) { static_cast<const test_world&>(reached.system()).check(reached); }
  /// The same of one that is none of the program's.
  static void check_what_converges_in(final_states& reached) {
    static_cast<const test_world&>(reached.system()).check_what_converges(reached);
  }
  /// What the body said is to hold when it began in this execution; null: it has not begun, or ended early.
  [[nodiscard]] const specification* wanted(std::size_t number) const;
  /// `answer`, for which a predicate named `name` was asked. @throws untestable_program  something failed in that
  template <class Answer>
  Answer as_answered(const std::string& name, Answer answer) const;

private:
  struct run {
    step_index at;
    bool was_held;
    run_handle of;
  };

  void begin() override;
  void step_ended() override;
  void repeat(const body_trial& done);
  void record_failures_elsewhere();
  bool is_over();
  [[nodiscard]] run_handle run_body(bool keeps_configuration);
  void specify_all();
  [[nodiscard]] specification asked_of_this_execution(std::size_t number) const;
  void check(final_states& reached) const;
  void check_what_converges(final_states& reached) const;
  void set_closed(bool on) {
    is_closed_ = on;
    on ? hold_everything() : let_go();
  }

  std::shared_ptr<const test_body> body_;
  std::shared_ptr<seen_of_program> seen_;
  wishes wanted_;  // by the first run of the body, and by each
  bool is_known_ = false;
  std::vector<run> runs_;  // of the body, one for each step in which it went on; what it sent lies there
  run_handle undone_;
  std::uint64_t compared_ = 0;
  bool is_apart_ = false;
  bool is_closed_ = false;
  bool begins_next_ = false;
};

void test_world::begin() {
  show_system(*this);
  add_driver();
  deliver_in_setup(post_beginning());
  if (!runs_.empty()) wanted_ = runs_.front().of->wanted();
  is_known_ = true;
  if (!choices_of(0).empty()) undo();  // then it is explored like any other step
  if (step_count() != 0 && step_at(0).flagged) {
    const auto& first = records_of_step(0).front();
    const auto where = first.file.empty() ? std::string() : first.file + ":" + std::to_string(first.line) + ": ";
    throw untestable_program(where + "the test fails before its first message: " + first.message);
  }
  begin_exploration();
  specify_all();
}

void test_world::specify_all() {
  for (std::size_t i = 0; i < wanted_.specifications().size(); ++i) specify(asked_of_this_execution(i));
}

/// What is asked are the functions that the body gave in the execution that is judged: they may have captured what it
/// drew.
specification test_world::asked_of_this_execution(std::size_t number) const {
  auto what = wanted_.specifications()[number];
  if (what.found.target<script_line>() != nullptr) return what;
  const auto& name = wanted_.specifications()[number].name;
  const auto ask = [this, number, &name](auto function, auto otherwise) {
    return [this, number, &name, function, otherwise](const states& now) {
      const auto* const said = wanted(number);
      return said == nullptr ? otherwise : as_answered(name, (said->*function)(now));
    };
  };
  if (what.found) what.found = ask(&specification::found, specification::tuples());
  if (what.then) what.then = ask(&specification::then, specification::tuples());
  if (what.judge)
    what.judge = [this, number](const states& now, const std::vector<recording>& recorded) {
      const auto* const said = wanted(number);
      auto judged = said == nullptr ? history_verdict() : said->judge(now, recorded);
      if (!judged.undecided.empty()) seen_->leave_out(judged.undecided);
      return judged;
    };
  return what;
}

const specification* test_world::wanted(std::size_t number) const {
  if (runs_.empty()) return nullptr;
  const auto& said = runs_.front().of->wanted().specifications();
  return number < said.size() ? &said[number] : nullptr;
}

template <class Answer>
Answer test_world::as_answered(const std::string& name, Answer answer) const {
  if (body_->elsewhere == nullptr || body_->elsewhere().records.empty()) return answer;
  const auto failed = std::exchange(body_->elsewhere(), {}).records.front();
  throw untestable_program("an assertion fails in a function of '" + name +
                           "', which says by what it returns whether it holds: " + failed.message);
}
run_handle test_world::run_body(bool keeps_configuration) {
  struct names_lent {
    test_world& ours;
    body_trial& theirs;
    names_lent(test_world& from, body_trial& to) : ours(from), theirs(to) { ours.exchange_names(theirs); }
    ~names_lent() { ours.exchange_names(theirs); }
  };
  run_handle made(new body_trial(*body_, model()));
  made->allow(allowed_faults());
  const names_lent names(*this, *made);
  following steps(*this, step_count());
  made->run(steps, keeps_configuration);
  if (is_known_) wanted_.require_same(made->wanted(), made->aborted());
  return made;
}

void test_world::body_goes_on(step& s) {
  const auto at = last_step();
  const bool was_held = is_held();
  let_go();
  const bool compares = compared_++ < always_compared || compared_ % compared_every == 0;
  auto made = run_body(compares);
  s.needs_cleaning = true;
  repeat(*made);
  if (compares && configuration() != made->last_effects().configuration)
    throw nondeterminism(
        "the test does not repeat itself when its body is run again: the actors' states or the pending messages "
        "differ; "
        "it depends on something outside, like a global variable, a clock or an address");
  runs_.push_back({at, was_held, std::move(made)});
}

void test_world::repeat(const body_trial& done) {
  const auto& did = done.last_effects();
  const auto& s = done.step_at(did.at);
  for (const auto& c : done.choices_of(did.at)) static_cast<void>(choose(c.arity));
  for (auto a = s.first_created; a < did.actors_end; ++a) {
    if (done.is_internal(a)) continue;
    const auto& type = static_cast<const native_actor&>(*done.actor_at(a).type);
    auto* const copy = memory().allocate(type.size, type.alignment);
    type.copy(copy, done.actor_at(a).state);
    const auto slot = add_actor(type, copy);
    type.adopt(*this, slot, copy);
    if (allowed_faults().crash != 0) keep_as_created(slot);
  }
  for (auto m = s.first_sent; m < did.messages_end; ++m) {
    const auto& x = done.message_at(m);
    if (x.kind != message::role::plain)
      throw error("the body of a test makes no calls: send the message, handle_all(), and look at state()");
    const auto sent_here = post(x.receiver, *x.type, x.payload);
    if (x.guarded) guard(sent_here);
  }
  for (const auto& p : done.partitions())
    if (p.said_by == did.at) add_partition(p);
  for (const auto& r : did.records) record_finding(r);
  for (const auto& n : did.notes) leave_note(n);
  if (did.discarded)
    discard_execution();
  else if (did.aborted)
    abort_execution();
}

void test_world::body_is_taken_back(const step& s) {
  is_closed_ = false;
  if (runs_.empty() || runs_.back().at != last_step()) return;  // it failed before it was there
  const bool was_held = runs_.back().was_held;
  undone_ = std::move(runs_.back().of);  // what it sent is looked at until it is gone
  runs_.pop_back();
  was_held ? hold_all_but(s.message) : let_go();
}

void test_world::record_failures_elsewhere() {
  if (body_->elsewhere == nullptr || body_->elsewhere().records.empty()) return;
  const auto seen = std::exchange(body_->elsewhere(), {});
  forget_last_step();  // its handler must fail again
  if (!seen.not_in_handlers.empty()) throw error(seen.not_in_handlers);
  for (const auto& failed : seen.records) record_finding(failed);
}

void test_world::step_ended() {
  show_system(*this);
  record_failures_elsewhere();
  if (runs_.empty() || aborted()) return;
  const auto kind = current();
  if (runs_.back().at == last_step()) {
    if (is_apart_ && !begins_next_ && kind != end::any_time && anything_deliverable()) set_closed(true);
    return;
  }
  if (is_held()) throw error("the body of the test goes on before anything else is delivered");
  if (kind == end::last || (kind == end::at_rest && is_apart_)) return;
  const bool may_go_on = anything_deliverable();
  if (kind == end::at_rest ? may_go_on : !is_over() && may_go_on) return;
  const auto m = post_going_on(runs_.back().of->call());
  running().needs_cleaning = true;
  hold_all_but(m);
}

/// Of a stage that may end while something can be delivered. What fails in asking belongs to the delivery before.
bool test_world::is_over() {
  if (!is_visible(step_at(last_step()).kind)) return false;
  if (std::strcmp(runs_.back().of->call(), "handle_one") == 0) return true;
  const auto asked = run_body(false);
  for (const auto& failed : asked->failed_when_left()) record_finding(failed);
  return asked->is_over();
}

void test_world::begin_next(std::uint64_t code) {
  const auto m = runs_.empty() ? first_pending() : post_going_on(runs_.back().of->call());
  begins_next_ = true;
  deliver(m, code);
  begins_next_ = false;
}

void test_world::take_back_next() {
  undo();
  if (!runs_.empty()) take_back_next_stage();
}

void test_world::check(final_states& reached) const {
  if (runs_.empty()) return;
  for (auto& failed : broken_by_end()) reached.fail(std::move(failed));
  check_what_converges(reached);
  const auto& asked = runs_.back().of->finally();
  if (!asked) return;
  show_system(*this);
  asked(reached);
  if (body_->elsewhere == nullptr) return;
  for (auto& failed : body_->elsewhere().records) reached.fail(std::move(failed));
  body_->elsewhere() = {};
}

void test_world::check_what_converges(final_states& reached) const {
  if (runs_.empty()) return;
  for (const auto& [name, check] : runs_.front().of->wanted().of_ends()) check(reached);
}

/// The deliveries of a run that nobody searches.
class run_script final : public script {
public:
  run_script(system& of, const run_of_test& how) : of_(of), how_(how) {}
  order after(const system& now, bool is_over) override {
    if (now.step_count() == 0) return {what::stage, {}};
    if (now.aborted()) return {};
    const auto planned = how_.next(of_);
    if (planned.message == no_message) return {};
    const bool is_stage = is_over && planned.message == now.message_count() + 1;
    return {is_stage ? what::stage : what::delivery, planned};
  }
  void made(const system& now) override {
    if (how_.stepped && now.step_count() > 1) how_.stepped(of_);
  }

private:
  system& of_;
  const run_of_test& how_;
};

}  // namespace
}  // namespace detail

program make_test_program(test_body body) {
  auto shared = std::make_shared<const test_body>(std::move(body));
  auto seen = std::make_shared<seen_of_program>();
  return {
      .make = [shared, seen](delivery model) { return start_system<detail::test_world>(shared, seen, model); },
      .finally = checks_known_later{&detail::test_world::check_end_of, &detail::test_world::check_what_converges_in},
      .seen = seen};
}

std::vector<record> run_test(const test_body& body, delivery model, const run_of_test& how) {
  const detail::run_handle once(new detail::body_trial(body, model));
  once->allow(how.faults);
  once->judge();
  detail::run_script deliveries(*once, how);
  try {
    once->run(deliveries);
  } catch (const system::nondeterminism& difference) {
    if (!how.thrown) throw error(difference.what());
    how.thrown(*once);
    return {};
  } catch (...) {
    if (!how.thrown) throw;
    how.thrown(*once);
    return {};
  }
  std::vector<record> found;
  for (std::size_t i = 0; i < once->step_count(); ++i)
    if (once->step_at(i).flagged)
      found.insert(found.end(), once->records_of_step(i).begin(), once->records_of_step(i).end());
  const detail::shown_system here(*once);
  if (how.ended) how.ended(*once);
  if (once->aborted() || once->first_deliverable() != no_message) return found;
  auto failed = once->broken_by_its_end();
  found.insert(found.end(), failed.begin(), failed.end());
  for (const auto& check : {once->finally(), with_faults({}, how.faults).finally}) {
    if (!check) continue;
    failed = check_end(*once, check);
    found.insert(found.end(), failed.begin(), failed.end());
  }
  return found;
}

}  // namespace harrier
