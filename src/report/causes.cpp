#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <iterator>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include <harrier/report/causes.hpp>
#include <harrier/report/text.hpp>

namespace harrier {
namespace {

/// `philosopher_` of `philosopher_3`.
std::string without_numbers(std::string_view text) {
  std::string kept;
  std::copy_if(text.begin(), text.end(), std::back_inserter(kept),
               [](unsigned char c) { return std::isdigit(c) == 0; });
  return kept;
}

/// The words of a text, each once.
std::string words_of(std::string_view text) {
  std::set<std::string> words;
  std::string word;
  for (const auto c : without_numbers(text) + " ")
    if (std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_')
      word += c;
    else if (!word.empty())
      words.insert(std::exchange(word, {}));
  return fmt::format("{}", fmt::join(words, " "));
}

std::string cause_of(const finding& f) {
  const auto what = f.line > 0                         ? fmt::format("{}:{}", f.file, f.line)
                    : f.kind == finding_kind::deadlock ? words_of(f.message)
                                                       : without_numbers(f.message);
  return fmt::format("{} {} {}", to_string(f.kind), without_numbers(f.actor), what);
}

}  // namespace

std::vector<std::vector<std::size_t>> causes_of(const std::vector<finding>& all) {
  std::vector<std::vector<std::size_t>> causes;
  std::map<std::string, std::size_t> known;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const auto [cause, is_new] = known.try_emplace(cause_of(all[i]), causes.size());
    if (is_new) causes.emplace_back();
    causes[cause->second].push_back(i);
  }
  for (auto& of_one : causes)
    std::stable_sort(of_one.begin(), of_one.end(),
                     [&](std::size_t a, std::size_t b) { return shown_length(all[a]) < shown_length(all[b]); });
  return causes;
}

}  // namespace harrier
