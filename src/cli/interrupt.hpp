#pragma once

namespace harrier {

/// While it lives, the first Ctrl-C or SIGTERM is noticed, and does nothing else
/// for a second; it ends the process then, and the second one does at once. For a
/// search that no parent watches.
class interrupt_notice {
public:
  interrupt_notice();
  ~interrupt_notice();
  interrupt_notice(const interrupt_notice&) = delete;
  interrupt_notice& operator=(const interrupt_notice&) = delete;
  [[nodiscard]] static bool came();
  /// What is written is written to its end: see options::on_writing.
  static void writes(bool begins);
};

}  // namespace harrier
