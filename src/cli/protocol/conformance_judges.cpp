#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <map>
#include <string>

#include <harrier/core/error.hpp>
#include <harrier/protocol/conformance.hpp>
#include <harrier/protocol/parse.hpp>

#include "protocol.hpp"
#include "protocol_judges.hpp"

namespace harrier {
namespace {

using option_words = std::vector<std::string>;

std::map<std::string, std::string> pairs(const option_words& texts, const std::string& option, const char* shape) {
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

class asked_conformance final : public asked_judges {
public:
  void bind(CLI::App& line) override {
    line.add_option_function<std::string>(
            "--conforms-to",
            [this](const std::string& file) {
              definition_ = read_file(file);
              file_ = file;
            },
            "A protocol that the actors must follow")
        ->type_name("SPEC.dcj")
        ->group(judging_group);
    line.add_option("--session", session_, "Its session and arguments, as for `protocol`")
        ->type_name("NAME [ARG ...]")
        ->group(judging_group);
    line.add_option("--role", roles_, "Which actor (or class with one actor) plays a role; repeatable")
        ->type_name("ACTOR=ROLE")
        ->allow_extra_args(false)
        ->group(judging_group);
    line.add_option("--message", messages_, "The protocol type of a message, if the names differ; - : ignore it")
        ->type_name("KIND=TYPE")
        ->allow_extra_args(false)
        ->group(judging_group);
  }

  void write(json_value& judgement) const override {
    judgement["conforms_to"] = file_;
    judgement["definition"] = definition_;
    judgement["session"] = session_;
    judgement["roles"] = roles_;
    judgement["messages"] = messages_;
  }
  void read(const json_value& judgement) override {
    file_ = field_as<std::string>(judgement, "conforms_to");
    definition_ = field_as<std::string>(judgement, "definition");
    session_ = field_as<option_words>(judgement, "session");
    roles_ = field_as<option_words>(judgement, "roles");
    messages_ = field_as<option_words>(judgement, "messages");
  }

  [[nodiscard]] std::vector<std::unique_ptr<monitor>> make() const override {
    std::vector<std::unique_ptr<monitor>> one;
    if (!file_.empty()) {
      one.push_back(follows_the_protocol());
    } else if (!session_.empty() || !roles_.empty() || !messages_.empty()) {
      throw error("--session, --role and --message say how to read a protocol; --conforms-to SPEC.dcj is missing");
    }
    return one;
  }

private:
  [[nodiscard]] std::unique_ptr<monitor> follows_the_protocol() const {
    const auto parsed = protocol::parse(definition_, file_);
    if (!parsed.value) throw error(on_one_line(parsed.diagnostics));
    if (session_.empty()) throw error("--conforms-to needs --session NAME [ARG ...], a session of the definition");
    return std::make_unique<protocol::conformance_monitor>(
        parsed.value, session_name(session_), session_arguments(session_),
        protocol::cast{.roles = pairs(roles_, "--role", "ACTOR=ROLE"),
                       .messages = pairs(messages_, "--message", "KIND=TYPE, or KIND=- for one that does not count")});
  }

  std::string file_;        ///< empty: no protocol
  std::string definition_;  ///< what is in it
  option_words session_;
  option_words roles_;     ///< `server=white`
  option_words messages_;  ///< `set=Move`
};

}  // namespace

std::unique_ptr<asked_judges> no_conformance() { return std::make_unique<asked_conformance>(); }

}  // namespace harrier
