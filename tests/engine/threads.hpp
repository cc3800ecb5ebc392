#pragma once

#include <atomic>
#include <exception>
#include <functional>
#include <limits>
#include <list>
#include <memory>
#include <mutex>
#include <random>
#include <sstream>
#include <thread>
#include <vector>

#include <harrier/core/archive.hpp>
#include <harrier/core/monitor.hpp>
#include <harrier/core/program.hpp>
#include <harrier/engine/shared_search.hpp>

#include "observed.hpp"

namespace harrier::differential {

/// One of several threads that search, as the observer of all of them sees it: it
/// is told of one thing at a time. After so many deliveries of all threads
/// together, each returns.
class one_of_several final : public observer, public monitor {
public:
  struct all_of_them {
    observer& watcher;
    std::mutex guard = {};
    std::atomic<long> deliveries_left = 0;
  };
  explicit one_of_several(all_of_them& all) : all_(all) {}

  void step_flagged(system& s) override {
    tell([&] { all_.watcher.step_flagged(s); });
  }
  void poll(system& s) override {
    tell([&] { all_.watcher.poll(s); });
  }
  void execution_ended(system& s) override {
    tell([&] { all_.watcher.execution_ended(s); });
  }
  void execution_blocked(system& s) override {
    tell([&] { all_.watcher.execution_blocked(s); });
  }
  std::optional<record> stepped(const system&) override {
    if (--all_.deliveries_left <= 0) stopping_ = true;
    return {};
  }

private:
  template <class Call>
  void tell(Call call) {
    const std::lock_guard lock(all_.guard);
    call();
    stopping_ = all_.watcher.stopping() || all_.deliveries_left <= 0;
  }

  all_of_them& all_;
};

/// Explores by one to eight threads that are stopped, now and then, wherever each
/// of them is; what they left is written down, and others go on with what is read.
/// When, and how many they are, is drawn by a seed that the program decides.
inline bool search_by_threads(const std::function<std::unique_ptr<shared_search>()>& make, const program& tested,
                              system& first, observer& watcher) {
  std::minstd_rand drawn(static_cast<std::minstd_rand::result_type>(first.configuration().low + 2));
  const auto below = [&drawn](long n) { return std::uniform_int_distribution<long>(0, n - 1)(drawn); };
  one_of_several::all_of_them all{watcher};
  auto search = make();
  for (;;) {
    // Often nobody stops them: then some have nothing to do in the end.
    all.deliveries_left = below(3) == 0 ? std::numeric_limits<long>::max() / 2 : 1 + below(long{1} << below(10));
    std::list<one_of_several> watchers;
    std::list<system_handle> systems;
    std::vector<search_context> contexts;
    const auto count = static_cast<std::size_t>(1 + below(8));
    contexts.reserve(count);
    for (std::size_t i = 0; i < count; ++i) {
      auto& fresh = *systems.emplace_back(tested.start(first.model()));
      auto& mine = watchers.emplace_back(all);
      fresh.limit_depth(deepest);
      fresh.watch().observe(&mine);
      fresh.watch().attach(&mine);
      contexts.push_back({fresh, mine});
    }
    std::vector<std::exception_ptr> failures(count);
    {
      std::vector<std::jthread> threads;
      for (std::size_t i = 0; i < count; ++i)
        threads.emplace_back([&, i] {
          try {
            search->work(contexts[i]);
          } catch (...) {
            failures[i] = std::current_exception();
            all.deliveries_left = 0;
          }
        });
    }
    for (const auto& failure : failures)
      if (failure != nullptr) std::rethrow_exception(failure);
    if (watcher.stopping()) return false;
    if (search->is_explored()) return true;
    std::stringstream file;
    archive_writer to(file);
    search->save(to);
    search = make();
    archive_reader from(file);
    search->load(from);
  }
}

}  // namespace harrier::differential
