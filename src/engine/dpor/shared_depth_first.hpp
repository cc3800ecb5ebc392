// The algorithms with a backtrack set at each point, as searches that several workers share, and that are stopped
// between any two steps and continued elsewhere.
//
// What such an algorithm finds out deep in an execution it plans at any point of its path. Still there is something
// that others can be given: a *branch*, all that follows from a message at a point of the path, before it is its turn,
// and so at the same time as what one worker would explore before it.
//
// Lemma 1  What is explored in a branch is decided by the path to its point, its message, and what sleeps there when it
//          begins. For below the point the algorithm reads its own points, all of which lie in the branch, what sleeps
//          at them, which comes down from the point, and the system, which the path decides. It never reads what is
//          planned at the point or above it but to plan more there. (An ordering that learns is read too, and was
//          taught by all that came before. So with one of these nothing is given away.)
// Lemma 2  What is done at a point is decided by what the point holds, and by what is asked to be planned there, in
//          which order. For `plan` reads and changes that point alone, and what else it looks at is the path to it.
// B        (each algorithm's `certain`)  It is certain now that a message is tried at a point, and after which others,
//          whatever is found out in the meantime. Then what sleeps when it begins is certain, too: what sleeps now,
//          the message being tried, and those between. Of what sleeps is written which steps of it ran, so these have
//          to be known: they are foreseen, or the message is the one being tried and all its draws are on the way.
//
// So a branch is given away with its path and what sleeps there. Whoever explores it writes down what is to be planned
// at its point and above (branch_points::outside, a log), instead of planning it. Whoever it is from comes to its turn
// when all before it is explored, and plans then what the log says, in its order; in what it writes down itself, if
// that point is not its own. By induction each point is asked for the same in the same order as by one worker, so it
// holds the same whenever a message of it begins (Lemma 2), and each branch explores the same (Lemma 1): all counts are
// those of one worker, who takes each step of the tree once, as they do.
//
// Nobody waits for a branch. If its turn comes, and
// - nobody has begun it, it is taken back;
// - it is explored, the log is gone through;
// - somebody is at work on it, then that is what one worker would be at now: what is left of the branch that it is from
//   is handed over to whoever that is, who from then on is in that branch, with all its points above. The log is gone
//   through, and what else is found out is planned at once. So some worker is always where one worker would be, and
//   all that is known by then is planned and can be given away.
//
// The shallowest point that has something to give gives it, which has the most to come mostly.
//
// What is written down is the path, and what the algorithm holds at each of its points: see path_archive.hpp.
#pragma once

#include <algorithm>
#include <memory>
#include <mutex>
#include <optional>
#include <sstream>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include <harrier/core/archive.hpp>
#include <harrier/core/dependence.hpp>
#include <harrier/core/names_in_use.hpp>
#include <harrier/engine/shared_search.hpp>

#include "../depth_first.hpp"
#include "../take_again.hpp"
#include "as_one_function.hpp"
#include "branches.hpp"
#include "path_archive.hpp"

namespace harrier {

/// One of those who explore a tree.
///
/// `Algorithm` is a `backtracking` with
///   void enter()             a state is reached for the first time: push a point
///   message_slot next()      what to try next at the last point; no_message: done
///   void stepped()           a step was taken from the last point
///   void tried(message_slot) all that follows from it at the last point was explored
///   branching branching_at(i)  what is begun and planned at the point at depth i
/// and, if it can be shared,
///   message_slot certain(depth, n)  B: what is certainly tried as the n-th after the current message; or no_message
///   point branch(depth, n)          the point as it will be then, if it plans that message only
///   void plan(depth, slots, is_late)  does what is found out about a point, or writes it down
/// Nothing else of it may outlast a step.
///
/// A message whose handler draws values is delivered with each combination of them, one after the other, before
/// `tried`. No recursion.
template <class Parts, class Algorithm>
class branch_worker {
public:
  using dependence = typename Parts::dependence;
  using number = shared_branches::number;

  template <class... How>
  branch_worker(search_context& s, std::string_view ordering, shared_branches& all, How... how)
      : all_(all),
        context_(s),
        system_(s.tested),
        past_aborts_(s.tested),
        ordering_(make_ordering(ordering, s.tested)),
        depends_(s.tested),
        order_(s.tested),
        algorithm_(s.tested, s.watcher, *ordering_, order_, depends_, how...),
        held_(s.tested, [this](name_keeper& keep) { algorithm_.keep_names(keep); }),
        told_(s, [this](std::size_t i) {
          return i < algorithm_.points().root() ? branching{1, 0} : algorithm_.branching_at(i);
        }) {}
  branch_worker(const branch_worker&) = delete;
  branch_worker& operator=(const branch_worker&) = delete;

  [[nodiscard]] bool has_branch() const { return branch_ != nullptr; }
  /// Begins a branch that waits, or continues it. @pre has none, holds `lock`, which it gives back
  void take(std::unique_lock<std::mutex>& lock) {
    mine_ = all_.waiting.front();
    all_.waiting.pop_front();
    branch_ = &all_.all.at(mine_);
    branch_->is_begun = true;
    const auto left = std::exchange(branch_->left, {});
    const auto learnt = all_.learnt;
    lock.unlock();
    if (!learnt.empty()) {
      std::istringstream text(learnt);
      archive_reader from(text);
      ordering_->load(from);
    }
    load(left);
  }
  /// One step on, or back. @return false if it has no branch any more
  bool advance() {
    if (is_turn_of_given()) [[unlikely]] {
      const auto found = take_turn();
      if (found == turn::left) return false;
      if (found == turn::explored) return true;
    }
    if (const auto m = algorithm_.next(); m != no_message) {
      step(m, 0);
      return true;
    }
    algorithm_.leave();
    if (system_.depth() == 0) return end_of_tree();
    const auto message = system_.step_at(system_.step_count() - 1).message;
    const auto code = system_.next_code();
    system_.undo();
    order_.pop();
    if (code != 0) {
      step(message, code);
      return true;
    }
    if (is_at_root() && !end_of_branch()) return false;
    algorithm_.tried(message);
    return true;
  }
  /// Whether somebody left it a branch that this one is from, and it is below its root: there its message would be
  /// taken for the one that was given away next (is_turn_of_given).
  [[nodiscard]] bool is_followed() const {
    return branch_->is_followed.load(std::memory_order_relaxed) && !is_at_root();
  }
  /// Goes on with that one.
  [[gnu::noinline]] void follow() {
    std::unique_lock lock(all_.workers.guard);
    const auto upper = branch_->follower;
    const auto left = std::exchange(branch_->following, {});
    all_.all.erase(mine_);
    mine_ = upper;
    branch_ = &all_.all.at(upper);
    lock.unlock();
    std::istringstream text(left);
    path_reader<dependence> from(text, system_, depends_);
    from.deliveries();  // it begins as the path that the system is at
    const auto root = static_cast<std::size_t>(from.number());
    const bool is_branch = from.flag();
    const auto found = std::exchange(algorithm_.points().outside, {});
    algorithm_.take_over(from, root, is_branch);
    auto below = std::exchange(given_, {});
    load_given(from);
    given_.back().branches.pop_front();  // the one that it was in until now
    if (given_.back().branches.empty()) given_.pop_back();
    given_.insert(given_.end(), std::make_move_iterator(below.begin()), std::make_move_iterator(below.end()));
    algorithm_.points().outside.load(from);
    plan(found);
  }
  /// Leaves a branch to others, if it is certain of one.
  [[gnu::noinline]] void give() {
    if constexpr (requires { algorithm_.certain(std::size_t{}, std::size_t{}); }) {
      if (ordering_->learns()) return;
      for (auto depth = algorithm_.points().first_own(); depth < system_.depth(); ++depth)
        if (const auto n = given_at(depth) + 1; algorithm_.certain(depth, n) != no_message) return give(depth, n);
    }
  }
  /// Leaves its branch to others, wherever it is. @pre has one
  [[gnu::noinline]] void hand_back() {
    auto left = written();
    const std::lock_guard lock(all_.workers.guard);
    branch_->left = std::move(left);
    if (ordering_->learns()) {
      std::ostringstream text;
      archive_writer to(text);
      ordering_->save(to);
      all_.learnt = text.str();
    }
    all_.waiting.push_front(mine_);
    all_.workers.tell();
    branch_ = nullptr;
  }
  /// Its system is where it began; it says what it has to say.
  void go_home() {
    while (system_.depth() > 0) go_back();
    ordering_->tell(context_.statistics);
    if constexpr (requires { depends_.tell(context_.statistics); }) depends_.tell(context_.statistics);
  }

protected:
  /// Branches that were given away, of one point, those whose turn is first first.
  struct given_branches {
    std::size_t depth;
    std::deque<number> branches;
  };

  /// Does what a branch found out about points outside it: here, or where this one writes that down.
  void plan(const plan_log& found) {
    if constexpr (requires { algorithm_.certain(std::size_t{}, std::size_t{}); })
      found.for_each([&](auto depth, auto slots, bool is_late) { algorithm_.plan(depth, slots, is_late); });
  }

  shared_branches& all_;
  shared_branches::branch* branch_ = nullptr;
  std::vector<given_branches> given_;  // shallowest first

private:
  enum class turn { own, explored, left };

  void step(message_slot m, std::uint64_t code) {
    Parts::deliver(system_, m, code);
    order_.push(depends_);
    ordering_->learn(system_);
    algorithm_.stepped();
    algorithm_.enter();
  }
  void go_back() {
    system_.undo();
    order_.pop();
  }
  /// Whether all is explored that comes before a branch that was given away: what is at the last point was not begun.
  [[nodiscard]] bool is_turn_of_given() const { return !given_.empty() && given_.back().depth == system_.depth(); }
  [[gnu::noinline]] turn take_turn() {
    const auto which = given_.back().branches.front();
    std::unique_lock lock(all_.workers.guard);
    auto& given = all_.all.at(which);
    if (given.is_explored) {
      const auto found = std::move(given.outside);
      const auto ran = std::move(given.ran);
      all_.all.erase(which);
      lock.unlock();
      forget_given();
      explored(found, ran);
      return turn::explored;
    }
    if (all_.take_back(which)) {
      forget_given();
      return turn::own;
    }
    given.following = written();
    given.follower = mine_;
    given.is_followed = true;
    branch_ = nullptr;
    return turn::left;
  }
  void forget_given() {
    given_.back().branches.pop_front();
    if (given_.back().branches.empty()) given_.pop_back();
  }
  /// Somebody else explored what is next at the last point.
  void explored(const plan_log& found, const std::string& ran) {
    if constexpr (requires { algorithm_.certain(std::size_t{}, std::size_t{}); }) {
      auto& here = algorithm_.points().back();
      here.begin();
      plan(found);
      std::istringstream text(ran);
      path_reader<dependence> from(text, system_, depends_);
      here.load_ran(from);
      algorithm_.tried(algorithm_.certain(system_.depth(), 0));
    }
  }
  [[nodiscard]] bool is_at_root() const {
    return algorithm_.points().is_branch() && system_.depth() == algorithm_.points().root();
  }
  /// @return whether it goes on, in the branch that this one is from
  [[gnu::noinline]] bool end_of_branch() {
    std::ostringstream ran;
    path_writer<dependence> to(ran, system_, depends_);
    algorithm_.points().back().save_ran(to);
    {
      const std::lock_guard lock(all_.workers.guard);
      if (!branch_->is_followed) {
        branch_->is_explored = true;
        branch_->outside = std::move(algorithm_.points().outside);
        branch_->ran = ran.str();
        branch_ = nullptr;
        return false;
      }
    }
    follow();
    return true;
  }
  [[gnu::noinline]] bool end_of_tree() {
    const std::lock_guard lock(all_.workers.guard);
    all_.all.erase(mine_);
    branch_ = nullptr;
    return false;
  }
  [[nodiscard]] std::size_t given_at(std::size_t depth) const {
    const auto at = std::find_if(given_.begin(), given_.end(), [&](const auto& g) { return g.depth == depth; });
    return at != given_.end() ? at->branches.size() : 0;
  }
  void give(std::size_t depth, std::size_t n) {
    const auto path = system_.current_schedule();
    std::ostringstream text;
    path_writer<dependence> to(text, system_, depends_, system_.step_at(system_.setup_steps() + depth).first_created);
    to.deliveries({path.begin(), path.begin() + static_cast<std::ptrdiff_t>(depth)});
    to.number(depth);
    to.flag(true);
    to.number(1);
    algorithm_.branch(depth, n).save(to);
    to.number(0);  // given away
    plan_log().save(to);
    auto place = std::find_if(given_.begin(), given_.end(), [&](const auto& g) { return g.depth >= depth; });
    if (place == given_.end() || place->depth != depth) place = given_.insert(place, {depth, {}});
    const std::lock_guard lock(all_.workers.guard);
    place->branches.push_back(all_.add(text.str()));
    all_.workers.tell();
  }
  [[nodiscard]] std::string written() const {
    std::ostringstream left;
    path_writer<dependence> to(left, system_, depends_);
    to.deliveries(system_.current_schedule());
    to.number(algorithm_.points().root());
    to.flag(algorithm_.points().is_branch());
    algorithm_.save(to);
    to.list(given_, [&](const given_branches& at) {
      to.number(at.depth);
      to.list(at.branches, [&](number n) { to.number(n); });
    });
    algorithm_.points().outside.save(to);
    return left.str();
  }
  void load(const std::string& left) {
    given_.clear();
    if (left.empty()) {
      go_to({});
      algorithm_.points().begin(0, false);
      return algorithm_.enter();
    }
    std::istringstream text(left);
    path_reader<dependence> from(text, system_, depends_);
    go_to(from.deliveries());
    const auto root = static_cast<std::size_t>(from.number());
    algorithm_.points().begin(root, from.flag());
    algorithm_.load(from);
    load_given(from);
    algorithm_.points().outside.load(from);
  }
  void load_given(archive_reader& from) {
    from.list([&] {
      auto& at = given_.emplace_back();
      at.depth = static_cast<std::size_t>(from.number());
      from.list([&] { at.branches.push_back(from.number()); });
    });
  }
  void go_to(const schedule& path) {
    const auto now = system_.current_schedule();
    const auto common = std::mismatch(now.begin(), now.end(), path.begin(), path.end()).second;
    while (system_.depth() > static_cast<std::size_t>(common - path.begin())) go_back();
    take_again(system_, {common, path.end()}, [&] { order_.push(depends_); });
  }

  search_context& context_;
  system& system_;
  const past_aborts past_aborts_;
  const std::unique_ptr<ordering> ordering_;
  dependence depends_;
  happens_before order_;
  Algorithm algorithm_;
  const names_in_use held_;
  const told_branches told_;
  number mine_ = 0;
};

/// @tparam Algorithm  as in branch_worker
template <class Parts, class Algorithm, class... How>
class shared_depth_first final : public shared_search {
public:
  explicit shared_depth_first(std::string_view ordering, How... how) : ordering_(ordering), how_(how...) {}

  void work(search_context& s) override {
    const workforce::shift present(all_.workers);
    std::optional<branch_worker<Parts, Algorithm>> worker;
    std::apply([&](auto... how) { worker.emplace(s, ordering_, all_, how...); }, how_);
    while (takes_one(s, *worker)) run(s, *worker);
    worker->go_home();
  }
  [[nodiscard]] bool is_explored() const override { return all_.all.empty(); }
  void save(archive_writer& to) const override { all_.save(to); }
  void load(archive_reader& from) override { all_.load(from); }

private:
  /// @return false if there will be none, or the watcher stops
  bool takes_one(search_context& s, branch_worker<Parts, Algorithm>& worker) {
    if (s.watcher.stopping()) return false;
    std::unique_lock lock(all_.workers.guard);
    const auto has_one = [this] { return !all_.waiting.empty(); };
    if (!has_one() && !all_.workers.wait(lock, s, has_one)) return false;
    worker.take(lock);
    return true;
  }
  /// Until it has no branch any more, or the watcher stops.
  HARRIER_AS_ONE_FUNCTION void run(search_context& s, branch_worker<Parts, Algorithm>& worker) {
    do {
      if (s.watcher.stopping()) return worker.hand_back();
      while (worker.is_followed()) [[unlikely]] worker.follow();
      if (all_.workers.is_anyone_waiting()) [[unlikely]]
        worker.give();
    } while (worker.advance());
  }

  const std::string ordering_;
  const std::tuple<How...> how_;
  shared_branches all_;
};

/// @tparam Algorithm  as in shared_depth_first, made of `Parts`
template <class Parts, template <class> class Algorithm, class... How>
std::unique_ptr<shared_search> share_depth_first(std::string_view ordering, How... how) {
  return std::make_unique<shared_depth_first<Parts, Algorithm<Parts>, How...>>(ordering, how...);
}

}  // namespace harrier
