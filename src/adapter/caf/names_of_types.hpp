#pragma once

#include <string>
#include <string_view>
#include <typeinfo>

namespace harrier::caf_adapter {

/// `harrier::worker`
std::string whole_name_of(const std::type_info& type);
/// `worker` of that, or of the name of a local class.
std::string last_name_of(std::string_view name);

}  // namespace harrier::caf_adapter
