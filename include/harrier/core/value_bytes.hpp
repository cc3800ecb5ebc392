#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <harrier/core/fingerprint.hpp>
#include <harrier/core/identity.hpp>

namespace harrier {

/// The bytes of values: equal values give equal bytes, and different values
/// different ones (of one type). References to actors are written by the names
/// given for them, so that states can be compared up to a renaming.
class value_bytes {
public:
  /// @param names  by actor_id: what is written for that actor; empty: its id.
  ///        Not owned.
  explicit value_bytes(std::span<const std::uint32_t> names = {}) : names_(names) {}

  template <class T>
  void raw(const T& value) {
    static_assert(std::is_trivially_copyable_v<T>);
    bytes(&value, sizeof value);  // NOLINT(bugprone-sizeof-expression): of a pointer its own bytes are meant
  }
  void bytes(const void* data, std::size_t size) { text_.append(static_cast<const char*>(data), size); }
  void reference(actor_id id) { raw(name_of(id)); }
  /// Appends to `seen`, not owned, each actor that is written from now on, empty references left out.
  void note_references(std::vector<actor_id>& seen) { seen_ = &seen; }
  /// What was just written is less than the value: two that differ in what a program can see are written alike.
  void leave_out() { is_all_ = false; }
  /// Whether nothing was left out so far: then equal bytes mean values that no program can tell apart.
  [[nodiscard]] bool is_all() const { return is_all_; }
  /// What is written for that actor.
  [[nodiscard]] std::uint32_t name_of(actor_id id) const {
    if (seen_ != nullptr && id != no_actor) seen_->push_back(id);
    const auto i = static_cast<std::uint32_t>(id);
    return i < names_.size() ? names_[i] : i;
  }

  [[nodiscard]] const std::string& text() const { return text_; }
  std::string take() { return std::move(text_); }
  [[nodiscard]] fingerprint hash() const { return hash_bytes(text_.data(), text_.size()); }
  void clear() {
    text_.clear();
    is_all_ = true;
  }

private:
  std::span<const std::uint32_t> names_;
  std::string text_;
  std::vector<actor_id>* seen_ = nullptr;
  bool is_all_ = true;
};

}  // namespace harrier
