// expect: GCC 12 miscompiles a temporary aggregate
#include <harrier/harrier.hpp>
#include <string>
struct order {
  std::string what;
  int count = 0;
};
struct shop {
  int take(const order& o) { return o.count; }
};
struct buyer {
  harrier::ref<shop> at;
  harrier::task go(harrier::self& me) { co_await me.call<&shop::take>(at, order{"tea", 2}); }
};
void driver(harrier::self& me) { me.send<&buyer::go>(me.create<buyer>(me.create<shop>())); }
