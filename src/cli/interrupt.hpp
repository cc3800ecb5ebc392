#pragma once

namespace harrier {

/// While it lives, the first Ctrl-C is noticed, and does nothing else; the second
/// ends the process as usual. For a search that no parent watches.
class interrupt_notice {
public:
  interrupt_notice();
  ~interrupt_notice();
  interrupt_notice(const interrupt_notice&) = delete;
  interrupt_notice& operator=(const interrupt_notice&) = delete;
  [[nodiscard]] static bool came();
};

}  // namespace harrier
