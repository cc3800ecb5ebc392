#include <harrier/protocol/action.hpp>

#include <fmt/format.h>

namespace harrier::protocol {
namespace {

template <class Names, class Numbers>
std::uint32_t number_in(Names& names, Numbers& numbers, std::string_view name) {
  if (const auto found = numbers.find(name); found != numbers.end()) return found->second;
  const auto number = static_cast<std::uint32_t>(names.size());
  names.emplace_back(name);
  numbers.emplace(name, number);
  return number;
}

}  // namespace

role_id alphabet::role(std::string_view name) { return number_in(roles_, role_numbers_, name); }

type_id alphabet::type(std::string_view name) { return number_in(types_, type_numbers_, name); }

action_id alphabet::number(const action& a) {
  const auto [place, is_new] = action_numbers_.try_emplace(a, static_cast<action_id>(actions_.size()));
  if (is_new) actions_.push_back(a);
  return place->second;
}

std::string alphabet::describe(const action& a) const {
  const auto from = escaped(roles_[a.from]);
  const auto to = escaped(roles_[a.to]);
  const auto type = a.type == no_type ? std::string_view("*") : simple_name(types_[a.type]);
  switch (a.kind) {
    case action_kind::send: return fmt::format("{} SEND {} TO {}", from, type, to);
    case action_kind::receive: return fmt::format("{} RECV {} FROM {}", to, type, from);
    case action_kind::handshake: return fmt::format("{} HAND {} TO {}", from, type, to);
    case action_kind::close: return fmt::format("{} CLOSE {}", from, to);
  }
  return {};
}

std::string_view simple_name(std::string_view type) { return type.substr(type.find_last_of(".$/") + 1); }

std::string escaped(std::string_view role) {
  std::string result(role);
  for (char& c : result) {
    const bool word = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    if (!word) c = '_';
  }
  return result;
}

}  // namespace harrier::protocol
