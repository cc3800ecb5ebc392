// expect: this class is no aggregate, so its fields are unknown
#include <harrier/harrier.hpp>
class server {
public:
  void go() { ++hidden_; }

private:
  int hidden_ = 0;
};
void driver(harrier::self& me) { me.send<&server::go>(me.create<server>()); }
