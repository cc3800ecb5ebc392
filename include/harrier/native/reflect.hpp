#pragma once

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
#include <harrier/core/value_bytes.hpp>
#include <harrier/native/names.hpp>
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
    [&]<std::size_t... I>(std::index_sequence<I...>) { (visit(field_name<T, I>(), boost::pfr::get<I>(value)), ...); }
    (std::make_index_sequence<boost::pfr::tuple_size_v<T>>{});
  }
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
      out_->unordered(content_of(value));
    } else if constexpr (is_adaptor<T>) {
      add(content_of(value));
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

}  // namespace harrier::detail
