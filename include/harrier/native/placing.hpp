#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <unordered_set>
#include <utility>
#include <vector>

#include <harrier/core/finding.hpp>
#include <harrier/core/value_bytes.hpp>
#include <harrier/native/reflect.hpp>

/// Whether operations can be put in an order in which a sequential object returns what they returned.
namespace harrier::detail {

/// An operation that is to be placed.
struct to_place {
  /// Whether it has returned, so that it has a place in each order. One that has not may have one.
  bool must = true;
  /// Numbers of operations that have to come before it, where these must be placed.
  std::vector<std::size_t> after = {};
};

enum class placed { yes, no, undecided };

/// Looks for an order of operations 0 to n-1.
///
/// @tparam Object  a value; its bytes are all that decides what it returns (else nothing is remembered)
/// @tparam Do      bool(Object&, std::size_t): does that operation, and says whether it returned what it did
///
/// @par Source  J. Wing, C. Gong, "Testing and verifying concurrent objects", JPDC 1993; G. Lowe, "Testing for
///      linearizability", 2017: a set of placed operations, with the state that the object is in, is tried once.
/// @par Deviations  One that has not returned is placed anywhere, or left out. The order is not that of time alone but
///      whatever `after` says, so that the same search serves for sequential consistency.
/// @par Complexity  O(2^n) sets in the worst case, times the states of the object in each; memory likewise. The
///      problem is NP-complete (P. Gibbons, E. Korach, 1997). It gives up after so many calls of `Do`.
template <class Object, class Do>
class placing {
public:
  placing(const std::vector<to_place>& all, const Object& initial, Do what_it_does)
      : all_(all), initial_(initial), do_(std::move(what_it_does)) {}

  /// @param tries  how many calls of Do are left; less of them are left after it
  placed look(std::size_t& tries) {
    done_.assign(all_.size(), '\0');
    to_do_ = 0;
    for (const auto& o : all_) to_do_ += o.must ? 1 : 0;
    path_.clear();
    path_.push_back({initial_, all_.size(), 0});
    while (!path_.empty()) {
      if (to_do_ == 0) return placed::yes;
      if (!advance(tries)) return placed::undecided;
    }
    return placed::no;
  }
  /// The order that was found, after a yes.
  [[nodiscard]] std::vector<std::size_t> order() const {
    std::vector<std::size_t> found;
    for (std::size_t i = 1; i < path_.size(); ++i) found.push_back(path_[i].placed);
    return found;
  }

private:
  struct point {
    Object object;
    std::size_t placed;  // last, to come here; as many as there are: none
    std::size_t next;    // to be tried
  };

  /// Tries one more operation at the end of the path, or goes back. @return false: there are no tries left
  bool advance(std::size_t& tries) {
    auto& here = path_.back();
    while (here.next < all_.size() && !may_come(here.next)) ++here.next;
    if (here.next == all_.size()) {
      go_back();
      return true;
    }
    if (tries == 0) return false;
    --tries;
    const auto i = here.next++;
    auto object = here.object;
    if (!do_(object, i)) return true;
    done_[i] = '\1';
    if (is_new(object)) {
      to_do_ -= all_[i].must ? 1 : 0;
      path_.push_back({std::move(object), i, 0});
    } else {
      done_[i] = '\0';
    }
    return true;
  }
  void go_back() {
    const auto i = path_.back().placed;
    path_.pop_back();
    if (i == all_.size()) return;
    done_[i] = '\0';
    to_do_ += all_[i].must ? 1 : 0;
  }
  [[nodiscard]] bool may_come(std::size_t i) const {
    if (done_[i] != '\0') return false;
    for (const auto before : all_[i].after)
      if (all_[before].must && done_[before] == '\0') return false;
    return true;
  }
  bool is_new(const Object& object) {
    value_bytes bytes;
    write_value(object, bytes);
    if (!bytes.is_all() || !bytes.shared_objects().empty() || !bytes.unshown().empty()) return true;
    return tried_.insert(done_ + bytes.text()).second;
  }

  const std::vector<to_place>& all_;
  const Object& initial_;
  Do do_;
  std::string done_;  // by operation
  std::size_t to_do_ = 0;
  std::vector<point> path_;
  std::unordered_set<std::string> tried_;
};

/// Of operations that cannot be placed those that cannot be placed whatever the others did: each other one is *free*,
/// it may happen at any time, return anything, and not happen at all. No further one can be free.
/// @param in_turn  all of them: those that come first are free rather than others
/// @param can_be_placed  whether they can be, where those of which it is said are free
std::vector<bool> free_of_blame(const std::vector<std::size_t>& in_turn,
                                const std::function<placed(const std::vector<bool>& free)>& can_be_placed);

/// What is told of an operation.
struct told_operation {
  std::string by;        ///< `client_1`
  std::string call;      ///< `write(5)`
  std::string returned;  ///< ` = 5`; nothing of one that returns nothing, or has not returned
  std::size_t invoked_after = 0;
  std::optional<std::size_t> returned_after = std::nullopt;
  bool is_free = false;
};

/// What is told of operations that cannot be placed.
struct told_history {
  std::string name;
  /// `linearizable`.
  std::string criterion;
  /// When operations were invoked and returned is part of it.
  bool is_in_time = true;
  std::vector<told_operation> operations;
  /// Of one operation that does not fit the others, its number; as many as there are: there is no such one.
  std::size_t culprit = 0;
  /// What it could have returned.
  std::vector<std::string> could_return = {};
  bool could_return_more = false;
};

record record_of(const told_history& told);

/// @throws error  what is recorded makes no sense: `why`, in words
[[noreturn]] void misrecorded(const std::string& why);

}  // namespace harrier::detail
