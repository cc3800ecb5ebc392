#include "clock.hpp"

#include <caf/detail/atomic_ref_counted.hpp>
#include <string_view>
#include <typeindex>
#include <typeinfo>
#include <unordered_map>
#include <utility>

#include "../run.hpp"

namespace harrier::caf_adapter {
namespace {

/// What was sent early can be taken back, also after it has been run, which has only sent it.
class early final : public caf::detail::atomic_ref_counted, public caf::disposable::impl {
public:
  early(caf::action does, std::uint32_t posted_as, const std::shared_ptr<std::function<void(std::uint32_t)>>& cancel)
      : does_(std::move(does)), posted_as_(posted_as), cancel_(cancel) {}

  void dispose() override {
    if (std::exchange(is_disposed_, true)) return;
    does_.dispose();
    if (const auto cancel = cancel_.lock()) (*cancel)(posted_as_);
  }
  [[nodiscard]] bool disposed() const noexcept override { return is_disposed_; }
  void ref_disposable() const noexcept override { ref(); }
  void deref_disposable() const noexcept override { deref(); }

private:
  caf::action does_;
  std::uint32_t posted_as_;
  std::weak_ptr<std::function<void(std::uint32_t)>> cancel_;
  bool is_disposed_ = false;
};

/// Whether it only sends something to an actor, as all do that CAF itself sets.
bool only_sends(const caf::action& f) {
  thread_local std::unordered_map<std::type_index, bool> known;
  const auto& type = typeid(*f.ptr());
  const auto [of_type, is_new] = known.try_emplace(type);
  if (is_new) {
    const std::string_view name = type.name();
    of_type->second = name.find("action_decorator") != std::string_view::npos ||
                      name.find("11actor_clock16schedule_message") != std::string_view::npos;
  }
  return of_type->second;
}

}  // namespace

void clock::add(time_point t, entry e) {
  if (post_ != nullptr) {
    e.posted_as = post_(t, e.wakes);
  } else if (waits_ != nullptr) {
    waits_();
  }
  entries_.emplace(t, std::move(e));
}

caf::disposable clock::schedule(time_point t, caf::action f) {
  if (!only_sends(f)) run::current()->reject("functions that CAF's clock calls (system.clock().schedule)");
  if (post_ == nullptr) {
    add(t, entry{.does = f});
    return std::move(f).as_disposable();
  }
  const auto posted_as = post_(t, [&f] { f.run(); });
  return caf::disposable{caf::make_counted<early>(std::move(f), posted_as, cancel_)};
}

void clock::cancel_all() {
  const auto gone = std::exchange(entries_, {});  // what it holds may cancel others
  static_cast<void>(gone);
}

void clock::wake_at(time_point t, std::uint64_t name, std::function<void()> wakes) {
  add(t, entry{.wakes = std::move(wakes), .timer = name});
}

void clock::cancel_wake(std::uint64_t name) {
  std::erase_if(entries_, [&](const auto& of) {
    if (of.second.timer != name) return false;
    if (cancel_ != nullptr) (*cancel_)(of.second.posted_as);
    return true;
  });
}

bool clock::has_entries() const {
  if (post_ != nullptr) return false;
  for (const auto& [t, e] : entries_)
    if (!e.is_cancelled()) return true;
  return false;
}

void clock::go_on() {
  while (!entries_.empty() && entries_.begin()->second.is_cancelled()) entries_.erase(entries_.begin());
  if (entries_.empty()) return;
  const auto t = entries_.begin()->first;
  if (t > now_) now_ = t;
  while (!entries_.empty() && entries_.begin()->first == t) {
    auto due = std::move(entries_.begin()->second);
    entries_.erase(entries_.begin());
    if (due.wakes)
      due.wakes();
    else if (!due.is_cancelled())
      due.does.run();
  }
}

}  // namespace harrier::caf_adapter
