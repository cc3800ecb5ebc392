#pragma once

#include <sys/types.h>

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

/// Runs real binaries and looks at what comes out.
namespace e2e {

struct outcome {
  int status = -1;  ///< the exit status, or 128 + the signal that ended it
  std::string out;
  std::string err;
};

struct how_to_run {
  std::string input = {};
  /// With a terminal for all three streams; what is written is in `out`.
  bool on_terminal = false;
  /// No file may become larger (bytes); 0: no limit.
  std::size_t largest_file = 0;
  /// Somebody reads its standard output.
  bool is_read = true;
  /// Called with the process's id once it runs.
  std::function<void(pid_t)> meanwhile = {};
};

outcome run(const std::vector<std::string>& words, const how_to_run& how = {});

/// The catalogue of programs.cpp: `programs({"explore", "deadlock"})`.
outcome programs(std::vector<std::string> words, const how_to_run& how = {});
/// The same after a change to the programs.
outcome changed_programs(std::vector<std::string> words, const how_to_run& how = {});
/// The path of the catalogue's binary.
std::string programs_binary();

/// Waits until `parent` has a child that has used some processor time; the
/// child's id.
pid_t busy_child_of(pid_t parent);

/// Whether `what` can be found on the path and runs.
bool can_run(const std::vector<std::string>& what);

std::string content_of(const std::filesystem::path& file);

/// A folder that is there as long as this.
class folder {
public:
  folder();
  folder(const folder&) = delete;
  folder& operator=(const folder&) = delete;
  ~folder();
  [[nodiscard]] std::string operator/(const std::string& name) const { return (path_ / name).string(); }
  [[nodiscard]] std::vector<std::string> files() const;

private:
  std::filesystem::path path_;
};

}  // namespace e2e
