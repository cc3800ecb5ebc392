#include "run.hpp"

#include <fcntl.h>
#include <poll.h>
#include <pty.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <sstream>
#include <stdexcept>
#include <thread>
#include <utility>

namespace e2e {
namespace {

constexpr auto patience = std::chrono::seconds(60);

struct streams {
  int in = -1;
  int out = -1;
  int err = -1;
};

[[noreturn]] void become(const std::vector<std::string>& words, const how_to_run& how) {
  std::signal(SIGPIPE, SIG_DFL);  // as a shell starts it
  if (how.largest_file != 0) {
    std::signal(SIGXFSZ, SIG_IGN);
    const rlimit limit{how.largest_file, how.largest_file};
    setrlimit(RLIMIT_FSIZE, &limit);
  }
  std::vector<char*> arguments;
  for (const auto& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  execvp(arguments[0], arguments.data());
  _exit(127);
}

pid_t start_on_terminal(const std::vector<std::string>& words, const how_to_run& how, streams& ours) {
  const auto child = forkpty(&ours.out, nullptr, nullptr, nullptr);
  if (child == 0) become(words, how);
  ours.in = dup(ours.out);
  return child;
}

pid_t start_in_pipes(const std::vector<std::string>& words, const how_to_run& how, streams& ours) {
  std::array<std::array<int, 2>, 3> pipes{};
  for (auto& p : pipes)
    if (pipe2(p.data(), O_CLOEXEC) != 0) throw std::runtime_error("pipe");
  if (!how.is_read) close(std::exchange(pipes[1][0], -1));
  const auto child = fork();
  if (child == 0) {
    dup2(pipes[0][0], 0);
    dup2(pipes[1][1], 1);
    dup2(pipes[2][1], 2);
    become(words, how);
  }
  close(pipes[0][0]);
  close(pipes[1][1]);
  close(pipes[2][1]);
  ours = {pipes[0][1], pipes[1][0], pipes[2][0]};
  return child;
}

/// False when the stream is at its end.
bool take(int file, std::string& text) {
  std::array<char, 65536> bytes;
  const auto count = read(file, bytes.data(), bytes.size());
  if (count <= 0) return false;
  text.append(bytes.data(), static_cast<std::size_t>(count));
  return true;
}

void collect(streams& ours, outcome& result, pid_t child) {
  const auto until = std::chrono::steady_clock::now() + patience;
  std::array<pollfd, 2> files = {pollfd{ours.out, POLLIN, 0}, pollfd{ours.err, POLLIN, 0}};
  while (files[0].fd >= 0 || files[1].fd >= 0) {
    if (std::chrono::steady_clock::now() > until) {
      kill(child, SIGKILL);
      result.err += "[killed: it, or a process of its own, had its output open for too long]";
      return;
    }
    poll(files.data(), files.size(), 1000);
    if (files[0].revents != 0 && !take(ours.out, result.out)) files[0].fd = -1;
    if (files[1].revents != 0 && !take(ours.err, result.err)) files[1].fd = -1;
  }
}

/// Fields of /proc/PID/stat after the name: the state is the first.
std::vector<std::string> stat_of(pid_t process) {
  const auto text = content_of("/proc/" + std::to_string(process) + "/stat");
  std::istringstream fields(text.substr(std::min(text.rfind(')') + 1, text.size())));
  return {std::istream_iterator<std::string>(fields), {}};
}

std::vector<std::string> after(const char* binary, std::vector<std::string> words) {
  words.insert(words.begin(), binary);
  return words;
}

}  // namespace

outcome run(const std::vector<std::string>& words, const how_to_run& how) {
  std::signal(SIGPIPE, SIG_IGN);
  streams ours;
  const auto child = how.on_terminal ? start_on_terminal(words, how, ours) : start_in_pipes(words, how, ours);
  if (child < 0) throw std::runtime_error("fork");
  if (how.meanwhile) how.meanwhile(child);
  if (write(ours.in, how.input.data(), how.input.size()) < 0 && !how.input.empty()) kill(child, SIGKILL);
  close(ours.in);
  outcome result;
  collect(ours, result, child);
  int status = 0;
  waitpid(child, &status, 0);
  if (ours.out >= 0) close(ours.out);
  if (ours.err >= 0) close(ours.err);
  result.status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return result;
}

outcome programs(std::vector<std::string> words, const how_to_run& how) {
  return run(after(E2E_PROGRAMS, std::move(words)), how);
}

outcome changed_programs(std::vector<std::string> words, const how_to_run& how) {
  return run(after(E2E_PROGRAMS_CHANGED, std::move(words)), how);
}

std::string programs_binary() { return E2E_PROGRAMS; }

pid_t busy_child_of(pid_t parent) {
  constexpr std::size_t user_time = 11;
  constexpr int ticks = 5;
  const auto id = std::to_string(parent);
  const auto until = std::chrono::steady_clock::now() + patience;
  while (std::chrono::steady_clock::now() < until) {
    const auto children = content_of("/proc/" + id + "/task/" + id + "/children");
    const auto child = static_cast<pid_t>(std::strtol(children.c_str(), nullptr, 10));
    const auto stat = child > 0 ? stat_of(child) : std::vector<std::string>();
    if (stat.size() > user_time && std::atoi(stat[user_time].c_str()) >= ticks) return child;
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  throw std::runtime_error("no child does anything");
}

bool can_run(const std::vector<std::string>& what) { return run(what).status == 0; }

std::string content_of(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

folder::folder() {
  auto name = (std::filesystem::temp_directory_path() / "harrier-e2e-XXXXXX").string();
  if (mkdtemp(name.data()) == nullptr) throw std::runtime_error("mkdtemp");
  path_ = name;
}

folder::~folder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

std::vector<std::string> folder::files() const {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(path_))
    names.push_back(entry.path().filename().string());
  return names;
}

}  // namespace e2e
