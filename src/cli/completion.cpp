#include "completion.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cctype>
#include <utility>

#include <harrier/core/error.hpp>

namespace harrier {
namespace {

constexpr auto for_bash = R"~(# Completes what @command@ can be asked, by asking it.
_@function@() {
  local IFS=$'\n' word=${COMP_WORDS[COMP_CWORD]}
  COMPREPLY=($("${COMP_WORDS[0]}" --complete "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null))
  if [[ ${COMP_WORDBREAKS-=} == *=* && ${COMPREPLY[0]-} == *=* && ($word == = || ${COMP_WORDS[COMP_CWORD-1]} == =) ]]; then
    COMPREPLY=("${COMPREPLY[@]#*=}")  # what stands before the = is a word of its own here
  fi
  if [[ ${COMPREPLY[*]-} == *= ]]; then compopt -o nospace 2>/dev/null; fi
}
complete -o default -F _@function@ @command@
)~";

constexpr auto for_zsh = R"~(#compdef @command@
# Completes what @command@ can be asked, by asking it.
_@function@() {
  local -a found=(${(f)"$($words[1] --complete "${(@)words[2,CURRENT]}" 2>/dev/null)"})
  if (( ! $#found )); then
    _files
    return
  fi
  local -a open=(${(M)found:#*=}) closed=(${found:#*=})
  (( $#open )) && compadd -S '' -- $open
  (( $#closed )) && compadd -- $closed
}
if [[ ${funcstack[1]-} == _@function@ ]]; then _@function@ "$@"; else compdef _@function@ @command@; fi
)~";

constexpr auto for_fish = R"~(# Completes what @command@ can be asked, by asking it.
complete -c @command@ -a '(set -l words (commandline -opc); $words[1] --complete $words[2..] (commandline -ct) 2>/dev/null)'
)~";

const std::vector<std::pair<std::string, const char*>> scripts = {
    {"bash", for_bash}, {"zsh", for_zsh}, {"fish", for_fish}};

void replace_all(std::string& text, const std::string& what, const std::string& by) {
  for (auto at = text.find(what); at != std::string::npos; at = text.find(what, at + by.size()))
    text.replace(at, what.size(), by);
}

using words = std::vector<std::string>;

/// bash splits words at each =.
words put_together(const words& split) {
  words whole;
  bool goes_on = false;
  for (const auto& word : split) {
    const bool is_equals = word == "=" && !whole.empty();
    if (is_equals || goes_on)
      whole.back() += word;
    else
      whole.push_back(word);
    goes_on = is_equals;
  }
  return whole;
}

/// The words in `a|b|c`, which is how an option's values are shown, or in
/// `TEXT:{a,b,c}`, which is how CLI11 shows what it checks itself. Nothing for
/// what stands for a value, as FILE does.
words choices_of(const CLI::Option& option) {
  auto text = option.get_type_name();
  const auto open = text.find('{');
  const char between = open == std::string::npos ? '|' : ',';
  if (between == ',') text = text.substr(open + 1, text.find('}') - open - 1);
  words found;
  for (std::size_t at = 0; at <= text.size();) {
    const auto end = std::min(text.find(between, at), text.size());
    const auto word = text.substr(at, end - at);
    const auto is_lower = [](char c) { return c >= 'a' && c <= 'z'; };
    const auto is_upper = [](char c) { return c >= 'A' && c <= 'Z'; };
    if (std::any_of(word.begin(), word.end(), is_lower) && std::none_of(word.begin(), word.end(), is_upper))
      found.push_back(word);
    at = end + 1;
  }
  return found;
}

const CLI::App* subcommand_named(const CLI::App& line, const std::string& name) {
  const auto found = line.get_subcommands([&](const CLI::App* sub) { return sub->get_name() == name; });
  return found.empty() ? nullptr : found.front();
}

const CLI::Option* option_named(const CLI::App& line, const std::string& name) {
  return name.substr(0, 1) == "-" ? line.get_option_no_throw(name) : nullptr;
}

words option_names(const CLI::App& line) {
  words names;
  for (const auto* option : line.get_options())
    if (!option->get_group().empty())
      for (const auto& name : option->get_lnames()) names.push_back("--" + name);
  return names;
}

words with(const std::string& start, words all) {
  for (auto& word : all) word = start + word;
  return all;
}

/// `accounts=` of a program's parameters, or `policy=lax` once it is clear which.
words parameters_of(const catalogue_entry& entry, const std::string& word) {
  words all;
  for (const auto& p : entry.parameters) {
    const auto start = p.name + "=";
    if (word.substr(0, start.size()) != start)
      all.push_back(start);
    else if (!p.words.empty())
      return with(start, p.words);
    else
      return {start + text_of(p)};
  }
  return all;
}

/// Where the words before the last one lead.
struct place {
  const CLI::App* line;
  const CLI::Option* value_wanted_by = nullptr;
  words positionals = {};
};

place after(const CLI::App& app, const words& before) {
  place at{&app};
  for (const auto& word : before) {
    if (std::exchange(at.value_wanted_by, nullptr) != nullptr) continue;
    if (const auto* option = option_named(*at.line, word)) {
      if (option->get_items_expected_max() != 0) at.value_wanted_by = option;
    } else if (const auto* sub = subcommand_named(*at.line, word)) {
      at.line = sub;
    } else if (word.substr(0, 1) != "-") {
      at.positionals.push_back(word);
    }
  }
  return at;
}

words names_of(const catalogue& programs) {
  words names;
  for (const auto& entry : programs) names.push_back(entry.name);
  return names;
}

words candidates(const CLI::App& app, const catalogue& programs, const place& at, const std::string& word) {
  if (at.value_wanted_by != nullptr) return choices_of(*at.value_wanted_by);
  if (const auto middle = word.find('='); word.substr(0, 1) == "-" && middle != std::string::npos) {
    const auto* option = option_named(*at.line, word.substr(0, middle));
    return option == nullptr ? words{} : with(word.substr(0, middle + 1), choices_of(*option));
  }
  if (word.substr(0, 1) == "-") return option_names(*at.line);
  if (at.line == subcommand_named(app, "explore")) {
    if (at.positionals.empty()) return names_of(programs);
    for (const auto& entry : programs)
      if (entry.name == at.positionals.front()) return parameters_of(entry, word);
  }
  words names;
  for (const auto* sub : at.line->get_subcommands([](const CLI::App*) { return true; }))
    names.push_back(sub->get_name());
  return names;
}

}  // namespace

const std::vector<std::string>& shells_that_complete() {
  static const auto names = [] {
    words all;
    for (const auto& [shell, script] : scripts) all.push_back(shell);
    return all;
  }();
  return names;
}

std::string completion_script(const std::string& shell, const std::string& command) {
  const auto found = std::find_if(scripts.begin(), scripts.end(), [&](const auto& s) { return s.first == shell; });
  if (found == scripts.end()) throw error("--completion " + shell + ": one of bash, zsh, fish is expected");
  std::string function = command;
  std::replace_if(
      function.begin(), function.end(), [](unsigned char c) { return std::isalnum(c) == 0; }, '_');
  std::string text = found->second;
  replace_all(text, "@command@", command);
  replace_all(text, "@function@", function);
  return text;
}

std::vector<std::string> completions(const CLI::App& app, const catalogue& programs,
                                     const std::vector<std::string>& split) {
  auto before = put_together(split);
  const auto word = before.empty() ? std::string() : before.back();
  if (!before.empty()) before.pop_back();
  auto found = candidates(app, programs, after(app, before), word);
  std::erase_if(found, [&](const auto& candidate) { return candidate.substr(0, word.size()) != word; });
  return found;
}

}  // namespace harrier
