// Clients write to a store, one at a time, by leases that expire. Read README.md beside this file.
#include <chrono>
#include <cstdint>
#include <harrier/cli/main.hpp>
#include <harrier/harrier.hpp>
#include <optional>

using namespace std::chrono_literals;

/// Gives a lease to one client at a time, and takes it back after a second.
struct lease_service {
  int last = 0;  ///< the number of the last lease
  bool is_held = false;

  /// The number of the new lease; none if another client has one.
  std::optional<int> acquire(harrier::self& self) {
    if (is_held) return std::nullopt;
    is_held = true;
    self.after<&lease_service::expire>(1s);
    return ++last;
  }
  void expire(harrier::self& self) {
    self.note("a lease expired");
    is_held = false;
  }
  void release(harrier::self& self, int lease) {
    if (lease != last || !is_held) return;
    self.cancel<&lease_service::expire>();
    is_held = false;
  }
};

struct store {
  /// The fix: a write that comes with an older lease than one before is refused.
  bool is_fenced = false;
  int newest_lease = 0;
  int value = 0;

  bool write(harrier::self& self, int lease, int new_value) {
    if (is_fenced && lease < newest_lease) {
      self.note("refused");
      return false;
    }
    self.check(lease >= newest_lease, "a client writes only while it has the lease");
    newest_lease = lease;
    value = new_value;
    return true;
  }
};

struct client {
  harrier::ref<lease_service> leases;
  harrier::ref<store> to;
  int value = 0;

  harrier::task work(harrier::self& self) {
    const auto answer = co_await self.call<&lease_service::acquire>(leases).within(200ms);
    if (!answer || !*answer) {
      self.note("no lease");
      co_return;
    }
    const int lease = **answer;
    const auto written = co_await self.call<&store::write>(to, lease, value).within(500ms);
    self.note(!written ? "no answer" : *written ? "written" : "too late");
    self.send<&lease_service::release>(leases, lease);
  }
};

struct monday {
  std::int64_t clients;
  bool is_fenced;

  void test(harrier::self& self) {
    const auto leases = self.create<lease_service>();
    const auto shared = self.create<store>(is_fenced);
    for (int i = 1; i <= clients; ++i) self.send<&client::work>(self.create<client>(leases, shared, i));
  }
};

int main(int argc, char** argv) {
  return harrier::main(
      argc, argv,
      {{"lease",
        "clients write to a store by leases that expire",
        {{.name = "variant",
          .value = "buggy",
          .about = "whether the store looks at the number of the lease",
          .words = {"buggy", "fixed"}},
         {.name = "clients", .value = 2, .about = "how many clients", .least = 1, .greatest = 9}},
        [](const harrier::arguments& given) {
          return harrier::make_program(monday{given.number("clients"), given.word("variant") == "fixed"});
        }}});
}
