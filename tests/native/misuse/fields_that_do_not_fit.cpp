// expect: the actor cannot be initialised from these fields
#include <harrier/harrier.hpp>
struct server {
  int value = 0;
  void go() {}
};
void driver(harrier::self& me) { me.create<server>("text", 2); }
