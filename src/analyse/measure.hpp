#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include <harrier/analyse/analyse.hpp>

namespace harrier {

/// What declarations are good for.
struct measured_declarations {
  std::uint64_t without = 0;  ///< executions without any
  std::uint64_t with = 0;     ///< with those that are left
  /// In words, one for each declaration that was taken away.
  std::vector<std::string> withdrawn = {};
};

/// Takes away the declarations of `source` that make more executions necessary. If all of them together need no more
/// than none, all stay; otherwise each is left out in turn, and stays away where that helps; where all that are left
/// still need more than none, none is left.
///
/// @param count  how many executions it takes with the declarations of a source; what it throws is passed on.
/// @par Complexity  two counts if the declarations are good, one more for each declaration otherwise
measured_declarations measure(analysed_source& source,
                              const std::function<std::uint64_t(const analysed_source&)>& count);

/// How many executions a program, or tests, were explored completely with, by what they print: the line below the
/// result of `harrier explore`, or the lines `[ EXPLORED ]` of tests together.
/// @throws error  it says nothing of that, or that not all was explored.
std::uint64_t executions_in(std::string_view printed);

}  // namespace harrier
