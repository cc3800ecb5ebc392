#include "random_program.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace harrier::litmus {
namespace {

/// splitmix64: the same numbers with every compiler and library.
class dice {
public:
  explicit dice(std::uint64_t seed) : state_(seed * 0x9e3779b97f4a7c15U + 0x1234567) {}
  /// A number from 0 to n-1.
  int below(int n) { return static_cast<int>(next() % static_cast<std::uint64_t>(n)); }
  bool percent(int p) { return below(100) < p; }

private:
  std::uint64_t next() {
    auto z = state_ += 0x9e3779b97f4a7c15U;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9U;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebU;
    return z ^ (z >> 31);
  }
  std::uint64_t state_;
};

/// How often each feature occurs in one program, in percent. Drawn for each
/// program anew, so that some programs have much of one thing and others none.
struct mixture {
  int guards, moves, creates, destroys, draws, calls, fails, learns;
};

mixture draw_mixture(dice& d) {
  const auto some = [&](int often, int much) { return d.percent(often) ? 1 + d.below(much) : 0; };
  mixture m{};
  m.guards = some(80, 80);
  m.moves = some(80, 80);
  m.creates = some(45, 40);
  m.destroys = some(50, 25);
  m.draws = some(40, 35);
  m.calls = some(60, 60);
  m.fails = some(50, 30);
  m.learns = some(50, 40);
  return m;
}

int random_address(dice& d) {
  const auto x = d.below(10);
  if (x < 7) return d.below(acquaintances);
  return x < 9 ? named_in_message : oneself;
}

action random_action(dice& d, const mixture& mix, int roles, bool has_drawn, int state) {
  action a;
  a.to = random_address(d);
  a.kind = d.below(kinds);
  a.value = d.percent(50) ? state : d.below(states);
  a.names = random_address(d);
  if (has_drawn && d.percent(40)) a.if_drawn = d.below(2);
  if (d.percent(mix.draws)) {
    a.what = verb::choose;
    a.value = 2 + d.below(2);
    a.if_drawn = -1;
  } else if (d.percent(mix.destroys)) {
    a.what = verb::destroy;
  } else if (d.percent(mix.creates)) {
    a.what = verb::create;
    a.kind = d.below(roles);
  } else if (d.percent(mix.fails)) {
    a.what = std::array{verb::check, verb::require, verb::raise, verb::raise}[static_cast<std::size_t>(d.below(4))];
  } else if (d.percent(mix.learns)) {
    a.what = verb::learn;
  } else if (d.percent(mix.calls)) {
    a.what = verb::call;
    a.catches = d.percent(70);
  } else {
    const auto x = d.below(10);
    a.what = x < 6 ? verb::send : x < 8 ? verb::assign : has_drawn && x < 9 ? verb::add_drawn : verb::add;
  }
  return a;
}

role random_role(dice& d, const mixture& mix, int roles) {
  role r;
  r.first_state = d.below(states);
  for (auto& accepted : r.accepted)
    accepted = d.percent(mix.guards) ? 1U << d.below(states) | 1U << d.below(states) : (1U << states) - 1;
  for (auto& row : r.rules)
    for (auto& actions : row) {
      const auto count = (d.percent(85) ? 1 : 0) + d.below(3);
      const auto state = static_cast<int>(&actions - row.data());
      bool has_drawn = false;
      if (d.percent(mix.moves))
        actions.push_back({.what = d.percent(60) ? verb::assign : verb::add, .value = d.below(states)});
      for (int i = 0; i < count; ++i) {
        const auto a = actions.emplace_back(random_action(d, mix, roles, has_drawn, state));
        has_drawn = has_drawn || a.what == verb::choose || a.what == verb::call;
        if (a.what == verb::create && d.percent(70)) {  // else nobody talks to it
          auto& next = actions.emplace_back(random_action(d, mix, roles, has_drawn, state));
          next.what = d.percent(mix.calls / 2) ? verb::call : verb::send;
          next.to = a.value;
        }
      }
    }
  return r;
}

std::size_t at(int i) { return static_cast<std::size_t>(i); }

}  // namespace

random_program make_random(std::uint64_t seed) {
  dice d(seed);
  const auto mix = draw_mixture(d);
  random_program p;
  p.seed = seed;
  for (auto& s : p.sent)
    s = d.percent(mix.guards / 2) ? sending::guarded : static_cast<sending>(d.below(mix.calls > 0 ? 4 : 3));
  for (auto& c : p.called) c = static_cast<calling>(d.below(4));
  const auto roles = 1 + d.below(3);
  for (int i = 0; i < roles; ++i) p.roles.push_back(random_role(d, mix, roles));
  const auto roots = 1 + d.below(4);
  for (int i = 0; i < roots; ++i) {
    auto& r = p.roots.emplace_back();
    r.role = d.below(roles);
    for (auto& k : r.knows) k = d.below(roots);
  }
  const auto kick = [&](int fuel) {
    kick_off k;
    k.to = d.below(roots);
    k.kind = d.below(kinds);
    k.value = d.below(2);
    k.names = d.below(roots);
    k.fuel = fuel;
    return k;
  };
  if (d.percent(30)) p.set_up.push_back(kick(d.below(2)));
  if (d.percent(mix.draws / 2)) p.driver_draws = 2;
  const auto kicks = 2 + d.below(5);
  for (int i = 0; i < kicks; ++i) {
    auto& k = p.test.emplace_back(kick(1 + d.below(3)));
    if (p.driver_draws > 0 && d.percent(40)) k.if_drawn = d.below(2);
    k.is_call = d.percent(mix.calls / 4);
  }
  return p;
}

random_program make_endless(std::uint64_t seed) {
  constexpr std::size_t most_messages = 3;
  auto p = make_random(seed);
  p.endless = true;
  p.set_up.clear();
  if (p.test.size() > most_messages) p.test.resize(most_messages);
  for (auto& r : p.roles)
    for (auto& row : r.rules)
      for (auto& actions : row) {
        bool sends = false;
        std::erase_if(actions, [&](const action& a) {
          const bool is_send = a.what == verb::send || a.what == verb::call;
          return a.what == verb::create || (is_send && std::exchange(sends, true));
        });
      }
  return p;
}

/// Carries out actions. What waits for a reply is left to the handlers.
struct interpreter {
  node& it;
  self& me;
  const packet& p;
  int drawn = -1;

  [[nodiscard]] const std::vector<action>& rules(int row) const {
    return it.tables->roles[at(it.role)].rules[at(row)][at(it.state)];
  }
  [[nodiscard]] ref<node> address(int a) const {
    if (a == oneself) return me.me<node>();
    return a == named_in_message ? p.names : it.knows[at(a)];
  }
  [[nodiscard]] int fuel_left() const { return it.tables->endless ? p.fuel : p.fuel - 1; }
  [[nodiscard]] packet message(const action& a) const {
    return {a.kind, (p.value + a.value) % 2, fuel_left(), address(a.names)};
  }
  [[nodiscard]] bool applies(const action& a) const {
    if (a.if_drawn >= 0 && a.if_drawn != drawn) return false;
    const bool needs_fuel = a.what == verb::send || a.what == verb::call || a.what == verb::create;
    const bool needs_address = a.what == verb::send || a.what == verb::call;
    return !(needs_fuel && p.fuel <= 0) && !(needs_address && !address(a.to));
  }

  void send(const action& a) {
    const auto to = address(a.to);
    switch (it.tables->sent[at(a.kind)]) {
      case sending::open: return me.send<&node::take>(to, message(a));
      case sending::guarded: return me.send<&node::take_guarded>(to, message(a));
      case sending::looking: return me.send<&node::look>(to, message(a));
      case sending::working: return me.send<&node::work>(to, message(a));
    }
  }

  void create(const action& a) {
    const auto& born = it.tables->roles[at(a.kind)];
    it.knows[at(a.value)] = me.create<node>(it.tables, a.kind, born.first_state, 0, it.knows);
  }

  /// Everything but a call.
  void perform(const action& a) {
    switch (a.what) {
      case verb::assign: it.state = a.value; break;
      case verb::add: it.state = (it.state + p.value + a.value) % states; break;
      case verb::add_drawn: it.state = (it.state + std::max(drawn, 0)) % states; break;
      case verb::send: send(a); break;
      case verb::create: create(a); break;
      case verb::learn: it.knows[at(a.value)] = p.names; break;
      case verb::destroy: me.destroy(); break;
      case verb::choose: drawn = static_cast<int>(me.choose(static_cast<std::uint64_t>(a.value))); break;
      case verb::check: me.check(it.state != a.value, "state is not " + std::to_string(a.value)); break;
      case verb::require: me.require(it.state != a.value, "state is never " + std::to_string(a.value)); break;
      case verb::raise:
        if (it.state == a.value) throw std::runtime_error("raised in state " + std::to_string(a.value));
        break;
      case verb::call: break;
    }
  }

  template <class Pending>
  void then(const action& a, Pending&& call) {
    it.fuel = fuel_left();
    if (a.catches)
      std::forward<Pending>(call).template then<&node::on_answer, &node::on_error>();
    else
      std::forward<Pending>(call).template then<&node::on_answer>();
  }

  void call_then(const action& a) {
    const auto to = address(a.to);
    switch (it.tables->called[at(a.kind)]) {
      case calling::open: return then(a, me.call<&node::ask>(to, message(a)));
      case calling::guarded: return then(a, me.call<&node::ask_guarded>(to, message(a)));
      case calling::looking: return then(a, me.call<&node::look_up>(to, message(a)));
      case calling::working: return then(a, me.call<&node::ask_working>(to, message(a)));
    }
  }

  /// A handler that is no coroutine: a call is the last thing it does.
  void run(int row) {
    for (const auto& a : rules(row)) {
      if (!applies(a)) continue;
      if (a.what == verb::call) return call_then(a);
      perform(a);
    }
  }
};

namespace {

task_of<int> request(self& me, calling how, ref<node> to, packet p) {
  switch (how) {
    case calling::open: co_return co_await me.call<&node::ask>(to, p);
    case calling::guarded: co_return co_await me.call<&node::ask_guarded>(to, p);
    case calling::looking: co_return co_await me.call<&node::look_up>(to, p);
    case calling::working: break;
  }
  co_return co_await me.call<&node::ask_working>(to, p);
}

}  // namespace

bool node::accepts_kind(const packet& p) const {
  return (tables->roles[at(role)].accepted[at(p.kind)] >> state & 1U) != 0;
}

void node::take(self& me, const packet& p) { interpreter{*this, me, p}.run(p.kind); }
void node::take_guarded(self& me, const packet& p) { take(me, p); }
void node::look(self& me, const packet& p) const {
  auto copy = *this;
  copy.take(me, p);
}
int node::ask(self& me, const packet& p) {
  take(me, p);
  return state;
}
int node::ask_guarded(self& me, const packet& p) { return ask(me, p); }
int node::look_up(self& me, const packet& p) const {
  auto copy = *this;
  return copy.ask(me, p);
}

task node::work(self& me, packet p) { co_await run_waiting(me, p); }
task_of<int> node::ask_working(self& me, packet p) { co_return co_await run_waiting(me, p); }

task_of<int> node::run_waiting(self& me, packet p) {
  interpreter in{*this, me, p};
  for (const auto& a : in.rules(p.kind)) {
    if (!in.applies(a)) continue;
    if (a.what != verb::call) {
      in.perform(a);
      continue;
    }
    const auto how = tables->called[at(a.kind)];
    if (!a.catches) {
      in.drawn = co_await request(me, how, in.address(a.to), in.message(a));
      continue;
    }
    try {
      in.drawn = co_await request(me, how, in.address(a.to), in.message(a));
    } catch (const call_failed&) {
      in.drawn = -1;
    }
  }
  co_return state;
}

void node::on_answer(self& me, int value) {
  const packet p{answer_row, value, fuel, {}};
  interpreter{*this, me, p, value}.run(answer_row);
}
void node::on_error(self& me, const std::string&) {
  const packet p{error_row, 0, fuel, {}};
  interpreter{*this, me, p}.run(error_row);
}

namespace {

struct driver {
  const random_program* tables = nullptr;
  std::vector<ref<node>> roots;

  void set_up(self& me) {
    for (const auto& r : tables->roots)
      roots.push_back(me.create<node>(tables, r.role, tables->roles[at(r.role)].first_state));
    for (std::size_t i = 0; i < roots.size(); ++i) {
      std::array<ref<node>, acquaintances> known;
      for (std::size_t k = 0; k < known.size(); ++k) known[k] = roots[at(tables->roots[i].knows[k])];
      me.send<&node::meet>(roots[i], known);
    }
    for (const auto& k : tables->set_up) send(me, k);
  }

  task test(self& me) {
    int drawn = -1;
    if (tables->driver_draws > 0) drawn = static_cast<int>(me.choose(static_cast<std::uint64_t>(tables->driver_draws)));
    for (const auto& k : tables->test) {
      if (k.if_drawn >= 0 && k.if_drawn != drawn) continue;
      if (!k.is_call) {
        send(me, k);
        continue;
      }
      try {
        co_await request(me, tables->called[at(k.kind)], roots[at(k.to)], message(k));
      } catch (const call_failed&) {
        continue;
      }
    }
  }

  template <class F>
  friend bool inspect(F& f, driver& x) {
    return f.object(x).fields(f.field("roots", x.roots));
  }

  [[nodiscard]] packet message(const kick_off& k) const { return {k.kind, k.value, k.fuel, roots[at(k.names)]}; }
  void send(self& me, const kick_off& k) const {
    const auto to = roots[at(k.to)];
    switch (tables->sent[at(k.kind)]) {
      case sending::open: return me.send<&node::take>(to, message(k));
      case sending::guarded: return me.send<&node::take_guarded>(to, message(k));
      case sending::looking: return me.send<&node::look>(to, message(k));
      case sending::working: return me.send<&node::work>(to, message(k));
    }
  }
};

}  // namespace

program interpret(const random_program& tables) {
  driver d;
  d.tables = &tables;
  return make_program(d);
}

program interpret_as_test(const random_program& tables, std::vector<int> calls) {
  return make_test_program({.run = [&tables, calls = std::move(calls)](self& me, test_run& run) {
    driver d;
    d.tables = &tables;
    std::size_t next = 0;
    const auto handle = [&] {
      const auto call = next < calls.size() ? calls[next++] : 0;
      if (call == 1) run.handle_all();
      if (call == 2) run.handle_one();
      const auto watched = d.roots.at(next % d.roots.size());
      if (call == 3) run.handle_until([&] { return run.state(watched).state == static_cast<int>(next) % states; });
      int sum = 0;
      for (const auto r : d.roots) sum = sum * states + run.state(r).state;
      if (call != 0) me.note("after " + std::to_string(next) + " the roots are " + std::to_string(sum));
      return sum;
    };
    d.set_up(me);
    handle();
    handle();
    const bool draws = tables.driver_draws > 0;
    const int drawn = draws ? static_cast<int>(me.choose(static_cast<std::uint64_t>(tables.driver_draws))) : -1;
    int seen = 0;
    for (auto k : tables.test) {
      if (k.is_call || (k.if_drawn >= 0 && k.if_drawn != drawn)) continue;
      k.value += seen % states;  // what a stage sends depends on what the one before led to
      d.send(me, k);
      seen = handle();
    }
    me.check(seen % 5 != 4, "the last sum of states is none of those");
  }});
}

namespace {

std::string address_text(int a) {
  if (a == oneself) return "me";
  return a == named_in_message ? "p.names" : "knows[" + std::to_string(a) + "]";
}

const char* handler_of(sending s) {
  return std::array{"take", "take_guarded", "look", "work"}[static_cast<std::size_t>(s)];
}
const char* handler_of(calling c) {
  return std::array{"ask", "ask_guarded", "look_up", "ask_working"}[static_cast<std::size_t>(c)];
}

std::string number(int i) { return std::to_string(i); }

std::string message_text(const random_program& t, const action& a) {
  return "{kind " + number(a.kind) + ", (p.value + " + number(a.value) + ") % 2, p.fuel" + (t.endless ? "" : " - 1") +
         ", " + address_text(a.names) + "}";
}

std::string action_text(const random_program& t, const action& a) {
  std::string text = a.if_drawn >= 0 ? "if (drawn == " + number(a.if_drawn) + ") " : "";
  const auto value = number(a.value);
  switch (a.what) {
    case verb::assign: return text + "state = " + value + ";";
    case verb::add: return text + "state = (state + p.value + " + value + ") % " + number(states) + ";";
    case verb::add_drawn: return text + "state = (state + max(drawn, 0)) % " + number(states) + ";";
    case verb::send:
      return text + "if (p.fuel > 0) send<" + handler_of(t.sent[at(a.kind)]) + ">(" + address_text(a.to) + ", " +
             message_text(t, a) + ");";
    case verb::create:
      return text + "if (p.fuel > 0) knows[" + value + "] = create(role " + number(a.kind) + ", same acquaintances);";
    case verb::learn: return text + "knows[" + value + "] = p.names;";
    case verb::destroy: return text + "destroy();";
    case verb::choose: return text + "drawn = choose(" + value + ");";
    case verb::check: return text + "check(state != " + value + ");";
    case verb::require: return text + "require(state != " + value + ");";
    case verb::raise: return text + "if (state == " + value + ") throw;";
    case verb::call:
      return text + "if (p.fuel > 0) drawn = call<" + handler_of(t.called[at(a.kind)]) + ">(" + address_text(a.to) +
             ", " + message_text(t, a) + ")" + (a.catches ? ", failure caught" : "") + ";";
  }
  return text;
}

std::string kick_text(const random_program& t, const kick_off& k) {
  const auto message = ">(root_" + number(k.to) + ", {kind " + number(k.kind) + ", " + number(k.value) + ", fuel " +
                       number(k.fuel) + ", root_" + number(k.names) + "});";
  std::string text = k.if_drawn >= 0 ? "if (drawn == " + number(k.if_drawn) + ") " : "";
  if (k.is_call) return text + "co_await call<" + handler_of(t.called[at(k.kind)]) + message;
  return text + "send<" + handler_of(t.sent[at(k.kind)]) + message;
}

std::string row_name(const random_program& t, int row) {
  if (row == answer_row) return "on_answer";
  if (row == error_row) return "on_error";
  return "kind " + number(row) + " (" + handler_of(t.sent[at(row)]) + ", " + handler_of(t.called[at(row)]) + ")";
}

}  // namespace

std::string to_text(const random_program& t) {
  std::string text = "// seed " + std::to_string(t.seed) + "\n";
  for (std::size_t r = 0; r < t.roles.size(); ++r) {
    const auto& role = t.roles[r];
    text += "role " + std::to_string(r) + ", first in state " + number(role.first_state) + " {\n";
    for (int k = 0; k < kinds; ++k)
      if (const auto accepted = role.accepted[at(k)]; accepted != (1U << states) - 1) {
        text += "  guarded kind " + number(k) + " accepted in states";
        for (int s = 0; s < states; ++s)
          if ((accepted >> s & 1U) != 0) text += " " + number(s);
        text += "\n";
      }
    for (int row = 0; row < rows; ++row)
      for (int s = 0; s < states; ++s) {
        const auto& actions = role.rules[at(row)][at(s)];
        if (actions.empty()) continue;
        text += "  " + row_name(t, row) + " in state " + number(s) + ":\n";
        for (const auto& a : actions) text += "    " + action_text(t, a) + "\n";
      }
    text += "}\n";
  }
  for (std::size_t r = 0; r < t.roots.size(); ++r) {
    text += "root_" + std::to_string(r) + " = create(role " + number(t.roots[r].role) + "), knows";
    for (const auto k : t.roots[r].knows) text += " root_" + number(k);
    text += "\n";
  }
  text += "set_up {\n";
  for (const auto& k : t.set_up) text += "  " + kick_text(t, k) + "\n";
  text += "}\ntest {\n";
  if (t.driver_draws > 0) text += "  drawn = choose(" + number(t.driver_draws) + ");\n";
  for (const auto& k : t.test) text += "  " + kick_text(t, k) + "\n";
  return text + "}\n";
}

std::vector<random_program> smaller(const random_program& t) {
  std::vector<random_program> result;
  const auto without = [&](auto&& edit) {
    auto copy = t;
    edit(copy);
    result.push_back(std::move(copy));
  };
  for (std::size_t i = 0; i < t.test.size(); ++i) {
    without([&](auto& c) { c.test.erase(c.test.begin() + static_cast<std::ptrdiff_t>(i)); });
    if (t.test[i].fuel > 0) without([&](auto& c) { --c.test[i].fuel; });
    if (t.test[i].is_call) without([&](auto& c) { c.test[i].is_call = false; });
    if (t.test[i].if_drawn >= 0) without([&](auto& c) { c.test[i].if_drawn = -1; });
  }
  for (std::size_t i = 0; i < t.set_up.size(); ++i)
    without([&](auto& c) { c.set_up.erase(c.set_up.begin() + static_cast<std::ptrdiff_t>(i)); });
  if (t.driver_draws > 0) without([&](auto& c) { c.driver_draws = 0; });
  for (std::size_t r = 0; r < t.roles.size(); ++r) {
    const auto& role = t.roles[r];
    for (std::size_t k = 0; k < role.accepted.size(); ++k)
      if (role.accepted[k] != (1U << states) - 1)
        without([&](auto& c) { c.roles[r].accepted[k] = (1U << states) - 1; });
    if (role.first_state != 0) without([&](auto& c) { c.roles[r].first_state = 0; });
    for (std::size_t row = 0; row < role.rules.size(); ++row)
      for (std::size_t s = 0; s < role.rules[row].size(); ++s) {
        const auto& actions = role.rules[row][s];
        for (std::size_t i = 0; i < actions.size(); ++i) {
          without([&](auto& c) {
            auto& list = c.roles[r].rules[row][s];
            list.erase(list.begin() + static_cast<std::ptrdiff_t>(i));
          });
          if (actions[i].if_drawn >= 0) without([&](auto& c) { c.roles[r].rules[row][s][i].if_drawn = -1; });
        }
      }
  }
  for (std::size_t k = 0; k < t.sent.size(); ++k) {
    if (t.sent[k] != sending::open) without([&](auto& c) { c.sent[k] = sending::open; });
    if (t.called[k] != calling::open) without([&](auto& c) { c.called[k] = calling::open; });
  }
  return result;
}

}  // namespace harrier::litmus
