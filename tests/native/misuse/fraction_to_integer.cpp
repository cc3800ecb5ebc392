// expect: a floating-point number does not silently become an integer
#include <harrier/harrier.hpp>
struct server {
  void set(int) {}
};
void driver(harrier::self& me) { me.send<&server::set>(me.create<server>(), 1.5); }
