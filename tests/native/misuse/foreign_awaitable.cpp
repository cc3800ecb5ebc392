// expect: a handler may co_await only self.call
#include <coroutine>
#include <harrier/harrier.hpp>
struct server {
  harrier::task go(harrier::self&) { co_await std::suspend_always{}; }
};
void driver(harrier::self& me) { me.send<&server::go>(me.create<server>()); }
