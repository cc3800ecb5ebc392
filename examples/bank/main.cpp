// Two customers draw from one account. Each looks first whether there is enough. Read README.md beside this file.
#include <harrier/cli/main.hpp>
#include <harrier/harrier.hpp>

struct account {
  int balance = 100;

  int read_balance() const { return balance; }

  void withdraw(harrier::self& self, int amount) {
    balance -= amount;
    self.check(balance >= 0, "the account is not overdrawn");
  }

  bool try_to_withdraw(harrier::self& self, int amount) {
    if (balance < amount) return false;
    withdraw(self, amount);
    return true;
  }
};

/// The bug: between the look and the withdrawal the other customer comes in.
struct trusting_customer {
  harrier::ref<account> shared;

  harrier::task shop(harrier::self& self, int price) {
    const int balance = co_await self.call<&account::read_balance>(shared);
    if (balance >= price) self.send<&account::withdraw>(shared, price);
  }
};

/// The fix: the account looks and acts in one step.
struct careful_customer {
  harrier::ref<account> shared;
  bool has_paid = false;

  harrier::task shop(harrier::self& self, int price) {
    has_paid = co_await self.call<&account::try_to_withdraw>(shared, price);
  }
};

template <class Customer>
void saturday(harrier::self& self) {
  const auto shared = self.create<account>();
  const auto ann = self.create<Customer>(shared);
  const auto bob = self.create<Customer>(shared);
  self.send<&Customer::shop>(ann, 80);
  self.send<&Customer::shop>(bob, 80);
}

int main(int argc, char** argv) {
  return harrier::main(argc, argv, {{"overdrawn", saturday<trusting_customer>}, {"fixed", saturday<careful_customer>}});
}
