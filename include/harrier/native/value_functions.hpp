#pragma once

#include <cstddef>
#include <memory>
#include <string_view>
#include <type_traits>

#include <harrier/native/exact_copy.hpp>
#include <harrier/native/persistent.hpp>
#include <harrier/native/reflect.hpp>

/// Values of which no more is known than what can be done with them: one table of functions a type. What shows,
/// compares and lists states and arguments works with these, so it is compiled once, in the library, and not once for
/// each class of actors and each handler.
namespace harrier::detail {

class value_printer;

/// What is read of a value.
struct value_functions {
  void (*add)(byte_sink& to, const void* value);
  void (*show)(value_printer& to, const void* value);
  /// Makes the value at `to`, which there is, what the one at `from` is; null if it does not survive a crash.
  void (*assign)(void* to, const void* from);
  std::size_t size;
  /// See tells_all().
  bool tells_all;
  bool is_tracked;
};

template <class T>
void add_value(byte_sink& to, const void* value) {
  to.add(*static_cast<const T*>(value));
}
template <class T>
void show_value(value_printer& to, const void* value);  // of value_printer.hpp
template <class T>
void assign_value(void* to, const void* from) {
  std::destroy_at(static_cast<T*>(to));
  copy_exactly(to, *static_cast<const T*>(from));
}

template <class T>
constexpr value_functions make_functions() {
  value_functions all{&add_value<T>, &show_value<T>, nullptr, sizeof(T), tells_all<T>(), is_tracked<T>};
  if constexpr (is_persistent<T>) all.assign = &assign_value<T>;
  return all;
}
template <class T>
inline constexpr value_functions functions_of = make_functions<T>();

/// What is done with a value in memory that a system has for it, beside reading it.
struct object_functions {
  std::size_t size;
  std::size_t alignment;
  /// Makes a value in raw memory, of another one.
  void (*copy)(void* target, const void* original);
  void (*destroy)(void* value);
};

template <class T>
inline constexpr object_functions object_functions_of{
    sizeof(T), alignof(T),
    [](void* target, const void* original) { copy_exactly(target, *static_cast<const T*>(original)); },
    [](void* value) { std::destroy_at(static_cast<T*>(value)); }};

/// Goes through the fields of an object.
class field_visitor {
public:
  virtual void visit(std::string_view name, const void* field, const value_functions& of) = 0;

protected:
  ~field_visitor() = default;
};

/// Calls `by.visit` for each field of a T, in declaration order.
template <class T>
void visit_fields(const void* object, field_visitor& by) {
  for_each_field(*static_cast<const T*>(object), [&by]<class Field>(std::string_view name, const Field& field) {
    by.visit(name, std::addressof(field), functions_of<Field>);
  });
}

}  // namespace harrier::detail
