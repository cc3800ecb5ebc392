#pragma once

#include <harrier/core/identity.hpp>

namespace harrier {

namespace detail {
class world;
}

/// The address of an actor of class `Actor`. A value: copy it, keep it in
/// fields, send it in messages, compare it. An empty one (the default) refers
/// to nobody; sending to it is an error of the program under test.
///
/// It holds a causal name, so the same actor has the same address in every
/// interleaving; it means nothing outside the exploration it comes from.
template <class Actor>
class ref {
public:
  using actor_class = Actor;

  ref() = default;

  [[nodiscard]] explicit operator bool() const { return id_ != no_actor; }
  bool operator==(const ref&) const = default;

  /// The causal name; no_actor if empty.
  [[nodiscard]] actor_id id() const { return id_; }

private:
  friend class self;
  explicit ref(actor_id id) : id_(id) {}

  actor_id id_ = no_actor;
};

}  // namespace harrier
