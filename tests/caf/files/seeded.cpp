// A file that was built without a thought of harrier: an account that two tellers read before they write.
#undef NDEBUG
#include <caf/all.hpp>
#include <cassert>
#include <cstdlib>
#include <iostream>
#include <string>

using namespace caf;

struct account_state {
  static constexpr const char* name = "account";
  int balance = 100;
};

behavior account(stateful_actor<account_state>* self) {
  return {[=](get_atom) { return self->state.balance; }, [=](put_atom, int balance) { self->state.balance = balance; }};
}

struct teller_state {
  static constexpr const char* name = "teller";
};

void teller(stateful_actor<teller_state>* self, const actor& of, int amount) {
  self->request(of, infinite, get_atom::value).then([=](int balance) {
    self->send(of, put_atom::value, balance + amount);
  });
}

void caf_main(actor_system& system) {
  std::cout << "open" << std::endl;
  const char* first = std::getenv("SEEDED_FIRST");
  const auto of = system.spawn(account);
  {
    system.spawn(teller, of, first != nullptr ? std::atoi(first) : 10);
    system.spawn(teller, of, 20);
  }
  std::this_thread::sleep_for(std::chrono::hours(1));
  scoped_actor self{system};
  int balance = 0;
  self->request(of, infinite, get_atom::value).receive([&](int now) { balance = now; }, [](error&) {});
  assert(balance == 130);
}

CAF_MAIN()
