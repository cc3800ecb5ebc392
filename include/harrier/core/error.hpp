#pragma once

#include <stdexcept>
#include <string>

namespace harrier {

/// A caller's mistake: a bad option, an unreadable trace, a program that cannot
/// be tested. The message names the place and what to do. Nothing is left
/// half-changed by a function that throws it; its arguments may be mended and
/// the call repeated.
class error : public std::runtime_error {
public:
  using std::runtime_error::runtime_error;
};

/// The program under test cannot be tested: it fails before its first message.
class untestable_program : public error {
public:
  using error::error;
};

}  // namespace harrier
