#pragma once

#include <cstdint>
#include <functional>
#include <set>
#include <string>
#include <utility>

namespace harrier::distributed {

/// Messages at the broker that are none of a run's: damaged, of somebody else, of another run. They end nothing.
/// They are counted, and the first of each kind is said.
class ignored_messages {
public:
  explicit ignored_messages(std::function<void(const std::string&)> say) : say_(std::move(say)) {}

  /// @param where  the subject on which it came.
  void add(const std::string& where, const std::string& why);
  [[nodiscard]] std::uint64_t count() const { return count_; }

private:
  std::function<void(const std::string&)> say_;
  std::set<std::pair<std::string, std::string>> said_;
  std::uint64_t count_ = 0;
};

/// The first words of a text that may be of any length.
[[nodiscard]] std::string beginning_of(const std::string& text);

}  // namespace harrier::distributed
