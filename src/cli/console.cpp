#include "console.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>

#include <harrier/core/error.hpp>

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

void console::say(const std::string& text) const {
  if (std::fputs(seen_from_here(text).c_str(), stdout) < 0 || std::fflush(stdout) != 0)
    throw error(std::string("cannot write to standard output: ") + std::strerror(errno));
}

}  // namespace harrier
