#pragma once

#include <concepts>
#include <cstring>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

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

/// Collects the bytes that identify a value: to hash them, or to write them into
/// a value_bytes. One class for both, since what it does with each type of value
/// is most of what there is to compile for that type.
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
      if constexpr (!std::is_same_v<T, std::string>) leave_out();
    } else if constexpr (is_optional<T>) {
      raw(value.has_value());
      if (value) add(*value);
    } else if constexpr (is_variant<T>) {
      raw(value.index());
      std::visit([this](const auto& v) { add(v); }, value);
    } else if constexpr (is_shared_constant<T>) {
      raw(value != nullptr);
      if (value) add(*value);
    } else if constexpr (is_duration<T>) {
      add(value.count());
    } else if constexpr (is_time_point<T>) {
      add(value.time_since_epoch().count());
    } else if constexpr (is_bitset<T>) {
      add(value.to_string());
    } else if constexpr (is_tuple<T>) {
      std::apply([this](const auto&... v) { (this->add(v), ...); }, value);
    } else if constexpr (is_heap<T>) {
      raw(value.size());
      add_unordered(content_of(value));
    } else if constexpr (is_adaptor<T>) {
      add(content_of(value));
    } else if constexpr (is_range<T>) {
      raw(static_cast<std::size_t>(std::distance(std::begin(value), std::end(value))));
      if constexpr (!shows_all_by_elements<T>) leave_out();
      if constexpr (unordered<T>)
        add_unordered(value);
      else
        for (const auto& element : value) add(element);
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
  /// What an `inspect` shows is all there is if it fills the object.
  template <class T>
  void add_inspected(const T& value) {
    std::size_t shown = 0;
    const auto show = [&]<class Field>(std::string_view, const Field& field) {
      shown += sizeof(Field);
      add(field);
    };
    for_each_field(value, show);
    if (shown != sizeof(T)) leave_out();
  }
  /// Of ranges whose order is an accident of their history.
  template <class Range>
  void add_unordered(const Range& range) {
    leave_out();
    elements all(*this);
    for (const auto& element : range) {
      auto one = out_ != nullptr ? byte_sink(*out_) : byte_sink();
      one.add(element);
      all.add(one);
    }
    all.finish();
  }
  /// The elements of such a range: a sum of hashes, or all their bytes, sorted.
  class elements {
  public:
    explicit elements(byte_sink& of) : of_(of) {}
    void add(const byte_sink& element);
    void finish();

  private:
    byte_sink& of_;
    fingerprint sum_;
    std::vector<std::string> texts_;
  };

  void add_more(const void* data, std::size_t size);

  template <class T>
  void raw(const T& value) {
    if constexpr (std::is_floating_point_v<T>) {
      const double number = static_cast<double>(value) + 0.0;  // -0.0 equals 0.0
      bytes(&number, sizeof number);
      if (sizeof(T) > sizeof number || (number == 0 && __builtin_signbit(value))) leave_out();
    } else {
      bytes(&value, sizeof value);
    }
  }

  value_bytes* out_ = nullptr;
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
