// expect: unresolved overloaded function type|no matching (member )?function
#include <harrier/harrier.hpp>
struct server {
  void set(int) {}
  void set(double) {}
};
void driver(harrier::self& me) { me.send<&server::set>(me.create<server>(), 1); }
