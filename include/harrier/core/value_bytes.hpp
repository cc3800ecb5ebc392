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

/// The bytes of values: what a program cannot tell apart gives equal bytes, and
/// what it can, different ones (of one type), with two exceptions that are told
/// beside them: is_all(), shared_objects() and unshown(). References to actors are written
/// by the names given for them, so that states can be compared up to a renaming.
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
  /// What is written next is the content of an object that several values may share, by its address: a program can
  /// tell it from another one of equal content.
  void share(const void* object) { shared_.push_back(object); }
  /// Whether nothing was left out so far: then equal bytes mean values that no program can tell apart.
  [[nodiscard]] bool is_all() const { return is_all_; }
  /// Bytes of the value that its class does not show: they are no part of text(), since they may be addresses.
  void add_unshown(const void* data, std::size_t size) { unshown_.append(static_cast<const char*>(data), size); }
  [[nodiscard]] const std::string& unshown() const { return unshown_; }
  /// The objects that were shared, in the order written, as often as they were. Of one process and one moment: an
  /// address may become another object's.
  [[nodiscard]] std::span<const void* const> shared_objects() const { return shared_; }
  /// What is written for that actor.
  [[nodiscard]] std::uint32_t name_of(actor_id id) const {
    if (seen_ != nullptr && id != no_actor) seen_->push_back(id);
    const auto i = static_cast<std::uint32_t>(id);
    return i < names_.size() ? names_[i] : i;
  }

  [[nodiscard]] const std::string& text() const { return text_; }
  std::string take() { return std::move(text_); }
  [[nodiscard]] fingerprint hash() const { return hash_bytes(text_.data(), text_.size()); }
  /// Stands for all of it: while the shared objects exist, values that no program can tell apart have the same, if
  /// is_all().
  [[nodiscard]] fingerprint hash_of_all() const {
    const auto content = hash();
    if (shared_.empty() && unshown_.empty()) return content;
    const fingerprint all[] = {content, hash_bytes(shared_.data(), shared_.size() * sizeof(shared_[0])),
                               hash_bytes(unshown_.data(), unshown_.size())};
    return hash_bytes(all, sizeof all);
  }
  void clear() {
    text_.clear();
    shared_.clear();
    unshown_.clear();
    is_all_ = true;
  }

private:
  std::span<const std::uint32_t> names_;
  std::string text_;
  std::vector<actor_id>* seen_ = nullptr;
  std::vector<const void*> shared_;
  std::string unshown_;
  bool is_all_ = true;
};

}  // namespace harrier
