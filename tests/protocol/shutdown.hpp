// Modules of all modes, and threads that wait in them: what tests of deadlines, ends and deadlocks have in common.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <functional>
#include <latch>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "aside.hpp"
#include "beat.hpp"
#include "both_checked.hpp"
#include "both_liberal.hpp"
#include "both_strict.hpp"
#include "chain_checked.hpp"
#include "chain_liberal.hpp"
#include "chain_strict.hpp"
#include "cross.hpp"
#include "echo_checked.hpp"
#include "echo_liberal.hpp"
#include "echo_strict.hpp"
#include "lucky.hpp"
#include "meeting.hpp"
#include "pairs.hpp"
#include "ring_checked.hpp"
#include "ring_liberal.hpp"
#include "ring_strict.hpp"
#include "shy.hpp"
#include "telling_checked.hpp"
#include "telling_liberal.hpp"
#include "telling_strict.hpp"
#include "turns.hpp"

namespace harrier::runtime {
using namespace std::chrono_literals;
using std::chrono::steady_clock;
using ::testing::HasSubstr;

constexpr unsigned nodes = 64;

struct in_strict {
  using ring = strict::token_ring;
  using telling = strict::telling;
  using chain = strict::chain;
  using both = strict::both;
  using echo = strict::echo;
};
struct in_liberal {
  using ring = liberal::token_ring;
  using telling = liberal::telling;
  using chain = liberal::chain;
  using both = liberal::both;
  using echo = liberal::echo;
};
struct in_checked {
  using ring = checked::token_ring;
  using telling = checked::telling;
  using chain = checked::chain;
  using both = checked::both;
  using echo = checked::echo;
};
using modes = ::testing::Types<in_strict, in_liberal, in_checked>;
struct mode_names {
  template <class Mode>
  static std::string GetName(int) {
    return std::is_same_v<Mode, in_strict> ? "strict" : std::is_same_v<Mode, in_liberal> ? "liberal" : "checked";
  }
};

template <class Module>
void wait_for_waiting(const Module& module, std::size_t threads) {
  while (module.waiting() != threads) std::this_thread::yield();
}

template <class Error, class Call>
std::string words_of(Call&& call) {
  try {
    call();
  } catch (const Error& e) {
    return e.what();
  }
  return "nothing was thrown";
}

inline void join(std::vector<std::thread>& threads) {
  for (auto& t : threads) t.join();
}

}  // namespace harrier::runtime
