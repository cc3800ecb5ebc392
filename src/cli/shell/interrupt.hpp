#pragma once

#include <string_view>

namespace harrier {

/// While it lives, the first Ctrl-C or SIGTERM is noticed, and does nothing else
/// for a second; it ends the process then, and the second one does at once. For a
/// search that no parent watches.
class interrupt_notice {
public:
  /// Where a status is given, the process ends with that after the second, and says
  /// so, instead of by the signal. The words outlive this object.
  struct last_resort {
    std::string_view last_words;
    int status;
  };

  interrupt_notice() : interrupt_notice({{}, 0}) {}
  explicit interrupt_notice(last_resort then);
  ~interrupt_notice();
  interrupt_notice(const interrupt_notice&) = delete;
  interrupt_notice& operator=(const interrupt_notice&) = delete;
  [[nodiscard]] static bool came();
  /// What is written is written to its end: see telling_options::on_writing.
  static void writes(bool begins);
};

}  // namespace harrier
