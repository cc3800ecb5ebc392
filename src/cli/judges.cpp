#include "judges.hpp"

#include <fmt/format.h>

#include <map>

#include <harrier/core/error.hpp>
#include <harrier/property/ltl_monitor.hpp>
#include <harrier/protocol/conformance.hpp>
#include <harrier/protocol/parse.hpp>

#include "../core/suggest.hpp"
#include "protocol.hpp"

namespace harrier {
namespace {

constexpr auto group = "Judging executions";

std::map<std::string, std::string> pairs(const std::vector<std::string>& texts, const std::string& option,
                                         const char* shape) {
  std::map<std::string, std::string> result;
  for (const auto& text : texts) {
    const auto middle = text.find('=');
    if (middle == std::string::npos || middle == 0 || middle + 1 == text.size())
      throw error(fmt::format("{} {}: {} is expected", option, text, shape));
    if (!result.emplace(text.substr(0, middle), text.substr(middle + 1)).second)
      throw error(fmt::format("{} {}: {} was given before", option, text, text.substr(0, middle)));
  }
  return result;
}

/// Diagnostics have a line each; an error of the command line has one.
std::string on_one_line(const std::vector<protocol::diagnostic>& diagnostics) {
  std::string line;
  for (const auto& d : diagnostics) line += (line.empty() ? "" : "; ") + to_string(d);
  while (line.ends_with('\n')) line.pop_back();
  return line;
}

std::unique_ptr<monitor> conformance_to(const judgement& asked) {
  const auto parsed = protocol::parse(asked.definition, asked.definition_file);
  if (!parsed.value) throw error(on_one_line(parsed.diagnostics));
  if (asked.session.empty()) throw error("--conforms-to needs --session NAME [ARG ...], a session of the definition");
  return std::make_unique<protocol::conformance_monitor>(
      parsed.value, session_name(asked.session), session_arguments(asked.session),
      protocol::cast{
          .roles = pairs(asked.roles, "--role", "ACTOR=ROLE"),
          .messages = pairs(asked.messages, "--message", "KIND=TYPE, or KIND=- for one that does not count")});
}

}  // namespace

void bind_judgement_options(CLI::App& line, judgement& asked) {
  line.add_option_function<std::vector<std::string>>(
          "--property",
          [&asked](const std::vector<std::string>& given) {
            for (const auto& text : given) asked.properties.push_back(formula_text(text));
          },
          "A temporal formula that each execution must satisfy, or a file of one; repeatable")
      ->type_name("FORMULA|FILE")
      ->allow_extra_args(false)
      ->group(group);
  line.add_option_function<std::string>(
          "--ends",
          [&asked](const std::string& text) {
            if (text != "finite" && text != "stutter")
              throw error(fmt::format("--ends {}: one of finite, stutter is expected{}", text,
                                      suggestion(text, {"finite", "stutter"})));
            asked.ends = text;
          },
          "How formulas read the end of an execution (default finite)")
      ->type_name("finite|stutter")
      ->group(group);
  line.add_option_function<std::string>(
          "--conforms-to",
          [&asked](const std::string& file) {
            asked.definition = read_file(file);
            asked.definition_file = file;
          },
          "A protocol that the actors must follow")
      ->type_name("SPEC.dcj")
      ->group(group);
  line.add_option("--session", asked.session, "Its session and arguments, as for `harrier protocol`")
      ->type_name("NAME [ARG ...]")
      ->group(group);
  line.add_option("--role", asked.roles, "Which actor, or class of one actor, plays which role; repeatable")
      ->type_name("ACTOR=ROLE")
      ->allow_extra_args(false)
      ->group(group);
  line.add_option("--message", asked.messages, "Which message has which type, if not the same name; - for none")
      ->type_name("KIND=TYPE")
      ->allow_extra_args(false)
      ->group(group);
}

json_value to_json(const judgement& asked) {
  json_value json = {{"properties", asked.properties}, {"ends", asked.ends}};
  json["conforms_to"] = asked.definition_file;
  json["definition"] = asked.definition;
  json["session"] = asked.session;
  json["roles"] = asked.roles;
  json["messages"] = asked.messages;
  return json;
}

judgement judgement_from(const json_value& json) {
  using words = std::vector<std::string>;
  return {.properties = field_as<words>(json, "properties"),
          .ends = field_as<std::string>(json, "ends"),
          .definition_file = field_as<std::string>(json, "conforms_to"),
          .definition = field_as<std::string>(json, "definition"),
          .session = field_as<words>(json, "session"),
          .roles = field_as<words>(json, "roles"),
          .messages = field_as<words>(json, "messages")};
}

judges::judges(const judgement& asked) {
  const auto ends = asked.ends == "stutter" ? run_ends::stutter : run_ends::finite;
  for (const auto& text : asked.properties) each_.push_back(std::make_unique<ltl_monitor>(text, ends));
  if (!asked.definition_file.empty()) {
    each_.push_back(conformance_to(asked));
  } else if (!asked.session.empty() || !asked.roles.empty() || !asked.messages.empty()) {
    throw error("--session, --role and --message say how to read a protocol; --conforms-to SPEC.dcj is missing");
  }
  std::vector<monitor*> pointers;
  for (const auto& m : each_) pointers.push_back(m.get());
  if (!pointers.empty()) all_ = std::make_unique<monitors>(pointers);
}

}  // namespace harrier
