// A catalogue of small programs, one for each way in which a program can go wrong, for tests that run real binaries.
// HARRIER_E2E_CHANGED builds it as it looks after a change, so that saved traces no longer fit.
#include <fcntl.h>
#include <pthread.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <new>
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
enum class harm : std::uint8_t {
  segv,
  abort,
  overflow,
  exit,
  loop,
  sleep,
  kill,
  exception,
  quick_exit,
  terminate,
  handled,
  memory,
  fork,
  close,
  hoard
};

int deeper(volatile int* above) {
  volatile int here[64] = {*above + 1};
  return here[0] < 0 ? 0 : deeper(here) + here[63];  // the stack is full long before the number is
}

/// Ever more memory, but no more than a machine has.
void hoard() {
  constexpr int most_mib = 3000;
  for (int mib = 0; mib < most_mib; ++mib) {
    static char* volatile kept = nullptr;
    kept = new char[std::size_t{1} << 20];
    std::memset(kept, 1, std::size_t{1} << 20);
  }
}

void suffer(harm how) {
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
    case harm::quick_exit: std::quick_exit(0);
    case harm::terminate: std::terminate();
    case harm::handled: std::signal(SIGABRT, [](int) { _exit(7); }); std::abort();
    case harm::memory: throw std::bad_alloc();
    case harm::hoard: hoard(); break;
    case harm::fork:
      if (fork() == 0)
        for (;;) pause();
      std::abort();
    case harm::close:
      for (int file = 0; file < 1024; ++file) close(file);
      break;
  }
}

struct victim {
  harm how;
  int seen = 0;

  void first() { ++seen; }
  void second() {
    if (seen++ == 0) suffer(how);
  }

  template <class F>
  friend bool inspect(F& f, victim& x) {
    return f.object(x).fields(f.field("seen", x.seen));
  }
  explicit victim(harm what) : how(what) {}
};

/// Where harm can be done outside a handler.
enum class place : std::uint8_t { guard, copy, inspect, at_rest, destructor, argument };

/// Does harm there, once it has opened and was then asked for something.
struct fragile {
  place where;
  harm how;
  bool open = false;
  bool broken = false;

  fragile(place in, harm what) : where(in), how(what) {}
  fragile(const fragile& other) : where(other.where), how(other.how), open(other.open), broken(other.broken) {
    break_in(place::copy);
  }
  fragile(fragile&&) = default;
  fragile& operator=(const fragile&) = delete;
  ~fragile() { break_in(place::destructor); }

  void unlock() { open = true; }
  void knock() { broken = open; }
  void leave() {}
  bool accepts(harrier::handler<&fragile::leave>) const {
    break_in(place::guard);
    return true;
  }
  bool at_rest() const {
    break_in(place::at_rest);
    return true;
  }
  template <class F>
  friend bool inspect(F& f, fragile& x) {
    x.break_in(place::inspect);
    return f.object(x).fields(f.field("open", x.open), f.field("broken", x.broken));
  }

private:
  void break_in(place here) const {
    if (here == where && broken) suffer(how);
  }
};

struct packet {
  bool breaks;
  harm how;
  template <class F>
  friend bool inspect(F& f, packet& x) {
    if (x.breaks) suffer(x.how);
    return f.object(x).fields(f.field("breaks", x.breaks));
  }
};

struct postman {
  harm how;
  void post(harrier::self& self, bool breaks) { self.send<&postman::take>(self.me<postman>(), packet{breaks, how}); }
  void take(const packet&) {}
};

harrier::program harmful_outside(place where, harm how) {
  return harrier::make_program([=](harrier::self& self) {
    if (where == place::argument) {
      self.send<&postman::post>(self.create<postman>(how), true);
      return;
    }
    const auto it = self.create<fragile>(where, how);
    self.send<&fragile::unlock>(it);
    self.send<&fragile::knock>(it);
    self.send<&fragile::leave>(it);
  });
}

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

/// Its declarations are wrong: one handler writes, another reads what is not said.
struct undeclared {
  int x = 0;
  int y = 0;
  void write() { y = 1; }
  static harrier::declaration<harrier::writes<&undeclared::x>> declares(harrier::handler<&undeclared::write>);
  void set(int v) { y = v; }
  static harrier::declaration<harrier::writes<&undeclared::y>> declares(harrier::handler<&undeclared::set>);
  void add() { x += y; }
  static harrier::declaration<harrier::writes<&undeclared::x>> declares(harrier::handler<&undeclared::add>);
};

harrier::program wrong_declaration(bool writes) {
  return harrier::make_program([writes](harrier::self& self) {
    const auto a = self.create<undeclared>();
    if (writes) return self.send<&undeclared::write>(a);
    self.send<&undeclared::set>(a, 0);
    self.send<&undeclared::set>(a, 7);
    self.send<&undeclared::add>(a);
  });
}

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

/// As in a process that another thread's lock was copied into by fork: the child in which the file that
/// HARRIER_E2E_STUCK_ONCE names is removed never gets to its work.
void be_stuck_once() {
  const char* once = std::getenv("HARRIER_E2E_STUCK_ONCE");
  if (once == nullptr || unlink(once) != 0) return;
  for (;;) pause();
}
harrier::program stuck_once() {
  pthread_atfork(nullptr, nullptr, be_stuck_once);
  return long_search(4);
}

/// Fails in some orders. The first to see it takes its parent process with it, which is a worker's: whoever makes the
/// file that HARRIER_E2E_DIES_ONCE names.
struct last_words {
  int heard = 0;
  void hear() { ++heard; }
  void say(harrier::self& self) {
    const char* once = std::getenv("HARRIER_E2E_DIES_ONCE");
    if (heard == 4 && once != nullptr && open(once, O_CREAT | O_EXCL | O_CLOEXEC, 0600) >= 0) kill(getppid(), SIGKILL);
    self.check(heard != 4, "these are the last words");
  }
};
void dies_of_its_finding(harrier::self& self) {
  const auto one = self.create<last_words>();
  self.send<&last_words::say>(one);
  for (int i = 0; i < 6; ++i) self.send<&last_words::hear>(one);
}

/// Ends where it starts, badly: nothing is left to deliver.
struct unresting {
  bool at_rest() const { return false; }
  void work() {}
};
struct ends_at_once {
  bool rests;
  void set_up(harrier::self& self) const {
    if (!rests) self.create<unresting>();
  }
  void test(harrier::self&) {}
  void finally(harrier::final_states& end) const { end.check(!rests, "something happened"); }
};

void driver_crashes(harrier::self&) { std::abort(); }
struct bad_driver {
  harm how = harm::exception;
  explicit bad_driver(harm what) : how(what) {}
  bad_driver(const bad_driver& other) : how(other.how) { suffer(how); }
  bad_driver(bad_driver&&) = default;
  template <class F>
  friend bool inspect(F& f, bad_driver& x) {
    return f.object(x).fields();
  }
  void test(harrier::self&) {}
};
void driver_loops(harrier::self&) { suffer(harm::loop); }
void driver_throws(harrier::self&) { throw std::runtime_error("no configuration file"); }

struct talker {
  std::string last;
  void talk(const std::string& text) {
    std::printf("talking\n");
    last = text;
  }
};

void prints(harrier::self& self) { self.send<&talker::talk>(self.create<talker>(), std::string("caf\xff\"\n")); }

/// What a terminal, a line and JSON cannot show as it is.
struct note_taker {
  int notes = 0;
  std::string last;
  void take(const std::string& text) {
    ++notes;
    last = text;
  }
  void fail(harrier::self& self) {
    ++notes;
    self.check(false, "a check\n\x1b[31mthat " + std::string(1, '\0') + "\xff");
  }
};

void odd_texts(harrier::self& self) {
  const auto who = self.create<note_taker>();
  self.send<&note_taker::take>(who, std::string("nul\0 bell\a \"\xff\"\n", 15));
  self.send<&note_taker::fail>(who);
}

std::vector<harrier::catalogue_entry> catalogue() {
  using harrier::arguments;
  const harrier::parameter way{.name = "how",
                               .value = "segv",
                               .about = "what goes wrong",
                               .words = {"segv", "abort", "overflow", "exit", "loop", "sleep", "kill", "exception",
                                         "quick_exit", "terminate", "handled", "memory", "fork", "close", "hoard"}};
  const harrier::parameter where{.name = "where",
                                 .value = "guard",
                                 .about = "in what",
                                 .words = {"guard", "copy", "inspect", "at_rest", "destructor", "argument"}};
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
      {"outside",
       "does harm outside a handler",
       {where, way},
       [=, places = where.words](const arguments& given) {
         std::size_t i = 0;
         while (places[i] != given.word("where")) ++i;
         return harmful_outside(static_cast<place>(i), harm_named(given.word("how")));
       }},
      {"check-then-crash", "a failed check and a crash", {}, [](const arguments&) { return check_then_crash(); }},
      {"nondeterministic", nondeterministic},
      {"wrong-declaration",
       "a handler does what it is declared not to do",
       {{.name = "reads", .value = 0, .about = "1: it reads, 0: it writes", .greatest = 1}},
       [](const arguments& given) { return wrong_declaration(given.number("reads") == 0); }},
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
      {"ends-at-once",
       "has a finding before the first delivery",
       {{.name = "rests",
         .value = 0,
         .about = "1: a check of the states fails, 0: an actor is not at rest",
         .greatest = 1}},
       [](const arguments& given) { return harrier::make_program(ends_at_once{given.number("rests") == 1}); }},
      {"long-search",
       "many executions",
       {{.name = "messages", .value = 12, .about = "how many", .least = 1, .greatest = 100}},
       [](const arguments& given) { return long_search(given.number("messages")); }},
      {"stuck-once", "a process that searches never begins", {}, [](const arguments&) { return stuck_once(); }},
      {"dies-of-its-finding", dies_of_its_finding},
      {"driver-crashes", driver_crashes},
      {"driver-throws", driver_throws},
      {"driver-loops", driver_loops},
      {"driver-copy-throws",
       "cannot be copied",
       {},
       [](const arguments&) { return harrier::make_program(bad_driver(harm::exception)); }},
      {"cannot-be-made",
       "throws while it is made",
       {},
       [](const arguments&) -> harrier::program { throw std::runtime_error("no such data base"); }},
      {"prints", prints},
      {"odd-texts", odd_texts},
#ifndef HARRIER_E2E_CHANGED
      {"removed", failing_check},
#endif
  };
}

}  // namespace

int main(int argc, char** argv) { return harrier::main(argc, argv, catalogue()); }
