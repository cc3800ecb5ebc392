#include "failing_writes.hpp"

#include <poll.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>

namespace harrier {
namespace {

void let_the_write_fail(int) {}

/// Nobody decided what it does, but for a failing_writes of this process, or of the one it was forked from.
bool is_undecided(int signal) {
  struct sigaction now {};
  sigaction(signal, nullptr, &now);
  return now.sa_handler == SIG_DFL || now.sa_handler == let_the_write_fail;
}

struct sigaction decide(int signal, void (*handler)(int)) {
  struct sigaction before {};
  struct sigaction action {};
  action.sa_handler = handler;
  action.sa_flags = SA_RESTART;
  if (is_undecided(signal))
    sigaction(signal, &action, &before);
  else
    sigaction(signal, nullptr, &before);
  return before;
}

// A signal handler has no other way to what it must ask.
std::atomic<bool> harrier_is_writing = false;

constexpr int written_to[] = {STDOUT_FILENO, STDERR_FILENO};

bool has_no_reader(int file) {
  pollfd end{file, POLLOUT, 0};
  return poll(&end, 1, 0) == 1 && (end.revents & POLLERR) != 0;
}

bool is_full(int file) {
  struct stat info {};
  rlimit most{};
  return fstat(file, &info) == 0 && S_ISREG(info.st_mode) && getrlimit(RLIMIT_FSIZE, &most) == 0 &&
         static_cast<rlim_t>(info.st_size) >= most.rlim_cur;
}

/// Ends the process if the signal is of a file that the program opened.
void look_whose_write_it_is(int signal) {
  const int error_of_the_write = errno;
  bool is_harriers = harrier_is_writing;
  for (const int file : written_to) is_harriers = is_harriers || (signal == SIGPIPE ? has_no_reader : is_full)(file);
  if (!is_harriers) {
    std::signal(signal, SIG_DFL);
    raise(signal);
  }
  errno = error_of_the_write;
}

}  // namespace

failing_writes::failing_writes()
    : of_pipe_(decide(SIGPIPE, let_the_write_fail)), of_size_(decide(SIGXFSZ, let_the_write_fail)) {}

failing_writes::~failing_writes() {
  sigaction(SIGPIPE, &of_pipe_, nullptr);
  sigaction(SIGXFSZ, &of_size_, nullptr);
}

void let_only_own_writes_fail() {
  decide(SIGPIPE, look_whose_write_it_is);
  decide(SIGXFSZ, look_whose_write_it_is);
}

void note_own_writing(bool begins) { harrier_is_writing = begins; }

}  // namespace harrier
