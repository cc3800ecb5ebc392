#include "protocol_limits.hpp"

#include <sys/types.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
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

double seconds_since(std::chrono::steady_clock::time_point then) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - then).count();
}

/// A compiler that runs has children of its own.
void end_children(const std::string& process) {
  std::ifstream children("/proc/" + process + "/task/" + process + "/children");
  for (std::string child; children >> child;) {
    end_children(child);
    kill(static_cast<pid_t>(std::stol(child)), SIGTERM);
  }
}

}  // namespace

protocol_limits::~protocol_limits() {
  if (is_shown_) say_aside("\r\x1b[K");
}

std::function<bool()> protocol_limits::enough() {
  return after(choice_.time_limit, static_cast<double>(choice_.max_memory));
}

std::function<bool()> protocol_limits::enough_to_search(double share) {
  constexpr unsigned a_few = 16;
  return [is_over = after(share * choice_.time_limit, static_cast<double>(choice_.max_memory)), asked = 0U]() mutable {
    return is_over() && ++asked > a_few;
  };
}

std::function<bool()> protocol_limits::gives_up() {
  constexpr double a_quarter_more = 1.25;
  return after(choice_.time_limit, a_quarter_more * static_cast<double>(choice_.max_memory));
}

// Looks at the memory now and then: that takes longer than most states do.
std::function<bool()> protocol_limits::after(double seconds_allowed, double mebibytes) {
  return [=, this, calls = 0U, reached = false]() mutable {
    if (reached) return true;
    constexpr unsigned every = 64;
    if (interrupt_notice::came())
      why_ = "was not complete when an interrupt came";
    else if (seconds_allowed > 0 && seconds() >= seconds_allowed)
      why_ = fmt::format("was not complete after {:g} s; --time-limit allows more", seconds_allowed);
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

double protocol_limits::seconds() const { return seconds_since(choice_.began); }

void protocol_limits::show(std::string_view doing, std::size_t roles_done, std::size_t roles) {
  constexpr double soon = 1;  // seconds in which nobody misses a line
  if (seconds() < soon || isatty(STDERR_FILENO) != 1) return;
  say_aside(fmt::format("\r{}: {} of {}, {:.0f} s\x1b[K", doing, roles_done, roles, seconds()));
  is_shown_ = true;
}

limits_guard::limits_guard(const protocol_choice& choice) : choice_(choice) {
  if (choice.time_limit > 0 || choice.max_memory != 0)
    thread_ = std::jthread([this](const std::stop_token& stop) { watch(stop); });
}

limits_guard::~limits_guard() = default;

void limits_guard::doing(std::string what, std::function<void()> instead) {
  const std::lock_guard lock(mutex_);
  what_ = std::move(what);
  instead_ = std::move(instead);
}

void limits_guard::writes() {
  const std::lock_guard lock(mutex_);
  writes_ = true;
}

void limits_guard::watch(const std::stop_token& stop) {
  constexpr std::chrono::milliseconds now_and_then{20};
  std::unique_lock lock(mutex_);
  while (!writes_ && !woken_.wait_for(lock, stop, now_and_then, [&] { return stop.stop_requested(); })) {
    if (writes_) return;
    if (const auto limit = reached(); !limit.empty()) end(limit);
  }
}

std::string limits_guard::reached() const {
  constexpr double least = 0.5;
  constexpr double share = 0.1;
  constexpr double more_memory = 1.5;
  const auto grace = std::max(least, share * choice_.time_limit);
  if (choice_.time_limit > 0 && seconds_since(choice_.began) >= choice_.time_limit + grace)
    return fmt::format("was not complete after {:g} s; --time-limit allows more", choice_.time_limit);
  if (choice_.max_memory != 0 && memory_mib() >= more_memory * static_cast<double>(choice_.max_memory))
    return fmt::format("takes more than {} MiB; --max-memory allows more", choice_.max_memory);
  return {};
}

void limits_guard::end(const std::string& limit) {
  constexpr int undecided = 3;
  if (instead_) instead_();
  say_aside(fmt::format("{}: {} {}\n", choice_.file, what_, limit));
  end_children(std::to_string(getpid()));
  _exit(undecided);
}

}  // namespace harrier
