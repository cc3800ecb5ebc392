#include "outside_program.hpp"

#include <algorithm>
#include <optional>
#include <utility>

namespace harrier::differential::outside {
namespace {

using litmus::action;
using litmus::random_program;
using litmus::verb;

std::size_t at(int i) { return static_cast<std::size_t>(i); }

/// How a message of some kind is handled: `sending` and `calling` have the same four ways.
enum class manner : std::uint8_t { open, guarded, looking, working };

manner manner_of(const random_program& tables, const message& m) {
  const auto kind = at(m.said.kind);
  return static_cast<manner>(m.what == content::request ? static_cast<int>(tables.called[kind])
                                                        : static_cast<int>(tables.sent[kind]));
}

/// An exception leaves the handler.
struct raised {};
/// A requirement failed.
struct required {};

int add_message(configuration& c, message m) {
  if (c.messages.size() == most_messages) throw too_many_messages{};
  const auto number = static_cast<int>(c.messages.size());
  if (m.from != nobody) {
    auto& known = c.actors[at(m.from)].known;
    m.past = known;
    known.set(at(number));
  }
  c.told.receivers.push_back(m.to);
  c.messages.push_back(m);
  return number;
}

class macro_step {
public:
  macro_step(const random_program& tables, configuration& c, int m, const std::vector<std::uint64_t>& script)
      : tables_(tables), c_(c), script_(script), taken_(c.messages[at(m)]), who_(taken_.to) {
    c.messages[at(m)].taken = true;
    now_.actor = who_;
    now_.message = m;
    me_ = it().local;
    it().known |= taken_.past;
    it().known.set(at(m));
  }

  std::vector<draw> run() {
    try {
      react();
    } catch (const required&) {
      fail();
    } catch (const raised&) {
      if (request_ != nothing) {
        reply(content::failure, 0);
      } else {
        fail();
      }
    }
    if (!is_const_) it().local = me_;
    if (destroys_) it().mode = life::gone;
    if (!now_.failed) it().in_hand = now_.sent;
    it().is_sending = !it().in_hand.empty();
    it().sending_since = ++c_.clock;
    for (const auto& d : drawn_) now_.drawn.push_back(d.value);
    c_.told.events.push_back(now_);
    return drawn_;
  }

private:
  actor& it() { return c_.actors[at(who_)]; }

  void react() {
    switch (taken_.what) {
      case content::set_up: return set_up();
      case content::test: return start_test();
      case content::meet: me_.knows = taken_.introduces; return;
      case content::plain:
      case content::request: return handle();
      case content::answer:
      case content::failure: return go_on_after_reply();
    }
  }

  void fail() {
    ++now_.findings;
    now_.failed = true;
    it().mode = life::gone;
    for (const auto m : now_.sent) c_.messages[at(m)].lost = true;
  }

  int send(message m) {
    m.from = who_;
    return now_.sent.emplace_back(add_message(c_, m));
  }

  void reply(content what, int value) {
    message m;
    m.what = what;
    m.to = c_.messages[at(request_)].from;
    m.said.value = value;
    m.answers = request_;
    send(m);
  }

  /// Sends a request and waits for what answers it.
  void call(int to, const packet& said, bool catches, const course& rest) {
    auto& x = it();
    x.awaited = send({.what = content::request, .to = to, .said = said});
    x.mode = life::waiting;
    x.catches = catches;
    x.suspended = rest;
  }

  int create(int role, const body& model) {
    auto& born = c_.actors.emplace_back();
    born.local = {role, tables_.roles[at(role)].first_state, 0, model.knows};
    return now_.created.emplace_back(static_cast<int>(c_.actors.size()) - 1);
  }

  int choose(int among) {
    const auto i = drawn_.size();
    drawn_.push_back({static_cast<std::uint64_t>(among), i < script_.size() ? script_[i] : 0});
    return static_cast<int>(drawn_.back().value);
  }

  void handle() {
    const auto how = manner_of(tables_, taken_);
    is_const_ = how == manner::looking;
    if (taken_.what == content::request) request_ = now_.message;
    follow({.actions = &rules(taken_.said.kind),
            .said = taken_.said,
            .request = request_,
            .is_coroutine = how == manner::working});
  }

  void go_on_after_reply() {
    auto& x = it();
    x.mode = life::open;
    const bool failed = taken_.what == content::failure;
    auto rest = x.suspended;
    if (who_ == driver) return go_on_with_test(rest);
    if (rest.is_coroutine) {
      request_ = rest.request;
      if (failed && !x.catches) throw raised{};
      rest.drawn = failed ? -1 : taken_.said.value;
      return follow(rest);
    }
    if (failed && !x.catches) throw raised{};
    const auto row = failed ? litmus::error_row : litmus::answer_row;
    const packet said{row, taken_.said.value, me_.fuel, nobody};
    follow({.actions = &rules(row), .said = said, .drawn = failed ? -1 : taken_.said.value});
  }

  [[nodiscard]] const std::vector<action>& rules(int row) const {
    return tables_.roles[at(me_.role)].rules[at(row)][at(me_.state)];
  }

  /// Carries out the actions from where `way` is. A coroutine stops at a call; another handler ends there.
  void follow(course way) {
    while (way.next < way.actions->size()) {
      const auto& a = (*way.actions)[way.next++];
      if (!applies(a, way)) continue;
      if (a.what != verb::call) {
        perform(a, way);
        continue;
      }
      if (!way.is_coroutine) me_.fuel = fuel_left(way);
      call(address(a.to, way), message_of(a, way), a.catches, way);
      if (way.is_coroutine) return;
      break;
    }
    if (way.request != nothing) reply(content::answer, me_.state);
  }

  [[nodiscard]] int address(int a, const course& way) const {
    if (a == litmus::oneself) return who_;
    return a == litmus::named_in_message ? way.said.names : me_.knows[at(a)];
  }
  [[nodiscard]] int fuel_left(const course& way) const { return way.said.fuel - (tables_.endless ? 0 : 1); }
  [[nodiscard]] packet message_of(const action& a, const course& way) const {
    return {a.kind, (way.said.value + a.value) % 2, fuel_left(way), address(a.names, way)};
  }

  [[nodiscard]] bool applies(const action& a, const course& way) const {
    if (a.if_drawn >= 0 && a.if_drawn != way.drawn) return false;
    switch (a.what) {
      case verb::send:
      case verb::call: return way.said.fuel > 0 && address(a.to, way) != nobody;
      case verb::create: return way.said.fuel > 0;
      default: return true;
    }
  }

  void perform(const action& a, course& way) {
    switch (a.what) {
      case verb::assign: me_.state = a.value; break;
      case verb::add: me_.state = (me_.state + way.said.value + a.value) % litmus::states; break;
      case verb::add_drawn: me_.state = (me_.state + std::max(way.drawn, 0)) % litmus::states; break;
      case verb::send: send({.to = address(a.to, way), .said = message_of(a, way)}); break;
      case verb::create: me_.knows[at(a.value)] = create(a.kind, me_); break;
      case verb::learn: me_.knows[at(a.value)] = way.said.names; break;
      case verb::destroy: destroys_ = true; break;
      case verb::choose: way.drawn = choose(a.value); break;
      case verb::check: now_.findings += me_.state == a.value ? 1 : 0; break;
      case verb::require:
        if (me_.state == a.value) throw required{};
        break;
      case verb::raise:
        if (me_.state == a.value) throw raised{};
        break;
      case verb::call: break;
    }
  }

  // The driver. Its actors are those it created first: root i is actor 1 + i.

  static int root(int i) { return 1 + i; }
  static packet message_of(const litmus::kick_off& k) { return {k.kind, k.value, k.fuel, root(k.names)}; }

  void set_up() {
    for (const auto& r : tables_.roots) create(r.role, {});
    for (std::size_t i = 0; i < tables_.roots.size(); ++i) {
      message m{.what = content::meet, .to = root(static_cast<int>(i))};
      for (std::size_t k = 0; k < m.introduces.size(); ++k) m.introduces[k] = root(tables_.roots[i].knows[k]);
      send(m);
    }
    for (const auto& k : tables_.set_up) send({.to = root(k.to), .said = message_of(k)});
  }

  void start_test() {
    course way;
    if (tables_.driver_draws > 0) way.drawn = choose(tables_.driver_draws);
    go_on_with_test(way);
  }

  void go_on_with_test(course way) {
    while (way.next < tables_.test.size()) {
      const auto& k = tables_.test[way.next++];
      if (k.if_drawn >= 0 && k.if_drawn != way.drawn) continue;
      if (k.is_call) return call(root(k.to), message_of(k), true, way);
      send({.to = root(k.to), .said = message_of(k)});
    }
  }

  const random_program& tables_;
  configuration& c_;
  const std::vector<std::uint64_t>& script_;
  const message taken_;
  const int who_;
  body me_;  // of a const handler a copy that is thrown away
  event now_;
  std::vector<draw> drawn_;
  int request_ = nothing;
  bool is_const_ = false;
  bool destroys_ = false;
};

}  // namespace

configuration beginning() {
  configuration c;
  c.actors.emplace_back();
  return c;
}

void send_from_outside(configuration& c, content what) {
  const auto m = add_message(c, {.what = what});
  for (int p = 0; p < m; ++p) c.messages[at(m)].past.set(at(p));  // the set-up is over: all of it comes before
  c.messages[at(m)].since = ++c.clock;
  c.told.from_outside.push_back(m);
}

bool is_accepted(const random_program& tables, const configuration& c, const message& m) {
  if (m.what != content::plain && m.what != content::request) return true;
  if (manner_of(tables, m) == manner::open) return true;
  const auto& receiver = c.actors[at(m.to)].local;
  return (tables.roles[at(receiver.role)].accepted[at(m.said.kind)] >> receiver.state & 1U) != 0;
}

std::vector<draw> take(const random_program& tables, configuration& c, int m,
                       const std::vector<std::uint64_t>& script) {
  return macro_step(tables, c, m, script).run();
}

}  // namespace harrier::differential::outside
