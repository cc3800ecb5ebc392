// expect: shared_ptr to something mutable
#include <harrier/harrier.hpp>
#include <memory>
struct server {
  std::shared_ptr<int> all;
  void go() {}
};
void driver(harrier::self& me) { me.send<&server::go>(me.create<server>()); }
