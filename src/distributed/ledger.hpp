#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <unordered_set>
#include <vector>

#include "result.hpp"

namespace harrier::distributed {

/// Which items of a run there are, and which of them have a result: what makes
/// counts exact. A fold over the results in the order in which the broker keeps
/// them, so whoever goes through them comes to the same.
///
/// Invariant: each execution of the program was counted in one result that was
/// taken, or comes of one item that is outstanding. It holds at first, for the
/// one item that is the whole program. Taking a result puts in the place of its
/// item what that result counted and its children, which by the result's own
/// making are together all that comes of the item, each once. Any other result of that item is
/// dropped whole, with its children.
class ledger {
public:
  enum class verdict : std::uint8_t {
    taken,
    known,    ///< the item has its result: this one is dropped
    unknown,  ///< there is no such item
  };

  /// @param root  the item that is the whole program.
  explicit ledger(std::string root);

  /// @return what to do with `result`: its counts are to be added if it is taken.
  /// @throws error  a child of it is an item that was there before: the result of
  ///         a worker that is wrong.
  verdict take(const item_result& result);

  /// The items that have no result, by name.
  [[nodiscard]] const std::map<std::string, std::string>& outstanding() const { return outstanding_; }
  [[nodiscard]] bool is_complete() const { return outstanding_.empty(); }
  [[nodiscard]] std::size_t taken() const { return done_.size(); }

private:
  std::map<std::string, std::string> outstanding_;
  std::unordered_set<std::string> done_;
};

}  // namespace harrier::distributed
