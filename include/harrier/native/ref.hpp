#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <type_traits>

#include <harrier/core/identity.hpp>

namespace harrier {

namespace detail {
class world;
}

/// The address of an actor of class `Actor`. A value: copy it, keep it in
/// fields, send it in messages, compare it, order it and hash it (std::set,
/// std::unordered_map). An empty one (the default) refers to nobody; sending to
/// it is an error of the program under test.
///
/// It holds a causal name, so the same actor has the same address in every
/// interleaving; it means nothing outside the exploration it comes from.
///
/// The order of references, and their hashes, are made of causal names too, not
/// of addresses or of when an actor was created: they are the same in every
/// order of deliveries, in every search, process and build. An empty one comes
/// first, then what the driver or a test's body created, in the order of
/// creation; then all others, where what one delivery created stands together,
/// in that order. A class whose like are
/// told apart by that order is not `interchangeable`.
template <class Actor>
class ref {
public:
  using actor_class = Actor;

  ref() = default;

  [[nodiscard]] explicit operator bool() const { return id_ != no_actor; }
  bool operator==(const ref& other) const { return id_ == other.id_; }
  std::strong_ordering operator<=>(const ref& other) const {
    if (id_ == other.id_) return std::strong_ordering::equal;
    const auto order = place() <=> other.place();
    return order != 0 ? order : id_ <=> other.id_;
  }

  /// The causal name; no_actor if empty.
  [[nodiscard]] actor_id id() const { return id_; }
  /// What stands for the actor in an order, see above; 0 if empty.
  [[nodiscard]] std::uint64_t place() const { return std::uint64_t{place_high_} << 32 | place_low_; }

  /// For the error that it gives.
  template <class Of = Actor>
  Of* operator->() const {
    static_assert(std::is_void_v<Of>,
                  "harrier: an actor is not called through its ref, it is sent a message: "
                  "self.send<&server::set>(store, 5), or asked: co_await self.call<&server::get>(store)");
    return nullptr;
  }

private:
  friend class self;
  ref(actor_id id, const identities& names) : id_(id) {
    const auto place = names.order_of(id) + 1;
    place_high_ = static_cast<std::uint32_t>(place >> 32);
    place_low_ = static_cast<std::uint32_t>(place);
  }

  actor_id id_ = no_actor;
  std::uint32_t place_high_ = 0;  // in two parts, since one of 8 bytes would make it larger by a third
  std::uint32_t place_low_ = 0;
};

namespace detail {

/// The class of an actor where none is named.
struct no_class {};

template <class Actor>
void take_address(const ref<Actor>&);

/// What a function with a parameter ref<Actor> can be called with, for some Actor.
template <class T>
concept address = requires(std::remove_reference_t<T>& x) {
  take_address(x);
};

}  // namespace detail
}  // namespace harrier

/// The same in each search, process and build.
template <class Actor>
struct std::hash<harrier::ref<Actor>> {
  std::size_t operator()(const harrier::ref<Actor>& of) const noexcept {
    auto mixed = of.place() * 0x9e3779b97f4a7c15U;
    mixed ^= mixed >> 32;
    return static_cast<std::size_t>(mixed);
  }
};
