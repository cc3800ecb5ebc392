// expect: an actor is copied before each of its steps
#include <harrier/harrier.hpp>
#include <memory>
struct server {
  std::unique_ptr<int> own;
  void go() {}
};
void driver(harrier::self& me) { me.send<&server::go>(me.create<server>()); }
