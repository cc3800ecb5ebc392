#include "interrupt.hpp"

#include <csignal>

namespace harrier {
namespace {

volatile std::sig_atomic_t noticed = 0;

void notice(int) { noticed = 1; }

}  // namespace

interrupt_notice::interrupt_notice() {
  noticed = 0;
  struct sigaction once = {};
  once.sa_handler = notice;
  once.sa_flags = static_cast<int>(SA_RESETHAND | SA_RESTART);
  sigaction(SIGINT, &once, nullptr);
}
interrupt_notice::~interrupt_notice() { std::signal(SIGINT, SIG_DFL); }
bool interrupt_notice::came() { return noticed != 0; }

}  // namespace harrier
