#include "limits.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <utility>

namespace harrier {

std::string memory_limit(std::uint64_t mib) { return fmt::format("the memory limit of {} MiB", mib); }

std::string limit_of_executions(std::uint64_t most) {
  return fmt::format("the limit of {} execution{}", most, most == 1 ? "" : "s");
}

namespace {

template <class Call>
void tell_listener(Call call) {
  try {
    call();
  } catch (...) {
    throw listener_threw{std::current_exception()};
  }
}

}  // namespace

double resident_mib(pid_t process) {
  long pages = 0;
  if (auto* statm = std::fopen(fmt::format("/proc/{}/statm", process).c_str(), "r")) {
    long all = 0;
    if (std::fscanf(statm, "%ld %ld", &all, &pages) != 2) pages = 0;
    std::fclose(statm);
  }
  return static_cast<double>(pages) * static_cast<double>(sysconf(_SC_PAGESIZE)) / (1024 * 1024);
}

double seconds_to_conclude(double given) { return std::max(1.0, given / 4); }

double limits::seconds() const { return std::chrono::duration<double>(clock::now() - started_).count(); }

void limits::stop(std::string why) {
  const std::lock_guard lock(mutex_);
  if (why_.empty()) why_ = std::move(why);
  stopped_ = true;
}

void limits::stop_at_limit(std::string why) {
  const std::lock_guard lock(mutex_);
  if (!stopped_) stopped_at_limit_ = true;
  if (why_.empty()) why_ = std::move(why);
  stopped_ = true;
}

bool limits::stopped_at_limit() const {
  const std::lock_guard lock(mutex_);
  return stopped_at_limit_;
}

void limits::pause_in(double seconds_from_now) {
  const std::lock_guard lock(mutex_);
  pause_at_ = seconds() + seconds_from_now;
  paused_ = false;
}

void limits::go_on_from(std::uint64_t ends, const progress& before) {
  {
    const std::lock_guard lock(mutex_);
    kept_ += ends;
    executions_ = ends;
    all_ = before;
  }
  if (most_executions_ != 0 && ends >= most_executions_) stop_at_limit(limit_of_executions(most_executions_));
}

std::string limits::why() const {
  const std::lock_guard lock(mutex_);
  return why_;
}

bool limits::keep_one() {
  for (auto kept = kept_.load(); kept < most_executions_;)
    if (kept_.compare_exchange_weak(kept, kept + 1)) return true;
  return false;
}

void limits::give_execution_back() {
  if (most_executions_ != 0) --kept_;
}

void limits::count_execution() {
  if (most_executions_ == 0) return;
  if (++executions_ >= most_executions_) stop_at_limit(limit_of_executions(most_executions_));
}

void limits::poll(const progress& now, progress& told) {
  const auto passed = seconds();
  if (const auto most = how_.limits.most_seconds(); most > 0 && passed >= most)
    stop_at_limit(fmt::format("the {} of {:g} s", how_.limits.budget > 0 ? "budget" : "time limit", most));
  if (how_.limits.should_stop && how_.limits.should_stop()) stop_at_limit("an interrupt");
  if (how_.limits.max_memory > 0 && resident_mib(getpid()) >= static_cast<double>(how_.limits.max_memory))
    stop_at_limit(memory_limit(how_.limits.max_memory));
  const std::lock_guard lock(mutex_);
  if (passed >= pause_at_) paused_ = true;
  if (!how_.told.on_progress) return;
  all_.executions += now.executions - told.executions;
  all_.transitions += now.transitions - told.transitions;
  all_.findings += now.findings - told.findings;
  all_.depth = now.depth;
  all_.estimate = now.estimate;
  all_.seconds = passed;
  told = now;
  if (passed - reported_ < how_.told.progress_interval) return;
  reported_ = passed;
  tell_listener([&] { how_.told.on_progress(all_); });
}

void limits::look_whether_it_ends(const progress& now, std::uint64_t longer) {
  const bool is_late = seconds() >= endless_.seconds;
  if (now.depth >= endless_.deepest || (is_late && now.executions == 0 && now.depth >= endless_.deep))
    stop_at_limit(fmt::format("{} after {} deliveries", execution_without_end, now.depth));
  if (is_late && longer >= endless_.longer && 2 * longer >= now.executions)
    stop_at_limit(fmt::format("{}, now {} deliveries", executions_that_grow, now.depth));
}

void limits::tell(fingerprint key, const finding& f) {
  if (!how_.told.on_finding) return;
  const std::lock_guard lock(mutex_);
  if (told_.insert(key).second) tell_listener([&] { how_.told.on_finding(f); });
}

}  // namespace harrier
