#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace harrier::caf_adapter {

/// What a program has taken by operator new and not given back, in the run that is alive.
///
/// Known is what its code takes while it runs, and what the executable took before its main function began, if harrier
/// was loaded before it; not what its threads take, nor what is taken by malloc, or by an operator new of its own.
class heap_blocks {
public:
  struct block {
    const char* begin;
    std::size_t size;
    std::uint64_t serial;  // of all that were taken
    std::uint32_t by;      // a strand
    bool is_of_caf;        // taken by code of CAF's library
  };

  /// Of this process.
  static heap_blocks& all();

  /// @param caller  the code that takes it
  void taken(void* begin, std::size_t size, const void* caller);
  void given_back(const void* begin) noexcept;
  /// What was taken by the run before is not known any more.
  void begin_run();

  /// Nobody will ask any more.
  void end();

  /// In no order.
  [[nodiscard]] std::vector<block> known() const;
  /// Whether `b` is still what it was.
  [[nodiscard]] bool is_there(const block& b) const;

  /// Whether what harrier itself takes is told apart from what the program does.
  static bool is_apart();

private:
  void add(const block& b);
  void grow();
  [[nodiscard]] std::size_t place_of(const void* begin) const;

  // One after the other if their places are the same; of those that were given back, `size` is `gone`.
  std::vector<block> table_;
  std::atomic<std::size_t> used_ = 0;  // places, of which some are gone
  std::uint64_t serial_ = 0;
  bool any_run_ = false;
  std::atomic<bool> has_ended_ = false;
};

}  // namespace harrier::caf_adapter
