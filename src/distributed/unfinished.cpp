#include "unfinished.hpp"

#include <algorithm>

#include <harrier/core/error.hpp>

namespace harrier::distributed {

std::optional<std::string> unfinished_messages::add(const part& p) {
  if (p.count == 1) return std::string(p.bytes);
  const name which(p.item, p.attempt);
  const auto [entry, is_new] = all_.try_emplace(which, message{p.count, {}});
  auto& [count, parts] = entry->second;
  if (count != p.count) throw error("its parts do not agree on how many they are");
  if (is_new) by_age_.push_back(which);
  if (parts.emplace(p.number, p.bytes).second) bytes_ += p.bytes.size();
  if (parts.size() == count) {
    std::string whole;
    for (const auto& [number, bytes] : parts) whole += bytes;
    forget(which);
    return whole;
  }
  while (bytes_ > most_bytes_ && by_age_.size() > 1) forget(by_age_.front());
  return {};
}

void unfinished_messages::forget(const name& which) {
  const auto copy = which;  // it may be in the list
  for (const auto& [number, bytes] : all_.at(copy).parts) bytes_ -= bytes.size();
  all_.erase(copy);
  by_age_.erase(std::find(by_age_.begin(), by_age_.end(), copy));
}

}  // namespace harrier::distributed
