#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include <harrier/core/archive.hpp>

#include "state_pieces.hpp"

namespace harrier {

/// Whole states, their equal pieces stored once.
///
/// @par Source  G. Holzmann: State compression in SPIN, 1997 (collapse).
class collapsed_set {
public:
  /// @return whether the state that `pieces` have taken was not there
  bool insert(const state_pieces& pieces) {
    key_.clear();
    for (const auto& piece : pieces.actors()) append(number_of(piece));
    append(separator);
    for (const auto& piece : pieces.messages()) append(number_of(piece));
    if (!states_.insert(key_).second) return false;
    bytes_ += key_.size() + overhead;
    return true;
  }
  [[nodiscard]] std::uint64_t bytes() const { return bytes_; }
  [[nodiscard]] std::uint64_t size() const { return states_.size(); }

  void save(archive_writer& to) const {
    to.list(numbers_, [&](const auto& piece) {
      to.text(piece.first);
      to.number(piece.second);
    });
    to.list(states_, [&](const auto& state) { to.text(state); });
    to.number(bytes_);
  }
  /// @pre nothing was inserted
  void load(archive_reader& from) {
    from.list([&] {
      auto piece = from.text();
      numbers_.emplace(std::move(piece), static_cast<std::uint32_t>(from.number()));
    });
    from.list([&] { states_.insert(from.text()); });
    bytes_ = from.number();
  }

private:
  static constexpr std::uint32_t separator = 0xffffffff;
  static constexpr std::uint64_t overhead = sizeof(std::string) + 4 * sizeof(void*);  // of a node, about

  void append(std::uint32_t number) { key_.append(reinterpret_cast<const char*>(&number), sizeof number); }
  std::uint32_t number_of(const std::string& piece) {
    const auto [at, is_new] = numbers_.try_emplace(piece, static_cast<std::uint32_t>(numbers_.size()));
    if (is_new) bytes_ += piece.size() + overhead;
    return at->second;
  }

  std::unordered_map<std::string, std::uint32_t> numbers_;
  std::unordered_set<std::string> states_;
  std::string key_;
  std::uint64_t bytes_ = 0;
};

}  // namespace harrier
