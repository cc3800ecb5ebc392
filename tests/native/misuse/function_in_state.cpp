// expect: std::function in an actor's state or message
#include <functional>
#include <harrier/harrier.hpp>
struct server {
  std::function<void()> callback;
  void go() {}
};
void driver(harrier::self& me) { me.send<&server::go>(me.create<server>()); }
