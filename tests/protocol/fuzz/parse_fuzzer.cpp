// Any bytes are either a definition or diagnostics; a definition is unfolded a little, its first session with small
// numbers.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include <harrier/protocol/lts.hpp>
#include <harrier/protocol/parse.hpp>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace harrier::protocol;
  const auto parsed = parse(std::string_view(reinterpret_cast<const char*>(data), size), "fuzz");
  static_cast<void>(to_string(parsed.diagnostics));
  if (!parsed.value || parsed.value->sessions.empty()) return 0;
  const auto& [key, session] = *parsed.value->sessions.begin();
  std::vector<value> arguments(key.second, value(std::int64_t{2}));
  try {
    const auto explored = explore_session(parsed.value, key.first, std::move(arguments), 30);
    static_cast<void>(review(explored));
  } catch (const definition_error&) {
    return 0;
  }
  return 0;
}
