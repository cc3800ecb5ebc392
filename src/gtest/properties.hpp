#pragma once

#include <memory>
#include <string>
#include <vector>

#include <harrier/core/monitor.hpp>

namespace harrier {

/// What judges executions by temporal formulas. A build without harrier::property
/// has none.
class property_judges {
public:
  /// @param formulas  each a formula, or a file of one.
  /// @param ends      `finite` or `stutter`: see docs/properties.md.
  /// @throws error  one is none, or this build knows of none.
  property_judges(const std::vector<std::string>& formulas, const std::string& ends);

  /// All of them as one; null if there are no formulas.
  [[nodiscard]] monitor* all() const { return all_.get(); }

private:
  std::vector<std::unique_ptr<monitor>> each_;
  std::unique_ptr<monitor> all_;
};

}  // namespace harrier
