#include <harrier/protocol/proposition.hpp>

#include <algorithm>
#include <sstream>

#include <fmt/format.h>

namespace harrier::protocol {
namespace {

std::string lower(std::string_view text) {
  std::string result(text);
  for (char& c : result) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return result;
}

std::string role_of(std::string_view word) { return word == "*" ? "" : lower(escaped(word)); }

std::string type_of(std::string_view word) {
  if (word.size() > 2 && word.front() == '<' && word.back() == '>') word = word.substr(1, word.size() - 2);
  return word == "*" ? "" : lower(simple_name(word));
}

bool fits(const std::string& wanted, const std::string& found) { return wanted.empty() || wanted == found; }

// A name that differs in its underscores only: the most common mistake.
template <class Known>
std::string near(const std::string& wanted, const Known& known) {
  const auto bare = [](std::string text) {
    std::erase(text, '_');
    return text;
  };
  for (const auto& name : known) {
    if (bare(lower(name)) == bare(wanted)) return name;
  }
  return {};
}

class reader {
public:
  reader(std::string_view text, const alphabet& names, std::vector<diagnostic>& diagnostics)
      : text_(text), diagnostics_(diagnostics) {
    for (const auto& r : names.roles()) roles_.push_back(escaped(r));
    for (const auto& t : names.types()) types_.emplace_back(simple_name(t));
  }

  proposition run() {
    std::istringstream in{std::string(text_)};
    std::vector<std::string> words;
    for (std::string word; in >> word;) words.push_back(word);
    if (words.size() == 1 && lower(words[0]) == "true") return {proposition::verb::always, {}, {}, {}};
    if (words.size() == 1 && lower(words[0]) == "false") return {proposition::verb::never, {}, {}, {}};
    const auto verb = words.size() < 2 ? "" : lower(words[1]);
    const bool complete = words.size() == 2 || words.size() == 3 || words.size() == 5;
    const bool joined = words.size() < 5 || lower(words[3]) == "to" || lower(words[3]) == "from";
    if ((verb != "send" && verb != "recv") || !complete || !joined) {
      report(severity::error, "is not a proposition about an action", "role SEND|RECV type [TO|FROM role]");
      return {};
    }
    proposition p{verb == "send" ? proposition::verb::send : proposition::verb::receive, role_of(words[0]), {}, {}};
    if (words.size() > 2) p.type = type_of(words[2]);
    if (words.size() == 5) p.peer = role_of(words[4]);
    check("role", p.role, words[0], roles_);
    if (words.size() == 5) check("role", p.peer, words[4], roles_);
    if (words.size() > 2) check("type", p.type, words[2], types_);
    return p;
  }

private:
  void report(severity level, std::string message, std::string expected) {
    diagnostics_.push_back(
        {level, "property", {}, fmt::format("\"{}\"", text_), std::move(message), std::move(expected)});
  }

  void check(const char* what, const std::string& wanted, const std::string& written,
             const std::vector<std::string>& known) {
    const auto same = [&](const std::string& name) { return lower(name) == wanted; };
    if (wanted.empty() || std::any_of(known.begin(), known.end(), same)) return;
    report(severity::warning, fmt::format("there is no {} `{}` in this session; this holds nowhere", what, written),
           near(wanted, known));
  }

  std::string_view text_;
  std::vector<diagnostic>& diagnostics_;
  std::vector<std::string> roles_;
  std::vector<std::string> types_;
};

}  // namespace

bool proposition::holds(const action& a, const alphabet& names) const {
  if (what == verb::always || what == verb::never) return what == verb::always;
  if (a.kind == action_kind::close) return false;
  if (a.kind != action_kind::handshake && (a.kind == action_kind::send) != (what == verb::send)) return false;
  const auto from = lower(escaped(names.roles()[a.from]));
  const auto to = lower(escaped(names.roles()[a.to]));
  const auto found = a.type == no_type ? std::string() : lower(simple_name(names.types()[a.type]));
  return fits(type, found) && fits(role, what == verb::send ? from : to) && fits(peer, what == verb::send ? to : from);
}

proposition parse_proposition(std::string_view text, const alphabet& names, std::vector<diagnostic>& diagnostics) {
  return reader(text, names, diagnostics).run();
}

}  // namespace harrier::protocol
