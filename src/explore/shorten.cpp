#include "shorten.hpp"

#include <harrier/engine/stateful.hpp>

#include "by_stages.hpp"
#include "search_states.hpp"
#include "start.hpp"

namespace harrier {
namespace {

constexpr double deliveries_a_second = 50'000;

options nearest_first(options how, std::size_t longest) {
  how.limits.max_depth = longest;
  how.judging.keep_going = true;
  how.judging.by = nullptr;
  how.told.on_finding = nullptr;
  how.told.on_progress = nullptr;
  how.limits.max_executions = 0;
  how.limits.time_limit = how.judging.minimise / 2;
  return how;
}

/// Sees what there is, for a moment.
class passer_by : public observer {
public:
  passer_by(const options& how, limits& until)
      : limits_(until),
        most_(static_cast<std::uint64_t>(how.judging.minimise * deliveries_a_second)),
        seen_(how, until, nullptr) {}

  void step_flagged(system& s) override {
    seen_.step_flagged(s);
    look();
  }
  void execution_ended(system& s) override {
    seen_.execution_ended(s);
    look();
  }
  void execution_blocked(system&) override {}
  void poll(system& s) override {
    seen_.poll(s);
    if (s.watch().deliveries() >= most_) limits_.stop("enough");
    look();
  }
  [[nodiscard]] const tally& seen() const { return seen_; }

private:
  [[nodiscard]] virtual bool has_seen_enough() const { return false; }
  void look() { stopping_ = seen_.stopping() || has_seen_enough(); }

  limits& limits_;
  std::uint64_t most_;
  tally seen_;
};

/// Sees all that was found.
class witness final : public passer_by {
public:
  witness(const options& how, limits& until, const tally& found) : passer_by(how, until), found_(found) {}

private:
  [[nodiscard]] bool has_seen_enough() const override { return seen().has_all_of(found_); }

  const tally& found_;
};

void go_through(const program& tested, const options& near, observer& watcher) {
  stateful_options states{.search = search_order::breadth_first, .sleep_sets = false};
  if (!objection(states, near.search.delivery).empty()) return;
  const auto system = start_as_asked(tested, near);
  if (has_stages(*system)) return;
  states.gone_actors = are_gone_actors_seen(*system, near);
  system->watch().observe(&watcher);
  search_context search{*system, watcher};
  explore_alone(search, *share_stateful(states, made_by::one));
}

}  // namespace

void shorten(const program& tested, const options& how, tally& found) {
  const auto longest = found.longest_of_states();
  if (longest == 0) return;
  const auto near = nearest_first(how, longest);
  limits until(near, 0);
  witness watcher(near, until, found);
  try {
    go_through(tested, near, watcher);
  } catch (...) {
    found.take_shortest(watcher.seen());  // a guard failed, say: what was met before was met by a shortest way
    return;
  }
  found.take_shortest(watcher.seen());
}

void run_nearest_first(const program& tested, const options& how, std::size_t deepest) {
  const auto near = nearest_first(how, deepest);
  limits until(near, 0);
  passer_by watcher(near, until);
  go_through(tested, near, watcher);
}

}  // namespace harrier
