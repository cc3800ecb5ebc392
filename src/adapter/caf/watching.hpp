#pragma once

#include <memory>
#include <utility>

#include "run_of.hpp"
#include "version.hpp"

/// To watch another's end is no message in CAF, but it matters whether it comes before that end: so it is asked for.
/// Of both versions of CAF, whose own functions are `now`.
namespace harrier::caf_adapter {

template <class Attach>
void attach_or_ask(monitorable* self, caf::attachable_ptr what, Attach now) {
  if (is_refused(*self)) return;
  auto* const r = run_of(*self);
  if (r != nullptr) r->watches();
  if (r == nullptr || r->may_touch(*self)) return now(self, std::move(what));
  const auto kept = std::make_shared<caf::attachable_ptr>(std::move(what));
  r->ask(*self, "watched_by", [self, kept, now] { now(self, std::move(*kept)); });
}

template <class Detach>
std::size_t detach_or_ask(monitorable* self, const caf::attachable::token& what, Detach now) {
  if (is_refused(*self)) return 0;
  auto* const r = run_of(*self);
  if (r == nullptr || r->may_touch(*self) || what.subtype != caf::attachable::token::observer) return now(self, what);
  const auto token = *static_cast<const caf::default_attachable::observe_token*>(what.ptr);
  r->ask(*self, "unwatched_by", [self, token, now] { now(self, token); });
  return 1;
}

}  // namespace harrier::caf_adapter
