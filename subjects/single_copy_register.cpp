// Each server keeps a register of its own, and tells nobody: with one server clients see one register.
//
// Source: Stateright's examples/single-copy-register.rs (github.com/stateright/stateright).
#include "register_client.hpp"

namespace {

using harrier::subjects::register_value;

struct single_copy {
  register_value value = '\0';
  int number = 0;

  void join(int own_number, std::vector<harrier::ref<single_copy>> /*all*/) { number = own_number; }
  void put(harrier::self& self, int request, register_value v,
           harrier::ref<harrier::subjects::register_client<single_copy>> from);
  void get(harrier::self& self, int request, harrier::ref<harrier::subjects::register_client<single_copy>> from);
};
using client = harrier::subjects::register_client<single_copy>;

void single_copy::put(harrier::self& self, int request, register_value v, harrier::ref<client> from) {
  value = v;
  self.send<&client::put_ok>(from, request, number);
}
void single_copy::get(harrier::self& self, int request, harrier::ref<client> from) {
  harrier::subjects::send_value(self, from, request, value, number);
}

}  // namespace

harrier::catalogue_entry harrier::subjects::single_copy_register() {
  return register_entry<single_copy>("single-copy-register", "a register at each server, of which no other knows", 1);
}
