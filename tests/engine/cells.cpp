#include "cells.hpp"

#include <random>
#include <string_view>

#include <harrier/harrier.hpp>

#include <fmt/format.h>

namespace harrier::differential {
namespace {

constexpr int fields = 3;

enum class order_kind : std::uint8_t { add, set, copy, tell, expect, rest };

/// A message to be sent.
struct order {
  order_kind kind = order_kind::add;
  std::uint8_t field = 0;
  std::uint8_t other = 0;  // of copy: what it writes
  std::uint8_t to = 0;     // which cell
  std::int8_t value = 0;
  bool only_if_odd = false;  // if what `tell` reads is
  std::vector<order> then;   // what tell sends
};

template <cell_kind Kind, int I>
constexpr bool tells = Kind == cell_kind::tracked || Kind == cell_kind::guarded || (Kind == cell_kind::mixed && I == 0);
template <cell_kind Kind, int I>
using field_of = std::conditional_t<tells<Kind, I>, tracked<int>, int>;

template <class Cell>
void send(self& from, const std::vector<ref<Cell>>& cells, const order& o);

// The handlers, in each class once: a class that has `accepts` for some message has it for all that is asked of it.
#define CELL_HANDLERS_OF_FIELD(i)                                                                \
  void add_##i(int v) { f##i += v; }                                                             \
  void set_##i(int v) { f##i = v; }                                                              \
  void tell_##i(self& me, const std::vector<ref<cell>>& cells, const std::vector<order>& then) { \
    const int value = f##i;                                                                      \
    for (const auto& o : then)                                                                   \
      if (!o.only_if_odd || value % 2 != 0) send(me, cells, o);                                  \
  }                                                                                              \
  void expect_##i(self& me, int v) { me.require(f##i != v, "field " #i " is not " + std::to_string(v)); }
#define CELL_COPIES(i, j) \
  void copy_##i##j() { f##j = static_cast<int>(f##i); }
#define CELL_BODY           \
  field_of<Kind, 0> f0 = 0; \
  field_of<Kind, 1> f1 = 1; \
  field_of<Kind, 2> f2 = 2; \
  void rest() {}            \
  CELL_HANDLERS_OF_FIELD(0) \
  CELL_HANDLERS_OF_FIELD(1) \
  CELL_HANDLERS_OF_FIELD(2) \
  CELL_COPIES(0, 1)         \
  CELL_COPIES(0, 2)         \
  CELL_COPIES(1, 0)         \
  CELL_COPIES(1, 2)         \
  CELL_COPIES(2, 0)         \
  CELL_COPIES(2, 1)

template <cell_kind Kind>
struct cell {
  CELL_BODY
};

template <>
struct cell<cell_kind::guarded> {
  static constexpr auto Kind = cell_kind::guarded;
  CELL_BODY
  bool accepts(handler<&cell::set_1>) const { return f0 % 2 == 0; }
  bool accepts(handler<&cell::tell_2>) const { return f1 != 3; }
};

template <>
struct cell<cell_kind::declared> {
  static constexpr auto Kind = cell_kind::declared;
  CELL_BODY
#define CELL_DECLARES(i)                                                              \
  static declaration<writes<&cell::f##i>> declares(handler<&cell::add_##i>);          \
  static declaration<reads<>, writes<&cell::f##i>> declares(handler<&cell::set_##i>); \
  static declaration<reads<&cell::f##i>> declares(handler<&cell::tell_##i>);          \
  static declaration<writes<>, reads<&cell::f##i>> declares(handler<&cell::expect_##i>);
#define CELL_DECLARES_COPY(i, j) \
  static declaration<reads<&cell::f##i>, writes<&cell::f##j>> declares(handler<&cell::copy_##i##j>);
  static declaration<reads<>, writes<>> declares(handler<&cell::rest>);
  CELL_DECLARES(0)
  CELL_DECLARES(1)
  CELL_DECLARES(2)
  CELL_DECLARES_COPY(0, 1)
  CELL_DECLARES_COPY(0, 2)
  CELL_DECLARES_COPY(1, 0)
  CELL_DECLARES_COPY(1, 2)
  CELL_DECLARES_COPY(2, 0)
  CELL_DECLARES_COPY(2, 1)
};

template <class Cell>
void send(self& from, const std::vector<ref<Cell>>& cells, const order& o) {
  const auto to = cells[o.to];
  const int value = o.value;
  if (o.kind == order_kind::rest) return from.send<&Cell::rest>(to);
#define SENDS_TO_FIELD(i)                                                                 \
  case i:                                                                                 \
    if (o.kind == order_kind::add) return from.send<&Cell::add_##i>(to, value);           \
    if (o.kind == order_kind::set) return from.send<&Cell::set_##i>(to, value);           \
    if (o.kind == order_kind::tell) return from.send<&Cell::tell_##i>(to, cells, o.then); \
    return from.send<&Cell::expect_##i>(to, value);
  if (o.kind != order_kind::copy) switch (o.field) {
      SENDS_TO_FIELD(0)
      SENDS_TO_FIELD(1)
      default: SENDS_TO_FIELD(2)
    }
  switch (o.field * fields + o.other) {
    case 1: return from.send<&Cell::copy_01>(to);
    case 2: return from.send<&Cell::copy_02>(to);
    case 3: return from.send<&Cell::copy_10>(to);
    case 5: return from.send<&Cell::copy_12>(to);
    case 6: return from.send<&Cell::copy_20>(to);
    default: return from.send<&Cell::copy_21>(to);
  }
}

class drawn_orders {
public:
  explicit drawn_orders(std::uint64_t seed) : draw_(static_cast<std::minstd_rand::result_type>(seed * 48271 + 11)) {}

  unsigned below(unsigned n) { return std::uniform_int_distribution<unsigned>(0, n - 1)(draw_); }
  std::vector<order> some(unsigned least, unsigned most, unsigned cells, unsigned deeper) {
    std::vector<order> all(least + below(most - least + 1));
    for (auto& o : all) {
      constexpr order_kind kinds[] = {order_kind::add,  order_kind::set,    order_kind::set,
                                      order_kind::copy, order_kind::copy,   order_kind::tell,
                                      order_kind::tell, order_kind::expect, order_kind::rest};
      o.kind = kinds[below(std::size(kinds))];
      if (o.kind == order_kind::expect && below(3) != 0) o.kind = order_kind::tell;
      o.field = static_cast<std::uint8_t>(below(fields));
      o.other = static_cast<std::uint8_t>((o.field + 1 + below(fields - 1)) % fields);
      o.to = static_cast<std::uint8_t>(below(cells));
      o.value = static_cast<std::int8_t>(below(4));
      o.only_if_odd = below(3) == 0;
      if (o.kind == order_kind::tell && deeper > 0) o.then = some(0, 2, cells, deeper - 1);
    }
    return all;
  }

private:
  std::minstd_rand draw_;
};

template <cell_kind Kind>
program cells_of(std::uint64_t seed) {
  drawn_orders drawn(seed);
  const auto count = 1 + drawn.below(3);
  const auto orders = drawn.some(3, 5, count, 2);
  return make_program([count, orders](self& me) {
    std::vector<ref<cell<Kind>>> cells;
    for (unsigned i = 0; i < count; ++i) cells.push_back(me.create<cell<Kind>>());
    for (const auto& o : orders) send(me, cells, o);
  });
}

/// What a step touched, by what its message is called and, where only that is seen, by what changed.
struct touched_fields {
  unsigned reads = 0, writes = 0;
  bool all = false;
  bool sent = false;
};

template <cell_kind Kind>
touched_fields touched_by(const system& s, std::size_t i, const void* after) {
  const auto& ran = s.step_at(i);
  touched_fields t;
  t.sent = s.sent_end(i) != ran.first_sent;
  t.all = ran.flagged;
  const auto text = s.message_at(ran.message).type->name();
  const auto bit = [&](std::size_t at) { return 1U << (text[at] - '0'); };
  const auto at = text.find('_') + 1;
  if (text.starts_with("copy")) {
    t.reads = bit(at);
    t.writes = bit(at + 1);
  } else if (text.starts_with("add") || text.starts_with("set")) {
    t.writes = bit(at);
  } else if (!text.starts_with("rest")) {
    t.reads = bit(at);
  }
  const auto& x = *static_cast<const cell<Kind>*>(ran.state_before);
  const auto& y = *static_cast<const cell<Kind>*>(after);
  const auto value = [](const auto& field) {
    if constexpr (std::is_same_v<decltype(field), const int&>)
      return field;
    else
      return field.untold();
  };
  const unsigned changed = (value(x.f0) != value(y.f0) ? 1U : 0U) | (value(x.f1) != value(y.f1) ? 2U : 0U) |
                           (value(x.f2) != value(y.f2) ? 4U : 0U);
  if (Kind == cell_kind::plain) t = {7U, changed, t.all, t.sent};
  if (Kind == cell_kind::mixed) t = {(t.reads & 1U) | 6U, (t.writes & 1U) | changed, t.all, t.sent};
  if (Kind == cell_kind::guarded) t = {7U, 0U, t.all || changed != 0, t.sent};
  return t;
}

std::uint64_t mix(std::uint64_t a, std::uint64_t b) {
  auto z = a * 0x9e3779b97f4a7c15U ^ (b + 0x2545f4914f6cdd1dU);
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9U;
  return z ^ (z >> 31);
}

template <cell_kind Kind>
class watcher final : public observer {
public:
  watcher(seen_cells& seen, std::uint64_t most) : seen_(seen), most_(most) {}

  void step_flagged(system& s) override {
    for (const auto& r : s.records_of_last_step()) seen_.findings.insert(r.message);
  }
  void poll(system&) override {}
  void execution_ended(system& s) override {
    auto& known = seen_.classes[class_of_execution(s)];
    const auto end = end_of_execution(s);
    if (known.executions++ > 0 && known.end != end) seen_.ends_differ = true;
    known.end = end;
    ++seen_.executions;
    look_whether_enough();
  }
  void execution_blocked(system&) override {
    ++seen_.blocked;
    look_whether_enough();
  }

private:
  void look_whether_enough() {
    if (seen_.executions + seen_.blocked >= most_) stopping_ = true;
  }
  /// A sum over its steps, each with those before it that it depends on.
  static std::uint64_t class_of_execution(const system& s) {
    const auto first = s.setup_steps();
    const auto end = s.step_count();
    std::vector<const void*> after(end, nullptr);
    std::vector<const void*> latest(s.actor_count(), nullptr);
    for (auto i = end; i-- > first;) {
      auto& state = latest[s.step_at(i).receiver];
      after[i] = state != nullptr ? state : s.actor_at(s.step_at(i).receiver).state;
      state = s.step_at(i).state_before;
    }
    std::vector<touched_fields> touched(end);
    std::vector<std::uint64_t> value(end, 0);
    std::uint64_t all = 0;
    for (auto i = first; i < end; ++i) {
      touched[i] = touched_by<Kind>(s, i, after[i]);
      std::uint64_t before = 0;
      for (auto j = first; j < i; ++j)
        if (s.step_at(j).receiver == s.step_at(i).receiver && depend(touched[j], touched[i], s.model()))
          before += mix(value[j], 3);
      value[i] = mix(s.names().name_of(s.message_at(s.step_at(i).message).id).low, before);
      all += mix(value[i], 5);
    }
    return all;
  }
  /// What it left behind, in whatever order that came to be.
  static std::uint64_t end_of_execution(const system& s) {
    std::uint64_t all = 0;
    for (actor_slot a = 1; a < s.actor_count(); ++a) {
      const auto& x = s.actor_at(a);
      all += mix(s.names().name_of(x.id).low, x.type->hash(x.state).low + (x.failed ? 1 : 0));
    }
    for (auto m = s.first_pending(); m != no_message; m = s.next_pending(m))
      all += mix(s.names().name_of(s.message_at(m).id).low, 7);
    for (auto i = s.setup_steps(); i < s.step_count(); ++i)
      all += mix(s.names().name_of(s.message_at(s.step_at(i).message).id).low, 9);
    return all;
  }
  static bool depend(const touched_fields& a, const touched_fields& b, delivery model) {
    if (a.all || b.all) return true;
    if (model == delivery::causal && (a.sent || b.sent)) return true;
    if (model == delivery::fifo && a.sent && b.sent) return true;
    return (a.writes & (b.reads | b.writes)) != 0 || (b.writes & (a.reads | a.writes)) != 0;
  }

  seen_cells& seen_;
  std::uint64_t most_;
};

template <cell_kind Kind>
seen_cells observe(const program& tested, delivery model, std::uint64_t most,
                   const std::function<bool(system&, observer&)>& run) {
  seen_cells seen;
  watcher<Kind> w(seen, most);
  const auto s = tested.start(model);
  s->limit_depth(1000);
  s->go_on_after_abort(true);
  s->watch().observe(&w);
  seen.is_complete = run(*s, w);
  return seen;
}

}  // namespace

std::string to_string(cell_kind kind) {
  constexpr std::string_view names[] = {"tracked", "plain", "mixed", "declared", "guarded"};
  return std::string(names[static_cast<std::size_t>(kind)]);
}

program make_cells(cell_kind kind, std::uint64_t seed) {
  switch (kind) {
    case cell_kind::tracked: return cells_of<cell_kind::tracked>(seed);
    case cell_kind::plain: return cells_of<cell_kind::plain>(seed);
    case cell_kind::mixed: return cells_of<cell_kind::mixed>(seed);
    case cell_kind::declared: return cells_of<cell_kind::declared>(seed);
    case cell_kind::guarded: return cells_of<cell_kind::guarded>(seed);
  }
  return {};
}

seen_cells observe_cells(const program& tested, cell_kind kind, delivery model, std::uint64_t most,
                         const std::function<bool(system&, observer&)>& run) {
  switch (kind) {
    case cell_kind::tracked: return observe<cell_kind::tracked>(tested, model, most, run);
    case cell_kind::plain: return observe<cell_kind::plain>(tested, model, most, run);
    case cell_kind::mixed: return observe<cell_kind::mixed>(tested, model, most, run);
    case cell_kind::declared: return observe<cell_kind::declared>(tested, model, most, run);
    case cell_kind::guarded: return observe<cell_kind::guarded>(tested, model, most, run);
  }
  return {};
}

std::string difference_in_ends(const seen_cells& oracle, const seen_cells& seen) {
  const auto ends_of = [](const seen_cells& of) {
    std::set<std::uint64_t> ends;
    for (const auto& [name, known] : of.classes) ends.insert(known.end);
    return ends;
  };
  if (!seen.is_complete) return "did not come to its end";
  if (seen.findings != oracle.findings) return "other findings";
  if (ends_of(seen) != ends_of(oracle)) return "other ends";
  return {};
}

std::vector<std::string> differences(const seen_cells& oracle, const seen_cells& seen) {
  std::vector<std::string> all;
  if (!seen.is_complete) all.emplace_back("did not come to its end");
  if (oracle.ends_differ) all.emplace_back("oracle: one class ends in two configurations");
  if (seen.findings != oracle.findings) all.emplace_back("other findings");
  std::uint64_t lost = 0, twice = 0, invented = 0, elsewhere = 0;
  for (const auto& [key, known] : oracle.classes) {
    const auto found = seen.classes.find(key);
    if (found == seen.classes.end())
      ++lost;
    else if (found->second.end != known.end)
      ++elsewhere;
  }
  for (const auto& [key, known] : seen.classes) {
    if (!oracle.classes.contains(key)) ++invented;
    if (known.executions > 1) ++twice;
  }
  for (const auto& [count, what] : {std::pair{lost, "lost"}, std::pair{twice, "run more than once"},
                                    std::pair{invented, "invented"}, std::pair{elsewhere, "ended elsewhere"}})
    if (count != 0) all.push_back(fmt::format("{} of {} classes {}", count, oracle.classes.size(), what));
  return all;
}

}  // namespace harrier::differential
