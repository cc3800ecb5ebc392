// expect: an aggregate with a base class
#include <harrier/harrier.hpp>
struct base {
  int value = 0;
};
struct server : base {
  int own = 0;
  void go() {}
};
void driver(harrier::self& me) { me.send<&server::go>(me.create<server>()); }
