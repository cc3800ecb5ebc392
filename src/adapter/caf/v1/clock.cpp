#include "clock.hpp"

#include <caf/detail/atomic_ref_counted.hpp>
#include <string_view>
#include <typeindex>
#include <typeinfo>
#include <unordered_map>
#include <utility>

#include "../names_of_types.hpp"
#include "../run.hpp"
#include "../threads.hpp"

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

/// What is known of an action by its type.
struct kind_of_action {
  bool only_sends = false;  // something to an actor, as all do that CAF itself sets
  bool keeps_alive = true;  // the one to which it sends
};

constexpr std::string_view weak = "caf::weak_intrusive_ptr<";

/// The second parameter of the function in which it was written is the receiver.
bool has_weak_receiver(std::string_view after_parenthesis) {
  int depth = 0;
  for (std::size_t i = 0; i < after_parenthesis.size() && depth >= 0; ++i) {
    const char c = after_parenthesis[i];
    if (c == ',' && depth == 0) return after_parenthesis.substr(i + 2).starts_with(weak);
    depth += static_cast<int>(c == '<' || c == '(') - static_cast<int>(c == '>' || c == ')');
  }
  return false;
}

const kind_of_action& kind_of(const caf::action& f) {
  thread_local std::unordered_map<std::type_index, kind_of_action> known;
  const auto& type = typeid(*f.ptr());
  const auto [of_type, is_new] = known.try_emplace(type);
  if (!is_new) return of_type->second;
  const auto name = whole_name_of(type);
  constexpr std::string_view decorator = "action_decorator<";
  constexpr std::string_view message = "caf::actor_clock::schedule_message(";
  if (const auto at = name.find(decorator); at != std::string::npos)
    of_type->second = {true, !std::string_view(name).substr(at + decorator.size()).starts_with(weak)};
  else if (const auto in = name.find(message); in != std::string::npos)
    of_type->second = {true, !has_weak_receiver(std::string_view(name).substr(in + message.size()))};
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
  auto* const here = run::current();
  if (here == nullptr) {  // a thread of the program's own
    threads::note_use_of_actors();
    return {};
  }
  const auto kind = kind_of(f);
  if (!kind.only_sends) here->reject("functions that CAF's clock calls (system.clock().schedule)");
  if (post_ == nullptr) {
    add(t, entry{.does = f});
    return std::move(f).as_disposable();
  }
  const bool was_weak = here->send_weakly(!kind.keeps_alive);
  const auto posted_as = post_(t, [&f] { f.run(); });
  here->send_weakly(was_weak);
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
