// expect: a handler's argument is move-only
#include <harrier/harrier.hpp>
#include <memory>
struct server {
  void take(std::unique_ptr<int>) {}
};
void driver(harrier::self& me) { me.send<&server::take>(me.create<server>(), std::make_unique<int>(1)); }
