#pragma once

#include <caf/actor_clock.hpp>
#include <caf/group.hpp>
#include <caf/mailbox_element.hpp>
#include <caf/message.hpp>
#include <functional>
#include <map>
#include <optional>
#include <utility>

namespace harrier::caf_adapter {

/// The time of a run: it stands still while anything can be delivered.
class clock final : public caf::actor_clock {
public:
  /// What is to happen when its time has come.
  struct entry {
    caf::strong_actor_ptr target = nullptr;      // holds it, as in CAF's own clocks
    caf::mailbox_element_ptr element = nullptr;  // for the target, or
    caf::group group = {};                       // for all in that
    caf::strong_actor_ptr sender = nullptr;
    caf::message content = {};
    std::function<void()> wakes = nullptr;                                           // or that is called
    std::optional<std::pair<caf::atom_value, caf::actor_id>> replaced_by_next = {};  // a receive timeout
    std::optional<std::pair<caf::message_id, caf::actor_id>> of_request = {};
    std::optional<caf::actor_id> owner = {};
    std::uint64_t timer = 0;  // of what wakes: a name
    std::uint32_t posted_as = 0;
  };

  /// Has what it is given sent, which was to happen at that time, and gives it a number.
  using sender_of_early = std::function<std::uint32_t(time_point, const std::function<void()>&)>;

  /// What is set can happen at once: `post` has it sent, and `cancel` takes it back by its number. Whoever asks is told
  /// `now`, where time passes by what was due.
  void let_all_happen_at_once(sender_of_early post, std::function<void(std::uint32_t)> cancel,
                              std::function<time_point()> now) {
    post_ = std::move(post);
    cancel_ = std::move(cancel);
    told_ = std::move(now);
  }

  [[nodiscard]] time_point now() const noexcept override { return told_ != nullptr ? told_() : now_; }

  void set_ordinary_timeout(time_point t, caf::abstract_actor* self, caf::atom_value type, std::uint64_t id) override;
  void set_multi_timeout(time_point t, caf::abstract_actor* self, caf::atom_value type, std::uint64_t id) override;
  void set_request_timeout(time_point t, caf::abstract_actor* self, caf::message_id id) override;
  void cancel_ordinary_timeout(caf::abstract_actor* self, caf::atom_value type) override;
  void cancel_request_timeout(caf::abstract_actor* self, caf::message_id id) override;
  void cancel_timeouts(caf::abstract_actor* self) override;
  void schedule_message(time_point t, caf::strong_actor_ptr receiver, caf::mailbox_element_ptr content) override;
  void schedule_message(time_point t, caf::group target, caf::strong_actor_ptr sender, caf::message content) override;
  void cancel_all() override { entries_.clear(); }

  /// Has `wakes` called when it is `t`; the timer is called `name`.
  void wake_at(time_point t, std::uint64_t name, std::function<void()> wakes);
  void cancel_wake(std::uint64_t name);

  /// Calls `tell` when something is set that waits until nothing else can happen.
  void tell_of_waiting(std::function<void()> tell) { waits_ = std::move(tell); }
  /// Whether there is something whose time comes when time passes.
  [[nodiscard]] bool has_entries() const { return !entries_.empty() && post_ == nullptr; }
  /// It becomes the earliest time of all entries, and they happen.
  void go_on();

private:
  void add(time_point t, entry e);
  static void happen(entry& e);
  template <class Pred>
  void cancel_if(Pred is_cancelled);

  time_point now_{duration_type{1}};  // 0 has a meaning of its own in CAF
  std::multimap<time_point, entry> entries_;
  sender_of_early post_;
  std::function<void(std::uint32_t)> cancel_;
  std::function<time_point()> told_;
  std::function<void()> waits_;
};

}  // namespace harrier::caf_adapter
