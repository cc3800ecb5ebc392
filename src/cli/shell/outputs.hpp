#pragma once

#include <exception>
#include <string>
#include <utility>
#include <vector>

namespace harrier {

/// The exit status of a command that lost something it was to write. A finding,
/// wrong input and a program that cannot be tested have the status they have otherwise.
inline constexpr int output_lost = 5;
constexpr int with_lost_output(int otherwise) { return otherwise == 0 || otherwise == 3 ? output_lost : otherwise; }

/// What a command writes, each by itself: one that fails takes no other with it.
class outputs {
public:
  /// @return whether `write` did not throw.
  template <class Write>
  bool attempt(Write write) {
    try {
      write();
      return true;
    } catch (const std::exception& e) {
      lose(e.what());
      return false;
    }
  }
  /// One could not be written, as `what` says.
  void lose(std::string what) { lost_.push_back(std::move(what)); }
  /// Says on standard error what was lost, a line each. @return the exit status, `otherwise` if nothing was.
  [[nodiscard]] int conclude(int otherwise) const;

private:
  std::vector<std::string> lost_;
};

}  // namespace harrier
