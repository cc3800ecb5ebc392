#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include <harrier/core/system.hpp>
#include <harrier/native/names.hpp>
#include <harrier/native/reflect.hpp>
#include <harrier/native/value_functions.hpp>

namespace harrier::detail {

/// What a value looks like when it is shown: two alternatives of a variant that
/// look alike are told apart by their names.
enum class look { word, number, character, text, reference, list, tuple, fields, any };

template <class T>
constexpr look look_of() {
  if constexpr (is_tracked<T>)
    return look_of<typename T::value_type>();
  else if constexpr (inspectable<T>)
    return look::fields;
  else if constexpr (std::is_same_v<T, std::monostate> || std::is_same_v<T, bool> || std::is_enum_v<T>)
    return look::word;
  else if constexpr (std::is_same_v<T, char>)
    return look::character;
  else if constexpr (std::is_arithmetic_v<T> || is_duration<T> || is_time_point<T> || is_bitset<T>)
    return look::number;
  else if constexpr (is_ref<T>)
    return look::reference;
  else if constexpr (is_text<T>)
    return look::text;
  else if constexpr (is_optional<T> || is_shared_constant<T> || is_variant<T>)
    return look::any;
  else if constexpr (is_tuple<T>)
    return look::tuple;
  else if constexpr (is_range<T>)
    return look::list;
  else
    return look::fields;
}

/// `commit` for struct commit, `long int` for that; texts of all classes are `string`.
template <class T>
constexpr std::string_view alternative_name() {
  if constexpr (is_text<T>)
    return "string";
  else if constexpr (std::is_arithmetic_v<T>)
    return argument(spelling_of_type<T>(), "T = ");
  else if constexpr (is_tracked<T>)
    return alternative_name<typename T::value_type>();
  else
    return type_name<T>();
}

/// As a map has, if it is a range.
template <class T>
concept has_keys_and_values = requires {
  typename T::key_type;
  typename T::mapped_type;
};

/// Whether some alternative but number I of the variant can look as that does.
template <class Variant, std::size_t I>
constexpr bool looks_like_another() {
  constexpr auto mine = look_of<std::variant_alternative_t<I, Variant>>();
  return []<std::size_t... Other>(std::index_sequence<Other...>) {
    const auto alike = [](look other) { return other == mine || other == look::any || mine == look::any; };
    return ((Other != I && alike(look_of<std::variant_alternative_t<Other, Variant>>())) || ...);
  }
  (std::make_index_sequence<std::variant_size_v<Variant>>{});
}

/// Whether another alternative of the variant has the name of number I.
template <class Variant, std::size_t I>
constexpr bool is_named_like_another() {
  constexpr auto mine = alternative_name<std::variant_alternative_t<I, Variant>>();
  return [mine]<std::size_t... Other>(std::index_sequence<Other...>) {
    return ((Other != I && alternative_name<std::variant_alternative_t<Other, Variant>>() == mine) || ...);
  }
  (std::make_index_sequence<std::variant_size_v<Variant>>{});
}

/// Shows values as a person writes them; references by the actor's name. It is
/// one line of valid UTF-8 (see printable.hpp), and an object's fields can be
/// told apart in it: `{name=value, ...}`, where each bracket has its partner but
/// for those in quotes.
///
/// An alternative of a variant is named if it has fields, `commit{round=3}`, or
/// if another alternative could look the same, `double(3)`. `none` is an empty
/// optional; a value in an optional that would look like one is `some(none)`. A map is `{1: "one", 2: "two"}`.
///
/// Of a list or a text that goes on beyond `most_shown` bytes the rest is `...`.
class value_printer {
public:
  static constexpr std::size_t most_shown = std::size_t{1} << 26;

  explicit value_printer(const system& system) : system_(&system) {}
  /// Where no system is known, references are shown as `?`.
  value_printer() = default;

  template <class T>
  void add(const T& value) {
    if constexpr (is_tracked<T>) {
      add(value.untold());
    } else if constexpr (inspectable<T>) {
      add_fields(value);
    } else if constexpr (std::is_same_v<T, std::vector<bool>::const_reference> || std::is_same_v<T, bool>) {
      text_ += value ? "true" : "false";
    } else if constexpr (std::is_same_v<T, char>) {
      add_character(value);
    } else if constexpr (std::is_floating_point_v<T>) {
      add_number(value);
    } else if constexpr (std::is_arithmetic_v<T>) {
      add_integer(value);
    } else if constexpr (std::is_enum_v<T>) {
      add_enum(value);
    } else if constexpr (is_ref<T>) {
      add_reference(static_cast<bool>(value), value.id());
    } else if constexpr (is_text<T>) {
      add_text(value);
    } else if constexpr (is_optional<T> || is_shared_constant<T>) {
      add_if_any(value);
    } else if constexpr (is_variant<T>) {
      add_variant(value);
    } else if constexpr (std::is_same_v<T, std::monostate>) {
      text_ += "none";
    } else if constexpr (is_duration<T>) {
      add(value.count());
      add_unit(T::period::num, T::period::den);
    } else if constexpr (is_time_point<T>) {
      add(value.time_since_epoch());
    } else if constexpr (is_bitset<T>) {
      text_ += value.to_string();
    } else if constexpr (is_adaptor<T>) {
      add(content_of(value));
    } else if constexpr (is_tuple<T>) {
      add_tuple(value);
    } else if constexpr (is_range<T> && has_keys_and_values<T>) {
      enclose('{', '}', [&] {
        for (const auto& [key, mapped] : value) {
          if (is_long()) return add_rest();
          add_entry(key, mapped);
        }
      });
    } else if constexpr (is_range<T>) {
      enclose('[', ']', [&] {
        for (const auto& element : value) {
          if (is_long()) return add_rest();
          add_element(element);
        }
      });
    } else {
      add_fields(value);
    }
  }

  std::string take() { return std::move(text_); }

private:
  template <class T>
  void add_fields(const T& value) {
    add_fields(std::addressof(value), &visit_fields<T>);
  }
  void add_fields(const void* object, void (*visit)(const void*, field_visitor&));
  void add_field(std::string_view name, const void* field, const value_functions& of);
  template <class Tuple>
  void add_tuple(const Tuple& value) {
    const bool outer = open('(');
    [&]<std::size_t... I>(std::index_sequence<I...>) { (add_element(get<I>(value)), ...); }
    (std::make_index_sequence<std::tuple_size_v<Tuple>>{});
    close(')', outer);
  }
  template <class T>
  void add_element(const T& value) {
    add_element(std::addressof(value), &show_value<T>);
  }
  void add_element(const void* value, void (*show)(value_printer&, const void*));
  template <class Key, class Mapped>
  void add_entry(const Key& key, const Mapped& mapped) {
    add_element(key);
    text_ += ": ";
    add(mapped);
  }
  template <class T>
  void add_if_any(const T& value) {
    if (!value) {
      text_ += "none";
      return;
    }
    const auto begin = text_.size();
    add(*value);
    tell_from_none(begin);
  }
  template <class T>
  void add_variant(const T& value) {
    if (value.valueless_by_exception()) {
      text_ += "valueless";
      return;
    }
    [&]<std::size_t... I>(std::index_sequence<I...>) {
      ((value.index() == I ? add_alternative<I>(value) : static_cast<void>(0)), ...);
    }
    (std::make_index_sequence<std::variant_size_v<T>>{});
  }
  template <std::size_t I, class Variant>
  void add_alternative(const Variant& variant) {
    using type = std::variant_alternative_t<I, Variant>;
    const auto& value = *std::get_if<I>(&variant);
    constexpr bool has_fields = look_of<type>() == look::fields;
    constexpr bool is_unclear = looks_like_another<Variant, I>() && !std::is_same_v<type, std::monostate>;
    if constexpr (has_fields || is_unclear) {
      text_ += alternative_name<type>();
      if constexpr (is_named_like_another<Variant, I>()) text_ += '#' + std::to_string(I);
    }
    if constexpr (is_unclear && !has_fields)
      enclose('(', ')', [&] { add(value); });
    else
      add(value);
  }
  template <class T>
  void add_integer(T value) {
    if constexpr (std::is_signed_v<T>)
      add_number(static_cast<long long>(value));
    else
      add_number(static_cast<unsigned long long>(value));
  }
  template <class T>
  void add_enum(T value) {
    const auto number = static_cast<long long>(value);
    std::string_view named;
    if constexpr (!std::is_convertible_v<T, int>) {  // a cast to an unscoped enum need not be a constant
      [&]<std::size_t... I>(std::index_sequence<I...>) {
        ((number == static_cast<long long>(I)
              ? static_cast<void>(named = argument(spelling_of_value<static_cast<T>(I)>(), "Value = "))
              : static_cast<void>(0)),
         ...);
      }
      (std::make_index_sequence<32>{});
    }
    if (named.empty() || is_cast(named))
      add_number(number);
    else
      text_ += unqualified(named);
  }
  template <class Body>
  void enclose(char opening, char closing, Body body) {
    const bool outer = open(opening);
    body();
    close(closing, outer);
  }
  bool open(char bracket);
  void close(char bracket, bool outer);

  [[nodiscard]] bool is_long() const { return text_.size() > most_shown; }
  void add_rest();
  void separate();
  /// What was shown from `begin` on is there, even if it looks as if it were not.
  void tell_from_none(std::size_t begin);
  void add_character(char c);
  void add_text(std::string_view text);
  void add_number(long long number);
  void add_number(unsigned long long number);
  void add_number(float number);
  void add_number(double number);
  void add_number(long double number);
  void add_unit(std::intmax_t numerator, std::intmax_t denominator);
  void add_reference(bool to_somebody, actor_id id);

  const system* system_ = nullptr;
  std::string text_;
  bool first_ = true;
};

template <class T>
void show_value(value_printer& to, const void* value) {
  to.add(*static_cast<const T*>(value));
}

}  // namespace harrier::detail
