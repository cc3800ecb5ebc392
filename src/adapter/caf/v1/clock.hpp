#pragma once

#include <caf/action.hpp>
#include <caf/actor_clock.hpp>
#include <caf/disposable.hpp>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>

namespace harrier::caf_adapter {

/// The time of a run: it stands still while anything can be delivered.
class clock final : public caf::actor_clock {
public:
  /// Has what it is given sent, which was to happen at that time, and gives it a number.
  using sender_of_early = std::function<std::uint32_t(time_point, const std::function<void()>&)>;

  clock() = default;
  clock(const clock&) = delete;
  clock& operator=(const clock&) = delete;
  ~clock() override { cancel_all(); }

  /// What is set can happen at once: `post` has it sent, and `cancel` takes it back by its number. Whoever asks is told
  /// `now`, where time passes by what was due.
  void let_all_happen_at_once(sender_of_early post, std::function<void(std::uint32_t)> cancel,
                              std::function<time_point()> now) {
    post_ = std::move(post);
    cancel_ = std::make_shared<std::function<void(std::uint32_t)>>(std::move(cancel));
    told_ = std::move(now);
  }

  [[nodiscard]] time_point now() const noexcept override { return told_ != nullptr ? told_() : now_; }
  caf::disposable schedule(time_point t, caf::action f) override;

  void cancel_all();

  /// Has `wakes` called when it is `t`; the timer is called `name`.
  void wake_at(time_point t, std::uint64_t name, std::function<void()> wakes);
  void cancel_wake(std::uint64_t name);

  /// Calls `tell` when something is set that waits until nothing else can happen.
  void tell_of_waiting(std::function<void()> tell) { waits_ = std::move(tell); }
  /// Whether there is something whose time comes when time passes.
  [[nodiscard]] bool has_entries() const;
  /// It becomes the earliest time of all entries, and they happen.
  void go_on();

private:
  struct entry {
    caf::action does = {};                  // or
    std::function<void()> wakes = nullptr;  // that is called
    std::uint64_t timer = 0;                // of what wakes: a name
    std::uint32_t posted_as = 0;

    [[nodiscard]] bool is_cancelled() const { return does && does.disposed(); }
  };

  void add(time_point t, entry e);

  time_point now_{duration_type{1}};  // as in CAF's own clock for tests: 0 is at once
  std::multimap<time_point, entry> entries_;
  sender_of_early post_;
  std::shared_ptr<std::function<void(std::uint32_t)>> cancel_;
  std::function<time_point()> told_;
  std::function<void()> waits_;
};

}  // namespace harrier::caf_adapter
