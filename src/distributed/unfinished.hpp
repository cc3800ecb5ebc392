#pragma once

#include <cstddef>
#include <deque>
#include <map>
#include <optional>
#include <string>
#include <utility>

#include "run.hpp"

namespace harrier::distributed {

/// Messages of which parts are still to come. They take no more memory than what did come, and of that so much: the
/// oldest is forgotten, as if its sender had died in the middle of it.
class unfinished_messages {
public:
  explicit unfinished_messages(std::size_t most_bytes = std::size_t{1} << 30) : most_bytes_(most_bytes) {}

  /// @return the whole, if that was the last part that was missing.
  /// @throws error  it does not go with the others of its message.
  std::optional<std::string> add(const part& p);
  [[nodiscard]] std::size_t bytes() const { return bytes_; }

private:
  using name = std::pair<std::string, std::string>;  // of an item, and of the attempt
  struct message {
    std::size_t count;
    std::map<std::size_t, std::string> parts;
  };
  void forget(const name& which);

  std::size_t most_bytes_;
  std::size_t bytes_ = 0;
  std::map<name, message> all_;
  std::deque<name> by_age_;
};

}  // namespace harrier::distributed
