#include <harrier/report/write_file.hpp>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <utility>

#include <harrier/core/error.hpp>

#include "../core/base/trusted_place.hpp"

namespace harrier {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void fail(const std::string& path) {
  throw error("cannot write " + path + ": " + std::strerror(errno) + "; give another file");
}

/// The file that a chain of links ends at, so that a rename replaces the file
/// and not the link.
std::string target_of(const std::string& path) {
  std::error_code ignored;
  if (!fs::is_symlink(path, ignored)) return path;
  if (is_link_of_another(path))
    throw error("cannot write " + path +
                ": it is a link that another user made in a folder that is shared; give another "
                "file");
  const auto target = fs::weakly_canonical(path, ignored);
  return ignored ? path : target.string();
}

bool is_special(const std::string& path) {
  struct stat info {};
  return stat(path.c_str(), &info) == 0 && !S_ISREG(info.st_mode);
}

/// An open file; closed at the end, and deleted then if it is still temporary.
class output {
public:
  output(int file, std::string temporary) : file_(file), temporary_(std::move(temporary)) {}
  output(const output&) = delete;
  output& operator=(const output&) = delete;
  ~output() {
    if (file_ >= 0) close(file_);
    if (!temporary_.empty()) unlink(temporary_.c_str());
  }

  [[nodiscard]] bool write_all(std::string_view content) const {
    while (!content.empty()) {
      const auto written = ::write(file_, content.data(), content.size());
      if (written < 0 && errno == EINTR) continue;
      if (written < 0) return false;
      content.remove_prefix(static_cast<std::size_t>(written));
    }
    return true;
  }
  /// Whether all that was written is on the disk.
  [[nodiscard]] bool finish() {
    const bool synced = fsync(file_) == 0 || errno == EINVAL || errno == EROFS;  // a pipe cannot be synced
    const bool closed = close(std::exchange(file_, -1)) == 0;
    return synced && closed;
  }
  [[nodiscard]] bool rename_to(const std::string& path) {
    if (rename(temporary_.c_str(), path.c_str()) != 0) return false;
    temporary_.clear();
    return true;
  }

private:
  int file_;
  std::string temporary_;
};

output temporary_beside(const std::string& target, const std::string& asked) {
  auto name = target + ".XXXXXX";
  const int file = mkstemp(name.data());
  if (file < 0) fail(asked);
  const auto mask = umask(0);
  umask(mask);
  struct stat old {};
  const auto mode = stat(target.c_str(), &old) == 0 ? old.st_mode & 07777U : 0666U & ~mask;
  static_cast<void>(fchmod(file, mode));
  return {file, name};
}

/// A rename that was not synced may be lost with the power, but is never half
/// done; so a folder that cannot be synced is no failure.
void sync_folder_of(const std::string& path) {
  auto folder = fs::path(path).parent_path();
  if (folder.empty()) folder = ".";
  const int file = open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (file < 0) return;
  static_cast<void>(fsync(file));
  close(file);
}

bool is_fifo(const std::string& path) {
  struct stat info {};
  return stat(path.c_str(), &info) == 0 && S_ISFIFO(info.st_mode);
}

output open_special(const std::string& path) {
  // To wait for somebody who reads a pipe would be to wait for ever if there is nobody.
  const int file = open(path.c_str(), O_WRONLY | O_CLOEXEC | O_NONBLOCK);
  if (file < 0 && errno == ENXIO && is_fifo(path))
    throw error("cannot write " + path + ": nobody reads that pipe; give another file");
  if (file < 0) fail(path);
  static_cast<void>(fcntl(file, F_SETFL, O_WRONLY));
  return {file, {}};
}

}  // namespace

void write_file(const std::string& path, std::string_view content) {
  const auto target = target_of(path);
  if (is_special(target)) {
    auto out = open_special(target);
    if (!out.write_all(content) || !out.finish()) fail(path);
    return;
  }
  auto out = temporary_beside(target, path);
  if (!out.write_all(content) || !out.finish() || !out.rename_to(target)) fail(path);
  sync_folder_of(target);
}

void check_writable(const std::string& path) {
  const auto target = target_of(path);
  if (is_fifo(target)) {  // who reads it would take it for all there is if it were opened and closed
    if (access(target.c_str(), W_OK) != 0) fail(path);
    return;
  }
  if (is_special(target)) {
    open_special(target);
    return;
  }
  if (access(target.c_str(), F_OK) == 0 && access(target.c_str(), W_OK) != 0) fail(path);
  temporary_beside(target, path);
}

}  // namespace harrier
