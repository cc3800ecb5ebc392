// What of an actor's fields each handler reads and writes: the comment beside it says what is to be found.
#include <algorithm>
#include <array>
#include <harrier/harrier.hpp>
#include <iostream>
#include <map>
#include <numeric>
#include <string>
#include <tuple>
#include <utility>
#include <variant>
#include <vector>

void unseen_const(const int& x);
void bump(int& x) { ++x; }
int look(const int& x) { return x; }
template <class T>
void store(T&& x) {
  x = 3;
}
const int limit = 3;

struct point {
  int x = 0;
  int y = 0;
  void move() { ++x; }
  int sum() const { return x + y; }
};
struct lazy {
  mutable int cached = 0;
  int get() const { return ++cached; }
};
struct greedy {
  int value = 0;
  explicit greedy(int& x) : value(x++) {}
};

struct fields {
  int a = 0;
  int b = 0;
  point p;
  std::vector<int> v;
  std::map<int, std::string> m;
  std::string s;
  std::array<int, 3> arr{};
  std::optional<int> o;
  std::variant<int, std::string> w;
  harrier::tracked<int> n = 0;
  harrier::tracked<std::string> t;
  lazy l;
  std::vector<bool> bits;
  harrier::ref<fields> next;

  // clang-format off
  void assignment() { a = b; }                                       // = reads b; writes a
  void with_this() { this->a = (*this).b; }                          // = reads b; writes a
  void compound() { a += b; }                                        // = reads b; writes a
  void increments() { a++; --b; }                                    // = writes a b
  void operators() { if (!a || -b > 0) return; }                     // = reads a b
  void chain() { a = b = 3; }                                        // = writes a b
  void nested() { p.x = 3; }                                         // = writes p
  void nested_read() { if (p.x > 0) return; }                        // = reads p
  void comma() { (a, b) = 3; }                                       // = reads a; writes b
  void ternary() { (limit > 3 ? a : b) = 3; }                        // = writes a b
  void ternary_read() { int z = limit > 3 ? a : b; bump(z); }        // = reads a b
  void discarded() { static_cast<void>(a); (void)b; }                // = reads a b
  void unevaluated() { a = static_cast<int>(sizeof(b)); }            // = writes a
  void conditions() { if (int z = a; z > 0) while (b > 0) break; }   // = reads a b
  void steps() { switch (a) { case 1: b = 2; break; default: break; } } // = reads a; writes b
  int returned() { return b; }                                       // = reads b

  void by_reference() { bump(a); }                                   // = writes a
  void by_constant() { look(a); unseen_const(b); }                   // = reads a b
  void by_forwarding() { store(a); }                                 // = writes a

  void address() { int* q = &a; *q = 3; }                            // = writes a
  void constant_address() { const int* q = &a; look(*q); }           // = reads a
  void address_at_once() { *&a = 3; }                                // = writes a
  void element() { arr[1] = 3; v[1] = 3; }                           // = writes v arr
  void element_read() { look(v[1] + v.at(2) + arr[1] + v.front()); } // = reads v arr
  void element_of_map() { look(static_cast<int>(m[1].size())); }     // = writes m
  void element_of_map_read() { s = m.at(1); }                        // = reads m; writes s
  void element_by_get() { std::get<0>(arr) = 3; look(std::get<0>(w)); } // = reads w; writes arr
  void optional() { *o = 3; }                                        // = writes o
  void optional_read() { if (o && o.value() > *o) return; }          // = reads o
  void method() { p.move(); }                                        // = writes p
  void constant_method() { look(p.sum()); }                          // = reads p
  void container() { v.push_back(a); s.clear(); }                    // = reads a; writes v s
  void iterator() { auto it = m.find(a); it->second = "x"; }         // = reads a; writes m
  void algorithm() { std::sort(v.begin(), v.end()); }                // = writes v
  void algorithm_read() { a = std::accumulate(v.cbegin(), v.cend(), b); } // = reads b v; writes a
  void as_constant() { for (int x : std::as_const(v)) look(x); }     // = reads v
  void moved() { const auto z = std::move(s); }                      // = writes s
  void exchanged() { b = std::exchange(a, 3); }                      // = writes a b
  void swapped() { std::swap(a, b); }                                // = writes a b
  void tied() { std::tie(a, b) = std::pair(1, 2); }                  // = writes a b
  void copied() { const auto z = v; const std::pair q{a, b}; }       // = reads a b v
  void emplaced() { v.emplace_back(a); m.emplace(b, s); }            // = reads a b s; writes v m
  void emplaced_by_reference() { std::vector<greedy> g; g.emplace_back(a); } // = writes a
  void braces() { v = {a, b}; p = {a, 3}; }                          // = reads a b; writes p v
  void braces_with_reference() { struct holder { int& r; } h{a}; h.r = 3; } // = writes a
  void read_in() { std::cin >> a; std::cout << b; }                  // = reads b; writes a

  void alias() { auto& x = p.x; x = 4; }                             // = writes p
  void alias_read() { auto& x = p; look(x.y + x.sum()); }            // = reads p
  void alias_of_alias() { auto& x = p; auto&& y = x.y; y = 3; }      // = writes p
  void constant_alias() { const auto& x = p; look(x.y); }            // = reads p
  void bindings() { auto& [x, y] = p; y = 3; }                       // = writes p
  void bindings_read() { auto& [x, y] = p; look(y); }                // = reads p
  void bindings_copied() { auto [x, y] = p; x = y; }                 // = reads p
  void loop() { for (int& x : v) x = 1; }                            // = writes v
  void loop_with_bindings() { for (auto& [k, x] : m) x = "y"; }      // = writes m
  void loop_read() { for (const int x : v) look(x); for (auto& x : v) look(x); } // = reads v
  void loop_by_value() { for (auto x : arr) bump(x); }               // = reads arr
  void bit() { bits[1] = true; }                                     // = writes bits
  void bit_read() { if (bits[1]) return; }                           // = reads bits
  void bit_by_proxy() { auto z = bits[1]; z = true; }                // = writes bits
  void bits_by_proxies() { for (auto z : bits) z = true; }           // = writes bits
  void hidden_write() { look(l.get()); }                             // = writes l

  void tracked() { n += a; t.write().push_back('x'); ++n; }          // = reads a; writes n t
  void tracked_read() { look(*n + n + n.get()); if (t == "x") return; } // = reads n t
  void tracked_moved() { const auto z = std::move(t); }              // = writes t

  void lambda() { [&] { a = b; }(); }                                // = reads b; writes a
  void lambda_read() { const auto f = [this] { return a; }; f(); }   // = reads a
  void lambda_to_reference() { auto f = [&]() -> int& { return a; }; f() = 3; } // = writes a
  void lambda_by_initialiser() { auto f = [&r = a, q = b] { r = q; }; f(); } // = reads b; writes a
  void lambda_for_algorithm() { std::for_each(v.cbegin(), v.cend(), [this](int x) { a += x; }); } // = reads v; writes a
  void lambda_for_function() { std::function<void()> f = [&] { a = 3; }; f(); } // = writes a
  void lambda_of_any() { auto f = [&](auto x) { a = x; look(b); }; f(1); } // = reads b; writes a
  void lambda_of_any_by_reference() { auto f = [&](auto& x) { x = 1; }; f(a); } // = writes a
  void visitor() { std::visit([](auto& x) { x = {}; }, w); }         // = writes w

  void by_helper() { helper(); }                                     // = writes b
  void by_helpers_result() { inside() = 3; }                         // = writes a
  void by_template() { set<int>(3); }                                // = writes a
  void by_itself() { if (a-- > 0) by_itself(); }                     // = writes a
  void another(const fields& other) { look(other.a); }               // = none
  void defined_outside();
  void message(harrier::self& self) { self.send<&fields::take>(next, a, s, v); } // = reads a v s next
  void take(int x, const std::string& y, std::vector<int> z) { look(x); s = y; v = std::move(z); } // = writes v s
  void created(harrier::self& self) { self.create<point>(a, b); }    // = reads a b
  void checked(harrier::self& self) { self.check(a > 0, "a"); self.note(s); } // = reads a s
  harrier::task coroutine(harrier::self& self) { a = co_await self.call<&fields::returned>(next); if (b) co_return; } // = reads b next; writes a
  harrier::task nested_calls(harrier::self& self) { look(co_await self.call<&fields::sum>(next, co_await self.call<&fields::sum>(next, b))); } // = reads b next
  int sum(int x) const { return a + x; }                             // = reads a
  harrier::task_of<int> coroutine_value(harrier::self&) { co_return b; } // = reads b
  // clang-format on

private:
  void helper() { deeper(); }
  void deeper() { b = 1; }
  int& inside() { return a; }
  template <class T>
  void set(T x) {
    a = x;
  }
};

void fields::defined_outside() { look(a); }  // = reads a

template <auto... Handler>
void send_all(harrier::self& self, harrier::ref<fields> to) {
  (self.send<Handler>(to), ...);
}

void driver(harrier::self& self) {
  using f = fields;
  const auto to = self.create<fields>();
  send_all<&f::assignment, &f::with_this, &f::compound, &f::increments, &f::operators, &f::chain, &f::nested,
           &f::nested_read, &f::comma, &f::ternary, &f::ternary_read, &f::discarded, &f::unevaluated, &f::conditions,
           &f::steps, &f::by_reference, &f::by_constant, &f::by_forwarding, &f::address, &f::constant_address,
           &f::address_at_once, &f::element, &f::element_read, &f::element_of_map, &f::element_of_map_read,
           &f::element_by_get, &f::optional, &f::optional_read, &f::method, &f::constant_method, &f::container,
           &f::iterator, &f::algorithm, &f::algorithm_read, &f::as_constant, &f::moved, &f::exchanged, &f::swapped,
           &f::tied, &f::copied, &f::emplaced, &f::emplaced_by_reference, &f::braces, &f::braces_with_reference,
           &f::read_in>(self, to);
  send_all<&f::alias, &f::alias_read, &f::alias_of_alias, &f::constant_alias, &f::bindings, &f::bindings_read,
           &f::bindings_copied, &f::loop, &f::loop_with_bindings, &f::loop_read, &f::loop_by_value, &f::bit,
           &f::bit_read, &f::bit_by_proxy, &f::bits_by_proxies, &f::hidden_write, &f::tracked, &f::tracked_read,
           &f::tracked_moved, &f::lambda, &f::lambda_read, &f::lambda_to_reference, &f::lambda_by_initialiser,
           &f::lambda_for_algorithm, &f::lambda_for_function, &f::lambda_of_any, &f::lambda_of_any_by_reference,
           &f::visitor, &f::by_helper, &f::by_helpers_result, &f::by_template, &f::by_itself, &f::defined_outside>(self,
                                                                                                                   to);
  self.send<&f::another>(to, fields{});
}
