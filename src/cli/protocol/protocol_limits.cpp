#include "protocol_limits.hpp"

#include <unistd.h>

#include <fstream>

#include <fmt/format.h>

#include "../shell/console.hpp"
#include "../shell/interrupt.hpp"

namespace harrier {
namespace {

double memory_mib() {
  std::ifstream statm("/proc/self/statm");
  long all = 0;
  long resident = 0;
  statm >> all >> resident;
  return static_cast<double>(resident) * static_cast<double>(sysconf(_SC_PAGESIZE)) / (1024 * 1024);
}

}  // namespace

protocol_limits::~protocol_limits() {
  if (is_shown_) say_aside("\r\x1b[K");
}

std::function<bool()> protocol_limits::enough() {
  return after(choice_.time_limit, static_cast<double>(choice_.max_memory));
}

std::function<bool()> protocol_limits::gives_up() {
  constexpr double as_long_again = 2;
  constexpr double a_quarter_more = 1.25;
  return after(as_long_again * choice_.time_limit, a_quarter_more * static_cast<double>(choice_.max_memory));
}

// Looks at the memory now and then: that takes longer than most states do.
std::function<bool()> protocol_limits::after(double seconds_allowed, double mebibytes) {
  return [=, this, calls = 0U, reached = false]() mutable {
    if (reached) return true;
    constexpr unsigned every = 64;
    if (interrupt_notice::came())
      why_ = "was not complete when an interrupt came";
    else if (seconds_allowed > 0 && seconds() >= seconds_allowed)
      why_ = fmt::format("was not complete after {:g} s; --time-limit allows more", choice_.time_limit);
    else if (mebibytes > 0 && calls++ % every == 0 && memory_mib() >= mebibytes)
      why_ = fmt::format("takes more than {} MiB; --max-memory allows more", choice_.max_memory);
    else
      return false;
    return reached = true;
  };
}

protocol::projection_watch protocol_limits::watch() {
  return {enough(),
          [this](std::string_view doing, std::size_t roles_done, std::size_t roles) { show(doing, roles_done, roles); },
          choice_.proof};
}

std::string protocol_limits::why() const {
  return why_.empty() ? fmt::format("has more than {} states; --max-states allows more", choice_.max_states) : why_;
}

double protocol_limits::seconds() const {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - started_).count();
}

void protocol_limits::show(std::string_view doing, std::size_t roles_done, std::size_t roles) {
  constexpr double soon = 1;  // seconds in which nobody misses a line
  if (seconds() < soon || isatty(STDERR_FILENO) != 1) return;
  say_aside(fmt::format("\r{}: {} of {}, {:.0f} s\x1b[K", doing, roles_done, roles, seconds()));
  is_shown_ = true;
}

}  // namespace harrier
