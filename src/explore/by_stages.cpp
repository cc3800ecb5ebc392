#include "by_stages.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

#include <harrier/core/exploration.hpp>
#include <harrier/core/stages.hpp>
#include <harrier/engine/exhaustive.hpp>

#include "../engine/search_by_one.hpp"
#include "shared_stages.hpp"
#include "stage_search.hpp"

namespace harrier {
namespace {

/// One worker searches each stage to its end before it goes on.
class by_one_worker final : public stage_search::of_one_stage {
public:
  by_one_worker(search_context& s, const std::function<bool(search_context&)>& engine) : all_(s), engine_(engine) {}

  void search(stage_search& all, bool in_all_orders) override {
    bool ended = false;
    if (!all_.watcher.stopping())
      all.explore([&](search_context& stage) {
        ended = in_all_orders ? explore_alone(stage, share_exhaustive(made_by::one)) : engine_(stage);
      });
    is_complete_ = is_complete_ && ended;
  }
  void leave(stage_search&, std::uint64_t) override { is_complete_ = false; }
  [[nodiscard]] bool is_complete() const { return is_complete_; }

private:
  search_context& all_;
  const std::function<bool(search_context&)>& engine_;
  bool is_complete_ = true;
};

/// What was counted in one stage, to what was in those before.
void add(std::optional<exploration::state_counts>& all, const exploration::state_counts& stage) {
  if (!all) {
    all = stage;
    return;
  }
  all->states += stage.states;
  all->final_states += stage.final_states;
  all->revisits += stage.revisits;
  all->depth = std::max(all->depth, stage.depth);
  all->bytes_per_state = std::max(all->bytes_per_state, stage.bytes_per_state);
  all->expected_misses += stage.expected_misses;
}

/// A program in stages, by an engine that is made anew in each; what each has to say is put together.
class engine_by_stages {
public:
  engine_by_stages(const named_engine& engine, const search_request& asked) : engine_(engine), asked_(asked) {}

  bool operator()(search_context& s) {
    return search_by_stages(s, [this](search_context& stage) { return explore_stage(stage); });
  }
  void conclude(exploration& result) const {
    result.sleep_sets = result.sleep_sets || said_.sleep_sets;
    result.states = said_.states;
    result.notes.insert(result.notes.end(), said_.notes.begin(), said_.notes.end());
  }

private:
  bool explore_stage(search_context& stage) {
    const auto search = engine_.search({.tested = asked_.tested,
                                        .initial = stage.tested,
                                        .how = asked_.how,
                                        .most = asked_.most,
                                        .who = made_by::one});
    const bool all = explore_alone(stage, search);
    exploration said;
    search->conclude(said);
    said_.sleep_sets = said.sleep_sets;
    if (said.states) add(said_.states, *said.states);
    for (auto& note : said.notes)
      if (std::find(said_.notes.begin(), said_.notes.end(), note) == said_.notes.end())
        said_.notes.push_back(std::move(note));
    return all;
  }

  const named_engine& engine_;
  const search_request asked_;
  exploration said_;
};

}  // namespace

bool has_stages(system& tested) {
  const auto* in = tested.in_stages();
  return in != nullptr && in->current() != stages::end::last;
}

bool has_stages(const program& tested, const options& how) { return has_stages(*tested.start(how.search.delivery)); }

bool search_by_stages(search_context& s, const std::function<bool(search_context&)>& engine) {
  by_one_worker one(s, engine);
  stage_search(s, one, true).run();
  return one.is_complete();
}

std::unique_ptr<shared_search> search_by(const named_engine& engine, const search_request& asked) {
  if (!has_stages(asked.initial) || engine.judges == judged::every_order) return engine.search(asked);
  if (asked.who == made_by::several) return share_stages(engine, asked);
  return std::make_unique<search_by_one<engine_by_stages>>(engine_by_stages(engine, asked));
}

}  // namespace harrier
