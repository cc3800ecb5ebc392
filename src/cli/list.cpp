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

json_value to_json(const catalogue& programs) {
  auto list = json_value::array();
  for (const auto& entry : programs) {
    json_value json = {{"name", entry.name}, {"about", entry.about}, {"parameters", json_value::array()}};
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

std::string to_text(const catalogue& programs) {
  if (programs.empty()) return "This binary was built without programs.\n";
  std::string text;
  std::size_t width = 0;
  for (const auto& entry : programs) width = std::max(width, entry.name.size());
  for (const auto& entry : programs) {
    text += fmt::format("{:<{}}  {}\n", entry.name, width, entry.about);
    for (const auto& p : entry.parameters) text += fmt::format("{:<{}}    {}\n", "", width, line_about(p));
  }
  return text;
}

}  // namespace

command add_list(CLI::App& app, const catalogue& programs) {
  auto* line = app.add_subcommand("list", "Shows the programs and their parameters, with the defaults");
  const auto json = std::make_shared<bool>(false);
  line->add_flag("--json", *json, "As JSON");
  return {line, [json, &programs] {
            console().say_exactly(*json ? to_text(to_json(programs), 2) + "\n" : to_text(programs));
            return static_cast<int>(explored_completely);
          }};
}

}  // namespace harrier
