#include "ignored.hpp"

#include <fmt/format.h>

namespace harrier::distributed {

std::string beginning_of(const std::string& text) {
  constexpr std::size_t longest = 400;
  return text.size() <= longest ? text : text.substr(0, longest) + "...";
}

void ignored_messages::add(const std::string& where, const std::string& why) {
  constexpr std::size_t most_said = 10;
  ++count_;
  const auto place = beginning_of(where);
  const auto reason = beginning_of(why);
  if (said_.size() >= most_said || !said_.emplace(place, reason).second || !say_) return;
  say_(fmt::format("ignored a message at the broker on {}: {}", place, reason));
  if (said_.size() == most_said) say_("further messages that are ignored are only counted");
}

}  // namespace harrier::distributed
