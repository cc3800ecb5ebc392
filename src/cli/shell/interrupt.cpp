#include "interrupt.hpp"

#include <unistd.h>

#include <csignal>
#include <initializer_list>

namespace harrier {
namespace {

constexpr unsigned seconds_to_stop = 1;

volatile std::sig_atomic_t noticed = 0;  // the signal
volatile std::sig_atomic_t writing = 0;
interrupt_notice::last_resort resort{{}, 0};

void notice(int signal) {
  noticed = signal;
  if (writing == 0) alarm(seconds_to_stop);
}

/// In the middle of a handler nobody looks: the process ends as if the signal had not been noticed.
void end_by_signal(int /*alarm*/) {
  if (resort.status != 0) {
    // Whether it could be said or not.
    [[maybe_unused]] const auto said = write(STDERR_FILENO, resort.last_words.data(), resort.last_words.size());
    _exit(resort.status);
  }
  std::signal(noticed, SIG_DFL);
  raise(noticed);
}

}  // namespace

interrupt_notice::interrupt_notice(last_resort then) {
  resort = then;
  noticed = 0;
  writing = 0;
  struct sigaction once = {};
  once.sa_handler = notice;
  once.sa_flags = static_cast<int>(SA_RESETHAND | SA_RESTART);
  sigaction(SIGINT, &once, nullptr);
  sigaction(SIGTERM, &once, nullptr);
  std::signal(SIGALRM, end_by_signal);
}
interrupt_notice::~interrupt_notice() {
  alarm(0);
  for (const auto signal : {SIGINT, SIGTERM, SIGALRM}) std::signal(signal, SIG_DFL);
}
bool interrupt_notice::came() { return noticed != 0; }

void interrupt_notice::writes(bool begins) {
  writing = begins ? 1 : 0;
  if (begins)
    alarm(0);
  else if (came())
    alarm(seconds_to_stop);
}

}  // namespace harrier
