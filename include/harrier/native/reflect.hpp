#pragma once

#include <fmt/format.h>

#include <boost/pfr.hpp>
#include <concepts>
#include <cstring>
#include <memory>
#include <optional>
#include <ranges>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include <harrier/core/fingerprint.hpp>
#include <harrier/core/system.hpp>
#include <harrier/core/value_bytes.hpp>
#include <harrier/native/names.hpp>
#include <harrier/native/ref.hpp>

/// What harrier must know of a state or an argument: its fields, for hashing
/// and for showing them. A friend `inspect(f, x)` in CAF's convention comes
/// first, then the kinds of value known here, then aggregates (Boost.PFR).
namespace harrier::detail {

template <class T>
constexpr bool always_false = false;

/// The `f` of `inspect(f, x)`: hands each field to a visitor.
template <class Visit>
class inspector {
public:
  explicit inspector(Visit& visit) : visit_(&visit) {}

  template <class T>
  struct named {
    std::string_view name;
    T* value;
  };
  class object_of_fields {
  public:
    explicit object_of_fields(Visit& visit) : visit_(&visit) {}
    object_of_fields& pretty_name(std::string_view) { return *this; }
    template <class... T>
    bool fields(named<T>... field) {
      ((*visit_)(field.name, std::as_const(*field.value)), ...);
      return true;
    }

  private:
    Visit* visit_;
  };

  template <class T>
  object_of_fields object(T&) {
    return object_of_fields(*visit_);
  }
  template <class T>
  named<T> field(std::string_view name, T& value) {
    return {name, &value};
  }

private:
  Visit* visit_;
};

struct ignore_field {
  template <class T>
  void operator()(std::string_view, const T&) {}
};

template <class T>
concept inspectable = requires(inspector<ignore_field>& f, T& x) {
  inspect(f, x);
};

template <class T>
constexpr bool is_ref = false;
template <class T>
constexpr bool is_ref<ref<T>> = true;
template <class T>
constexpr bool is_optional = false;
template <class T>
constexpr bool is_optional<std::optional<T>> = true;
template <class T>
constexpr bool is_variant = false;
template <class... T>
constexpr bool is_variant<std::variant<T...>> = true;
template <class T>
constexpr bool is_tuple = false;
template <class... T>
constexpr bool is_tuple<std::tuple<T...>> = true;
template <class A, class B>
constexpr bool is_tuple<std::pair<A, B>> = true;
template <class T>
constexpr bool is_shared_constant = false;
template <class T>
constexpr bool is_shared_constant<std::shared_ptr<const T>> = true;
template <class T>
constexpr bool is_shared_mutable = false;
template <class T>
constexpr bool is_shared_mutable<std::shared_ptr<T>> = !std::is_const_v<T>;
template <class T>
constexpr bool is_text = std::is_convertible_v<const T&, std::string_view> && !std::is_pointer_v<T>;
template <class T>
concept duration_like = requires(const T& d) {
  typename T::period;
  { d.count() } -> std::convertible_to<typename T::rep>;
};
template <class T>
concept unordered = requires {
  typename T::hasher;
};

/// Converts to bases of T only: an aggregate that can begin with it has one.
template <class T>
struct any_base_of {
  template <class Base>
    requires(std::is_base_of_v<Base, T> && !std::is_same_v<Base, T>)
  operator Base() const;
};
template <class T>
concept has_base = requires {
  T{any_base_of<T>{}};
};

struct anything {
  template <class U>
  operator U() const;
};
struct any_scalar {
  template <class U>
    requires(std::is_scalar_v<U>)
  operator U() const;
};
template <std::size_t>
using anything_at = anything;

/// Whether initialiser number I of aggregate T, of N with braces left out, is
/// the first element of a C array of scalars: braces around two scalars are
/// accepted there, but then fewer initialisers can follow than without them.
template <class T, std::size_t I, std::size_t N>
constexpr bool array_starts_at() {
  return
      []<std::size_t... Before, std::size_t... After>(std::index_sequence<Before...>, std::index_sequence<After...>) {
    return requires { T{anything_at<Before>{}..., {any_scalar{}, any_scalar{}}}; }
    &&!requires { T{anything_at<Before>{}..., {any_scalar{}, any_scalar{}}, anything_at<After>{}...}; };
  }
  (std::make_index_sequence<I>{}, std::make_index_sequence<N - I - 1>{});
}
template <class T>
constexpr bool has_array() {
  constexpr auto count = boost::pfr::tuple_size_v<T>;
  return []<std::size_t... I>(std::index_sequence<I...>) { return (array_starts_at<T, I, count>() || ...); }
  (std::make_index_sequence<count>{});
}

/// Calls `visit(name, field)` for each field of `value`, in declaration order.
template <class T, class Visit>
void for_each_field(const T& value, Visit&& visit) {
  if constexpr (inspectable<T>) {
    inspector<std::remove_reference_t<Visit>> f(visit);
    inspect(f, const_cast<T&>(value));  // the convention takes a mutable object; visitors only read
  } else {
    static_assert(!std::is_union_v<T>, "harrier: a union cannot be enumerated; use std::variant");
    static_assert(std::is_aggregate_v<T>,
                  "harrier: this class is no aggregate, so its fields are unknown; give it a friend "
                  "`template <class F> friend bool inspect(F& f, my_class& x) { return "
                  "f.object(x).fields(f.field(\"a\", x.a)); }`");
    static_assert(!has_base<T>,
                  "harrier: an aggregate with a base class cannot be enumerated; make the base a field, or give the "
                  "class a friend inspect(f, x)");
    if constexpr (!has_base<T>) {
      static_assert(!has_array<T>(), "harrier: a C array field cannot be enumerated; use std::array");
      if constexpr (!has_array<T>()) {
        [&]<std::size_t... I>(std::index_sequence<I...>) {
          (visit(field_name<T, I>(), boost::pfr::get<I>(value)), ...);
        }
        (std::make_index_sequence<boost::pfr::tuple_size_v<T>>{});
      }
    }
  }
}

/// Fails to compile, with the reason, for what must not be part of a state.
template <class T>
constexpr void reject_unsuitable() {
  static_assert(!std::is_pointer_v<T>,
                "harrier: a raw pointer in an actor's state or message: what it points to is neither copied nor "
                "restored; use a value, an index, or harrier::ref");
  static_assert(!is_shared_mutable<T>,
                "harrier: shared_ptr to something mutable in an actor's state or message: a copy would share it, so "
                "going back could not restore it; use a value or shared_ptr<const T>");
  static_assert(!std::is_array_v<T>, "harrier: a C array field; use std::array");
  static_assert(
      !requires {
        typename T::result_type;
        T{}.target_type();
      },
      "harrier: std::function in an actor's state or message has no value to compare or show; use a "
      "message, a variant or an enum instead");
}

/// Hands the bytes that identify a value to `Out`: bytes(data, size),
/// reference(actor_id) and unordered(range), for ranges whose order is an
/// accident of their history.
template <class Out>
class value_writer {
public:
  explicit value_writer(Out& out) : out_(&out) {}

  template <class T>
  void operator()(std::string_view, const T& field) {
    add(field);
  }

  template <class T>
  void add(const T& value) {
    reject_unsuitable<T>();
    if constexpr (inspectable<T>) {
      for_each_field(value, *this);
    } else if constexpr (std::is_same_v<T, std::vector<bool>::const_reference> || std::is_same_v<T, bool>) {
      raw(static_cast<unsigned char>(value));
    } else if constexpr (std::is_arithmetic_v<T> || std::is_enum_v<T>) {
      raw(value);
    } else if constexpr (is_ref<T>) {
      out_->reference(value.id());
    } else if constexpr (is_text<T>) {
      const std::string_view text = value;
      raw(text.size());
      out_->bytes(text.data(), text.size());
    } else if constexpr (is_optional<T>) {
      raw(value.has_value());
      if (value) add(*value);
    } else if constexpr (is_variant<T>) {
      raw(value.index());
      std::visit([this](const auto& v) { add(v); }, value);
    } else if constexpr (is_shared_constant<T>) {
      raw(value != nullptr);
      if (value) add(*value);
    } else if constexpr (duration_like<T>) {
      raw(value.count());
    } else if constexpr (is_tuple<T>) {
      std::apply([this](const auto&... v) { (add(v), ...); }, value);
    } else if constexpr (std::ranges::input_range<const T>) {
      raw(static_cast<std::size_t>(std::ranges::distance(value)));
      if constexpr (unordered<T>)
        out_->unordered(value);
      else
        for (const auto& element : value) add(element);
    } else {
      for_each_field(value, *this);
    }
  }

private:
  template <class T>
  void raw(const T& value) {
    if constexpr (std::is_floating_point_v<T>) {
      const double number = static_cast<double>(value) + 0.0;  // -0.0 equals 0.0
      out_->bytes(&number, sizeof number);
    } else {
      out_->bytes(&value, sizeof value);
    }
  }

  Out* out_;
};

/// Collects the bytes that identify a value, then hashes them.
class value_hasher {
public:
  template <class T>
  void add(const T& value) {
    value_writer(*this).add(value);
  }

  void bytes(const void* data, std::size_t size) {
    if (more_.empty() && size_ + size <= sizeof start_) {
      std::memcpy(start_ + size_, data, size);
      size_ += size;
      return;
    }
    if (more_.empty()) more_.assign(start_, start_ + size_);
    const auto* first = static_cast<const std::byte*>(data);
    more_.insert(more_.end(), first, first + size);
  }
  void reference(actor_id id) { bytes(&id, sizeof id); }
  template <class Range>
  void unordered(const Range& range) {
    fingerprint sum;
    for (const auto& element : range) {
      value_hasher one;
      one.add(element);
      sum += one.result();
    }
    bytes(&sum, sizeof sum);
  }

  [[nodiscard]] fingerprint result() const {
    return more_.empty() ? hash_bytes(start_, size_) : hash_bytes(more_.data(), more_.size());
  }

private:
  std::byte start_[128];
  std::size_t size_ = 0;
  std::vector<std::byte> more_;
};

template <class T>
fingerprint hash_of(const T& value) {
  value_hasher hasher;
  hasher.add(value);
  return hasher.result();
}

/// Writes values into a value_bytes.
class byte_writer {
public:
  explicit byte_writer(value_bytes& out) : out_(&out) {}

  template <class T>
  void add(const T& value) {
    value_writer(*this).add(value);
  }

  void bytes(const void* data, std::size_t size) { out_->bytes(data, size); }
  void reference(actor_id id) { out_->reference(id); }
  template <class Range>
  void unordered(const Range& range) {
    std::vector<std::string> elements;
    for (const auto& element : range) {
      auto one = out_->same_names();
      byte_writer(one).add(element);
      elements.push_back(one.take());
    }
    out_->multiset(std::move(elements));
  }

private:
  value_bytes* out_;
};

template <class T>
void write_value(const T& value, value_bytes& out) {
  byte_writer(out).add(value);
}

/// Shows values as a person writes them; references by the actor's name.
class value_printer {
public:
  explicit value_printer(const system& system) : system_(&system) {}

  template <class T>
  void operator()(std::string_view name, const T& field) {
    separate();
    text_ += name;
    text_ += '=';
    add(field);
    first_ = false;
  }

  template <class T>
  void add(const T& value) {
    reject_unsuitable<T>();
    if constexpr (inspectable<T>) {
      add_fields(value);
    } else if constexpr (std::is_same_v<T, std::vector<bool>::const_reference> || std::is_same_v<T, bool>) {
      text_ += value ? "true" : "false";
    } else if constexpr (std::is_same_v<T, char>) {
      fmt::format_to(std::back_inserter(text_), "'{}'", value);
    } else if constexpr (std::is_arithmetic_v<T>) {
      fmt::format_to(std::back_inserter(text_), "{}", value);
    } else if constexpr (std::is_enum_v<T>) {
      add_enum(value);
    } else if constexpr (is_ref<T>) {
      text_ += !value                        ? "nobody"
               : system_->exists(value.id()) ? system_->actor_name(system_->slot_of(value.id()))
                                             : "?";
    } else if constexpr (is_text<T>) {
      fmt::format_to(std::back_inserter(text_), "\"{}\"", std::string_view(value));
    } else if constexpr (is_optional<T> || is_shared_constant<T>) {
      if (value)
        add(*value);
      else
        text_ += "none";
    } else if constexpr (is_variant<T>) {
      std::visit([this](const auto& v) { add(v); }, value);
    } else if constexpr (std::is_same_v<T, std::monostate>) {
      text_ += "none";
    } else if constexpr (duration_like<T>) {
      fmt::format_to(std::back_inserter(text_), "{}", value.count());
    } else if constexpr (is_tuple<T>) {
      enclose('(', ')', [&] { std::apply([this](const auto&... v) { (add_element(v), ...); }, value); });
    } else if constexpr (std::ranges::input_range<const T>) {
      enclose('[', ']', [&] {
        for (const auto& element : value) add_element(element);
      });
    } else {
      add_fields(value);
    }
  }

  /// `(1, "x")` for the arguments of a message.
  template <class... T>
  void add_arguments(const std::tuple<T...>& arguments) {
    enclose('(', ')', [&] { std::apply([this](const auto&... v) { (add_element(v), ...); }, arguments); });
  }

  std::string take() { return std::move(text_); }

private:
  template <class T>
  void add_fields(const T& value) {
    enclose('{', '}', [&] { for_each_field(value, *this); });
  }
  template <class T>
  void add_element(const T& value) {
    separate();
    add(value);
    first_ = false;
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
    if (named.empty() || named.find('(') != std::string_view::npos)
      fmt::format_to(std::back_inserter(text_), "{}", number);
    else
      text_ += unqualified(named);
  }
  void separate() {
    if (!first_) text_ += ", ";
  }
  template <class Body>
  void enclose(char open, char close, Body body) {
    const bool outer = std::exchange(first_, true);
    text_ += open;
    body();
    text_ += close;
    first_ = outer;
  }

  const system* system_;
  std::string text_;
  bool first_ = true;
};

}  // namespace harrier::detail
