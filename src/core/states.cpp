#include <harrier/core/states.hpp>

#include <exception>

#include <harrier/core/error.hpp>

namespace harrier {

void states::not_one(std::size_t count) {
  throw error(count == 0 ? "no actor of that class was created"
                         : "there are " + std::to_string(count) + " actors of that class, not one");
}

final_check both(const final_check& first, const final_check& second) {
  if (!first || !second) return first ? first : second;
  return [first, second](final_states& end) {
    first(end);
    second(end);
  };
}

std::vector<record> check_end(const system& ended, const final_check& check) {
  final_states end(ended);
  const auto threw = [&](const std::string& what) {
    auto failed = end.failed();
    failed.push_back({.kind = finding_kind::exception, .message = "the check of the final states threw: " + what});
    return failed;
  };
  try {
    check(end);
  } catch (const untestable_program&) {  // an adapter's: of the program as a whole
    throw;
  } catch (const std::exception& e) {
    return threw(e.what());
  } catch (...) {
    return threw("an exception that is no std::exception");
  }
  return end.failed();
}

}  // namespace harrier
