#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <unordered_map>
#include <vector>

#include "heap_blocks.hpp"
#include "shared_variables.hpp"

namespace harrier::caf_adapter {

/// By what of a program's heap its actors may tell each other something without a message: what a step writes to though
/// another actor has it, too. That is so of an object of which both were given a shared_ptr, or a pointer.
///
/// Who has what is found as a conservative garbage collector does it: by all that looks like a pointer, from an actor's
/// own memory and stack on, but not through other actors, nor through what the program's system has. So an actor may be
/// taken to have what it has not, hardly ever the other way round. What it had when it took a message counts for all
/// that is done later and not because of that: the message might have come later.
///
/// Reference counts of std::shared_ptr and what CAF itself has taken or polymorphic objects of CAF's and results of
/// promises do not count, nor do large blocks. Only the first steps of a process are looked at, or all if any wrote to
/// such memory. A step costs the bytes that the program has; one that writes to what another strand has taken also what
/// all of the heap is searched for pointers.
class shared_heap {
public:
  using part = shared_variables::part;

  /// How many steps each strand has done before something, in the sense of cause and effect; shorter: none.
  using clock = std::vector<std::uint32_t>;

  /// An actor, and where what it has begins.
  struct holder {
    std::uint32_t strand;
    std::vector<part> roots;
  };
  struct owners {
    std::vector<holder> actors;
    std::vector<part> cafs_own;  // at the beginning of an actor's block: what others change by CAF alone
    part main_stack;             // parts of which actors may have
    std::vector<part> systems;   // and the configurations of these
  };

  /// It is now as it is before a step.
  /// @param who_steps  the actor that does it, alone, if it is one
  void remember(const std::function<owners()>& who_steps);
  /// Whether anything is remembered: if not, nobody need count steps.
  [[nodiscard]] bool looks() const { return looks_; }
  /// What those have whom remember() was told of counts as used in that step of theirs.
  void count_step(std::uint32_t of, std::uint32_t step);
  /// Whether the step of `by` has written since to what other actors have, or everybody by a variable.
  /// @param may_be_any  it has made others, which may have what it has taken itself
  /// @param before  the steps before that one
  [[nodiscard]] bool is_shared_written(std::uint32_t by, bool may_be_any, const clock& before,
                                       const std::function<owners()>& who_has);

private:
  [[nodiscard]] std::vector<heap_blocks::block> written(std::uint32_t by, bool may_be_any) const;

  void drop_cafs_own(std::vector<heap_blocks::block>& changed, const owners& who) const;
  [[nodiscard]] const char* value_before(const heap_blocks::block& wanted) const;
  [[nodiscard]] bool had_any(std::uint32_t other_than, const clock& before,
                             const std::vector<heap_blocks::block>& changed) const;

  std::vector<heap_blocks::block> blocks_;
  std::vector<char> values_;  // of these
  // By a strand: the last step at the beginning of which it had a block, that one by its number.
  std::unordered_map<std::uint32_t, std::unordered_map<std::uint64_t, std::uint32_t>> had_;
  std::vector<std::uint64_t> has_;  // the blocks of who does this step, by their numbers
  bool looks_ = false;
};

}  // namespace harrier::caf_adapter
