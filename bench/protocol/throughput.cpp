// Messages a second: queues written by hand against generated modules, in one run. A ring passes a token round, a star
// gives it to one spoke after the other, turn-taking is a ring of two; in a fan-out the hub gives something to all and
// then takes everybody's answer. By hand is what one would write without a protocol: for each pair of threads a
// blocking queue (mutex, condition variable, std::deque).
//
// Rounds are short and many, and all four run in each, every round another one first; what counts is the median of a
// round's ratios. So what else the machine does slows all alike.
//
// usage: protocol [MESSAGES] [ROUNDS]
#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <deque>
#include <mutex>
#include <thread>
#include <vector>

#include "fan_out_3_liberal.hpp"
#include "fan_out_3_liberal_checked.hpp"
#include "fan_out_3_strict.hpp"
#include "fan_out_5_liberal.hpp"
#include "fan_out_5_liberal_checked.hpp"
#include "fan_out_5_strict.hpp"
#include "fan_out_9_liberal.hpp"
#include "fan_out_9_liberal_checked.hpp"
#include "fan_out_9_strict.hpp"
#include "ring_2_liberal.hpp"
#include "ring_2_liberal_checked.hpp"
#include "ring_2_strict.hpp"
#include "ring_4_liberal.hpp"
#include "ring_4_liberal_checked.hpp"
#include "ring_4_strict.hpp"
#include "ring_8_liberal.hpp"
#include "ring_8_liberal_checked.hpp"
#include "ring_8_strict.hpp"
#include "star_2_liberal.hpp"
#include "star_2_liberal_checked.hpp"
#include "star_2_strict.hpp"
#include "star_4_liberal.hpp"
#include "star_4_liberal_checked.hpp"
#include "star_4_strict.hpp"
#include "star_8_liberal.hpp"
#include "star_8_liberal_checked.hpp"
#include "star_8_strict.hpp"
#include "turns_2_liberal.hpp"
#include "turns_2_liberal_checked.hpp"
#include "turns_2_strict.hpp"

namespace {

long messages = 20'000;
int rounds = 41;

class blocking_queue {
public:
  void send(long value) {
    {
      const std::lock_guard hold(lock_);
      content_.push_back(value);
    }
    arrival_.notify_one();
  }
  long recv() {
    std::unique_lock hold(lock_);
    arrival_.wait(hold, [this] { return !content_.empty(); });
    const long value = content_.front();
    content_.pop_front();
    return value;
  }

private:
  std::mutex lock_;
  std::condition_variable arrival_;
  std::deque<long> content_;
};

// The interface of a module, with a queue a pair and no protocol.
class by_hand {
public:
  enum class role : unsigned {};
  explicit by_hand(unsigned threads) : threads_(threads), queues_(std::size_t{threads} * threads) {}
  void send(role from, role to, long value) { queue(from, to).send(value); }
  template <class T>
  T recv(role self, role from) {
    return queue(from, self).recv();
  }

private:
  blocking_queue& queue(role from, role to) { return queues_[std::size_t(from) * threads_ + std::size_t(to)]; }
  unsigned threads_;
  std::vector<blocking_queue> queues_;
};

enum class pattern { ring, star, fan_out };

long messages_a_turn(pattern how, unsigned threads) {
  switch (how) {
    case pattern::ring: return threads;
    case pattern::star: return 2;
    case pattern::fan_out: return 2 * (long(threads) - 1);
  }
  return 1;
}

template <class Protocol>
double run(Protocol& protocol, unsigned threads, pattern how) {
  using role = typename Protocol::role;
  const long turns = messages / messages_a_turn(how, threads);
  const auto hub = [&] {
    for (long i = 0; i < turns; ++i) {
      const auto spoke = role(1 + static_cast<unsigned>(i) % (threads - 1));
      protocol.send(role(0), spoke, i);
      if (protocol.template recv<long>(role(0), spoke) != i) std::abort();
    }
  };
  const auto spoke = [&](unsigned self) {
    for (long i = self - 1; i < turns; i += threads - 1) {
      protocol.send(role(self), role(0), protocol.template recv<long>(role(self), role(0)));
    }
  };
  const auto giver = [&] {
    for (long i = 0; i < turns; ++i) {
      for (unsigned worker = 1; worker < threads; ++worker) protocol.send(role(0), role(worker), i);
      for (unsigned worker = 1; worker < threads; ++worker) {
        if (protocol.template recv<long>(role(0), role(worker)) != i) std::abort();
      }
    }
  };
  const auto worker = [&](unsigned self) {
    for (long i = 0; i < turns; ++i) {
      protocol.send(role(self), role(0), protocol.template recv<long>(role(self), role(0)));
    }
  };
  const auto node = [&](unsigned self) {
    for (long i = 0; i < turns; ++i) {
      const auto before = role((self + threads - 1) % threads);
      const auto after = role((self + 1) % threads);
      if (self == 0) protocol.send(role(self), after, i);
      const long token = protocol.template recv<long>(role(self), before);
      if (token != i) std::abort();
      if (self != 0) protocol.send(role(self), after, long(token));
    }
  };
  const auto start = std::chrono::steady_clock::now();
  std::vector<std::thread> all;
  const auto begin = [&](unsigned self) {
    switch (how) {
      case pattern::ring: return node(self);
      case pattern::star: return self == 0 ? hub() : spoke(self);
      case pattern::fan_out: return self == 0 ? giver() : worker(self);
    }
  };
  for (unsigned self = 1; self < threads; ++self) all.emplace_back([&, self] { begin(self); });
  begin(0);
  for (auto& t : all) t.join();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

template <class Protocol, class... Arguments>
double measure(unsigned threads, pattern how, Arguments... arguments) {
  Protocol protocol(arguments...);
  return run(protocol, threads, how);
}

template <class Strict, class Liberal, class Checked>
void compare(const char* name, unsigned threads, pattern how) {
  std::vector<double> by_hand_seconds;
  std::vector<double> ratios[4];
  for (int i = 0; i < rounds; ++i) {
    double seconds[4] = {};
    for (int turn = 0; turn < 4; ++turn) {
      switch (const int which = (i + turn) % 4; which) {
        case 0: seconds[which] = measure<by_hand>(threads, how, threads); break;
        case 1: seconds[which] = measure<Strict>(threads, how); break;
        case 2: seconds[which] = measure<Liberal>(threads, how); break;
        default: seconds[which] = measure<Checked>(threads, how); break;
      }
    }
    by_hand_seconds.push_back(seconds[0]);
    for (int which = 1; which < 4; ++which) ratios[which].push_back(seconds[which] / seconds[0]);
  }
  const long turn = messages_a_turn(how, threads);
  const auto sent = double(messages / turn * turn);
  const double hand = sent / median(by_hand_seconds);
  std::printf("%-12s %7u %12.0f", name, threads, hand);
  for (int which = 1; which < 4; ++which) {
    const double ratio = median(ratios[which]);
    std::printf(" %12.0f %5.2f", hand / ratio, ratio);
  }
  std::printf("\n");
}

}  // namespace

int main(int argc, char** argv) {
  if (argc > 1) messages = std::max(16L, std::atol(argv[1]));
  if (argc > 2) rounds = std::max(1, std::atoi(argv[2]));
  std::printf("messages a second; x: time by hand = 1\n%-12s %7s %12s %12s %5s %12s %5s %12s %5s\n", "", "threads",
              "by hand", "strict", "x", "liberal", "x", "checked", "x");
  compare<turns_2_strict::chess, turns_2_liberal::chess, turns_2_liberal_checked::chess>("turn-taking", 2,
                                                                                         pattern::ring);
  compare<ring_2_strict::token_ring, ring_2_liberal::token_ring, ring_2_liberal_checked::token_ring>("ring", 2,
                                                                                                     pattern::ring);
  compare<ring_4_strict::token_ring, ring_4_liberal::token_ring, ring_4_liberal_checked::token_ring>("ring", 4,
                                                                                                     pattern::ring);
  compare<ring_8_strict::token_ring, ring_8_liberal::token_ring, ring_8_liberal_checked::token_ring>("ring", 8,
                                                                                                     pattern::ring);
  compare<star_2_strict::token_star, star_2_liberal::token_star, star_2_liberal_checked::token_star>("star", 2,
                                                                                                     pattern::star);
  compare<star_4_strict::token_star, star_4_liberal::token_star, star_4_liberal_checked::token_star>("star", 4,
                                                                                                     pattern::star);
  compare<star_8_strict::token_star, star_8_liberal::token_star, star_8_liberal_checked::token_star>("star", 8,
                                                                                                     pattern::star);
  compare<fan_out_3_strict::fan_out, fan_out_3_liberal::fan_out, fan_out_3_liberal_checked::fan_out>("fan-out", 3,
                                                                                                     pattern::fan_out);
  compare<fan_out_5_strict::fan_out, fan_out_5_liberal::fan_out, fan_out_5_liberal_checked::fan_out>("fan-out", 5,
                                                                                                     pattern::fan_out);
  compare<fan_out_9_strict::fan_out, fan_out_9_liberal::fan_out, fan_out_9_liberal_checked::fan_out>("fan-out", 9,
                                                                                                     pattern::fan_out);
}
