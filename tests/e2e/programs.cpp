// A catalogue of small programs, one for each way in which a program can go wrong, for tests that run real binaries.
// HARRIER_E2E_CHANGED builds it as it looks after a change, so that saved traces no longer fit.
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <stdexcept>
#include <string>
#include <thread>

#include <harrier/cli/main.hpp>
#include <harrier/harrier.hpp>

namespace {

#ifdef HARRIER_E2E_CHANGED
constexpr int step = 2;
#else
constexpr int step = 1;
#endif

/// Adds what it is sent; the order matters to who looks in between.
struct counter {
  int value = 0;
  void add(int n) { value += n * step; }
  int read() const { return value; }
  [[gnu::noinline]] void fail(harrier::self& self) { self.check(value == 0, "nothing was added before"); }
};

struct reader {
  harrier::ref<counter> from;
  harrier::task start(harrier::self& self) {
    self.send<&counter::add>(from, 1);
    const int seen = co_await self.call<&counter::read>(from);
    self.check(seen != 0, "the reader sees its own addition");
  }
};

void failing_check(harrier::self& self) {
  const auto shared = self.create<counter>();
  self.send<&reader::start>(self.create<reader>(shared));
}

void add_then_fail(harrier::self& self) {
  const auto shared = self.create<counter>();
  self.send<&counter::add>(shared, 1);
  self.send<&counter::fail>(shared);
}

struct peer {
  harrier::ref<peer> other;
  void meet(harrier::ref<peer> whom) { other = whom; }
  harrier::task go(harrier::self& self) {
    if (other) co_await self.call<&peer::answer>(other);
  }
  int answer() const { return 1; }
};

void deadlock(harrier::self& self) {
  const auto first = self.create<peer>();
  const auto second = self.create<peer>();
  self.send<&peer::meet>(first, second);
  self.send<&peer::meet>(second, first);
  self.send<&peer::go>(first);
  self.send<&peer::go>(second);
}

/// Does `harm` when the two messages come in the wrong order.
enum class harm : std::uint8_t { segv, abort, overflow, exit, loop, sleep, kill, exception };

int deeper(volatile int* above) {
  volatile int here[64] = {*above + 1};
  return here[0] < 0 ? 0 : deeper(here) + here[63];  // the stack is full long before the number is
}

struct victim {
  harm how;
  int seen = 0;

  void first() { ++seen; }
  void second() {
    if (seen++ == 0) suffer();
  }

private:
  void suffer() const {
    volatile int zero = 0;
    switch (how) {
      case harm::segv: *reinterpret_cast<volatile int*>(static_cast<std::uintptr_t>(zero)) = 1; break;
      case harm::abort: std::abort();
      case harm::overflow: deeper(&zero); break;
      case harm::exit: std::exit(0);
      case harm::loop:
        for (; zero == 0;) {}
        break;
      case harm::sleep:
        for (;;) std::this_thread::sleep_for(std::chrono::seconds(1));
      case harm::kill: raise(SIGKILL); break;
      case harm::exception: throw std::runtime_error("the victim suffers");
    }
  }

public:
  template <class F>
  friend bool inspect(F& f, victim& x) {
    return f.object(x).fields(f.field("seen", x.seen));
  }
  explicit victim(harm what) : how(what) {}
};

struct bystander {
  harrier::ref<victim> whom;
  int turns = 0;
  void turn(harrier::self& self) {
    self.check(++turns < 2, "the bystander turns once");
    self.send<&victim::second>(whom);
  }
};

harrier::program harmful(harm how) {
  return harrier::make_program([how](harrier::self& self) {
    const auto whom = self.create<victim>(how);
    const auto other = self.create<bystander>(whom);
    self.send<&bystander::turn>(other);
    self.send<&victim::first>(whom);
  });
}

/// A finding that comes before the crash, in an execution of its own.
harrier::program check_then_crash() {
  return harrier::make_program([](harrier::self& self) {
    const auto whom = self.create<victim>(harm::abort);
    const auto other = self.create<bystander>(whom);
    self.send<&victim::first>(whom);
    self.send<&bystander::turn>(other);
    self.send<&bystander::turn>(other);
  });
}

int outside = 0;

struct forgetful {
  int value = 0;
  void work() { value = ++outside; }
};

void nondeterministic(harrier::self& self) { self.send<&forgetful::work>(self.create<forgetful>()); }

/// Passes a number back and forth, `rounds` times or for ever.
struct player {
  bool fails = false;
  std::int64_t rounds = 0;
  void ball(harrier::self& self, harrier::ref<player> from, std::int64_t n) {
    rounds = n;
    if (n == 0 && fails) throw std::runtime_error("the ball is lost");
    if (n != 0) self.send<&player::ball>(from, self.me<player>(), n - 1);
  }
};

harrier::program ping_pong(std::int64_t rounds, bool fails) {
  return harrier::make_program([=](harrier::self& self) {
    const auto left = self.create<player>(fails);
    const auto right = self.create<player>(fails);
    self.send<&player::ball>(left, right, rounds - 1);
  });
}

struct leaver {
  void leave(harrier::self& self) { self.destroy(); }
  void note(int) {}
};

void undelivered(harrier::self& self) {
  const auto who = self.create<leaver>();
  self.send<&leaver::leave>(who);
  self.send<&leaver::note>(who, 7);
}

struct chooser {
  std::uint64_t first = 0;
  std::uint64_t second = 0;
  void choose(harrier::self& self) {
    first = self.choose(3);
    second = self.choose(4);
    self.check(first != 2 || second != 3, "not both at their highest");
  }
};

void choices(harrier::self& self) { self.send<&chooser::choose>(self.create<chooser>()); }

/// Many executions, each harmless: something to interrupt.
harrier::program long_search(std::int64_t messages) {
  return harrier::make_program([=](harrier::self& self) {
    const auto shared = self.create<counter>();
    for (std::int64_t i = 0; i < messages; ++i) self.send<&counter::add>(shared, 1);
  });
}

void driver_crashes(harrier::self&) { std::abort(); }
void driver_throws(harrier::self&) { throw std::runtime_error("no configuration file"); }

struct talker {
  std::string last;
  void talk(const std::string& text) {
    std::printf("talking\n");
    last = text;
  }
};

void prints(harrier::self& self) { self.send<&talker::talk>(self.create<talker>(), std::string("caf\xff\"\n")); }

std::vector<harrier::catalogue_entry> catalogue() {
  using harrier::arguments;
  const harrier::parameter way{.name = "how",
                               .value = "segv",
                               .about = "what goes wrong",
                               .words = {"segv", "abort", "overflow", "exit", "loop", "sleep", "kill", "exception"}};
  const auto harm_named = [words = way.words](const std::string& word) {
    std::size_t i = 0;
    while (words[i] != word) ++i;
    return static_cast<harm>(i);
  };
  return {
      {"failing-check", failing_check},
      {"add-then-fail", add_then_fail},
      {"deadlock", deadlock},
      {"harm",
       "a handler that does harm",
       {way},
       [=](const arguments& given) { return harmful(harm_named(given.word("how"))); }},
      {"check-then-crash", "a failed check and a crash", {}, [](const arguments&) { return check_then_crash(); }},
      {"nondeterministic", nondeterministic},
      {"ping-pong",
       "passes a ball; a negative number of rounds never ends",
       {{.name = "rounds", .value = 10, .about = "how often", .least = -1, .greatest = 1'000'000}},
       [](const arguments& given) { return ping_pong(given.number("rounds"), false); }},
      {"deep-bug",
       "throws after many rounds",
       {{.name = "rounds", .value = 100'000, .about = "how often", .least = 1}},
       [](const arguments& given) { return ping_pong(given.number("rounds"), true); }},
      {"undelivered", undelivered},
      {"choices", choices},
      {"long-search",
       "many executions",
       {{.name = "messages", .value = 12, .about = "how many", .least = 1, .greatest = 100}},
       [](const arguments& given) { return long_search(given.number("messages")); }},
      {"driver-crashes", driver_crashes},
      {"driver-throws", driver_throws},
      {"prints", prints},
#ifndef HARRIER_E2E_CHANGED
      {"removed", failing_check},
#endif
  };
}

}  // namespace

int main(int argc, char** argv) { return harrier::main(argc, argv, catalogue()); }
