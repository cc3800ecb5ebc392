#include <harrier/engine/exhaustive.hpp>

#include <vector>

#include <harrier/core/archive.hpp>
#include <harrier/core/names_in_use.hpp>

#include "item_pool.hpp"
#include "search_by_one.hpp"

namespace harrier {
namespace {

struct alternative {
  message_slot message;
  std::uint64_t code;
};

/// Takes back the last step; what can be tried in its place, or no_message.
alternative go_back(system& s) {
  const auto message = s.step_at(s.step_count() - 1).message;
  const auto code = s.next_code();
  s.undo();
  return code != 0 ? alternative{message, code} : alternative{s.next_deliverable(message), 0};
}

/// A part of all executions that shares nothing with any other: of those that
/// begin with the first `root` deliveries, the ones that are tried after all these
/// deliveries; and those that begin with all of them.
struct part {
  schedule deliveries;
  std::size_t root = 0;
  bool is_below = true;  ///< what begins with all of them is among it
};

/// One worker, somewhere in the part that it explores.
class part_search {
public:
  part_search(search_context& s, item_pool<part>& all) : system_(s.tested), watcher_(s.watcher), all_(all) {}

  void run(const part& mine) {
    go_to(mine);
    for (;;) {
      if (watcher_.stopping()) return hand_back();
      if (all_.workers.is_anyone_waiting()) [[unlikely]]
        give();
      if (is_below_) {
        const auto first = system_.first_deliverable();
        is_below_ = first != no_message;
        if (is_below_)
          system_.deliver(first);
        else
          watcher_.execution_ended(system_);
        continue;
      }
      if (system_.depth() == root_) break;
      const auto next = go_back(system_);
      is_below_ = next.message != no_message;
      if (is_below_) system_.deliver(next.message, next.code);
    }
    leave();
  }

private:
  void go_to(const part& mine) {
    auto* const watching = system_.watch().observe(nullptr);
    system_.run(mine.deliveries);
    system_.watch().observe(watching);
    system_.watch().made_before(mine.deliveries.size());
    is_below_ = mine.is_below;
    root_ = mine.root;
  }
  /// Leaves to others what is to be tried after the first step in which something is.
  void give() {
    const auto path = system_.current_schedule();
    for (; root_ < path.size(); ++root_) {
      if (!has_more_after(root_)) continue;
      all_.put({{path.begin(), path.begin() + static_cast<std::ptrdiff_t>(root_) + 1}, root_, false});
      ++root_;
      return;
    }
  }
  /// Whether it is likely that something else can be tried where the step at that depth was taken.
  [[nodiscard]] bool has_more_after(std::size_t depth) const {
    const auto step = system_.setup_steps() + depth;
    if (!system_.choices_of(step).empty()) return true;
    const auto& taken = system_.step_at(step);
    for (auto m = taken.message + 1; m < taken.first_sent; ++m) {
      bool is_pending = true;
      for (auto i = system_.setup_steps(); i < step && is_pending; ++i) is_pending = system_.step_at(i).message != m;
      if (is_pending) return true;
    }
    return false;
  }
  void hand_back() {
    if (is_below_ || system_.depth() > root_) all_.put({system_.current_schedule(), root_, is_below_});
    leave();
  }
  void leave() {
    while (system_.depth() > 0) system_.undo();
  }

  system& system_;
  observer& watcher_;
  item_pool<part>& all_;
  std::size_t root_ = 0;  // the depth below which everything is this worker's
  bool is_below_ = true;  // what comes after the last step was not looked at yet
};

class shared_exhaustive final : public shared_search {
public:
  shared_exhaustive() { parts_.put({}); }

  void work(search_context& s) override {
    const names_in_use held(s.tested, [](name_keeper&) {});
    const workforce::shift present(parts_.workers);
    part_search mine(s, parts_);
    for (part next; parts_.take(next, s);) mine.run(next);
  }
  [[nodiscard]] bool is_explored() const override { return parts_.size() == 0; }
  void save(archive_writer& to) const override {
    to.number(parts_.size());
    parts_.for_each([&](const part& p) {
      to.deliveries(p.deliveries);
      to.number(p.root);
      to.flag(p.is_below);
    });
  }
  void load(archive_reader& from) override {
    parts_.clear();
    from.list([&] {
      part p;
      p.deliveries = from.deliveries();
      p.root = static_cast<std::size_t>(from.number());
      p.is_below = from.flag();
      parts_.put(std::move(p));
    });
  }

private:
  item_pool<part> parts_;
};

/// The oracle.
bool explore_exhaustive(search_context& s) {
  auto& system = s.tested;
  const names_in_use held(system, [](name_keeper&) {});
  alternative next{system.first_deliverable(), 0};
  for (;;) {
    if (next.message == no_message) {
      s.watcher.execution_ended(system);
      do {
        if (system.depth() == 0) return true;
        next = go_back(system);
      } while (next.message == no_message);
    }
    if (s.watcher.stopping()) return false;
    system.deliver(next.message, next.code);
    next = {system.first_deliverable(), 0};
  }
}

}  // namespace

std::unique_ptr<shared_search> share_exhaustive(made_by who) {
  if (who == made_by::one) return std::make_unique<search_by_one<decltype(&explore_exhaustive)>>(explore_exhaustive);
  return std::make_unique<shared_exhaustive>();
}

}  // namespace harrier
