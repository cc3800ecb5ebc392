#include <harrier/harrier.hpp>

struct server {
  int value = 0;
  void set(int v) { value = v; }
  void end_with(harrier::self& self, int v) { self.check(value == v, "the last value is kept"); }
};

void driver(harrier::self& self) {
  const auto store = self.create<server>();
  self.send<&server::set>(store, 4);
  self.send<&server::end_with>(store, 4);
}

int main() { return harrier::explore(driver).findings.size() == 1 ? 0 : 1; }
