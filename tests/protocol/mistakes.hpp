// Ten mistakes in session `order` of shutdown.dcj, as data: what each role does, one call after the other, whatever
// plays it. What is made of a mistake must not depend on how far the others are.
#pragma once

#include <cstdlib>
#include <iterator>
#include <ostream>
#include <string>
#include <vector>

namespace harrier::runtime::mistakes {

enum class deed { send_text, send_number, receive, receive_number, receive_any, close, finish, fail };
struct step {
  deed what;
  unsigned peer = 0;
};
using script = std::vector<step>;

constexpr unsigned a = 0;
constexpr unsigned b = 1;
constexpr unsigned c = 2;

inline script right(unsigned role) {
  using enum deed;
  if (role == a) return {{send_text, b}, {receive, b}, {send_text, c}, {finish}};
  if (role == b) return {{receive, a}, {send_text, c}, {receive, c}, {send_number, a}, {finish}};
  return {{receive, b}, {send_number, b}, {receive, a}, {finish}};
}

/// One role does this instead of what is right, and gets `words`. The others do what is right, and hear `owed` of it,
/// if they need it.
struct mistake {
  const char* name;
  unsigned role;
  script what;
  const char* words;
  const char* owed;

  friend void PrintTo(const mistake& one, std::ostream* to) { *to << one.name; }
};

inline const mistake all[] = {
    {"OneMessageTooMany",
     a,
     {{deed::send_text, b}, {deed::receive, b}, {deed::send_text, c}, {deed::send_text, c}},
     "a SEND T TO c: not allowed here, whatever the others do; a has finished",
     ""},
    {"AnotherType",
     a,
     {{deed::send_number, b}},
     "a SEND U TO b: not allowed here, whatever the others do; allowed here: a SEND T TO b (shutdown.dcj:61)",
     "a was left by an exception, and owed: a SEND T TO b (shutdown.dcj:61)"},
    {"AnotherReceiver",
     a,
     {{deed::send_text, c}},
     "a SEND T TO c: not allowed here, whatever the others do; allowed here: a SEND T TO b (shutdown.dcj:61)",
     "a was left by an exception, and owed: a SEND T TO b (shutdown.dcj:61)"},
    {"AReceiveInsteadOfASend",
     a,
     {{deed::receive, b}},
     "a RECV * FROM b: not allowed here, whatever the others do; allowed here: a SEND T TO b (shutdown.dcj:61)",
     "a was left by an exception, and owed: a SEND T TO b (shutdown.dcj:61)"},
    {"AReceiveOfAnotherType",
     b,
     {{deed::receive_number, a}},
     "b RECV U FROM a: the next message has another type, T; allowed here: b RECV T FROM a (shutdown.dcj:61)",
     "b was left by an exception, and owed: b RECV T FROM a (shutdown.dcj:61)"},
    {"AReceiveFromSomebodyElse",
     b,
     {{deed::receive, c}},
     "b RECV * FROM c: not allowed here, whatever the others do; allowed here: b RECV T FROM a (shutdown.dcj:61)",
     "b was left by an exception, and owed: b RECV T FROM a (shutdown.dcj:61)"},
    {"ACloseThatNobodyExpects",
     c,
     {{deed::receive, b}, {deed::close, b}},
     "c CLOSE b: not allowed here, whatever the others do; allowed here: c SEND U TO b (shutdown.dcj:63)",
     "c was left by an exception, and owed: c SEND U TO b (shutdown.dcj:63)"},
    {"AReceiveFromWhomever",
     c,
     {{deed::receive, b}, {deed::receive_any}},
     "c RECV * FROM *: not allowed here, whatever the others do; allowed here: c SEND U TO b (shutdown.dcj:63)",
     "c was left by an exception, and owed: c SEND U TO b (shutdown.dcj:63)"},
    {"AnEndThatComesTooEarly",
     c,
     {{deed::receive, b}, {deed::finish}},
     "c has left, and owed: c SEND U TO b (shutdown.dcj:63)",
     "c has left, and owed: c SEND U TO b (shutdown.dcj:63)"},
    {"AnExceptionOfItsOwn",
     b,
     {{deed::receive, a}, {deed::fail}},
     "b has fallen",
     "b was left by an exception, and owed: b SEND T TO c (shutdown.dcj:62)"},
};

inline script played_by(unsigned role, const mistake& one) { return role == one.role ? one.what : right(role); }

/// How often each is made: a few times, or HARRIER_MISTAKES times.
inline int repetitions() {
  const char* text = std::getenv("HARRIER_MISTAKES");
  return text == nullptr ? 5 : std::atoi(text);
}

}  // namespace harrier::runtime::mistakes
