#pragma once

#include <cstddef>
#include <cstdint>
#include <istream>
#include <ostream>
#include <string>
#include <string_view>

#include <harrier/core/error.hpp>
#include <harrier/core/fingerprint.hpp>
#include <harrier/core/step.hpp>

namespace harrier {

/// Writes values down one after the other, to be read in the same order by an
/// archive_reader on a machine of the same byte order. Small numbers take a byte.
/// Whether the stream took them is for its owner to ask.
class archive_writer {
public:
  explicit archive_writer(std::ostream& to) : to_(to) {}

  void number(std::uint64_t n) {
    for (; n >= more; n >>= 7) to_.put(static_cast<char>(n | more));
    to_.put(static_cast<char>(n));
  }
  void flag(bool on) { number(on ? 1 : 0); }
  void hash(fingerprint value) { bytes(&value, sizeof value); }
  void bytes(const void* data, std::size_t size) {
    to_.write(static_cast<const char*>(data), static_cast<std::streamsize>(size));
  }
  void text(std::string_view written) {
    number(written.size());
    bytes(written.data(), written.size());
  }
  /// The length of `all`, and then `write(element)` for each.
  template <class Range, class Write>
  void list(const Range& all, Write write) {
    number(all.size());
    for (const auto& x : all) write(x);
  }
  void deliveries(const schedule& all) {
    list(all, [this](const scheduled& next) {
      number(next.code);
      number(next.message);
    });
  }

private:
  friend class archive_reader;
  static constexpr std::uint64_t more = 0x80;

  std::ostream& to_;
};

/// Reads what an archive_writer wrote. All functions throw error where the stream
/// ends too early; what is read is trusted besides, so whoever opens a file looks
/// whether it is whole first.
class archive_reader {
public:
  explicit archive_reader(std::istream& from) : from_(from) {}

  std::uint64_t number() {
    std::uint64_t n = 0;
    for (unsigned shift = 0; shift < 64; shift += 7) {
      const auto next = from_.get();
      if (next == std::istream::traits_type::eof()) ends_too_early();
      n |= (static_cast<std::uint64_t>(next) & (archive_writer::more - 1)) << shift;
      if ((static_cast<std::uint64_t>(next) & archive_writer::more) == 0) return n;
    }
    throw error("what was written down holds a number that is too large");
  }
  bool flag() { return number() != 0; }
  fingerprint hash() {
    fingerprint value;
    bytes(&value, sizeof value);
    return value;
  }
  void bytes(void* data, std::size_t size) {
    if (!from_.read(static_cast<char*>(data), static_cast<std::streamsize>(size))) ends_too_early();
  }
  std::string text() {
    std::string read(static_cast<std::size_t>(number()), '\0');
    bytes(read.data(), read.size());
    return read;
  }
  /// Calls `read()` for each element of a list.
  template <class Read>
  void list(Read read) {
    for (auto n = number(); n > 0; --n) read();
  }
  schedule deliveries() {
    schedule all;
    list([&] {
      const auto code = number();
      all.push_back({code, static_cast<message_slot>(number())});
    });
    return all;
  }

private:
  [[noreturn]] static void ends_too_early() { throw error("what was written down ends too early"); }

  std::istream& from_;
};

}  // namespace harrier
