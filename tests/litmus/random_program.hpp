#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <harrier/core/program.hpp>
#include <harrier/native/program.hpp>
#include <harrier/native/self.hpp>
#include <harrier/native/test_body.hpp>

/// Random actor programs as data: tables that one native actor class interprets,
/// so that any number of programs runs without compiling one.
///
/// Each program ends: a message carries fuel, what its handler sends carries one
/// less, and a handler without fuel changes its own state only. Unless it is
/// made endless: then it may go on for ever, through finitely many states.
namespace harrier::litmus {

inline constexpr int states = 3;
inline constexpr int kinds = 4;
inline constexpr int acquaintances = 3;
/// The row of a role's rules that is for answers to `then`, and for its errors.
inline constexpr int answer_row = kinds;
inline constexpr int error_row = kinds + 1;
inline constexpr int rows = kinds + 2;

/// Which handler takes a message of some kind when it is sent.
enum class sending : std::uint8_t {
  open,     ///< void, accepted always
  guarded,  ///< void, accepted in some states of the receiver
  looking,  ///< void const, guarded: the receiver's state is not even saved
  working,  ///< a coroutine, guarded
};
/// Which handler takes it when it is a request.
enum class calling : std::uint8_t {
  open,     ///< int
  guarded,  ///< int, accepted in some states of the receiver
  looking,  ///< int const, guarded
  working,  ///< a coroutine, guarded: it may make calls before it replies
};

enum class verb : std::uint8_t {
  assign,     ///< state = value
  add,        ///< state += the message's value + value
  add_drawn,  ///< state += what was drawn or replied last
  send,       ///< a message of `kind` to `to`
  create,     ///< an actor of role `kind`, known from now on as acquaintance `value`
  learn,      ///< acquaintance `value` = the actor named in the message
  destroy,
  choose,   ///< draws below `value`
  check,    ///< fails in state `value`
  require,  ///< fails in state `value`
  raise,    ///< throws in state `value`
  call,     ///< co_await a request of `kind` to `to`; by `then` in a handler that is no coroutine
};

/// An address in an action: an acquaintance, or one of these.
inline constexpr int named_in_message = acquaintances;
inline constexpr int oneself = acquaintances + 1;

struct action {
  verb what = verb::assign;
  int to = 0;
  int kind = 0;
  int value = 0;
  int names = 0;        ///< whom a message names
  int if_drawn = -1;    ///< only if this was drawn (or replied) last; -1: always
  bool catches = true;  ///< of a call: an exception in the callee is caught
};

struct role {
  int first_state = 0;
  /// In which states a guarded message of that kind is accepted, a bit each.
  std::array<unsigned, kinds> accepted{};
  std::array<std::array<std::vector<action>, states>, rows> rules;
};

struct root {
  int role = 0;
  std::array<int, acquaintances> knows{};  ///< roots
};

/// A message that the driver sends.
struct kick_off {
  int to = 0;  ///< a root
  int kind = 0;
  int value = 0;
  int names = 0;  ///< a root
  int fuel = 0;
  int if_drawn = -1;
  bool is_call = false;  ///< the driver waits for the reply
};

struct random_program {
  std::uint64_t seed = 0;
  std::array<sending, kinds> sent{};
  std::array<calling, kinds> called{};
  std::vector<role> roles;
  std::vector<root> roots;
  std::vector<kick_off> set_up;
  std::vector<kick_off> test;
  int driver_draws = 0;  ///< the driver chooses among so many before it sends; 0: it does not
  bool endless = false;  ///< messages do not lose fuel
};

/// The program of that seed: always the same one.
random_program make_random(std::uint64_t seed);

/// The same made endless: a handler sends one message at most and creates
/// nobody, so that only finitely many states can be reached.
random_program make_endless(std::uint64_t seed);

/// A program that interprets `tables`, which must outlive it.
program interpret(const random_program& tables);

/// The same as the body of a test, which lets messages be handled in its middle:
/// `calls` says how, a digit each time: 0 not at all, 1 handle_all, 2 handle_one,
/// 3 handle_until some actor is in some state. Calls of the driver are left out.
program interpret_as_test(const random_program& tables, std::vector<int> calls);

/// C++-like text from which a person can write the program down.
std::string to_text(const random_program& tables);

/// Every program that is `tables` with one thing less.
std::vector<random_program> smaller(const random_program& tables);

struct packet;

/// The actor that follows the tables.
struct node {
  const random_program* tables = nullptr;
  int role = 0;
  int state = 0;
  int fuel = 0;  // for the handler of the answer it waits for
  std::array<ref<node>, acquaintances> knows;

  void meet(std::array<ref<node>, acquaintances> others) { knows = others; }
  void take(self& me, const packet& p);
  void take_guarded(self& me, const packet& p);
  void look(self& me, const packet& p) const;
  task work(self& me, packet p);
  int ask(self& me, const packet& p);
  int ask_guarded(self& me, const packet& p);
  int look_up(self& me, const packet& p) const;
  task_of<int> ask_working(self& me, packet p);
  void on_answer(self& me, int value);
  void on_error(self& me, const std::string& what);

  bool accepts(handler<&node::take_guarded>, const packet& p) const { return accepts_kind(p); }
  bool accepts(handler<&node::look>, const packet& p) const { return accepts_kind(p); }
  bool accepts(handler<&node::work>, const packet& p) const { return accepts_kind(p); }
  bool accepts(handler<&node::ask_guarded>, const packet& p) const { return accepts_kind(p); }
  bool accepts(handler<&node::look_up>, const packet& p) const { return accepts_kind(p); }
  bool accepts(handler<&node::ask_working>, const packet& p) const { return accepts_kind(p); }

  template <class F>
  friend bool inspect(F& f, node& x) {
    return f.object(x).fields(f.field("role", x.role), f.field("state", x.state), f.field("fuel", x.fuel),
                              f.field("knows", x.knows));
  }

private:
  friend struct interpreter;
  [[nodiscard]] bool accepts_kind(const packet& p) const;
  /// What `work` and `ask_working` do.
  task_of<int> run_waiting(self& me, packet p);
};

/// What a message says.
struct packet {
  int kind = 0;
  int value = 0;
  int fuel = 0;
  ref<node> names;
};

}  // namespace harrier::litmus
