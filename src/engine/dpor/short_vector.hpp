#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <new>
#include <type_traits>
#include <utility>

namespace harrier {

/// A vector of records in 16 bytes, so that what holds one is the smaller: of at most 2^31.
template <class T>
class short_vector {
  static_assert(std::is_trivially_copyable_v<T>);

public:
  short_vector() = default;
  short_vector(const short_vector& other) {
    for (const auto& x : other) push_back(x);
  }
  short_vector(short_vector&& other) noexcept
      : data_(std::exchange(other.data_, nullptr)),
        size_(std::exchange(other.size_, 0)),
        capacity_(std::exchange(other.capacity_, 0)) {}
  short_vector& operator=(short_vector other) noexcept {
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
    std::swap(capacity_, other.capacity_);
    return *this;
  }
  ~short_vector() { std::free(data_); }

  void push_back(const T& x) {
    if (size_ == capacity_) [[unlikely]]
      grow();
    ::new (static_cast<void*>(data_ + size_++)) T(x);
  }
  void pop_back() { --size_; }
  void clear() { size_ = 0; }
  [[nodiscard]] bool empty() const { return size_ == 0; }
  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] const T* begin() const { return data_; }
  [[nodiscard]] const T* end() const { return data_ + size_; }

private:
  [[gnu::noinline]] void grow() {
    const auto capacity = capacity_ == 0 ? 4 : 2 * capacity_;
    auto* const data = static_cast<T*>(std::realloc(data_, std::size_t{capacity} * sizeof(T)));
    if (data == nullptr) throw std::bad_alloc();
    data_ = data;
    capacity_ = capacity;
  }

  T* data_ = nullptr;
  std::uint32_t size_ = 0;
  std::uint32_t capacity_ = 0;
};

}  // namespace harrier
