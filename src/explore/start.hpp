#pragma once

#include <string>

#include <harrier/core/program.hpp>
#include <harrier/core/system.hpp>
#include <harrier/explore/options.hpp>

#include "engines.hpp"
#include "search_wiring.hpp"

namespace harrier {

/// `how`, with what it leaves to the program: the delivery model.
inline options as_usual_for(const program& tested, options how) {
  if (!how.search.delivery.is_said()) how.search.delivery = tested.usual_delivery;
  return how;
}

/// A system of `tested` for a search as `how` says: its delivery model, depth
/// limit and checks. Nobody looks on yet.
/// @param noted  where its deliveries are noted, if there is a record.
inline system_handle start_as_asked(const program& tested, const options& how, const noted_deliveries& noted) {
  auto s = tested.start(how.search.delivery);
  s->limit_depth(how.limits.max_depth);
  s->watch().check_determinism(how.judging.check_determinism);
  s->watch().check_undo(how.judging.check_undo);
  s->memoise(how.search.memoise);
  if (!how.search.engine.is_automatic() && engine_named(how.search.engine).compares_states)
    s->merge_paths("engine " + std::string(how.search.engine.name()));
  if (how.search.independence == independence::fields) s->merge_paths("--independence fields");
  if (how.search.independence == independence::semantic) s->merge_paths("--independence semantic");
  if (noted.record != nullptr) {
    noted.record->search_is_over = false;
    s->watch().note_deliveries(*noted.record, noted.path);
  }
  return s;
}
/// The same, noted as the first worker's.
inline system_handle start_as_asked(const program& tested, const options& how) {
  return start_as_asked(tested, how, how.told.wiring != nullptr ? how.told.wiring->of_worker(0) : noted_deliveries{});
}

/// Who watches this process need not wait for deliveries any more.
inline void search_is_over(const options& how) {
  if (how.told.wiring == nullptr) return;
  for (const auto& noted : how.told.wiring->workers)
    if (noted.record != nullptr) noted.record->search_is_over = true;
}

}  // namespace harrier
