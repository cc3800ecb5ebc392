#include "states.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <exception>
#include <map>
#include <memory>

#include <harrier/core/error.hpp>
#include <harrier/native/world.hpp>
#include <harrier/replay/ends.hpp>

#include <src/native/suspended.hpp>

namespace harrier::differential {
namespace {

/// Texts of a system with the names of actors, which count creations, replaced by causal ones.
class renamed {
public:
  explicit renamed(const system& s) : system_(s) {
    for (actor_slot a = 0; a < s.actor_count(); ++a) names_[s.actor_name(a)] = actor(a);
  }

  [[nodiscard]] std::string actor(actor_slot a) const {
    const auto& x = system_.actor_at(a);
    return fmt::format("{}#{}", x.type->name(), static_cast<std::uint32_t>(x.id));
  }
  [[nodiscard]] std::string state(actor_slot a) const { return in_names(system_.state_text(a)); }
  [[nodiscard]] std::string state(actor_slot a, const void* of) const {
    return in_names(system_.actor_at(a).type->describe(system_, of));
  }

  [[nodiscard]] std::string message(message_slot m) const {
    const auto& x = system_.message_at(m);
    auto text = fmt::format("{}: {}", actor(x.receiver), in_names(system_.message_text(m)));
    if (x.kind == message::role::request) text += " for " + actor(x.answers - 1);
    if (x.kind == message::role::reply) text += " in reply";
    return text;
  }

private:
  [[nodiscard]] std::string in_names(const std::string& text) const {
    std::string result, word;
    const auto flush = [&] {
      const auto known = names_.find(word);
      result += known != names_.end() ? known->second : word;
      word.clear();
    };
    for (const auto c : text) {
      if (std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_') {
        word += c;
        continue;
      }
      flush();
      result += c;
    }
    flush();
    return result;
  }

  const system& system_;
  std::map<std::string, std::string> names_;
};

/// What a blocked handler goes on with: `then` with the actor's state, a coroutine with all that it has got.
std::string text_of_activity(const system& s, const renamed& in, actor_slot a) {
  const auto& x = s.actor_at(a);
  const auto& by = *static_cast<const detail::activity*>(x.activity);
  if (by.handler == nullptr) return by.on_error != nullptr ? " waiting, or failing" : " waiting";
  std::string text = " waiting after";
  for (auto i = x.last_step; i != no_step; i = s.step_at(i).previous) {
    const auto& step = s.step_at(i);
    text += fmt::format(" [{} drawing {}", in.message(step.message), step.code);
    for (auto c = step.first_created; c < s.created_end(i); ++c) text += " creating " + in.actor(c);
    text += "]";
    if (step.mode_before == actor::mode::waiting) continue;
    return text + " from " + in.state(a, step.state_before != nullptr ? step.state_before : x.state);
  }
  return text;
}

std::string joined(const std::vector<std::string>& lines) { return fmt::format("{}", fmt::join(lines, "\n")); }

/// Goes everywhere, and notes what there is.
class walk final : public observer {
public:
  walk(const program& tested, bool past_aborts, std::uint64_t most_deliveries)
      : system_(tested.start()), most_(most_deliveries) {
    system_->watch().observe(this);
    system_->go_on_after_abort(past_aborts);
  }

  void step_flagged(system& s) override;
  void poll(system&) override {}
  void execution_ended(system& s) override;
  void execution_blocked(system&) override {}

  reached everything(bool each_once, comparing how) {
    reached_.complete = follow(each_once, how);
    return std::move(reached_);
  }

private:
  struct place {
    std::string text;
    message_slot message;
    std::uint64_t code;
  };

  bool follow(bool each_once, comparing how) {
    auto& r = reached_;
    std::set<std::string> been;
    std::map<std::string, bool> aborted;
    std::vector<place> path;
    for (;;) {
      auto text = text_of_state(*system_, how);
      r.states.insert(text);
      r.ambiguous = r.ambiguous || aborted.try_emplace(text, system_->aborted()).first->second != system_->aborted();
      auto next = system_->first_deliverable();
      if (next == no_message) {
        ++r.ends;
        r.final_states.insert(text);
        execution_ended(*system_);
      }
      if (each_once && !been.insert((system_->aborted() ? "!" : "") + text).second) next = no_message;
      path.push_back({std::move(text), next, 0});
      while (path.back().message == no_message) {
        path.pop_back();
        if (path.empty()) return true;
        auto& p = path.back();
        p.code = system_->next_code();
        system_->undo();
        if (p.code == 0) p.message = system_->next_deliverable(p.message);
      }
      const auto& p = path.back();
      const bool is_new =
          r.steps.insert(p.text + "\n-> " + renamed(*system_).message(p.message) + fmt::format(" drawing {}", p.code))
              .second;
      r.twins = r.twins || (each_once && !is_new);
      if (system_->watch().deliveries() >= most_) return false;
      system_->deliver(p.message, p.code);
      const auto last = system_->step_count() - 1;
      r.aborts = r.aborts || system_->step_at(last).aborted;
      r.draws = r.draws || !system_->choices_of(last).empty();
      r.creates = r.creates || system_->created_end(last) != system_->step_at(last).first_created;
    }
  }

  system_handle system_;
  std::uint64_t most_;
  reached reached_;
};

/// Findings by what they are of: kind, text, class; the same wherever they happen.
void note_step(const system& s, std::set<std::string>& findings) {
  const auto receiver = s.step_at(s.step_count() - 1).receiver;
  for (const auto& r : s.records_of_last_step())
    findings.insert(fmt::format("{} '{}' in {}", to_string(r.kind), r.message, s.actor_at(receiver).type->name()));
}

void note_end(const system& s, std::set<std::string>& findings) {
  if (s.aborted()) return;
  const auto class_of = [&](actor_slot a) { return s.actor_at(a).type->name(); };
  const auto end = look_at_end(s, {});
  std::vector<std::string> stuck;
  for (const auto a : end.stuck) stuck.push_back(class_of(a));
  std::sort(stuck.begin(), stuck.end());
  if (!stuck.empty()) findings.insert(fmt::format("deadlock of {}", fmt::join(stuck, ", ")));
  for (const auto m : end.undelivered) {
    const auto text = s.message_text(m);
    findings.insert(
        fmt::format("undelivered {}.{}", class_of(s.message_at(m).receiver), text.substr(0, text.find('('))));
  }
}

void walk::step_flagged(system& s) { note_step(s, reached_.findings); }
void walk::execution_ended(system& s) { note_end(s, reached_.findings); }

class collector final : public observer {
public:
  collector(searched& into, std::uint64_t most_deliveries) : into_(into), most_(most_deliveries) {}

  void step_flagged(system& s) override { note_step(s, into_.findings); }
  void poll(system& s) override { give_up_if_too_large(s); }
  void execution_ended(system& s) override {
    ++into_.executions;
    note_end(s, into_.findings);
    give_up_if_too_large(s);
  }
  void execution_blocked(system& s) override { give_up_if_too_large(s); }

private:
  void give_up_if_too_large(const system& s) {
    if (s.watch().deliveries() <= most_) return;
    into_.how_it_ended = verdict::too_large;
    stopping_ = true;
  }

  searched& into_;
  std::uint64_t most_;
};

/// Compares one way of searching with what there is.
class judge {
public:
  judge(std::vector<std::string>& lines, std::string name) : lines_(lines), name_(std::move(name)) {}

  bool ended(const searched& found) {
    if (found.how_it_ended == verdict::derailed) say("went wrong: " + found.why);
    if (found.how_it_ended == verdict::too_large) say("explored far more than there is");
    return found.how_it_ended == verdict::complete;
  }
  void equal(const char* what, std::uint64_t there, std::uint64_t found) {
    if (there != found) say(fmt::format("{} {}, not {}", found, what, there));
  }
  void at_most(const char* what, std::uint64_t most, std::uint64_t found) {
    if (found > most) say(fmt::format("{} {}, more than {}", found, what, most));
  }
  void findings(const std::set<std::string>& there, const std::set<std::string>& found) {
    for (const auto& f : there)
      if (!found.contains(f)) say("lost: " + f);
    for (const auto& f : found)
      if (!there.contains(f)) say("cannot be: " + f);
  }

private:
  void say(const std::string& what) { lines_.push_back(name_ + ": " + what); }

  std::vector<std::string>& lines_;
  std::string name_;
};

}  // namespace

std::string text_of_state(const system& s, comparing how) {
  const renamed in(s);
  std::vector<std::string> actors;
  for (actor_slot a = 0; a < s.actor_count(); ++a) {
    const auto& x = s.actor_at(a);
    if (x.state_of_life == actor::mode::gone) continue;
    const auto activity = x.state_of_life == actor::mode::waiting ? text_of_activity(s, in, a) : std::string();
    actors.push_back(in.actor(a) + " " + in.state(a) + activity);
  }
  std::vector<std::string> pending;
  for (auto m = s.first_pending(); m != no_message; m = s.next_pending(m))
    if (!s.message_at(m).dead) pending.push_back(in.message(m));
  std::sort(actors.begin(), actors.end());
  const auto receiver = [](const std::string& text) { return text.substr(0, text.find(':')); };
  if (how == comparing::multisets)
    std::sort(pending.begin(), pending.end());
  else
    std::stable_sort(pending.begin(), pending.end(),
                     [&](const auto& a, const auto& b) { return receiver(a) < receiver(b); });
  return joined(actors) + "\npending\n" + joined(pending);
}

reached reach_by_every_order(const program& tested, bool past_aborts, std::uint64_t most_deliveries) {
  return walk(tested, past_aborts, most_deliveries).everything(false, comparing::multisets);
}

reached reach_once(const program& tested, bool past_aborts, comparing how, std::uint64_t most_deliveries) {
  return walk(tested, past_aborts, most_deliveries).everything(true, how);
}

searched search_states(const program& tested, states_search search, const stateful_options& how,
                       std::uint64_t most_deliveries) {
  searched result;
  collector watcher(result, most_deliveries);
  const auto s = tested.start();
  s->watch().observe(&watcher);
  s->watch().check_determinism(repetition::off);
  try {
    search_context context{*s, watcher};
    search(context, how, result.report);
  } catch (const derailed& e) {
    result.how_it_ended = verdict::derailed;
    result.why = e.why;
  } catch (const std::exception& e) {
    result.how_it_ended = verdict::derailed;
    result.why = e.what();
  }
  result.transitions = s->watch().deliveries();
  return result;
}

std::vector<std::string> state_differences(const program& tested, states_search search, std::uint64_t most_deliveries) {
  constexpr std::uint64_t longest_fold = 1000;
  std::vector<std::string> lines;
  const auto there = reach_once(tested, false, comparing::multisets, most_deliveries);
  if (!there.complete) return lines;
  const auto run = [&](state_comparison compared, step_size steps, bool sleep_sets) {
    stateful_options how;
    how.comparison = compared;
    how.steps = steps;
    how.sleep_sets = sleep_sets;
    return search_states(tested, search, how, most_deliveries * (steps == step_size::big ? longest_fold : 4));
  };

  judge plain(lines, "without sleep sets");
  const auto found = run(state_comparison::exact, step_size::little, false);
  if (plain.ended(found)) {
    plain.findings(there.findings, found.findings);
    if (there.countable()) {
      plain.equal("states", there.states.size(), found.report.states);
      plain.equal("final states", there.final_states.size(), found.report.final_states);
      plain.equal("deliveries", there.steps.size(), found.transitions);
    }
  }

  judge nearest(lines, "nearest first");
  stateful_options by_breadth;
  by_breadth.search = search_order::breadth_first;
  by_breadth.sleep_sets = false;
  const auto by_levels = search_states(tested, search, by_breadth, 100 * most_deliveries);
  if (nearest.ended(by_levels)) {
    nearest.findings(there.findings, by_levels.findings);
    if (there.countable()) nearest.equal("states", there.states.size(), by_levels.report.states);
  }

  judge whole(lines, "remembered whole");
  stateful_options exactly;
  exactly.visited = visited_states::exact;
  exactly.sleep_sets = false;
  const auto remembered = search_states(tested, search, exactly, 4 * most_deliveries);
  if (whole.ended(remembered)) {
    whole.findings(there.findings, remembered.findings);
    if (there.countable()) whole.equal("states", there.states.size(), remembered.report.states);
  }

  judge asleep(lines, "with sleep sets");
  const auto reduced = run(state_comparison::exact, step_size::little, true);
  const auto past_aborts = there.aborts ? reach_once(tested, true, comparing::multisets, 4 * most_deliveries) : there;
  if (past_aborts.complete && asleep.ended(reduced)) {
    asleep.findings(there.findings, reduced.findings);
    if (past_aborts.countable()) {
      asleep.equal("states", past_aborts.states.size(), reduced.report.states);
      asleep.equal("final states", past_aborts.final_states.size(), reduced.report.final_states);
      asleep.at_most("deliveries", past_aborts.steps.size(), reduced.transitions);
    }
  }

  // A run of steps without a choice of messages may be a thousand steps long before it is seen to be a circle, and as
  // many values may be drawn in it: then nothing is said about how long it takes.
  judge big(lines, "in big steps");
  const auto folded = run(state_comparison::exact, step_size::big, false);
  const bool too_long = there.draws && folded.how_it_ended == verdict::too_large;
  if (!too_long && big.ended(folded)) {
    big.findings(there.findings, folded.findings);
    if (there.countable()) {
      big.equal("final states", there.final_states.size(), folded.report.final_states);
      big.at_most("states", there.states.size(), folded.report.states);
    }
  }

  judge measured(lines, "as measured");
  const auto as_measured = run(state_comparison::as_measured, step_size::little, false);
  const auto ordered = reach_once(tested, false, comparing::sequences, most_deliveries);
  if (ordered.complete && measured.ended(as_measured)) {
    measured.findings(there.findings, as_measured.findings);
    if (ordered.countable()) {
      measured.equal("states that are not final", ordered.states.size() - ordered.final_states.size(),
                     as_measured.report.states - as_measured.report.final_states);
      measured.equal("executions", ordered.ends, as_measured.executions);
    }
  }
  return lines;
}

}  // namespace harrier::differential
