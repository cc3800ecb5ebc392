// expect: a handler takes its arguments by value or const&
#include <harrier/harrier.hpp>
struct server {
  void change(int&) {}
};
void driver(harrier::self& me) {
  int x = 0;
  me.send<&server::change>(me.create<server>(), x);
}
