#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include <harrier/cli/main.hpp>
#include <harrier/core/error.hpp>

#include "../../core/base/numbers.hpp"
#include "../../core/base/suggest.hpp"

namespace harrier {
namespace {

std::vector<std::string> names_of(const std::vector<parameter>& parameters) {
  std::vector<std::string> names;
  for (const auto& p : parameters) names.push_back(p.name);
  return names;
}

[[noreturn]] void unknown(const std::string& name, const std::vector<parameter>& declared) {
  if (declared.empty()) throw error(fmt::format("the program has no parameters, so not '{}' either", name));
  const auto hint = suggestion(name, names_of(declared));
  throw error(fmt::format("the program has no parameter '{}'{}", name,
                          hint.empty() ? fmt::format("; it has {}", fmt::join(names_of(declared), ", ")) : hint));
}

void set_number(parameter& p, const std::string& text) {
  const auto value = number_in<std::int64_t>(text);
  if (!value || *value < p.least || *value > p.greatest)
    throw error(fmt::format("{}={}: a whole number from {} to {} is expected", p.name, text, p.least, p.greatest));
  p.value = *value;
}

void set_word(parameter& p, const std::string& text) {
  if (!p.words.empty() && std::find(p.words.begin(), p.words.end(), text) == p.words.end())
    throw error(fmt::format("{}={}: one of {} is expected{}", p.name, text, fmt::join(p.words, ", "),
                            suggestion(text, p.words)));
  p.value = text;
}

template <class Parameters>
auto& named(Parameters& parameters, const std::string& name) {
  const auto found = std::find_if(parameters.begin(), parameters.end(), [&](const auto& p) { return p.name == name; });
  if (found == parameters.end()) unknown(name, parameters);
  return *found;
}

/// @throws error if the program asks for a parameter as something that it did not declare it to be.
template <class T>
const T& value_of(const std::vector<parameter>& parameters, const std::string& name) {
  const auto* value = std::get_if<T>(&named(parameters, name).value);
  if (value == nullptr) throw error(fmt::format("parameter {} was declared with another type", name));
  return *value;
}

}  // namespace

void arguments::set(const std::string& name, const std::string& text) {
  auto& p = named(values_, name);
  if (std::holds_alternative<std::int64_t>(p.value))
    set_number(p, text);
  else
    set_word(p, text);
}

std::int64_t arguments::number(const std::string& name) const { return value_of<std::int64_t>(values_, name); }

const std::string& arguments::word(const std::string& name) const { return value_of<std::string>(values_, name); }

}  // namespace harrier
