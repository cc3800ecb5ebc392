#include <algorithm>
#include <cstddef>
#include <functional>

#include <harrier/native/reflect.hpp>

namespace harrier::detail {

std::size_t offset_in(const void* object, std::size_t bytes, const void* part) {
  const auto* const begin = static_cast<const std::byte*>(object);
  const auto* const at = static_cast<const std::byte*>(part);
  const bool is_inside = !std::less<>{}(at, begin) && std::less<>{}(at, begin + bytes);
  return is_inside ? static_cast<std::size_t>(at - begin) : state_field::elsewhere;
}

bool add_plain_bytes(const std::vector<bool>& unshown, const unsigned char* object, const unsigned char* const* copies,
                     value_bytes& out) {
  for (std::size_t i = 0; i < unshown.size(); ++i) {
    if (!unshown[i]) continue;
    if (copies != nullptr) {
      const auto first = copies[0][i];
      const auto second = copies[1][i];
      if (first == 0 && second == 255) continue;
      if (first != object[i] || second != object[i]) return false;
    }
    out.add_unshown(object + i, 1);
  }
  return true;
}

void byte_sink::add_more(const void* data, std::size_t size) {
  if (more_.empty()) more_.assign(start_, size_);
  more_.append(static_cast<const char*>(data), size);
}

std::size_t byte_sink::place_of(const void* object) {
  const auto found = std::find(objects_.begin(), objects_.end(), object);
  const auto place = static_cast<std::size_t>(found - objects_.begin());
  if (found == objects_.end()) objects_.push_back(object);
  return place;
}

}  // namespace harrier::detail
