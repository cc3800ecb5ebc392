#pragma once

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstring>
#include <limits>
#include <memory>
#include <new>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include <harrier/core/accesses.hpp>
#include <harrier/core/fingerprint.hpp>
#include <harrier/core/value_bytes.hpp>
#include <harrier/native/names.hpp>
#include <harrier/native/tracked.hpp>
#include <harrier/native/value_kinds.hpp>

/// What harrier must know of a state or an argument: its fields, for hashing
/// and for showing them. A friend `inspect(f, x)` in CAF's convention comes
/// first, then the kinds of value known here, then aggregates (Boost.PFR). Only
/// for what usable.hpp found sound.
namespace harrier::detail {

/// Whether a class says `static constexpr bool shows_all = true;`: what its `inspect` leaves out makes no difference to
/// anybody.
template <class T>
constexpr bool shows_all = false;
template <class T>
  requires(static_cast<bool>(T::shows_all))
constexpr bool shows_all<T> = true;

/// Calls `visit(name, field)` for each field of `value`, in declaration order.
template <class T, class Visit>
void for_each_field(const T& value, Visit&& visit) {
  if constexpr (inspectable<T>) {
    inspector<std::remove_reference_t<Visit>> f(visit);
    inspect(f, const_cast<T&>(value));  // the convention takes a mutable object; visitors only read
  } else {
    [&]<std::size_t... I>(std::index_sequence<I...>) { (visit(field_name<T, I>(), field_of<I>(value)), ...); }
    (std::make_index_sequence<field_count<T>>{});
  }
}

/// Whether a T has room for more than is in it, which a copy of it would not have: it is, or holds, a vector or a
/// string. `Above`: the classes that it lies in, which are being looked at.
template <class T, class... Above>
constexpr bool finds_room();
template <class T, class... Above>
struct room_found {
  static constexpr bool value = finds_room<T, Above...>();
};
/// Found once for all classes, where they make no difference.
template <class T, class... Above>
constexpr bool finds_room_in = std::conditional_t<is_closed<T>, room_found<T>, room_found<T, Above...>>::value;

template <class T, class... Above>
constexpr bool finds_room() {
  const auto in_elements = []<template <class...> class Of, class... Element>(std::type_identity<Of<Element...>>) {
    return (finds_room_in<std::remove_const_t<Element>, T, Above...> || ...);
  };
  if constexpr ((std::is_same_v<T, Above> || ...) || is_ref<T> || std::is_scalar_v<T>)
    return false;
  else if constexpr (is_tracked<T>)
    return finds_room<typename T::value_type, T, Above...>();
  else if constexpr (inspectable<T>)
    return !std::is_trivially_copyable_v<T>;
  else if constexpr (std::is_same_v<T, std::string> || is_vector<T>)
    return true;
  else if constexpr (is_optional<T> || is_variant<T> || is_tuple<T>)
    return in_elements(std::type_identity<T>());
  else if constexpr (is_text<T> || is_shared_constant<T> || is_duration<T> || is_time_point<T> || is_bitset<T> ||
                     !is_usable_value<T>)
    return false;
  else if constexpr (is_adaptor<T>)
    return finds_room<typename T::container_type, T, Above...>();
  else if constexpr (is_range<T>)
    return shows_all_by_elements<T> && finds_room<element_of<T>, T, Above...>();
  else
    return []<std::size_t... I>(std::index_sequence<I...>) {
      return (finds_room_in<std::remove_const_t<field_type<T, I>>, T, Above...> || ...);
    }
  (std::make_index_sequence<field_count<T>>{});
}
template <class T>
constexpr bool keeps_room = room_found<T>::value;

/// Whether the hash of a T says all that a program can tell apart, whatever its value is.
template <class T, class... Above>
constexpr bool tells_all();
template <class T, class... Above>
struct all_told {
  static constexpr bool value = tells_all<T, Above...>();
};
template <class T, class... Above>
constexpr bool tells_all_in = std::conditional_t<is_closed<T>, all_told<T>, all_told<T, Above...>>::value;

template <class T, class... Above>
constexpr bool tells_all() {
  const auto in_elements = []<template <class...> class Of, class... Element>(std::type_identity<Of<Element...>>) {
    return (tells_all_in<std::remove_const_t<Element>, T, Above...> && ...);
  };
  if constexpr ((std::is_same_v<T, Above> || ...) || is_ref<T> || std::is_scalar_v<T>)
    return true;
  else if constexpr (is_tracked<T>)
    return tells_all<typename T::value_type, T, Above...>();
  else if constexpr (inspectable<T> || is_shared_constant<T> || !is_usable_value<T>)
    return false;
  else if constexpr (is_optional<T> || is_variant<T> || is_tuple<T>)
    return in_elements(std::type_identity<T>());
  else if constexpr (is_text<T>)
    return std::is_same_v<T, std::string>;
  else if constexpr (is_duration<T>)
    return tells_all<typename T::rep, T, Above...>();
  else if constexpr (is_time_point<T>)
    return tells_all<typename T::duration, T, Above...>();
  else if constexpr (is_bitset<T>)
    return true;
  else if constexpr (is_adaptor<T>)
    return is_made_with_nothing<T> && tells_all<typename T::container_type, T, Above...>();
  else if constexpr (is_range<T>)
    return shows_all_by_elements<T> && is_made_with_nothing<T> && tells_all<element_of<T>, T, Above...>();
  else
    return []<std::size_t... I>(std::index_sequence<I...>) {
      return (tells_all_in<std::remove_const_t<field_type<T, I>>, T, Above...> && ...);
    }
  (std::make_index_sequence<field_count<T>>{});
}

/// Where `part` lies in the `bytes` of an object; state_field::elsewhere if it does not.
std::size_t offset_in(const void* object, std::size_t bytes, const void* part);

/// Which bytes of an object its `inspect` does not show.
template <class T>
std::vector<bool> unshown_bytes(const T& value) {
  std::vector<bool> unshown(sizeof(T), true);
  const auto show = [&]<class Field>(std::string_view, const Field& field) {
    const auto offset = offset_in(std::addressof(value), sizeof(T), std::addressof(field));
    if (offset == state_field::elsewhere) return;
    for (auto i = offset; i < std::min(offset + sizeof(Field), sizeof(T)); ++i) unshown[i] = false;
  };
  for_each_field(value, show);
  return unshown;
}

/// Adds the bytes of an object that its `inspect` does not show to `out`, where they say what there is: they do if a
/// copy has the same ones. Those that a copy does not write are padding.
/// @param copies  the bytes of two copies, made where all were 0 and where all were 255; null if copies are bytes.
/// @return whether they do.
bool add_plain_bytes(const std::vector<bool>& unshown, const unsigned char* object, const unsigned char* const* copies,
                     value_bytes& out);

template <class T>
bool tell_unshown(const T& value, value_bytes& out) {
  const auto unshown = unshown_bytes(value);
  if (std::find(unshown.begin(), unshown.end(), true) == unshown.end()) return true;
  const auto* const object = reinterpret_cast<const unsigned char*>(std::addressof(value));
  if constexpr (std::is_trivially_copyable_v<T>) {
    return add_plain_bytes(unshown, object, nullptr, out);
  } else {
    std::vector<unsigned char> seen[2];
    for (const int fill : {0, 255}) {
      alignas(T) unsigned char place[sizeof(T)];
      std::memset(place, fill, sizeof place);
      auto* const copy = ::new (static_cast<void*>(place)) T(value);
      seen[fill == 0 ? 0 : 1].assign(place, place + sizeof place);
      std::destroy_at(copy);
    }
    const unsigned char* const copies[] = {seen[0].data(), seen[1].data()};
    return add_plain_bytes(unshown, object, copies, out);
  }
}

/// Collects the bytes that identify a value: to hash them, or to write them into
/// a value_bytes. One class for both, since what it does with each type of value
/// is most of what there is to compile for that type.
///
/// They are what a program can tell apart, no less: the order in which an
/// unordered container is gone through, the sign of a zero, the room that a vector
/// has. What is not known of a value is told to the value_bytes.
class byte_sink {
public:
  /// To hash.
  byte_sink() = default;
  /// To write, with the names that `out` gives to actors.
  explicit byte_sink(value_bytes& out) : out_(&out) {}

  template <class T>
  void operator()(std::string_view, const T& field) {
    add(field);
  }

  template <class T>
  void add(const T& value) {
    if constexpr (is_tracked<T>) {
      add(value.untold());
    } else if constexpr (inspectable<T>) {
      add_inspected(value);
    } else if constexpr (std::is_same_v<T, std::vector<bool>::const_reference> || std::is_same_v<T, bool>) {
      raw(static_cast<unsigned char>(value));
    } else if constexpr (std::is_arithmetic_v<T> || std::is_enum_v<T>) {
      raw(value);
    } else if constexpr (is_ref<T>) {
      reference(value.id());
    } else if constexpr (is_text<T>) {
      const std::string_view text = value;
      raw(text.size());
      bytes(text.data(), text.size());
      if constexpr (std::is_same_v<T, std::string>)
        room(value.capacity());
      else
        leave_out();
    } else if constexpr (is_optional<T>) {
      raw(value.has_value());
      if (value) add(*value);
    } else if constexpr (is_variant<T>) {
      raw(value.index());
      std::visit([&](const auto& v) { this->add(v); }, value);
    } else if constexpr (is_shared_constant<T>) {
      raw(value != nullptr);
      if (value) add_shared(value.get(), *value);
    } else if constexpr (is_duration<T>) {
      add(value.count());
    } else if constexpr (is_time_point<T>) {
      add(value.time_since_epoch().count());
    } else if constexpr (is_bitset<T>) {
      add(value.to_string());
    } else if constexpr (is_tuple<T>) {
      [&]<std::size_t... I>(std::index_sequence<I...>) { (add(get<I>(value)), ...); }
      (std::make_index_sequence<std::tuple_size_v<T>>{});
    } else if constexpr (is_adaptor<T>) {
      if constexpr (!is_made_with_nothing<T>) leave_out();
      add(content_of(value));
    } else if constexpr (is_range<T>) {
      add_range(value);
    } else {
      for_each_field(value, *this);
    }
  }

  void bytes(const void* data, std::size_t size) {
    if (!more_.empty() || size_ + size > sizeof start_) return add_more(data, size);
    std::memcpy(start_ + size_, data, size);
    size_ += size;
  }

  [[nodiscard]] fingerprint hash() const {
    if (size_ == 0 && more_.empty()) return hash_bytes("", 0);  // GCC warns of a start_ that is not looked at
    return hash_bytes(text().data(), text().size());
  }
  [[nodiscard]] std::string_view text() const {
    return more_.empty() ? std::string_view(start_, size_) : std::string_view(more_);
  }

private:
  void reference(actor_id id) {
    const auto name = out_ != nullptr ? out_->name_of(id) : static_cast<std::uint32_t>(id);
    bytes(&name, sizeof name);
  }
  void leave_out() {
    if (out_ != nullptr) out_->leave_out();
  }
  template <class T>
  void add_inspected(const T& value) {
    for_each_field(value, *this);
    if constexpr (!shows_all<T>)
      if (out_ != nullptr && !tell_unshown(value, *out_)) leave_out();
  }
  template <class Range>
  void add_range(const Range& range) {
    raw(static_cast<std::size_t>(std::distance(std::begin(range), std::end(range))));
    if constexpr (is_vector<Range>) room(range.capacity());
    if constexpr (unordered<Range>) {  // with it, how the elements lie, and so in which order those to come will
      raw(range.bucket_count());
      raw(range.max_load_factor());
    }
    constexpr bool is_known = shows_all_by_elements<Range>;
    if constexpr (!is_known || !is_made_with_nothing<Range>) leave_out();
    if constexpr (!is_known) ++roomless_;  // nor can copies of it be given room
    for (const auto& element : range) add(element);
    if constexpr (!is_known) --roomless_;
  }
  /// The content, and by its place among those of this value which object it is.
  template <class T>
  void add_shared(const void* object, const T& content) {
    raw(place_of(object));
    if (out_ != nullptr) out_->share(object);
    add(content);
  }
  std::size_t place_of(const void* object);
  void room(std::size_t capacity) {
    if (roomless_ == 0) raw(capacity);
  }

  void add_more(const void* data, std::size_t size);

  template <class T>
  void raw(const T& value) {
    if constexpr (std::is_same_v<T, long double>)
      bytes(&value, std::numeric_limits<T>::digits == 64 ? 10 : sizeof value);  // the rest of it is padding
    else
      bytes(&value, sizeof value);
  }

  value_bytes* out_ = nullptr;
  int roomless_ = 0;
  std::vector<const void*> objects_;
  std::size_t size_ = 0;
  std::string more_;  // all of it, once it does not fit in start_
  char start_[128];
};

template <class T>
fingerprint hash_of(const T& value) {
  byte_sink sink;
  sink.add(value);
  return sink.hash();
}

template <class T>
void write_value(const T& value, value_bytes& out) {
  byte_sink sink(out);
  sink.add(value);
  out.bytes(sink.text().data(), sink.text().size());
}

}  // namespace harrier::detail
