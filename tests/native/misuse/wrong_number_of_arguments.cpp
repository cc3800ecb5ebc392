// expect: wrong number of arguments for this handler
#include <harrier/harrier.hpp>
struct server {
  void set(harrier::self&, int) {}
};
void driver(harrier::self& me) { me.send<&server::set>(me.create<server>(), 1, 2); }
