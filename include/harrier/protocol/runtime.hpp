#pragma once

// What generated protocol modules stand on. Needs nothing else of harrier, and little of the standard library: every
// program that uses a module compiles this. What only tries calls defines HARRIER_WITHOUT_LIMITS, and compiles a tenth.

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <exception>
#include <new>
#include <type_traits>
#include <utility>

#include <harrier/protocol/runtime_errors.hpp>
#include <harrier/protocol/runtime_threads.hpp>
#ifndef HARRIER_WITHOUT_LIMITS
#include <harrier/protocol/wait_limit.hpp>
#endif

// Whether calls look for another thread that is in a call of the same role: in debug builds, unless said otherwise.
#ifndef HARRIER_CHECK_ROLES
#ifdef NDEBUG
#define HARRIER_CHECK_ROLES 0
#else
#define HARRIER_CHECK_ROLES 1
#endif
#endif

namespace harrier::runtime {

class wait_limit;

template <class Type, class... Types>
inline constexpr bool is_once_among = (0 + ... + static_cast<int>(std::is_same_v<Type, Types>)) == 1;

/// A message that is called `Name` and is a `T`: each message of a module that has a C++ type of its own.
template <class Name, class T>
struct named {
  T value{};
};

template <class T>
struct value_in {
  using type = T;
};
template <class Name, class T>
struct value_in<named<Name, T>> {
  using type = T;
};
/// What a message is apart from its name.
template <class T>
using value_in_t = typename value_in<T>::type;

template <class T>
T& value_of(T& content) {
  return content;
}
template <class Name, class T>
T& value_of(named<Name, T>& content) {
  return content.value;
}

/// A message of one of several types. A type is one of `Types`, or the value of just one that is `named`: that is meant
/// then.
template <class... Types>
class message {
  static_assert((is_once_among<Types, Types...> && ...),
                "harrier: two messages of this protocol have one C++ type, under two names");

public:
  static constexpr std::uint32_t types = sizeof...(Types);
  template <class T>
  static constexpr bool is_called = (std::is_same_v<T, Types> || ...);
  /// Whether several messages are that, under different names.
  template <class T>
  static constexpr bool is_in_several =
      !is_called<T> && (0 + ... + static_cast<int>(std::is_same_v<T, value_in_t<Types>>)) > 1;
  template <class T>
  static constexpr bool has = is_called<T> || is_once_among<T, value_in_t<Types>...>;

  /// The place of `T` among the types.
  template <class T>
  static constexpr std::uint32_t index_of() {
    static_assert(!is_in_several<T>,
                  "harrier: several messages of this protocol have that type; say which, by its name in the module");
    static_assert(has<T> || is_in_several<T>, "harrier: no message of this protocol has that type");
    std::uint32_t index = 0;
    static_cast<void>(((is_meant<T, Types> ? false : (++index, true)) && ...));
    return index;
  }

  message() = default;
  template <class T>
    requires(has<std::remove_cvref_t<T>>)
  message(T&& value) : type_(index_of<std::remove_cvref_t<T>>()) {
    using type = std::remove_cvref_t<T>;
    if constexpr (plain && (std::is_empty_v<type> || sizeof(type) < largest())) {
      std::memset(bytes_, 0, sizeof bytes_);
    }
    if constexpr (is_called<type>) {
      new (bytes_) type(std::forward<T>(value));
    } else {
      static_cast<void>(((is_meant<type, Types> ? (make<Types>(std::forward<T>(value)), false) : true) && ...));
    }
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
    if constexpr (is_called<T>) {
      return *std::launder(reinterpret_cast<T*>(bytes_));
    } else {
      T* result = nullptr;
      static_cast<void>(((is_meant<T, Types> ? (result = part<T>(get<Types>()), false) : true) && ...));
      return *result;
    }
  }

  /// A message of type number `type` with a default value.
  static message of_type(std::uint32_t type) {
    static_assert((std::is_default_constructible_v<value_in_t<Types>> && ...),
                  "to be checked, the messages of a module must have a default value");
    message result;
    std::uint32_t index = 0;
    static_cast<void>(((index++ == type ? (result = message(Types{}), true) : false) || ...));
    return result;
  }

private:
  // Moved as bytes, all of them: half of what a message costs otherwise, for numbers say.
  static constexpr bool plain = (std::is_trivially_copyable_v<Types> && ...);

  template <class T, class Type>
  static constexpr bool is_meant = std::is_same_v<T, Type> || (!is_called<T> && std::is_same_v<T, value_in_t<Type>>);

  // Those of other types are never called.
  template <class Type, class T>
  void make([[maybe_unused]] T&& value) {
    if constexpr (std::is_same_v<std::remove_cvref_t<T>, value_in_t<Type>>) new (bytes_) Type{std::forward<T>(value)};
  }
  template <class T, class Type>
  static T* part([[maybe_unused]] Type& content) {
    if constexpr (std::is_same_v<T, value_in_t<Type>>) return &value_of(content);
    return nullptr;
  }

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

/// Held during a call of a role. @throws used_at_once  if another thread is in one, and that is looked at.
///
/// Two classes, so that what is compiled with NDEBUG and what is not go into one program.
template <bool Looks>
class sole_use_that {
public:
  template <class Spec>
  sole_use_that([[maybe_unused]] flag& busy, [[maybe_unused]] const request& call, const Spec&) {
    if constexpr (Looks) {
      if (busy.set()) {
        words text;
        describe<Spec>(text, call.what, call.from, call.to, call.type)
            << ": another thread is in a call of " << Spec::roles[call.subject()];
        throw used_at_once(text);
      }
      busy_ = &busy;
    }
  }
  sole_use_that(const sole_use_that&) = delete;
  sole_use_that& operator=(const sole_use_that&) = delete;
  ~sole_use_that() { end(); }
  void end() {
    if constexpr (Looks) {
      if (busy_ != nullptr) std::exchange(busy_, nullptr)->set(false);
    }
  }

private:
  [[maybe_unused]] flag* busy_ = nullptr;
};
using sole_use = sole_use_that<HARRIER_CHECK_ROLES != 0>;

/// Ends something before what was declared earlier.
template <class Thing>
class end_of {
public:
  explicit end_of(Thing& thing) : thing_(thing) {}
  end_of(const end_of&) = delete;
  end_of& operator=(const end_of&) = delete;
  ~end_of() { thing_.end(); }

private:
  Thing& thing_;
};

/// Why a module is cancelled. @pre of all: the same lock is held.
class cancellation {
public:
  [[nodiscard]] explicit operator bool() const noexcept { return cancelled_; }
  void set(const char* reason) noexcept {
    cancelled_ = true;
    std::strncpy(reason_, reason, sizeof reason_ - 1);
  }
  [[nodiscard]] const char* reason() const noexcept { return reason_; }
  template <class Spec>
  [[noreturn]] void fail(const request& call) const {
    words text;
    describe<Spec>(text, call.what, call.from, call.to, call.type) << ": cancelled: ";
    const auto start = text.size();
    text << reason_;
    throw cancelled(text, start);
  }

private:
  bool cancelled_ = false;
  char reason_[256] = {};
};

/// The call's time is over, or a stop was requested.
template <class Spec, class Limit>
[[noreturn]] void fail_of(const Limit& limit, const request& call) {
  if constexpr (Limit::for_ever) {
    __builtin_unreachable();  // it is never over
  } else {
    words text;
    describe<Spec>(text, call.what, call.from, call.to, call.type);
    if (limit.stop_requested()) throw stopped(text << ": a stop was requested");
    throw timed_out(text << ": not possible by the deadline");
  }
}

/// What a module offers to its users, the same in every mode.
///
/// Each role is one thread's at a time; in debug builds a second one that calls
/// gets `used_at_once`. Calls that wait take a `wait_limit` as their last
/// argument: then they throw `timed_out` or `stopped` where they would go on
/// waiting. What throws has done nothing, and a value that was to be sent is the
/// caller's again (it was moved back); the exceptions to that are the liberal
/// mode's. In a strict module a call may have been performed by another thread
/// when its time is over: then it returns, as done.
///
/// Any call, `try_` or not, throws
/// - `cancelled` after `cancel`;
/// - `peer_gone` if it needs a role that has left. What such a role has sent is
///   received first; nothing can be sent to it.
/// Calls that wait throw
/// - `not_allowed` as soon as the protocol never will allow them;
/// - `deadlock` if every role waits, without a `wait_limit`, and so nothing can
///   ever happen. Roles that have left, or have nothing left to do, do not count;
///   a role for which no thread calls does: it might still.
///
/// A module may be destroyed while threads wait in it: they get `cancelled`, and
/// the destructor returns when they have left. Calls that do not wait must have
/// returned, and nobody may call later; only participants may still be destroyed.
///
/// `Machine` gives `bool perform(request&, message&, limit)`: tries the call; if
/// it is not possible now, either waits until it is or, with `no_wait`, returns
/// false; `bool depart(std::uint32_t who, bool threw, words* owed = nullptr) noexcept`,
/// whether it left early, if that is asked for, and `bool has_left(std::uint32_t who)`. Its destructor begins with
/// `detach()`.
template <class Machine, class Spec>
class module {
public:
  using role = typename Spec::role;
  using message = typename Spec::message;

  /// A message, and who sent it.
  class received : public message {
  public:
    [[nodiscard]] role sender() const { return sender_; }

  private:
    friend module;
    role sender_{};
  };

  /// Waits until `from` may send this to `to`, and sends it.
  template <class T>
  void send(role from, role to, T&& value) {
    static_cast<void>(put(from, to, std::forward<T>(value), no_limit()));
  }
  template <class T>
  void send(role from, role to, T&& value, const wait_limit& limit) {
    static_cast<void>(put(from, to, std::forward<T>(value), limit));
  }
  /// The same without waiting: false if it is not possible now; then the value is the caller's again.
  template <class T>
  bool try_send(role from, role to, T&& value) {
    return put(from, to, std::forward<T>(value), no_wait());
  }

  /// Waits for the next message from `from` to `self`.
  message recv(role self, role from) { return get(self, from, anything, no_limit()); }
  message recv(role self, role from, const wait_limit& limit) { return get(self, from, anything, limit); }
  /// The same for a message that must be a `T`. @throws wrong_type
  template <class T>
  T recv(role self, role from) {
    auto result = get(self, from, message::template index_of<T>(), no_limit());
    return std::move(result.template get<T>());
  }
  template <class T>
  T recv(role self, role from, const wait_limit& limit) {
    auto result = get(self, from, message::template index_of<T>(), limit);
    return std::move(result.template get<T>());
  }
  bool try_recv(role self, role from, message& into) {
    request call{kind::receive, number(from), number(self), anything};
    return machine().perform(call, into, no_wait());
  }
  /// The next message to `self` from whomever the protocol allows.
  received recv_any(role self) { return get_any(self, no_limit()); }
  received recv_any(role self, const wait_limit& limit) { return get_any(self, limit); }
  bool try_recv_any(role self, message& into) {
    request call{kind::receive, anything, number(self), anything};
    return machine().perform(call, into, no_wait());
  }
  bool try_recv_any(role self, received& into) {
    request call{kind::receive, anything, number(self), anything};
    if (!machine().perform(call, into, no_wait())) return false;
    into.sender_ = static_cast<role>(call.from);
    return true;
  }

  /// `from` will send no more to `to`; the protocol must provide for it.
  void close(role from, role to) { static_cast<void>(shut(from, to, no_limit())); }
  void close(role from, role to, const wait_limit& limit) { static_cast<void>(shut(from, to, limit)); }
  bool try_close(role from, role to) { return shut(from, to, no_wait()); }

  /// `self` does nothing more: its thread has ended, say. Who needs it gets
  /// `peer_gone`, now or later; `self`'s own calls get `not_yours`. From any
  /// thread, any number of times. A call of `self` that is under way in another
  /// thread may still be done.
  void leave(role self) noexcept { static_cast<void>(machine().depart(number(self), false)); }
  /// The same for who believes that `self` has done all that it has to do.
  /// @throws left_early  if it has not: it has left all the same. Not in mode
  ///         liberal, whose machines do not know where a session may end.
  void finish(role self) {
    words text;
    if (machine().depart(number(self), false, &text)) throw left_early(text);
  }
  /// `tell` is called, with `context`, when a role leaves without an exception
  /// and has still something to do: with what that is, in words, by the thread
  /// that makes it leave. So a program hears of roles whose participants are
  /// destroyed too early. @pre no role has left yet.
  void on_early_leave(void (*tell)(void* context, const char* what), void* context) noexcept {
    tell_ = tell;
    context_ = context;
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
    void send(role to, T&& value, const wait_limit& limit) {
      owner_->send(self_, to, std::forward<T>(value), limit);
    }
    template <class T>
    bool try_send(role to, T&& value) {
      return owner_->try_send(self_, to, std::forward<T>(value));
    }
    message recv(role from) { return owner_->recv(self_, from); }
    message recv(role from, const wait_limit& limit) { return owner_->recv(self_, from, limit); }
    template <class T>
    T recv(role from) {
      return owner_->template recv<T>(self_, from);
    }
    template <class T>
    T recv(role from, const wait_limit& limit) {
      return owner_->template recv<T>(self_, from, limit);
    }
    received recv_any() { return owner_->recv_any(self_); }
    received recv_any(const wait_limit& limit) { return owner_->recv_any(self_, limit); }
    bool try_recv(role from, message& into) { return owner_->try_recv(self_, from, into); }
    bool try_recv_any(message& into) { return owner_->try_recv_any(self_, into); }
    bool try_recv_any(received& into) { return owner_->try_recv_any(self_, into); }
    void close(role to) { owner_->close(self_, to); }
    void close(role to, const wait_limit& limit) { owner_->close(self_, to, limit); }
    bool try_close(role to) { return owner_->try_close(self_, to); }
    [[nodiscard]] role self() const { return self_; }

  private:
    module* owner_;
    role self_;
  };
  /// @pre the module outlives the endpoint.
  [[nodiscard]] endpoint at(role self) { return endpoint(*this, self); }

private:
  struct bond;

public:
  /// An endpoint that owns its role: when it is destroyed the role leaves, also
  /// where an exception destroys it, and then `peer_gone` says so. It may be
  /// destroyed after the module; nothing else may be done with it then.
  class participant : public endpoint {
  public:
    participant(participant&& other) noexcept
        : endpoint(other), bond_(std::exchange(other.bond_, nullptr)), exceptions_(other.exceptions_) {}
    participant& operator=(participant&& other) noexcept {
      if (this != &other) {
        leave();
        endpoint::operator=(other);
        bond_ = std::exchange(other.bond_, nullptr);
        exceptions_ = other.exceptions_;
      }
      return *this;
    }
    ~participant() { static_cast<void>(let_go(std::uncaught_exceptions() > exceptions_)); }
    /// Leaves before it is destroyed; nothing if it was moved from, or has left.
    void leave() noexcept { static_cast<void>(let_go(false)); }
    /// The same for a role that has done all that it has to do. @throws left_early  it has not.
    void finish() {
      words text;
      if (let_go(false, &text)) throw left_early(text);
    }

  private:
    friend module;
    participant(module& owner, role self, bond& with) : endpoint(owner, self), bond_(&with) { with.holders.add(1); }
    // Whether it owed something, which is said in `owed`, if asked for.
    bool let_go(bool threw, words* owed = nullptr) noexcept {
      if (bond_ == nullptr) return false;
      bool early = false;
      {
        const guard hold(bond_->lock);
        if (bond_->owner != nullptr) early = bond_->owner->depart(number(this->self()), threw, owed);
      }
      std::exchange(bond_, nullptr)->release();
      return early;
    }

    bond* bond_;
    int exceptions_ = std::uncaught_exceptions();
  };
  /// The role becomes the caller's, for good: nobody else can take it later.
  /// @throws not_yours  it was taken before, or has left.
  [[nodiscard]] participant take(role self) {
    const guard hold(taking_);
    if (taken_[number(self)] || machine().has_left(number(self))) {
      words text;
      throw not_yours(text << Spec::roles[number(self)]
                           << (taken_[number(self)] ? ": was taken before" : ": has left"));
    }
    if (bond_ == nullptr) bond_ = new bond{&machine()};
    taken_[number(self)] = true;
    return participant(*this, self, *bond_);
  }

protected:
  static constexpr std::uint32_t roles = sizeof(Spec::roles) / sizeof(Spec::roles[0]);

  ~module() { detach(); }
  // Whether somebody is to be told if a role that leaves owes something.
  [[nodiscard]] bool asks(bool threw, const words* owed) const noexcept {
    return owed != nullptr || (!threw && tell_ != nullptr);
  }
  void tell_early(const words& text, bool threw, words* owed) const noexcept {
    if (owed != nullptr) {
      *owed = text;
    } else if (!threw && tell_ != nullptr) {
      tell_(context_, text.c_str());
    }
  }
  // From here on, participants leave the module alone.
  void detach() noexcept {
    if (bond_ == nullptr) return;
    {
      const guard hold(bond_->lock);
      bond_->owner = nullptr;
    }
    std::exchange(bond_, nullptr)->release();
  }

private:
  // What participants and their module share, so that either may go first.
  struct bond {
    Machine* owner;
    mutex lock{};
    counter holders{1};

    void release() noexcept {
      if (holders.subtract(1) == 0) delete this;
    }
  };

  static std::uint32_t number(role r) { return static_cast<std::uint32_t>(r); }
  Machine& machine() { return static_cast<Machine&>(*this); }

  template <class Limit>
  message get(role self, role from, std::uint32_t type, const Limit& limit) {
    request call{kind::receive, number(from), number(self), type};
    message result;
    static_cast<void>(machine().perform(call, result, limit));
    return result;
  }
  template <class Limit>
  received get_any(role self, const Limit& limit) {
    request call{kind::receive, anything, number(self), anything};
    received result;
    static_cast<void>(machine().perform(call, result, limit));
    result.sender_ = static_cast<role>(call.from);
    return result;
  }
  template <class Limit>
  bool shut(role from, role to, const Limit& limit) {
    message none;
    request call{kind::close, number(from), number(to), anything};
    return machine().perform(call, none, limit);
  }
  template <class T, class Limit>
  bool put(role from, role to, T&& value, const Limit& limit) {
    using type = std::remove_cvref_t<T>;
    static_assert(!message::template is_in_several<type>,
                  "harrier: several messages of this protocol have the type of this value; say which, by its name in "
                  "the module");
    static_assert(
        message::template has<type> || message::template is_in_several<type>,
        "harrier: no message of this protocol has the type of this value; convert it, as std::string(\"text\")");
    if constexpr (message::template has<type>) {
      request call{kind::send, number(from), number(to), message::template index_of<type>()};
      message content(std::forward<T>(value));
      if constexpr (std::is_lvalue_reference_v<T> || std::is_trivially_copyable_v<type> ||
                    !std::is_assignable_v<T&, type>) {
        return machine().perform(call, content, limit);
      } else {
        bool done = false;
        try {
          done = machine().perform(call, content, limit);
        } catch (...) {
          value = std::move(content.template get<type>());
          throw;
        }
        if (!done) value = std::move(content.template get<type>());
        return done;
      }
    } else {
      return false;
    }
  }

  mutex taking_;
  bool taken_[roles] = {};
  bond* bond_ = nullptr;
  void (*tell_)(void*, const char*) = nullptr;
  void* context_ = nullptr;
};

}  // namespace harrier::runtime
