#include <sys/mman.h>

#include <exception>
#include <new>
#include <utility>

#include <harrier/core/error.hpp>
#include <harrier/core/program.hpp>

#include "healing.hpp"

namespace harrier {

seen_of_program::seen_of_program() {
  auto* const page = ::mmap(nullptr, sizeof *facts_, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (page == MAP_FAILED) throw std::bad_alloc();
  facts_ = ::new (page) std::atomic<std::uint32_t>(0);
}

seen_of_program::~seen_of_program() { ::munmap(facts_, sizeof *facts_); }

void seen_of_program::leave_out(const std::string& what) {
  const std::lock_guard lock(one_at_a_time_);
  left_out_.insert(what);
}

std::vector<std::string> seen_of_program::left_out() const {
  const std::lock_guard lock(one_at_a_time_);
  return {left_out_.begin(), left_out_.end()};
}

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
    throw untestable_program(std::string(what_failed) + "what is not derived from std::exception");
  }
}

program covers(program tested, std::vector<std::string> points) {
  tested.make = [make = std::move(tested.make), points = std::move(points)](delivery model) {
    auto made = make(model);
    for (const auto& point : points) made->know_point(point);
    return made;
  };
  return tested;
}

program with_faults(program tested, const faults& may_happen) {
  if (may_happen == faults{}) return tested;
  tested.make = [make = std::move(tested.make), may_happen](delivery model) {
    auto made = make(model);
    made->allow(may_happen);
    return made;
  };
  if (may_happen.heal != 0)
    tested = converges(std::move(tested), "nobody waits, and all are at rest", is_at_rest,
                       static_cast<std::size_t>(may_happen.heal));
  return tested;
}

}  // namespace harrier
