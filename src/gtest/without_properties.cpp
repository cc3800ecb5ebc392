#include <harrier/core/error.hpp>

#include "properties.hpp"

namespace harrier {

property_judges::property_judges(const std::vector<std::string>& formulas, const std::string&) {
  if (!formulas.empty())
    throw error("this build has no temporal properties (it was made with -DHARRIER_BUILD_PROTOCOL=OFF)");
}

}  // namespace harrier
