#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <memory>

#include "commands.hpp"
#include "shell/console.hpp"

namespace harrier {
namespace {

json_value to_json(const parameter& p) {
  const bool is_number = std::holds_alternative<std::int64_t>(p.value);
  json_value json = {{"name", p.name}, {"type", is_number ? "number" : "word"}};
  json["default"] = json_of(p);
  json["about"] = p.about;
  if (is_number) {
    json["least"] = p.least;
    json["greatest"] = p.greatest;
  } else {
    json["words"] = p.words;
  }
  return json;
}

bool is_of_the_zoo(const catalogue_entry& entry) { return entry.group == "zoo"; }

json_value to_json(const catalogue& programs, bool zoo_only) {
  auto list = json_value::array();
  for (const auto& entry : programs) {
    if (zoo_only && !is_of_the_zoo(entry)) continue;
    json_value json = {{"name", entry.name}, {"about", entry.about}, {"group", entry.group}};
    json["parameters"] = json_value::array();
    for (const auto& p : entry.parameters) json["parameters"].push_back(to_json(p));
    list.push_back(std::move(json));
  }
  return list;
}

std::string line_about(const parameter& p) {
  std::string allowed = "any text";
  if (std::holds_alternative<std::int64_t>(p.value))
    allowed = fmt::format("{} to {}", p.least, p.greatest);
  else if (!p.words.empty())
    allowed = fmt::format("{}", fmt::join(p.words, " or "));
  return fmt::format("{}={}  {} ({})", p.name, text_of(p), p.about, allowed);
}

std::size_t width_of_names(const catalogue& programs) {
  std::size_t width = 0;
  for (const auto& entry : programs) width = std::max(width, entry.name.size());
  return width;
}

/// A line each: their one parameter is the same.
std::string text_of_zoo(const catalogue& programs) {
  std::string text;
  for (const auto& entry : programs)
    if (is_of_the_zoo(entry)) text += fmt::format("{:<{}}  {}\n", entry.name, width_of_names(programs), entry.about);
  return text;
}

std::string to_text(const catalogue& programs) {
  if (programs.empty()) return "This binary was built without programs.\n";
  std::string text;
  const auto width = width_of_names(programs);
  for (const auto& entry : programs) {
    if (is_of_the_zoo(entry)) continue;
    text += entry.about.empty() ? entry.name + "\n" : fmt::format("{:<{}}  {}\n", entry.name, width, entry.about);
    for (const auto& p : entry.parameters) text += fmt::format("{:<{}}    {}\n", "", width, line_about(p));
  }
  const auto zoo = text_of_zoo(programs);
  if (zoo.empty()) return text;
  return text + "\nThe zoo, published bugs of real systems (variant=buggy, or variant=fixed):\n" + zoo;
}

std::string text_of_zoo_alone(const catalogue& programs) {
  const auto zoo = text_of_zoo(programs);
  return zoo.empty() ? "This binary was built without the zoo.\n" : zoo;
}

}  // namespace

command add_list(CLI::App& app, const catalogue& programs) {
  auto* line = app.add_subcommand("list", "Shows the programs and their parameters, with the defaults");
  const auto json = std::make_shared<bool>(false);
  const auto zoo = std::make_shared<bool>(false);
  line->add_flag("--zoo", *zoo, "Only the zoo: published bugs of real systems, as small programs");
  line->add_flag("--json", *json, "As JSON");
  return {line, [json, zoo, &programs] {
            if (*json)
              console().say_exactly(to_text(to_json(programs, *zoo), 2) + "\n");
            else
              console().say_exactly(*zoo ? text_of_zoo_alone(programs) : to_text(programs));
            return static_cast<int>(explored_completely);
          }};
}

}  // namespace harrier
