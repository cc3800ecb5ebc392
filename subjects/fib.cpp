// Fibonacci numbers: each actor asks two new ones for the numbers before its own.
//
// Source: S. Lauterburg, "Systematic Testing for Actor Programs", dissertation, University of Illinois 2011, chapter 4;
// also in TransDPOR (FMOODS/FORTE 2012).
//
// Every actor that splits can hear its two children in two orders: 2 to the power of the inner nodes of the tree.
#include <optional>

#include "entries.hpp"

namespace {

struct fib {
  enum class answer_as { finished, result };
  harrier::ref<fib> client;
  answer_as kind = answer_as::finished;
  std::optional<int> first_result;

  void boot(harrier::self& self, int n) {
    const auto root = self.create<fib>(self.me<fib>(), answer_as::finished);
    self.send<&fib::compute>(root, n);
  }

  void compute(harrier::self& self, int n) {
    if (n <= 2) return answer(self, n == 0 ? 0 : 1);
    for (const int smaller : {n - 1, n - 2}) {
      const auto child = self.create<fib>(self.me<fib>(), answer_as::result);
      self.send<&fib::compute>(child, smaller);
    }
  }

  void result(harrier::self& self, int value) {
    if (first_result)
      answer(self, *first_result + value);
    else
      first_result = value;
  }

  void finished(int) {}

  void answer(harrier::self& self, int value) {
    if (kind == answer_as::finished)
      self.send<&fib::finished>(client, value);
    else
      self.send<&fib::result>(client, value);
  }
};

void compute_fib(harrier::self& self, int n) {
  const auto server = self.create<fib>();
  self.send<&fib::boot>(server, n);
}

}  // namespace

harrier::catalogue_entry harrier::subjects::fib() {
  return {"fib",
          "Fibonacci numbers by a tree of actors",
          {{.name = "n", .value = 5, .about = "which Fibonacci number", .least = 0, .greatest = 20}},
          [](const arguments& given) {
            return make_program([n = static_cast<int>(given.number("n"))](self& self) { compute_fib(self, n); });
          }};
}
