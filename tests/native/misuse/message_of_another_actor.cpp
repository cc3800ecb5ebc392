// expect: the actor referred to has no such message
#include <harrier/harrier.hpp>
struct server {
  void set(int) {}
};
struct client {
  void start() {}
};
void driver(harrier::self& me) { me.send<&client::start>(me.create<server>()); }
