// A worker: processes, each of which takes an item, explores it in a child of its
// own, and says what came of it. Items that it has not finished are the broker's.
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <new>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <harrier/core/error.hpp>
#include <harrier/distributed/work.hpp>
#include <harrier/explore/explore.hpp>
#include <harrier/isolation/isolated_search.hpp>

#include "../explore/start.hpp"
#include "broker.hpp"
#include "compute.hpp"
#include "ignored.hpp"
#include "run.hpp"
#include "signals.hpp"

namespace harrier::distributed {
namespace {

using clock = std::chrono::steady_clock;

constexpr auto between_signs_of_life = std::chrono::milliseconds(1000);
/// An item is not given up sooner: to take it up again costs some milliseconds.
constexpr auto least_slice = std::chrono::milliseconds(30);
constexpr auto patience_with_silence = std::chrono::seconds(3);
constexpr auto at_once = std::chrono::milliseconds(0);
/// A process that was killed for want of memory should not come back at the same moment.
constexpr auto before_it_is_tried_again = std::chrono::milliseconds(500);
constexpr std::size_t most_refusals = 1000;

struct run_is_over {};

/// What goes around the bytes of a part.
constexpr std::size_t envelope = 1024;

class hand {
public:
  /// @param is_first  of this worker, which speaks for all of them of what all of them hear
  /// @param run_ended  whether another hand of this worker saw its run end, or was refused there
  hand(const broker_work& work, bool is_first, const std::atomic<bool>& run_ended)
      : work_(work),
        is_first_(is_first),
        run_ended_(run_ended),
        broker_(work.at),
        id_(unique_word()),
        ignored_(work.say) {}

  work_end run() {
    const auto run = wait_for_run();
    if (!run) return is_refused_ ? work_end::refused : run_ended_ ? work_end::over : work_end::stopped;
    run_ = *run;
    identity_ = identity_of(run_);
    names_.emplace(run_.run);
    program_->made = with_faults(std::move(program_->made), run_.how.search.faults);
    how_ = as_usual_for(program_->made, options_of(run_, program_->how));
    how_.judging.by = judge_.get();
    over_ = broker_.listen(names_->over);
    hunger_ = broker_.listen(names_->hunger);
    announced_ = broker_.listen(names_->announced);
    heard_ = answered_ = clock::now();
    work_.say(fmt::format("works at run {}: {}", run_.run, run_.program));
    const auto end = explore_items();
    if (ignored_.count() > 0)
      work_.say(fmt::format("{} messages at the broker were ignored: they were none of this run's", ignored_.count()));
    return end;
  }

private:
  // --- Which run

  std::optional<run_description> wait_for_run() {
    const auto announced = broker_.listen(work_.run.empty() ? any_run : run_names(work_.run).announced);
    answered_ = clock::now();
    while (!stop_.take() && !run_ended_) {  // nobody announces any more what ended before this hand had heard of it
      const auto m = connection::next(announced, std::chrono::milliseconds(100));
      note_answer(broker_.is_connected());
      if (!m) continue;
      const auto run = run_in(m.get());
      if (run && suits(*run)) return run;
      if (is_refused_) return {};
    }
    return {};
  }

  std::optional<run_description> run_in(const natsMsg* m) {
    try {
      return run_from(text_of(m), subject_of(m));
    } catch (const error& e) {
      ignore(subject_of(m), e.what());
      return {};
    }
  }

  /// What all hands hear, one of them counts.
  void ignore(const std::string& where, const std::string& why) {
    if (is_first_) ignored_.add(where, why);
  }

  /// Whether the run is this one's, and is there: an announcement alone is no run. Makes its program.
  bool suits(const run_description& run) {
    if (refused_.contains(identity_of(run))) return false;
    bool answered = false;
    if (!broker_.state_of(run_names(run.run).items, answered)) return false;
    try {
      if (const auto why = objection_to(run); !why.empty()) return refuse(run, why);
      program_ = work_.find(run.program, run.parameters);
      judge_ = nullptr;
      if (!run.judged_by.empty()) {
        if (!work_.judge) throw error("the run judges executions by a property, and this program makes no such judges");
        judge_ = work_.judge(run.judged_by);
      }
    } catch (const error& e) {
      return refuse(run, e.what());
    }
    return true;
  }

  /// It may be another's, and the one to wait for be still to come, unless it was asked for by name.
  bool refuse(const run_description& run, const std::string& why) {
    if (refused_.size() < most_refusals) refused_.insert(identity_of(run));
    is_refused_ = !work_.run.empty();
    if (!is_first_) return false;
    broker_.tell(run_names(run.run).refusals, told(identity_of(run), {{"why", beginning_of(why)}}));
    broker_.flush();
    work_.say(fmt::format("cannot work at run {}: {}{}", run.run, beginning_of(why),
                          is_refused_ ? "" : "; it is waited for another"));
    return false;
  }

  // --- Items

  work_end explore_items() {
    subscription queue;
    for (;;) {
      give_sign_of_life();
      if (stop_.take()) return work_end::stopped;
      if (is_over()) return work_end::over;
      if (!queue) queue = broker_.take_from(names_->item_subject, names_->items, consumer_of_items);
      if (!queue) {
        if (stop_.take_within(100)) return work_end::stopped;
        continue;
      }
      bool broken = false;
      const auto item = connection::fetch(queue, std::chrono::milliseconds(200), broken);
      if (broken) {
        queue.reset();
        if (stop_.take_within(100)) return work_end::stopped;
      }
      if (!item) continue;
      answered_ = clock::now();
      try {
        if (!explore(item.get())) return work_end::stopped;
      } catch (const run_is_over&) {
        return work_end::over;
      }
    }
  }

  /// @return false: it was interrupted.
  bool explore(natsMsg* item) {
    part from;
    try {
      from = part_from(text_of(item));
      if (from.run != identity_) throw error("it is of another run");
    } catch (const error& e) {
      put_aside(item, e.what());
      return true;
    }
    is_busy_ = true;
    const auto finished = explore(item, from);
    is_busy_ = false;
    return finished;
  }

  /// What is no item of this run's. If another took its name, it may be one of that.
  void put_aside(natsMsg* item, const char* why) {
    if (is_replaced_) {
      connection::hand_back(item, at_once);
      throw run_is_over{};
    }
    ignored_.add(names_->item_subject, why);
    connection::acknowledge(item);
    next_sign_ = {};  // the exploring process is to know
  }

  bool explore(natsMsg* item, const part& from) {
    held_ = clock::now();
    hungry_ = false;
    while (connection::next(hunger_, at_once)) {}
    auto c = compute(item, from);
    if (c.way == item_end::interrupted) {
      connection::hand_back(item, at_once);
      broker_.flush();
      return false;
    }
    const bool was_killed = c.way == item_end::killed;
    if (was_killed) {
      work_.say(fmt::format("an item has no result: {}; it goes back to the broker", c.why));
      c = without_result(from, item_fate::killed, c.why.c_str());
    }
    if (!publish(from.item, c.result, item)) return false;
    if (was_killed)
      connection::hand_back(item, before_it_is_tried_again);
    else
      connection::acknowledge(item);
    return true;
  }

  computed compute(natsMsg* item, const part& from) {
    const auto begun = clock::now();
    const auto stop = [&] {
      if (is_over()) throw run_is_over{};
      keep_hold_of(item);
      while (const auto m = connection::next(hunger_, at_once)) hungry_ = hungry_ || is_of_run(m.get());
      const auto passed = clock::now() - begun;
      return passed >= std::chrono::duration<double>(work_.slice) || (hungry_ && passed >= least_slice);
    };
    try {
      return distributed::compute(program_->made, how_, run_.handler_limit, from.item,
                                  bundle_from(json_from(from.bytes)), stop);
    } catch (const no_child_process&) {
      connection::hand_back(item, before_it_is_tried_again);
      broker_.flush();
      throw;
    } catch (const untestable_program& e) {
      return without_result(from, item_fate::untestable, e.what());
    } catch (const error& e) {
      return without_result(from, item_fate::failed, e.what());
    }
  }

  static computed without_result(const part& from, item_fate fate, const char* why) {
    item_result none;
    none.item = from.item;
    none.fate = fate;
    none.why = why;
    return {item_end::done, bytes_of(none)};
  }

  [[nodiscard]] bool is_of_run(const natsMsg* m) {
    try {
      static_cast<void>(heard(text_of(m), identity_));
      return true;
    } catch (const error& e) {
      ignore(subject_of(m), e.what());
      return false;
    }
  }

  /// The result is kept before the item is let go: whatever dies in between, an
  /// item without a result comes back. @return false: it was interrupted.
  bool publish(const std::string& name, const std::string& result, natsMsg* item) {
    const auto size = std::max(broker_.largest_message(), 2 * envelope) - envelope;
    const auto attempt = unique_word();
    const auto count = std::max<std::size_t>((result.size() + size - 1) / size, 1);
    for (std::size_t i = 0; i < count; ++i) {
      const auto text = to_bytes({identity_, name, attempt, i, count, std::string_view(result).substr(i * size, size)});
      if (!keep(text, item)) return false;
    }
    return true;
  }

  /// Until it is kept. @return false: it was interrupted.
  bool keep(const std::string& text, natsMsg* item) {
    const auto begun = clock::now();
    while (!broker_.keep(names_->result_subject, text)) {
      if (std::exchange(trouble_, broker_.why_not()) != broker_.why_not())
        work_.say(fmt::format("the broker cannot keep a result: {}; trying again", trouble_));
      if (clock::now() - begun > patience())
        throw error(fmt::format("the broker has kept no result for {:g} s: {}", work_.broker_patience, trouble_));
      if (is_over()) throw run_is_over{};
      keep_hold_of(item);
      if (stop_.take_within(200)) return false;
    }
    trouble_.clear();
    answered_ = clock::now();
    return true;
  }

  void keep_hold_of(natsMsg* item) {
    give_sign_of_life();
    const auto now = clock::now();
    if (now - held_ < std::chrono::duration<double>(run_.worker_timeout / 4)) return;
    held_ = now;
    connection::keep_hold_of(item);
  }

  void give_sign_of_life() {
    const auto now = clock::now();
    if (now < next_sign_) return;
    next_sign_ = now + between_signs_of_life;
    broker_.tell(
        names_->workers,
        told(identity_, {{"id", id_}, {"busy", is_busy_}, {"ignored", ignored_.count()}, {"trouble", trouble_}}));
  }

  // --- The broker, and the end

  /// Whether the run ended: it was said, or nobody speaks of it any more and it has no items, or another took its name.
  bool is_over() {
    while (const auto m = connection::next(over_, at_once))
      if (is_of_run(m.get())) return true;
    hear_announcements();
    if (clock::now() - heard_ < patience_with_silence) return false;
    if (is_replaced_) return true;
    bool answered = false;
    const bool is_there = broker_.state_of(names_->items, answered).has_value();
    heard_ = clock::now();
    note_answer(answered);
    return answered && !is_there;
  }

  void hear_announcements() {
    while (const auto m = connection::next(announced_, at_once)) {
      const auto run = run_in(m.get());
      if (!run) continue;
      is_replaced_ = identity_of(*run) != identity_;
      if (!is_replaced_) heard_ = clock::now();
    }
  }

  [[nodiscard]] clock::duration patience() const {
    return std::chrono::duration_cast<clock::duration>(std::chrono::duration<double>(work_.broker_patience));
  }

  /// @throws error  there was no answer for too long.
  void note_answer(bool answered) {
    const auto now = clock::now();
    if (answered) {
      is_silent_ = false;
      answered_ = now;
    } else if (now - answered_ > patience()) {
      throw error(fmt::format("no answer for {:g} s: {}", work_.broker_patience, broker_.why_silent()));
    } else if (!std::exchange(is_silent_, true)) {
      work_.say(fmt::format("no answer: {} (waiting up to {:g} s)", broker_.why_silent(), work_.broker_patience));
    }
  }

  const held_signals stop_;  // before the connection makes its threads
  const broker_work& work_;
  const bool is_first_;
  const std::atomic<bool>& run_ended_;
  connection broker_;
  std::string id_;
  ignored_messages ignored_;
  std::set<std::string> refused_;  // identities of runs
  std::optional<program_to_work_at> program_;
  std::shared_ptr<monitor> judge_;  // never asked here, but in the processes that search
  run_description run_;
  std::string identity_;
  std::optional<run_names> names_;
  options how_;
  subscription over_, hunger_, announced_;
  clock::time_point heard_, held_, answered_, next_sign_{};
  std::string trouble_;  // why a result is not kept
  bool hungry_ = false;
  bool is_busy_ = false;
  bool is_silent_ = false;    // the broker
  bool is_refused_ = false;   // at the run that was asked for
  bool is_replaced_ = false;  // the run, by another of its name
};

/// In a process of its own: NATS has threads, which a process that forks must not have.
bool can_connect(const broker_work& work) {
  const auto id = fork();
  if (id < 0) throw error(fmt::format("cannot start a process to work in: {}", std::strerror(errno)));
  if (id == 0) {
    bool connected = false;
    try {
      const connection made(work.at);
      connected = true;
    } catch (const error& e) {
      work.say(e.what());
    }
    std::fflush(nullptr);
    _exit(connected ? 0 : 1);
  }
  int status = 0;
  while (waitpid(id, &status, 0) < 0 && errno == EINTR) {}
  return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

[[noreturn]] void be_a_hand(const broker_work& work, bool is_first, const std::atomic<bool>& run_ended, pid_t parent) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(1);
  auto end = work_end::failed;
  try {
    end = hand(work, is_first, run_ended).run();
  } catch (const std::exception& e) {
    work.say(e.what());
  }
  std::fflush(nullptr);
  _exit(static_cast<int>(end));
}

/// The processes that work, killed and waited for, whatever happens.
class hands {
public:
  ~hands() {
    for (const auto id : running_) kill(id, SIGKILL);
    for (const auto id : running_) waitpid(id, nullptr, 0);
    munmap(run_ended_, sizeof *run_ended_);
  }
  hands() {
    void* const shared = mmap(nullptr, sizeof *run_ended_, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (shared == MAP_FAILED) throw error(fmt::format("no memory to share with processes: {}", std::strerror(errno)));
    run_ended_ = ::new (shared) std::atomic<bool>(false);
  }
  hands(const hands&) = delete;
  hands& operator=(const hands&) = delete;

  void add(const broker_work& work) {
    const auto parent = getpid();
    const auto id = fork();
    if (id < 0) throw error(fmt::format("cannot start a process to work in: {}", std::strerror(errno)));
    if (id == 0) be_a_hand(work, running_.empty(), *run_ended_, parent);
    running_.push_back(id);
  }
  [[nodiscard]] bool any() const { return !running_.empty(); }
  void stop() const {
    for (const auto id : running_) kill(id, SIGTERM);
  }
  /// Those that ended by now; of one that was killed `say` hears. @return how, the worst of them
  work_end collect(work_end worst, const std::function<void(const std::string&)>& say) {
    std::erase_if(running_, [&](pid_t id) {
      int status = 0;
      if (waitpid(id, &status, WNOHANG) != id) return false;
      if (WIFSIGNALED(status))
        say(fmt::format("a process that searched was ended by signal {} ({}); what it had in hand goes to another one",
                        WTERMSIG(status), strsignal(WTERMSIG(status))));
      const auto end = WIFEXITED(status) ? static_cast<work_end>(std::min(WEXITSTATUS(status), 3)) : work_end::failed;
      worst = std::max(worst, end);
      // One that failed says nothing of a run: the others may still wait for their first.
      if (end == work_end::over || end == work_end::refused) *run_ended_ = true;
      return true;
    });
    return worst;
  }

private:
  std::atomic<bool>* run_ended_;  // in memory that the processes share
  std::vector<pid_t> running_;
};

}  // namespace
}  // namespace harrier::distributed

namespace harrier {

work_end work_for_broker(const broker_work& work) {
  using namespace distributed;
  if (!can_connect(work)) return work_end::failed;  // once, and not by each hand, is said why
  const held_signals stop;
  hands all;
  for (unsigned i = 0; i < std::max(work.hands, 1U); ++i) all.add(work);
  auto end = work_end::over;
  bool asked = false;
  while (all.any()) {
    if (stop.take_within(20)) asked = true;
    if (asked) all.stop();  // again and again: one that comes as an item ends is not noticed
    end = all.collect(end, work.say);
  }
  return end;
}

}  // namespace harrier
