#include "manual.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "version.hpp"

namespace harrier {
namespace {

/// As text that man(7) does not take for a request or an escape.
std::string plain(const std::string& text) {
  std::string result;
  bool line_begins = true;
  for (const char c : text) {
    if (line_begins && (c == '.' || c == '\'')) result += "\\&";
    line_begins = c == '\n';
    switch (c) {
      case '\\': result += "\\e"; break;
      case '-': result += "\\-"; break;
      case '`':
      case '\'': result += c == '`' ? "\\(ga" : "\\(aq"; break;
      default: result += c;
    }
  }
  return result;
}

std::string as_it_stands(const std::string& text) { return ".nf\n" + plain(text) + "\n.fi\n"; }

/// What follows an option's name: `FILE`, or `a|b|c`.
std::string value_of(const CLI::Option& option) {
  if (!option.get_option_text().empty()) return option.get_option_text();
  return option.get_items_expected_max() == 0 ? "" : option.get_type_name();
}

std::string entry_of(const CLI::Option& option) {
  const auto value = value_of(option);
  return fmt::format(".TP\n\\fB{}\\fR{}\n{}\n", plain(option.get_name(option.get_positional(), true)),
                     value.empty() ? "" : " \\fI" + plain(value) + "\\fR", plain(option.get_description()));
}

/// The options with `about`, each group that has a name of its own below that.
std::string options_of(const CLI::App& line) {
  std::string text;
  for (const auto& group : line.get_groups()) {
    if (group.empty()) continue;  // hidden
    if (group != "Options") text += fmt::format(".PP\n{}:\n", plain(group));
    for (const auto* option : line.get_options([&](const CLI::Option* o) { return o->get_group() == group; }))
      text += entry_of(*option);
  }
  return text;
}

std::string commands_of(const CLI::App& app, const std::string& name) {
  std::string text;
  for (const auto* line : app.get_subcommands([](const CLI::App*) { return true; })) {
    const auto whole = name + " " + line->get_name();
    text += fmt::format(".SS {}\n{}\n", plain(whole), plain(line->get_description()));
    text += options_of(*line);
    if (!line->get_footer().empty() && line->get_footer() != app.get_footer())  // one that has none shows its parent's
      text += ".PP\n" + as_it_stands(line->get_footer());
    text += commands_of(*line, whole);
  }
  return text;
}

}  // namespace

std::string manual_page(const CLI::App& app) {
  return fmt::format(
      ".TH HARRIER 1 \"\" \"{}\" \"User Commands\"\n.ad l\n"
      ".SH NAME\nharrier \\- systematic testing of actor programs\n"
      ".SH SYNOPSIS\n\\fBharrier\\fR \\fICOMMAND\\fR [\\fIOPTIONS\\fR]\n"
      ".SH DESCRIPTION\n{}\n"
      ".SH OPTIONS\n{}"
      ".SH COMMANDS\n{}"
      ".SH EXAMPLES AND EXIT STATUS\n{}",
      version_line(), plain(app.get_description()), options_of(app), commands_of(app, app.get_name()),
      as_it_stands(app.get_footer()));
}

}  // namespace harrier
