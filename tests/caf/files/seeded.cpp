// A file that was built without a thought of harrier: an account that two tellers read before they write.
#undef NDEBUG
#include <caf/all.hpp>
#include <cassert>
#include <cstdlib>
#include <iostream>
#include <string>

using namespace caf;

#ifdef CAF_VERSION_MAJOR  // CAF 1
#define ATOM(name) name##_v
#define STATE self->state()
#else
#define ATOM(name) name::value
#define STATE self->state
#endif

struct account_state {
  static constexpr const char* name = "account";
  int balance = 100;
};

behavior account(stateful_actor<account_state>* self) {
  return {[=](get_atom) { return STATE.balance; }, [=](put_atom, int balance) { STATE.balance = balance; }};
}

struct teller_state {
  static constexpr const char* name = "teller";
};

void teller(stateful_actor<teller_state>* self, const actor& of, int amount) {
  self->request(of, infinite, ATOM(get_atom)).then([=](int balance) {
    self->send(of, ATOM(put_atom), balance + amount);
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
  self->request(of, infinite, ATOM(get_atom)).receive([&](int now) { balance = now; }, [](error&) {});
  assert(balance == 130);
}

CAF_MAIN()
