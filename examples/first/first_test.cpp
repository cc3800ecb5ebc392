// Two customers share an account. Run each of the tests in every order of deliveries that can matter: the first fails.
#include <harrier/gtest.hpp>

struct account {
  int balance = 100;

  int read() const { return balance; }
  void withdraw(int amount) { balance -= amount; }
};

// Looks first and pays later: what the other customer does in between goes unseen.
struct customer {
  harrier::ref<account> shared;

  harrier::task shop(harrier::self& self, int price) {
    const int balance = co_await self.call<&account::read>(shared);
    if (balance >= price) self.send<&account::withdraw>(shared, price);
  }
};

ETEST(Account, IsNotOverdrawn) {
  const auto shared = self.create<account>();
  self.send<&customer::shop>(self.create<customer>(shared), 80);
  self.send<&customer::shop>(self.create<customer>(shared), 80);
  handle_all();
  EXPECT_GE(state(shared).balance, 0);
}

// The fix: who has the balance decides. Nothing comes between looking and paying, since a handler is never interrupted.
struct careful_account {
  int balance = 100;

  bool withdraw(int amount) {
    if (balance < amount) return false;
    balance -= amount;
    return true;
  }
};

struct careful_customer {
  harrier::ref<careful_account> shared;
  int bought = 0;

  harrier::task shop(harrier::self& self, int price) {
    const bool paid = co_await self.call<&careful_account::withdraw>(shared, price);
    if (paid) ++bought;
  }
};

ETEST(CarefulAccount, IsNotOverdrawn) {
  const auto shared = self.create<careful_account>();
  const auto ann = self.create<careful_customer>(shared);
  const auto bob = self.create<careful_customer>(shared);
  self.send<&careful_customer::shop>(ann, 80);
  self.send<&careful_customer::shop>(bob, 80);
  handle_all();
  EXPECT_EQ(state(shared).balance, 20);
  EXPECT_EQ(state(ann).bought + state(bob).bought, 1);
}
