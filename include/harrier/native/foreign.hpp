#pragma once

#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

/// Structs of somebody else's that own what they point to, as values. docs/libraries.md has a program.
namespace harrier {

namespace detail {

/// Memory of a library, where `Ways` says how it is had, and else of malloc.
template <class Ways>
void* allocate_as(std::size_t bytes) {
  if constexpr (requires { Ways::allocate(bytes); })
    return Ways::allocate(bytes == 0 ? 1 : bytes);
  else
    return std::malloc(bytes == 0 ? 1 : bytes);
}
template <class Ways>
void release_as(void* at) {
  if constexpr (requires { Ways::release(at); })
    Ways::release(at);
  else
    std::free(at);
}

template <class Ways, class Visitor, class T>
void visit_parts(Visitor& f, T& x) {
  if constexpr (requires { Ways::parts(f, x); }) Ways::parts(f, x);
}
template <class Ways, class Visitor, class T>
void visit_elements(Visitor& f, T* elements, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) visit_parts<Ways>(f, elements[i]);
}

/// The `f` of `parts(f, x)`, for each purpose. This one has a copy, whose pointers are still the original's, point to
/// memory of its own.
template <class Ways>
class parts_to_copy {
public:
  template <class T>
  parts_to_copy& field(const char* /*name*/, const T& /*value*/) {
    return *this;
  }
  template <class Char>
  parts_to_copy& text(const char* name, Char*& at) {
    return bytes(name, at, at == nullptr ? 0 : std::strlen(at) + 1);
  }
  template <class Byte>
  parts_to_copy& bytes(const char* /*name*/, Byte*& at, std::size_t count) {
    if (at == nullptr) return *this;
    void* const own = allocate_as<Ways>(count);
    std::memcpy(own, at, count);
    at = static_cast<Byte*>(own);
    return *this;
  }
  template <class T>
  parts_to_copy& array(const char* name, T*& at, std::size_t count) {
    bytes(name, at, count * sizeof(T));
    if (at != nullptr) visit_elements<Ways>(*this, at, count);
    return *this;
  }
  template <class P, class Q>
  parts_to_copy& alias(P*& at, Q*& of) {
    at = static_cast<P*>(of);
    return *this;
  }
  template <class T>
  parts_to_copy& part(const char* /*name*/, T& inside) {
    return visit_parts<Ways>(*this, inside), *this;
  }
};

/// Each foreign struct is freed, so this one says what is wrong with a description.
template <class Ways>
class parts_to_free {
public:
  template <class T>
  parts_to_free& field(const char* /*name*/, const T& /*value*/) {
    static_assert(!std::is_pointer_v<T>,
                  "harrier: field() is for what is no pointer: text(), bytes(), array() copy what that points to");
    return *this;
  }
  template <class Char>
  parts_to_free& text(const char* name, Char*& at) {
    return bytes(name, at, 0);
  }
  template <class Byte>
  parts_to_free& bytes(const char* /*name*/, Byte*& at, std::size_t /*count*/) {
    if (at != nullptr) release_as<Ways>(const_cast<std::remove_const_t<Byte>*>(at));
    at = nullptr;
    return *this;
  }
  template <class T>
  parts_to_free& array(const char* name, T*& at, std::size_t count) {
    constexpr bool is_known = std::is_arithmetic_v<T> || std::is_enum_v<T> || requires { Ways::parts(*this, *at); };
    static_assert(
        is_known && std::is_trivially_copyable_v<T>,
        "harrier: an array of a foreign struct consists of numbers, or of structs of C that parts() describes");
    if (at != nullptr) visit_elements<Ways>(*this, at, count);
    return bytes(name, at, count);
  }
  template <class P, class Q>
  parts_to_free& alias(P*& /*at*/, Q*& /*of*/) {
    return *this;
  }
  template <class T>
  parts_to_free& part(const char* /*name*/, T& inside) {
    constexpr bool is_known = requires { Ways::parts(*this, inside); };
    static_assert(
        is_known,
        "harrier: part() is for a struct that parts() describes, too: what this one points to would belong to "
        "two owners");
    return visit_parts<Ways>(*this, inside), *this;
  }
};

template <class Ways, class F>
class parts_to_show;

/// What is inside another struct, or in an array of it, where it is shown.
template <class Ways, class T>
struct part_shown {
  static constexpr bool shows_all = true;  // whether it does, the struct that it is a part of answers for
  T* of;
  template <class F>
  friend bool inspect(F& f, part_shown& x) {
    parts_to_show<Ways, F> show(f);
    visit_parts<Ways>(show, *x.of);
    return true;
  }
};

template <class Ways, class F>
class parts_to_show {
public:
  explicit parts_to_show(F& f) : f_(&f) {}
  template <class T>
  parts_to_show& field(const char* name, T& value) {
    f_->object(value).fields(f_->field(name, value));
    return *this;
  }
  template <class Char>
  parts_to_show& text(const char* name, Char*& at) {
    return shown(name, at == nullptr ? std::string() : std::string(at));
  }
  template <class Byte>
  parts_to_show& bytes(const char* name, Byte*& at, std::size_t count) {
    return shown(name, at == nullptr ? std::string()
                                     : std::string(static_cast<const char*>(static_cast<const void*>(at)), count));
  }
  template <class T>
  parts_to_show& array(const char* name, T*& at, std::size_t count) {
    if constexpr (requires { Ways::parts(*this, *at); }) {
      std::vector<part_shown<Ways, T>> all;
      for (std::size_t i = 0; at != nullptr && i < count; ++i) all.push_back({at + i});
      return shown(name, std::move(all));
    } else {
      return shown(name, at == nullptr ? std::vector<T>() : std::vector<T>(at, at + count));
    }
  }
  template <class P, class Q>
  parts_to_show& alias(P*& /*at*/, Q*& /*of*/) {
    return *this;
  }
  template <class T>
  parts_to_show& part(const char* name, T& inside) {
    return shown(name, part_shown<Ways, T>{&inside});
  }

private:
  template <class T>
  parts_to_show& shown(const char* name, T value) {
    return field(name, value);
  }
  F* f_;
};

/// Whether two structs say the same: writes what one says.
template <class Ways>
class parts_to_compare {
public:
  template <class T>
  parts_to_compare& field(const char* /*name*/, const T& value) {
    static_assert(std::has_unique_object_representations_v<T> || std::is_floating_point_v<T>,
                  "harrier: a field of a foreign struct that is compared is a number, an enum, or a struct of such "
                  "without gaps; describe others by part()");
    return add(&value, sizeof value);
  }
  template <class Char>
  parts_to_compare& text(const char* name, Char*& at) {
    return bytes(name, at, at == nullptr ? 0 : std::strlen(at));
  }
  template <class Byte>
  parts_to_compare& bytes(const char* /*name*/, Byte*& at, std::size_t count) {
    const auto size = at == nullptr ? 0 : count;
    add(&size, sizeof size);
    return add(at, size);
  }
  template <class T>
  parts_to_compare& array(const char* name, T*& at, std::size_t count) {
    if constexpr (requires { Ways::parts(*this, *at); }) {
      const auto size = at == nullptr ? 0 : count;
      add(&size, sizeof size);
      return visit_elements<Ways>(*this, at, size), *this;
    } else {
      return bytes(name, at, count * sizeof(T));
    }
  }
  template <class P, class Q>
  parts_to_compare& alias(P*& /*at*/, Q*& /*of*/) {
    return *this;
  }
  template <class T>
  parts_to_compare& part(const char* /*name*/, T& inside) {
    return visit_parts<Ways>(*this, inside), *this;
  }
  [[nodiscard]] const std::string& written() const { return written_; }

private:
  parts_to_compare& add(const void* data, std::size_t size) {
    if (size > 0) written_.append(static_cast<const char*>(data), size);
    return *this;
  }
  std::string written_;
};

template <class Ways, class T>
concept describes_parts = requires(parts_to_copy<Ways>& f, T& x) {
  Ways::parts(f, x);
};

}  // namespace detail

/// A struct of somebody else's that owns what it points to, as an argument of a message, or a field of an actor: copied
/// deep, and freed. `Ways` describes it, once for all purposes; and what is inside it, each struct by a function:
///
///     struct ways_of_frame {
///       static void parts(auto& f, header& x) { f.text("name", x.name); }
///       static void parts(auto& f, frame& x) {
///         f.field("length", x.length)              // what is no pointer: to be shown and compared
///          .bytes("data", x.data, x.length)        // so many, which it owns
///          .array("headers", x.headers, x.count)   // of structs that are described, or of numbers; it owns that, too
///          .part("first", x.first);                // a struct in it that is described
///       }
///       static void* allocate(std::size_t bytes);  // where the library has memory of its own; else malloc and free
///       static void release(void* at);
///     };
///     using frame_message = harrier::foreign<frame, ways_of_frame>;
///
/// `text` is one that ends with 0. What is not named is copied as it is, neither shown nor compared; so is a pointer to
/// what it does not own. A second pointer to what it owns is an alias, `.alias(x.memory, x.data)`, which points where
/// the first one does. Of a union, what there is.
///
/// Where the library has functions for that, they may be called instead; there is no operator== then:
///
///       static void copy(frame& to, const frame& from);  // `to` is value-initialised
///       static void free(frame& x);                      // one that is value-initialised, too
///       // What it is shown as, hashed and compared by: all that what it points to says, and no address.
///       template <class F>
///       static bool inspect(F& f, frame& x) { return f.object(x).fields(f.field("length", x.length)); }
template <class T, class Ways>
class foreign {
public:
  foreign() = default;
  /// A deep copy; the original stays its owner's.
  explicit foreign(const T& of) : held_(copy_of(of)) {}
  foreign(const foreign& other) : foreign(other.held_) {}
  foreign(foreign&& other) noexcept : held_(std::exchange(other.held_, T{})) {}
  foreign& operator=(foreign other) noexcept {
    std::swap(held_, other.held_);
    return *this;
  }
  ~foreign() {
    if constexpr (detail::describes_parts<Ways, T>) {
      detail::parts_to_free<Ways> f;
      Ways::parts(f, held_);
    } else {
      Ways::free(held_);
    }
  }
  /// What the caller gives away, not copied.
  [[nodiscard]] static foreign owner_of(T given) {
    foreign owner;
    owner.held_ = given;
    return owner;
  }

  [[nodiscard]] const T& operator*() const { return held_; }
  [[nodiscard]] const T* operator->() const { return &held_; }
  /// A deep copy that is the caller's, to be given away or freed.
  [[nodiscard]] T copy() const { return copy_of(held_); }
  /// The same, of what stays its owner's.
  [[nodiscard]] static T copy_of(const T& of) {
    if constexpr (detail::describes_parts<Ways, T>) {
      T own = of;
      detail::parts_to_copy<Ways> f;
      Ways::parts(f, own);
      return own;
    } else {
      T own{};
      Ways::copy(own, of);
      return own;
    }
  }
  /// One that is in memory of the library (Ways::allocate) itself.
  [[nodiscard]] T* allocated_copy() const { return ::new (detail::allocate_as<Ways>(sizeof(T))) T(copy()); }

  /// Whether all that was described is the same.
  friend bool operator==(const foreign& a, const foreign& b) requires detail::describes_parts<Ways, T> {
    return a.written() == b.written();
  }
  template <class F>
  friend bool inspect(F& f, foreign& x) {
    if constexpr (detail::describes_parts<Ways, T>) {
      detail::parts_to_show<Ways, F> show(f);
      Ways::parts(show, x.held_);
      return true;
    } else {
      return Ways::inspect(f, x.held_);
    }
  }

private:
  [[nodiscard]] std::string written() const {
    detail::parts_to_compare<Ways> f;
    Ways::parts(f, const_cast<T&>(held_));
    return f.written();
  }

  T held_{};
};

}  // namespace harrier
