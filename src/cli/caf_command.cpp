#include "caf_command.hpp"

#include <CLI/CLI.hpp>
#include <elf.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <harrier/core/error.hpp>
#include <harrier/report/json.hpp>

#include "../core/base/trusted_place.hpp"
#include "shell/shell.hpp"

// What belongs to the sanitizer that a library was built with.
#ifndef HARRIER_SANITIZER
#define HARRIER_SANITIZER ""
#endif

namespace harrier {
namespace {

using words = std::vector<std::string>;

constexpr auto caf_footer =
    R"(To explore a program that uses CAF 0.17 or 1.1 (for which harrier was built), linked dynamically, as it was built:
  harrier caf ./bank                              every order of its messages, up to the first bug
  harrier caf ./bank alice 3 --engine random      with arguments; options come after them, as of harrier explore
  harrier caf ./bank --save-trace bug.json        and then: harrier replay bug.json --step
  harrier caf ./bank --gdb -- --verbose           in gdb; what follows -- are arguments of the program, too
  harrier caf ./bank --web                        by hand, on a page for a browser; options as of harrier web

Its main function is run again for each execution, without input or output; clocks stand still until nothing else
can happen. Messages stay in causal order (--delivery fifo: in order between two actors only, as over a network).
Exit status: as of harrier explore; 3 also where CAF could do what was not covered, which is then named (timers that
come earlier, say: --timers any). docs/caf.md says what of CAF is explored and what is refused.)";

/// What follows the name of the executable file.
struct request {
  std::string binary;
  words arguments;
  words options;          // of harrier explore, or of harrier web
  words parameters = {};  // of the program, as of one of the catalogue
  bool in_gdb = false;
  bool on_page = false;
};

/// The value of the option at `i`, which is moved to its last word. @throws error if there is none.
std::string value_of(const words& all, std::size_t& i, const std::string& name) {
  if (all[i].size() > name.size()) return all[i].substr(name.size() + 1);
  if (i + 1 == all.size()) throw error(name + " needs a value; `harrier caf --help` shows how");
  return all[++i];
}

request read(const words& all) {
  if (all.empty()) throw error("the executable file is missing: harrier caf BINARY; `harrier caf --help` shows how");
  request asked{.binary = all.front(), .arguments = {}, .options = {}};
  const auto is_option = [](const std::string& word) { return word.size() > 1 && word[0] == '-'; };
  std::size_t i = 1;
  while (i < all.size() && !is_option(all[i])) asked.arguments.push_back(all[i++]);
  for (; i < all.size() && all[i] != "--"; ++i) {
    const auto name = all[i].substr(0, all[i].find('='));
    if (name == "--timers" || name == "--starts")
      asked.parameters.push_back(name.substr(2) + "=" + value_of(all, i, name));
    else if (name == "--gdb")
      asked.in_gdb = true;
    else if (name == "--web")
      asked.on_page = true;
    else
      asked.options.push_back(all[i]);
  }
  if (i < all.size())
    asked.arguments.insert(asked.arguments.end(), all.begin() + static_cast<std::ptrdiff_t>(i) + 1, all.end());
  return asked;
}

constexpr bool is_sanitized = !std::string_view(HARRIER_SANITIZER).empty();

/// The sanitizer's operators new and delete are to be called by harrier's, so harrier's library stands before it.
void let_sanitizer_be_second() {
  const auto* said = std::getenv("ASAN_OPTIONS");
  const auto before = said == nullptr ? std::string() : std::string(said) + ":";
  ::setenv("ASAN_OPTIONS", (before + "verify_asan_link_order=0").c_str(), 1);
}

std::filesystem::path own_folder() { return std::filesystem::canonical("/proc/self/exe").parent_path(); }

/// What is loaded before the program.
std::string library() {
  constexpr auto name = "libharrier_caf_program.so";
  words places;
  if (const auto* said = std::getenv("HARRIER_CAF_LIBRARY"); said != nullptr) places.emplace_back(said);
  const auto here = own_folder();
  places.push_back((here / name).string());
  places.push_back((here / ".." / HARRIER_LIBRARY_FOLDER / name).string());
  for (const auto& place : places) {
    if (!std::filesystem::exists(place)) continue;
    require_trusted(place, "the library", "copy harrier and its library to a folder that only you can write to");
    return std::filesystem::canonical(place).string() + HARRIER_SANITIZER;
  }
  throw error(fmt::format(
      "there is no {}: this harrier was built without CAF (scripts/setup caf installs it). harrier looked for it at {}",
      name, fmt::join(places, ", ")));
}

/// `bank` as the shell finds it.
std::string found(const std::string& binary) {
  namespace fs = std::filesystem;
  const auto is_program = [](const fs::path& p) { return fs::is_regular_file(p) && ::access(p.c_str(), X_OK) == 0; };
  if (binary.find('/') != std::string::npos) {
    if (!fs::exists(binary)) throw error(fmt::format("there is no file {}", binary));
    if (!is_program(binary)) throw error(fmt::format("{} is not an executable file", binary));
    return binary;
  }
  const auto program = find_trusted_program(binary);
  if (program.path.empty())
    throw error(
        fmt::format("there is no program {0}; for a file in this folder, write ./{0}{1}", binary, program.why_not()));
  return program.path.string();
}

/// @throws error  nothing can be loaded before it, so that it would run as if harrier were not there.
void refuse_what_loads_nothing(const std::string& file) {
  std::ifstream in(file, std::ios::binary);
  Elf64_Ehdr head{};
  in.read(reinterpret_cast<char*>(&head), sizeof head);
  if (std::memcmp(&head, "#!", 2) == 0)
    throw error(fmt::format("{} is a script; name the executable file that it starts", file));
  if (!in || std::memcmp(head.e_ident, ELFMAG, SELFMAG) != 0 || head.e_ident[EI_CLASS] != ELFCLASS64)
    throw error(fmt::format("{} is not an executable file for this kind of machine (64-bit ELF)", file));
  for (int i = 0; i < head.e_phnum; ++i) {
    Elf64_Phdr part{};
    in.seekg(static_cast<std::streamoff>(head.e_phoff) + i * std::streamoff{head.e_phentsize});
    if (!in.read(reinterpret_cast<char*>(&part), sizeof part)) break;
    if (part.p_type == PT_INTERP) return;
  }
  throw error(
      fmt::format("{} is linked statically, so that no library can be loaded before it; link it dynamically, "
                  "with libcaf_core too",
                  file));
}

/// @throws untestable_program  it was built with AddressSanitizer, which this was not.
void refuse_sanitized(const std::string& file) {
  if (is_sanitized) return;
  std::ifstream in(file, std::ios::binary);
  const std::string all((std::istreambuf_iterator<char>(in)), std::istreambuf_iterator<char>());
  if (all.find("__asan_init") != std::string::npos)
    throw untestable_program(
        fmt::format("{} was built with AddressSanitizer, which takes the stacks on which harrier has actors wait for "
                    "errors; build it without -fsanitize=address, or harrier with it",
                    file));
}

std::string debugger() {
  const auto program = find_trusted_program("gdb");
  if (program.path.empty()) throw error("--gdb needs gdb, which is not on the PATH" + program.why_not());
  return program.path.string();
}

[[noreturn]] void start(const std::string& binary, const words& arguments, const words& command, bool in_gdb) {
  const auto file = found(binary);
  refuse_what_loads_nothing(file);
  refuse_sanitized(file);
  const auto loaded = library();
  if (is_sanitized) let_sanitizer_be_second();
  const auto told = json_value(command).dump();
  words line;
  if (in_gdb) {
    const auto variables = quoted_for_shell("LD_PRELOAD=" + loaded) + " " +
                           quoted_for_shell(fmt::format("{}={}", caf_command_variable, told));
    line = {debugger(), "-q", "-ex", "set exec-wrapper env " + variables, "-ex", "set follow-fork-mode child",
            "--args"};
  } else {
    ::setenv("LD_PRELOAD", loaded.c_str(), 1);
    ::setenv(caf_command_variable, told.c_str(), 1);
  }
  line.push_back(file);
  line.insert(line.end(), arguments.begin(), arguments.end());
  std::vector<char*> raw;
  for (auto& word : line) raw.push_back(word.data());
  raw.push_back(nullptr);
  ::execvp(raw[0], raw.data());
  throw error(fmt::format("cannot start {}: {}", raw[0], std::strerror(errno)));
}

int explore(const words& all) {
  const auto asked = read(all);
  if (asked.in_gdb && asked.on_page)
    throw error("--web serves a page of what runs in other processes: leave out --gdb");
  words command = {asked.on_page ? "web" : "explore", caf_program_name, "binary=" + asked.binary,
                   "arguments=" + json_value(asked.arguments).dump()};
  command.insert(command.end(), asked.parameters.begin(), asked.parameters.end());
  command.insert(command.end(), asked.options.begin(), asked.options.end());
  if (asked.in_gdb) command.emplace_back("--in-process");
  start(asked.binary, asked.arguments, command, asked.in_gdb);
}

}  // namespace

command add_caf(CLI::App& app) {
  auto* line =
      app.add_subcommand("caf", "Explores an executable file that uses the actor library CAF, as it was built");
  line->footer(as_called(caf_footer, app.get_name()));
  line->prefix_command();
  // Read by hand, since BINARY's arguments are anybody's: here for --help and completion.
  line->add_option(
          "--timers",
          "When timers come: as soon as they are set (any; the default of harrier explore), or only when nothing "
          "else can happen (earliest-first, the default here)")
      ->type_name("any|earliest-first")
      ->default_str("earliest-first");
  line->add_option("--starts", "What actors do at their start: at once, or one more event to be ordered")
      ->type_name("eager|explored")
      ->default_str("eager");
  line->add_flag_function(
      "--gdb", [](std::int64_t) {}, "Start it in gdb");
  line->add_flag_function(
      "--web", [](std::int64_t) {}, "Serve a page to go through it by hand, as harrier web does");
  return {line, [line] { return explore(line->remaining()); }};
}

bool is_caf_trace(const trace_file& trace) {
  return trace.program == caf_program_name && std::getenv(caf_command_variable) == nullptr;
}

int replay_caf(const trace_file& trace, const replay_options& how) {
  const auto value = [&](const std::string& name) {
    const auto at = trace.parameters.find(name);
    if (at == trace.parameters.end()) throw error("it does not say which " + name + " it is of");
    return at->second;
  };
  words command = {"replay", how.file};
  if (how.step_by_step) command.emplace_back("--step");
  if (how.in_process) command.emplace_back("--in-process");
  if (!how.report.empty()) command.insert(command.end(), {"--report", how.report});
  const auto arguments = json_value::parse(value("arguments"), nullptr, false);
  if (!arguments.is_array()) throw error("its arguments are not a list of strings");
  const auto binary = value("binary");
  require_trusted(found(binary), "the executable file that the trace names,",
                  "start it by harrier caf, or by gdb --args");
  start(binary, arguments.get<words>(), command, false);
}

}  // namespace harrier
