#pragma once

#include <vector>

#include <harrier/property/word.hpp>

namespace harrier::internal {

/// Whether each subformula holds after the last letter of a word that stops or
/// stutters, in the order of `f.nodes()`.
std::vector<bool> after_last_letter(const formula& f, word_end end);

}  // namespace harrier::internal
