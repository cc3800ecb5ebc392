#pragma once

/// Our own bugs: a condition that a proof in this project rests on, with the
/// lemma in words. Checked in every build type except `bench`
/// (HARRIER_NO_INVARIANTS); never used for what a user's program or input can do.
namespace harrier::internal {

/// Prints the lemma with its place to standard error and aborts.
[[noreturn]] void invariant_failed(const char* condition, const char* lemma, const char* file, int line) noexcept;

}  // namespace harrier::internal

#ifdef HARRIER_NO_INVARIANTS
#define HARRIER_INVARIANT(condition, lemma) static_cast<void>(0)
#else
#define HARRIER_INVARIANT(condition, lemma) \
  ((condition) ? static_cast<void>(0) : ::harrier::internal::invariant_failed(#condition, lemma, __FILE__, __LINE__))
#endif
