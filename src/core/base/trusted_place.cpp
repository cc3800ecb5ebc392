#include "trusted_place.hpp"

#include <grp.h>
#include <pwd.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <optional>
#include <sstream>
#include <vector>

#include <harrier/core/error.hpp>

namespace harrier {
namespace {

namespace fs = std::filesystem;
using status = struct stat;

constexpr int most_links = 40;  // as the kernel follows

std::optional<status> status_of(const fs::path& path) {
  status s{};
  if (lstat(path.c_str(), &s) != 0) return {};
  return s;
}

uid_t owner_of_this_binary() {
  static const auto owner = [] {
    status s{};
    return stat("/proc/self/exe", &s) == 0 ? s.st_uid : 0;
  }();
  return owner;
}

bool is_trusted(uid_t owner) { return owner == 0 || owner == geteuid() || owner == owner_of_this_binary(); }

/// By convention a user's own group has his name, and nobody else in it.
bool is_own_group(gid_t group) {
  std::array<char, 16384> names{};
  struct group of {};
  struct group* found = nullptr;
  if (getgrgid_r(group, &of, names.data(), names.size(), &found) != 0 || found == nullptr) return false;
  std::array<char, 16384> more_names{};
  struct passwd me {};
  struct passwd* user = nullptr;
  if (getpwuid_r(geteuid(), &me, more_names.data(), more_names.size(), &user) != 0 || user == nullptr) return false;
  if (user->pw_gid != group || std::strcmp(user->pw_name, found->gr_name) != 0) return false;
  for (char** member = found->gr_mem; *member != nullptr; ++member)
    if (std::strcmp(*member, user->pw_name) != 0) return false;
  return true;
}

std::string who_else(const fs::path& path, const status& s) {
  if (!is_trusted(s.st_uid)) return path.string() + " is owned by user " + std::to_string(s.st_uid);
  if (S_ISLNK(s.st_mode)) return {};  // has no mode of its own
  if (S_ISDIR(s.st_mode) && (s.st_mode & S_ISVTX) != 0) return {};
  if ((s.st_mode & S_IWOTH) != 0) return path.string() + " can be written by everybody";
  if ((s.st_mode & S_IWGRP) != 0 && s.st_gid != 0 && !is_own_group(s.st_gid))
    return path.string() + " can be written by group " + std::to_string(s.st_gid);
  return {};
}

void push_front(std::deque<fs::path>& to, const fs::path& path) {
  const std::vector<fs::path> parts(path.begin(), path.end());
  to.insert(to.begin(), parts.begin(), parts.end());
}

}  // namespace

std::string who_else_can_write(const fs::path& path) {
  std::error_code problem;
  const auto whole = fs::absolute(path, problem);
  if (problem) return path.string() + " cannot be looked at";
  std::deque<fs::path> to_go;
  push_front(to_go, whole);
  fs::path at = "/";
  int links = 0;
  while (true) {
    const auto s = status_of(at);
    if (!s) return {};  // not there, nor is what is in it
    if (auto who = who_else(at, *s); !who.empty()) return who;
    if (S_ISLNK(s->st_mode)) {
      if (++links > most_links) return whole.string() + " has too many links in it";
      const auto target = fs::read_symlink(at, problem);
      if (problem) return at.string() + " cannot be read";
      at = target.is_absolute() ? fs::path("/") : at.parent_path();
      push_front(to_go, target);
    }
    do {
      if (to_go.empty()) return {};
      const auto part = to_go.front();
      to_go.pop_front();
      if (part == "..")
        at = at.parent_path();  // of what is no link: those were followed
      else if (part != "." && part != "/" && !part.empty()) {
        at /= part;
        break;
      }
    } while (true);
  }
}

void require_trusted(const fs::path& path, const std::string& what, const std::string& advice) {
  const auto who = who_else_can_write(path);
  if (who.empty()) return;
  throw error(what + " " + path.string() + " is not used, since another user could have put something there: " + who +
              "; " + advice);
}

bool is_link_of_another(const fs::path& link) {
  const auto s = status_of(link);
  if (!s || !S_ISLNK(s->st_mode)) return false;
  auto folder = link.parent_path();
  if (folder.empty()) folder = ".";
  status of_folder{};
  if (stat(folder.c_str(), &of_folder) != 0) return false;
  const bool is_shared = (of_folder.st_mode & (S_IWOTH | S_IWGRP)) != 0;
  return is_shared && !is_trusted(s->st_uid) && s->st_uid != of_folder.st_uid;
}

void make_trusted_folder(const fs::path& folder, const std::string& what, const std::string& advice) {
  require_trusted(folder, what, advice);
  fs::path at;
  for (const auto& part : folder) {
    at /= part;
    if (mkdir(at.c_str(), 0700) != 0 && errno != EEXIST && !fs::is_directory(at))
      throw error("cannot make the folder " + at.string() + ": " + std::strerror(errno) + "; " + advice);
  }
  if (!fs::is_directory(folder)) throw error(folder.string() + " is not a folder; " + advice);
  require_trusted(folder, what, advice);  // another may have made it meanwhile
}

namespace {

fs::path trusted_temporary_folder() {
  std::error_code problem;
  auto folder = fs::temp_directory_path(problem);
  if (problem) throw error("there is no folder for temporary files: $TMPDIR, or /tmp, names none");
  require_trusted(folder, "the folder for temporary files",
                  "set TMPDIR to a folder that only you can write to, or give it the sticky bit (chmod +t)");
  return folder;
}

}  // namespace

private_folder::private_folder() : private_folder(trusted_temporary_folder()) {}

private_folder::private_folder(const fs::path& inside) {
  auto name = (inside / "harrier-XXXXXX").string();
  if (mkdtemp(name.data()) == nullptr)
    throw error("cannot make a folder in " + inside.string() + ": " + std::strerror(errno));
  path_ = name;
}

private_folder::~private_folder() {
  std::error_code ignored;
  fs::remove_all(path_, ignored);
}

program_file find_trusted_program(const std::string& name) {
  std::error_code ignored;
  const auto can_run = [&](const fs::path& file) {
    return fs::is_regular_file(file, ignored) && access(file.c_str(), X_OK) == 0;
  };
  if (name.find('/') != std::string::npos) return {can_run(name) ? fs::path(name) : fs::path(), {}};
  const char* path = std::getenv("PATH");
  std::istringstream folders(path == nullptr ? "" : path);
  program_file found;
  for (std::string folder; std::getline(folders, folder, ':');) {
    const auto candidate = fs::path(folder.empty() ? "." : folder) / name;
    if (!can_run(candidate)) continue;
    auto why =
        candidate.is_absolute() ? who_else_can_write(candidate) : "$PATH names a folder that depends on where one is";
    if (why.empty()) {
      found.path = candidate;
      return found;
    }
    if (found.passed_over.empty()) found.passed_over = candidate.string() + " (" + why + ")";
  }
  return found;
}

}  // namespace harrier
