#include "test_in_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <spawn.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <string_view>
#include <vector>

#include <harrier/core/error.hpp>
#include <harrier/core/printable.hpp>

#include "connection.hpp"
#include "jobs.hpp"

namespace harrier {
namespace {

// Not HARRIER_...: those are settings, and people set them.
constexpr auto variable = "_HARRIER_JOB";
constexpr int where_it_comes = 3;
constexpr int milliseconds_between_looks = 200;

/// The process that does one job, as long as this is there.
class test_process {
public:
  explicit test_process(const test_in_file& test) {
    std::array<int, 2> ends{};
    if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0) fail(test, errno);
    over_ = ends[0];
    const std::string filter = "--gtest_filter=" + test.name;
    std::array<char*, 3> words = {const_cast<char*>(test.file.c_str()), const_cast<char*>(filter.c_str()), nullptr};
    const auto job = fmt::format("{}={}", variable, where_it_comes);
    std::vector<char*> variables;
    for (auto** entry = environ; *entry != nullptr; ++entry) variables.push_back(*entry);
    variables.push_back(const_cast<char*>(job.c_str()));
    variables.push_back(nullptr);
    posix_spawn_file_actions_t files;
    posix_spawn_file_actions_init(&files);
    posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&files, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
    posix_spawn_file_actions_adddup2(&files, STDOUT_FILENO, STDERR_FILENO);
    posix_spawn_file_actions_adddup2(&files, ends[1], where_it_comes);
    const int problem = ::posix_spawn(&process_, words[0], &files, nullptr, words.data(), variables.data());
    posix_spawn_file_actions_destroy(&files);
    ::close(ends[1]);
    if (problem == 0) return;
    ::close(over_);
    fail(test, problem);
  }
  test_process(const test_process&) = delete;
  test_process& operator=(const test_process&) = delete;
  ~test_process() {
    ::close(over_);
    ::kill(process_, SIGKILL);  // its own child ends with it
    while (::waitpid(process_, nullptr, 0) < 0 && errno == EINTR) continue;
  }

  void ask(const json_value& job) const {
    write_all(over_, to_text(job));
    ::shutdown(over_, SHUT_WR);
  }

  /// @return what it tells next; empty: no more.
  std::string next_line(const std::function<bool()>& is_wanted) {
    for (;;) {
      if (const auto end = rest_.find('\n'); end != std::string::npos) {
        auto line = rest_.substr(0, end);
        rest_.erase(0, end + 1);
        return line;
      }
      pollfd look{over_, POLLIN, 0};
      const int count = ::poll(&look, 1, milliseconds_between_looks);
      if (count <= 0) {
        if (!is_wanted()) throw error("it is not wanted any more");
        continue;
      }
      std::array<char, 65536> bytes{};
      const auto got = ::read(over_, bytes.data(), bytes.size());
      if (got < 0 && errno == EINTR) continue;
      if (got <= 0) return {};
      rest_.append(bytes.data(), static_cast<std::size_t>(got));
    }
  }

private:
  [[noreturn]] static void fail(const test_in_file& test, int problem) {
    throw error(fmt::format("cannot start {}: {}", printable(test.file), std::strerror(problem)));
  }

  int over_ = -1;
  pid_t process_ = -1;
  std::string rest_;
};

}  // namespace

void have_done_by(const test_in_file& test, const json_value& job, const std::function<void(const json_value&)>& tell,
                  const std::function<bool()>& is_wanted) {
  test_process process(test);
  process.ask(job);
  bool any = false;
  for (auto line = process.next_line(is_wanted); !line.empty(); line = process.next_line(is_wanted)) {
    any = true;
    tell(json_value::parse(line));
  }
  if (!any)
    throw error(fmt::format("{} has not run {} as an ETEST of harrier's ({} --gtest_list_tests lists what it has)",
                            printable(test.file), printable(test.name), printable(test.file)));
}

int job_for_test() {
  const auto* const asked = std::getenv(variable);
  return asked == nullptr || asked != std::to_string(where_it_comes) ? -1 : where_it_comes;
}

void do_job_for_page(const explorable& of, int over) {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  ::fcntl(over, F_SETFD, FD_CLOEXEC);
  ::unsetenv(variable);  // it is this process's job, none of those that a test may start
  const auto tell = [over](const json_value& what) { write_all(over, to_text(what) + "\n"); };
  std::string asked;
  std::array<char, 65536> bytes{};
  for (;;) {
    const auto got = ::read(over, bytes.data(), bytes.size());
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) break;
    asked.append(bytes.data(), static_cast<std::size_t>(got));
  }
  if (asked.empty()) ::_exit(1);  // nobody asked, and no test was run
  try {
    do_job(of, json_value::parse(asked), tell, [over] { return is_listened_to(over); });
  } catch (const std::exception& e) {
    tell({{"error", e.what()}});
  }
  ::_exit(0);
}

}  // namespace harrier
