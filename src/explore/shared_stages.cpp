// The stages of a program, searched by several workers.
//
// What follows the end of a stage depends on the deliveries that led there, and on nothing else that was explored. So
// who comes to an end may leave it to others what follows, and each stage, from the end at which it begins, is a shared
// search by itself. There is a list of those that are not explored to their ends, each with the way to its beginning.
//
// A worker that comes to the end of a stage begins the next one, puts it on the list, and works there, on the stack of
// the one before. A worker with nothing to do joins the one that was joined least recently, or one in which nobody is.
// It leaves a stage in which it waits in vain if there are others: what it waits for may be far below, in a stage that
// somebody has begun since. Whoever leaves a stage last strikes it off the list, if it is explored.
//
// As nobody needs to know the end of a stage to go on around it, a worker may be stopped wherever it is: its engines
// hand back what they have left in each stage around it, and where the driver did not go on with all that it can draw,
// that is left as well. All of it can be written down.
#include "shared_stages.hpp"

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <list>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include <harrier/core/archive.hpp>
#include <harrier/core/exploration.hpp>
#include <harrier/engine/exhaustive.hpp>

#include "../engine/workforce.hpp"
#include "stage_search.hpp"

namespace harrier {
namespace {

/// A stage that is not explored to its end.
struct open_stage {
  stage_place at;
  bool in_all_orders;
  std::unique_ptr<shared_search> search;
  std::size_t workers = 0;
  bool is_over = false;  ///< somebody came to its end, where the others are, too: nobody joins it any more
};

/// Where the driver is to go on, first with the draws of `code`.
struct end_of_stage {
  stage_place at = {};
  std::uint64_t code = 0;
  bool is_everything = false;  ///< not begun at all
};

class shared_stages final : public shared_search {
public:
  shared_stages(const named_engine& engine, const search_request& asked) : engine_(engine), asked_(asked) {
    left_.push_back({.is_everything = true});
  }

  void work(search_context& s) override;
  [[nodiscard]] bool is_explored() const override { return left_.empty() && stages_.empty(); }
  void save(archive_writer& to) const override;
  void load(archive_reader& from) override;
  void conclude(exploration& result) const override {
    for (const auto& stage : stages_) add(*stage.search, result);
    result.sleep_sets = result.sleep_sets || sleep_sets_;
    for (const auto& note : notes_) add(note, result.notes);
  }

private:
  using place_in_list = std::list<open_stage>::iterator;
  class worker;

  static void add(const std::string& note, std::vector<std::string>& notes) {
    if (std::find(notes.begin(), notes.end(), note) == notes.end()) notes.push_back(note);
  }
  static void add(const shared_search& stage, exploration& result) {
    exploration said;
    stage.conclude(said);
    result.sleep_sets = result.sleep_sets || said.sleep_sets;
    for (const auto& note : said.notes) add(note, result.notes);
  }
  [[nodiscard]] std::unique_ptr<shared_search> search_of(system& initial, bool in_all_orders) const {
    if (in_all_orders) return share_exhaustive();
    return engine_.search(
        {.tested = asked_.tested, .initial = initial, .how = asked_.how, .most = asked_.most, .who = made_by::several});
  }
  /// @pre holds the guard
  void leave(place_in_list stage) {
    if (--stage->workers > 0 || has_failed_ || !stage->search->is_explored()) return;
    exploration said;
    add(*stage->search, said);
    sleep_sets_ = sleep_sets_ || said.sleep_sets;
    for (const auto& note : said.notes) add(note, notes_);
    stages_.erase(stage);
  }
  [[nodiscard]] std::size_t count_to_join() const {
    return static_cast<std::size_t>(
        std::count_if(stages_.begin(), stages_.end(), [](const open_stage& x) { return !x.is_over; }));
  }
  /// One in which nobody is has something to do for certain. @pre holds the guard, and there is one
  place_in_list join_one() {
    auto chosen = std::find_if(stages_.begin(), stages_.end(), [](const open_stage& x) { return x.workers == 0; });
    if (chosen == stages_.end())
      chosen = std::find_if(stages_.begin(), stages_.end(), [](const open_stage& x) { return !x.is_over; });
    stages_.splice(stages_.end(), stages_, chosen);
    ++chosen->workers;
    return chosen;
  }
  [[nodiscard]] bool has_others() {
    const std::lock_guard lock(workers_.guard);
    return count_to_join() > 1 || !left_.empty();
  }

  const named_engine& engine_;
  const search_request asked_;
  workforce workers_;
  std::atomic<bool> has_failed_ = false;  // a stage that somebody left by an exception can only be destroyed
  // What follows is changed by who holds the guard of the workers.
  std::list<open_stage> stages_;
  std::vector<end_of_stage> left_;
  bool sleep_sets_ = false;
  std::vector<std::string> notes_;
};

class shared_stages::worker final : public stage_search::of_one_stage {
public:
  worker(shared_stages& all, search_context& s) : all_(all), context_(s), way_(s, *this, false) {}

  void run() {
    const workforce::shift present(all_.workers_);
    while (!context_.watcher.stopping() && !all_.has_failed_) {
      std::unique_lock lock(all_.workers_.guard);
      if (!all_.workers_.wait(lock, context_, [this] { return !all_.left_.empty() || all_.count_to_join() > 0; }))
        return;
      if (!all_.left_.empty()) {
        const auto next = std::move(all_.left_.back());
        all_.left_.pop_back();
        lock.unlock();
        go_on(next);
      } else {
        const auto stage = all_.join_one();
        lock.unlock();
        way_.go_to(stage->at);
        explore(stage);
      }
      way_.go_home();
    }
  }

  void search(stage_search&, bool in_all_orders) override {
    open_stage made{way_.here(), in_all_orders, all_.search_of(context_.tested, in_all_orders)};
    const bool stays = !context_.watcher.stopping();
    std::unique_lock lock(all_.workers_.guard);
    const auto stage = all_.stages_.insert(all_.stages_.end(), std::move(made));
    if (stays) ++stage->workers;
    all_.workers_.tell();
    lock.unlock();
    if (stays) explore(stage);
  }
  void leave(stage_search&, std::uint64_t code) override {
    end_of_stage left{way_.here(), code};
    const std::lock_guard lock(all_.workers_.guard);
    all_.left_.push_back(std::move(left));
    all_.workers_.tell();
  }
  bool leaves_stage(const system& now) override {
    if (all_.has_failed_) return true;
    const bool waits = std::exchange(deliveries_, now.watch().deliveries()) == now.watch().deliveries();
    return waits && all_.has_others();
  }

private:
  void go_on(const end_of_stage& from) {
    way_.go_to(from.at);
    from.is_everything ? way_.run() : way_.go_on(from.code);
  }
  /// Where `stage` begins, one of its workers.
  void explore(place_in_list stage) {
    bool is_over = false;
    try {
      way_.explore([&](search_context& s) {
        s.goes_on_later = true;
        stage->search->work(s);
        is_over = !s.watcher.stopping();
      });
    } catch (...) {
      all_.has_failed_ = true;
      throw;
    }
    const std::lock_guard lock(all_.workers_.guard);
    stage->is_over = stage->is_over || is_over;
    all_.leave(stage);
    all_.workers_.tell();
  }

  shared_stages& all_;
  search_context& context_;
  stage_search way_;
  std::uint64_t deliveries_ = 0;  // when the watcher was polled last
};

void shared_stages::work(search_context& s) { worker(*this, s).run(); }

void shared_stages::save(archive_writer& to) const {
  const auto write = [&](const stage_place& at) {
    to.deliveries(at.deliveries);
    to.number(static_cast<std::uint64_t>(at.depth));
  };
  to.list(left_, [&](const end_of_stage& end) {
    write(end.at);
    to.number(end.code);
    to.flag(end.is_everything);
  });
  to.list(stages_, [&](const open_stage& stage) {
    write(stage.at);
    to.flag(stage.in_all_orders);
    stage.search->save(to);
  });
  to.flag(sleep_sets_);
  to.list(notes_, [&](const std::string& note) { to.text(note); });
}

void shared_stages::load(archive_reader& from) {
  const auto read = [&] {
    stage_place at;
    at.deliveries = from.deliveries();
    at.depth = static_cast<int>(from.number());
    return at;
  };
  left_.clear();
  from.list([&] {
    end_of_stage end{.at = read(), .code = from.number()};
    end.is_everything = from.flag();
    left_.push_back(std::move(end));
  });
  from.list([&] {
    open_stage stage{.at = read(), .in_all_orders = from.flag(), .search = nullptr};
    stage.search = search_of(asked_.initial, stage.in_all_orders);
    stage.search->load(from);
    stages_.push_back(std::move(stage));
  });
  sleep_sets_ = from.flag();
  from.list([&] { notes_.push_back(from.text()); });
}

}  // namespace

std::unique_ptr<shared_search> share_stages(const named_engine& engine, const search_request& asked) {
  return std::make_unique<shared_stages>(engine, asked);
}

}  // namespace harrier
