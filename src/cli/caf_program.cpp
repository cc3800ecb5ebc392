// The library that `harrier caf` has loaded before an executable file: in place of the file's main function it runs
// harrier's command line, with that function as the program to be explored.
#include <dlfcn.h>
#include <fcntl.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <string>
#include <utility>
#include <vector>

#include <harrier/adapter/caf/program.hpp>
#include <harrier/cli/main.hpp>
#include <harrier/report/json.hpp>

#include "caf_command.hpp"

namespace harrier {
namespace {

using main_function = int (*)(int, char**, char**);

struct call {
  main_function function = nullptr;
  std::vector<std::string> words = {};
  char** environment = nullptr;
};

call& the_call() {
  static call of_the_file;
  return of_the_file;
}

/// Of a process that only searches: what the program writes, thousands of times, nobody reads, and what it reads is
/// nothing, each time.
void close_input_and_output() {
  static bool done = false;
  if (std::exchange(done, true)) return;
  const int nothing = ::open("/dev/null", O_RDWR);
  ::dup2(nothing, STDIN_FILENO);
  if (std::getenv("HARRIER_CAF_OUTPUT") == nullptr) ::dup2(nothing, STDOUT_FILENO);
  ::close(nothing);
}

program explored(const arguments& given, pid_t with_console) {
  caf_options how;
  how.eager_starts = given.word("starts") == "eager";
  how.time = given.word("timers") == "any" ? caf_options::timers::any_time : caf_options::timers::earliest_first;
  return caf_program(
      [with_console] {
        if (::getpid() != with_console) close_input_and_output();
        auto words = the_call().words;
        std::vector<char*> raw;
        for (auto& word : words) raw.push_back(word.data());
        raw.push_back(nullptr);
        const int status = the_call().function(static_cast<int>(words.size()), raw.data(), the_call().environment);
        if (status != 0) throw std::runtime_error("main returned " + std::to_string(status));
      },
      how);
}

int main_instead(int argc, char** argv, char** environment) {
  const auto* const told = std::getenv(caf_command_variable);
  if (told == nullptr) return the_call().function(argc, argv, environment);
  ::unsetenv("LD_PRELOAD");  // for what the program starts
  the_call().words.assign(argv, argv + argc);
  the_call().environment = environment;
  auto command = json_value::parse(told).get<std::vector<std::string>>();
  command.insert(command.begin(), "harrier");
  std::vector<char*> raw;
  for (auto& word : command) raw.push_back(word.data());
  raw.push_back(nullptr);
  options how;
  how.delivery = delivery::causal;
  const auto with_console = ::getpid();
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
       [with_console](const arguments& given) { return explored(given, with_console); },
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
