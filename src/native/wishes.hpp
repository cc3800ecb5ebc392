#pragma once

#include <string>
#include <utility>
#include <vector>

#include <harrier/core/specification.hpp>
#include <harrier/core/states.hpp>

namespace harrier::detail {

/// What the body of a test says is to hold in its executions, in the order in which it says it.
class wishes {
public:
  /// @throws untestable_program  there is one of that name.
  void add(specification what);
  /// `check` judges each end of an execution. @throws the same
  void add(std::string name, final_check check);

  [[nodiscard]] const std::vector<specification>& specifications() const { return specifications_; }
  /// Of ends, by name.
  [[nodiscard]] const std::vector<std::pair<std::string, final_check>>& of_ends() const { return of_ends_; }
  /// Whether something is asked only where an execution ends.
  [[nodiscard]] bool look_at_ends() const;
  /// @param may_be_fewer  that run of the body ended early: it may not have come to say more.
  /// @throws untestable_program  another run of the body says something else.
  void require_same(const wishes& in_another_run, bool may_be_fewer) const;

private:
  void require_new(const std::string& name) const;

  std::vector<specification> specifications_;
  std::vector<std::pair<std::string, final_check>> of_ends_;
};

}  // namespace harrier::detail
