// In a build without the floor protocol.
#include <harrier/core/error.hpp>

#include "protocol_formulas.hpp"

namespace harrier::tables {

formula_table run_protocol_formulas(const std::string&, const std::string&) {
  throw error("table 004 needs the floor protocol, which this build was made without");
}
bool all_as_expected(const formula_table&) { return true; }
std::string to_text(const formula_table&) { return {}; }
nlohmann::ordered_json to_json(const formula_table&) { return {}; }

}  // namespace harrier::tables
