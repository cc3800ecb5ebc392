#include "source_lines.hpp"

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <set>
#include <sstream>
#include <system_error>
#include <utility>

extern char** environ;

namespace harrier {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t most_at_once = 500;     // arguments of one command
constexpr std::chrono::seconds patience(20);  // a file of 150 MiB takes a fourth of a second
constexpr std::string_view before_place = "+0x";

/// `/usr/bin/bank+0x12f0` in two; nothing in either where it is not like that.
std::pair<std::string, std::string> file_and_place(const std::string& handler) {
  const auto at = handler.rfind(before_place);
  if (at == std::string::npos || at == 0) return {};
  return {handler.substr(0, at), handler.substr(at + 1)};
}

/// What it says within `patience`; empty if it cannot be run.
std::string output_of(const std::vector<std::string>& command) {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) return {};
  std::vector<char*> words;
  for (const auto& word : command) words.push_back(const_cast<char*>(word.c_str()));
  words.push_back(nullptr);
  posix_spawn_file_actions_t files;
  posix_spawn_file_actions_init(&files);
  posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&files, ends[1], STDOUT_FILENO);
  posix_spawn_file_actions_addopen(&files, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
  pid_t process = 0;
  const int problem = ::posix_spawnp(&process, words[0], &files, nullptr, words.data(), environ);
  posix_spawn_file_actions_destroy(&files);
  ::close(ends[1]);
  std::string all;
  if (problem == 0) {
    const auto until = std::chrono::steady_clock::now() + patience;
    char some[4096];
    for (;;) {
      const auto left =
          std::chrono::duration_cast<std::chrono::milliseconds>(until - std::chrono::steady_clock::now()).count();
      pollfd ready = {ends[0], POLLIN, 0};
      const int count = left <= 0 ? 0 : ::poll(&ready, 1, static_cast<int>(left));
      if (count < 0 && errno == EINTR) continue;
      const auto got = count > 0 ? ::read(ends[0], some, sizeof some) : -1;
      if (got <= 0) break;
      all.append(some, static_cast<std::size_t>(got));
    }
    ::kill(process, SIGKILL);  // nothing, once it has ended
    while (::waitpid(process, nullptr, 0) < 0 && errno == EINTR) continue;
  }
  ::close(ends[0]);
  return all;
}

/// `/a/b/../c.cpp:42 (discriminator 2)` without what is not part of it; empty for `??:0`.
std::string without_remarks(std::string line) {
  if (const auto more = line.find(" (discriminator"); more != std::string::npos) line.resize(more);
  const auto colon = line.rfind(':');
  if (colon == std::string::npos || line.starts_with("??")) return {};
  const auto number = line.substr(colon + 1);
  if (number.empty() || number == "0" || number == "?") return {};
  return fs::path(line.substr(0, colon)).lexically_normal().string() + ":" + number;
}

/// By file: what is asked of it, each once.
using places_in_files = std::map<std::string, std::vector<std::string>>;

/// Asks `addr2line`, with these options, for some at a time. @param hear  is given what it answers to these.
template <class Hear>
void ask_in_parts(const places_in_files& all, const std::vector<std::string>& options, Hear hear) {
  for (const auto& [file, places] : all)
    for (std::size_t i = 0; i < places.size(); i += most_at_once) {
      const std::vector<std::string> some(
          places.begin() + static_cast<std::ptrdiff_t>(i),
          places.begin() + static_cast<std::ptrdiff_t>(std::min(places.size(), i + most_at_once)));
      std::vector<std::string> command = {"addr2line", "-e", file};
      command.insert(command.end(), options.begin(), options.end());
      command.insert(command.end(), some.begin(), some.end());
      std::istringstream answer(output_of(command));
      hear(file, some, answer);
    }
}

}  // namespace

std::string line_seen_from_here(std::string line) {
  line = without_remarks(std::move(line));
  if (line.empty()) return line;
  std::error_code failed;
  const auto relative = fs::path(line).lexically_relative(fs::current_path(failed));
  const bool is_below = !failed && !relative.empty() && *relative.begin() != "..";
  return is_below ? relative.string() : line;
}

void source_lines::learn(const std::vector<trace_step>& steps) {
  std::map<std::string, std::set<std::string>> missing;
  for (const auto& step : steps) {
    const auto [file, place] = file_and_place(step.handler);
    if (!file.empty() && !known_.contains(step.handler)) missing[file].insert(place);
  }
  places_in_files all;
  for (const auto& [file, places] : missing) all[file].assign(places.begin(), places.end());
  ask_in_parts(all, {}, [this](const std::string& file, const std::vector<std::string>& places, std::istream& answer) {
    for (const auto& place : places) {
      std::string line;
      std::getline(answer, line);
      known_[file + "+" + place] = line_seen_from_here(line);
    }
  });
}

std::string source_lines::of(const trace_step& step) const {
  const auto found = known_.find(step.handler);
  return found != known_.end() ? found->second : std::string();
}

inlined_lines::inlined_lines(const std::vector<std::string>& places) {
  places_in_files all;
  for (const auto& place : places) {
    const auto [file, address] = file_and_place(place);
    if (!file.empty()) all[file].push_back(address);
  }
  // An answer is the address, and then two lines for each function, the innermost first.
  ask_in_parts(all, {"-a", "-f", "-i", "-C"},
               [this](const std::string& file, const std::vector<std::string>& some, std::istream& answer) {
                 std::size_t begun = 0;
                 for (std::string word, line; std::getline(answer, word);)
                   if (word.starts_with("0x"))
                     ++begun;
                   else if (std::getline(answer, line) && begun > 0 && begun <= some.size())
                     if (auto known = without_remarks(line); !known.empty())
                       known_[file + "+" + some[begun - 1]].push_back({std::move(word), std::move(known)});
               });
}

const std::vector<line_of_code>& inlined_lines::of(const std::string& place) const {
  static const std::vector<line_of_code> none;
  const auto found = known_.find(place);
  return found != known_.end() ? found->second : none;
}

}  // namespace harrier
