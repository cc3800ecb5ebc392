// Fields that are read and written in ways that are easily overlooked.
#include <algorithm>
#include <any>
#include <cstdio>
#include <cstring>
#include <functional>
#include <harrier/harrier.hpp>
#include <iterator>
#include <map>
#include <memory>
#include <numeric>
#include <span>
#include <string>
#include <vector>
// clang-format off
int look(int x) { return x; }
void bump(int& x) { ++x; }
int& pick(int& x, int&) { return x; }
struct point { int x = 0; int y = 0; void move() { ++x; } };
point& operator+=(point& p, int k) { p.x += k; return p; }
struct conv { int x = 0; operator int&() { return x; } operator int() const { return x; } };
struct range { int d[2]{}; int* begin() { return d; } int* end() { return d + 2; } };
struct guard { int& x; ~guard() { x = 0; } };
struct base { int inherited = 0; };
struct hidden : base {
  int a = 0, b = 0;
  std::string s; std::vector<int> v; std::map<int, std::string> m; std::array<point, 2> ps{}; point p; std::optional<int> o; conv c; std::tuple<int, int> tp; int carr[3]{}; std::vector<std::string> vs; unsigned bf : 3 = 0; range r;
  template <class F> friend bool inspect(F& f, hidden& x) { return f.object(x).fields(f.field("a", x.a)); }
  void elvis(harrier::self&) { int z = a ?: b; bump(z); }                                  // = writes a b
  void element_pointer(harrier::self&) { auto* q = &v[0]; *q = 3; }                        // = writes v
  void data_pointer(harrier::self&) { int* q = v.data(); q[1] = 3; }                       // = writes v
  void span(harrier::self&) { std::span<int> sp(v); sp[0] = 1; }                           // = writes v
  void ref(harrier::self&) { auto q = std::ref(a); q.get() = 3; }                          // = writes a
  void user_range(harrier::self&) { for (auto& x : r) x = 1; }                             // = writes r
  void nested_element(harrier::self&) { ps[0].x = 3; }                                     // = writes ps
  void nested_element_method(harrier::self&) { ps[0].move(); }                             // = writes ps
  void nested_element_read(harrier::self&) { look(ps[0].x); }                              // = reads ps
  void star_begin(harrier::self&) { *v.begin() = 3; }                                      // = writes v
  void if_find(harrier::self&) { if (auto it = m.find(1); it != m.end()) it->second = "q"; } // = writes m
  void nested_lambda(harrier::self&) { [&] { [&] { a = 3; }(); }(); }                      // = writes a
  void alias_captured(harrier::self&) { auto& x = a; auto f = [&x] { x = 3; }; f(); }      // = writes a
  void alias_captured2(harrier::self&) { auto& x = a; auto f = [&] { x = 3; }; f(); }      // = writes a
  void alias_copied(harrier::self&) { auto& x = a; auto f = [x]() mutable { x = 3; }; f(); } // = writes a
  void alias_element(harrier::self&) { auto& x = v[0]; x = 2; }                            // = writes v
  void alias_optional(harrier::self&) { auto& x = *o; x = 2; }                             // = writes o
  void alias_ternary(harrier::self&) { auto& x = b ? a : carr[0]; x = 2; }                 // = reads b; writes a carr
  void alias_function(harrier::self&) { auto& x = pick(a, b); x = 2; }                     // = writes a b
  void maxmin(harrier::self&) { look(std::max(a, b) + std::clamp(a, 1, 2)); }              // = reads a b
  void min_list(harrier::self&) { look(std::min({a, b})); }                                // = reads a b
  void placement(harrier::self&) { new (&a) int(3); }                                      // = writes a
  void thrown(harrier::self&) { throw a; }                                                 // = reads a
  void thrown_class(harrier::self&) { throw p; }                                           // = reads p
  point give(harrier::self&) { return {a, b}; }                          // = reads a b
  point give2(harrier::self&) { return p; }                              // = reads p
  std::string give3(harrier::self&) { return std::move(s); }             // = writes s
  void user_op(harrier::self&) { p += 3; }                                                 // = writes p
  void user_conv(harrier::self&) { static_cast<int&>(c) = 3; }                             // = writes c
  void user_conv_read(harrier::self&) { look(std::as_const(c)); }                          // = reads c
  void qualified(harrier::self&) { base::inherited = 3; }                                  // = writes inherited
  void lambda_arg(harrier::self&) { [](int& x) { x = 3; }(a); }                            // = writes a
  auto make() { return [this] { a = 3; }; }
  void made(harrier::self&) { auto f = make(); f(); }                                      // = writes a
  void tuple_binding(harrier::self&) { auto& [x, y] = tp; x = 3; }                         // = writes tp
  void tuple_binding_read(harrier::self&) { auto& [x, y] = tp; look(x + y); }              // = reads tp
  void c_array(harrier::self&) { std::memset(carr, 0, sizeof carr); }                      // = writes carr
  void c_array_size(harrier::self&) { look(static_cast<int>(std::size(carr))); }           // = reads carr
  void c_array_ref(harrier::self&) { auto& q = carr; q[1] = 3; }                           // = writes carr
  void c_array_ptr(harrier::self&) { int(*row)[3] = &carr; (*row)[1] = 3; }                // = writes carr
  void braced_ref(harrier::self&) { int& q{a}; q = 3; }                                    // = writes a
  void braced_auto_ref(harrier::self&) { auto& q{a}; q = 3; }                              // = writes a
  void braced_ref_eq(harrier::self&) { int& q = {a}; q = 3; }                              // = writes a
  void braced_arg(harrier::self&) { bump({a}); }                                           // = writes a
  void braced_class_ref(harrier::self&) { point& q{p}; q.x = 3; }                          // = writes p
  int& braced() { return {a}; }
  void braced_return(harrier::self&) { braced() = 3; }                                     // = writes a
  void rvalue_ref(harrier::self&) { int&& q = static_cast<int&&>(a); q = 3; }              // = writes a
  void forward(harrier::self&) { bump(std::forward<int&>(a)); }                            // = writes a
  void decl_auto(harrier::self&) { decltype(auto) q = (a); q = 3; }                        // = writes a
  void addressof(harrier::self&) { *std::addressof(a) = 3; }                               // = writes a
  void inserter(harrier::self&) { std::fill_n(std::back_inserter(v), 3, a); }              // = reads a; writes v
  void swap_other(harrier::self&) { std::vector<int> q; q.swap(v); }                       // = writes v
  void from_moved(harrier::self&) { std::vector<int> q(std::move(v)); }                    // = writes v
  void guarded(harrier::self&) { guard g{a}; }                                             // = writes a
  void guarded_parens(harrier::self&) { guard g(a); }                                      // = writes a
  void guarded_designated(harrier::self&) { guard g{.x = a}; }                             // = writes a
  void guarded_unique(harrier::self&) { auto g = std::unique_ptr<guard>(new guard{a}); }   // = writes a
  void guarded_optional(harrier::self&) { std::optional<guard> g; g.emplace(a); }          // = writes a
  void guarded_pair(harrier::self&) { std::pair<int, guard> g{1, {a}}; }                   // = writes a
  void guarded_array(harrier::self&) { guard g[] = {{a}, {b}}; }                           // = writes a b
  void designated(harrier::self&) { p = point{.x = a, .y = b}; }                           // = reads a b; writes p
  void tuple_of_refs(harrier::self&) { std::tuple<int&> q{a}; std::get<0>(q) = 3; }        // = writes a
  void pair_of_refs(harrier::self&) { std::pair<int&, int> q(a, 1); q.first = 3; }         // = writes a
  void vector_of_refs(harrier::self&) { std::vector<std::reference_wrapper<int>> q; q.emplace_back(a); q.push_back(b); q[0].get() = 3; } // = writes a b
  void vector_of_pointers(harrier::self&) { std::vector<int*> q; q.push_back(&a); q.emplace_back(&b); *q[0] = 3; } // = writes a b
  void any(harrier::self&) { std::any q = &a; *std::any_cast<int*>(q) = 3; }               // = writes a
  void view(harrier::self&) { std::string_view q = s; look(static_cast<int>(q.size())); }  // = reads s
  void c_str(harrier::self&) { look(static_cast<int>(std::strlen(s.c_str()))); }           // = reads s
  void data(harrier::self&) { s.data()[0] = 'x'; }                                         // = writes s
  void varargs(harrier::self&) { std::printf("%d", a); }                                   // = reads a
  void scanning(harrier::self&) { static_cast<void>(std::scanf("%d", &a)); }               // = writes a
  void overflow(harrier::self&) { static_cast<void>(__builtin_add_overflow(a, 1, &b)); }   // = reads a; writes b
  void list_loop(harrier::self&) { for (int x : {a, b}) bump(x); }                         // = reads a b
  void bitfield(harrier::self&) { bf = 3; }                                                // = writes bf
  void bitfield_read(harrier::self&) { look(static_cast<int>(bf)); }                       // = reads bf
  void init_capture_this(harrier::self&) { auto f = [me = this] { me->a = 3; }; f(); }     // = any: `this` is handed on
  void reference_to_this(harrier::self&) { auto& me = *this; me.a = 3; }                   // = any: the whole object is handed on
  void bound(harrier::self&) { std::bind(&hidden::inner, this)(); }                             // = any: `this` is handed to bind, which is not in this file
  void strings(harrier::self&) { auto q = s + "x"; vs.push_back(s); }                      // = reads s; writes vs
  void loop_strings(harrier::self&) { for (const auto& q : vs) look(static_cast<int>(q.size())); } // = reads vs
  void loop_rvalue_ref(harrier::self&) { for (auto&& q : vs) q = "x"; }                    // = writes vs
  void stmt_expr(harrier::self&) { int z = ({ a; }); bump(z); }                            // = reads a
  void cleanups(harrier::self&) { int& q = (std::string("x"), a); q = 3; }                 // = writes a
  void cleanups_arg(harrier::self&) { bump((std::string("x"), a)); }                       // = writes a
  void spaceship(harrier::self&) { if ((a <=> b) < 0) return; if (s < vs[0]) return; if (p.x == ps[1].y) return; } // = reads a b s vs p ps
  void deref_this_call(harrier::self&) { (*this).inner(); }                                // = writes b
  void ref_to_pointer(harrier::self&) { int* q = &a; int*& z = q; *z = 3; }                // = writes a
  void comma_lambda(harrier::self&) { auto f = [&]() -> auto& { return v; }; f().clear(); } // = writes v
  void condition_decl(harrier::self&) { while (auto* q = &a) { *q = 3; break; } }          // = writes a
  void local_class(harrier::self&) { struct l { int& q; void go() { q = 3; } }; l{a}.go(); } // = writes a
  void same_name(harrier::self&) { struct l { int q; void go() { q = 3; } }; l{a}.go(); }  // = reads a
  void fold(harrier::self&) { [&](auto... x) { ((a += x), ...); }(1, 2); }                 // = writes a
  void transform(harrier::self&) { std::transform(v.cbegin(), v.cend(), std::back_inserter(vs), [](int x) { return std::to_string(x); }); } // = reads v; writes vs
  void inner() { b = 3; }
};
// clang-format on
