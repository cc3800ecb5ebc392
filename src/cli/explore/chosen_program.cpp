#include "chosen_program.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <exception>

#include <harrier/core/error.hpp>

#include "../../core/base/suggest.hpp"

namespace harrier {
namespace {

[[noreturn]] void no_such_program(const catalogue& from, const std::string& name) {
  if (from.empty()) throw error(fmt::format("there is no program '{}': this binary was built with none", name));
  std::vector<std::string> names;
  for (const auto& entry : from) names.push_back(entry.name);
  const auto hint = suggestion(name, names);
  throw error(
      fmt::format("there is no program '{}'{}{} `harrier list` shows all", name, hint, hint.empty() ? ";" : ""));
}

void check_search_options(const options& how) {
  if (how.judging.by != nullptr || how.told.on_progress || how.told.on_finding || how.told.on_checkpoint ||
      how.told.wiring != nullptr)
    throw error("its options name who judges or watches, which is for the command line to say");
}

auto find_program(const catalogue& from, const std::string& name) {
  return std::find_if(from.begin(), from.end(), [&](const auto& entry) { return entry.name == name; });
}

}  // namespace

std::string text_of(const parameter& p) {
  if (const auto* number = std::get_if<std::int64_t>(&p.value)) return std::to_string(*number);
  return std::get<std::string>(p.value);
}

json_value json_of(const parameter& p) {
  if (const auto* number = std::get_if<std::int64_t>(&p.value)) return *number;
  return std::get<std::string>(p.value);
}

std::map<std::string, std::string> chosen_program::parameters() const {
  std::map<std::string, std::string> result;
  for (const auto& p : values.all()) result[p.name] = text_of(p);
  return result;
}

json_value chosen_program::parameters_as_json() const {
  auto json = json_value::object();
  for (const auto& p : values.all()) json[p.name] = json_of(p);
  return json;
}

chosen_program choose_program(const catalogue& from, const std::string& name,
                              const std::map<std::string, std::string>& given) {
  const auto entry = find_program(from, name);
  if (entry == from.end()) no_such_program(from, name);
  arguments values(entry->parameters);
  try {
    for (const auto& [key, text] : given) values.set(key, text);
    check_search_options(entry->how);
    return {name, values, entry->make(values), entry->how};
  } catch (const error& e) {
    throw error(fmt::format("{}: {}", name, e.what()));
  } catch (const std::exception& e) {
    throw untestable_program(fmt::format("{}: it fails before it is made: {}", name, e.what()));
  }
}

options options_of(const catalogue& from, const std::string& name) {
  const auto entry = find_program(from, name);
  return entry == from.end() ? options{} : entry->how;
}

std::map<std::string, std::string> parse_parameters(const std::vector<std::string>& words) {
  std::map<std::string, std::string> given;
  for (const auto& word : words) {
    const auto middle = word.find('=');
    if (middle == std::string::npos || middle == 0)
      throw error(fmt::format("'{}': parameters are written key=value, as in workers=5", word));
    if (!given.try_emplace(word.substr(0, middle), word.substr(middle + 1)).second)
      throw error(fmt::format("'{}': that parameter is given twice", word));
  }
  return given;
}

}  // namespace harrier
