#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <harrier/core/finding.hpp>
#include <harrier/core/program.hpp>
#include <harrier/core/specification.hpp>
#include <harrier/core/states.hpp>
#include <harrier/native/ref.hpp>

namespace harrier {

class self;

/// What the body of a test does beside what a driver does: it lets messages be
/// handled, and looks at the actors in between.
///
/// A body is run from its beginning to its end in each execution, with all that
/// is handled in it, so what it looks at is as it is then: references to states
/// stay valid, and see what becomes of them. An exploration leaves a body where
/// it cannot go on yet, by an exception that is none of the body's business.
class test_run {
public:
  test_run(const test_run&) = delete;
  test_run& operator=(const test_run&) = delete;

  /// Lets messages be handled until nothing more can be delivered, in each order
  /// that can matter.
  virtual void handle_all() = 0;
  /// Lets one message be handled, any of those that can be.
  /// @return whether there was one.
  virtual bool handle_one() = 0;
  /// Lets messages be handled until `condition` holds; it is asked before, and
  /// after each delivery. All orders are run, since each matters to when that is.
  /// @return whether it holds; false if nothing more can be delivered.
  virtual bool handle_until(const std::function<bool()>& condition) = 0;

  /// The state of actor `of` now; if it is gone, as it was left.
  /// @throws error if `of` refers to nobody.
  template <class Actor>
  [[nodiscard]] const Actor& state(ref<Actor> of) const {
    if (!of || !now().exists(of.id())) nobody();
    return *states(now()).at<Actor>(now().slot_of(of.id()));
  }
  /// The actors of a class, without their addresses: see states.
  [[nodiscard]] harrier::states actors() const { return harrier::states(now()); }

  /// Checks the states in which each execution ends. `check` takes final_states&,
  /// or nothing. One that captures nothing depends on the states alone: then
  /// deliveries can be taken back, which is several times as fast as running the
  /// body again. One that captures is handle_all(), and then the check.
  template <class Check>
  void finally(Check check) {
    constexpr bool takes_states = std::is_invocable_v<Check&, final_states&>;
    static_assert(takes_states || std::is_invocable_v<Check&>,
                  "harrier: finally takes a function of harrier::final_states&, or of nothing");
    const auto ask = [check](final_states& end) mutable {
      if constexpr (takes_states)
        check(end);
      else if constexpr (std::is_invocable_v<Check&>)
        check();
    };
    if constexpr (std::is_empty_v<Check>) {
      at_each_end(ask);
    } else {
      handle_all();
      check_now(ask);
    }
  }

  /// From its first delivery on, each execution is judged by `what`, as specified() does it for a program with a
  /// driver: before it the body says all of these, the same in each run. Its functions are asked while actors go on and
  /// the body is left, so they must not capture a reference to anything in the body, nor to its fixture.
  /// Of a body that says it later, twice by one name, or not in each run, the search is refused
  /// (untestable_program).
  virtual void specify(specification what) = 0;
  /// After the last fault it comes to a state in which `reached` holds, from each end of an execution: as converges()
  /// of a program, and said when specify() is.
  virtual void converges(std::string name, std::function<bool(const states&)> reached, std::size_t most_deliveries) = 0;

protected:
  test_run() = default;
  ~test_run() = default;

  [[nodiscard]] virtual const system& now() const = 0;
  virtual void at_each_end(final_check check) = 0;
  virtual void check_now(const final_check& check) = 0;

private:
  [[noreturn]] static void nobody();
};

/// Failures that somebody else's checks (GoogleTest's) leave in one thread, in the
/// order in which they did; taken out and reported for the step in which they arose.
struct failures_elsewhere {
  std::vector<record> records;
  /// One of them ends the test's body.
  bool is_fatal = false;
  /// Why they cannot be in a handler that is explored: then an error is thrown
  /// with this text. Empty: they can.
  std::string not_in_handlers;
};

/// A test as a function, and who else checks while it runs.
struct test_body {
  std::function<void(self&, test_run&)> run = {};
  /// Those of the thread that asks, for as long as it runs; null: nobody checks.
  failures_elsewhere& (*elsewhere)() = nullptr;
};

/// The system in which a test runs, in this thread, or ran last; null if it is gone.
/// So that what is shown of a value can name the actors that it refers to.
const system* system_of_test();

/// The program whose driver is the body of a test. What the body leaves pending
/// when it ends is explored, too. It has stages (stages.hpp) if the body lets
/// messages be handled in its middle; then each execution runs the body again.
program make_test_program(test_body body);

/// How a test is run once, where nobody searches.
struct run_of_test {
  /// The next delivery; one of no_message ends the run. A message that was not
  /// sent yet is the body's going on.
  std::function<scheduled(system& now)> next = {};
  /// Told of each step after it; null: nobody.
  std::function<void(system& now)> stepped = {};
  /// Told of the end; null: nobody.
  std::function<void(system& end)> ended = {};
  /// Told, in a catch block, of what left a step, and was none of its checks: then the run is over, and nothing was
  /// found. Null: it leaves run_test, nondeterminism as an error.
  std::function<void(system& there)> thrown = nullptr;
  /// What may befall messages, as the draws of what is delivered say.
  harrier::faults faults = {};
};

/// Runs a test once: the body and each handler once, on this stack, as a debugger
/// wants it.
/// @return what was found, but for what was found elsewhere.
/// @throws error  what `next` gives cannot be delivered.
std::vector<record> run_test(const test_body& body, delivery model, const run_of_test& how);

}  // namespace harrier
