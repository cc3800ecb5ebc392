// The library that `harrier caf` has loaded before an executable file: in place of the file's main function it runs
// harrier's command line, with that function as the program to be explored.
#include <dlfcn.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <link.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <harrier/adapter/caf/program.hpp>
#include <harrier/cli/main.hpp>
#include <harrier/report/json.hpp>

#include "../adapter/caf/interposed.hpp"
#include "caf_command.hpp"

namespace harrier {
namespace {

using main_function = int (*)(int, char**, char**);

struct call {
  main_function function = nullptr;
  std::vector<std::string> words = {};
  char** environment = nullptr;
  bool is_replay = false;
};

call& the_call() {
  static call of_the_file;
  return of_the_file;
}

/// What the program writes, thousands of times, nobody reads, and what it reads is nothing, each time. The process with
/// the console writes harrier's own words meanwhile.
void let_it_read_and_write_nothing(bool begins) {
  static const int nothing = ::open("/dev/null", O_RDWR | O_CLOEXEC);
  static const pid_t with_console = ::getpid();
  static int console = -1;
  static bool is_closed = false;
  if (is_closed) return;
  std::cout.flush();
  std::fflush(stdout);
  if (begins) {
    is_closed = ::getpid() != with_console;
    ::dup2(nothing, STDIN_FILENO);
    if (!is_closed) console = ::fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
    ::dup2(nothing, STDOUT_FILENO);
  } else if (console >= 0) {
    ::dup2(console, STDOUT_FILENO);
    ::close(std::exchange(console, -1));
  }
}

program explored(const arguments& given) {
  caf_options how;
  // A schedule may be of a search that found that starts have to be ordered: where there is no choice, all are fit.
  how.eager_starts = given.word("starts") == "eager" && !the_call().is_replay;
  how.time = given.word("timers") == "any" ? caf_options::timers::any_time : caf_options::timers::earliest_first;
  return caf_program(
      [] {
        auto words = the_call().words;
        std::vector<char*> raw;
        for (auto& word : words) raw.push_back(word.data());
        raw.push_back(nullptr);
        const int status = the_call().function(static_cast<int>(words.size()), raw.data(), the_call().environment);
        if (status != 0) throw std::runtime_error("main returned " + std::to_string(status));
      },
      how);
}

/// The files of all libcaf_core that are loaded: the program's, and the one that this was built for, if that is
/// another.
std::vector<std::string> loaded_cafs() {
  std::vector<std::string> files;
  ::dl_iterate_phdr(
      [](dl_phdr_info* info, std::size_t, void* to) {
        const std::string file = info->dlpi_name;
        if (file.find("/libcaf_core.so") != std::string::npos)
          static_cast<std::vector<std::string>*>(to)->push_back(file);
        return 0;
      },
      &files);
  return files;
}

int main_instead(int argc, char** argv, char** environment) {
  const auto* const told = std::getenv(caf_command_variable);
  if (told == nullptr) return the_call().function(argc, argv, environment);
  ::unsetenv("LD_PRELOAD");  // for what the program starts
  if (const auto cafs = loaded_cafs(); cafs.size() > 1) {
    std::cerr << "harrier: " << argv[0] << " uses another CAF than the one that this was built for: "
              << fmt::format("{}\n", fmt::join(cafs, ", "));
    return 2;
  }
  the_call().words.assign(argv, argv + argc);
  the_call().environment = environment;
  auto command = json_value::parse(told).get<std::vector<std::string>>();
  the_call().is_replay = !command.empty() && command.front() == "replay";
  command.insert(command.begin(), "harrier");
  std::vector<char*> raw;
  for (auto& word : command) raw.push_back(word.data());
  raw.push_back(nullptr);
  options how;
  how.search.delivery = delivery::causal;
  if (std::getenv("HARRIER_CAF_OUTPUT") == nullptr) {
    let_it_read_and_write_nothing(false);  // this process has the console, not one that it starts
    caf_adapter::tell_of_program_code(let_it_read_and_write_nothing);
  }
  const catalogue programs = {
      {caf_program_name,
       "the executable file that was named",
       {{.name = "binary", .value = std::string(), .about = "its name"},
        {.name = "arguments", .value = std::string("[]"), .about = "the words that follow it, as a JSON array"},
        {.name = "timers",
         .value = std::string("earliest-first"),
         .about = "when they come",
         .words = {"earliest-first", "any"}},
        {.name = "starts", .value = std::string("eager"), .about = "of actors", .words = {"eager", "explored"}}},
       explored,
       how}};
  return harrier::main(static_cast<int>(command.size()), raw.data(), programs);
}

}  // namespace
}  // namespace harrier

extern "C" __attribute__((visibility("default"))) int __libc_start_main(harrier::main_function main, int argc,
                                                                        char** argv, void (*init)(), void (*fini)(),
                                                                        void (*at_exit_of_loader)(), void* stack_end) {
  using original = int(harrier::main_function, int, char**, void (*)(), void (*)(), void (*)(), void*);
  auto* const start = reinterpret_cast<original*>(::dlsym(RTLD_NEXT, "__libc_start_main"));
  harrier::the_call().function = main;
  return start(harrier::main_instead, argc, argv, init, fini, at_exit_of_loader, stack_end);
}
