#pragma once

#include <cstddef>
#include <memory>
#include <new>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <typeinfo>
#include <utility>
#include <variant>
#include <vector>

#include <harrier/native/reflect.hpp>

/// A copy in which a program finds all that it finds in the original. A copy
/// constructor gives a vector and a string no more room than they need; a handler
/// that asks for their capacity would see that it was gone back over.
///
/// What harrier can put together itself is made with that room at once: the fields
/// of an aggregate, and what is in a vector, an optional or a tuple. All else is copied
/// first, and then what is in it is made anew where that has too little.
namespace harrier::detail {

template <class T>
T exact_copy_of(const T& original);
template <class T>
void keep_room(const T& copy, const T& original);

/// What initialises an element of something with a copy: its own copy constructor does where that is exact.
template <class T>
decltype(auto) to_copy(const T& original) {
  if constexpr (keeps_room<T>)
    return exact_copy_of(original);
  else
    return (original);
}

// Where there is room is seldom asked for twice: kept out of the way of all else.
template <class T, class Allocator>
[[gnu::noinline]] std::vector<T, Allocator> roomy_copy_of(const std::vector<T, Allocator>& original) {
  std::vector<T, Allocator> copy(
      std::allocator_traits<Allocator>::select_on_container_copy_construction(original.get_allocator()));
  copy.reserve(original.capacity());
  if constexpr (keeps_room<T> || !std::is_copy_assignable_v<T>)
    for (const auto& element : original) copy.emplace_back(to_copy(element));
  else
    copy = original;
  return copy;
}
template <class T, class Allocator>
std::vector<T, Allocator> exact_copy_of_vector(const std::vector<T, Allocator>& original) {
  const bool is_full = original.capacity() == original.size();
  return is_full && (!keeps_room<T> || original.empty()) ? std::vector<T, Allocator>(original)
                                                         : roomy_copy_of(original);
}

[[gnu::noinline]] inline std::string roomy_copy_of(const std::string& original) {
  std::string copy(original.capacity(), '\0');  // which has no more; reserve() may double what a string has
  copy.assign(original);
  return copy;
}
inline std::string exact_copy_of_text(const std::string& original) {
  const bool is_full = original.capacity() == original.size() || original.capacity() == std::string().capacity();
  return is_full ? std::string(original) : roomy_copy_of(original);
}

/// Whether a T can be put together of its fields.
template <class T>
constexpr bool is_made_of_fields() {
  if constexpr (!std::is_aggregate_v<T> || inspectable<T> || is_range<T>)
    return false;
  else
    return []<std::size_t... I>(std::index_sequence<I...>) {
      return requires(const T& original) { T{to_copy(field_of<I>(original))...}; };
    }
  (std::make_index_sequence<field_count<T>>{});
}

/// The same of the other kinds of values.
template <class T>
T copied_whole(const T& original) {
  T copy(original);
  keep_room(copy, original);
  return copy;
}

template <class T>
T exact_copy_of(const T& original) {
  if constexpr (!keeps_room<T>) {
    return original;
  } else if constexpr (is_tracked<T>) {
    return T(exact_copy_of(original.untold()));
  } else if constexpr (inspectable<T>) {
    return copied_whole(original);
  } else if constexpr (std::is_same_v<T, std::string>) {
    return exact_copy_of_text(original);
  } else if constexpr (is_vector<T>) {
    return exact_copy_of_vector(original);
  } else if constexpr (is_optional<T>) {
    return original ? T(std::in_place, to_copy(*original)) : T();
  } else if constexpr (is_tuple<T>) {
    return [&]<std::size_t... I>(std::index_sequence<I...>) { return T(to_copy(get<I>(original))...); }
    (std::make_index_sequence<std::tuple_size_v<T>>{});
  } else if constexpr (is_made_of_fields<T>()) {
    return [&]<std::size_t... I>(std::index_sequence<I...>) { return T{to_copy(field_of<I>(original))...}; }
    (std::make_index_sequence<field_count<T>>{});
  } else {
    return copied_whole(original);
  }
}

/// The fields that one object shows, for another of its class that shows the same.
struct shown_field {
  const void* place;  ///< null if it is not in the object: an `inspect` may show what it has just made
  const std::type_info* type;
};

template <class T>
void keep_room_of_inspected(T& copy, const T& original) {
  std::vector<shown_field> fields;
  const auto note = [&]<class Field>(std::string_view, const Field& field) {
    const void* const place = std::addressof(field);
    const bool is_inside = offset_in(std::addressof(original), sizeof(T), place) != state_field::elsewhere;
    fields.push_back({is_inside ? place : nullptr, &typeid(Field)});
  };
  for_each_field(original, note);
  std::size_t i = 0;
  const auto match = [&]<class Field>(std::string_view, const Field& field) {
    if constexpr (keeps_room<Field>)
      if (i < fields.size() && fields[i].place != nullptr && *fields[i].type == typeid(Field))
        keep_room(field, *static_cast<const Field*>(fields[i].place));
    ++i;
  };
  for_each_field(copy, match);
}

/// Gives `copy`, just made of `original`, the room that that has. What is constant in it, as keys are, is so for
/// others: it has just been made here, and keeps its value.
template <class T>
void keep_room(const T& constant, const T& original) {
  [[maybe_unused]] auto& copy = const_cast<T&>(constant);
  if constexpr (!keeps_room<T>) {
    return;
  } else if constexpr (is_tracked<T>) {
    keep_room(copy.untold(), original.untold());
  } else if constexpr (inspectable<T>) {
    keep_room_of_inspected(copy, original);
  } else if constexpr (std::is_same_v<T, std::string>) {
    if (copy.capacity() != original.capacity()) roomy_copy_of(original).swap(copy);
  } else if constexpr (is_vector<T>) {
    if (copy.capacity() != original.capacity()) {
      roomy_copy_of(original).swap(copy);
    } else if constexpr (keeps_room<typename T::value_type>) {
      for (std::size_t i = 0; i < copy.size(); ++i) keep_room(copy[i], original[i]);
    }
  } else if constexpr (is_optional<T>) {
    if (original && copy) keep_room(*copy, *original);
  } else if constexpr (is_variant<T>) {
    [&]<std::size_t... I>(std::index_sequence<I...>) {
      ((copy.index() == I ? keep_room(*std::get_if<I>(&copy), *std::get_if<I>(&original)) : static_cast<void>(0)), ...);
    }
    (std::make_index_sequence<std::variant_size_v<T>>{});
  } else if constexpr (is_tuple<T>) {
    [&]<std::size_t... I>(std::index_sequence<I...>) {
      (keep_room(std::as_const(get<I>(copy)), get<I>(original)), ...);
    }
    (std::make_index_sequence<std::tuple_size_v<T>>{});
  } else if constexpr (is_adaptor<T>) {
    keep_room(content_of(copy), content_of(original));
  } else if constexpr (is_range<T>) {
    auto from = std::begin(original);
    for (const auto& element : copy) keep_room(element, *from++);
  } else {
    [&]<std::size_t... I>(std::index_sequence<I...>) {
      (keep_room(std::as_const(field_of<I>(copy)), field_of<I>(original)), ...);
    }
    (std::make_index_sequence<field_count<T>>{});
  }
}

/// Makes a T of `original` at `target`, raw memory: with all that a program finds in that.
template <class T>
void copy_exactly(void* target, const T& original) {
  ::new (target) T(exact_copy_of(original));
}

}  // namespace harrier::detail
