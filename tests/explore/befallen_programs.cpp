#include "befallen_programs.hpp"

#include <algorithm>
#include <chrono>
#include <map>
#include <optional>
#include <random>
#include <type_traits>
#include <utility>

#include <harrier/native/persistent.hpp>
#include <harrier/native/program.hpp>
#include <harrier/native/self.hpp>

namespace harrier::befallen {
namespace {

std::size_t at(int i) { return static_cast<std::size_t>(i); }

bool applies(const action& a, int sum) { return a.if_odd < 0 || (sum & 1) == a.if_odd; }

template <bool Keeps>
struct cell {
  const tables* follows = nullptr;
  int number = 0;
  int lost = 0;
  std::conditional_t<Keeps, persistent<int>, int> kept = 0;
  std::vector<ref<cell>> all;

  void meet(std::vector<ref<cell>> everybody) { all = std::move(everybody); }
  template <int Kind>
  task take(self& me, int /*kind*/, int fuel) {
    for (const auto& a : follows->rules[at(number)][Kind]) {
      if (!applies(a, lost + kept)) continue;
      switch (a.what) {
        case verb::send:
          if (fuel > 0) send_kind(me, a, fuel - 1);
          break;
        case verb::add_lost: ++lost; break;
        case verb::add_kept: ++kept; break;
        case verb::arm:
          if (fuel > 0) arm_kind(me, a.kind, fuel - 1);
          break;
        case verb::cancel: cancel_kind(me, a.kind); break;
        case verb::sync: me.sync(); break;
        case verb::call:
          if (fuel > 0) {
            const std::optional<int> got = co_await ask(me, a.to);
            lost += got.has_value() ? 1 : 2;
          }
          break;
      }
    }
  }
  int answer() { return ++lost; }
  auto ask(self& me, int whom) { return me.call<&cell::answer>(all[at(whom)]).within(std::chrono::seconds(1)); }

  void send_kind(self& me, const action& a, int fuel) {
    if (a.kind == 0) me.send<&cell::template take<0>>(all[at(a.to)], 0, fuel);
    if (a.kind == 1) me.send<&cell::template take<1>>(all[at(a.to)], 1, fuel);
    if (a.kind == 2) me.send<&cell::template take<2>>(all[at(a.to)], 2, fuel);
  }
  static void arm_kind(self& me, int kind, int fuel) {
    constexpr auto when = std::chrono::seconds(1);
    if (kind == 0) me.after<&cell::template take<0>>(when, 0, fuel);
    if (kind == 1) me.after<&cell::template take<1>>(when, 1, fuel);
    if (kind == 2) me.after<&cell::template take<2>>(when, 2, fuel);
  }
  static void cancel_kind(self& me, int kind) {
    if (kind == 0) me.cancel<&cell::template take<0>>();
    if (kind == 1) me.cancel<&cell::template take<1>>();
    if (kind == 2) me.cancel<&cell::template take<2>>();
  }

  template <class F>
  friend bool inspect(F& f, cell& x) {
    return f.object(x).fields(f.field("number", x.number), f.field("lost", x.lost), f.field("kept", x.kept),
                              f.field("all", x.all));
  }
};

template <bool Keeps>
struct driver {
  const tables* follows;
  std::vector<ref<cell<Keeps>>> all;

  void set_up(self& me) {
    for (int i = 0; i < follows->actors; ++i) all.push_back(me.create<cell<Keeps>>(follows, i));
    for (const auto& one : all) me.send<&cell<Keeps>::meet>(one, all);
  }
  void test(self& me) {
    for (const auto& k : follows->kicks) {
      if (k.kind == 0) me.send<&cell<Keeps>::template take<0>>(all[at(k.to)], 0, follows->fuel);
      if (k.kind == 1) me.send<&cell<Keeps>::template take<1>>(all[at(k.to)], 1, follows->fuel);
      if (k.kind == 2) me.send<&cell<Keeps>::template take<2>>(all[at(k.to)], 2, follows->fuel);
    }
  }

  template <class F>
  friend bool inspect(F& f, driver& x) {
    return f.object(x).fields(f.field("all", x.all));
  }
};

}  // namespace

tables make_random(std::uint64_t seed) {
  std::mt19937_64 random(seed);
  const auto below = [&random](int n) { return static_cast<int>(random() % static_cast<std::uint64_t>(n)); };
  tables t;
  t.actors = 2 + below(2);
  t.fuel = 1 + below(2);
  t.keeps = below(3) != 0;
  for (auto& of_actor : t.rules)
    for (auto& of_kind : of_actor)
      for (int i = below(4); i > 0; --i)
        of_kind.push_back(
            {static_cast<verb>(below(verbs)), below(t.actors), below(kinds), below(4) == 0 ? below(2) : -1});
  for (int i = 1 + below(2); i > 0; --i) t.kicks.push_back({below(t.actors), below(kinds)});
  return t;
}

std::string to_text(const tables& t) {
  static constexpr const char* names[] = {"send", "add_lost", "add_kept", "arm", "cancel", "sync", "call"};
  std::string text = "actors " + std::to_string(t.actors) + ", fuel " + std::to_string(t.fuel) +
                     (t.keeps ? ", one number is kept\n" : ", nothing is kept\n");
  for (int a = 0; a < t.actors; ++a)
    for (int k = 0; k < kinds; ++k) {
      text += "  " + std::to_string(a) + " on " + std::to_string(k) + ":";
      for (const auto& x : t.rules[at(a)][at(k)])
        text += std::string(" ") + names[static_cast<int>(x.what)] + "(to " + std::to_string(x.to) + ", kind " +
                std::to_string(x.kind) +
                (x.if_odd < 0    ? ")"
                 : x.if_odd == 1 ? ") if odd"
                                 : ") if even");
      text += "\n";
    }
  for (const auto& k : t.kicks) text += "  kick " + std::to_string(k.to) + " with " + std::to_string(k.kind) + "\n";
  return text;
}

program interpret(const tables& t) {
  return t.keeps ? make_program(driver<true>{&t, {}}) : make_program(driver<false>{&t, {}});
}

// One word for each message that was taken: its kind, its fuel, `t` if a timer sent it; `q` if it asks for an answer,
// `r` if it is one, `x` if none came in time. `-1` for each message that it sent as the second and that was lost, `+1`
// if it came twice; `!` if the actor crashed after it, `!2.1` in it after two sends and one sync.
outcome outcome_of(const system& s) {
  std::map<actor_slot, std::string> of;
  for (std::size_t i = 0; i < s.step_count(); ++i) {
    const auto& step = s.step_at(i);
    const auto& m = s.message_at(step.message);
    auto& text = of[step.receiver];
    if (step.receiver != 0 && i >= s.setup_steps()) {
      const auto said = s.message_text(step.message);
      const bool is_timer = m.makes == step_kind::timeout;
      if (m.kind == message::role::reply)
        text += is_timer ? " x" : " r";
      else if (said.starts_with("answer"))
        text += " q";
      else
        text += " " + said.substr(said.find('(') + 1, 1) + said.substr(said.find(", ") + 2, 1) + (is_timer ? "t" : "");
    }
    std::string crash;
    for (const auto& f : s.fates_of(i)) {
      if (loses(f.drawn) || f.drawn == fate::what::comes_twice) {
        int index = 0;
        for (auto sent = step.first_sent; sent < f.message; ++sent)
          index += s.message_at(sent).makes == step_kind::delivery ? 1 : 0;
        text += (loses(f.drawn) ? "-" : "+") + std::to_string(index);
      }
      if (f.drawn != fate::what::crashes) continue;
      if (f.who != step.receiver)
        of[f.who] += "!";
      else if (f.sent == fate::whole)
        crash = "!";
      else
        crash = "!" + std::to_string(f.sent) + "." + std::to_string(f.synced);
    }
    text += crash;
  }
  outcome all;
  for (actor_slot a = 1; a < s.actor_count(); ++a) all += "[" + of[a] + "]";
  return all;
}

namespace {

enum class content : std::uint8_t { plain, question, answer, no_answer };

struct sent_message {
  int from = -1;  // the driver
  int to = 0;
  int kind = 0;
  int fuel = 0;
  bool by_timer = false;
  bool taken = false;
  bool is_no_more = false;  // lost, cancelled, or gone with the actor that sent it to itself
  int word = -1;            // of its sender, in which it was sent
  int index = 0;            // in that
  content what = content::plain;
  int call = 0;  // of one that is asked, or answers: which of all calls
  bool comes_twice = false;
  bool is_copy = false;  // and cannot be told from the first, which is taken before
};

struct one_actor {
  int lost = 0;
  int kept = 0;
  int on_disk = 0;
  bool is_gone = false;
  int fired = 0;
  int crashes = 0;
  int waits_for = 0;  // a call
  int kind = 0;       // of the message in which it waits
  int fuel = 0;
  std::size_t next = 0;             // of its actions
  std::vector<std::string> words;   // the first is what befell it before
  std::vector<std::string> losses;  // by word
};

struct configuration {
  std::vector<one_actor> actors;
  std::vector<sent_message> messages;
  std::map<std::pair<int, int>, int> lost;     // of each channel
  std::map<std::pair<int, int>, int> doubled;  // likewise
  int calls = 0;
};

class enumeration {
public:
  enumeration(const tables& t, delivery model, const faults& may_happen, std::size_t most)
      : t_(t), model_(model), may_happen_(may_happen), most_(most) {}

  by_definition run() {
    configuration c;
    c.actors.resize(at(t_.actors));
    for (auto& a : c.actors) {
      a.words.emplace_back();
      a.losses.emplace_back();
    }
    for (const auto& k : t_.kicks) c.messages.push_back({-1, k.to, k.kind, t_.fuel});
    go_on(c);
    return found_;
  }

private:
  [[nodiscard]] bool can_be_taken(const configuration& c, std::size_t i) const {
    const auto& m = c.messages[i];
    const auto& receiver = c.actors[at(m.to)];
    if (m.taken || m.is_no_more || receiver.is_gone) return false;
    if (m.by_timer && receiver.fired >= static_cast<int>(may_happen_.timeouts)) return false;
    const bool is_answer = m.what == content::answer || m.what == content::no_answer;
    if (receiver.waits_for != 0 || is_answer) return is_answer && receiver.waits_for == m.call;
    if (m.is_copy && is_pending_first_of(c, m)) return false;
    if (model_ == delivery::unordered) return true;
    for (std::size_t earlier = 0; earlier < i; ++earlier) {
      const auto& e = c.messages[earlier];
      if (e.to != m.to || e.taken || e.is_no_more || e.by_timer || e.what == content::answer) continue;
      if (model_ == delivery::mailbox || e.from == m.from) return false;
    }
    return true;
  }

  static bool is_pending_first_of(const configuration& c, const sent_message& copy) {
    return std::any_of(c.messages.begin(), c.messages.end(), [&](const sent_message& m) {
      return m.comes_twice && !m.is_copy && !m.taken && !m.is_no_more && m.from == copy.from && m.word == copy.word &&
             m.index == copy.index;
    });
  }

  void go_on(const configuration& c) {
    if (++steps_ > most_) found_.is_too_large = true;
    if (found_.is_too_large) return;
    const auto key = text_of_all(c);
    if (!seen_.insert(key).second) return;
    bool is_end = true;
    for (std::size_t i = 0; i < c.messages.size(); ++i) {
      if (can_be_taken(c, i)) {
        is_end = false;
        take(c, i);
      }
      if (can_be_lost(c, c.messages[i])) {
        auto next = c;
        auto& m = next.messages[i];
        m.is_no_more = true;
        ++next.lost[{m.from, m.to}];
        next.actors[at(m.from)].losses[at(m.word)] += "-" + std::to_string(m.index);
        go_on(next);
      }
      if (can_be_doubled(c, c.messages[i])) go_on(with_copy(c, i));
    }
    for (std::size_t a = 0; a < c.actors.size(); ++a) {
      const auto& who = c.actors[a];
      // One that restarts as it is, and has done nothing, cannot be said to have crashed.
      if (who.is_gone || !may_crash(who) || (t_.keeps && who.words.size() == 1)) continue;
      if (who.words.back().find('!') != std::string::npos) continue;  // the same holds of one that crashes once more
      auto next = c;
      next.actors[a].words.back() += "!";
      next.actors[a].on_disk = next.actors[a].kept;
      crash(next, static_cast<int>(a));
      go_on(next);
    }
    if (is_end) found_.outcomes.insert(text_of(c));
  }

  [[nodiscard]] bool may_crash(const one_actor& who) const {
    return static_cast<std::uint64_t>(who.crashes) < may_happen_.crash;
  }
  [[nodiscard]] bool can_be_lost(const configuration& c, const sent_message& m) const {
    if (m.taken || m.is_no_more || m.by_timer || m.from < 0 || m.from == m.to || m.comes_twice) return false;
    const auto used = c.lost.find({m.from, m.to});
    return (used == c.lost.end() ? 0U : static_cast<std::uint64_t>(used->second)) < may_happen_.lose;
  }

  [[nodiscard]] bool can_be_doubled(const configuration& c, const sent_message& m) const {
    if (m.taken || m.is_no_more || m.by_timer || m.from < 0 || m.from == m.to || m.comes_twice) return false;
    if (m.what == content::answer) return false;
    const auto used = c.doubled.find({m.from, m.to});
    return (used == c.doubled.end() ? 0U : static_cast<std::uint64_t>(used->second)) < may_happen_.duplicate;
  }
  /// The copy stands behind all that was sent in the same step. Nobody waits for an answer to it.
  static configuration with_copy(configuration c, std::size_t i) {
    auto& m = c.messages[i];
    m.comes_twice = true;
    ++c.doubled[{m.from, m.to}];
    c.actors[at(m.from)].losses[at(m.word)] += "+" + std::to_string(m.index);
    auto copy = m;
    copy.is_copy = true;
    auto place = i;
    for (auto other = i; other < c.messages.size(); ++other)
      if (c.messages[other].from == copy.from && c.messages[other].word == copy.word) place = other;
    c.messages.insert(c.messages.begin() + static_cast<std::ptrdiff_t>(place) + 1, copy);
    return c;
  }

  void crash(configuration& c, int a) const {
    auto& who = c.actors[at(a)];
    ++who.crashes;
    who.waits_for = 0;
    who.is_gone = !t_.keeps;
    who.lost = 0;
    who.kept = t_.keeps ? who.on_disk : 0;
    for (auto& m : c.messages)
      if (m.to == a && m.from == a && !m.taken) m.is_no_more = true;  // its timers, and what never left it
  }

  /// Complete, and with a crash before and after each action: of the first message that is taken, or of the one in
  /// which its receiver waited.
  void take(configuration c, std::size_t i) {
    auto m = c.messages[i];
    c.messages[i].taken = true;
    auto& who = c.actors[at(m.to)];
    who.fired += m.by_timer ? 1 : 0;
    who.losses.emplace_back();
    switch (m.what) {
      case content::plain:
        who.words.push_back(" " + std::to_string(m.kind) + std::to_string(m.fuel) + (m.by_timer ? "t" : ""));
        return run(std::move(c), m.to, m.kind, m.fuel, 0);
      case content::question: who.words.emplace_back(" q"); return answer(std::move(c), m);
      case content::answer:
      case content::no_answer:
        who.words.emplace_back(m.what == content::answer ? " r" : " x");
        who.lost += m.what == content::answer ? 1 : 2;
        who.waits_for = 0;
        for (auto& limit : c.messages)
          if (limit.what == content::no_answer && limit.call == m.call && !limit.taken) limit.is_no_more = true;
        return run(std::move(c), m.to, who.kind, who.fuel, who.next);
    }
  }

  void try_crash(const configuration& c, int a, int sends, int syncs, bool has_sent_all) {
    if (!may_crash(c.actors[at(a)])) return;
    if (!t_.keeps && has_sent_all) return;  // it has done all that anybody can see: as after the step
    auto next = c;
    next.actors[at(a)].words.back() += "!" + std::to_string(sends) + "." + std::to_string(t_.keeps ? syncs : 0);
    crash(next, a);
    go_on(next);
  }

  /// Counts that it was asked, and answers if somebody may still wait for that.
  void answer(configuration c, const sent_message& question) {
    const auto a = question.to;
    const bool answers = !question.is_copy;
    try_crash(c, a, 0, 0, !answers);
    ++c.actors[at(a)].lost;
    if (answers) {
      const auto word = static_cast<int>(c.actors[at(a)].words.size()) - 1;
      c.messages.push_back(
          {.from = a, .to = question.from, .word = word, .what = content::answer, .call = question.call});
      try_crash(c, a, 1, 0, true);
    }
    c.actors[at(a)].on_disk = c.actors[at(a)].kept;
    go_on(c);
  }

  void run(configuration c, int a, int kind, int fuel, std::size_t first) {
    int sends = 0;
    int syncs = 0;
    const auto& actions = t_.rules[at(a)][at(kind)];
    const auto all_sends = count_of_sends(c, a, kind, fuel, first);
    try_crash(c, a, sends, syncs, sends == all_sends);
    bool waits = false;
    for (auto x = actions.begin() + static_cast<std::ptrdiff_t>(first); x != actions.end() && !waits; ++x) {
      auto& now = c.actors[at(a)];
      const auto word = static_cast<int>(now.words.size()) - 1;
      if (!applies(*x, now.lost + now.kept)) continue;
      switch (x->what) {
        case verb::send:
          if (fuel > 0)
            c.messages.push_back(
                {.from = a, .to = x->to, .kind = x->kind, .fuel = fuel - 1, .word = word, .index = sends++});
          break;
        case verb::add_lost: ++now.lost; break;
        case verb::add_kept: ++now.kept; break;
        case verb::arm:
          if (fuel > 0)
            c.messages.push_back(
                {.from = a, .to = a, .kind = x->kind, .fuel = fuel - 1, .by_timer = true, .word = word});
          break;
        case verb::cancel:
          for (auto& armed : c.messages)
            if (armed.by_timer && armed.to == a && armed.kind == x->kind && armed.what == content::plain &&
                !armed.taken)
              armed.is_no_more = true;
          break;
        case verb::sync:
          now.on_disk = now.kept;
          ++syncs;
          break;
        case verb::call:
          if (fuel == 0) break;
          waits = true;
          now.waits_for = ++c.calls;
          now.kind = kind;
          now.fuel = fuel;
          now.next = static_cast<std::size_t>(x - actions.begin()) + 1;
          c.messages.push_back(
              {.from = a, .to = x->to, .word = word, .index = sends++, .what = content::question, .call = c.calls});
          c.messages.push_back(
              {.from = a, .to = a, .by_timer = true, .word = word, .what = content::no_answer, .call = c.calls});
          break;
      }
      try_crash(c, a, sends, syncs, sends == all_sends);
    }
    c.actors[at(a)].on_disk = c.actors[at(a)].kept;
    go_on(c);
  }

  /// In this step: until it ends, or waits.
  [[nodiscard]] int count_of_sends(const configuration& c, int a, int kind, int fuel, std::size_t first) const {
    int sends = 0;
    auto who = c.actors[at(a)];
    const auto& actions = t_.rules[at(a)][at(kind)];
    for (auto x = actions.begin() + static_cast<std::ptrdiff_t>(first); x != actions.end(); ++x) {
      if (!applies(*x, who.lost + who.kept)) continue;
      sends += (x->what == verb::send || x->what == verb::call) && fuel > 0 ? 1 : 0;
      if (x->what == verb::call && fuel > 0) break;
      who.lost += x->what == verb::add_lost ? 1 : 0;
      who.kept += x->what == verb::add_kept ? 1 : 0;
    }
    return sends;
  }

  static outcome text_of(const configuration& c) {
    outcome all;
    for (const auto& a : c.actors) {
      all += "[";
      for (std::size_t w = 0; w < a.words.size(); ++w) {
        const auto crashed = a.words[w].find('!');
        all += a.words[w].substr(0, crashed) + sorted(a.losses[w]);
        if (crashed != std::string::npos) all += a.words[w].substr(crashed);
      }
      all += "]";
    }
    return all;
  }
  /// `-1+0` as `+0-1`.
  static std::string sorted(const std::string& losses) {
    std::vector<std::string> each;
    for (std::size_t i = 0; i + 1 < losses.size(); i += 2) each.push_back(losses.substr(i, 2));
    std::sort(each.begin(), each.end(), [](const auto& x, const auto& y) { return x[1] < y[1]; });
    std::string all;
    for (const auto& x : each) all += x;
    return all;
  }
  static std::string text_of_all(const configuration& c) {
    auto all = text_of(c);
    for (const auto& m : c.messages)
      all += std::to_string(m.from) + "." + std::to_string(m.word) + std::to_string(m.to) + std::to_string(m.kind) +
             std::to_string(m.fuel) + (m.by_timer ? "t" : "") + (m.is_copy ? "+" : "") +
             (m.what == content::plain ? "" : "c" + std::to_string(m.call)) +
             (m.taken        ? "x"
              : m.is_no_more ? "n"
                             : "p") +
             ",";
    for (const auto& a : c.actors) all += "/" + std::to_string(a.on_disk);
    return all;
  }

  const tables& t_;
  delivery model_;
  faults may_happen_;
  std::size_t most_;
  std::size_t steps_ = 0;
  std::set<std::string> seen_;
  by_definition found_;
};

}  // namespace

by_definition everything(const tables& t, delivery model, const faults& may_happen, std::size_t most_steps) {
  return enumeration(t, model, may_happen, most_steps).run();
}

}  // namespace harrier::befallen
