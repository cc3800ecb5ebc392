// Optimal-DPOR by several workers: each is an optimal_cursor in a worker_tree of
// its own, above which lies the common_tree. See docs/algorithms/optimal.md,
// "Several workers".
#pragma once

#include <atomic>
#include <mutex>
#include <string>
#include <string_view>

#include <harrier/engine/shared_search.hpp>

#include "../depth_first.hpp"
#include "as_one_function.hpp"
#include "optimal.hpp"
#include "worker_tree.hpp"

namespace harrier {

/// Parts, but that the tree is one of several that belong together.
template <class Parts, template <class, template <class> class> class Tree = worker_tree>
struct parts_of_worker : Parts {
  template <class Dependence>
  using tree = Tree<Dependence, Parts::template tree>;
};

/// One of those who explore a common tree.
template <class Parts, template <class, template <class> class> class Tree = worker_tree>
class optimal_worker {
public:
  using cursor = optimal_cursor<parts_of_worker<Parts, Tree>>;
  using common = typename cursor::tree::common;

  optimal_worker(search_context& s, const optimal_options& how, common& upper)
      : past_aborts_(s.tested),
        ordering_(make_ordering(how.ordering, s.tested)),
        depends_(s.tested),
        tree_(s.tested, depends_, upper),
        cursor_(s.tested, s.watcher, *ordering_, depends_, depends_, tree_, how.longest_with_observers) {}

  cursor& operator*() { return cursor_; }
  cursor* operator->() { return &cursor_; }

private:
  past_aborts past_aborts_;
  std::unique_ptr<ordering> ordering_;
  typename Parts::dependence depends_;
  typename cursor::tree tree_;
  cursor cursor_;
};

template <class Parts>
class shared_optimal final : public shared_search {
public:
  explicit shared_optimal(const optimal_options& how) : ordering_(how.ordering), how_(how) {
    how_.ordering = ordering_;
  }

  void work(search_context& s) override {
    const workforce::shift present(upper_.workers);
    optimal_worker<Parts> worker(s, how_, upper_);
    worker->be_complete(s.goes_on_later);
    if (present.is_first()) worker->go_on();
    do {
      run(s, *worker);
      if (worker->has_given_up()) has_given_up_ = true;
      if (s.watcher.stopping()) return worker->give_all();
    } while (waits_for_work(s));
  }
  [[nodiscard]] bool is_explored() const override { return !has_given_up_ && upper_.is_explored(); }
  void save(archive_writer& to) const override { upper_.save(to); }
  void load(archive_reader& from) override { upper_.load(from); }

private:
  using cursor = typename optimal_worker<Parts>::cursor;

  /// Until there is nothing to do, or the watcher stops. As one function it is a fifth faster.
  HARRIER_AS_ONE_FUNCTION void run(search_context& s, cursor& worker) {
    while (!s.watcher.stopping()) {
      if (upper_.workers.is_anyone_waiting()) [[unlikely]]
        worker.give();
      if (!worker.advance()) return;
    }
  }
  bool waits_for_work(search_context& s) {
    std::unique_lock lock(upper_.workers.guard);
    return upper_.workers.wait(lock, s, [this] { return upper_.anything_planned(); });
  }

  const std::string ordering_;
  optimal_options how_;
  std::atomic<bool> has_given_up_ = false;
  typename optimal_worker<Parts>::common upper_;
};

}  // namespace harrier
