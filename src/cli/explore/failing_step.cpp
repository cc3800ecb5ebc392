#include "failing_step.hpp"

#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <string_view>
#include <vector>

#include <harrier/core/error.hpp>
#include <harrier/core/printable.hpp>
#include <harrier/replay/describe.hpp>

#include "../../core/base/current_exception.hpp"
#include "../../core/base/trusted_place.hpp"

extern "C" {
const char* harrier_failing_message = "";
const char* harrier_failing_state = "";
const void* harrier_failing_code = nullptr;

[[gnu::noinline]] void harrier_failing_step() { asm volatile(""); }  // not to be left out, nor merged with another
}

namespace harrier {
namespace {

const system* shown_system = nullptr;  // as long as gdb may ask: until the process ends

/// Told to gdb when it has stopped there. Whatever the program's texts are, they are printed, not run.
constexpr std::string_view script = R"py(
import gdb
import gdb.types

def told(name):
    return gdb.parse_and_eval("*(char**)&" + name).string(errors="replace")

class Reference:
    """harrier::ref: the actor by its name, as traces have it."""
    def __init__(self, value):
        self.value = value
    def to_string(self):
        number = int(self.value["id_"])
        if number == 2 ** 32 - 1:
            return "nobody"
        try:
            call = "((const char*(*)(unsigned))&harrier_name_of_actor)(%d)" % number
            return gdb.parse_and_eval(call).string(errors="replace")
        except gdb.error:
            return "actor of id %d" % number

class Tracked:
    """harrier::tracked and harrier::persistent: the value."""
    def __init__(self, value):
        self.value = value
    def to_string(self):
        return self.value["value_"]

def printer(value):
    name = gdb.types.get_basic_type(value.type).name or ""
    if name.startswith("harrier::ref<"):
        return Reference(value)
    if name.startswith(("harrier::tracked<", "harrier::persistent<")) and gdb.types.has_field(value.type.strip_typedefs(), "value_"):
        return Tracked(value)
    return None

gdb.pretty_printers.append(printer)

class State(gdb.Command):
    """harrier-state: the state of the actor that is about to fail, as it was before the failing delivery."""
    def __init__(self):
        super().__init__("harrier-state", gdb.COMMAND_DATA)
    def invoke(self, words, from_terminal):
        print(told("harrier_failing_state") or "it has no state that is known")
State()

class BeforeTheLast(gdb.Breakpoint):
    def stop(self):
        print("\nThe last delivery of the trace is next: " + told("harrier_failing_message"))
        state = told("harrier_failing_state")
        if state:
            print("Its receiver is " + state)
        code = int(gdb.parse_and_eval("*(unsigned long*)&harrier_failing_code"))
        if code == 0:
            print("Where its code is is not known: `finish`, or a breakpoint in it, leads there.")
            return True
        gdb.Breakpoint("*%d" % code, temporary=True)
        return False
BeforeTheLast("harrier_failing_step")
)py";

/// A file that gdb can read as long as it runs.
int file_of_script() {
  const int file = ::memfd_create("harrier.py", 0);
  if (file < 0 || ::write(file, script.data(), script.size()) != static_cast<ssize_t>(script.size()))
    throw error(std::string("cannot write what gdb is to do: ") + std::strerror(errno));
  return file;
}

}  // namespace

void announce_failing_step(const system& now, const scheduled& next) {
  static std::string message, state;
  try {  // what prints them is the program's
    const auto step = describe_next(now, next);
    message = printable(step.receiver + "." + step.message);
    state = printable(now.state_text(now.message_at(next.message).receiver));
  } catch (...) {
    state = printable("not to be printed: " + text_of_current_exception());
  }
  shown_system = &now;
  harrier_failing_message = message.c_str();
  harrier_failing_state = state.c_str();
  harrier_failing_code = now.code_of_suspended(now.message_at(next.message).receiver);
  if (harrier_failing_code == nullptr) harrier_failing_code = now.message_at(next.message).type->handler_code();
  harrier_failing_step();
}

void replay_in_gdb(const std::string& trace) {
  const auto gdb = find_trusted_program("gdb");
  if (gdb.path.empty()) throw error("--gdb needs gdb, which is not on the PATH" + gdb.why_not());
  const auto read = fmt::format("python exec(open('/proc/self/fd/{}').read())", file_of_script());
  std::vector<std::string> words = {gdb.path.string(),
                                    "-q",
                                    "-iex",
                                    "set breakpoint pending on",
                                    "-ex",
                                    read,
                                    "-ex",
                                    "run",
                                    "--args",
                                    std::filesystem::read_symlink("/proc/self/exe").string(),
                                    "replay",
                                    "--in-process",
                                    trace};
  std::vector<char*> raw;
  for (auto& word : words) raw.push_back(word.data());
  raw.push_back(nullptr);
  ::setenv("ASAN_OPTIONS", "detect_leaks=0", 0);  // which does not work in a debugger
  ::execv(raw[0], raw.data());
  throw error(fmt::format("cannot start {}: {}", raw[0], std::strerror(errno)));
}

}  // namespace harrier

const char* harrier_name_of_actor(unsigned id) {
  static std::string name;
  name = fmt::format("actor of id {}", id);
  if (harrier::shown_system == nullptr) return name.c_str();
  const auto& now = *harrier::shown_system;
  const auto which = static_cast<harrier::actor_id>(id);
  if (now.exists(which)) name = now.actor_name(now.slot_of(which));
  return name.c_str();
}
