#include "progress_line.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <harrier/report/text.hpp>

#include "../../report/terminal_line.hpp"
#include "../shell/console.hpp"

namespace harrier {
namespace {

std::string rounded(double number) {
  if (number >= 1e9) return fmt::format("{:.2f} G", number / 1e9);
  if (number >= 1e6) return fmt::format("{:.1f} M", number / 1e6);
  return with_commas(static_cast<std::uint64_t>(number));
}

}  // namespace

std::string line_about(const progress& p) {
  const auto transitions = static_cast<double>(p.transitions);
  auto line =
      fmt::format("{}, {} deliveries ({}/s), depth {}", count_of(p.executions, "execution", "executions"),
                  rounded(transitions), rounded(p.seconds > 0 ? transitions / p.seconds : 0), with_commas(p.depth));
  if (p.findings > 0) line += ", " + count_of(p.findings, "finding", "findings");
  line += fmt::format(", {:.0f} s", p.seconds);
  if (p.estimate.executions > 0)
    line += fmt::format("; {}, {} to go", share_of(p.estimate), rough_time(p.estimate.seconds_to_go));
  return line;
}

progress_line::progress_line(bool wanted) : on_terminal_(wanted && isatty(STDERR_FILENO) == 1) {}

void progress_line::show(const progress& so_far, const std::string& more) {
  if (!on_terminal_) return;
  say_aside(fmt::format("\r{}\x1b[K", cut_to_columns(line_about(so_far) + more, columns_of(STDERR_FILENO))));
  is_shown_ = true;
}

void progress_line::clear() {
  if (!is_shown_) return;
  say_aside("\r\x1b[K");
  is_shown_ = false;
}

}  // namespace harrier
