// expect: a C array field cannot be enumerated
#include <harrier/harrier.hpp>
struct server {
  int slots[4] = {};
  void go() {}
};
void driver(harrier::self& me) { me.send<&server::go>(me.create<server>()); }
