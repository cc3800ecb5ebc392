#include "child.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <iostream>
#include <tuple>
#include <utility>

#include <harrier/core/error.hpp>
#include <harrier/isolation/isolated_search.hpp>

#include "stack_overflow.hpp"

namespace harrier {
namespace {

using clock = std::chrono::steady_clock;
constexpr int milliseconds_between_looks = 50;

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

/// SIGINT and SIGTERM as something to poll, while it lives.
class interrupts {
public:
  interrupts() : old_mask_(blocked()), file_(signalfd(-1, &ours_, SFD_CLOEXEC | SFD_NONBLOCK)) {}
  interrupts(const interrupts&) = delete;
  interrupts& operator=(const interrupts&) = delete;
  ~interrupts() {
    while (take()) {}
    sigprocmask(SIG_SETMASK, &old_mask_, nullptr);
  }
  [[nodiscard]] int file() const { return file_.get(); }
  [[nodiscard]] bool take() const {
    signalfd_siginfo info;
    return read(file_.get(), &info, sizeof info) == sizeof info;
  }
  /// In the child: as if this had never been, but Ctrl-C is the parent's.
  void restore_in_child() const {
    std::signal(SIGINT, SIG_IGN);
    sigprocmask(SIG_SETMASK, &old_mask_, nullptr);
  }

private:
  sigset_t blocked() {
    sigset_t old;
    sigemptyset(&ours_);
    sigaddset(&ours_, SIGINT);
    sigaddset(&ours_, SIGTERM);
    sigprocmask(SIG_BLOCK, &ours_, &old);
    return old;
  }

  sigset_t ours_;
  sigset_t old_mask_;
  descriptor file_;
};

void write_line(int file, const json_value& json) {
  const auto line = to_text(json) + "\n";
  for (std::string_view rest = line; !rest.empty();) {
    const auto written = write(file, rest.data(), rest.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) _exit(1);  // the parent is gone
    rest.remove_prefix(static_cast<std::size_t>(written));
  }
}

void silence() {
  const descriptor nowhere(open("/dev/null", O_WRONLY | O_CLOEXEC));
  if (nowhere.get() < 0) return;
  dup2(nowhere.get(), STDOUT_FILENO);
  dup2(nowhere.get(), STDERR_FILENO);
}

[[noreturn]] void be_the_child(int file, pid_t parent, const watch& noted, const child_work& work) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(1);
  const rlimit no_core{0, 0};
  setrlimit(RLIMIT_CORE, &no_core);
  notice_stack_overflow(noted.noted().stack_overflowed);
  if (work.quiet) silence();
  const auto tell = [file](const json_value& json) { write_line(file, json); };
  const auto fail = [&](const char* what, bool is_untestable) {
    tell({{"failure", what}, {"untestable", is_untestable}});
  };
  try {
    work.run(tell);
  } catch (const untestable_program& e) {
    fail(e.what(), true);
  } catch (const std::exception& e) {
    fail(e.what(), false);
  }
  std::cout.flush();
  std::fflush(nullptr);
  tell({{"done", true}});
  _exit(0);
}

/// Splits what comes through the pipe into lines.
class line_reader {
public:
  explicit line_reader(int file) : file_(file) {}

  /// Reads once; calls `hear` for each complete line. False at the end.
  template <class Hear>
  bool read_some(Hear hear) {
    std::array<char, 65536> bytes;
    const auto count = read(file_, bytes.data(), bytes.size());
    if (count < 0) return errno == EINTR || errno == EAGAIN;
    if (count == 0) return false;
    auto unread = std::string_view(bytes.data(), static_cast<std::size_t>(count));
    for (auto end = unread.find('\n'); end != std::string_view::npos; end = unread.find('\n')) {
      rest_ += unread.substr(0, end);
      hear(std::exchange(rest_, {}));
      unread.remove_prefix(end + 1);
    }
    rest_ += unread;
    return true;
  }

private:
  int file_;
  std::string rest_;
};

/// Notices that one handler has been running too long.
class stopwatch {
public:
  stopwatch(const watch& noted, double limit) : noted_(noted), limit_(limit) {}

  bool is_over() {
    const auto seen = look();
    const auto now = clock::now();
    if (!noted_.in_handler() || seen != seen_) {
      seen_ = seen;
      since_ = now;
    }
    return std::chrono::duration<double>(now - since_).count() >= limit_;
  }

private:
  using sample = std::tuple<std::uint64_t, std::uint64_t, std::uint64_t, std::uint64_t, std::uint32_t, std::uint32_t>;
  [[nodiscard]] sample look() const {
    const volatile auto& n = noted_.noted();
    return {n.first.begun, n.first.ended, n.later.begun, n.later.ended, n.asked, n.started};
  }

  const watch& noted_;
  double limit_;
  sample seen_;
  clock::time_point since_ = clock::now();
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

/// The parent's side: hears the child until it is done, dead, late or unwanted.
class supervisor {
public:
  supervisor(const watch& noted, double handler_limit, const child_work& work)
      : work_(work), late_(noted, handler_limit) {}

  child_end supervise(forked& child, int pipe, const interrupts& stop) {
    line_reader lines(pipe);
    std::array<pollfd, 2> waiting = {pollfd{pipe, POLLIN, 0}, pollfd{stop.file(), POLLIN, 0}};
    auto way = child_end::how::died;
    for (bool open = true; open && !done_;) {
      poll(waiting.data(), waiting.size(), milliseconds_between_looks);
      if (waiting[0].revents != 0) open = lines.read_some([&](const std::string& line) { hear(line); });
      work_.tick();
      if (stop.take()) way = child_end::how::interrupted;
      if (late_.is_over()) way = child_end::how::did_not_end;
      if (way != child_end::how::died) break;
    }
    child.stop();  // if it is not dead: late, unwanted, or done but for its exit
    while (!done_ && lines.read_some([&](const std::string& line) { hear(line); })) {}
    return {done_ ? child_end::how::finished : way, child.end()};
  }
  void rethrow_failure() const {
    if (failure_.empty()) return;
    if (untestable_) throw untestable_program(failure_);
    throw error(failure_);
  }

private:
  void hear(const std::string& line) {
    const auto json = json_value::parse(line);
    if (json.contains("done")) {
      done_ = true;
    } else if (json.contains("failure")) {
      failure_ = json.at("failure").get<std::string>();
      untestable_ = json.at("untestable").get<bool>();
    } else {
      work_.hear(json);
    }
  }

  const child_work& work_;
  stopwatch late_;
  bool done_ = false;
  bool untestable_ = false;
  std::string failure_;
};

}  // namespace

child_end run_in_child(const watch& noted, double handler_limit, const child_work& work) {
  std::fflush(nullptr);
  std::array<int, 2> ends{};
  if (pipe2(ends.data(), O_CLOEXEC) != 0) no_child();
  descriptor reading(ends[0]);
  descriptor writing(ends[1]);
  const interrupts stop;
  const auto parent = getpid();
  const auto id = fork();
  if (id < 0) no_child();
  if (id == 0) {
    reading.reset();
    stop.restore_in_child();
    be_the_child(writing.get(), parent, noted, work);
  }
  forked child(id);
  writing.reset();
  supervisor parent_side(noted, handler_limit, work);
  const auto end = parent_side.supervise(child, reading.get(), stop);
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
