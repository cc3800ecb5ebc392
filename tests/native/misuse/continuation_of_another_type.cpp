// expect: the handler takes exactly the callee's result
#include <harrier/harrier.hpp>
struct server {
  int get() const { return 1; }
};
struct client {
  harrier::ref<server> store;
  void start(harrier::self& me) { me.call<&server::get>(store).then<&client::on_text>(); }
  void on_text(const std::string&) {}
};
void driver(harrier::self& me) { me.send<&client::start>(me.create<client>(me.create<server>())); }
