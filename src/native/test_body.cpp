#include <harrier/native/test_body.hpp>

#include <cstring>
#include <memory>
#include <utility>

#include <harrier/core/error.hpp>
#include <harrier/core/stages.hpp>

#include "rehearsal.hpp"

namespace harrier {
namespace detail {
namespace {

constexpr std::uint64_t always_compared = 200;  // of the runs of a body
constexpr std::uint64_t compared_every = 61;

using run_handle = std::unique_ptr<rehearsal, take_down>;

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
  test_world(std::shared_ptr<const test_body> body, delivery model) : body_host(model), body_(std::move(body)) {
    tell_ends_of_steps();
  }
  test_world(const test_world&) = delete;
  test_world& operator=(const test_world&) = delete;
  ~test_world() override { hide_system(*this); }

  stages* in_stages() override { return this; }
  [[nodiscard]] end current() const override { return runs_.empty() ? end::not_begun : runs_.back().of->stage(); }
  [[nodiscard]] bool looks_at_ends() const override {
    return current() != end::last || runs_.back().of->finally() != nullptr;
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
  void check(final_states& reached) const;

private:
  struct run {
    step_index at;
    bool was_held;
    run_handle of;
  };

  void begin() override;
  void step_ended() override;
  void repeat(const rehearsal& done);
  void record_failures_elsewhere();
  bool is_over();
  [[nodiscard]] run_handle run_body(bool keeps_configuration);
  void set_closed(bool on) {
    is_closed_ = on;
    on ? hold_everything() : let_go();
  }

  std::shared_ptr<const test_body> body_;
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
  if (!choices_of(0).empty()) undo();  // then it is explored like any other step
  if (step_count() != 0 && step_at(0).flagged) {
    const auto& first = records_of_step(0).front();
    const auto where = first.file.empty() ? std::string() : first.file + ":" + std::to_string(first.line) + ": ";
    throw untestable_program(where + "the test fails before its first message: " + first.message);
  }
  begin_exploration();
}

run_handle test_world::run_body(bool keeps_configuration) {
  struct names_lent {
    test_world& ours;
    rehearsal& theirs;
    names_lent(test_world& from, rehearsal& to) : ours(from), theirs(to) { ours.exchange_names(theirs); }
    ~names_lent() { ours.exchange_names(theirs); }
  };
  run_handle made(new rehearsal(*body_, model()));
  made->allow(allowed_faults());
  const names_lent names(*this, *made);
  following steps(*this, step_count());
  made->run(steps, keeps_configuration);
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

void test_world::repeat(const rehearsal& done) {
  const auto& did = done.last_effects();
  const auto& s = done.step_at(did.at);
  for (const auto& c : done.choices_of(did.at)) static_cast<void>(choose(c.arity));
  for (auto a = s.first_created; a < did.actors_end; ++a) {
    if (done.is_internal(a)) continue;
    const auto& type = static_cast<const native_actor&>(*done.actor_at(a).type);
    auto* const copy = memory().allocate(type.size, type.alignment);
    type.copy(copy, done.actor_at(a).state);
    const auto slot = add_actor(type, copy);
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
  const auto& asked = runs_.back().of->finally();
  if (!asked) return;
  show_system(*this);
  asked(reached);
  if (body_->elsewhere == nullptr) return;
  for (auto& failed : body_->elsewhere().records) reached.fail(std::move(failed));
  body_->elsewhere() = {};
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
  return {[shared](delivery model) { return start_system<detail::test_world>(shared, model); },
          [](final_states& end) { static_cast<const detail::test_world&>(end.system()).check(end); }};
}

std::vector<record> run_test(const test_body& body, delivery model, const run_of_test& how) {
  const detail::run_handle once(new detail::rehearsal(body, model));
  once->allow(how.faults);
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
  if (once->finally() && !once->aborted() && once->first_deliverable() == no_message) {
    const auto failed = check_end(*once, once->finally());
    found.insert(found.end(), failed.begin(), failed.end());
  }
  return found;
}

}  // namespace harrier
