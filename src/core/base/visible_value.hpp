#pragma once

#include <harrier/core/fingerprint.hpp>
#include <harrier/core/message.hpp>
#include <harrier/core/value_bytes.hpp>

namespace harrier {

/// What of a state, or of a payload, a program can see: the one notion of it, for
/// all who ask whether two of them are the same.
struct visible_value {
  /// Equal for two that are the same, in one system: objects that values share are
  /// compared by their addresses, so it is of no use once such an object is gone.
  fingerprint value;
  /// Whether that is all that there is to see. If not, it equals nothing.
  bool is_all = true;

  /// @param type  an actor_type or a message_type. O(size of the value), and no more
  ///        than its hash where that is all.
  template <class Type>
  static visible_value of(const Type& type, const void* value) {
    if (type.hash_is_all()) return {type.hash(value)};
    value_bytes written;
    type.write(value, written);
    return {written.hash_of_all(), written.is_all()};
  }

  [[nodiscard]] bool equals(const visible_value& other) const { return is_all && other.is_all && value == other.value; }
};

}  // namespace harrier
