#pragma once

#include <string>
#include <string_view>

namespace harrier {

/// The state `after` as what has changed since `before`: `{.. value=5}`, or
/// `{.. at={.. x=3}}` where that can be told of a field's own fields. All of
/// `after` where nothing would be saved, or where the texts are not written as
/// objects with the same fields, `{name=value, ...}`.
std::string changes_of(std::string_view before, std::string_view after);

}  // namespace harrier
