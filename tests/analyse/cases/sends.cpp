// Which messages a handler may send, and to whom.
#include <functional>
#include <harrier/harrier.hpp>
#include <map>
#include <vector>

struct cell {
  int value = 0;
  void put(int x) { value = x; }
  void put(int x, int y) { value = x + y; }
  int get() const { return value; }
  void take(harrier::self&) {}
  void clear() { value = 0; }  // -> sender::done to who called it, sender::failed to who called it
};

void tell(harrier::self& self, harrier::ref<cell> to) { self.send<&cell::clear>(to); }
void unseen(harrier::self& self);
template <class T>
void tell_any(harrier::self& self, harrier::ref<T> to) {
  self.send<&T::clear>(to);
}
template <auto Handler>
void tell_this(harrier::self& self, harrier::ref<cell> to) {
  self.send<Handler>(to);
}
template <class F>
void twice(harrier::self& self, F f) {
  f(self);
  f(self);
}
const auto by_lambda = [](harrier::self& self, harrier::ref<cell> to) { self.send<&cell::take>(to); };
constexpr auto clearing = &cell::clear;
struct greeter {
  greeter(harrier::self& self, harrier::ref<cell> to) { self.send<&cell::take>(to); }
};
struct teller {
  harrier::self& self;
  harrier::ref<cell> to;
  ~teller() { self.send<&cell::clear>(to); }
};

// clang-format off
struct sender {
  harrier::ref<cell> one;
  std::vector<harrier::ref<cell>> all;
  std::map<int, harrier::ref<cell>> known;

  void to_field(harrier::self& self) { self.send<&cell::clear>(one); }                                   // -> cell::clear to field one
  void to_argument(harrier::self& self, harrier::ref<cell> to) { self.send<&cell::clear>(to); }          // -> cell::clear to argument to
  void to_created(harrier::self& self) { self.send<&cell::clear>(self.create<cell>()); }                 // -> cell::clear to an actor that it creates
  void to_created_before(harrier::self& self) { auto c = self.create<cell>(); self.send<&cell::clear>(c); } // -> cell::clear to an actor that it creates
  void to_itself(harrier::self& self) { self.send<&sender::to_itself>(self.me<sender>()); }              // -> sender::to_itself to itself
  void to_element(harrier::self& self) { self.send<&cell::clear>(all[1]); self.send<&cell::take>(known.at(1)); } // -> cell::clear to an actor in field all, cell::take to an actor in field known
  void to_all(harrier::self& self) { for (const auto& c : all) self.send<&cell::clear>(c); }             // -> cell::clear to an actor in field all
  void overloaded(harrier::self& self) { self.send<harrier::overload<int, int>(&cell::put)>(one, 1, 2); } // -> cell::put(int, int) to field one
  void by_constant(harrier::self& self) { self.send<clearing>(one); } // -> cell::clear to field one
  void by_choice(harrier::self& self) { self.send<sizeof(int) == 4 ? &cell::clear : clearing>(one); } // -> cell::clear to field one
  void by_constructor(harrier::self& self) { greeter g{self, one}; } // -> cell::take to argument to
  void by_pointer_to_function(harrier::self& self) { void (*f)(harrier::self&, harrier::ref<cell>) = tell; f(self, one); } // -> any: self is handed to a function that is not known here
  void nothing(harrier::self&) {}                                                                        // ->

  void by_function(harrier::self& self) { tell(self, one); }                                             // -> cell::clear to argument to
  void by_member(harrier::self& self) { helper(self); }                                                  // -> cell::clear to field one
  void by_template(harrier::self& self) { tell_any(self, one); }                                         // -> cell::clear to argument to
  void by_template_of_handler(harrier::self& self) { tell_this<&cell::take>(self, one); }                // -> cell::take to argument to
  void by_lambda(harrier::self& self) { [&] { self.send<&cell::clear>(one); }(); }                       // -> cell::clear to field one
  void by_lambda_handed_on(harrier::self& self) { twice(self, [this](harrier::self& s) { s.send<&cell::clear>(one); }); } // -> cell::clear to field one
  void by_lambda_of_any(harrier::self& self) { auto f = [&](auto to) { self.send<&cell::clear>(to); }; f(one); } // -> cell::clear to argument to
  void by_global_lambda(harrier::self& self) { ::by_lambda(self, one); }                                 // -> cell::take to argument to
  void by_alias(harrier::self& self) { auto& s = self; s.send<&cell::clear>(one); }                      // -> cell::clear to field one
  void by_nobody(harrier::self& self) { self.check(all.empty(), "none"); self.note("x"); }               // ->

  harrier::task calls(harrier::self& self) { co_await self.call<&cell::get>(one); }                      // -> cell::get to field one
  void continues(harrier::self& self) { self.call<&cell::clear>(one).then<&sender::done, &sender::failed>(); } // -> cell::clear to field one
  void done() {}                                                                                         // ->
  void failed(const std::string&) {}                                                                     // ->

  void unseen_function(harrier::self& self) { unseen(self); }                                            // -> any: self is handed to unseen, which is not in this file
  void by_pointer(harrier::self& self) { auto* s = &self; s->send<&cell::clear>(one); }                  // -> any: self is handed on
  void by_function_object(harrier::self& self) { std::function<void(harrier::self&)> f = by_lambda_; f(self); } // -> any: self is handed to operator(), which is not in this file
  void by_destructor(harrier::self& self) { teller t{self, one}; }                                       // -> any: self is handed on
  void of_any(harrier::self& self) { auto f = [&](auto x) { self.send<&decltype(x)::actor_class::clear>(x); }; f(one); } // -> cell::clear to argument x; any: a message is sent that is only known where a template is used

  static void by_lambda_(harrier::self&) {}

private:
  void helper(harrier::self& self) { self.send<&cell::clear>(one); }

  template <class F>
  friend bool inspect(F& f, sender& x) {
    return f.object(x).fields(f.field("one", x.one));
  }
};
// clang-format on

void driver(harrier::self&) {}
