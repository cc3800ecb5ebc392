#pragma once

/// @file
/// Stops a compiler that is too old for programs of actors, in one line. What a compiler says after an `#error` would
/// bury it, and nothing but a header that cannot be found makes both GCC and Clang say no more: hence its name.
#if __cplusplus < 202002L
#include <harrier needs C++20, which -std=c++20 turns on, and GCC 12 or Clang 16 or a later one>
#elif defined(__clang__)
#if __clang_major__ < 16
#include <harrier needs Clang 16 or later, or GCC 12 or later>
#endif
#elif !defined(__GNUC__) || __GNUC__ < 12
#include <harrier needs GCC 12 or later, or Clang 16 or later>
#endif
