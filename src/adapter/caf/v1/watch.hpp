#pragma once

#include <caf/action.hpp>
#include <caf/actor_addr.hpp>
#include <caf/attachable.hpp>
#include <caf/detail/atomic_ref_counted.hpp>
#include <caf/detail/monitor_action.hpp>
#include <caf/disposable.hpp>
#include <caf/error.hpp>

namespace harrier::caf_adapter {

/// A function of an actor's that is to be called at the end of another: scheduled_actor::monitor(whom, function).
///
/// CAF keeps it behind a mutex that both actors take. Here only the one whose function it is touches it: at the end it
/// is sent the reason, and it takes its interest back by a message of its own.
class watch final : public caf::detail::atomic_ref_counted {
public:
  watch(caf::actor_addr observed, caf::actor_addr observer, caf::detail::abstract_monitor_action_ptr function)
      : observed_(std::move(observed)), observer_(std::move(observer)), function_(std::move(function)) {}
  ~watch() override;

  [[nodiscard]] const caf::actor_addr& observed() const { return observed_; }
  [[nodiscard]] const caf::actor_addr& observer() const { return observer_; }
  /// Calls it, if it was not called before, or disposed of.
  void call(const caf::error& reason);
  void dispose();
  [[nodiscard]] bool is_disposed() const;

  friend void intrusive_ptr_add_ref(const watch* p) noexcept { p->ref(); }
  friend void intrusive_ptr_release(const watch* p) noexcept { p->deref(); }

private:
  caf::actor_addr observed_;
  caf::actor_addr observer_;
  caf::detail::abstract_monitor_action_ptr function_;
};

using watch_ptr = caf::intrusive_ptr<watch>;

/// What the observer gets at the end, in place of CAF's own.
class word_of_end final : public caf::detail::atomic_ref_counted, public caf::action::impl {
public:
  word_of_end(watch_ptr of, caf::error reason) : of_(std::move(of)), reason_(std::move(reason)) {}

  [[nodiscard]] const watch& of() const { return *of_; }
  [[nodiscard]] const caf::error& reason() const { return reason_; }

  void dispose() override { of_->dispose(); }
  [[nodiscard]] bool disposed() const noexcept override { return of_->is_disposed(); }
  [[nodiscard]] caf::action::state current_state() const noexcept override {
    return disposed() ? caf::action::state::disposed : caf::action::state::scheduled;
  }
  resume_result resume(caf::scheduler*, size_t) override {
    of_->call(reason_);
    return caf::resumable::done;
  }
  void ref_disposable() const noexcept override { ref(); }
  void deref_disposable() const noexcept override { deref(); }

  friend void intrusive_ptr_add_ref(const word_of_end* p) noexcept { p->ref(); }
  friend void intrusive_ptr_release(const word_of_end* p) noexcept { p->deref(); }

private:
  watch_ptr of_;
  caf::error reason_;
};

/// Watches the observed actor.
caf::attachable_ptr make_attachable(watch_ptr of);

/// By which the observer stops to watch.
caf::disposable make_disposable(watch_ptr of);

}  // namespace harrier::caf_adapter
