#pragma once

// What goes wrong with calls of generated modules, in words. Little is included: see runtime.hpp.

#include <cstddef>
#include <cstdint>
#include <exception>

namespace harrier::runtime {

inline constexpr std::uint32_t anything = static_cast<std::uint32_t>(-1);

enum class kind : std::uint8_t { send, receive, close, handshake };

/// A call of a module: who does what, with whom. `anything` stands for any sender or type of a receive; when it is
/// done, the sender is known.
struct request {
  kind what;
  std::uint32_t from;
  std::uint32_t to;
  std::uint32_t type;

  [[nodiscard]] std::uint32_t subject() const { return what == kind::receive ? to : from; }
};

/// Text that is put together where nothing may be allocated; what is longer than 1000 characters is cut off with "...".
class words {
public:
  words& operator<<(const char* text) noexcept {
    for (; *text != '\0' && size_ < most; ++text) text_[size_++] = *text;
    if (*text != '\0') text_[most] = text_[most + 1] = text_[most + 2] = '.';
    return *this;
  }
  words& operator<<(std::uint32_t number) noexcept {
    char digits[11];
    char* first = digits + sizeof digits - 1;
    *first = '\0';
    do *--first = static_cast<char>('0' + number % 10);
    while ((number /= 10) != 0);
    return *this << first;
  }
  [[nodiscard]] const char* c_str() const noexcept { return text_; }
  [[nodiscard]] std::size_t size() const noexcept { return size_; }

private:
  static constexpr std::size_t most = 1000;
  char text_[most + 4] = {};
  std::size_t size_ = 0;
};

/// "black SEND Move TO white"
template <class Spec>
words& describe(words& text, kind what, std::uint32_t from, std::uint32_t to, std::uint32_t type) noexcept {
  const bool receives = what == kind::receive;
  const auto peer = receives ? from : to;
  text << Spec::roles[receives ? to : from] << (receives ? " RECV " : what == kind::close ? " CLOSE " : " SEND ");
  if (what != kind::close) text << (type == anything ? "*" : Spec::types[type]) << (receives ? " FROM " : " TO ");
  return text << (peer == anything ? "*" : Spec::roles[peer]);
}

/// In `lines` of a module: not a line, but where in `several_lines` it says how many there are, and which.
inline constexpr std::uint32_t several = std::uint32_t{1} << 31;

/// " (shop.dcj:3)", or " (shop.dcj:3 or 4)" where a message may be of either line; `line`: of `Spec::lines`
template <class Spec>
words& place(words& text, std::uint32_t line) noexcept {
  text << " (" << Spec::definition << ":";
  if constexpr (requires { Spec::several_lines; }) {
    if (line >= several) {
      const auto* all = Spec::several_lines + (line - several);
      for (std::uint32_t i = 1; i <= all[0]; ++i) text << (i == 1 ? "" : i == all[0] ? " or " : ", ") << all[i];
      return text << ")";
    }
  }
  return text << line << ")";
}

/// What went wrong with a call of a module. The module is as it was before, and can be used, unless said otherwise; and
/// a value that was to be sent is the caller's again.
class protocol_error : public std::exception {
public:
  explicit protocol_error(const words& text) : text_(text) {}
  [[nodiscard]] const char* what() const noexcept override { return text_.c_str(); }

private:
  words text_;
};

/// The protocol does not allow the call, now or whatever the others do. Says what it allows, and where that is defined.
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

/// The deadline of the call passed, and it was not possible yet.
class timed_out : public protocol_error {
public:
  using protocol_error::protocol_error;
};

/// The caller's `std::stop_token` asked to stop, and the call was not possible yet.
class stopped : public protocol_error {
public:
  using protocol_error::protocol_error;
};

/// Somebody called `cancel`, or the module is destroyed. No call is possible any more.
class cancelled : public protocol_error {
public:
  cancelled(const words& text, std::size_t reason) : protocol_error(text), reason_(reason) {}
  /// What `cancel` was given.
  [[nodiscard]] const char* reason() const noexcept { return what() + reason_; }

private:
  std::size_t reason_;
};

/// The call needs a role that has left, and nobody else can make it possible.
class peer_gone : public protocol_error {
public:
  peer_gone(const words& text, const char* role) : protocol_error(text), role_(role) {}
  /// Who has left. Of several, in a strict module, the first that had still something to do or threw, unless the call
  /// is a send to one of them.
  [[nodiscard]] const char* role() const noexcept { return role_; }

private:
  const char* role_;
};

/// The role that has just left, by `finish`, had still something to do. Says what, and where that is defined.
class left_early : public protocol_error {
public:
  using protocol_error::protocol_error;
};

/// The role that calls has left itself, or was taken by somebody else.
class not_yours : public protocol_error {
public:
  using protocol_error::protocol_error;
};

/// Another thread is in a call of the same role. Found out in debug builds only.
class used_at_once : public protocol_error {
public:
  using protocol_error::protocol_error;
};

/// Of roles in several processes: another one has sent what the protocol does not allow, or what cannot be read, or has
/// found that out of this one. No call is possible any more.
class protocol_broken : public protocol_error {
public:
  using protocol_error::protocol_error;
};

/// Of roles in several processes: a message that takes more bytes than one may have.
class message_too_large : public protocol_error {
public:
  using protocol_error::protocol_error;
};

/// Two parts of a session do not fit together. Says what differs.
class connection_refused : public protocol_error {
public:
  using protocol_error::protocol_error;
};

/// All roles wait for one another, for ever. Says who waits for what.
class deadlock : public protocol_error {
public:
  using protocol_error::protocol_error;
};

}  // namespace harrier::runtime
