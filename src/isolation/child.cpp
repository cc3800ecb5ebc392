#include "child.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <pthread.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <functional>
#include <iostream>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

#include <harrier/core/error.hpp>
#include <harrier/isolation/isolated_search.hpp>

#include "../core/base/current_exception.hpp"
#include "../explore/limits.hpp"
#include "failing_writes.hpp"
#include "stack_overflow.hpp"

namespace harrier {
namespace {

using clock = std::chrono::steady_clock;
constexpr int milliseconds_between_looks = 50;
constexpr int milliseconds_between_looks_at_memory = 10;
/// What was asked to stop, or has no time left, is given so long to come to its end by itself.
constexpr auto time_to_stop = std::chrono::milliseconds(500);
/// And so long once it has noticed that it was asked; the second is for what is to be saved.
constexpr auto time_to_conclude = std::chrono::milliseconds(800);
constexpr auto time_to_save = std::chrono::seconds(2);
/// What has too much memory may have more of it every millisecond.
constexpr auto time_to_shrink = std::chrono::milliseconds(150);
constexpr double least_slack_mib = 64;

double seconds_between(clock::time_point from, clock::time_point to) {
  return std::chrono::duration<double>(to - from).count();
}

[[noreturn]] void no_child() {
  throw no_child_process(std::string("cannot start a child process to run the program in: ") + std::strerror(errno));
}

/// A file descriptor that is closed at the end.
class descriptor {
public:
  explicit descriptor(int number) : number_(number) {}
  descriptor(descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
  descriptor& operator=(descriptor&&) = delete;
  ~descriptor() { reset(); }
  void reset() {
    if (number_ >= 0) close(std::exchange(number_, -1));
  }
  [[nodiscard]] int get() const { return number_; }

private:
  int number_;
};

sigset_t interrupting_signals() {
  sigset_t all;
  sigemptyset(&all);
  sigaddset(&all, SIGINT);
  sigaddset(&all, SIGTERM);
  return all;
}

/// A handler that ends its process so does.
void end_if_own_will(int signal, siginfo_t* info, void* /*context*/) {
  if (info->si_pid != getpid()) return;
  std::signal(signal, SIG_DFL);
  raise(signal);
}

void silence() {
  const descriptor nowhere(open("/dev/null", O_WRONLY | O_CLOEXEC));
  if (nowhere.get() < 0) return;
  dup2(nowhere.get(), STDOUT_FILENO);
  dup2(nowhere.get(), STDERR_FILENO);
}

/// Who forks: a process that dies before its child has said that it ends with it
/// would leave that behind, with everything open that keeps others waiting.
pid_t forking = 0;
void note_who_forks() { forking = getpid(); }
/// Of a process that a handler forks: it ends when the child does.
void end_with_parent() {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != forking) _exit(1);
}

[[noreturn]] void be_the_child(pid_t parent, const watch& noted, const child_work& work) {
  forking = parent;
  end_with_parent();
  pthread_atfork(note_who_forks, nullptr, end_with_parent);
  noted.keep_from_forks();
  const rlimit no_core{0, 0};
  setrlimit(RLIMIT_CORE, &no_core);
  notice_stack_overflow(noted.noted().stack_overflowed);
  let_only_own_writes_fail();
  if (work.quiet) silence();
  const child_voice tell(noted.noted().told);
  const auto fail = [&](const char* what, bool is_untestable) {
    tell({{"failure", what}, {"untestable", is_untestable}});
  };
  try {
    work.run(tell);
  } catch (const untestable_program& e) {
    fail(e.what(), true);
  } catch (const error& e) {
    fail(e.what(), false);
  } catch (...) {
    fail(text_of_current_exception().c_str(), noted.before_first_message());
  }
  std::cout.flush();
  std::fflush(nullptr);
  tell({{"done", true}});
  _exit(0);
}

/// Takes apart what the child tells: lines, of which one may say how many bytes follow it.
class listener {
public:
  explicit listener(byte_queue& from) : from_(from) {}

  /// Calls `hear` for each line that is complete by now, some of them if there are
  /// ever more, and `hear_bytes` for what follows one of which `hear` returned how much that is.
  /// @return whether there was anything to read.
  template <class Hear, class HearBytes>
  bool read(Hear hear, HearBytes hear_bytes) {
    constexpr int most_at_once = 16;
    std::array<char, 65536> bytes;
    bool any = false;
    for (int i = 0; i < most_at_once; ++i) {
      const auto count = from_.take(bytes);
      if (count == 0) break;
      any = true;
      for (auto unread = std::string_view(bytes.data(), count); !unread.empty();) {
        const auto end = bytes_to_come_ > 0 ? bytes_to_come_ - rest_.size() : unread.find('\n');
        const auto taken = std::min(end, unread.size());
        rest_ += unread.substr(0, taken);
        if (end > unread.size()) break;
        unread.remove_prefix(taken);
        if (std::exchange(bytes_to_come_, 0) > 0) {
          hear_bytes(std::exchange(rest_, {}));
          continue;
        }
        unread.remove_prefix(1);
        bytes_to_come_ = hear(std::exchange(rest_, {}));
      }
    }
    return any;
  }

private:
  byte_queue& from_;
  std::string rest_;
  std::size_t bytes_to_come_ = 0;
};

/// Notices that one handler has been running too long, or that nothing at all
/// happens.
class stopwatch {
public:
  stopwatch(const watch& noted, double limit) : noted_(noted), limit_(limit), patience_(limit) {}

  /// @param silent  child_work::silent.
  template <class Silent>
  bool is_over(const Silent& silent) {
    const auto now = clock::now();
    if (noted_.workers().size() > 1 && one_is_over(now)) return true;
    if (const auto seen = look(); seen != seen_) {
      seen_ = seen;
      since_ = now;
      patience_ = limit_;
    }
    const auto passed = std::chrono::duration<double>(now - since_).count();
    if (noted_.in_handler()) return passed >= limit_;
    if (passed < patience_) return false;
    patience_ = 2 * passed;
    return silent([this] { return look() != seen_; });
  }

  /// The worker whose handler is.
  [[nodiscard]] std::size_t worker() const { return worker_; }

private:
  using sample = std::array<std::uint64_t, 8>;
  [[nodiscard]] sample look() const {
    const volatile auto& n = noted_.noted();
    std::uint64_t begun = 0;
    std::uint64_t ended = 0;
    for (const auto& w : noted_.workers()) {
      const volatile auto& record = *w.record;
      begun += record.begun;
      ended += record.ended;
    }
    return {begun,   ended,     n.later.begun, n.later.ended,
            n.asked, n.started, n.call.number, noted_.noted().told.put_so_far()};
  }
  /// Whether one of several workers has been in one handler for too long.
  bool one_is_over(clock::time_point now) {
    each_.resize(noted_.workers().size(), {0, now});
    for (std::size_t i = 0; i < each_.size(); ++i) {
      const volatile auto& record = *noted_.workers()[i].record;
      auto& [begun, since] = each_[i];
      if (begun != record.begun || !noted_.is_in_handler(i)) {
        begun = record.begun;
        since = now;
      }
      if (std::chrono::duration<double>(now - since).count() < limit_) continue;
      worker_ = i;
      return true;
    }
    return false;
  }

  const watch& noted_;
  double limit_;
  double patience_;
  sample seen_{};
  clock::time_point since_ = clock::now();
  std::vector<std::pair<std::uint64_t, clock::time_point>> each_;  // of the workers: handlers begun, and since when
  std::size_t worker_ = 0;
};

/// The child as its parent has it: killed and waited for, whatever happens.
class forked {
public:
  explicit forked(pid_t id) : id_(id) {}
  forked(const forked&) = delete;
  forked& operator=(const forked&) = delete;
  ~forked() {
    if (is_there_) static_cast<void>(end());
  }
  void stop() const { kill(id_, SIGKILL); }
  [[nodiscard]] pid_t id() const { return id_; }
  [[nodiscard]] bool is_dead() const {
    siginfo_t info{};
    return waitid(P_PID, static_cast<id_t>(id_), &info, WEXITED | WNOHANG | WNOWAIT) == 0 && info.si_pid == id_;
  }
  /// Kills it unless it is dead. @return waitpid's status.
  int end() {
    stop();
    is_there_ = false;
    int status = 0;
    while (waitpid(id_, &status, 0) < 0 && errno == EINTR) {}
    return status;
  }

private:
  pid_t id_;
  bool is_there_ = true;
};

/// The limits of a child as a whole: its parent looks whether it keeps them, since
/// a handler, or whatever else keeps it busy, does not.
class warden {
public:
  warden(const watch& noted, const child_bounds& bounds, bool stops_by_itself)
      : noted_(noted), bounds_(bounds), stops_by_itself_(stops_by_itself) {}

  [[nodiscard]] bool is_late() const {
    if (bounds_.seconds <= 0 || is_on_its_way_out()) return false;
    return seconds_between(started_, clock::now()) >= bounds_.seconds + seconds_to_obey();
  }
  bool is_too_large(pid_t child) {
    if (bounds_.max_memory == 0 || is_on_its_way_out()) return false;
    const auto most = static_cast<double>(bounds_.max_memory);
    const auto mib = resident_mib(child);
    if (mib < most) {
      too_large_since_.reset();
      return false;
    }
    const auto slack = std::max(most / 4, least_slack_mib);
    if (search_is_over()) return mib >= 2 * most + slack;  // what it kept is not given back yet
    const auto now = clock::now();
    if (!too_large_since_) too_large_since_ = now;
    return mib >= most + slack || !stops_by_itself_ || now - *too_large_since_ >= time_to_shrink;
  }
  [[nodiscard]] int milliseconds_between_looks() const {
    return bounds_.max_memory > 0 ? milliseconds_between_looks_at_memory : harrier::milliseconds_between_looks;
  }

private:
  /// Nothing of the program's runs.
  [[nodiscard]] bool is_on_its_way_out() const {
    const volatile auto& only_tells = noted_.noted().only_tells;
    return only_tells || noted_.noted().is_writing;
  }
  [[nodiscard]] bool search_is_over() const {
    const volatile auto& searched = noted_.noted().first;
    return searched.search_is_over;
  }
  [[nodiscard]] double seconds_to_obey() const {
    if (!stops_by_itself_) return 0;
    const auto moment = std::chrono::duration<double>(time_to_stop).count();
    return search_is_over() ? moment + seconds_to_conclude(bounds_.seconds) : moment;
  }

  const watch& noted_;
  const child_bounds& bounds_;
  bool stops_by_itself_;
  clock::time_point started_ = clock::now();
  std::optional<clock::time_point> too_large_since_;
};

/// The parent's side: hears the child until it is done, dead, late or unwanted.
class supervisor {
public:
  supervisor(const watch& noted, const child_bounds& bounds, const child_work& work)
      : noted_(noted),
        work_(work),
        endless_(noted, bounds.handler_limit),
        limits_(noted, bounds, work.stops_when_asked),
        told_(noted.noted().told) {}

  /// @param alive  hangs up when the child is dead, or a little later; earlier if
  ///               it closes what it has open.
  /// @param noticed  how many signals had come before there was a child.
  child_end supervise(forked& child, int alive, interruption& stop, int noticed) {
    stops_ = noticed;
    std::array<pollfd, 2> waiting = {pollfd{alive, POLLIN, 0}, pollfd{stop.file(), POLLIN, 0}};
    auto way = child_end::how::died;
    bool told = false;
    while (!done_ && way == child_end::how::died) {
      // Who told something tells more.
      poll(waiting.data(), waiting.size(), told ? 1 : limits_.milliseconds_between_looks());
      if (waiting[0].revents != 0) waiting[0].fd = -1;
      const bool is_dead = child.is_dead();
      told = hear_some();
      if (is_dead) break;
      work_.tick();
      if (stop.count() > stops_ && !ask_to_stop(stop.count())) way = child_end::how::interrupted;
      if (has_not_stopped()) way = child_end::how::interrupted;
      if (way != child_end::how::died) break;
      if (limits_.is_too_large(child.id()))
        way = child_end::how::too_large;
      else if (limits_.is_late())
        way = child_end::how::late;
      else if (endless_.is_over(work_.silent))
        way = child_end::how::did_not_end;
    }
    child.stop();  // if it is not dead: late, unwanted, or done but for its exit
    const auto status = child.end();
    while (hear_some()) {}
    return {done_ ? child_end::how::finished : way, status, endless_.worker()};
  }
  void rethrow_failure() const {
    if (failure_.empty()) return;
    if (untestable_) throw untestable_program(failure_);
    throw error(failure_);
  }

private:
  /// The first time, and if the child looks for it.
  bool ask_to_stop(int stops) {
    stops_ = stops;
    if (!work_.stops_when_asked || asked_) return false;
    asked_ = clock::now();
    noted_.noted().stop_asked = true;
    return true;
  }
  /// It was asked to, and goes on in what it does: a handler, say.
  [[nodiscard]] bool has_not_stopped() {
    if (asked_ && noted_.noted().is_writing) asked_ = clock::now();  // which it will come to the end of
    if (!asked_) return false;
    const auto passed = clock::now() - *asked_;
    if (!noted_.noted().stop_noticed) return passed > time_to_stop;
    return passed > time_to_conclude && (!work_.saves_first || passed > time_to_save);
  }
  bool hear_some() {
    return told_.read([&](const std::string& line) { return hear(line); },
                      [&](std::string bytes) { work_.hear_bytes(std::move(bytes)); });
  }

  /// @return how many bytes follow it that are no lines
  std::size_t hear(const std::string& line) {
    const auto json = json_value::parse(line, nullptr, /*allow_exceptions=*/false);
    if (json.is_discarded()) return 0;  // a handler wrote over it
    if (const auto bytes = json.find("bytes"); bytes != json.end()) {
      const auto count = bytes->is_number_unsigned() ? bytes->get<std::size_t>() : 0;
      if (count == 0) work_.hear_bytes({});
      return count;
    }
    if (json.contains("done")) {
      done_ = true;
    } else if (json.contains("failure")) {
      failure_ = json.at("failure").get<std::string>();
      untestable_ = json.at("untestable").get<bool>();
    } else {
      work_.hear(json);
    }
    return 0;
  }

  const watch& noted_;
  const child_work& work_;
  stopwatch endless_;
  warden limits_;
  listener told_;
  int stops_ = 0;
  std::optional<clock::time_point> asked_;
  bool done_ = false;
  bool untestable_ = false;
  std::string failure_;
};

}  // namespace

void child_voice::put(std::string_view what) const {
  while (!what.empty()) {
    const auto written = to_->put(what);
    what.remove_prefix(written);
    if (written == 0) std::this_thread::sleep_for(std::chrono::milliseconds(1));  // until the parent has read some
  }
}

void child_voice::operator()(const json_value& what) const { put(to_text(what) + "\n"); }

void child_voice::bytes(std::string_view what) const {
  (*this)({{"bytes", what.size()}});
  put(what);
}

interruption::interruption() {
  const auto ours = interrupting_signals();
  file_ = signalfd(-1, &ours, SFD_CLOEXEC | SFD_NONBLOCK);
  if (file_ < 0) no_child();
  sigprocmask(SIG_BLOCK, &ours, &old_mask_);
}

interruption::~interruption() {
  static_cast<void>(count());
  sigprocmask(SIG_SETMASK, &old_mask_, nullptr);
  close(file_);
}

int interruption::count() {
  signalfd_siginfo info;
  while (read(file_, &info, sizeof info) == sizeof info) ++count_;
  return count_;
}

void interruption::restore_in_child() const {
  std::signal(SIGINT, SIG_IGN);
  struct sigaction action {};
  action.sa_sigaction = end_if_own_will;
  action.sa_flags = SA_SIGINFO | SA_RESTART;
  sigaction(SIGTERM, &action, nullptr);
  sigprocmask(SIG_SETMASK, &old_mask_, nullptr);
}

child_end run_in_child(const watch& noted, const child_bounds& bounds, const child_work& work) {
  std::fflush(nullptr);
  std::array<int, 2> ends{};
  if (pipe2(ends.data(), O_CLOEXEC) != 0) no_child();
  descriptor reading(ends[0]);
  descriptor writing(ends[1]);
  std::optional<interruption> own;
  auto& stop = bounds.stop != nullptr ? *bounds.stop : own.emplace();
  const auto noticed = stop.count();
  const auto parent = getpid();
  const auto id = fork();
  if (id < 0) no_child();
  if (id == 0) {
    reading.reset();
    stop.restore_in_child();
    be_the_child(parent, noted, work);
  }
  forked child(id);
  writing.reset();
  supervisor parent_side(noted, bounds, work);
  const auto end = parent_side.supervise(child, reading.get(), stop, noticed);
  if (end.way == child_end::how::finished) parent_side.rethrow_failure();
  return end;
}

std::string reason_of(const child_end& end, const watch& noted) {
  if (WIFEXITED(end.status)) return fmt::format("exit status {}", WEXITSTATUS(end.status));
  if (noted.noted().stack_overflowed) return "SIGSEGV, the stack overflowed";
  const auto* name = sigabbrev_np(WTERMSIG(end.status));
  return name == nullptr ? fmt::format("signal {}", WTERMSIG(end.status)) : fmt::format("SIG{}", name);
}

}  // namespace harrier
