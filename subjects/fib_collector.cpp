// Fibonacci numbers by one server, which asks itself for the smaller ones and has their results collected.
//
// Source: S. Lauterburg, "Systematic Testing for Actor Programs", dissertation, University of Illinois 2011,
// tables 3.1, 3.3: `foundry` is the program in ActorFoundry, `scala` the one in Scala, which does without collectors of
// their own.
#include <optional>

#include "entries.hpp"

namespace {

struct fib {
  enum class answer_as { finished, result };
  harrier::ref<fib> client;
  answer_as kind = answer_as::finished;
  std::optional<int> first_result;

  void boot(harrier::self& self, int n) {
    self.send<&fib::compute>(self.me<fib>(), n, self.me<fib>(), answer_as::finished);
  }

  void compute(harrier::self& self, int n, harrier::ref<fib> asker, answer_as how) {
    if (n <= 2) return answer(self, n == 0 ? 0 : 1, asker, how);
    const auto collector = self.create<fib>(asker, how);
    self.send<&fib::compute>(self.me<fib>(), n - 1, collector, answer_as::result);
    self.send<&fib::compute>(self.me<fib>(), n - 2, collector, answer_as::result);
  }

  void result(harrier::self& self, int value) {
    if (first_result)
      answer(self, *first_result + value, client, kind);
    else
      first_result = value;
  }

  void finished(int) {}

  static void answer(harrier::self& self, int value, harrier::ref<fib> to, answer_as how) {
    if (how == answer_as::finished)
      self.send<&fib::finished>(to, value);
    else
      self.send<&fib::result>(to, value);
  }
};

void ask_server(harrier::self& self, int n) {
  const auto server = self.create<fib>();
  self.send<&fib::boot>(server, n);
}

/// In Scala whoever sent a message can be answered, so the actor that splits a number waits for the two results itself.
/// The main program is the actor that asks first.
struct scala_fib {
  harrier::ref<scala_fib> asker;
  std::optional<int> first_result;

  void compute(harrier::self& self, int n, harrier::ref<scala_fib> sender) {
    if (n <= 2) {
      self.send<&scala_fib::result>(sender, n == 0 ? 0 : 1);
      return;
    }
    if (!asker) asker = sender;
    const auto child = self.create<scala_fib>();
    self.send<&scala_fib::compute>(child, n - 1, self.me<scala_fib>());
    self.send<&scala_fib::compute>(child, n - 2, self.me<scala_fib>());
  }

  void result(harrier::self& self, int value) {
    if (!asker) return;  // the main program
    if (first_result)
      self.send<&scala_fib::result>(asker, *first_result + value);
    else
      first_result = value;
  }

  void test(harrier::self& self) {
    const auto server = self.create<scala_fib>();
    self.send<&scala_fib::compute>(server, 4, self.me<scala_fib>());
  }
};

harrier::program make(const harrier::arguments& given) {
  const auto n = static_cast<int>(given.number("n"));
  if (given.word("variant") == "foundry")
    return harrier::make_program([n](harrier::self& self) { ask_server(self, n); });
  if (n != 4)
    throw harrier::error(
        "fib-collector: variant=scala is the program for n=4 only; its actors remember one asker each");
  return harrier::make_program(scala_fib{});
}

}  // namespace

harrier::catalogue_entry harrier::subjects::fib_collector() {
  return {"fib-collector",
          "Fibonacci numbers by one server that asks itself",
          {{.name = "n", .value = 4, .about = "which Fibonacci number", .least = 0, .greatest = 20},
           {.name = "variant", .value = "foundry", .about = "whose figures", .words = {"foundry", "scala"}}},
          make};
}
