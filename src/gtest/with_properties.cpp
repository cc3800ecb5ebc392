#include <filesystem>
#include <fstream>
#include <iterator>
#include <system_error>

#include <harrier/core/error.hpp>
#include <harrier/property/ltl_monitor.hpp>

#include "properties.hpp"

namespace harrier {
namespace {

std::string formula_in(const std::string& formula_or_file) {
  std::error_code problem;
  if (!std::filesystem::is_regular_file(formula_or_file, problem)) return formula_or_file;
  std::ifstream file(formula_or_file);
  return {std::istreambuf_iterator<char>(file), {}};
}

}  // namespace

property_judges::property_judges(const std::vector<std::string>& formulas, const std::string& ends) {
  std::vector<monitor*> pointers;
  for (const auto& f : formulas) {
    each_.push_back(
        std::make_unique<ltl_monitor>(formula_in(f), ends == "stutter" ? run_ends::stutter : run_ends::finite));
    pointers.push_back(each_.back().get());
  }
  if (!pointers.empty()) all_ = std::make_unique<monitors>(pointers);
}

}  // namespace harrier
