// expect: an argument does not convert to the handler's parameter
#include <harrier/harrier.hpp>
struct server {
  void set(int) {}
};
void driver(harrier::self& me) { me.send<&server::set>(me.create<server>(), "five"); }
