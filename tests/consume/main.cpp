// What a stranger does with harrier: explore a program, and let a generated module watch over two threads.
#include <harrier/harrier.hpp>
#include <harrier/replay/replay.hpp>

#include <thread>

#include "ping_pong.hpp"

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

bool is_found_again(const harrier::finding& bug) {
  harrier::replay_listener nobody;
  const auto end = harrier::replay(harrier::make_program(client_server), {.finding = bug}, nobody);
  return end.way == harrier::replay_end::how::found_again;
}

bool ball_comes_back() {
  using role = protocols::ping_pong::role;
  protocols::ping_pong game;
  std::thread pong([&] {
    auto self = game.at(role::pong);
    self.send(role::ping, self.recv<int>(role::ping) + 1);
  });
  auto self = game.at(role::ping);
  self.send(role::pong, 41);
  const int ball = self.recv<int>(role::pong);
  pong.join();
  return ball == 42;
}

}  // namespace

#ifdef WITH_TRANSPORT
bool has_come_across();
#else
bool has_come_across() { return true; }
#endif

int main() {
  const auto result = harrier::explore(client_server);
  if (result.findings.empty()) return 1;
  if (!is_found_again(result.findings.front())) return 4;
  if (!has_come_across()) return 3;
  return ball_comes_back() ? 0 : 2;
}
