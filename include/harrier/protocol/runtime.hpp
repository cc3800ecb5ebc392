#pragma once

// What generated protocol modules stand on. Needs nothing else of harrier, and little of the standard library: every
// program that uses a module compiles this.

#include <pthread.h>

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <exception>
#include <new>
#include <type_traits>
#include <utility>

namespace harrier::runtime {

inline constexpr std::uint32_t anything = static_cast<std::uint32_t>(-1);

enum class kind : std::uint8_t { send, receive, close, handshake };

/// A call of a module: who does what, with whom. `anything` stands for any sender or type of a receive.
struct request {
  kind what;
  std::uint32_t from;
  std::uint32_t to;
  std::uint32_t type;

  [[nodiscard]] std::uint32_t subject() const { return what == kind::receive ? to : from; }
};

/// What went wrong with a call of a module; the module is as before, unless said otherwise.
class protocol_error : public std::exception {
public:
  protocol_error(const char* problem, const request& call, const char* const* roles, const char* const* types) {
    const char* const verb[] = {"SEND", "RECV", "CLOSE"};
    const bool receives = call.what == kind::receive;
    const auto peer = receives ? call.from : call.to;
    std::snprintf(text_, sizeof text_, "%s %s %s %s %s: %s", roles[call.subject()], verb[static_cast<int>(call.what)],
                  call.type == anything ? "*" : types[call.type], receives ? "FROM" : "TO",
                  peer == anything ? "*" : roles[peer], problem);
  }
  [[nodiscard]] const char* what() const noexcept override { return text_; }

private:
  char text_[256];
};

/// The protocol does not allow the call, now or whatever the others do.
class not_allowed : public protocol_error {
public:
  using protocol_error::protocol_error;
};

/// The next message has another type than the one asked for. It stays where it is, except in liberal mode.
class wrong_type : public protocol_error {
public:
  using protocol_error::protocol_error;
};

/// Liberal mode only: the message taken fits no receive, and is lost.
class message_lost : public protocol_error {
public:
  using protocol_error::protocol_error;
};

/// A message of one of several types.
template <class... Types>
class message {
public:
  static constexpr std::uint32_t types = sizeof...(Types);

  /// The place of `T` among the types.
  template <class T>
  static constexpr std::uint32_t index_of() {
    static_assert((std::is_same_v<T, Types> || ...), "no message of this protocol has that type; convert it first");
    std::uint32_t index = 0;
    static_cast<void>(((std::is_same_v<T, Types> ? false : (++index, true)) && ...));
    return index;
  }

  message() = default;
  template <class T>
    requires(std::is_same_v<std::remove_cvref_t<T>, Types> || ...)
  message(T&& value) : type_(index_of<std::remove_cvref_t<T>>()) {
    if constexpr (plain && (std::is_empty_v<std::remove_cvref_t<T>> || sizeof(std::remove_cvref_t<T>) < largest())) {
      std::memset(bytes_, 0, sizeof bytes_);
    }
    new (bytes_) std::remove_cvref_t<T>(std::forward<T>(value));
  }
  message(message&& other) noexcept { take(other); }
  message& operator=(message&& other) noexcept {
    if (this != &other) {
      clear();
      take(other);
    }
    return *this;
  }
  ~message() { clear(); }

  /// Which of the types it has; `anything` if it was moved from.
  [[nodiscard]] std::uint32_t type() const { return type_; }
  template <class T>
  [[nodiscard]] bool is() const {
    return type_ == index_of<T>();
  }
  /// @pre `is<T>()`
  template <class T>
  [[nodiscard]] T& get() {
    return *std::launder(reinterpret_cast<T*>(bytes_));
  }

  /// A message of type number `type` with a default value.
  static message of_type(std::uint32_t type) {
    static_assert((std::is_default_constructible_v<Types> && ...),
                  "to be checked, the messages of a module must have a default value");
    message result;
    std::uint32_t index = 0;
    static_cast<void>(((index++ == type ? (result = message(Types{}), true) : false) || ...));
    return result;
  }

private:
  // Moved as bytes, all of them: half of what a message costs otherwise, for numbers say.
  static constexpr bool plain = (std::is_trivially_copyable_v<Types> && ...);

  void take(message& other) noexcept {
    if constexpr (plain) {
      if (other.type_ != anything) std::memcpy(bytes_, other.bytes_, sizeof bytes_);
      type_ = other.type_;
      other.type_ = anything;
      return;
    }
    std::uint32_t index = 0;
    static_cast<void>(
        ((index++ == other.type_ ? (new (bytes_) Types(std::move(other.template get<Types>())), true) : false) || ...));
    type_ = other.type_;
    other.clear();
  }
  void clear() noexcept {
    std::uint32_t index = 0;
    if constexpr (!plain) static_cast<void>(((index++ == type_ ? (destroy(get<Types>()), true) : false) || ...));
    type_ = anything;
  }
  template <class T>
  static void destroy(T& value) {
    value.~T();
  }

  static constexpr std::size_t largest() {
    std::size_t most = 1;
    ((most = sizeof(Types) > most ? sizeof(Types) : most), ...);
    return most;
  }

  alignas(Types...) unsigned char bytes_[largest()];
  std::uint32_t type_ = anything;
};

/// First in, first out; grows as needed.
template <class Element>
class queue {
public:
  queue() = default;
  queue(const queue&) = delete;
  queue& operator=(const queue&) = delete;
  ~queue() {
    clear();
    delete[] elements_;
  }

  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] Element& operator[](std::size_t index) const { return elements_[(first_ + index) & (capacity_ - 1)]; }
  /// A new last element; what it is by now is left from an earlier one.
  Element& push() {
    if (size_ == capacity_) grow();
    return (*this)[size_++];
  }
  void push(Element&& element) { push() = std::move(element); }
  /// @pre the first element was moved from, or may stay a while.
  void drop() {
    first_ = (first_ + 1) & (capacity_ - 1);
    --size_;
  }
  Element pop() {
    Element result = std::move((*this)[0]);
    drop();
    return result;
  }
  void clear() {
    while (size_ != 0) static_cast<void>(pop());
  }

private:
  void grow() {
    const auto capacity = capacity_ == 0 ? std::size_t{4} : 2 * capacity_;
    auto* elements = new Element[capacity];
    for (std::size_t i = 0; i < size_; ++i) elements[i] = std::move((*this)[i]);
    delete[] elements_;
    elements_ = elements;
    capacity_ = capacity;
    first_ = 0;
  }

  Element* elements_ = nullptr;
  std::size_t capacity_ = 0;  // a power of two
  std::size_t first_ = 0;
  std::size_t size_ = 0;
};

class mutex {
public:
  mutex() { pthread_mutex_init(&handle_, nullptr); }
  mutex(const mutex&) = delete;
  mutex& operator=(const mutex&) = delete;
  ~mutex() { pthread_mutex_destroy(&handle_); }
  void lock() { pthread_mutex_lock(&handle_); }
  void unlock() { pthread_mutex_unlock(&handle_); }

private:
  friend class bell;
  pthread_mutex_t handle_;
};

class guard {
public:
  explicit guard(mutex& held) : held_(held) { held_.lock(); }
  guard(const guard&) = delete;
  guard& operator=(const guard&) = delete;
  ~guard() { held_.unlock(); }

private:
  mutex& held_;
};

/// Threads wait here until it rings.
class bell {
public:
  bell() { pthread_cond_init(&handle_, nullptr); }
  bell(const bell&) = delete;
  bell& operator=(const bell&) = delete;
  ~bell() { pthread_cond_destroy(&handle_); }
  /// @pre this thread holds `held`; so it does afterwards.
  void wait(mutex& held) { pthread_cond_wait(&handle_, &held.handle_); }
  void ring() { pthread_cond_broadcast(&handle_); }
  /// @pre at most one thread waits.
  void ring_for_one() { pthread_cond_signal(&handle_); }

private:
  pthread_cond_t handle_;
};

/// What a module offers to its users, the same in every mode.
///
/// `Machine` gives `bool perform(request, message&, bool wait)`: tries the
/// call; if it is not possible now, either waits until it is (and throws
/// `not_allowed` as soon as it never will be) or returns false.
///
/// Each role is one thread's at a time. `close` says that a role will send no
/// more to another; the protocol must provide for it.
template <class Machine, class Spec>
class module {
public:
  using role = typename Spec::role;
  using message = typename Spec::message;

  /// Waits until `from` may send this to `to`, and sends it.
  template <class T>
  void send(role from, role to, T&& value) {
    static_cast<void>(put(from, to, std::forward<T>(value), true));
  }
  /// The same without waiting: false if it is not possible now.
  template <class T>
  bool try_send(role from, role to, T&& value) {
    return put(from, to, std::forward<T>(value), false);
  }

  /// Waits for the next message from `from` to `self`.
  message recv(role self, role from) {
    message result;
    static_cast<void>(machine().perform({kind::receive, number(from), number(self), anything}, result, true));
    return result;
  }
  /// The same for a message that must be a `T`. @throws wrong_type
  template <class T>
  T recv(role self, role from) {
    message result;
    static_cast<void>(
        machine().perform({kind::receive, number(from), number(self), message::template index_of<T>()}, result, true));
    return std::move(result.template get<T>());
  }
  bool try_recv(role self, role from, message& into) {
    return machine().perform({kind::receive, number(from), number(self), anything}, into, false);
  }
  /// The next message to `self` from whomever the protocol allows.
  message recv_any(role self) {
    message result;
    static_cast<void>(machine().perform({kind::receive, anything, number(self), anything}, result, true));
    return result;
  }
  bool try_recv_any(role self, message& into) {
    return machine().perform({kind::receive, anything, number(self), anything}, into, false);
  }

  void close(role from, role to) {
    message none;
    static_cast<void>(machine().perform({kind::close, number(from), number(to), anything}, none, true));
  }
  bool try_close(role from, role to) {
    message none;
    return machine().perform({kind::close, number(from), number(to), anything}, none, false);
  }

  /// One role's view of the module.
  class endpoint {
  public:
    endpoint(module& owner, role self) : owner_(&owner), self_(self) {}
    template <class T>
    void send(role to, T&& value) {
      owner_->send(self_, to, std::forward<T>(value));
    }
    template <class T>
    bool try_send(role to, T&& value) {
      return owner_->try_send(self_, to, std::forward<T>(value));
    }
    message recv(role from) { return owner_->recv(self_, from); }
    template <class T>
    T recv(role from) {
      return owner_->template recv<T>(self_, from);
    }
    message recv_any() { return owner_->recv_any(self_); }
    bool try_recv(role from, message& into) { return owner_->try_recv(self_, from, into); }
    bool try_recv_any(message& into) { return owner_->try_recv_any(self_, into); }
    void close(role to) { owner_->close(self_, to); }
    bool try_close(role to) { return owner_->try_close(self_, to); }

  private:
    module* owner_;
    role self_;
  };
  /// @pre the module outlives the endpoint.
  [[nodiscard]] endpoint at(role self) { return endpoint(*this, self); }

private:
  static std::uint32_t number(role r) { return static_cast<std::uint32_t>(r); }
  Machine& machine() { return static_cast<Machine&>(*this); }
  template <class T>
  bool put(role from, role to, T&& value, bool wait) {
    using type = std::remove_cvref_t<T>;
    message content(std::forward<T>(value));
    return machine().perform({kind::send, number(from), number(to), message::template index_of<type>()}, content, wait);
  }
};

}  // namespace harrier::runtime
