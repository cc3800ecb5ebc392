// `harrier init`: a project with a first test, to begin with.
#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <sstream>
#include <string>
#include <system_error>

#include <harrier/core/error.hpp>
#include <harrier/core/printable.hpp>
#include <harrier/report/write_file.hpp>

#include "commands.hpp"
#include "shell/console.hpp"
#include "shell/shell.hpp"

namespace harrier {

/// The files of examples/first; CMakeLists.txt of this folder makes them texts.
extern const char* const new_project_cmake;
extern const char* const new_project_test;

namespace {

namespace fs = std::filesystem;

constexpr auto init_footer = R"(Examples:
  harrier init bank                        makes the folder bank, and says how to build it
  cmake -S bank -B bank/build && cmake --build bank/build && ctest --test-dir bank/build --output-on-failure

One of the two tests fails: that is the bug to begin with. docs/quickstart.md goes on from there.
Exit status: 0 the project is there; 2 wrong usage, or it cannot be written; 5 not all that was to be said could be.)";

constexpr auto of_git = "/build/\n*.trace.json\n";

fs::path without_last_slash(const fs::path& folder) { return folder.has_filename() ? folder : folder.parent_path(); }

/// The name of a project of CMake's that is like the name of its folder.
std::string project_name(const fs::path& folder) {
  const auto is_plain = [](unsigned char c) { return c < 128 && (std::isalnum(c) != 0 || c == '_' || c == '-'); };
  auto name = without_last_slash(fs::absolute(folder).lexically_normal()).filename().string().substr(0, 100);
  std::replace_if(
      name.begin(), name.end(), [&](char c) { return !is_plain(static_cast<unsigned char>(c)); }, '_');
  const bool begins_well = !name.empty() && std::isalpha(static_cast<unsigned char>(name[0])) != 0;
  return begins_well ? name : "tests" + name;
}

/// CMakeLists.txt of the example, without its first line, for a project with a name of its own.
std::string cmake_of(const fs::path& folder) {
  const std::string text = new_project_cmake;
  const std::string call = "project(first ";
  const auto begin = text.find('\n') + 1;
  const auto at = text.find(call);
  return fmt::format("{}project({} {}", text.substr(begin, at - begin), project_name(folder),
                     text.substr(at + call.size()));
}

/// Makes `folder`, or takes it if there is nothing in it.
void make_folder(const fs::path& folder) {
  std::error_code failure;
  const auto shown = printable(folder.string());
  if (fs::exists(fs::symlink_status(folder, failure))) {
    if (!fs::is_directory(folder, failure)) throw error(shown + " exists and is no folder; give another name");
    if (!fs::is_empty(folder, failure) || failure)
      throw error(shown + " exists and is not empty; nothing is written over, so give another name");
    return;
  }
  fs::create_directories(folder, failure);
  if (failure) throw error(fmt::format("cannot make the folder {}: {}", shown, failure.message()));
}

/// As a word for a shell, and no option.
std::string as_word(const fs::path& path) {
  const auto text = path.string();
  return command_line({text.starts_with('-') ? "./" + text : text});
}

std::string the_path() {
  const auto* const path = std::getenv("PATH");
  return path == nullptr ? "" : path;
}

/// The folder that this harrier is installed in, if CMake will not look there by itself: as an option for it.
std::string option_for_cmake() {
  std::error_code failure;
  const auto bin = fs::read_symlink("/proc/self/exe", failure).parent_path();
  const auto prefix = bin.parent_path();
  const bool is_installed =
      bin.filename() == "bin" && fs::is_directory(prefix / HARRIER_LIBRARY_FOLDER / "cmake/harrier", failure);
  if (!is_installed || prefix == "/usr" || prefix == "/usr/local") return {};
  std::istringstream path(the_path());
  for (std::string folder; std::getline(path, folder, ':');)
    if (fs::equivalent(folder, bin, failure)) return {};
  return " " + command_line({"-DCMAKE_PREFIX_PATH=" + prefix.string()});
}

int init(const std::string& asked) {
  if (asked.empty()) throw error("init DIRECTORY: a name is expected");
  const auto folder = without_last_slash(fs::path(asked).lexically_normal());
  make_folder(folder);
  write_file((folder / "CMakeLists.txt").string(), cmake_of(folder));
  write_file((folder / "first_test.cpp").string(), new_project_test);
  write_file((folder / ".gitignore").string(), of_git);
  console().say_exactly(fmt::format(
      "A project with a first test is in {0}. Build it and run its tests with\n"
      "  cmake -S {0} -B {1}{2}\n"
      "  cmake --build {1}\n"
      "  ctest --test-dir {1} --output-on-failure\n"
      "Account.IsNotOverdrawn fails, and shows how; CarefulAccount.IsNotOverdrawn is its fix, in first_test.cpp.\n",
      as_word(folder), as_word(folder / "build"), option_for_cmake()));
  return explored_completely;
}

}  // namespace

command add_init(CLI::App& app) {
  auto* line = app.add_subcommand("init", "Writes a CMake project with a first test that fails, and its fix");
  line->footer(as_called(init_footer, app.get_name()));
  const auto folder = std::make_shared<std::string>();
  line->add_option("DIRECTORY", *folder, "Where: a folder that is new, or empty")->required();
  return {line, [folder] { return init(*folder); }};
}

}  // namespace harrier
