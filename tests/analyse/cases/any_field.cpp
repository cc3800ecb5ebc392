// What makes a handler one that may touch every field, and where.
#include <algorithm>
#include <cstring>
#include <functional>
#include <harrier/harrier.hpp>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

const int limit = 3;
int counter = 0;
int* elsewhere = nullptr;
constexpr std::string_view title = "title";
void keep(int& x);

// clang-format off
struct copies {
  int a = 0;

  void copy(harrier::self&) { const copies other = *this; look(other); }              // = any: the whole object is copied
  void assign(harrier::self&) { *this = copies{3}; }                                  // = any: the whole object is assigned
  void lambda_with_copy(harrier::self&) { auto f = [*this] { return a; }; f(); }      // = any: the whole object is copied
  void by_constant(harrier::self&) { look(*this); }                                   // = any: the whole object is handed to look
  void by_pointer(harrier::self&) { change(this); }                                   // = any: `this` is handed to change
  void by_variable(harrier::self&) { auto f = [me = *this] { return me.a; }; f(); }   // = any: the whole object is copied
  void member_by_pointer(harrier::self&) { auto f = &copies::a; this->*f = 3; }       // = any: a member is named by a pointer, or `this` compared
  void function_by_pointer(harrier::self&) { auto f = &copies::inner; (this->*f)(); } // = any: a member is named by a pointer, or `this` compared
  void given_back(harrier::self&) { own().a = 3; }                                    // = any: the whole object is given back
  void no_more(harrier::self&) { a = 3; }                                             // = writes a

  copies& own() { return *this; }
  void inner() { a = 3; }
  static void look(const copies& x) { static_cast<void>(x.a); }
  static void change(copies* x) { x->a = 3; }
};

struct casts {
  int a = 0;

  void constant(harrier::self&) { const_cast<int&>(limit) = 3; }               // = any: a cast that takes const away, or makes another type of an object
  void own(harrier::self&) const { const_cast<int&>(a) = 3; }                  // = any: a cast that takes const away, or makes another type of an object
  void as_in_c(harrier::self&) const { (int&)a = 3; }                          // = any: a cast that may take const away, or make another type of an object
  void as_a_pointer(harrier::self&) const { *(int*)&a = 3; }                   // = any: a cast that may take const away, or make another type of an object
  void as_another(harrier::self&) { *reinterpret_cast<char*>(&a) = 3; }        // = any: a cast that takes const away, or makes another type of an object
  void by_helper(harrier::self&) { strip(a); }                                 // = any: a cast that takes const away, or makes another type of an object
  void numbers(harrier::self&) { a = (int)3.5 + static_cast<int>(limit) + int(limit); } // = writes a

  static void strip(const int& x) { const_cast<int&>(x) = 3; }
};

struct variables {
  int a = 0;

  void constant(harrier::self&) { a = limit; }                                 // = writes a
  void constant_view(harrier::self&) { a = static_cast<int>(title.size()); }   // = writes a
  void shared(harrier::self&) { a = counter; }                                 // = writes a; shared counter
  void shared_static(harrier::self&) { static int k = 0; a = ++k; }            // = writes a; shared k
  void shared_by_helper(harrier::self&) { a = next(); }                        // = writes a; shared counter
  void pointer(harrier::self&) { *elsewhere = 3; }                             // = any: variable elsewhere may refer to fields; shared elsewhere
  void lambda(harrier::self&) { static auto f = [](int& x) { x = 3; }; f(a); } // = writes a; shared f

  static int next() { return ++counter; }
};
struct stored {
  int a = 0;

  void stores(harrier::self&) { elsewhere = &a; }     // = any: variable elsewhere may refer to fields; shared elsewhere
  void another(harrier::self&) { a = 3; }             // = any: variable elsewhere may refer to fields
};
struct stored_function {
  int a = 0;

  void stores(harrier::self&) { static std::function<void()> f = [this] { a = 3; }; f(); } // = any: variable f may refer to fields; shared f
};
struct stored_lambda {
  int a = 0;

  void stores(harrier::self&) { static auto f = [this] { a = 3; }; f(); }      // = any: variable f may refer to fields; shared f
};

struct base_that_is_kept {
  int a = 0;
  void another(harrier::self&) { a = 3; }             // = any: variable elsewhere may refer to fields
};
struct keeps_its_base : base_that_is_kept {
  void stores(harrier::self&) { elsewhere = &a; }     // = any: variable elsewhere may refer to fields; shared elsewhere
};

struct leaking {
  int a = 0;
  int b = 0;

  void leak(harrier::self&) { keep(a); }             // = any: keep may keep what it is handed, and use it later
  void another(harrier::self&) { b = 3; }            // = any: keep may keep what it is handed, and use it later
};
struct leaking_by_pointer {
  int a = 0;
  int b = 0;

  void leak(harrier::self&) { auto* q = &a; hand_on(*q); } // = any: keep may keep what it is handed, and use it later
  void another(harrier::self&) { b = 3; }            // = any: keep may keep what it is handed, and use it later
  static void hand_on(int& x) { keep(x); }
};
struct leaking_by_lambda {
  int a = 0;

  void leak(harrier::self&) { keep_function([this] { a = 3; }); } // = any: keep_function may keep what it is handed, and use it later
  void another(harrier::self&) { use_function(); }   // = any: keep_function may keep what it is handed, and use it later
  static void keep_function(const std::function<void()>& f);
  static void use_function();
};
struct leaking_by_pointer_to_function {
  int a = 0;

  void leak(harrier::self&) { void (*f)(int&) = keep; f(a); } // = any: what is called here may keep what it is handed, and use it later
};
struct not_leaking {
  int a = 0;

  void unseen(harrier::self&) { unseen_of_number(a); unseen_of_constant(a); std::sort(&a, &a + 1); } // = writes a
  static void unseen_of_number(int x);
  static void unseen_of_constant(const int& x);
};
struct leaking_itself {
  int a = 0;

  void leak(harrier::self&) { keep_all(this); }      // = any: `this` is handed to keep_all, which is not in this file; any: keep_all may keep what it is handed, and use it later
  void another(harrier::self&) { a = 3; }            // = any: keep_all may keep what it is handed, and use it later
  static void keep_all(leaking_itself* x);
};

struct unseen {
  int a = 0;

  void calls(harrier::self&) { body_elsewhere(); }   // = any: the body of body_elsewhere is not in this file
  void body_elsewhere();
  void handler_elsewhere(harrier::self&);            // = any: its body is not in this file
};

struct overloads {
  int a = 0;

  void set(int x) { a = x; }
  void set(const std::string& x) { a = static_cast<int>(x.size()); }
  void of_any(harrier::self&) { auto f = [this](auto x) { set(x); }; f(1); } // = any: a member is named whose function is only known where a template is used
};

struct base {
  int inherited = 0;
  void raise() { ++inherited; }
};
struct with_references : base {
  int a = 0;
  int* p = nullptr;
  std::shared_ptr<int> q;
  std::shared_ptr<const int> constant;
  std::function<void()> f;
  union {
    int left;
    char right;
  };

  template <class F>
  friend bool inspect(F& f, with_references& x) {
    return f.object(x).fields(f.field("a", x.a));
  }
  void by_pointer(harrier::self&) { *p = 3; }                      // = any: field p may refer to others: it is a int *
  void by_shared_pointer(harrier::self&) { *q = 3; }               // = any: field q may refer to others: it is a std::shared_ptr<int>
  void by_constant(harrier::self&) { if (*constant > 3) a = 1; }   // = reads constant; writes a
  void by_function(harrier::self&) { f(); }                        // = any: field f may refer to others: it is a std::function<void ()>
  void by_union(harrier::self&) { left = 3; }                      // = any: a field of a class or union without a name
  void by_argument(harrier::self&, int* x) { *x = 3; }             // = any: argument x may refer to fields: it is a int *
  void by_base(harrier::self&) { raise(); }                        // = writes inherited
  void of_base(harrier::self&) { if (inherited > 0) a = 1; }       // = reads inherited; writes a
};

struct with_virtual {
  int a = 0;
  virtual ~with_virtual() = default;
  virtual void inner() { a = 3; }
  void calls(harrier::self&) { inner(); }                          // = any: inner is virtual
};
// clang-format on

void driver(harrier::self&) {}
