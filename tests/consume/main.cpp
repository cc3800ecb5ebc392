#include <harrier/harrier.hpp>

namespace {

struct server {
  int value = 0;
  void set(int v) { value = v; }
  int get() const { return value; }
  void shutdown(harrier::self& self) { self.destroy(); }
};

struct client {
  harrier::ref<server> store;
  harrier::task start(harrier::self& self) {
    self.send<&server::set>(store, 5);
    const int first = co_await self.call<&server::get>(store);
    const int second = co_await self.call<&server::get>(store);
    self.check(first == second, "two reads in a row agree");
    self.send<&server::shutdown>(store);
  }
};

void client_server(harrier::self& self) {
  const auto store = self.create<server>();
  const auto user = self.create<client>(store);
  self.send<&client::start>(user);
}

}  // namespace

int main() {
  const auto result = harrier::explore(client_server);
  return result.findings.empty() ? 1 : 0;
}
