#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <vector>

#include <harrier/core/happens_before.hpp>
#include <harrier/core/system.hpp>

namespace harrier {

/// To which actors a step sends: a number given by `dependence`, 0 for none.
/// Noted under delivery::mailbox only, where sends to one actor are ordered.
enum class mailbox_set : std::uint32_t { none };

/// Which steps are dependent: those of one receiver; and under
/// delivery::mailbox those that send to one actor, since the order in which they
/// do is the order in which it takes the messages. What it takes is then
/// decided, so there a message races with nothing when it is taken.
class dependence {
public:
  explicit dependence(const system& s) : system_(s), has_mailboxes_(s.model() == delivery::mailbox) {}

  [[nodiscard]] bool has_mailboxes() const { return has_mailboxes_; }

  /// Of two steps, or names of steps, with a `receiver` and `sends_to`.
  template <class A, class B>
  [[nodiscard]] bool between(const A& a, const B& b) const {
    return a.receiver == b.receiver ||
           (a.sends_to != mailbox_set::none && b.sends_to != mailbox_set::none && meet(a.sends_to, b.sends_to));
  }

  /// To whom the last step sends.
  [[nodiscard]] mailbox_set sends_of_last_step() {
    if (!has_mailboxes_) return mailbox_set::none;
    members_.clear();
    const auto last = system_.step_count() - 1;
    for (auto m = system_.step_at(last).first_sent; m < system_.sent_end(last); ++m)
      if (!system_.message_at(m).dead) members_.push_back(system_.actor_at(system_.message_at(m).receiver).id);
    return number_of_members();
  }

  /// Under delivery::mailbox, calls `visit(e)` for each explored step e with
  /// which step `f` races: both send to one actor, e the last before f, and
  /// nothing else orders them.
  template <class Visit>
  void for_each_race(const happens_before& order, step_index f, Visit visit) {
    const auto& s = system_.step_at(f);
    const auto base = system_.setup_steps();
    rivals_.clear();
    for (auto m = s.first_sent; m < system_.sent_end(f); ++m) {
      const auto before = system_.message_at(m).dead ? no_message : system_.sent_before(m);
      const auto e = before == no_message ? no_step : system_.message_at(before).sent_by;
      if (e != no_step && e >= base && e != f && std::find(rivals_.begin(), rivals_.end(), e) == rivals_.end())
        rivals_.push_back(e);
    }
    for (const auto e : rivals_) {
      const bool is_ordered =
          order.before(e, s.previous) || order.before_sending(e, s.message) ||
          std::any_of(rivals_.begin(), rivals_.end(), [&](step_index g) { return g != e && order.before(e, g); });
      if (!is_ordered) visit(e);
    }
  }

private:
  static std::size_t index(mailbox_set a) { return static_cast<std::size_t>(a); }

  [[nodiscard]] bool meet(mailbox_set a, mailbox_set b) const {
    const auto& x = sets_[index(a)];
    const auto& y = sets_[index(b)];
    return std::any_of(x.begin(), x.end(), [&](actor_id i) { return std::binary_search(y.begin(), y.end(), i); });
  }
  mailbox_set number_of_members() {
    std::sort(members_.begin(), members_.end());
    members_.erase(std::unique(members_.begin(), members_.end()), members_.end());
    const auto [known, is_new] = numbers_.try_emplace(members_, static_cast<mailbox_set>(sets_.size()));
    if (is_new) sets_.push_back(members_);
    return known->second;
  }

  const system& system_;
  bool has_mailboxes_;
  std::vector<std::vector<actor_id>> sets_{{}};
  std::map<std::vector<actor_id>, mailbox_set> numbers_{{{}, mailbox_set::none}};
  std::vector<actor_id> members_;
  std::vector<step_index> rivals_;
};

}  // namespace harrier
