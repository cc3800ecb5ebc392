#include "stability.hpp"

#include <algorithm>
#include <limits>

#include <harrier/core/value_bytes.hpp>

#include "../core/base/place_in_binary.hpp"
#include "../core/dependence/wrong_declaration.hpp"

namespace harrier {
namespace {

constexpr auto unknown = std::numeric_limits<std::size_t>::max();
/// 001, section 4.3: a direct call by one that knows the actor, an indirect one, and by one that does not know it.
constexpr double k_a = 100;
constexpr double k_b = 10;
constexpr double k_c = 1;

/// The step that began the handler of which step `e` is a part.
step_index beginning_of_handler(const system& s, step_index e) {
  while (actor::is_suspended(s.step_at(e).mode_before) && s.step_at(e).previous != no_step) e = s.step_at(e).previous;
  return e;
}

bool is_silent(const system& s, message_slot m) {
  const auto& x = s.message_at(m);
  return x.dead ||
         (s.actor_at(x.receiver).state_of_life == actor::mode::gone && x.posthumous == message::when_gone::left);
}

}  // namespace

by_stability::by_stability(const system& s) {
  for (std::size_t i = 0; i < s.step_count(); ++i) learn_step(s, i);
}

by_stability::class_number by_stability::class_of(const actor_type& type) {
  return class_numbers_.try_emplace(place_in_binary(&type), class_numbers_.size()).first->second;
}

by_stability::kind by_stability::kind_of(const system& s, message_slot m) {
  const auto& x = s.message_at(m);
  return kind_of(*s.actor_at(x.receiver).type, *x.type);
}

by_stability::kind by_stability::kind_of(const actor_type& receiver, const message_type& type) {
  const auto [found, is_new] =
      kind_numbers_.try_emplace({place_in_binary(&receiver), place_in_binary(&type)}, kinds_.size());
  const auto k = found->second;
  if (!is_new) return k;
  kinds_.push_back({.receiver = class_of(receiver)});
  std::vector<const message_type*> declared;
  kinds_[k].is_declared = type.declare_sends(declared);
  for (const auto* sent : declared)
    if (const auto* taken_by = sent->receiver_class(); taken_by != nullptr) {
      const auto other = kind_of(*taken_by, *sent);
      kinds_[k].sends.try_emplace(other, 0);
    }
  return k;
}

double by_stability::message_kind::likelihood(kind k) const {
  constexpr double nobody_knows = 0.5;
  if (runs == 0) return nobody_knows;
  const auto found = sends.find(k);
  if (found == sends.end()) return 0;
  return std::min(1.0, static_cast<double>(found->second) / static_cast<double>(runs));
}

void by_stability::learn_step(const system& s, std::size_t i) {
  const auto& step = s.step_at(i);
  const auto first = beginning_of_handler(s, static_cast<step_index>(i));
  const auto what = kind_of(s, s.step_at(first).message);
  if (first == static_cast<step_index>(i) || kinds_[what].runs == 0) ++kinds_[what].runs;
  std::set<kind> sent;
  for (auto m = step.first_sent; m < s.sent_end(i); ++m) sent.insert(kind_of(s, m));
  for (const auto k : sent) ++kinds_[what].sends[k];
  if (kinds_[what].is_declared) check_declared_sends(s, static_cast<step_index>(i), s.step_at(first).message);
  for (auto a = step.first_created; a < s.created_end(i); ++a)
    kinds_[what].creates.insert(class_of(*s.actor_at(a).type));
}

bool by_stability::add(people& to, const people& more) {
  bool grows = false;
  for (std::size_t w = 0; w < to.size(); ++w) {
    grows |= (more[w] & ~to[w]) != 0;
    to[w] |= more[w];
  }
  return grows;
}

void by_stability::add_referred(const system& s, people& to) const {
  for (const auto id : referred_)
    if (s.exists(id)) put_in(to, s.slot_of(id));
}

void by_stability::add_known_to_message(const system& s, message_slot m, people& to) {
  const auto& x = s.message_at(m);
  if (x.kind == message::role::request) put_in(to, x.answers - std::size_t{1});
  if (x.payload == nullptr) return;
  referred_.clear();
  value_bytes bytes;
  bytes.note_references(referred_);
  x.type->write(x.payload, bytes);
  add_referred(s, to);
}

void by_stability::add_known_to_handler(const system& s, actor_slot a) {
  auto e = s.actor_at(a).last_step;
  const auto first = beginning_of_handler(s, e);
  for (;; e = s.step_at(e).previous) {
    const auto& step = s.step_at(e);
    add_known_to_message(s, step.message, knows_[a]);
    for (auto made = step.first_created; made < s.created_end(e); ++made) put_in(knows_[a], made);
    if (step.state_before != nullptr) {
      referred_.clear();
      value_bytes bytes;
      bytes.note_references(referred_);
      s.actor_at(a).type->write(step.state_before, bytes);
      add_referred(s, knows_[a]);
    }
    if (e == first) return;
  }
}

void by_stability::read_state(const system& s) {
  const auto actors = s.actor_count();
  waiting_as_.assign(actors, unknown);
  for (actor_slot a = 0; a < actors; ++a)  // first, since it may meet new classes
    static_cast<void>(class_of(*s.actor_at(a).type));
  for (auto m = s.first_pending(); m != no_message; m = s.next_pending(m)) static_cast<void>(kind_of(s, m));
  for (actor_slot a = 0; a < actors; ++a) {
    const auto& x = s.actor_at(a);
    if (actor::is_suspended(x.state_of_life) && x.last_step != no_step)
      waiting_as_[a] = kind_of(s, s.step_at(beginning_of_handler(s, x.last_step)).message);
  }

  class_in_state_.clear();
  for (actor_slot a = 0; a < actors; ++a) class_in_state_.push_back(class_of(*s.actor_at(a).type));
  for (class_number c = 0; c < class_numbers_.size(); ++c) class_in_state_.push_back(c);
  const people nobody(class_in_state_.size() / 64 + 1);
  knows_.assign(class_in_state_.size(), nobody);
  for (actor_slot a = 0; a < actors; ++a) {
    const auto& x = s.actor_at(a);
    put_in(knows_[a], a);
    if (x.state_of_life == actor::mode::gone) continue;
    if (x.type->state_class() == nullptr) {  // what it knows is not seen
      for (actor_slot other = 0; other < actors; ++other) put_in(knows_[a], other);
      continue;
    }
    referred_.clear();
    value_bytes bytes;
    bytes.note_references(referred_);
    x.type->write(x.state, bytes);
    add_referred(s, knows_[a]);
    if (waiting_as_[a] != unknown) add_known_to_handler(s, a);
  }

  tasks_.clear();
  for (auto m = s.first_pending(); m != no_message; m = s.next_pending(m)) {
    if (is_silent(s, m)) continue;
    const auto& x = s.message_at(m);
    task next{.of = x.receiver, .what = kind_of(s, m), .knows = nobody};
    add_known_to_message(s, m, next.knows);
    if (x.kind == message::role::reply && waiting_as_[x.receiver] != unknown) next.what = waiting_as_[x.receiver];
    add(next.knows, knows_[x.receiver]);
    tasks_.push_back(std::move(next));
  }
}

void by_stability::give(somebody who, kind what) {
  may_run_[who].insert(what);
  // A reply, perhaps: then what waits for it goes on.
  if (who < waiting_as_.size() && waiting_as_[who] != unknown) may_run_[who].insert(waiting_as_[who]);
}

bool by_stability::is_stable(const system& s, actor_slot a) {
  may_know_ = knows_;
  may_run_.assign(class_in_state_.size(), {});
  for (const auto& t : tasks_) {
    if (t.of == a) continue;
    may_run_[t.of].insert(t.what);
    add(may_know_[t.of], t.knows);
  }
  const auto actors = s.actor_count();
  const auto is_gone = [&](somebody who) {
    return who < actors && s.actor_at(static_cast<actor_slot>(who)).state_of_life == actor::mode::gone;
  };
  for (bool grows = true; grows;) {
    grows = false;
    for (somebody who = 0; who < class_in_state_.size(); ++who) {
      if (who == a || may_run_[who].empty() || is_gone(who)) continue;
      const auto runs = may_run_[who];
      for (const auto what : runs) {
        const bool may_do_anything = what == unknown || !kinds_[what].is_known();
        if (!may_do_anything) {
          auto creates = kinds_[what].creates;
          if (kinds_[what].runs == 0)  // declared: to whom it sends, it may create first
            for (const auto& [sent, times] : kinds_[what].sends) creates.insert(kinds_[sent].receiver);
          for (const auto made : creates) {
            const auto child = actors + made;
            if (!is_in(may_know_[who], child)) {
              put_in(may_know_[who], child);
              grows = true;
            }
            grows |= add(may_know_[child], may_know_[who]);
          }
        }
        const auto send = [&](kind sent, class_number to) {
          for (somebody other = 0; other < class_in_state_.size(); ++other) {
            if (!is_in(may_know_[who], other) || (to != unknown && class_in_state_[other] != to)) continue;
            const auto before = may_run_[other].size();
            give(other, sent);
            grows |= may_run_[other].size() != before;
            if (other != who && other != a) grows |= add(may_know_[other], may_know_[who]);
          }
        };
        if (may_do_anything)
          send(unknown, unknown);
        else
          for (const auto& [sent, times] : kinds_[what].sends) send(sent, kinds_[sent].receiver);
        if (!may_run_[a].empty()) return false;
      }
    }
  }
  return true;
}

by_stability::chain by_stability::chain_of(kind from, class_number to) const {
  // The likeliest chain of calls to each kind, from one call to the next.
  std::vector<double> reached(kinds_.size());
  std::vector<kind> grown{from};
  chain found;
  for (std::size_t i = 0; i < grown.size(); ++i) {
    const auto by = grown[i];
    const bool is_first = i == 0;
    const auto so_far = is_first ? 1.0 : reached[by];
    const auto reach = [&](double likelihood) {
      auto& best = is_first ? found.direct : found.indirect;
      best = std::max(best, likelihood);
    };
    if (kinds_[by].runs == 0) reach(so_far * kinds_[by].likelihood(by));  // it may send anything
    for (const auto& [sent, times] : kinds_[by].sends) {
      const auto likelihood = so_far * kinds_[by].likelihood(sent);
      if (kinds_[sent].receiver == to) reach(likelihood);
      if (likelihood <= reached[sent]) continue;
      reached[sent] = likelihood;
      grown.push_back(sent);
    }
  }
  return found;
}

double by_stability::level(actor_slot a) {
  double sum = 0;
  std::set<kind> unseen;
  for (const auto& t : tasks_) {
    if (t.of == a) continue;
    if (kinds_[t.what].runs == 0 && !unseen.insert(t.what).second) continue;
    const auto [place, is_new] = chains_.try_emplace({t.what, class_in_state_[a]});
    if (is_new) place->second = chain_of(t.what, class_in_state_[a]);
    const auto& found = place->second;
    if (!is_in(t.knows, a))
      sum += k_c * std::max(found.direct, found.indirect);
    else if (found.direct > 0)
      sum += k_a * found.direct;
    else
      sum += k_b * found.indirect;
  }
  return sum;
}

void by_stability::arrange(const system& s, std::vector<message_slot>& deliverable) {
  if (deliverable.empty()) return;
  read_state(s);
  chains_.clear();
  levels_.assign(s.actor_count(), -1);
  bool is_any_stable = false;
  for (const auto m : deliverable) {
    const auto a = s.message_at(m).receiver;
    if (levels_[a] >= 0) continue;
    const bool is_stable_one = is_stable(s, a);
    levels_[a] = is_stable_one ? 0 : 1 + level(a);
    is_any_stable |= is_stable_one;
  }
  ++arranged_;
  if (is_any_stable) ++stable_;
  std::stable_sort(deliverable.begin(), deliverable.end(), [&](message_slot x, message_slot y) {
    const auto a = s.message_at(x).receiver;
    const auto b = s.message_at(y).receiver;
    return levels_[a] != levels_[b] ? levels_[a] < levels_[b] : a < b;
  });
}

void by_stability::tell(std::vector<statistic>& to) const {
  to.push_back({"states ordered", static_cast<double>(arranged_)});
  to.push_back({"states with a stable actor", static_cast<double>(stable_)});
}

void by_stability::save(archive_writer& to) const {
  to.number(arranged_);
  to.number(stable_);
  to.list(class_numbers_, [&](const auto& c) {
    to.number(c.first);
    to.number(c.second);
  });
  to.list(kind_numbers_, [&](const auto& k) {
    to.number(k.first.first);
    to.number(k.first.second);
    to.number(k.second);
  });
  to.list(kinds_, [&](const message_kind& k) {
    to.number(k.receiver);
    to.number(k.runs);
    to.flag(k.is_declared);
    to.list(k.sends, [&](const auto& sent) {
      to.number(sent.first);
      to.number(sent.second);
    });
    to.list(k.creates, [&](class_number c) { to.number(c); });
  });
}

void by_stability::load(archive_reader& from) {
  arranged_ = from.number();
  stable_ = from.number();
  class_numbers_.clear();
  from.list([&] {
    const auto place = from.number();
    class_numbers_[place] = from.number();
  });
  kind_numbers_.clear();
  from.list([&] {
    const auto of_class = from.number();
    const auto of_message = from.number();
    kind_numbers_[{of_class, of_message}] = from.number();
  });
  kinds_.clear();
  from.list([&] {
    message_kind k{.receiver = from.number()};
    k.runs = from.number();
    k.is_declared = from.flag();
    from.list([&] {
      const auto sent = from.number();
      k.sends[sent] = from.number();
    });
    from.list([&] { k.creates.insert(from.number()); });
    kinds_.push_back(std::move(k));
  });
}

}  // namespace harrier
