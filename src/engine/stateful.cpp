// Explicit-state search of actor programs, depth first.
//
// S1 (Godefroid 1996): with each state the sleep set Z is stored with which it
// was entered: everything enabled but not in Z is explored from there. A visit
// with another sleep set Z' explores what slept then and does not now, Z \ Z',
// with Z ∩ Z' asleep, and stores Z ∩ Z'. What was explored at the earlier visit
// must not sleep in the later one: on a cycle it may not be explored yet.
//
// D1  Sleeping deliveries are known by receiver and content, not by name, since
//     a state is reached in many ways. Of pending messages with equal contents
//     one is delivered.
// D2  A stored sleep set is a word of bits over the state's deliverable contents
//     in ascending order. What does not fit (beyond 32) counts as awake.
// D3  A state with one thing to do is not stored in big steps, but for one in
//     `most_forced`, so that an endless forced run comes back to itself.
// D4  Steps that end an execution end their actor only, if sleep sets are used:
//     see past_aborts.
#include <harrier/engine/stateful.hpp>

#include <algorithm>
#include <memory>
#include <optional>

#include "depth_first.hpp"
#include "growth.hpp"
#include "state_fingerprint.hpp"
#include "state_store.hpp"

namespace harrier {
namespace {

constexpr std::size_t most_forced = 1000;
constexpr std::size_t most_stored_asleep = 32;

/// A delivery that can be made in a state, or that sleeps there.
struct candidate {
  std::uint64_t content;
  actor_slot receiver;
  message_slot message;
};

state_fingerprint::queues queues_of(const stateful_options& how) {
  using queues = state_fingerprint::queues;
  return how.comparison == state_comparison::as_measured ? queues::of_receiver : queues::none;
}

bool contains(const std::vector<candidate>& among, std::uint64_t content) {
  return std::any_of(among.begin(), among.end(), [&](const candidate& c) { return c.content == content; });
}

class depth_first_states {
public:
  depth_first_states(system& s, observer& watcher, const stateful_options& how, stateful_report& report)
      : system_(s),
        watcher_(watcher),
        how_(how),
        report_(report),
        fingerprint_(s, queues_of(how)),
        store_(make_state_store(how, s)) {}

  bool run() {
    const bool ended = search();
    report_.bytes = store_->bytes();
    report_.expected_misses = store_->expected_misses();
    growth_.report(report_);
    return ended;
  }

private:
  struct point {
    std::vector<candidate> todo;  // those before `next` are done
    std::vector<candidate> asleep;
    std::size_t next = 0;
    std::size_t forced = 0;  // states before it that were not compared
    std::size_t steps = 0;   // steps that led to it
  };

  bool search() {
    enter(nullptr);
    while (!points_.empty()) {
      if (watcher_.stopping()) return false;
      auto& p = points_.back();
      if (p.next < p.todo.size()) {
        step(p.todo[p.next].message, 0);
        continue;
      }
      points_.pop();
      if (!points_.empty()) leave();
    }
    return true;
  }

  void step(message_slot m, std::uint64_t code) {
    system_.deliver(m, code);
    fingerprint_.push();
    if (!enter(&points_.back())) leave();
  }

  /// Takes the last step back, and goes on with what else can be drawn in it.
  void leave() {
    for (;;) {
      const auto message = system_.step_at(system_.step_count() - 1).message;
      const auto code = system_.next_code();
      system_.undo();
      fingerprint_.pop();
      if (code == 0) break;
      if (watcher_.stopping()) return;
      system_.deliver(message, code);
      fingerprint_.push();
      if (enter(&points_.back())) return;
    }
    ++points_.back().next;
  }

  /// A state is reached from `parent`; whether there is something to do in it: then it is the last point.
  bool enter(const point* parent) {
    const auto first = system_.first_deliverable();
    const bool is_final = first == no_message;
    const bool is_forced = how_.steps == step_size::big && !is_final && parent != nullptr &&
                           system_.next_deliverable(first) == no_message && parent->forced < most_forced;
    const auto steps = parent == nullptr ? 0 : parent->steps + (parent->forced == 0 ? 1 : 0);
    report_.depth = std::max<std::uint64_t>(report_.depth, steps);
    if (is_final) {
      const bool is_new =
          how_.comparison == state_comparison::as_measured || store_->insert(fingerprint_.value()).is_new;
      note_state(is_new, true);
      watcher_.execution_ended(system_);
      return false;
    }
    if (is_forced) return enter_uncompared(*parent, steps);
    const auto found = store_->insert(fingerprint_.value());
    note_state(found.is_new, false);
    if (!found.is_new && *found.word == 0) return false;

    take_asleep(parent);
    list_deliverable();
    auto& p = push(steps);
    if (found.is_new)
      sleep_first_time(p, *found.word);
    else
      sleep_again(p, *found.word);
    if (!p.todo.empty()) return true;
    points_.pop();
    return false;
  }

  bool enter_uncompared(const point& parent, std::size_t steps) {
    const auto forced = parent.forced + 1;
    take_asleep(&parent);
    list_deliverable();
    auto& p = push(steps);
    p.forced = forced;
    p.asleep.swap(asleep_);
    for (const auto& c : deliverable_)
      if (!contains(p.asleep, c.content)) p.todo.push_back(c);
    if (!p.todo.empty()) return true;
    points_.pop();
    return false;
  }

  point& push(std::size_t steps) {
    auto& p = points_.push();
    p.todo.clear();
    p.asleep.clear();
    p.next = p.forced = 0;
    p.steps = steps;
    return p;
  }

  /// Z: what sleeps or was done in the parent, and the last step does not wake.
  void take_asleep(const point* parent) {
    asleep_.clear();
    if (!how_.sleep_sets || parent == nullptr) return;
    const auto receiver = system_.step_at(system_.step_count() - 1).receiver;
    for (const auto& c : parent->asleep)
      if (c.receiver != receiver) asleep_.push_back(c);
    for (std::size_t i = 0; i < parent->next; ++i)
      if (parent->todo[i].receiver != receiver) asleep_.push_back(parent->todo[i]);
  }

  /// What can be delivered, oldest first, one of each content.
  void list_deliverable() {
    deliverable_.clear();
    for (auto m = system_.first_deliverable(); m != no_message; m = system_.next_deliverable(m)) {
      const auto content = fingerprint_.content(m);
      if (how_.comparison == state_comparison::none || !contains(deliverable_, content))
        deliverable_.push_back({content, system_.message_at(m).receiver, m});
    }
  }

  void sleep_first_time(point& p, std::uint32_t& stored) {
    if (asleep_.empty()) {
      p.todo.swap(deliverable_);
      return;
    }
    sort_contents();
    for (const auto& c : deliverable_) {
      if (contains(asleep_, c.content) && rank(c.content) < most_stored_asleep) {
        stored |= std::uint32_t{1} << rank(c.content);
        p.asleep.push_back(c);
      } else {
        p.todo.push_back(c);
      }
    }
  }

  void sleep_again(point& p, std::uint32_t& stored) {
    sort_contents();
    const auto slept = stored;
    for (const auto& c : deliverable_) {
      const auto bit = rank(c.content) < most_stored_asleep ? std::uint32_t{1} << rank(c.content) : 0;
      if ((slept & bit) == 0) continue;  // done at an earlier visit, or being done
      if (contains(asleep_, c.content)) {
        p.asleep.push_back(c);
      } else {
        stored &= ~bit;
        p.todo.push_back(c);
      }
    }
  }

  void sort_contents() {
    sorted_.clear();
    for (const auto& c : deliverable_) sorted_.push_back(c.content);
    std::sort(sorted_.begin(), sorted_.end());
  }
  [[nodiscard]] std::size_t rank(std::uint64_t content) const {
    return static_cast<std::size_t>(std::lower_bound(sorted_.begin(), sorted_.end(), content) - sorted_.begin());
  }

  void note_state(bool is_new, bool is_final) {
    if (!is_new) {
      ++report_.revisits;
      return;
    }
    ++report_.states;
    report_.final_states += is_final ? 1 : 0;
    growth_.look(system_, report_.states);
  }

  system& system_;
  observer& watcher_;
  const stateful_options& how_;
  stateful_report& report_;
  state_fingerprint fingerprint_;
  std::unique_ptr<state_store> store_;
  growth growth_;
  point_stack<point> points_;
  std::vector<candidate> asleep_, deliverable_;
  std::vector<std::uint64_t> sorted_;
};

}  // namespace

bool explore_stateful(system& system, observer& watcher, const stateful_options& how, stateful_report& report) {
  std::optional<past_aborts> guard;
  if (how.sleep_sets) guard.emplace(system);
  return depth_first_states(system, watcher, how, report).run();
}

}  // namespace harrier
