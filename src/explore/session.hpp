#pragma once

#include <cstdint>
#include <exception>
#include <list>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <harrier/core/exploration.hpp>
#include <harrier/core/program.hpp>
#include <harrier/core/system.hpp>
#include <harrier/engine/search_context.hpp>
#include <harrier/engine/trust.hpp>
#include <harrier/explain/explain.hpp>
#include <harrier/explore/options.hpp>

#include "../core/base/cache_line.hpp"
#include "checkpoint.hpp"
#include "engines.hpp"
#include "limits.hpp"
#include "search_plan.hpp"
#include "tally.hpp"

namespace harrier {

class crew;

/// One exploration, by one worker or several: each has a system, a monitor and a
/// tally of its own, and in the end what they saw is one result.
class session {
public:
  /// @param started  from where limit_options::time_limit counts.
  /// @throws error  there is no such engine.
  session(const program& tested, const options& how, limits::clock::time_point started = limits::clock::now());

  /// All of it, by as many workers as search_options::jobs says.
  exploration run();

  /// All that comes of `todo` and is not given away, by one worker, with engine
  /// trust. What is left when it is stopped is left there.
  /// @return what it saw; the session is done then.
  /// @throws error  the program is one that engine trust has no items of: in stages, say.
  tally::collected run_items(std::vector<trust_item>& todo, const trust_sharing& sharing);
  /// Takes over what was seen in another session of the same program. @pre a worker was hired
  void join(tally::collected&& elsewhere);
  /// The exploration ends, for that reason if there was none before.
  void stop(std::string why) { limits_.stop(std::move(why)); }

  /// One of those who search. They count in different threads, so in cache lines of their own.
  struct alignas(cache_line) worker {
    std::unique_ptr<monitor> own_monitor;  // of all workers but the first, which has the user's
    monitor* judge;
    tally watcher;
    system_handle tested;  // goes first: it tells the others of each step that it takes back
  };
  /// Another worker, in the initial configuration.
  /// @throws error  the monitor relies on more than the engine keeps, or there
  ///         can be no other one.
  worker& hire();
  /// Whether a limit was reached, or something was found that ends it: no worker
  /// should go on.
  [[nodiscard]] bool stopped() const { return limits_.stopped(); }
  /// All workers are done: what they saw, as one. No worker is left.
  /// @param ended  whether the search came to its end.
  exploration conclude(bool ended);

private:
  exploration run_as_asked();
  /// All workers search, each in its thread, until nothing is left, or they are to return.
  void work_on(shared_search& all, const std::vector<worker*>& workers, std::list<search_context>& searches,
               crew& threads);
  /// They are done for now. @return whether some of them had to leave to others what they would have run next
  bool rest();
  /// In a catch block of a worker's thread.
  void end_for(worker& w, const std::exception_ptr& failure);
  void resume(shared_search& all);
  [[nodiscard]] std::vector<std::string> left_out() const;
  void leave_out(const std::string& what);
  /// What the judges of all workers have seen, as one. @pre validate() found that it can be written down
  [[nodiscard]] std::unique_ptr<monitor> seen_by_judges() const;
  void save(shared_search& all);
  /// What failed; empty: nothing did.
  [[nodiscard]] std::string written_down(shared_search& all);
  void keep_the_first_finding();
  /// Better schedules for what was found.
  void minimise_all(std::vector<finding>& all) const;
  void judge(exploration& result, bool judges_one_order);
  [[nodiscard]] bool is_late() const;
  [[nodiscard]] bool is_unwanted() const;
  /// How what was found is made readable.
  [[nodiscard]] explaining as_searched() const;

  const program& program_;
  const options& how_;
  const named_engine& engine_;
  limits limits_;
  std::list<worker> workers_;
  /// Of the searches that were resumed here.
  struct {
    std::uint64_t transitions = 0;
    double seconds = 0;
  } before_;
  std::string judged_by_ = "nothing";  // asked once: the graph of a large session is gone through
  search_plan plan_;
  std::string unwritten_;    // why there is no checkpoint of where it is; empty: there is, or is to be none
  bool has_failed_ = false;  // something of the program's: what is left is not known
};

}  // namespace harrier
