#pragma once

#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include <harrier/harrier.hpp>
#include <subjects/catalogue.hpp>

namespace harrier::subjects {

/// The catalogue's program of that name, with some parameters given.
program named(const std::string& name, const std::vector<std::pair<std::string, std::string>>& given = {});

/// Every program of the catalogue at its smallest: numbers at the least value
/// allowed (2 where that has nothing to explore), words each in turn.
struct small_program {
  std::string name;
  program made;
};
inline void PrintTo(const small_program& p, std::ostream* out) { *out << p.name; }
std::vector<small_program> smallest();

/// What explore gives for the whole tree.
exploration explore_all(const program& tested);

}  // namespace harrier::subjects
