#pragma once

#include <cstdint>
#include <vector>

#include <harrier/core/error.hpp>
#include <harrier/core/observer.hpp>
#include <harrier/core/stages.hpp>
#include <harrier/core/system.hpp>
#include <harrier/engine/search_context.hpp>

namespace harrier {

/// How to come to the beginning of a stage, or to the end of one.
struct stage_place {
  schedule deliveries;  ///< from the beginning of the whole
  int depth = 0;        ///< how many stages are searched around it
};

/// One worker's way through the stages of a program. A stage is searched from each end of the one before, on its stack:
/// who searches single stages is somebody else.
class stage_search {
public:
  /// What is deeper is searched in all orders as one program, without more of it.
  static constexpr int deepest = 200;

  /// Who searches a single stage, and takes what this worker has to leave.
  class of_one_stage {
  public:
    virtual ~of_one_stage() = default;
    /// The stage in which the execution of `all` is, from here: by one call of all.explore() at most.
    virtual void search(stage_search& all, bool in_all_orders) = 0;
    /// The watcher stops, so the driver does not go on from here with the draws of `code` and of what comes after it.
    virtual void leave(stage_search& all, std::uint64_t code) = 0;
    /// Asked whenever the watcher is polled: whether this worker leaves the stage in which it is to others.
    virtual bool leaves_stage(const system& /*now*/) { return false; }
  };

  /// @param tells  whether `s.branches` is to be told of the path of the whole
  stage_search(search_context& s, of_one_stage& by, bool tells)
      : all_(s), by_(by), stages_(*s.tested.in_stages()), tells_(tells) {
    stages_.search_apart(true);
    if (tells_) all_.branches = [this](std::vector<branching>& path) { list_branches(path); };
  }
  stage_search(const stage_search&) = delete;
  stage_search& operator=(const stage_search&) = delete;
  ~stage_search() {
    if (tells_) all_.branches = nullptr;
    stages_.search_apart(false);
  }

  /// Everything, from where the search begins.
  void run() {
    if (stages_.current() == stages::end::not_begun)
      go_on(0);
    else
      search();
  }

  /// @name For a worker that goes on elsewhere
  /// @{

  [[nodiscard]] stage_place here() {
    const from_the_start whole(all_.tested, start_);
    return {all_.tested.current_schedule(), depth_};
  }
  /// Where somebody was before: nothing of it is told or counted again. @pre it is where the search begins
  void go_to(const stage_place& there) {
    auto& s = all_.tested;
    auto* const watching = s.watch().observe(nullptr);
    for (const auto& next : there.deliveries) {
      if (stages_.is_closed()) stages_.open();
      const bool goes_on = next.message > s.message_count() || stages_.current() == stages::end::not_begun;
      goes_on ? stages_.begin_next(next.code) : s.run({next});
      way_.push_back(goes_on);
    }
    if (stages_.is_closed()) stages_.open();
    s.watch().observe(watching);
    s.watch().made_before(way_.size());
    depth_ = there.depth;
  }
  void go_home() {
    for (; !way_.empty(); way_.pop_back()) way_.back() ? stages_.take_back_next() : all_.tested.undo();
    depth_ = 0;
  }
  /// @}

  /// The driver goes on from here, the draws being those of `code` first, and then each that comes after them.
  void go_on(std::uint64_t code) {
    auto& s = all_.tested;
    do {
      if (all_.watcher.stopping()) return by_.leave(*this, code);
      stages_.begin_next(code);
      parts_.push_back({true, drawn_by_last_step()});
      code = s.next_code();
      if (s.first_deliverable() != no_message)
        search();
      else
        end_execution();
      parts_.pop_back();
      stages_.take_back_next();
    } while (code != 0);
  }

  /// Has the stage that begins here searched by `explore(context)`, and what follows from each of its ends.
  template <class Explore>
  void explore(Explore explore) {
    ++depth_;
    stages_.search_apart(depth_ <= deepest);
    {
      in_stage watcher(*this);
      const from_here begins(all_.tested, watcher);
      search_context inner{all_.tested, watcher};
      watcher.watches(inner);
      parts_.push_back({});
      // As a reduction does: see docs/differential.md, executions with a failure.
      const bool went_on = all_.tested.go_on_after_abort(true);
      explore(inner);
      all_.tested.go_on_after_abort(went_on);
      while (all_.tested.depth() > 0) all_.tested.undo();  // one that was stopped
    }
    parts_.pop_back();
    stages_.search_apart(true);
    --depth_;
  }

private:
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
      if (of_.by_.leaves_stage(s)) stopping_ = is_left_ = true;
    }
    void execution_blocked(system& s) override {
      tell([&](observer& o) { o.execution_blocked(s); });
    }
    void execution_ended(system&) override {
      if (of_.tells_) of_.note_branches(*search_);
      of_.stage_ended();
      look_whether_to_stop();
    }

  private:
    template <class What>
    void tell(What what) {
      {
        const from_the_start whole(of_.all_.tested, of_.start_);
        what(of_.all_.watcher);
      }
      look_whether_to_stop();
    }
    void look_whether_to_stop() { stopping_ = is_left_ || of_.all_.watcher.stopping(); }

    stage_search& of_;
    const search_context* search_ = nullptr;
    bool is_left_ = false;
  };

  /// Of the path of the whole: of a stage, or what the body drew between two.
  struct part {
    bool is_known = true;
    std::vector<branching> branches;
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
      go_on(0);
    } else {
      end_execution();
    }
  }
  void end_execution() {
    const from_the_start whole(all_.tested, start_);
    all_.watcher.execution_ended(all_.tested);
  }
  void search() { by_.search(*this, stages_.current() == stages::end::any_time || depth_ >= deepest); }

  search_context& all_;
  of_one_stage& by_;
  stages& stages_;
  const bool tells_;
  system::beginning start_ = beginning_of(all_.tested);
  std::vector<part> parts_;
  std::vector<bool> way_;  // of the steps of go_to(): whether the driver went on
  int depth_ = 0;

  static system::beginning beginning_of(system& s) {
    const auto here = s.begin_here();
    return s.begin_at(here), here;
  }
};

}  // namespace harrier
