// What can be declared outside of its class, and how; compiled with the declarations that are written for it.
#include <harrier/harrier.hpp>
#include <string>
#include <vector>

namespace bank {
struct money {
  int cents = 0;
};
namespace inner {
struct account {
  struct card {
    int uses = 0;
    void use(harrier::self&) { ++uses; }
  };

  int balance = 0;
  std::vector<money> known;

  void pay(money x) { balance += x.cents; }
  void pay(int x, const std::string& /*for_what*/) { balance += x; }
  void look_up(harrier::self& self, harrier::ref<account> to) {
    if (balance > 0) self.send<harrier::overload<money>(&account::pay)>(to, money{balance});
  }
  void copy(harrier::self&) { *this = account{}; }
  bool accepts(harrier::handler<&account::look_up>) const { return balance > 0; }
};
}  // namespace inner
}  // namespace bank

namespace {
struct hidden {
  int value = 0;
  void set(int x) { value = x; }
};
}  // namespace

template <class T>
struct generic {
  T value{};
  void set(T x) { value = x; }
};

struct with_private {
  void look(harrier::self& self, harrier::ref<hidden> to) { self.send<&hidden::set>(to, value_); }
  void hand_on(harrier::self& self) { self.send<&with_private::secret>(self.me<with_private>()); }

private:
  void secret() { value_ = 1; }
  int value_ = 0;

  template <class F>
  friend bool inspect(F& f, with_private& x) {
    return f.object(x).fields(f.field("value", x.value_));
  }
};

struct declared_already {
  int a = 0;
  void beside(harrier::self&) { a = 1; }
  static harrier::declaration<harrier::writes<&declared_already::a>> declares(
      harrier::handler<&declared_already::beside>);
  void outside(harrier::self&) { a = 1; }
};
template <>
struct harrier::declared<&declared_already::outside> {
  using type = harrier::declaration<harrier::writes<&declared_already::a>>;
};

struct twins {
  int a = 0;
  void get(harrier::self&) { a = 1; }
  void get() const {}
};

#include "declarations.hpp"

void driver(harrier::self& self) {
  struct local {
    int value = 0;
    void set(int x) { value = x; }
  };
  const auto one = self.create<bank::inner::account>();
  self.send<harrier::overload<bank::money>(&bank::inner::account::pay)>(one, bank::money{3});
  self.send<harrier::overload<int, const std::string&>(&bank::inner::account::pay)>(one, 3, "tea");
  self.send<&bank::inner::account::look_up>(one, one);
  self.send<&bank::inner::account::copy>(one);
  self.send<&hidden::set>(self.create<hidden>(), 3);
  self.send<&generic<int>::set>(self.create<generic<int>>(), 3);
  self.send<&local::set>(self.create<local>(), 3);
  self.send<&with_private::hand_on>(self.create<with_private>());
  self.send<&declared_already::beside>(self.create<declared_already>());
  self.send<&declared_already::outside>(self.create<declared_already>());
}
