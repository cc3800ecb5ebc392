#include "actors.hpp"

#include <tuple>
#include <utility>

namespace caf_tables {
namespace {

using tell_atom = both::put_atom;
using ask_atom = both::get_atom;

std::size_t at(int i) { return static_cast<std::size_t>(i); }

class node : public caf::event_based_actor {
public:
  node(caf::actor_config& config, const tables* of, int self, heard* all, pause between)
      : event_based_actor(config), of_(*of), self_(self), heard_((*all)[at(self)]), between_(between) {
    set_down_handler([this](caf::down_msg& down) {
      for (std::size_t a = 0; a < knows_.size(); ++a)
        if (down.source == knows_[a]) hears(down_as_heard(static_cast<int>(a)));
      perform(of_.actors[at(self_)].on_down, 1);
    });
  }

  [[nodiscard]] const char* name() const override { return "node"; }
  void on_exit() override { knows_.clear(); }
  /// Before it gets its first message.
  void knows(std::vector<caf::actor> all) { knows_ = std::move(all); }

#if HARRIER_CAF_1
  /// Its handlers do not skip, so in each state it has those of what it takes. Each kind has a type of its own.
  caf::behavior make_behavior() override {
    set_default_handler(caf::skip);
    return behavior_of_state();
  }
#else
  caf::behavior make_behavior() override {
    return {[this](tell_atom, int kind, int tag, int fuel) -> caf::result<void> {
              if (rule_of(kind).skips) return caf::skip();
              told(kind, tag, fuel);
              return caf::unit;
            },
            [this](ask_atom, int kind, int tag, int fuel) -> caf::result<caf::message> {
              if (rule_of(kind).skips) return caf::skip();
              return asked(kind, tag, fuel);
            }};
  }
#endif

private:
#if HARRIER_CAF_1
  using types_of_kinds = std::tuple<std::int8_t, std::int16_t, std::int32_t>;
  static_assert(std::tuple_size_v<types_of_kinds> == kinds);

  caf::behavior behavior_of_state() {
    caf::message_handler all{[](both::stop_atom) {}};  // without any it would have to end
    for_each_kind([&]<class Type>(int kind, Type) {
      if (!rule_of(kind).skips)
        all = all.or_else([this, kind](tell_atom, Type, int tag, int fuel) { told(kind, tag, fuel); },
                          [this, kind](ask_atom, Type, int tag, int fuel) { return asked(kind, tag, fuel); });
    });
    return all;
  }

  template <class Visit, std::size_t... Kind>
  static void for_each_kind(Visit visit, std::index_sequence<Kind...>) {
    (visit(static_cast<int>(Kind), std::tuple_element_t<Kind, types_of_kinds>{}), ...);
  }
  template <class Visit>
  static void for_each_kind(Visit visit) {
    for_each_kind(visit, std::make_index_sequence<kinds>());
  }

public:
  template <class Atom>
  static caf::message content(Atom what, int kind, int tag, int fuel) {
    caf::message made;
    for_each_kind([&]<class Type>(int of_type, Type as) {
      if (of_type == kind) made = caf::make_message(what, as, tag, fuel);
    });
    return made;
  }

private:
  /// In the middle of a handler, which CAF keeps until that has ended.
  void becomes(int state) {
    state_ = state;
    become(behavior_of_state());
  }
#else
public:
  template <class Atom>
  static caf::message content(Atom what, int kind, int tag, int fuel) {
    return caf::make_message(what, kind, tag, fuel);
  }

private:
  void becomes(int state) { state_ = state; }
#endif

  void told(int kind, int tag, int fuel) {
    const auto& r = rule_of(kind);
    hears(message_as_heard(kind, tag));
    perform(r.does, fuel);
  }
  caf::result<caf::message> asked(int kind, int tag, int fuel) {
    const auto& r = rule_of(kind);
    hears(message_as_heard(kind, tag));
    const auto to = r.delegates_to >= 0 ? knows_[at(r.delegates_to)] : caf::actor();
    perform(r.does, fuel);
    if (!to) return caf::make_message(r.answer);
    wait_a_little();
    return delegate(to, content(ask_atom::value, kind, tag, fuel > 0 ? fuel - 1 : 0));
  }

  [[nodiscard]] const rule& rule_of(int kind) const { return of_.actors[at(self_)].rules[at(kind)][at(state_)]; }
  void hears(const std::string& what) { heard_ += " " + what; }
  void wait_a_little() const {
    if (between_ != nullptr) between_();
  }

  void perform(const std::vector<action>& all, int fuel) {
    for (const auto& a : all) {
      wait_a_little();
      perform(a, fuel);
    }
  }
  void perform(const action& a, int fuel) {
    switch (a.what) {
      case verb::become: return becomes(a.to);
      case verb::watch:
        if (fuel > 0) monitor(knows_[at(a.to)]);
        return;
      case verb::quit: return quit();
      case verb::tell:
        if (fuel > 0) send(knows_[at(a.to)], content(tell_atom::value, a.kind, a.tag, fuel - 1));
        return;
      case verb::tell_urgently:
        if (fuel > 0)
          send<caf::message_priority::high>(knows_[at(a.to)], content(tell_atom::value, a.kind, a.tag, fuel - 1));
        return;
      case verb::ask:
      case verb::await: {
        if (fuel <= 0) return;
        const auto answered = [this, fuel](int answer) {
          hears(answer_as_heard(answer));
          perform(of_.actors[at(self_)].on_answer, fuel - 1);
        };
        const auto failed = [this, fuel](const caf::error&) {
          hears(failure_as_heard());
          perform(of_.actors[at(self_)].on_answer, fuel - 1);
        };
        auto asked = request(knows_[at(a.to)], caf::infinite, content(ask_atom::value, a.kind, a.tag, fuel - 1));
        if (a.what == verb::await)
          asked.await(answered, failed);
        else
          asked.then(answered, failed);
        return;
      }
    }
  }

  const tables& of_;
  const int self_;
  std::string& heard_;
  const pause between_;
  int state_ = 0;
  std::vector<caf::actor> knows_;
};

}  // namespace

std::vector<caf::actor> start(caf::actor_system& system, const tables& of, heard& all, pause between) {
  all.assign(of.actors.size(), {});
  std::vector<caf::actor> actors;
  for (int a = 0; a < static_cast<int>(of.actors.size()); ++a)
    actors.push_back(system.spawn<node, caf::lazy_init>(&of, a, &all, between));
  // They are told before they are sent anything, so not by a message.
  for (const auto& each : actors) static_cast<node&>(*caf::actor_cast<caf::abstract_actor*>(each)).knows(actors);
  for (const auto& a : of.kick_off) {
    if (between != nullptr) between();
    caf::anon_send(actors[at(a.to)], node::content(tell_atom::value, a.kind, a.tag, of.fuel));
  }
  return actors;
}

}  // namespace caf_tables
