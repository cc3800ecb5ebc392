// expect-accepted
#include <harrier/harrier.hpp>
struct server {
  int value = 0;
  void set(int v) { value = v; }
};
void driver(harrier::self& me) { me.send<&server::set>(me.create<server>(), 5); }
const auto result = harrier::explore(driver);
