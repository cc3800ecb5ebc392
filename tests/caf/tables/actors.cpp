#include "actors.hpp"

#include <memory>

namespace caf_tables {
namespace {

using tell_atom = caf::atom_constant<caf::atom("tell")>;
using ask_atom = caf::atom_constant<caf::atom("ask")>;

std::size_t at(int i) { return static_cast<std::size_t>(i); }

class node : public caf::event_based_actor {
public:
  node(caf::actor_config& config, const tables* of, int self, heard* all, delay between)
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

  caf::behavior make_behavior() override {
    return {[this](tell_atom, int kind, int tag, int fuel) -> caf::result<void> {
              const auto& r = rule_of(kind);
              if (r.skips) return caf::skip();
              hears(message_as_heard(kind, tag));
              perform(r.does, fuel);
              return caf::unit;
            },
            [this](ask_atom, int kind, int tag, int fuel) -> caf::result<caf::message> {
              const auto& r = rule_of(kind);
              if (r.skips) return caf::skip();
              hears(message_as_heard(kind, tag));
              const auto to = r.delegates_to >= 0 ? knows_[at(r.delegates_to)] : caf::actor();
              perform(r.does, fuel);
              if (!to) return caf::make_message(r.answer);
              wait_a_little();
              return delegate(to, ask_atom::value, kind, tag, fuel > 0 ? fuel - 1 : 0);
            }};
  }

private:
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
      case verb::become: state_ = a.to; return;
      case verb::watch:
        if (fuel > 0) monitor(knows_[at(a.to)]);
        return;
      case verb::quit: return quit();
      case verb::tell:
        if (fuel > 0) send(knows_[at(a.to)], tell_atom::value, a.kind, a.tag, fuel - 1);
        return;
      case verb::tell_urgently:
        if (fuel > 0) send<caf::message_priority::high>(knows_[at(a.to)], tell_atom::value, a.kind, a.tag, fuel - 1);
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
        auto asked = request(knows_[at(a.to)], caf::infinite, ask_atom::value, a.kind, a.tag, fuel - 1);
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
  const delay between_;
  int state_ = 0;
  std::vector<caf::actor> knows_;
};

}  // namespace

std::vector<caf::actor> start(caf::actor_system& system, const tables& of, heard& all, delay between) {
  all.assign(of.actors.size(), {});
  std::vector<caf::actor> actors;
  for (int a = 0; a < static_cast<int>(of.actors.size()); ++a)
    actors.push_back(system.spawn<node, caf::lazy_init>(&of, a, &all, between));
  // They are told before they are sent anything, so not by a message.
  for (const auto& each : actors) static_cast<node&>(*caf::actor_cast<caf::abstract_actor*>(each)).knows(actors);
  for (const auto& a : of.kick_off) {
    if (between != nullptr) between();
    caf::anon_send(actors[at(a.to)], tell_atom::value, a.kind, a.tag, of.fuel);
  }
  return actors;
}

}  // namespace caf_tables
