#include "failure.hpp"

#include <new>
#include <optional>
#include <stdexcept>
#include <utility>

#include <harrier/core/error.hpp>

#include "../core/base/current_exception.hpp"
#include "../replay/examine_along.hpp"

namespace harrier {
namespace {

/// What threw when it was asked by itself, and what it said.
struct culprit {
  outside_handlers call;
  std::string text;
};

std::optional<culprit> culprit_of(const program& tested, const options& how, const schedule& so_far) {
  culprit found;
  try {
    const auto fresh = tested.start(how.search.delivery);
    fresh->limit_depth(how.limits.max_depth);
    fresh->go_on_after_abort(true);
    examine_along(*fresh, so_far, [&](const outside_handlers& call) { found.call = call; });
    return std::nullopt;
  } catch (const untestable_program&) {  // of the program as a whole, whichever call it was that happened to tell
    throw;
  } catch (...) {
    found.text = text_of_current_exception();
  }
  return found.call.what.empty() ? std::nullopt : std::optional(std::move(found));
}

/// In a catch block: throws on what no call of the program's could be blamed for.
void throw_what_makes_untestable() {
  try {
    throw;
  } catch (const untestable_program&) {
    throw;
  } catch (...) {
    return;
  }
}

/// In a catch block: throws on what is no finding.
void throw_what_is_not_the_programs() {
  try {
    throw;
  } catch (const error&) {
    throw;
  } catch (const std::bad_alloc&) {
    throw;
  } catch (...) {
    return;
  }
}

bool was_a_judge() {
  try {
    throw;
  } catch (const failure_outside_handlers&) {
    return true;
  } catch (...) {
    return false;
  }
}

}  // namespace

finding failure_in_search(const program& tested, const options& how, const schedule& so_far) {
  throw_what_makes_untestable();
  finding f;
  f.kind = finding_kind::exception;
  f.schedule = so_far;
  if (was_a_judge()) {
    f.message = text_of_current_exception();
    return f;
  }
  if (auto found = culprit_of(tested, how, so_far)) {
    f.message = found->call.what + " threw: " + found->text;
    f.actor = found->call.actor;
    f.schedule.resize(found->call.depth);
    return f;
  }
  throw_what_is_not_the_programs();
  f.message = "an exception left the program outside its handlers: " + text_of_current_exception();
  f.details.emplace_back("no guard, copy, hash or destructor threw it when they were called by themselves");
  return f;
}

}  // namespace harrier
