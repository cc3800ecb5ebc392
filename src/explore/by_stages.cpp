#include "by_stages.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include <harrier/core/error.hpp>
#include <harrier/core/exploration.hpp>
#include <harrier/core/invariant.hpp>
#include <harrier/core/stages.hpp>
#include <harrier/engine/exhaustive.hpp>

#include "../engine/search_by_one.hpp"

namespace harrier {
namespace {

/// Stages are searched within one another, each on the stack of the one before.
/// What is deeper is searched in all orders as one program, without more of it.
constexpr int deepest = 200;

class stage_search {
public:
  stage_search(search_context& s, const std::function<bool(search_context&)>& engine)
      : all_(s), engine_(engine), stages_(*s.tested.in_stages()) {}

  bool run() {
    const apart now(stages_);
    const tells_branches told(*this);
    if (stages_.current() == stages::end::not_begun)
      go_on();
    else
      search();
    return complete_;
  }

private:
  class apart {
  public:
    explicit apart(stages& of) : of_(of) { of_.search_apart(true); }
    apart(const apart&) = delete;
    apart& operator=(const apart&) = delete;
    ~apart() { of_.search_apart(false); }

  private:
    stages& of_;
  };

  /// While it lives, the path of the whole is told: that of each stage, one after
  /// the other.
  class tells_branches {
  public:
    explicit tells_branches(stage_search& of) : of_(of) {
      of.all_.branches = [&of](std::vector<branching>& path) { of.list_branches(path); };
    }
    tells_branches(const tells_branches&) = delete;
    tells_branches& operator=(const tells_branches&) = delete;
    ~tells_branches() { of_.all_.branches = nullptr; }

  private:
    stage_search& of_;
  };

  /// @throws error  of some stage it is not known.
  void list_branches(std::vector<branching>& path) const {
    path.clear();
    for (const auto& p : parts_) {
      if (!p.is_known) throw error("a stage is run in all orders, whose number is not known");
      path.insert(path.end(), p.branches.begin(), p.branches.end());
    }
  }

  /// The stage is at its end: an engine can tell of its path as long as nothing follows it.
  void note_branches(const search_context& stage) {
    auto& here = parts_.back();
    here.is_known = stage.branches != nullptr;
    if (here.is_known) stage.branches(here.branches);
  }

  /// While it lives, the execution begins here for those who search it, and
  /// `watcher` watches; whatever ends it, the execution begins where it began.
  class from_here {
  public:
    from_here(system& s, observer& watcher) : s_(s), before_(s.begin_here()), watched_(s.watch().observe(&watcher)) {}
    from_here(const from_here&) = delete;
    from_here& operator=(const from_here&) = delete;
    ~from_here() {
      s_.begin_at(before_);
      s_.watch().observe(watched_);
    }

  private:
    system& s_;
    system::beginning before_;
    observer* watched_;
  };

  /// While it lives, the execution begins where the whole search began.
  class from_the_start {
  public:
    from_the_start(system& s, const system::beginning& start) : s_(s), here_(s.begin_at(start)) {}
    from_the_start(const from_the_start&) = delete;
    from_the_start& operator=(const from_the_start&) = delete;
    ~from_the_start() { s_.begin_at(here_); }

  private:
    system& s_;
    system::beginning here_;
  };

  /// Watches the search in one stage, and begins the next at its ends.
  class in_stage final : public observer {
  public:
    explicit in_stage(stage_search& of) : of_(of) { stopping_ = of.all_.watcher.stopping(); }
    void watches(const search_context& search) { search_ = &search; }
    void step_flagged(system& s) override {
      tell([&](observer& o) { o.step_flagged(s); });
    }
    void poll(system& s) override {
      tell([&](observer& o) { o.poll(s); });
    }
    void execution_blocked(system& s) override {
      tell([&](observer& o) { o.execution_blocked(s); });
    }
    void execution_ended(system&) override {
      of_.note_branches(*search_);
      of_.stage_ended();
      stopping_ = of_.all_.watcher.stopping();
    }

  private:
    template <class What>
    void tell(What what) {
      const from_the_start whole(of_.all_.tested, of_.start_);
      what(of_.all_.watcher);
      stopping_ = of_.all_.watcher.stopping();
    }

    stage_search& of_;
    const search_context* search_ = nullptr;
  };

  [[nodiscard]] std::vector<branching> drawn_by_last_step() const {
    const auto& s = all_.tested;
    std::vector<branching> drawn;
    for (const auto& c : s.choices_of(s.last_step())) {
      const auto value = s.step_at(s.last_step()).code / c.scale % c.arity;
      drawn.push_back({value + 1, c.arity - 1 - value});
    }
    return drawn;
  }

  void stage_ended() {
    auto& s = all_.tested;
    if (stages_.is_closed()) {
      stages_.open();
      search();
      stages_.close();
    } else if (stages_.current() == stages::end::at_rest && !s.aborted() && !s.truncated()) {
      go_on();
    } else {
      end_execution();
    }
  }

  void end_execution() {
    const from_the_start whole(all_.tested, start_);
    all_.watcher.execution_ended(all_.tested);
  }

  void go_on() {
    auto& s = all_.tested;
    std::uint64_t code = 0;
    do {
      stages_.begin_next(code);
      parts_.push_back({true, drawn_by_last_step()});
      code = s.next_code();
      if (s.first_deliverable() != no_message)
        search();
      else if (!all_.watcher.stopping())
        end_execution();
      parts_.pop_back();
      stages_.take_back_next();
    } while (code != 0 && !all_.watcher.stopping());
    complete_ = complete_ && code == 0;
  }

  /// The stage in which the execution is, from here.
  void search() {
    if (all_.watcher.stopping()) {
      complete_ = false;
      return;
    }
    ++depth_;
    const bool in_all_orders = stages_.current() == stages::end::any_time || depth_ > deepest;
    stages_.search_apart(depth_ <= deepest);
    bool ended = false;
    {
      in_stage watcher(*this);
      const from_here begins(all_.tested, watcher);
      search_context inner{all_.tested, watcher};
      watcher.watches(inner);
      parts_.push_back({});
      // As a reduction does: see docs/differential.md, executions with a failure.
      const bool went_on = all_.tested.go_on_after_abort(true);
      ended = in_all_orders ? explore_alone(inner, share_exhaustive(made_by::one)) : engine_(inner);
      all_.tested.go_on_after_abort(went_on);
      while (all_.tested.depth() > 0) all_.tested.undo();  // one that was stopped
    }
    parts_.pop_back();
    stages_.search_apart(true);
    complete_ = complete_ && ended;
    --depth_;
  }

  search_context& all_;
  const std::function<bool(search_context&)>& engine_;
  stages& stages_;
  system::beginning start_ = beginning_of(all_.tested);
  /// Of the path of the whole: of a stage, or what the body drew between two.
  struct part {
    bool is_known = true;
    std::vector<branching> branches;
  };
  std::vector<part> parts_;
  int depth_ = 0;
  bool complete_ = true;

  static system::beginning beginning_of(system& s) {
    const auto here = s.begin_here();
    return s.begin_at(here), here;
  }
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

bool has_stages(const program& tested, const options& how) { return has_stages(*tested.start(how.delivery)); }

bool search_by_stages(search_context& s, const std::function<bool(search_context&)>& engine) {
  return stage_search(s, engine).run();
}

std::unique_ptr<shared_search> search_by(const named_engine& engine, const search_request& asked) {
  if (!has_stages(asked.initial) || engine.judges == judged::every_order) return engine.search(asked);
  HARRIER_INVARIANT(asked.who == made_by::one, "a program in stages is searched by one worker");
  return std::make_unique<search_by_one<engine_by_stages>>(engine_by_stages(engine, asked));
}

}  // namespace harrier
