// expect: a raw pointer in an actor's state or message
#include <harrier/harrier.hpp>
struct server {
  int* where = nullptr;
  void go() {}
};
void driver(harrier::self& me) { me.send<&server::go>(me.create<server>()); }
