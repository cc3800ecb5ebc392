#pragma once

#include <string>

#include "libclang.hpp"

namespace harrier::clang {

/// How a declaration outside of all classes can name a member; or why it cannot.
struct outside_name {
  std::string expression;  ///< `&bank::account::put`, or with `harrier::overload`; empty: none
  std::string why_not;
};

[[nodiscard]] outside_name name_of_handler(CXCursor method);
/// Of a field of an object of class `of`.
[[nodiscard]] outside_name name_of_field(CXCursor field, CXCursor of);
/// Whether its class has another member function of its name.
[[nodiscard]] bool is_overloaded(CXCursor method);
/// `int, const bank::money &`: as `harrier::overload` wants them.
[[nodiscard]] std::string parameters_of(CXCursor method);

}  // namespace harrier::clang
