#include <harrier/core/states.hpp>

#include <algorithm>
#include <exception>
#include <vector>

#include <harrier/core/error.hpp>

#include "healing.hpp"

namespace harrier {
namespace {

/// The places of all actors of an execution in causal order. Sends and creations are a tree, and in it they are
/// numbered from the root on, each with all that comes of it before the next one.
class causal_order {
public:
  explicit causal_order(const system& of)
      : of_(of), taken_by_(of.message_count() + 1, no_step), place_(of.actor_count()) {
    for (std::size_t i = 0; i < of.step_count(); ++i) taken_by_[of.step_at(i).message] = static_cast<step_index>(i);
    for (actor_slot a = 0; a < of.actor_count() && (of.step_count() == 0 || a < of.step_at(0).first_created); ++a)
      place_[a] = next_++;
    for (std::size_t i = 0; i < of.step_count(); ++i)
      if (is_from_outside(of.step_at(i).message)) number_all_of(static_cast<step_index>(i));
  }

  [[nodiscard]] std::size_t place_of(actor_slot a) const { return place_[a]; }

private:
  [[nodiscard]] bool is_from_outside(message_slot m) const {
    return of_.names().sender_of(of_.message_at(m).id) == identities::origin;
  }
  /// What step `root` created, and all that comes of what it sent.
  void number_all_of(step_index root) {
    std::vector<step_index> todo{root};
    while (!todo.empty()) {
      const auto i = todo.back();
      todo.pop_back();
      for (auto a = of_.step_at(i).first_created; a < of_.created_end(i); ++a) place_[a] = next_++;
      for (auto m = of_.sent_end(i); m-- > of_.step_at(i).first_sent;)
        if (taken_by_[m] != no_step && !is_from_outside(m)) todo.push_back(taken_by_[m]);
    }
  }

  const system& of_;
  std::vector<step_index> taken_by_;  // by message
  std::vector<std::size_t> place_;    // by actor
  std::size_t next_ = 0;
};

/// Whether one step created all of them.
bool are_of_one_step(const system& s, const std::vector<actor_slot>& actors) {
  std::size_t first = 0;
  std::size_t end = s.step_count();
  while (first < end) {  // the last step that had created none of them
    const auto middle = first + (end - first) / 2;
    if (s.created_end(middle) <= actors.front())
      first = middle + 1;
    else
      end = middle;
  }
  return first == s.step_count() || actors.back() < s.created_end(first);
}

}  // namespace

void states::put_in_causal_order(std::vector<actor_slot>& actors) const {
  if (actors.size() < 2 || are_of_one_step(*system_, actors)) return;
  const causal_order order(*system_);
  std::sort(actors.begin(), actors.end(),
            [&](actor_slot a, actor_slot b) { return order.place_of(a) < order.place_of(b); });
}

void states::not_one(std::size_t count) {
  throw error(count == 0 ? "no actor of that class was created"
                         : "there are " + std::to_string(count) + " actors of that class, not one");
}

final_check both(const final_check& first, const final_check& second) {
  if (!first || !second) return first ? first : second;
  all_checks all;
  for (const auto* check : {&first, &second})
    if (const auto* several = check->target<all_checks>())
      all.parts.insert(all.parts.end(), several->parts.begin(), several->parts.end());
    else
      all.parts.push_back(*check);
  return all;
}

namespace {

/// Of an end that is none of the program's, what may be asked all the same.
void check_what_converges(const final_check& check, final_states& end) {
  if (const auto* several = check.target<all_checks>())
    for (const auto& part : several->parts) check_what_converges(part, end);
  else if (const auto* later = check.target<checks_known_later>())
    later->what_converges(end);
  else if (check.target<healing_check>() != nullptr)
    check(end);
}

}  // namespace

std::vector<record> check_end(const system& ended, const final_check& check) {
  final_states end(ended);
  const auto threw = [&](const std::string& what) {
    auto failed = end.failed();
    failed.push_back({.kind = finding_kind::exception, .message = "the check of the final states threw: " + what});
    return failed;
  };
  try {
    ended.is_out_of_timeouts() ? check_what_converges(check, end) : check(end);
  } catch (const untestable_program&) {  // an adapter's: of the program as a whole
    throw;
  } catch (const std::exception& e) {
    return threw(e.what());
  } catch (...) {
    return threw("an exception that is not derived from std::exception");
  }
  return end.failed();
}

}  // namespace harrier
