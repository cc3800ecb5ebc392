#include "outside_trace.hpp"

#include <map>
#include <set>

namespace harrier::differential::outside {
namespace {

std::size_t at(int i) { return static_cast<std::size_t>(i); }

/// Names of all messages, actors and events: who sent or created what as the how manieth.
struct names {
  std::map<int, std::string> messages, actors;
  std::vector<std::string> events;

  explicit names(const execution& x) {
    actors[driver] = "driver";
    for (const auto m : x.from_outside) messages[m] = messages.empty() ? "set_up" : "test";
    for (const auto& e : x.events) {
      auto& name = events.emplace_back(messages.at(e.message));
      for (const auto d : e.drawn) name.append("=").append(std::to_string(d));
      for (std::size_t k = 0; k < e.sent.size(); ++k) messages[e.sent[k]] = name + "." + std::to_string(k);
      for (std::size_t k = 0; k < e.created.size(); ++k) actors[e.created[k]] = name + "'" + std::to_string(k);
    }
  }

  [[nodiscard]] std::string of_actor(int a) const { return a == nobody ? "nobody" : actors.at(a); }

  [[nodiscard]] std::string of(const fate& end) const {
    if (end.mode == life::gone) return "gone";
    std::string text = end.mode == life::open ? "open" : "waiting for " + messages.at(end.awaited);
    text += " {role " + std::to_string(end.local.role) + ", state " + std::to_string(end.local.state) + ", fuel " +
            std::to_string(end.local.fuel);
    for (const auto k : end.local.knows) text += ", " + of_actor(k);
    return text + "}";
  }
};

}  // namespace

std::string text_of(const execution& told, delivery model) {
  const names called(told);
  std::map<std::string, std::string> lines;
  for (std::size_t a = 0; a < told.ends.size(); ++a)
    lines[called.actors.at(static_cast<int>(a))] = " ends " + called.of(told.ends[a]);
  std::map<std::string, std::string> taken, entered;
  for (auto i = told.explored; i < told.events.size(); ++i) {
    const auto& e = told.events[i];
    auto& line = taken[called.actors.at(e.actor)];
    line += " " + called.events[i];
    for (int n = 0; n < e.findings; ++n) line += "!";
    if (e.failed) line += "(fails)";
    if (model != delivery::mailbox || e.failed) continue;
    for (const auto m : e.sent) entered[called.actors.at(told.receivers[at(m)])] += " " + called.messages.at(m);
  }
  for (const auto m : told.put) entered[called.actors.at(told.receivers[at(m)])] += " " + called.messages.at(m);
  std::string text;
  for (const auto& [actor, end] : lines) {
    text.append(actor).append(" takes").append(taken[actor]).append(end).append("\n");
    if (entered.contains(actor)) text.append("  queue").append(entered[actor]).append("\n");
  }
  std::set<std::string> lost;
  for (const auto m : told.lost) lost.insert(called.messages.at(m));
  for (const auto& message : lost) text.append("lost ").append(message).append("\n");
  return text;
}

namespace {

/// Reads an execution from a system. With interleaved mailboxes a message is
/// there twice, and a mailbox is an actor: here both copies are one message.
class reader {
public:
  explicit reader(const system& s) : system_(s), slots_an_actor_(s.model() == delivery::mailbox_interleaved ? 2 : 1) {
    original_.resize(s.message_count() + 1, no_message);
    told_.receivers.resize(s.message_count() + 1, nobody);
    for (message_slot m = 1; m <= s.message_count(); ++m) {
      told_.receivers[m] = number(s.message_at(m).receiver);
      if (is_from_outside(m)) {
        original_[m] = m;
        told_.from_outside.push_back(static_cast<int>(m));
      }
    }
    for (step_index i = 0; i < s.step_count(); ++i) {
      if (i == s.setup_steps()) told_.explored = told_.events.size();
      read(i);
    }
    if (s.step_count() == s.setup_steps()) told_.explored = told_.events.size();
    for (actor_slot a = 0; a < s.actor_count(); a += slots_an_actor_) told_.ends.push_back(end_of(a));
  }

  execution take() { return std::move(told_); }

private:
  /// Nobody in these programs knows the driver: it takes replies, and what starts it.
  [[nodiscard]] bool is_from_outside(message_slot m) const {
    return system_.message_at(m).receiver == 0 && system_.message_at(m).kind == message::role::plain;
  }
  [[nodiscard]] bool is_arrival(message_slot m) const { return system_.is_internal(system_.message_at(m).receiver); }
  [[nodiscard]] int number(actor_slot a) const { return static_cast<int>(a / slots_an_actor_); }

  void read(step_index i) {
    const auto m = system_.step_at(i).message;
    if (is_visible(system_.step_at(i).kind)) return read_event(i, original_[m]);
    if (is_arrival(m)) read_arrival(i, original_[m]);
  }

  /// `brought` enters its mailbox. What its sender sent next, if anything, is the next one in the cloud.
  void read_arrival(step_index i, message_slot brought) {
    for (auto m = system_.step_at(i).first_sent; m < system_.sent_end(i) && !is_from_outside(m); ++m)
      original_[m] = is_arrival(m) ? brought + 1 : brought;
    if (i >= system_.setup_steps()) told_.put.push_back(static_cast<int>(brought));
  }

  void read_event(step_index i, message_slot taken) {
    const auto& s = system_.step_at(i);
    auto& e = told_.events.emplace_back();
    e.actor = number(s.receiver);
    e.message = static_cast<int>(taken);
    const auto choices = system_.choices_of(i);
    for (const auto& c : choices.first(choices.size() - system_.fates_of(i).size()))
      e.drawn.push_back(s.code / c.scale % c.arity);
    for (const auto& f : system_.fates_of(i))
      if (f.drawn == harrier::fate::what::is_lost) told_.lost.push_back(static_cast<int>(f.message));
    for (auto m = s.first_sent; m < system_.sent_end(i) && !is_from_outside(m); ++m) {
      original_[m] = is_arrival(m) ? s.first_sent : m;
      if (!is_arrival(m)) e.sent.push_back(static_cast<int>(m));
    }
    for (auto a = s.first_created; a < system_.created_end(i); a += slots_an_actor_) e.created.push_back(number(a));
    e.findings = static_cast<int>(system_.records_of_step(i).size());
    e.failed = s.aborted;
  }

  [[nodiscard]] fate end_of(actor_slot a) const {
    const auto& x = system_.actor_at(a);
    fate end;
    if (x.state_of_life == actor::mode::gone) end.mode = life::gone;
    if (x.state_of_life == actor::mode::waiting) {
      end.mode = life::waiting;
      end.awaited = static_cast<int>(x.awaited);
    }
    if (a == 0) return end;
    const auto& n = *static_cast<const litmus::node*>(x.state);
    end.local = {n.role, n.state, n.fuel, {}};
    for (std::size_t k = 0; k < n.knows.size(); ++k)
      end.local.knows[k] = n.knows[k] ? number(system_.slot_of(n.knows[k].id())) : nobody;
    return end;
  }

  const system& system_;
  actor_slot slots_an_actor_;
  std::vector<message_slot> original_;  // by slot: what was sent; of an arrival, what arrives
  execution told_;
};

}  // namespace

execution told_by(const system& s) { return reader(s).take(); }

}  // namespace harrier::differential::outside
