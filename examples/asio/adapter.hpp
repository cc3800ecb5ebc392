// harrier for programs that use Boost.Asio (1.81): an adapter over harrier::reexecution. Read README.md beside this
// file.
#pragma once

#include <algorithm>
#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/associated_cancellation_slot.hpp>
#include <boost/asio/associated_executor.hpp>
#include <boost/asio/async_result.hpp>
#include <boost/asio/basic_waitable_timer.hpp>
#include <boost/asio/detail/scheduler.hpp>
#include <boost/asio/detail/strand_executor_service.hpp>
#include <boost/asio/dispatch.hpp>
#include <chrono>
#include <cstdint>
#include <exception>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <source_location>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <harrier/adapter/reexecution/live_run.hpp>
#include <harrier/core/error.hpp>
#include <harrier/core/program.hpp>

namespace harrier {

/// When timers expire.
enum class asio_timers : std::uint8_t {
  earliest_first,  ///< time passes once no handler is left to run, up to the next expiry
  any_time,        ///< each may expire as soon as it is set: computers are slow
};

class asio_run;

/// The time as the running strand knows it; a handler does not see it pass. For what takes a clock.
struct asio_clock {
  using duration = std::chrono::nanoseconds;
  using rep = duration::rep;
  using period = duration::period;
  using time_point = std::chrono::time_point<asio_clock>;
  static constexpr bool is_steady = true;
  static time_point now() noexcept;

private:
  friend asio_run;
  inline static thread_local const asio_run* current = nullptr;
};

/// One run of a program. Strands are harrier's actors, the handlers posted to them its messages.
class asio_run final : public reexecution::live_run {
public:
  using number = std::uint32_t;
  using error_code = boost::system::error_code;
  using program_body = std::function<void(asio_run&)>;
  /// A wait for a timer.
  struct waiting {
    std::function<void(error_code)> handler;
    asio_clock::time_point expiry;
    number owner;             // the strand that waits, which alone may cancel it
    bool is_sent = false;     // its handler may be run,
    bool is_settled = false;  // and it is known
    error_code how = {};      // with what
  };

  asio_run(const program_body& body, asio_timers timers, reexecution::listener& told)
      : body_(body), timers_(timers), told_(told) {}
  asio_run(const asio_run&) = delete;
  asio_run& operator=(const asio_run&) = delete;
  ~asio_run() override {
    const entered me(*this, running_);
    is_over_ = true;
    letters_.clear();
    asleep_.clear();
    finally_.clear();
    kept_.clear();
  }

  /// @name For the program's main function
  /// @{

  /// In place of boost::asio::make_strand, whose queue would be out of the search's sight.
  boost::asio::any_io_executor make_strand(std::string_view name);
  /// It lives as long as the run, as a local variable of a main function would.
  void keep(std::shared_ptr<void> what) { kept_.push_back(std::move(what)); }
  /// Looks at what is left when no handler is. What it posts is not run.
  void finally(std::function<void()> checks) { finally_.push_back(std::move(checks)); }
  /// @}

  /// Reports a failed assertion, and goes on. An exception that leaves a handler is a finding, too.
  void check(bool holds, std::string what, std::source_location at = std::source_location::current()) const {
    if (holds || is_over_) return;
    record wrong{.kind = finding_kind::assertion, .message = std::move(what), .file = at.file_name()};
    wrong.line = at.line();
    found_at_end_ != nullptr ? found_at_end_->push_back(std::move(wrong)) : told_.complained(std::move(wrong));
  }

  /// One of `arity` values; each is explored. Not for the main function.
  std::uint64_t choose(std::uint64_t arity) { return told_.choose(arity); }

  /// @name For executors and timers
  /// @{

  [[nodiscard]] boost::asio::execution_context& context() { return context_; }
  [[nodiscard]] number running() const { return running_; }
  void post(number strand, const char* kind, std::function<void()> handler, lane in = lane::normal) {
    if (is_deaf()) return;
    // What comes because time has passed is in no order.
    const void* const burst = in == lane::none && running_ == 0 ? this : nullptr;
    const auto n = told_.sent({.receiver = strand, .kind = kind, .in = in, .may_be_refused = false, .burst = burst});
    letters_[n] = {strand, kind, std::move(handler), now_[running_]};
  }
  void wait(const std::shared_ptr<waiting>& w) {
    if (is_deaf()) return;
    const bool may_come = timers_ == asio_timers::any_time && w->expiry != asio_clock::time_point::max();
    if (may_come || w->expiry <= now_[running_])
      send(w);
    else
      asleep_.push_back(w);
  }
  /// @return whether it was in time.
  ///
  /// Once a timer has expired its handler is in a queue, and to cancel it comes too late. Whether it has can be seen
  /// here only (and by its handler running), so this is where it is drawn.
  bool cancel(const std::shared_ptr<waiting>& w) {
    if (is_deaf() || w->is_settled) return false;
    check(running_ == w->owner || running_ == 0, "a timer is cancelled by the strand that waits", {});
    w->is_settled = true;
    if (w->is_sent && told_.choose(2) == 1) {
      pass(w->expiry);
      return false;
    }
    w->how = boost::asio::error::operation_aborted;
    if (std::erase(asleep_, w) > 0) send(w);
    return true;
  }
  /// @}

private:
  friend asio_clock;
  struct letter {
    number to;
    const char* kind;
    std::function<void()> handler;
    asio_clock::time_point sent_at;
  };
  /// While one of its functions runs, the run is this thread's.
  class entered {
  public:
    entered(const asio_run& r, number strand) : before_(std::exchange(asio_clock::current, &r)) { r.running_ = strand; }
    entered(const entered&) = delete;
    entered& operator=(const entered&) = delete;
    ~entered() { asio_clock::current = before_; }

  private:
    const asio_run* before_;
  };

  void begin() override {
    run_as(0, [this] { body_(*this); });
  }
  bool deliver(number message) override {
    auto l = std::move(letters_.extract(message).mapped());
    now_[l.to] = std::max(now_[l.to], l.sent_at);
    run_as(l.to, std::move(l.handler));
    return true;
  }
  [[nodiscard]] std::string describe(number m) const override { return letters_.at(m).kind + std::string("()"); }
  [[nodiscard]] bool goes_on() const override { return next_expiry() != asio_clock::time_point::max(); }
  void go_on() override {
    const entered me(*this, 0);
    const auto t = next_expiry();
    pass(t);
    for (const auto& w : asleep_)
      if (w->expiry == t) send(w);
    std::erase_if(asleep_, [](const auto& w) { return w->is_sent; });
  }
  [[nodiscard]] std::vector<record> at_end() const override {
    const entered me(*this, 0);
    std::vector<record> found;
    found_at_end_ = &found;
    for (const auto& checks : finally_) checks();
    found_at_end_ = nullptr;
    return found;
  }

  void run_as(number strand, std::function<void()> code) {
    const entered me(*this, strand);
    std::optional<record> wrong;
    try {
      code();
    } catch (const untestable_program&) {
      throw;
    } catch (const std::exception& e) {
      wrong = {.kind = finding_kind::exception, .message = std::string("a handler threw: ").append(e.what())};
    } catch (...) {
      wrong = {.kind = finding_kind::exception,
               .message = "a handler threw something that is not derived from std::exception"};
    }
    code = nullptr;  // what it holds may post, too
    if (wrong) told_.failed(std::move(*wrong));
    if (boost::asio::has_service<boost::asio::detail::strand_executor_service>(context_))
      throw untestable_program("boost::asio::strand puts its handlers in order itself; take asio_run::make_strand");
    if (boost::asio::has_service<boost::asio::detail::scheduler>(context_))
      throw untestable_program("sockets, and timers of a clock other than asio_clock, wait for what nobody can order");
  }
  void send(const std::shared_ptr<waiting>& w) {
    w->is_sent = true;
    const auto ends = [this, w] {
      w->is_settled = true;
      if (!w->how) pass(w->expiry);
      w->handler(w->how);
    };
    post(w->owner, "timer", ends, lane::none);
  }
  void pass(asio_clock::time_point t) { now_[running_] = std::max(now_[running_], t); }
  [[nodiscard]] asio_clock::time_point next_expiry() const {
    auto next = asio_clock::time_point::max();
    for (const auto& w : asleep_) next = std::min(next, w->expiry);
    return next;
  }
  /// What happens now is nobody's to know.
  [[nodiscard]] bool is_deaf() const { return is_over_ || found_at_end_ != nullptr; }

  boost::asio::execution_context context_;  // outlives all that refers to it
  const program_body& body_;
  asio_timers timers_;
  reexecution::listener& told_;
  std::map<number, asio_clock::time_point> now_ = {{0, {}}};  // of each strand
  std::map<number, letter> letters_;
  std::vector<std::shared_ptr<waiting>> asleep_;
  std::vector<std::shared_ptr<void>> kept_;
  std::vector<std::function<void()>> finally_;
  mutable number running_ = 0;
  mutable std::vector<record>* found_at_end_ = nullptr;
  bool is_over_ = false;
};

/// The executor of one strand.
struct asio_executor {
  using blocking = boost::asio::execution::blocking_t;
  asio_run* run;
  asio_run::number strand;
  const char* label = "handler";
  bool always_posts = false;

  /// That of `e`. @throws untestable_program  asio_run::make_strand has not made it.
  static const asio_executor& in(const boost::asio::any_io_executor& e) {
    if (const auto* const known = e.target<asio_executor>()) return *known;
    throw untestable_program("a timer is used with an executor that asio_run::make_strand has not made");
  }
  template <class F>
  void execute(F f) const {
    if (!always_posts && run->running() == strand) return static_cast<void>(f());
    run->post(strand, label, [f = std::make_shared<F>(std::move(f))] { (*f)(); });
  }
  boost::asio::execution_context& query(boost::asio::execution::context_t) const noexcept { return run->context(); }
  blocking query(blocking b) const noexcept { return always_posts ? blocking(b.never) : blocking(b.possibly); }
  asio_executor require(blocking::never_t) const { return {run, strand, label, true}; }
  asio_executor require(blocking::possibly_t) const { return {run, strand, label, false}; }
  bool operator==(const asio_executor&) const noexcept = default;
};

/// `e`, but what is posted by it is called `label`, a literal, in traces. Of another executor, `e`.
inline boost::asio::any_io_executor labelled(const boost::asio::any_io_executor& e, const char* label) {
  const auto* const known = e.target<asio_executor>();
  if (known == nullptr) return e;
  return asio_executor{known->run, known->strand, label, known->always_posts};
}

inline boost::asio::any_io_executor asio_run::make_strand(std::string_view name) {
  const auto strand = told_.created(name);
  now_[strand] = now_[running_];
  return asio_executor{this, strand};
}

inline asio_clock::time_point asio_clock::now() noexcept {
  return current != nullptr ? current->now_.at(current->running_) : time_point{};
}

/// A program written over executors and, as its clock, asio_clock. `body` is its main function, up to where it would
/// call io_context::run(). It is run again for each execution, so it must do the same each time.
inline program asio_program(asio_run::program_body body, asio_timers timers = asio_timers::earliest_first) {
  const auto start = [b = std::make_shared<const asio_run::program_body>(std::move(body)),
                      timers](reexecution::listener& told) { return std::make_unique<asio_run>(*b, timers, told); };
  auto made = reexecution::reexecute({.start = start, .may_go_on = timers == asio_timers::earliest_first});
  return {[make = std::move(made.make)](delivery model) {
            if (model == delivery::mailbox || model == delivery::mailbox_interleaved)
              throw untestable_program("when a timer's handler comes into a queue is open; take delivery causal");
            return make(model);
          },
          std::move(made.finally)};
}

}  // namespace harrier

/// Asio's timer, over harrier's clock.
template <class WaitTraits, class Executor>
class boost::asio::basic_waitable_timer<harrier::asio_clock, WaitTraits, Executor> {
public:
  using executor_type = Executor;
  using clock_type = harrier::asio_clock;
  using duration = clock_type::duration;
  using time_point = clock_type::time_point;
  using traits_type = WaitTraits;

  explicit basic_waitable_timer(const Executor& e, time_point t = {}) : executor_(e), expiry_(t) {}
  basic_waitable_timer(const Executor& e, duration d) : basic_waitable_timer(e, clock_type::now() + d) {}
  basic_waitable_timer(basic_waitable_timer&&) = default;
  ~basic_waitable_timer() { cancel(); }

  executor_type get_executor() noexcept { return executor_; }
  [[nodiscard]] time_point expiry() const { return expiry_; }
  std::size_t expires_at(time_point t) {
    expiry_ = t;
    return cancel();
  }
  std::size_t expires_after(duration d) {
    const auto cancelled = cancel();  // which tells that time has passed
    expiry_ = clock_type::now() + d;
    return cancelled;
  }
  std::size_t cancel() {
    std::size_t cancelled = 0;
    for (const auto& one : std::exchange(waits_, {}))
      if (const auto w = one.lock()) cancelled += harrier::asio_executor::in(executor_).run->cancel(w) ? 1 : 0;
    return cancelled;
  }
  template <class Token>
  auto async_wait(Token&& token) {
    const auto begin = [this](auto handler) { wait(std::move(handler)); };
    return async_initiate<Token, void(boost::system::error_code)>(begin, token);
  }

private:
  template <class Handler>
  void wait(Handler handler) {
    const auto [run, strand, label, always_posts] = harrier::asio_executor::in(executor_);
    auto slot = get_associated_cancellation_slot(handler);
    const auto to = get_associated_executor(handler, executor_);
    const auto ends = [to, h = std::make_shared<Handler>(std::move(handler))](boost::system::error_code how) {
      dispatch(to, [h, how] { std::move (*h)(how); });
    };
    const auto owner = run->running() != 0 ? run->running() : strand;
    const auto w = std::make_shared<harrier::asio_run::waiting>(harrier::asio_run::waiting{ends, expiry_, owner});
    run->wait(w);
    if (slot.is_connected())
      slot.assign([run = run, one = std::weak_ptr(w)](cancellation_type) {
        if (const auto still = one.lock()) run->cancel(still);
      });
    waits_.push_back(w);
  }

  Executor executor_;
  time_point expiry_;
  std::vector<std::weak_ptr<harrier::asio_run::waiting>> waits_;
};
