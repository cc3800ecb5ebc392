#pragma once

#include <string>
#include <utility>
#include <vector>

#include <harrier/core/identity.hpp>
#include <harrier/native/ref.hpp>

namespace harrier {

/// Some actors, of whatever classes, by a name that traces show: see self::partition.
class group {
public:
  template <class... Actors>
  explicit group(std::string name, ref<Actors>... members) : name_(std::move(name)), members_{members.id()...} {}
  template <class Actor>
  group(std::string name, const std::vector<ref<Actor>>& members) : name_(std::move(name)) {
    for (const auto& one : members) members_.push_back(one.id());
  }
  /// `group("left", some).with(another)`.
  template <class... Actors>
  [[nodiscard]] group with(ref<Actors>... more) const {
    auto all = *this;
    (all.members_.push_back(more.id()), ...);
    return all;
  }

  [[nodiscard]] const std::string& name() const { return name_; }
  [[nodiscard]] const std::vector<actor_id>& members() const { return members_; }

private:
  std::string name_;
  std::vector<actor_id> members_;
};

}  // namespace harrier
