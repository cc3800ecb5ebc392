#include "console.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <stdio_ext.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>

#include <harrier/core/error.hpp>

#include "outputs.hpp"

namespace harrier {
namespace {

/// The text with the current folder's name taken from the files in it.
std::string seen_from_here(std::string text) {
  std::error_code ignored;
  const auto here = std::filesystem::current_path(ignored).string() + "/";
  if (here.size() < 2) return text;
  for (auto at = text.find(here); at != std::string::npos; at = text.find(here, at)) text.erase(at, here.size());
  return text;
}

std::string_view environment_variable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? std::string_view() : value;
}

void say_it_is_lost() {
  const int why = errno;
  __fpurge(stdout);  // or the rest would be written when the process ends, if it can be by then
  say_aside(fmt::format("harrier: cannot write to standard output: {}\n", std::strerror(why)));
}

}  // namespace

console::~console() {
  if (reserved_ >= 0) close(reserved_);
}

void console::reserve_stdout() {
  std::fflush(stdout);
  reserved_ = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3);
  if (reserved_ < 0 || dup2(STDERR_FILENO, STDOUT_FILENO) < 0)
    throw error(std::string("cannot write to standard output: ") + std::strerror(errno));
}

void console::write_reserved(std::string_view text) const {
  while (!text.empty()) {
    const auto written = write(reserved_, text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) throw error(std::string("cannot write to standard output: ") + std::strerror(errno));
    text.remove_prefix(static_cast<std::size_t>(written));
  }
}

bool console::is_coloured(colours wanted) const {
  if (wanted != colours::automatic) return wanted == colours::always;
  const auto terminal = environment_variable("TERM");
  return isatty(STDOUT_FILENO) == 1 && environment_variable("NO_COLOR").empty() && !terminal.empty() &&
         terminal != "dumb";
}

void console::say(const std::string& text) const { say_exactly(seen_from_here(text)); }

void console::say_exactly(const std::string& text) const {
  if (std::ferror(stdout) != 0) return;
  if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size() || std::fflush(stdout) != 0) say_it_is_lost();
}

void say_aside(const std::string& text) {
  std::fwrite(text.data(), 1, text.size(), stderr);
  std::fflush(stderr);
}

void begin_console() { std::clearerr(stdout); }

int conclude_console(int otherwise) {
  // What others have printed, a program that is explored in this process say.
  if (std::ferror(stdout) == 0 && std::fflush(stdout) != 0) say_it_is_lost();
  return std::ferror(stdout) == 0 ? otherwise : with_lost_output(otherwise);
}

void hold_standard_files() {
  for (const int file : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
    if (fcntl(file, F_GETFD) < 0 && errno == EBADF)
      static_cast<void>(open("/dev/null", file == STDERR_FILENO ? O_WRONLY : O_RDONLY));  // gets the lowest free number
}

}  // namespace harrier
