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
// D3  A state with one thing to do is not stored in big steps, unless something
//     was drawn on the way there, and but for one in `most_forced`, so that an
//     endless forced run comes back to itself.
// D4  Steps that end an execution end their actor only, if sleep sets are used:
//     see past_aborts.
#include <harrier/engine/stateful.hpp>

#include <optional>

#include <harrier/core/error.hpp>

#include "depth_first.hpp"
#include "state_search.hpp"

namespace harrier {
namespace {

constexpr std::size_t most_forced = 1000;
constexpr std::size_t most_stored_asleep = 32;

class depth_first_states : state_search {
public:
  using state_search::state_search;

  bool run() {
    const bool ended = search();
    complete_report(0);
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
      if (stopping()) return false;
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
    deliver(m, code);
    if (!enter(&points_.back())) leave();
  }

  /// Takes the last step back, and goes on with what else can be drawn in it.
  void leave() {
    for (;;) {
      const auto message = system_.step_at(system_.step_count() - 1).message;
      const auto code = go_back();
      if (code == 0) break;
      if (stopping()) return;
      deliver(message, code);
      if (enter(&points_.back())) return;
    }
    ++points_.back().next;
  }

  /// A state is reached from `parent`; whether there is something to do in it: then it is the last point.
  bool enter(const point* parent) {
    const auto first = system_.first_deliverable();
    const bool is_final = first == no_message;
    const bool is_forced = how_.steps == step_size::big && !is_final && parent != nullptr &&
                           system_.next_deliverable(first) == no_message && parent->forced < most_forced &&
                           system_.choices_of(system_.step_count() - 1).empty();
    const auto steps = parent == nullptr ? 0 : parent->steps + (parent->forced == 0 ? 1 : 0);
    report_.depth = std::max<std::uint64_t>(report_.depth, steps);
    if (is_final) {
      arrive_at_end();
      return false;
    }
    if (is_forced) return enter_uncompared(*parent, steps);
    const auto found = arrive();
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
    const auto last = depends_.last_event().touched;
    for (const auto& c : parent->asleep)
      if (!depends_.between(c.touched(), last)) asleep_.push_back(c);
    for (std::size_t i = 0; i < parent->next; ++i)
      if (!depends_.between(parent->todo[i].touched(), last)) asleep_.push_back(parent->todo[i]);
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

  point_stack<point> points_;
  std::vector<candidate> asleep_;
  std::vector<std::uint64_t> sorted_;
};

}  // namespace

bool search_states_depth_first(search_context& s, const stateful_options& how, stateful_report& report) {
  return depth_first_states(s, how, report).run();
}

std::string objection(const stateful_options& how, delivery model) {
  const bool breadth_first = how.search == search_order::breadth_first;
  const bool canonical = how.comparison == state_comparison::canonical;
  const auto named = std::string(to_string(model));
  if (breadth_first && how.sleep_sets)
    return "breadth-first search (bfs) makes every delivery, so it has no use for sleep sets";
  if (breadth_first && how.steps == step_size::big) return "big steps are for depth-first search (dfs)";
  if (canonical && (model == delivery::causal || model == delivery::mailbox_interleaved))
    return "canonical state comparison is not for delivery model " + named + ": there actors cannot be renamed";
  if (!canonical && !how.interchangeable.empty()) return "interchangeable classes are for canonical state comparison";
  if (!how.sleep_sets || how.comparison == state_comparison::none) return {};
  if (canonical) return "sleep sets need names that stay; canonical state comparison renames actors";
  if (how.comparison != state_comparison::exact) return "sleep sets are for exact state comparison";
  if (how.visited == visited_states::exact)
    return "sleep sets know messages by their hashes; remembering states exactly trusts none";
  if (model == delivery::mailbox || model == delivery::causal)
    return "sleep sets are not for engine stateful under delivery model " + named;
  return {};
}

bool may_sleep(stateful_options how, delivery model) {
  how.sleep_sets = true;
  return how.comparison != state_comparison::none && objection(how, model).empty();
}

bool explore_stateful(search_context& s, const stateful_options& how, stateful_report& report) {
  if (const auto why_not = objection(how, s.tested.model()); !why_not.empty()) throw error(why_not);
  if (how.search == search_order::breadth_first) return search_states_breadth_first(s, how, report);
  std::optional<past_aborts> guard;
  if (how.sleep_sets) guard.emplace(s.tested);
  return search_states_depth_first(s, how, report);
}

}  // namespace harrier
