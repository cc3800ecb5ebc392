#include "body_trial.hpp"

#include <algorithm>
#include <string_view>
#include <utility>
#include <vector>

#include <harrier/core/error.hpp>
#include <harrier/native/self.hpp>

namespace harrier {

void test_run::nobody() { throw error("state() of an empty ref, or of an actor of another execution"); }

namespace detail {
namespace {

thread_local std::vector<const system*> shown;

/// The driver of a test: it has no state, for its body's is not looked at.
class test_driver final : public native_actor {
public:
  constexpr test_driver() : native_actor(1, 1) {}
  void copy(void*, const void*) const override {}
  void destroy(void*) const override {}
  [[nodiscard]] std::string name() const override { return "test"; }
  [[nodiscard]] std::string describe(const system&, const void*) const override { return {}; }
  [[nodiscard]] bool tells_rest() const override { return false; }
  [[nodiscard]] bool at_rest(const void*) const override { return true; }
  [[nodiscard]] fingerprint hash(const void*) const override { return {}; }
  void write(const void*, value_bytes&) const override {}
};

class body_step final : public native_message {
public:
  constexpr explicit body_step(std::string_view what) : what_(what) {}

  void deliver(system& s, step& st) const override {
    st.keeps_state = true;
    static_cast<body_host&>(s).body_goes_on(st);
  }
  void undo(system& s, step& st) const override { static_cast<body_host&>(s).body_is_taken_back(st); }
  void destroy(void*) const override {}
  [[nodiscard]] std::string describe(const system&, const void*) const override { return std::string(what_); }
  [[nodiscard]] std::string name() const override { return std::string(what_.substr(0, what_.find('('))); }
  [[nodiscard]] fingerprint hash(const void*) const override { return hash_bytes(what_.data(), what_.size()); }
  void write(const void*, value_bytes&) const override {}
  frame* start(world&, void*, const void*) const override { return nullptr; }
  [[nodiscard]] bool accepts(const void*, const void*) const override { return true; }
  void finish(world&, frame&, message_slot) const override {}

private:
  std::string_view what_;
};

constexpr test_driver driver_class;
constexpr body_step begins("test()");
constexpr body_step after_all("handle_all() returns");
constexpr body_step after_one("handle_one() returns");
constexpr body_step after_until("handle_until() returns");

}  // namespace

void show_system(const system& s) {
  if (!shown.empty() && shown.back() == &s) return;
  hide_system(s);
  shown.push_back(&s);
}

void hide_system(const system& s) { shown.erase(std::remove(shown.begin(), shown.end(), &s), shown.end()); }

void body_host::add_driver() { add_actor(driver_class, memory().allocate(1, 1)); }

message_slot body_host::post_beginning() { return post_from_outside(0, begins, nullptr); }

message_slot body_host::post_going_on(const char* call) {
  const std::string_view name = call;
  return post_next_stage(0, name == "handle_all" ? after_all : name == "handle_one" ? after_one : after_until);
}

void body_trial::run(script& along, bool keeps_configuration) {
  const shown_system here(*this);
  script_ = &along;
  keeps_configuration_ = keeps_configuration;
  forget_failures();
  add_driver();
  go_on(post_beginning(), along.after(*this, true).planned.code);
  begin_exploration();
  try {
    body_.run(world::handle(), *this);
  } catch (const leaves_body&) {  // is_left_ says so, too
  } catch (...) {
    if (!is_left_) handler_threw(no_message);
  }
  if (failure_) std::rethrow_exception(failure_);
  if (is_left_) return forget_failures();
  take_failures();
  if (body_.elsewhere != nullptr && std::exchange(body_.elsewhere().is_fatal, false) && !aborted()) abort_execution();
  end_step();
  if (!aborted() && actor_at(0).state_of_life == actor::mode::gone)
    throw error("the body of a test is not destroyed by self.destroy(): it ends when it returns");
  keep_effects();
  stage_ = stages::end::last;
  run_rest();
}

/// What the body left pending.
void body_trial::run_rest() {
  complete_last_step();
  judge_what_the_body_did();
  for (;;) {
    const auto order = script_->after(*this, false);
    if (order.next == script::what::end) return;
    if (order.next == script::what::stage)
      throw nondeterminism("the body of the test does not repeat itself: it ended, and went on before");
    try {
      deliver_planned(order.planned);
    } catch (const leaves_body&) {
      std::rethrow_exception(failure_);
    }
  }
}

bool body_trial::handle(stages::end kind, const char* call, const std::function<bool()>* condition) {
  if (is_left_) leave();
  bool holds = condition != nullptr && (*condition)();
  if (holds) return true;
  keep_effects();
  complete_last_step();
  if (!anything_deliverable()) return false;

  stage_ = kind;
  call_ = call;
  std::size_t handled = 0;
  std::exception_ptr thrown;  // by the condition
  for (;;) {
    const bool may_end = kind == stages::end::any_time && (condition != nullptr ? holds : handled > 0);
    is_over_ = may_end || thrown || !anything_deliverable();
    const auto order = what_follows();
    if (order.next == script::what::end) leave();
    const bool goes_on = order.next == script::what::stage;
    if (goes_on != is_over_)
      differs(std::string(call) +
              (goes_on ? "() has not returned, and did before" : "() has returned, and had not before"));
    if (goes_on) {
      go_on(post_going_on(call), order.planned.code);
      if (thrown) std::rethrow_exception(thrown);
      return condition != nullptr ? holds : handled > 0;
    }
    deliver_planned(order.planned);
    if (!is_visible(step_at(last_step()).kind)) continue;
    ++handled;
    try {
      holds = condition != nullptr && (*condition)();
    } catch (const leaves_body&) {
      throw;
    } catch (...) {
      thrown = std::current_exception();
    }
  }
}

script::order body_trial::what_follows() {
  try {
    return script_->after(*this, is_over_);
  } catch (...) {
    leave_with(std::current_exception());
  }
}

void body_trial::go_on(message_slot m, std::uint64_t code) {
  forget_failures();
  deliver(m, code);
  last_ = {};
  last_.at = last_step();
  script_->made(*this);
}

void body_trial::deliver_planned(const scheduled& planned) {
  const auto m = planned.message;
  if (m == no_message || m > message_count() || !pending(m) || !deliverable(m))
    differs("delivery " + std::to_string(step_count()) + ": " +
            (m > message_count()
                 ? "the message was not sent"
                 : actor_name(message_at(m).receiver) + "." + message_text(m) + " cannot be delivered"));
  try {
    judge_what_the_body_did();
    deliver(m, planned.code);
  } catch (...) {
    leave_with(std::current_exception());
  }
  script_->made(*this);
  forget_failures();
}

template <class... Wish>
void body_trial::want(const std::string& name, Wish&&... wish) {
  if (is_left_) leave();
  try {
    if (step_count() > 1)
      throw untestable_program("'" + name +
                               "' is said to hold after the first delivery, and was not looked at before: say it "
                               "before the first handle_all(), handle_one() or handle_until()");
    wanted_.add(std::forward<Wish>(wish)...);
  } catch (...) {
    leave_with(std::current_exception());
  }
}

void body_trial::specify(specification what) {
  const auto name = what.name;
  want(name, std::move(what));
}

void body_trial::converges(std::string name, std::function<bool(const states&)> reached, std::size_t most_deliveries) {
  auto check = harrier::converges({}, name, std::move(reached), most_deliveries).finally;
  want(name, name, std::move(check));
}

/// Until now, in the step that let it go on.
void body_trial::judge_what_the_body_did() {
  if (!is_judge_ || judged_until_ == step_count()) return;
  if (step_count() == 1)
    for (const auto& what : wanted_.specifications()) judged_.add(*this, what);
  else
    judge_last_step();
  judged_until_ = step_count();
}

/// A step of the body's is judged when it has done what it does in that.
void body_trial::step_ended() {
  if (step_at(last_step()).receiver != 0) judge_last_step();
}

void body_trial::judge_last_step() {
  judged_until_ = step_count();
  judged_.take_recordings(*this);
  if (step_at(last_step()).aborted) return;
  for (auto& failed : judged_.look(*this)) record_finding(std::move(failed));
}

std::vector<record> body_trial::broken_by_its_end() const {
  auto all = is_out_of_timeouts() ? std::vector<record>() : judged_.look_at_end(*this);
  for (const auto& [name, check] : wanted_.of_ends())
    for (auto& failed : check_end(*this, check)) all.push_back(std::move(failed));
  return all;
}

void body_trial::check_now(const final_check& check) {
  for (const auto& failed : check_end(*this, check)) record_finding(failed);
}

void body_trial::take_failures() {
  if (body_.elsewhere == nullptr) return;
  for (auto& failed : body_.elsewhere().records) record_finding(std::move(failed));
  body_.elsewhere().records.clear();
  body_.elsewhere().not_in_handlers.clear();  // a body may have mocks of its own
}

void body_trial::forget_failures() {
  if (body_.elsewhere != nullptr) body_.elsewhere() = {};
}

void body_trial::keep_effects() {
  take_failures();
  const auto& s = step_at(last_.at);
  const auto records = records_of_step(last_.at);
  last_.actors_end = static_cast<actor_slot>(actor_count());
  last_.messages_end = static_cast<message_slot>(message_count() + 1);
  last_.records.assign(records.begin(), records.end());
  last_.notes.clear();
  for (const auto& n : notes())
    if (n.at == last_.at) last_.notes.push_back(n.word);
  last_.aborted = s.aborted;
  last_.discarded = s.discarded;
  if (keeps_configuration_) last_.configuration = configuration();
}

void body_trial::leave() {
  if (!is_left_ && body_.elsewhere != nullptr) failed_when_left_ = std::move(body_.elsewhere().records);
  is_left_ = true;
  throw leaves_body{};
}

void body_trial::leave_with(std::exception_ptr failure) {
  failure_ = std::move(failure);
  leave();
}

void body_trial::differs(const std::string& how) {
  leave_with(std::make_exception_ptr(
      nondeterminism("the test does not repeat itself when its body is run again: " + how +
                     "; it depends on something outside, like a global variable, a clock or an address")));
}

}  // namespace detail

const system* system_of_test() { return detail::shown.empty() ? nullptr : detail::shown.back(); }

}  // namespace harrier
