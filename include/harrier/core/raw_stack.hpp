#pragma once

#include <cstddef>
#include <cstdlib>
#include <new>
#include <type_traits>

namespace harrier::internal {

/// A stack of trivially copyable records whose pushed element is *not*
/// initialised: value-initialising a step costs more than delivering a message.
/// Growing moves the elements; hold indices, not addresses.
template <class T>
class raw_stack {
  static_assert(std::is_trivially_copyable_v<T>);

public:
  raw_stack() = default;
  raw_stack(const raw_stack&) = delete;
  raw_stack& operator=(const raw_stack&) = delete;
  ~raw_stack() { std::free(data_); }

  /// A new element on top, its contents unspecified. Amortised O(1).
  T& push() {
    if (size_ == capacity_) [[unlikely]]
      grow();
    return data_[size_++];
  }
  /// `count` new elements on top, contents unspecified; the first of them.
  T* push_many(std::size_t count) {
    while (size_ + count > capacity_) [[unlikely]] grow();
    size_ += count;
    return data_ + (size_ - count);
  }
  void pop() { --size_; }
  /// Keeps the lowest `size` elements; `size` may not exceed size().
  void truncate(std::size_t size) { size_ = size; }
  T& operator[](std::size_t i) { return data_[i]; }
  const T& operator[](std::size_t i) const { return data_[i]; }
  T& back() { return data_[size_ - 1]; }
  const T& back() const { return data_[size_ - 1]; }
  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] bool empty() const { return size_ == 0; }

private:
  void grow() {
    const auto capacity = capacity_ == 0 ? 64 : 2 * capacity_;
    auto* data = static_cast<T*>(std::realloc(data_, capacity * sizeof(T)));
    if (data == nullptr) throw std::bad_alloc();
    data_ = data;
    capacity_ = capacity;
  }

  T* data_ = nullptr;
  std::size_t size_ = 0;
  std::size_t capacity_ = 0;
};

}  // namespace harrier::internal
