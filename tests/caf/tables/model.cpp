// CAF as a transition system, to be read beside its sources: of CAF 0.17 scheduled_actor::consume, ::cleanup,
// drr_cached_queue, monitorable_actor::attach and ::cleanup, sync_request_bouncer; of CAF 1.1 scheduled_actor::resume,
// ::on_cleanup and ::close_mailbox, detail::default_mailbox, abstract_actor::attach and ::cleanup. A step is the
// smallest thing that others can come between: one message put into one mailbox, one message taken.
#include <algorithm>
#include <deque>
#include <unordered_set>
#include <utility>

#include "tables.hpp"

namespace caf_tables {
namespace {

std::size_t at(int i) { return static_cast<std::size_t>(i); }

struct letter {
  enum class what : std::uint8_t { told, asked, answer, failure, down };
  what is;
  bool is_urgent = false;
  int kind = 0;
  int tag = 0;  // of an answer: which; of a down message: whose
  int fuel = 0;
  int asker = 0;  // who gets the answer
  int id = 0;     // of the request, to that one
};

/// What an actor has still to do in its handler, or as it ends.
struct to_do {
  enum class what : std::uint8_t { acts, answers, delegates, closes, bounces, ends, tells_its_end };  // ends: is gone
  what is;
  action does = {};
  int fuel = 0;
  letter of = {};  // the request; or to whom
};

struct request {
  int id;
  int fuel;
};

struct actor {
  int state = 0;
  bool is_open = true;  // its mailbox
  bool has_ended = false;
  int requests = 0;
  std::vector<letter> mailbox;        // as they came
  std::deque<letter> urgent, normal;  // what it has fetched from there
  std::vector<letter> skipped;        // of CAF 1: and tried since it took something
  std::vector<request> awaited, open;
  std::vector<int> watched_by;
  std::deque<to_do> todo;
  std::string heard;
};

struct configuration {
  std::vector<actor> actors;  // the last one is main
};

class model {
public:
  model(const tables& of, version of_caf, std::size_t most) : of_(of), is_1_(of_caf == version::caf_1), most_(most) {}

  std::optional<std::set<std::string>> run() {
    configuration first;
    first.actors.resize(of_.actors.size() + 1);
    for (const auto& a : of_.kick_off) first.actors.back().todo.push_back({to_do::what::acts, a, of_.fuel + 1, {}});
    visit(std::move(first));
    while (!waiting_.empty()) {
      if (seen_.size() > most_) return {};
      const auto now = std::move(waiting_.back());
      waiting_.pop_back();
      expand(now);
    }
    return std::move(outcomes_);
  }

private:
  void expand(const configuration& now) {
    bool any = false;
    for (std::size_t a = 0; a < now.actors.size(); ++a) {
      if (!now.actors[a].todo.empty()) {
        auto next = now;
        go_on(next, a);
        visit(std::move(next));
        any = true;
        continue;
      }
      if (is_1_ && has_mail(now.actors[a])) {
        auto next = now;
        try_next(next, a);
        visit(std::move(next));
        any = true;
      }
      if (is_1_) continue;
      for (const bool fetches : {false, true}) {
        auto next = now;
        if (fetches) fetch(next.actors[a]);
        if (!take_next(next, a)) continue;
        visit(std::move(next));
        any = true;
      }
    }
    if (any) return;
    std::vector<std::string> heard;
    for (std::size_t a = 0; a < of_.actors.size(); ++a) heard.push_back(now.actors[a].heard);
    outcomes_.insert(to_text(heard));
  }

  void visit(configuration next) {
    if (seen_.insert(bytes_of(next)).second) waiting_.push_back(std::move(next));
  }

  // --- Taking

  [[nodiscard]] bool accepts(const actor& x, std::size_t a, const letter& m) const {
    if (!x.awaited.empty())
      return (m.is == letter::what::answer || m.is == letter::what::failure) && m.id == x.awaited.back().id;
    if (m.is != letter::what::told && m.is != letter::what::asked) return true;
    return !of_.actors[a].rules[at(m.kind)][at(x.state)].skips;
  }

  static void fetch(actor& x) {
    for (const auto& m : x.mailbox) (m.is_urgent ? x.urgent : x.normal).push_back(m);
    x.mailbox.clear();
  }

  /// CAF 0.17 leaves what it skips where it is.
  [[nodiscard]] bool take_next(configuration& c, std::size_t a) const {
    auto& x = c.actors[a];
    if (!x.is_open || a == of_.actors.size()) return false;
    for (auto* const from : {&x.urgent, &x.normal}) {
      const auto next = std::find_if(from->begin(), from->end(), [&](const letter& m) { return accepts(x, a, m); });
      if (next == from->end()) continue;
      const auto m = *next;
      from->erase(next);
      take(c, a, m);
      return true;
    }
    return false;
  }

  // Of CAF 1.

  static bool has_mail(const actor& x) {
    return x.is_open && !x.has_ended && (!x.mailbox.empty() || !x.urgent.empty() || !x.normal.empty());
  }

  void try_next(configuration& c, std::size_t a) const {
    auto& x = c.actors[a];
    if (x.urgent.empty() && x.normal.empty()) fetch(x);
    auto& from = !x.urgent.empty() ? x.urgent : x.normal;
    const auto m = from.front();
    from.pop_front();
    if (!accepts(x, a, m)) return x.skipped.push_back(m);
    take(c, a, m);
    if (std::any_of(x.todo.begin(), x.todo.end(), [](const to_do& t) { return t.is == to_do::what::ends; })) return;
    for (; !x.skipped.empty(); x.skipped.pop_back())
      (x.skipped.back().is_urgent ? x.urgent : x.normal).push_front(x.skipped.back());
  }

  void take(configuration& c, std::size_t a, const letter& m) const {
    auto& x = c.actors[a];
    switch (m.is) {
      case letter::what::told:
      case letter::what::asked: {
        const auto& r = of_.actors[a].rules[at(m.kind)][at(x.state)];
        hears(x, message_as_heard(m.kind, m.tag));
        act(x, r.does, m.fuel);
        if (m.is == letter::what::asked)
          x.todo.push_back({r.delegates_to >= 0 ? to_do::what::delegates : to_do::what::answers,
                            {.what = verb::tell, .to = r.delegates_to, .tag = r.answer},
                            m.fuel,
                            m});
        end_if_asked(x, r.does);
        return;
      }
      case letter::what::answer:
      case letter::what::failure: {
        auto& among = !x.awaited.empty() ? x.awaited : x.open;
        const auto it = std::find_if(among.begin(), among.end(), [&](const request& r) { return r.id == m.id; });
        if (it == among.end()) return;
        const auto fuel = it->fuel;
        among.erase(it);
        hears(x, m.is == letter::what::answer ? answer_as_heard(m.tag) : failure_as_heard());
        act(x, of_.actors[a].on_answer, fuel);
        return end_if_asked(x, of_.actors[a].on_answer);
      }
      case letter::what::down:
        hears(x, down_as_heard(m.tag));
        act(x, of_.actors[a].on_down, 1);
        return end_if_asked(x, of_.actors[a].on_down);
    }
  }

  static void hears(actor& x, const std::string& what) { x.heard += " " + what; }

  static void act(actor& x, const std::vector<action>& all, int fuel) {
    for (const auto& a : all)
      if (a.what != verb::quit) x.todo.push_back({to_do::what::acts, a, fuel, {}});
  }
  void end_if_asked(actor& x, const std::vector<action>& all) const {
    if (!all.empty() && all.back().what == verb::quit)
      x.todo.push_back({is_1_ ? to_do::what::ends : to_do::what::closes, {}, 0, {}});
  }

  // --- Doing

  void go_on(configuration& c, std::size_t a) const {
    auto& x = c.actors[a];
    const auto next = x.todo.front();
    x.todo.pop_front();
    switch (next.is) {
      case to_do::what::acts: return perform(c, a, next.does, next.fuel);
      case to_do::what::answers:
        return put(c, next.of.asker, {.is = letter::what::answer, .tag = next.does.tag, .id = next.of.id});
      case to_do::what::delegates: {
        auto m = next.of;
        m.fuel = std::max(next.fuel - 1, 0);
        return put(c, next.does.to, m);
      }
      case to_do::what::closes: return is_1_ ? close_1(x) : close(x);
      case to_do::what::bounces: return fail(c, next.of);
      case to_do::what::ends: {
        x.has_ended = true;
        // The last that came to watch is told first.
        for (auto who = x.watched_by.rbegin(); who != x.watched_by.rend(); ++who)
          x.todo.push_back({to_do::what::tells_its_end, {.what = verb::tell, .to = *who}, 0, {}});
        x.watched_by.clear();
        if (is_1_) throw_away(x);
        return;
      }
      case to_do::what::tells_its_end:
        return put(c, next.does.to, {.is = letter::what::down, .tag = static_cast<int>(a)});
    }
  }

  static void close(actor& x) {
    x.is_open = false;
    x.awaited.clear();
    x.open.clear();
    fetch(x);
    for (auto* const from : {&x.urgent, &x.normal}) {
      for (const auto& m : *from)
        if (m.is == letter::what::asked) x.todo.push_back({to_do::what::bounces, {}, 0, m});
      from->clear();
    }
    x.todo.push_back({to_do::what::ends, {}, 0, {}});
  }

  /// After word of its end: what it has tried and what it has fetched; others may still put something into its mailbox.
  static void throw_away(actor& x) {
    x.awaited.clear();
    x.open.clear();
    const auto bounce = [&x](const letter& m) {
      if (m.is == letter::what::asked) x.todo.push_back({to_do::what::bounces, {}, 0, m});
    };
    std::for_each(x.skipped.rbegin(), x.skipped.rend(), bounce);
    std::for_each(x.urgent.begin(), x.urgent.end(), bounce);
    std::for_each(x.normal.begin(), x.normal.end(), bounce);
    x.skipped.clear(), x.urgent.clear(), x.normal.clear();
    x.todo.push_back({to_do::what::closes, {}, 0, {}});
  }
  static void close_1(actor& x) {
    x.is_open = false;
    for (auto m = x.mailbox.rbegin(); m != x.mailbox.rend(); ++m)
      if (m->is == letter::what::asked) x.todo.push_back({to_do::what::bounces, {}, 0, *m});
    x.mailbox.clear();
  }

  void perform(configuration& c, std::size_t a, const action& does, int fuel) const {
    auto& x = c.actors[a];
    switch (does.what) {
      case verb::become: x.state = does.to; return;
      case verb::watch:
        if (fuel <= 0) return;
        if (c.actors[at(does.to)].has_ended)
          return put(c, static_cast<int>(a), {.is = letter::what::down, .tag = does.to});
        return c.actors[at(does.to)].watched_by.push_back(static_cast<int>(a));
      case verb::quit: return;
      case verb::tell:
      case verb::tell_urgently:
        if (fuel > 0)
          put(c, does.to,
              {.is = letter::what::told,
               .is_urgent = does.what == verb::tell_urgently,
               .kind = does.kind,
               .tag = does.tag,
               .fuel = fuel - 1});
        return;
      case verb::ask:
      case verb::await:
        if (fuel <= 0) return;
        const auto id = ++x.requests;
        (does.what == verb::await ? x.awaited : x.open).push_back({id, fuel - 1});
        put(c, does.to,
            {.is = letter::what::asked,
             .kind = does.kind,
             .tag = does.tag,
             .fuel = fuel - 1,
             .asker = static_cast<int>(a),
             .id = id});
        return;
    }
  }

  static void put(configuration& c, int to, const letter& m) {
    auto& x = c.actors[at(to)];
    if (x.is_open) return x.mailbox.push_back(m);
    if (m.is == letter::what::asked) fail(c, m);
  }
  static void fail(configuration& c, const letter& m) { put(c, m.asker, {.is = letter::what::failure, .id = m.id}); }

  // --- To tell configurations apart

  static std::string bytes_of(const configuration& c) {
    std::string all;
    const auto add = [&all](int n) { all += static_cast<char>(n + 1); };
    const auto add_letter = [&](const letter& m) {
      for (const int n : {static_cast<int>(m.is), static_cast<int>(m.is_urgent), m.kind, m.tag, m.fuel, m.asker, m.id})
        add(n);
    };
    for (const auto& x : c.actors) {
      for (const int n : {x.state, static_cast<int>(x.is_open), static_cast<int>(x.has_ended), x.requests}) add(n);
      all += x.heard + '\0';
      const auto add_letters = [&](const auto& letters) {
        add(static_cast<int>(letters.size()));
        for (const auto& m : letters) add_letter(m);
      };
      add_letters(x.mailbox), add_letters(x.urgent), add_letters(x.normal), add_letters(x.skipped);
      for (const auto* requests : {&x.awaited, &x.open}) {
        add(static_cast<int>(requests->size()));
        for (const auto& r : *requests) add(r.id), add(r.fuel);
      }
      add(static_cast<int>(x.watched_by.size()));
      for (const auto who : x.watched_by) add(who);
      add(static_cast<int>(x.todo.size()));
      for (const auto& t : x.todo) {
        for (const int n :
             {static_cast<int>(t.is), static_cast<int>(t.does.what), t.does.to, t.does.kind, t.does.tag, t.fuel})
          add(n);
        add_letter(t.of);
      }
    }
    return all;
  }

  const tables& of_;
  const bool is_1_;
  const std::size_t most_;
  std::unordered_set<std::string> seen_;
  std::vector<configuration> waiting_;
  std::set<std::string> outcomes_;
};

}  // namespace

std::optional<std::set<std::string>> outcomes_by_model(const tables& of, version of_caf, std::size_t most_states) {
  return model(of, of_caf, most_states).run();
}

}  // namespace caf_tables
