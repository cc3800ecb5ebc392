#include "why.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include <harrier/core/dependence.hpp>
#include <harrier/core/happens_before.hpp>
#include <harrier/core/printable.hpp>
#include <harrier/explain/explain.hpp>
#include <harrier/replay/ends.hpp>

#include "../core/base/state_text.hpp"
#include "../core/finding_origin.hpp"
#include "follower.hpp"
#include "limits.hpp"
#include "tally.hpp"
#include "who_waits.hpp"

namespace harrier {
namespace {

constexpr std::size_t longest = 2'000;            // deliveries of a schedule
constexpr std::size_t most_deliveries = 100'000;  // in all changes together
constexpr std::size_t most_beyond = 1'000;        // deliveries of an execution beyond twice the schedule's
constexpr std::uint64_t most_values = 16;         // tried of one draw

bool is_lethal(const finding& f) { return origin_of(f.kind) == finding_origin::the_process; }

/// What could be otherwise in an execution.
struct change {
  enum class of { fault, timer, order, draw };
  of what;
  /// The step that is another, or comes later; no_step: the delivery that kills the process.
  step_index at;
  /// Of an order: the message that comes first instead. It was taken in step `instead_at`; no_step: it was not taken.
  message_slot instead = no_message;
  step_index instead_at = no_step;
  /// Of a fault: which of the step's fates.
  std::size_t fate = 0;
  /// Of a draw: what the step draws instead.
  std::uint64_t code = 0;
};

/// What is to be delivered: what the failing execution took in a step, or a message that it did not take.
struct wanted {
  step_index like;
  message_slot message = no_message;
};

/// The execution that leads to the finding, with all that could be otherwise in it.
class failing_execution {
public:
  failing_execution(const program& tested, const options& how, const finding& found)
      : system_(tested.start(how.search.delivery)), depends_(*system_), order_(*system_) {
    system_->limit_depth(how.limits.max_depth);
    auto planned = found.schedule;
    if (is_lethal(found) && !found.actor.empty() && !planned.empty()) {
      last_ = planned.back();  // it cannot be run
      planned.pop_back();
    }
    system_->go_on_after_abort(true);
    for (const auto& next : planned) {
      system_->run({next});
      order_.push(depends_);
    }
    end_ = static_cast<step_index>(system_->step_count());
    is_in_step_ = last_.has_value() || is_found_in_last_step(found);
    is_about_convergence_ = !is_in_step_ && found.actor.empty() && system_->is_out_of_timeouts();
  }

  [[nodiscard]] const system& end() const { return *system_; }
  [[nodiscard]] step_index first() const { return static_cast<step_index>(system_->setup_steps()); }
  /// Whether step `i` is one of the schedule.
  [[nodiscard]] bool leads_to_finding(step_index i) const { return i < end_; }
  /// In which it was found; no_step: at an end, or in a delivery that kills the process.
  [[nodiscard]] step_index failing_step() const { return is_in_step_ && !last_ ? end_ - 1 : no_step; }
  /// The last delivery, which kills the process.
  [[nodiscard]] message_slot lethal() const { return last_ ? last_->message : no_message; }

  /// What could be otherwise: the most telling first.
  [[nodiscard]] std::vector<change> changes() {
    std::vector<change> all;
    add_faults(all);
    std::vector<change> some;
    add_orders_of_steps(first(), some);
    add_orders_with_pending(1, some);
    add_timers(some);  // what a timer raced with says more than that it fired
    append_latest_first(std::move(some), all);
    add_draws(all);
    return all;
  }

  /// What comes after the schedule could come before a part of it, too. The execution is run on for that.
  /// @return what could be otherwise and was not known to changes()
  [[nodiscard]] std::vector<change> changes_beyond() {
    const auto known = static_cast<message_slot>(system_->message_count());
    for (std::size_t i = 0; i < most_beyond && run_on(); ++i) {}
    std::vector<change> all;
    add_orders_of_steps(end_, all);
    add_orders_with_pending(known + 1, all);
    add_draws(all);
    sort_latest_first(all);
    has_one_order_ = all.empty() && next_beyond() == no_message && !system_->truncated();
    std::erase_if(all, [&](const change& c) {
      return c.what != change::of::order || c.instead <= known || (c.at != no_step && !leads_to_finding(c.at));
    });
    return all;
  }
  /// Whether another execution that the budget of timers cuts can tell: it was found before an end, or it is something
  /// that does not converge, which was asked of such an end.
  [[nodiscard]] bool is_known_where_timers_end() const { return is_in_step_ || is_about_convergence_; }
  [[nodiscard]] bool is_about_convergence() const { return is_about_convergence_; }
  /// Whether changes_beyond() has looked at all that can come after the schedule.
  [[nodiscard]] bool is_at_its_end() const { return next_beyond() == no_message && !system_->truncated(); }
  /// Whether nothing at all could be otherwise, also beyond the schedule, as changes_beyond() has seen.
  [[nodiscard]] bool has_one_order() const { return has_one_order_; }

  /// The deliveries of the execution with that change, as far as they can be made.
  [[nodiscard]] std::vector<wanted> with(const change& c) const {
    std::vector<wanted> all;
    if (c.what == change::of::order)
      put_first(c, all);
    else
      for (auto i = first(); i < end_; ++i)
        if (c.what != change::of::timer || i != c.at) all.push_back({i});
    if (last_ && c.instead != last_->message) all.push_back({no_step, last_->message});
    return all;
  }

private:
  [[nodiscard]] bool is_found_in_last_step(const finding& found) const {
    if (system_->depth() == 0 || !system_->step_at(system_->last_step()).flagged) return false;
    const auto records = system_->records_of_last_step();
    return std::any_of(records.begin(), records.end(),
                       [&](const record& r) { return r.kind == found.kind && r.message == found.message; });
  }
  [[nodiscard]] message_slot next_beyond() const {
    message_slot timer = no_message;
    for (auto m = system_->first_deliverable(); m != no_message; m = system_->next_deliverable(m)) {
      if (m == lethal()) continue;
      if (system_->message_at(m).makes != step_kind::timeout) return m;
      if (timer == no_message) timer = m;
    }
    return timer;
  }
  bool run_on() {
    const auto m = next_beyond();
    if (m == no_message) return false;
    system_->deliver(m);
    order_.push(depends_);
    return true;
  }

  void add_faults(std::vector<change>& all) const {
    for (auto i = system_->last_step(); system_->is_explored(i); --i) {
      const auto fates = system_->fates_of(i);
      for (std::size_t f = 0; f < fates.size(); ++f)
        if (is_fault(fates[f])) all.push_back({.what = change::of::fault, .at = i, .fate = f});
    }
  }
  void add_timers(std::vector<change>& all) const {
    for (auto i = system_->last_step(); system_->is_explored(i); --i)
      if (system_->step_at(i).kind == step_kind::timeout) all.push_back({.what = change::of::timer, .at = i});
  }

  /// Those that part last come first; no_step, the delivery that kills the process, is the last one.
  static void sort_latest_first(std::vector<change>& all) {
    std::stable_sort(all.begin(), all.end(), [](const change& a, const change& b) { return a.at > b.at; });
  }
  static void append_latest_first(std::vector<change> some, std::vector<change>& all) {
    sort_latest_first(some);
    all.insert(all.end(), some.begin(), some.end());
  }

  void add_orders_of_steps(step_index from, std::vector<change>& some) {
    for (auto f = from; f < system_->step_count(); ++f) {
      const auto m = system_->step_at(f).message;
      if (f >= end_ && is_to_victim(m))
        some.push_back({.what = change::of::order, .at = no_step, .instead = m, .instead_at = f});
      add_orders(m, f, system_->step_at(f).previous, some);
      depends_.for_each_late_race(order_, f, [&](step_index e) {
        some.push_back({.what = change::of::order, .at = e, .instead = m, .instead_at = f});
      });
    }
    if (last_ && from == first()) add_orders(last_->message, no_step, latest_of_receiver(last_->message), some);
  }
  void add_orders_with_pending(message_slot from, std::vector<change>& some) const {
    for (auto m = system_->first_pending(); m != no_message; m = system_->next_pending(m)) {
      if (m < from || m == lethal() || system_->is_void(m) || !is_visible(system_->message_at(m).makes)) continue;
      if (is_to_victim(m) && system_->deliverable(m))
        some.push_back({.what = change::of::order, .at = no_step, .instead = m});
      add_orders(m, no_step, latest_of_receiver(m), some);
    }
  }
  /// Whether it could come before the delivery that kills the process.
  [[nodiscard]] bool is_to_victim(message_slot m) const {
    return last_ && system_->message_at(m).receiver == system_->message_at(lethal()).receiver;
  }
  void add_orders(message_slot m, step_index taken_in, step_index latest, std::vector<change>& all) const {
    depends_.for_each_conflict(order_, m, latest, [&](step_index e) {
      if (system_->was_deliverable(m, e))
        all.push_back({.what = change::of::order, .at = e, .instead = m, .instead_at = taken_in});
    });
  }
  [[nodiscard]] step_index latest_of_receiver(message_slot m) const {
    return system_->actor_at(system_->message_at(m).receiver).last_step;
  }

  void add_draws(std::vector<change>& all) const {
    for (auto i = system_->last_step(); system_->is_explored(i); --i) {
      const auto& s = system_->step_at(i);
      const auto fates = system_->fates_of(i);
      const auto drawn = system_->choices_of(i);
      for (std::uint32_t c = 0; c < drawn.size(); ++c) {
        if (std::any_of(fates.begin(), fates.end(), [c](const fate& f) { return f.draw == c; })) continue;
        for (std::uint64_t v = 0; v < std::min(drawn[c].arity, most_values); ++v)
          if (v != s.code / drawn[c].scale % drawn[c].arity)
            all.push_back({.what = change::of::draw, .at = i, .code = with_draw(s.code, drawn[c], v)});
      }
    }
  }

  /// Only what leads to the message that comes first comes before, too.
  void put_first(const change& c, std::vector<wanted>& all) const {
    const auto count = static_cast<step_index>(system_->step_count());
    const auto at = std::min(c.at, end_);
    const auto leads_to_it = [&](step_index i) {
      if (i == c.at || i == c.instead_at) return false;
      if (order_.before_sending(i, c.instead)) return true;
      return c.instead_at != no_step && i < c.instead_at && order_.before(i, c.instead_at) &&
             (c.at == no_step || !order_.before(c.at, i));
    };
    for (auto i = first(); i < at; ++i) all.push_back({i});
    for (auto i = at; i < count; ++i)
      if (leads_to_it(i)) all.push_back({i});
    all.push_back({c.instead_at, c.instead});
    for (auto i = at; i < end_; ++i)
      if (i != c.instead_at && !leads_to_it(i)) all.push_back({i});
  }

  system_handle system_;
  dependence depends_;
  happens_before order_;
  step_index end_ = 0;  // of the schedule
  std::optional<scheduled> last_;
  bool has_one_order_ = false;
  bool is_in_step_ = false;
  bool is_about_convergence_ = false;
};

/// An execution with one change.
class changed_execution {
public:
  changed_execution(const program& tested, const options& how, const failing_execution& failing)
      : failing_(failing),
        how_(how),
        judge_(how.judging.by != nullptr ? how.judging.by->another() : nullptr),
        limits_(how_, 0),
        seen_(how_, limits_, judge_.get()),
        system_(tested.start(how.search.delivery)),
        along_(failing.end(), *system_) {
    system_->limit_depth(how.limits.max_depth);
    system_->watch().observe(&seen_);
    system_->watch().attach(judge_.get());
  }

  enum class outcome { passes, fails, undecided };
  outcome run(const change& c) {
    auto left = failing_.with(c);
    const auto most = 2 * failing_.end().depth() + 2 * most_beyond;
    while (system_->depth() < most && !has_failed()) {
      const auto next = std::find_if(left.begin(), left.end(), [&](const wanted& w) { return can_be_made(w); });
      if (next != left.end()) {
        make(*next, c);
        left.erase(next);
      } else if (const auto m = along_.next_by_itself(); m != no_message) {
        system_->deliver(m);
      } else {
        return judge();
      }
    }
    return has_failed() ? outcome::fails : outcome::undecided;
  }

  [[nodiscard]] const system& end() const { return *system_; }
  [[nodiscard]] const follower& along() const { return along_; }
  /// `it passes`, and how far that is known.
  [[nodiscard]] const char* what_it_does() const {
    return is_cut_ && !failing_.is_about_convergence() ? "it passes as far as timers may fire (--timeouts)"
                                                       : "it passes";
  }

private:
  [[nodiscard]] bool can_be_made(const wanted& w) const {
    return w.like != no_step ? along_.can_be_made(w.like) : along_.can_be_delivered(along_.here(w.message));
  }
  void make(const wanted& w, const change& c) {
    if (w.like == no_step)
      system_->deliver(along_.here(w.message));
    else if (c.what == change::of::draw && w.like == c.at)
      along_.deliver_drawing(w.like, c.code);
    else if (c.what == change::of::fault && w.like == c.at)
      along_.deliver_as(w.like, c.fate);
    else
      along_.deliver_as(w.like);
  }
  [[nodiscard]] bool has_failed() {
    return !seen_.result().findings.empty() || system_->aborted() || !system_->can_be();
  }
  outcome judge() {
    if (system_->truncated()) return outcome::undecided;
    seen_.execution_ended(*system_);
    const auto& r = seen_.result();
    if (!r.findings.empty() || r.executions == 0) return outcome::fails;
    is_cut_ = r.out_of_timeouts > 0;
    return is_cut_ && !failing_.is_known_where_timers_end() ? outcome::undecided : outcome::passes;
  }

  const failing_execution& failing_;
  const options& how_;
  std::unique_ptr<monitor> judge_;
  limits limits_;
  tally seen_;
  system_handle system_;
  follower along_;
  bool is_cut_ = false;  ///< by the budget of timers
};

bool is_of_a_timer(const system& s, message_slot m) { return s.message_at(m).makes == step_kind::timeout; }

/// The name of whoever sent it; empty: nobody did, as of a timer's.
std::string sender(const system& s, message_slot m) {
  const auto by = is_of_a_timer(s, m) ? no_step : s.sender_of(m);
  return by == no_step ? std::string() : s.actor_name(s.step_at(by).receiver);
}

/// Puts into words how the two executions differ.
class teller_of_difference {
public:
  teller_of_difference(const failing_execution& failing, const std::vector<trace_step>& failing_trace,
                       const changed_execution& passing, const std::vector<trace_step>& passing_trace)
      : failing_(failing),
        old_(failing.end()),
        old_trace_(failing_trace),
        new_(passing.end()),
        along_(passing.along()),
        passes_(passing.what_it_does()),
        new_trace_(passing_trace) {}

  [[nodiscard]] std::string tell(const change& c) const {
    switch (c.what) {
      case change::of::fault:
        return fmt::format("{}. Without that {}{}.", how_it_befell(c.at), passes(), first_difference_after(c.at));
      case change::of::timer:
        return fmt::format("The timer of {} fired, and it took {}. If it does not fire then, {}{}.", receiver_of(c.at),
                           text_of(c.at), passes(), first_difference(c));
      case change::of::draw:
        return fmt::format("{} drew {} when it took {}. With {} {}{}.", receiver_of(c.at), drawn(old_trace_, c),
                           text_of(c.at), drawn(new_trace_, c), passes(), first_difference(c));
      case change::of::order: break;
    }
    return fmt::format("{}. {} {}{}.", how_it_came(c), was_taken(c) ? "The other way round" : "With that one first",
                       passes(), first_difference(c));
  }

private:
  /// `it passes`; and what fails may not happen at all, which is no way to make it right.
  [[nodiscard]] std::string passes() const {
    const auto i = failing_.failing_step();
    if (i == no_step) return passes_;
    const auto& failed = told(old_trace_, old_, i);
    const auto name_of = [](const trace_step& s) { return std::string_view(s.message).substr(0, s.message.find('(')); };
    const auto takes_such = [&](const trace_step& s) {
      return s.receiver == failed.receiver && name_of(s) == name_of(failed);
    };
    if (std::any_of(new_trace_.begin(), new_trace_.end(), takes_such)) return passes_;
    return fmt::format("{}, since {} never takes {}", passes_, failed.receiver, failed.message);
  }
  [[nodiscard]] bool was_taken(const change& c) const {
    return (c.instead_at != no_step && failing_.leads_to_finding(c.instead_at)) || c.instead == failing_.lethal();
  }
  /// Whether it was sent when the finding was there.
  [[nodiscard]] bool was_sent(const change& c) const {
    const auto by = old_.message_at(c.instead).sent_by;
    return by == no_step || failing_.leads_to_finding(by);
  }
  [[nodiscard]] std::string receiver_of(step_index i) const { return old_.actor_name(old_.step_at(i).receiver); }
  [[nodiscard]] std::string text_of(step_index i) const { return old_.message_text(old_.step_at(i).message); }
  [[nodiscard]] const trace_step& told(const std::vector<trace_step>& trace, const system& of, step_index i) const {
    static const trace_step nothing;
    const auto number = i - of.setup_steps();
    return number < trace.size() ? trace[number] : nothing;
  }
  [[nodiscard]] step_index there(step_index i) const { return along_.made_for(i); }

  /// `broker_0 crashes after it took produce() and restarts`, or `As server_0 takes set(5), reply(5) is lost`.
  [[nodiscard]] std::string how_it_befell(step_index at) const {
    auto what = what_befell(at);
    constexpr std::string_view here = " crashes after this step";
    if (what.starts_with(receiver_of(at) + std::string(here)))
      return what.replace(receiver_of(at).size(), here.size(), " crashes after it took " + text_of(at));
    return fmt::format("As {} takes {}, {}", receiver_of(at), text_of(at), what);
  }
  [[nodiscard]] std::string what_befell(step_index at) const {
    const auto& before = told(old_trace_, old_, at).faults;
    const auto& after = told(new_trace_, new_, there(at)).faults;
    std::string all;
    for (const auto& f : before)
      if (std::find(after.begin(), after.end(), f) == after.end()) all += (all.empty() ? "" : ", ") + f;
    return all;
  }
  [[nodiscard]] std::string drawn(const std::vector<trace_step>& trace, const change& c) const {
    const auto& values =
        &trace == &old_trace_ ? told(trace, old_, c.at).choices : told(trace, new_, there(c.at)).choices;
    std::string all;
    for (const auto v : values) all += (all.empty() ? "" : ", ") + std::to_string(v);
    return all;
  }

  /// The message that the failing execution takes first.
  [[nodiscard]] message_slot taken(const change& c) const {
    return c.at == no_step ? failing_.lethal() : old_.step_at(c.at).message;
  }
  /// `expire() by its timer`
  [[nodiscard]] std::string in_words(message_slot m) const {
    return old_.message_text(m) + (is_of_a_timer(old_, m) ? " by its timer" : "");
  }
  /// `server_0 took set(5) between get() and get(), all from client_1`
  [[nodiscard]] std::string how_it_came(const change& c) const {
    const auto e = taken(c);
    const auto who = old_.message_at(e).receiver;
    const auto took = fmt::format("{} took {}", old_.actor_name(who), in_words(e));
    const auto other = in_words(c.instead);
    if (old_.message_at(c.instead).receiver != who)
      return fmt::format("{} before {} took {}", took, old_.actor_name(old_.message_at(c.instead).receiver), other);
    const auto first = sender(old_, e);
    const auto second = sender(old_, c.instead);
    const auto from = [](const std::string& name) { return name.empty() ? name : " from " + name; };
    const bool is_one = first == second && !first.empty();
    if (!was_taken(c) && is_of_a_timer(old_, c.instead))
      return fmt::format("{}{} before its timer brought {}", took, from(first), old_.message_text(c.instead));
    if (!was_taken(c)) {
      const auto* const then = was_sent(c) ? "was on its way" : "was sent";
      const auto* const when = was_sent(c) ? "while" : "before";
      return is_one ? fmt::format("{} {} {} {}, both{}", took, when, other, then, from(second))
                    : fmt::format("{}{} {} {}{} {}", took, from(first), when, other, from(second), then);
    }
    if (const auto before = taken_before(c, second); before != no_step)
      return is_one ? fmt::format("{} between {} and {}, all{}", took, text_of(before), other, from(second))
                    : fmt::format("{}{} between {} and {}{}", took, from(first), text_of(before), other, from(second));
    return is_one ? fmt::format("{} before {}, both{}", took, other, from(second))
                  : fmt::format("{}{} before {}{}", took, from(first), other, from(second));
  }
  /// What its receiver had taken before from `who`, last.
  [[nodiscard]] step_index taken_before(const change& c, const std::string& who) const {
    if (who.empty()) return no_step;
    const auto e = taken(c);
    auto i = c.at == no_step ? old_.actor_at(old_.message_at(e).receiver).last_step : old_.step_at(c.at).previous;
    for (; old_.is_explored(i); i = old_.step_at(i).previous)
      if (failing_.leads_to_finding(i) && sender(old_, old_.step_at(i).message) == who) return i;
    return no_step;
  }

  /// `: server_0 is {value=0} after get(), not {value=5}`
  [[nodiscard]] std::string first_difference(const change& c) const {
    const auto who = old_.message_at(taken(c)).receiver;
    std::string of_sends;
    for (auto j = static_cast<step_index>(new_.setup_steps()); j < new_.step_count(); ++j) {
      const auto i = stands_for(j);
      if (i == no_step || !failing_.leads_to_finding(i) || old_.step_at(i).receiver != who) continue;
      const auto& before = told(old_trace_, old_, i);
      const auto& after = told(new_trace_, new_, j);
      if (before.state != after.state) return difference_of_states(before, after);
      if (of_sends.empty()) of_sends = difference_of_sends(before, after);
    }
    return of_sends.empty() && c.what == change::of::order ? difference_after_both(c) : of_sends;
  }
  /// The same, of whichever actor.
  [[nodiscard]] std::string first_difference_after(step_index at) const {
    for (auto j = static_cast<step_index>(new_.setup_steps()); j < new_.step_count(); ++j) {
      const auto i = stands_for(j);
      if (i == no_step || i <= at || !failing_.leads_to_finding(i)) continue;
      const auto& before = told(old_trace_, old_, i);
      const auto& after = told(new_trace_, new_, j);
      if (before.receiver == after.receiver && before.state != after.state) return difference_of_states(before, after);
    }
    return {};
  }
  [[nodiscard]] static std::string difference_of_states(const trace_step& before, const trace_step& after) {
    return fmt::format(": {} is {} after {}, not {}", after.receiver, changes_of(before.state, after.state),
                       after.message, changes_of(after.state, before.state));
  }
  /// `: cell_0 is {value=2} after both, not {value=1}`
  [[nodiscard]] std::string difference_after_both(const change& c) const {
    if (!was_taken(c) || c.at == no_step || c.instead_at == no_step || there(c.at) == no_step) return {};
    const auto& before = told(old_trace_, old_, c.instead_at);
    const auto& after = told(new_trace_, new_, there(c.at));
    if (before.receiver != after.receiver || before.state == after.state) return {};
    return fmt::format(": {} is {} after both, not {}", after.receiver, changes_of(before.state, after.state),
                       changes_of(after.state, before.state));
  }
  [[nodiscard]] static std::string difference_of_sends(const trace_step& before, const trace_step& after) {
    for (std::size_t k = 0; k < std::min(before.sends.size(), after.sends.size()); ++k)
      if (before.sends[k] != after.sends[k])
        return fmt::format(": at {} it sends {}.{}, not {}.{}", after.message, after.sends[k].receiver,
                           after.sends[k].message, before.sends[k].receiver, before.sends[k].message);
    return {};
  }
  [[nodiscard]] step_index stands_for(step_index j) const {
    for (auto i = static_cast<step_index>(old_.setup_steps()); i < old_.step_count(); ++i)
      if (there(i) == j) return i;
    return no_step;
  }

  const failing_execution& failing_;
  const system& old_;
  const std::vector<trace_step>& old_trace_;
  const system& new_;
  const follower& along_;
  std::string passes_;
  const std::vector<trace_step>& new_trace_;
};

std::vector<trace_step> trace_of(const system& end, const program& tested, const options& how) {
  finding none;
  none.schedule = end.current_schedule();
  complete(none, tested, {.delivery = how.search.delivery, .depth_limit = how.limits.max_depth});
  return std::move(none.trace);
}

std::size_t alike_at_the_beginning(const std::vector<trace_step>& a, const std::vector<trace_step>& b) {
  const auto same = [](const trace_step& x, const trace_step& y) { return x.event == y.event; };
  return static_cast<std::size_t>(std::mismatch(a.begin(), a.end(), b.begin(), b.end(), same).first - a.begin());
}

/// Judged as in the search, and nobody is told.
options to_judge(options how, const program& tested, const finding& found) {
  how.judging.finally = both(tested.finally, how.judging.finally);
  how.judging.keep_going = true;
  if (found.kind == finding_kind::undelivered) how.judging.undelivered = undelivered::error;
  how.told = {};
  how.limits.time_limit = how.limits.budget = 0;
  how.limits.max_executions = how.limits.max_memory = 0;
  how.limits.should_stop = nullptr;
  return how;
}

/// Tries one change after the other.
class search_for_why {
public:
  search_for_why(const program& tested, const options& how, const finding& found, tried_so_far so_far,
                 const std::function<void(const tried_so_far&)>& about_to)
      : tested_(tested), how_(how), found_(found), tried_(so_far), about_to_(about_to), failing_(tested, how, found) {}

  explanation run() {
    const auto waiting = found_.kind == finding_kind::deadlock ? who_waits_at_the_end() : std::string();
    auto why = look();
    why.sentence = printable(waiting.empty() ? why.sentence : waiting + " " + why.sentence);
    return why;
  }

private:
  [[nodiscard]] std::string who_waits_at_the_end() const {
    return who_waits(failing_.end(), look_at_end(failing_.end(), how_.judging.ends()).stuck);
  }
  explanation look() {
    const auto changes = failing_.changes();
    if (auto why = try_all(changes, 0)) return *std::move(why);
    // Running on is numbered as a change of its own: it can kill the process, too.
    const auto running_on = changes.size();
    if (tried_.changes < running_on || tried_.changes == running_on + 1) return nothing_helps(false);
    if (tried_.changes == running_on) about_to_(tried_);
    const auto beyond = failing_.changes_beyond();
    tried_.changes = std::max(tried_.changes, running_on + 1);
    if (auto why = try_all(beyond, running_on + 1)) return *std::move(why);
    return nothing_helps(tried_.changes == running_on + 1 + beyond.size() && failing_.is_at_its_end());
  }

  /// @param before  the number of the first of `changes`.
  std::optional<explanation> try_all(const std::vector<change>& changes, std::size_t before) {
    while (tried_.changes < before + changes.size() && tried_.deliveries < most_deliveries) {
      about_to_(tried_);
      if (auto why = attempt(changes[tried_.changes++ - before])) return why;
    }
    return std::nullopt;
  }
  std::optional<explanation> attempt(const change& c) {
    changed_execution changed(tested_, how_, failing_);
    auto came_out = changed_execution::outcome::undecided;
    try {
      came_out = changed.run(c);
    } catch (...) {  // something of the program's failed outside its handlers
      came_out = changed_execution::outcome::fails;
    }
    tried_.deliveries += changed.end().depth() + 1;
    if (came_out == changed_execution::outcome::undecided) ++tried_.undecided;
    if (came_out != changed_execution::outcome::passes) return std::nullopt;
    auto passing = trace_of(changed.end(), tested_, how_);
    auto sentence = teller_of_difference(failing_, found_.trace, changed, passing).tell(c);
    const auto alike = alike_at_the_beginning(found_.trace, passing);
    return explanation{std::move(sentence), std::move(passing), alike};
  }
  [[nodiscard]] explanation nothing_helps(bool is_all) const {
    if (tried_.changes == 1 && failing_.has_one_order())
      return {.sentence = "Every order of these deliveries leads to it."};
    if (is_all && tried_.undecided == 0) return {.sentence = "No single change of order avoids it."};
    return {.sentence = "No single change of order is known to avoid it, but not all could be tried to their ends."};
  }

  const program& tested_;
  const options& how_;
  const finding& found_;
  tried_so_far tried_;
  const std::function<void(const tried_so_far&)>& about_to_;
  failing_execution failing_;
};

}  // namespace

bool has_a_why(const finding& found) {
  return !is_of_the_search(found.kind) && found.schedule.size() <= longest && !found.schedule.empty() &&
         found.trace.size() == found.schedule.size();
}

explanation why_found(const program& tested, const options& how, const finding& found, tried_so_far so_far,
                      const std::function<void(const tried_so_far&)>& about_to) {
  if (!has_a_why(found)) return {};
  if (how.judging.by != nullptr && how.judging.by->another() == nullptr) return {};  // nobody could judge another order
  try {
    const auto judged = to_judge(how, tested, found);
    return search_for_why(tested, judged, found, so_far, about_to).run();
  } catch (const std::exception&) {  // the schedule cannot be repeated
    return {};
  }
}

}  // namespace harrier
