#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

namespace harrier {

/// A field of a local state: where it lies in an object of its class.
struct state_field {
  std::string name;
  /// From the object's beginning, in bytes; `elsewhere` if it is not in the object.
  std::size_t offset = elsewhere;
  std::size_t bytes = 0;
  /// It tells of each access to it (harrier::tracked).
  bool is_tracked = false;

  static constexpr std::size_t elsewhere = static_cast<std::size_t>(-1);
};

/// An access to what lies `offset` bytes from the beginning of an object.
struct field_access {
  std::size_t offset = 0;
  bool writes = false;
};

/// Which parts of one object were read or written while it was watched, as far as
/// these parts tell (harrier::tracked). Belongs to one thread. A part that
/// nobody watches costs a load and a branch.
class access_log {
public:
  /// Watches `object`, of so many bytes, for as long as this lives, in this thread.
  /// What was noted before is forgotten.
  class watching {
  public:
    watching(access_log& log, const void* object, std::size_t bytes) : outer_(current_) {
      log.object_ = static_cast<const std::byte*>(object);
      log.bytes_ = bytes;
      log.all_.clear();
      current_ = &log;
    }
    watching(const watching&) = delete;
    watching& operator=(const watching&) = delete;
    ~watching() { current_ = outer_; }

  private:
    access_log* outer_;
  };

  /// Of a part, that it is read or written now, by this thread.
  static void note(const void* part, bool writes) {
    if (current_ != nullptr) [[unlikely]]
      current_->add(part, writes);
  }

  /// What was watched last; null if nothing was since forget().
  [[nodiscard]] const void* object() const { return object_; }
  /// Each part that was accessed, once.
  [[nodiscard]] const std::vector<field_access>& all() const { return all_; }
  void forget() {
    object_ = nullptr;
    all_.clear();
  }

private:
  void add(const void* part, bool writes) {
    const auto* const at = static_cast<const std::byte*>(part);
    if (std::less<>{}(at, object_) || !std::less<>{}(at, object_ + bytes_)) return;  // of another object: a copy
    const auto offset = static_cast<std::size_t>(at - object_);
    for (auto& known : all_)
      if (known.offset == offset) {
        known.writes = known.writes || writes;
        return;
      }
    all_.push_back({offset, writes});
  }

  static inline thread_local access_log* current_ = nullptr;

  const std::byte* object_ = nullptr;
  std::size_t bytes_ = 0;
  std::vector<field_access> all_;
};

}  // namespace harrier
