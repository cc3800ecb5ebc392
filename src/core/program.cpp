#include <exception>

#include <harrier/core/error.hpp>
#include <harrier/core/program.hpp>

namespace harrier {

system_handle program::start(delivery model) const {
  constexpr auto what_failed = "it fails before its first message: the driver's set-up, or the copy of a state, threw ";
  try {
    return make(model);
  } catch (const error&) {
    throw;
  } catch (const system::nondeterminism&) {
    throw;
  } catch (const std::exception& e) {
    throw untestable_program(std::string(what_failed) + "'" + e.what() + "'");
  } catch (...) {
    throw untestable_program(std::string(what_failed) + "what is no std::exception");
  }
}

}  // namespace harrier
