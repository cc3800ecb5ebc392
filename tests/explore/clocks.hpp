#pragma once

#include <harrier/native/self.hpp>

namespace harrier {

/// No execution of them ends; they have a few states, and one message each is always pending.
struct clock {
  bool is_even = true;
  void tick(self& me) {
    is_even = !is_even;
    me.send<&clock::tick>(me.me<clock>());
  }
};
inline void run_clocks(self& me) {
  for (int i = 0; i < 3; ++i) me.send<&clock::tick>(me.create<clock>());
}

}  // namespace harrier
