#include "words.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <harrier/report/text.hpp>

#include "../finding_text.hpp"

namespace harrier {

std::string shortened(const std::string& text, std::size_t most) {
  if (text.size() <= most) return text;
  const auto end = whole_characters(text, most);
  return fmt::format("{}... {} bytes not shown", text.substr(0, end), with_commas(text.size() - end));
}

bool is_plain(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == ' ' || c == '_' ||
         c == '.' || c == ',' || c == '(' || c == ')' || c == '=';
}

void replace_each(std::string& text, std::string_view what, std::string_view by) {
  for (auto at = text.find(what); at != std::string::npos; at = text.find(what, at + by.size()))
    text.replace(at, what.size(), by);
}

std::string words_of(const diagram::arrow& message) {
  return message.by_timer ? message.message + " by a timer" : message.message;
}

std::vector<std::string> remarks_of(const diagram::event& event) {
  std::vector<std::string> all;
  for (const auto& created : event.creates) all.push_back("creates " + created);
  if (!event.choices.empty()) all.push_back(fmt::format("chooses {}", fmt::join(event.choices, ", ")));
  for (const auto& fault : event.faults) all.push_back("FAULT " + fault);
  if (event.destroys)
    all.emplace_back("is gone");
  else if (!event.news.empty())
    all.push_back("is now " + event.news);
  for (const auto& found : event.findings) all.push_back("FAILED " + found);
  return all;
}

}  // namespace harrier
