// A register with copies on several servers, on a network that loses messages. Read README.md beside this file.
#include <chrono>
#include <cstdint>
#include <harrier/cli/main.hpp>
#include <harrier/harrier.hpp>
#include <set>
#include <vector>

using namespace std::chrono_literals;

struct writer;

struct replica {
  int version = 0;
  int value = 0;

  /// Writes may come in any order, and more than once: the newest counts.
  void write(harrier::self& self, int new_version, int new_value, harrier::ref<writer> from);
};

struct writer {
  std::vector<harrier::ref<replica>> replicas;
  /// The fix: what is not acknowledged is sent again.
  bool sends_again = false;
  int version = 0;
  int value = 0;
  std::set<harrier::ref<replica>> acknowledged;

  void set(harrier::self& self, int new_value) {
    ++version;
    value = new_value;
    acknowledged.clear();
    send_to_those_behind(self);
  }

  void acknowledge(harrier::self& self, int of_version, harrier::ref<replica> from) {
    if (of_version != version) return;
    acknowledged.insert(from);
    if (acknowledged.size() == replicas.size() / 2 + 1) self.note("a majority has it");
    if (acknowledged.size() == replicas.size()) self.cancel<&writer::try_again>();
  }

  void try_again(harrier::self& self) {
    self.cover("sent again");
    send_to_those_behind(self);
  }

private:
  void send_to_those_behind(harrier::self& self) {
    for (const auto to : replicas)
      if (!acknowledged.contains(to)) self.send<&replica::write>(to, version, value, self.me<writer>());
    if (!sends_again) return;
    self.cancel<&writer::try_again>();
    self.after<&writer::try_again>(100ms);
  }
};

void replica::write(harrier::self& self, int new_version, int new_value, harrier::ref<writer> from) {
  if (new_version > version) {
    version = new_version;
    value = new_value;
  }
  self.send<&writer::acknowledge>(from, new_version, self.me<replica>());
}

harrier::program replicated(std::int64_t replicas, std::int64_t writes, bool sends_again) {
  auto tested = harrier::make_program([=](harrier::self& self) {
    std::vector<harrier::ref<replica>> all;
    for (std::int64_t i = 0; i < replicas; ++i) all.push_back(self.create<replica>());
    const auto only = self.create<writer>(all, sends_again);
    for (std::int64_t i = 1; i <= writes; ++i) self.send<&writer::set>(only, static_cast<int>(10 * i));
  });
  return harrier::converges(std::move(tested), "every replica has the newest value", [](const harrier::states& now) {
    const auto& newest = now.only<writer>();
    for (const replica& one : now.all<replica>())
      if (one.version != newest.version || one.value != newest.value) return false;
    return true;
  });
}

int main(int argc, char** argv) {
  return harrier::main(argc, argv,
                       {{"register",
                         "a replicated register on a network that loses messages (--lose 1)",
                         {{.name = "variant",
                           .value = "buggy",
                           .about = "sends a write once, or until it is acknowledged",
                           .words = {"buggy", "fixed"}},
                          {.name = "replicas", .value = 2, .about = "how many replicas", .least = 1, .greatest = 9},
                          {.name = "writes", .value = 1, .about = "how many writes", .least = 1, .greatest = 9}},
                         [](const harrier::arguments& given) {
                           return replicated(given.number("replicas"), given.number("writes"),
                                             given.word("variant") == "fixed");
                         }}});
}
