#pragma once

#include <string>
#include <vector>

#include <harrier/core/fingerprint.hpp>
#include <harrier/core/system.hpp>

namespace harrier {

/// Whether the last step was a handler from its beginning to its end, and nobody can
/// notice that it ran but by its receiver's state and what it sent or created.
[[nodiscard]] bool is_state_and_sends(const system& s);

/// What two steps of one receiver did, the last two of a system: to be compared with
/// what they do in the other order, and in words.
struct pair_outcome {
  /// Stand for the receiver's state, and for what each of the two sent and created, in order.
  std::vector<fingerprint> values;
  /// What a program can see of these besides, in this system: which objects they share.
  std::vector<fingerprint> besides;
  /// Whether that is all that there is to see.
  bool is_all = true;

  /// @param first  the one that is described first: the earlier or the later.
  pair_outcome(const system& s, step_index first, step_index second);

  /// The same for a person.
  [[nodiscard]] static std::string describe(const system& s, step_index first, step_index second);

private:
  template <class T>
  void add(const T& value) {
    values.push_back(hash_bytes(&value, sizeof value));
  }
  void add_step(const system& s, step_index i);
  template <class Type>
  void add_value(const Type& type, const void* value);
};

}  // namespace harrier
