#pragma once

#include <cstdint>
#include <exception>
#include <functional>
#include <string>
#include <vector>

#include <harrier/core/stages.hpp>
#include <harrier/native/test_body.hpp>
#include <harrier/native/world.hpp>

#include "../core/specifications.hpp"
#include "wishes.hpp"

namespace harrier::detail {

/// What system_of_test() is in this thread: the system that was shown last, of those that are still there.
void show_system(const system& s);
void hide_system(const system& s);

/// Shows a system while this lives.
class shown_system {
public:
  explicit shown_system(const system& s) : of_(s) { show_system(s); }
  shown_system(const shown_system&) = delete;
  shown_system& operator=(const shown_system&) = delete;
  ~shown_system() { hide_system(of_); }

private:
  const system& of_;
};

/// Who says what is delivered while a body runs, step by step.
class script {
public:
  enum class what : std::uint8_t {
    delivery,  ///< `planned` is to be delivered
    stage,     ///< the body begins or goes on; it draws as the code of `planned` says
    end,       ///< that is all
  };
  struct order {
    what next = what::end;
    scheduled planned{};
  };
  virtual ~script() = default;
  /// @param is_over  the stage is: nothing can follow but the body's going on.
  virtual order after(const system& now, bool is_over) = 0;
  /// A step was made.
  virtual void made(const system& now) { static_cast<void>(now); }
};

/// A system in which a body begins, and goes on.
class body_host : public world {
public:
  explicit body_host(delivery model) : world(model) { spare_what_is_created(); }
  virtual void body_goes_on(step& s) = 0;
  virtual void body_is_taken_back(const step& s) { static_cast<void>(s); }

protected:
  void add_driver();
  message_slot post_beginning();
  /// The body goes on after `call`, one of handle_all, handle_one, handle_until.
  message_slot post_going_on(const char* call);
};

/// One run of a body, from its beginning, in a system of its own: what is
/// delivered in it says a script, and where that ends the body is left. Its steps
/// are those of the execution that the script follows.
///
/// What the body does, it does between two deliveries; it belongs to the step
/// that let it go on.
class body_trial final : public body_host, public test_run {
public:
  body_trial(const test_body& body, delivery model) : body_host(model), body_(body) {}

  /// Runs the body, once. @param keeps_configuration  see configuration_then().
  /// @throws system::nondeterminism, error; not what the body throws, which is a finding.
  void run(script& along, bool keeps_configuration = false);

  /// How the stage ends in which the body was left.
  [[nodiscard]] stages::end stage() const { return stage_; }
  /// Whether it is over.
  [[nodiscard]] bool is_over() const { return is_over_; }
  /// The call in which the body was left: `handle_all`.
  [[nodiscard]] const char* call() const { return call_; }
  /// What failed elsewhere in the condition that was asked last, after the last delivery.
  [[nodiscard]] const std::vector<record>& failed_when_left() const { return failed_when_left_; }
  /// What the body wants of each end; null: nothing.
  [[nodiscard]] const final_check& finally() const { return finally_; }
  /// What it says is to hold.
  [[nodiscard]] const wishes& wanted() const { return wanted_; }
  /// From the first delivery on that is judged here, which nobody else does. Before it runs.
  void judge() {
    is_judge_ = true;
    tell_ends_of_steps();
  }
  /// @pre judge()  @return what of it the end breaks.
  [[nodiscard]] std::vector<record> broken_by_its_end() const;

  /// What the body did when it went on last.
  struct effects {
    step_index at = no_step;
    actor_slot actors_end = 0;
    message_slot messages_end = 0;
    std::vector<record> records;
    std::vector<std::string> notes;
    bool aborted = false;
    bool discarded = false;
    fingerprint configuration;
  };
  [[nodiscard]] const effects& last_effects() const { return last_; }

  void handle_all() override { handle(stages::end::at_rest, "handle_all", nullptr); }
  bool handle_one() override { return handle(stages::end::any_time, "handle_one", nullptr); }
  bool handle_until(const std::function<bool()>& condition) override {
    return handle(stages::end::any_time, "handle_until", &condition);
  }
  void specify(specification what) override;
  void converges(std::string name, std::function<bool(const states&)> reached, std::size_t most_deliveries) override;

private:
  /// Thrown through the body, to leave it.
  struct leaves_body {};

  void begin() override {}
  void body_goes_on(step&) override {}
  void step_ended() override;
  [[nodiscard]] const system& now() const override { return *this; }
  void at_each_end(final_check check) override { finally_ = std::move(check); }
  void check_now(const final_check& check) override;

  template <class... Wish>
  void want(const std::string& name, Wish&&... wish);
  void judge_what_the_body_did();
  void judge_last_step();
  bool handle(stages::end kind, const char* call, const std::function<bool()>* condition);
  script::order what_follows();
  void go_on(message_slot m, std::uint64_t code);
  void deliver_planned(const scheduled& planned);
  void run_rest();
  void take_failures();
  void forget_failures();
  void keep_effects();
  [[noreturn]] void leave();
  [[noreturn]] void leave_with(std::exception_ptr failure);
  [[noreturn]] void differs(const std::string& how);

  const test_body& body_;
  script* script_ = nullptr;
  final_check finally_;
  wishes wanted_;
  specifications judged_;
  bool is_judge_ = false;
  std::size_t judged_until_ = 0;  // steps
  stages::end stage_ = stages::end::not_begun;
  const char* call_ = "";
  bool keeps_configuration_ = false;
  bool is_over_ = false;
  bool is_left_ = false;
  std::exception_ptr failure_;  // of the run; the body may catch what it is left by
  std::vector<record> failed_when_left_;
  effects last_;
};

}  // namespace harrier::detail
