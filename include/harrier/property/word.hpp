#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include <harrier/property/ltl.hpp>

namespace harrier {

/// What is known about a run after its last letter.
enum class word_end : std::uint8_t {
  stopped,    ///< nothing follows: read as LTLf
  stuttered,  ///< the empty letter, in which no proposition holds, for ever
  truncated,  ///< at least one more letter follows, which one is unknown
};

/// The propositions that hold in one step: `letter[i]` is that of `atoms()[i]`.
using letter = std::vector<bool>;

/// Evaluates `f` on one execution.
///
/// @param letters  each as long as `f.atoms()`.
/// @return nothing only for a truncated word whose letters do not decide `f`.
///         A truncated word may be left undecided although all its
///         continuations agree, where seeing that takes a proof (as in
///         `G a & F !a`); it is never decided wrongly.
/// @throws error  a letter of another length.
///
/// @par Complexity  O(letters * subformulas) time, O(subformulas) memory.
[[nodiscard]] std::optional<bool> monitor_on_word(const formula& f, std::span<const letter> letters, word_end end);

/// Whether letters in which no proposition holds can be put in and left out
/// anywhere, without a difference to whether a word that ends so satisfies `f`.
/// Decided by the formula's form: "yes" is always right, "no" may be wrong.
///
/// @param end  `stopped` or `stuttered`.
[[nodiscard]] bool ignores_blank_letters(const formula& f, word_end end);

}  // namespace harrier
