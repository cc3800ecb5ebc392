#pragma once

#include <cstddef>
#include <cstring>
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
namespace harrier::detail {

template <class T>
void keep_room(const T& copy, const T& original);

template <class T, class Allocator>
void keep_room_of_vector(std::vector<T, Allocator>& copy, const std::vector<T, Allocator>& original) {
  if (copy.capacity() != original.capacity()) {
    std::vector<T, Allocator> roomy(copy.get_allocator());
    roomy.reserve(original.capacity());
    for (auto&& element : copy) roomy.push_back(std::move(element));
    copy.swap(roomy);
  }
  if constexpr (keeps_room<T>)
    for (std::size_t i = 0; i < copy.size(); ++i) keep_room(copy[i], original[i]);
}

inline void keep_room_of_text(std::string& copy, const std::string& original) {
  if (copy.capacity() == original.capacity()) return;
  std::string roomy(original.capacity(), '\0');
  roomy.assign(original);
  copy.swap(roomy);
}

/// The fields that one object shows, for another of its class that shows the same.
struct shown_field {
  const void* place;
  const std::type_info* type;
};

template <class T>
void keep_room_of_inspected(T& copy, const T& original) {
  std::vector<shown_field> fields;
  const auto note = [&]<class Field>(std::string_view, const Field& field) {
    fields.push_back({std::addressof(field), &typeid(Field)});
  };
  for_each_field(original, note);
  std::size_t i = 0;
  const auto match = [&]<class Field>(std::string_view, const Field& field) {
    if constexpr (keeps_room<Field>)
      if (i < fields.size() && *fields[i].type == typeid(Field))
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
    keep_room_of_text(copy, original);
  } else if constexpr (is_vector<T>) {
    keep_room_of_vector(copy, original);
  } else if constexpr (is_optional<T>) {
    if (original && copy) keep_room(*copy, *original);
  } else if constexpr (is_variant<T>) {
    [&]<std::size_t... I>(std::index_sequence<I...>) {
      ((copy.index() == I ? keep_room(*std::get_if<I>(&copy), *std::get_if<I>(&original)) : static_cast<void>(0)), ...);
    }
    (std::make_index_sequence<std::variant_size_v<T>>{});
  } else if constexpr (is_tuple<T>) {
    [&]<std::size_t... I>(std::index_sequence<I...>) {
      (keep_room(std::as_const(std::get<I>(copy)), std::get<I>(original)), ...);
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
  keep_room(*::new (target) T(original), original);
}

}  // namespace harrier::detail
