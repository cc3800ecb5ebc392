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
#include <string>
#include <vector>

#include <harrier/core/error.hpp>
#include <harrier/distributed/work.hpp>
#include <harrier/explore/explore.hpp>

#include "broker.hpp"
#include "compute.hpp"
#include "run.hpp"
#include "signals.hpp"

namespace harrier::distributed {
namespace {

using clock = std::chrono::steady_clock;

constexpr auto between_signs_of_life = std::chrono::milliseconds(1000);
/// An item is not given up sooner: to take it up again costs some milliseconds.
constexpr auto least_slice = std::chrono::milliseconds(30);
constexpr auto patience_with_silence = std::chrono::seconds(3);
constexpr std::uint64_t most_kills = 5;

struct run_is_over {};

/// What goes around the bytes of a part.
constexpr std::size_t envelope = 1024;

class hand {
public:
  /// @param run_ended  whether another hand of this worker saw its run end, or was refused there
  hand(const broker_work& work, const std::atomic<bool>& run_ended)
      : work_(work), run_ended_(run_ended), broker_(work.at), id_(unique_word()) {}

  work_end run() {
    const auto run = wait_for_run();
    if (!run) return run_ended_ ? work_end::over : work_end::stopped;
    try {
      if (const auto why = objection_to(*run); !why.empty()) return refuse(*run, why);
      program_ = work_.find(run->program, run->parameters);
    } catch (const error& e) {
      return refuse(*run, e.what());
    }
    run_ = *run;
    names_.emplace(run->run);
    how_ = options_of(*run, program_->how);
    over_ = broker_.listen(names_->over);
    hunger_ = broker_.listen(names_->hunger);
    announced_ = broker_.listen(names_->announced);
    heard_ = clock::now();
    work_.say(fmt::format("works at run {}: {}", run_.run, run_.program));
    return explore_items();
  }

private:
  work_end refuse(const run_description& run, const std::string& why) {
    broker_.tell(run_names(run.run).refusals, why);
    broker_.flush();
    work_.say(fmt::format("cannot work at run {}: {}", run.run, why));
    return work_end::refused;
  }

  std::optional<run_description> wait_for_run() {
    const auto announced = broker_.listen(any_run);
    while (!stop_.take() && !run_ended_) {  // nobody announces any more what ended before this hand had heard of it
      const auto m = connection::next(announced, 100);
      if (!m) continue;
      const auto json = json_value::parse(text_of(m.get()), nullptr, false);
      if (json.is_discarded()) throw error("what a run says of itself at the broker is damaged: it is no JSON");
      return run_from(json);
    }
    return {};
  }

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
      const auto item = connection::fetch(queue, 200, broken);
      if (broken) {
        queue.reset();
        if (stop_.take_within(100)) return work_end::stopped;
      }
      if (!item) continue;
      try {
        if (!explore(item.get())) return work_end::stopped;
      } catch (const run_is_over&) {
        return work_end::over;
      }
    }
  }

  /// @return false: it was interrupted.
  bool explore(natsMsg* item) {
    const std::string bytes(text_of(item));
    const auto begun = clock::now();
    held_ = begun;
    hungry_ = false;
    while (connection::next(hunger_, 0)) {}
    auto c = compute(program_->made, how_, run_.handler_limit, bundle_from(json_from(bytes)), [&] {
      if (is_over()) throw run_is_over{};
      keep_hold_of(item);
      while (connection::next(hunger_, 0)) hungry_ = true;
      const auto passed = clock::now() - begun;
      return passed >= std::chrono::duration<double>(work_.slice) || (hungry_ && passed >= least_slice);
    });
    if (c.way == item_end::interrupted) {
      natsMsg_Nak(item, nullptr);
      broker_.flush();
      return false;
    }
    if (c.way == item_end::killed) {
      if (times_delivered(item) < most_kills) {
        natsMsg_NakWithDelay(item, 1'000'000'000, nullptr);
        return true;
      }
      c.result = {};
      c.result.ends_run = "SIGKILL to the searching process (from the system for want of memory, or from someone)";
    }
    c.result.item = name_of(bytes);
    if (!publish(c.result, item)) return false;
    natsMsg_Ack(item, nullptr);
    return true;
  }

  static std::uint64_t times_delivered(natsMsg* item) {
    jsMsgMetaData* about = nullptr;
    if (natsMsg_GetMetaData(&about, item) != NATS_OK) return 1;
    const auto times = about->NumDelivered;
    jsMsgMetaData_Destroy(about);
    return times;
  }

  /// The result is kept before the item is let go: whatever dies in between, an
  /// item without a result comes back. @return false: it was interrupted.
  bool publish(const item_result& result, natsMsg* item) {
    const auto bytes = bytes_of(result);
    const auto size = std::max(broker_.largest_message(), 2 * envelope) - envelope;
    const auto attempt = unique_word();
    const auto count = std::max<std::size_t>((bytes.size() + size - 1) / size, 1);
    for (std::size_t i = 0; i < count; ++i) {
      const auto text = to_bytes({result.item, attempt, i, count, std::string_view(bytes).substr(i * size, size)});
      bool complained = false;
      while (!broker_.keep(names_->result_subject, text)) {
        if (!std::exchange(complained, true))
          work_.say(fmt::format("the broker cannot keep a result: {}; trying again", broker_.why_not()));
        if (is_over()) throw run_is_over{};
        keep_hold_of(item);
        if (stop_.take_within(200)) return false;
      }
    }
    return true;
  }

  void keep_hold_of(natsMsg* item) {
    give_sign_of_life();
    const auto now = clock::now();
    if (now - held_ < std::chrono::duration<double>(run_.worker_timeout / 4)) return;
    held_ = now;
    natsMsg_InProgress(item, nullptr);
  }

  void give_sign_of_life() {
    const auto now = clock::now();
    if (now < next_sign_) return;
    next_sign_ = now + between_signs_of_life;
    broker_.tell(names_->workers, to_text({{"id", id_}}));
  }

  /// Whether the run ended: it was said, or nobody speaks of it any more and it has no items.
  bool is_over() {
    if (connection::next(over_, 0)) return true;
    while (connection::next(announced_, 0)) heard_ = clock::now();
    if (clock::now() - heard_ < patience_with_silence) return false;
    bool answered = false;
    const bool is_there = broker_.state_of(names_->items, answered).has_value();
    heard_ = clock::now();
    return answered && !is_there;
  }

  const held_signals stop_;  // before the connection makes its threads
  const broker_work& work_;
  const std::atomic<bool>& run_ended_;
  connection broker_;
  std::string id_;
  std::optional<program_to_work_at> program_;
  run_description run_;
  std::optional<run_names> names_;
  options how_;
  subscription over_, hunger_, announced_;
  clock::time_point heard_, held_, next_sign_{};
  bool hungry_ = false;
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

[[noreturn]] void be_a_hand(const broker_work& work, const std::atomic<bool>& run_ended, pid_t parent) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(1);
  auto end = work_end::failed;
  try {
    end = hand(work, run_ended).run();
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
    if (id == 0) be_a_hand(work, *run_ended_, parent);
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
