#include "run.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <atomic>
#include <caf/actor_registry.hpp>
#include <caf/detail/sync_request_bouncer.hpp>
#include <deque>
#include <exception>
#include <iterator>
#include <mutex>
#include <utility>

#include <harrier/core/error.hpp>

#include "../../core/base/spin_lock.hpp"
#include "content.hpp"
#include "interposed.hpp"
#include "names_of_types.hpp"
#include "threads.hpp"

namespace harrier::caf_adapter {
namespace {

constexpr std::uint32_t locks_are_tried = seen_of_program::most_facts_of_adapter - 1;

thread_local run* run_of_this_thread = nullptr;
std::atomic<int> runs_alive = 0;
std::terminate_handler before_harrier = nullptr;
void (*whoever_watches)(bool) = nullptr;

using terminated = caf::abstract_actor;

constexpr int most_refusals_to_leave = 1000;

/// What CAF writes after an actor's number.
constexpr std::string_view node_in_text = "@invalid-node";

constexpr auto early_timers = "timers that come before nothing else can happen (--timers any)";
constexpr auto early_ends = "actors to which nothing refers, and that end before nothing else can happen";
constexpr auto late_skipped =
    "what an actor skipped, and is shown again late or never, since it then takes messages of another priority";
constexpr auto memory_in_messages =
    "actors that use memory to which a message leads (a shared_ptr, say) while another is in the middle of a handler "
    "that uses it";
constexpr auto memory_without_messages =
    "actors that use memory which they share without a message (a shared_ptr that both were given, say) while another "
    "is in the middle of a handler that uses it";
constexpr auto weak_references = "an actor to which nothing refers, and for whose address another looks meanwhile";

template <class Object>
shared_variables::part part_of(const Object& object) {
  return {reinterpret_cast<const char*>(&object), sizeof object};
}

/// What is the actor's own, and cannot be asked of it.
struct opened_actor : caf::scheduled_actor {
  static default_handler& handler_of(caf::scheduled_actor& a) { return a.*(&opened_actor::default_handler_); }
  static bool awaits(caf::scheduled_actor& a) { return !(a.*(&opened_actor::awaited_responses_)).empty(); }
};

struct opened_monitorable : monitorable {
  static bool is_watched(const monitorable& a) { return (a.*(&opened_monitorable::attachables_head_)) != nullptr; }
};

/// A default handler of the program's, and notes that it has run.
struct noted_handler {
  caf::scheduled_actor::default_handler of_program;
  answer_to_unhandled operator()(caf::scheduled_actor* self, unhandled_message& m) const {
    if (auto* const here = run::current()) here->skipped_by_program();
    const auto kept = of_program;  // it may set another
    return kept(self, m);
  }
};

/// As caf::skip, and notes that it has run: what is skipped else, a handler of the program's has seen.
struct noted_skip {
  answer_to_unhandled operator()(caf::scheduled_actor*, unhandled_message&) const {
    if (auto* const here = run::current()) here->skipped_by_caf();
    return skipped();
  }
};

void note_when_it_runs(caf::scheduled_actor::default_handler& handler) {
  using function = answer_to_unhandled (*)(caf::scheduled_actor*, unhandled_message&);
  static const caf::scheduled_actor::default_handler skips = caf::skip;
  if (!handler || handler.target<noted_handler>() != nullptr) return;
  if (handler.target<noted_skip>() != nullptr) return;
  if (const auto* const f = handler.target<function>(); f != nullptr && *f == *skips.target<function>()) {
    handler = noted_skip{};
    return;
  }
  if (const auto* const f = handler.target<function>())
    if (*f == caf::print_and_drop || *f == caf::drop || *f == caf::reflect || *f == caf::reflect_and_quit) return;
  handler = noted_handler{handler};
}

/// What an actor of some program skips, and takes in spite of other messages, of which some run may see the one, and
/// another run the other: by whether these are urgent.
struct skipping {
  bool skips[2] = {false, false};
  bool leaves[2] = {false, false};
};
spin_lock of_skipping;  // a mutex might be taken for the program's
auto& skipping_of_all = *new std::map<std::pair<std::uint64_t, std::uint64_t>, skipping>;  // by program and actor

constexpr auto use_of_waiting_threads =
    "threads of its own that wait for what actors do: when they go on cannot be ordered";

constexpr auto use_of_threads =
    "actors from threads of its own: only what actors do when they get a message can be ordered";

/// splitmix64 (S. Vigna).
std::uint64_t mixed(std::uint64_t a, std::uint64_t b) {
  auto z = a + b * 0x9e3779b97f4a7c15;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
  z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
  return z ^ (z >> 31);
}

/// The clocks of a program begin at some day.
constexpr auto beginning_of_time = std::chrono::seconds(1'600'000'000);

[[noreturn]] void throw_untestable(const std::string& uses) {
  throw untestable_program("a CAF program cannot be explored that uses " + uses);
}

/// What waits in code that must not throw, a destructor say, cannot be left by throwing: its stack is abandoned.
[[noreturn]] void abandon_or_terminate() {
  if (run::is_inside() && run::current()->is_left()) run::current()->abandon();
  before_harrier();
  std::abort();
}

}  // namespace

void tell_of_program_code(void (*tell)(bool begins)) { whoever_watches = tell; }

run::entered::entered(run& r) : before_(std::exchange(run_of_this_thread, &r)) {}
run::entered::~entered() { run_of_this_thread = before_; }

caf::abstract_actor* run::strand::actor() const {
  if (handles != nullptr) return handles;
  if (blocks != nullptr) return blocks;
  return pool;
}

run::run(const program_body& body, std::uint64_t program, const caf_options& how, seen_of_program& seen,
         reexecution::listener& told)
    : body_(body), program_(program), how_(how), seen_(seen), told_(told) {
  add("main");
  strands_.front()->told_as = 0;
  facts_ = told_.facts();
  if (how_.time == caf_options::timers::any_time)
    clock_.let_all_happen_at_once(
        [this](caf::actor_clock::time_point due, const std::function<void()>& happens) {
          const auto before = std::exchange(sends_late_, true);
          due_ = due;
          last_posted_ = untold;
          happens();
          sends_late_ = before;
          due_ = {};
          return last_posted_;
        },
        [this](std::uint32_t posted) {
          if (posted >= letters_.size() || came_first(posted)) return;
          auto& l = letters_[posted];
          close(*strands_[l.to], l);
          l.element = nullptr, l.timer = 0;
        },
        [this] { return strands_[running_]->now; });
  else
    clock_.tell_of_waiting([this] {
      if (!is_quiet_ && !is_test_) leaves_out_timers_ = true;
    });
  ++runs_alive;
  heap_blocks::all().begin_run();
  static std::once_flag is_ready;
  std::call_once(is_ready, [] { before_harrier = std::set_terminate(abandon_or_terminate); });
}

/// Of what could come at any time, and is taken back: it may have come by then, and waits only to be taken. Who gets
/// what CAF sends itself sees no difference.
bool run::came_first(number posted) {
  const auto is_seen = [&] {
    const auto& l = letters_[posted];
    return l.element != nullptr && !l.element->mid.is_response() && !is_of_the_system(l.kind);
  };
  if (is_quiet_ || !is_seen()) return false;
  if (steps_ == 1) {  // what main draws must be a delivery's
    was_busy_ = true;
    let_others_come_first();
  }
  return is_seen() && choose(2) == 1;
}

run* run::current() { return run_of_this_thread; }

bool run::is_any_alive() { return runs_alive > 0; }

bool run::is_of_some_run(caf::actor_system& s) { return is_prepared(s); }

bool run::has(const caf::actor_system& s) const {
  return std::any_of(systems_.begin(), systems_.end(), [&](const known_system& k) { return k.system == &s; });
}

// What the search asks for.

void run::begin() {
  const entered me(*this);
  run_code(0, [this] { run_main(); });
  note_what_main_wrote();
  end_step(0);
  tell_what_is_left_out();
  check_rejection();
  if (strands_.front()->has_ended && !made_any_system_)
    throw untestable_program(
        "it has made no caf::actor_system, so there is nothing to explore (CAF has to be linked dynamically)");
}

void run::run_main() {
  try {
    body_();
    strands_.front()->has_ended = true;
  } catch (const left&) {
    static_cast<void>(0);  // as asked
  } catch (const std::exception& e) {
    if (!is_quiet_) fail({.kind = finding_kind::exception, .message = std::string("main threw: ").append(e.what())});
  } catch (...) {
    if (!is_quiet_)
      fail(
          {.kind = finding_kind::exception, .message = "main threw something that is not derived from std::exception"});
  }
}

bool run::deliver(number message) {
  const entered me(*this);
  ++steps_;
  auto& s = *strands_[letters_[message].to];
  const auto before = std::exchange(s.now, std::max(s.now, letters_[message].at));
  const auto memory = letters_[message].memory;
  const auto to = letters_[message].to;
  ran_last_ = to;
  was_busy_ = false;
  is_start_ = letters_[message].is == letter::what::start;
  begin_step(to, &letters_[message]);
  const auto running_before = std::exchange(running_, to);
  const bool took = give(message, s);
  if (took) note_variables();
  if (!took) s.now = before;
  if (!took && !letters_[message].may_be_refused) seen_.see(messages_are_refused);
  if (took && memory != shared_memory::none) s.holds_memory = true;
  if (took && memory == shared_memory::any) s.holds_unguarded_memory = true;
  if (took && s.holds_memory) hold_memory(to);
  if (took) note_unguarded_use(to);
  if (took) {
    const auto at = std::lower_bound(s.inbox.begin(), s.inbox.end(), message);
    if (at != s.inbox.end() && *at == message) s.inbox.erase(at);
    close(s, letters_[message]);
    if (letters_[message].is == letter::what::mail) ++mail_taken_;
    end_step(to);
  }
  throws_away_ = false;
  running_ = running_before;
  tell_what_is_left_out();
  check_rejection();
  return took;
}

/// Letters may move while code runs.
bool run::give(number n, strand& s) {
  const auto to = letters_[n].to;
  switch (letters_[n].is) {
    case letter::what::start:
      s.must_start = false;
      if (s.handles != nullptr)
        run_code(to, [this, a = s.handles] { a->activate(executor_for(a->home_system())); });
      else
        run_code(to, [this, a = s.blocks] { act(*a); });
      return true;
    case letter::what::wakes:
      if (s.code == nullptr || s.has_failed || letters_[n].timer == 0 || s.waits.timer != letters_[n].timer)
        return false;
      s.timed_out = !letters_[n].is_to_look;
      resume(to);
      return true;
    case letter::what::asked: {
      if (s.must_start || letters_[n].does == nullptr) return false;
      // Not its own code, which may wait in its middle.
      const auto does = std::move(letters_[n].does);
      const auto shown = std::move(letters_[n].element);
      const auto before = std::exchange(running_, to);
      does();
      running_ = before;
      return true;
    }
    case letter::what::released: return true;
    case letter::what::ends:
      if (s.held == nullptr || !is_unreachable(s)) return false;
      release(to);
      return true;
    case letter::what::mail: break;
  }
  if (letters_[n].element == nullptr || s.must_start) return false;
  if (s.has_ended ||
      (letters_[n].scoped != nullptr && letters_[n].scoped->get()->getf(terminated::is_terminated_flag))) {
    if (!letters_[n].element->mid.is_request()) {
      if (!letters_[n].keeps_watched) return false;
      throws_away_ = true;
      drop(letters_[n]);
      dropped_.clear();
      return true;
    }
    run_code(to, [this, &s, e = std::make_shared<caf::mailbox_element_ptr>(std::move(letters_[n].element))] {
      bounce(s, std::move(*e));
    });
    return true;
  }
  auto* const scoped = static_cast<caf::blocking_actor*>(
      letters_[n].scoped != nullptr ? letters_[n].scoped->get() : static_cast<caf::abstract_actor*>(s.blocks));
  if (s.code != nullptr) {
    if (s.has_failed || scoped == nullptr || s.waits.what != awaits::mail || s.waits.with != scoped) return false;
    const auto* const given = letters_[n].element.get();
    skipped_by_caf_ = false;
    scoped->mailbox().push_back(std::move(letters_[n].element));
    resume(to);
    if (s.code == nullptr || s.has_failed || s.waits.with != scoped) return true;
    if (!skipped_by_caf_) return true;  // if its own code has skipped it, CAF has that look at it again
    auto refused = take_back(*scoped, given);
    if (refused == nullptr) return true;
    letters_[n].element = std::move(refused);
    return false;
  }
  if (scoped != nullptr) return false;  // it has not started, or nobody receives by it any more
  s.in_hand = std::move(letters_[n].element);
  s.took = true;
  if (is_from_a_stranger(*s.in_hand, s.handles->address())) {
    --s.watches;
    s.exit_from = source_of_exit(*s.in_hand);
  }
  const bool is_urgent = s.in_hand->mid.is_urgent_message();
  const auto aside_before = s.aside.size();
  run_code(to, [this, &s] { handle(s); });
  note_skipped(s, is_urgent, !s.took || s.aside.size() > aside_before);
  s.exit_from = nullptr;
  if (!s.took) letters_[n].element = std::move(s.in_hand);
  if (s.code == nullptr) s.in_hand = nullptr;
  return s.took;
}

void run::note_skipped(strand& s, bool is_urgent, bool has_skipped) {
  if constexpr (shows_skipped_late) {
    if (is_quiet_) return;
    const bool leaves = !has_skipped && has_mail_of_priority(s, !is_urgent);
    if (!has_skipped && !leaves) return;
    const std::lock_guard lock(of_skipping);
    auto& known = skipping_of_all[{program_, s.key}];
    (has_skipped ? known.skips[is_urgent ? 1 : 0] : known.leaves[is_urgent ? 0 : 1]) = true;
    leaves_out_skipped_ =
        leaves_out_skipped_ || (known.skips[0] && known.leaves[0]) || (known.skips[1] && known.leaves[1]);
  }
}

bool run::has_mail_of_priority(const strand& s, bool is_urgent) const {
  if (!s.ever_got[is_urgent ? 1 : 0]) return false;
  const auto is_like_that = [=](const caf::mailbox_element_ptr& m) {
    return m != nullptr && m->mid.is_urgent_message() == is_urgent;
  };
  return std::any_of(s.aside.begin(), s.aside.end(), is_like_that) ||
         std::any_of(s.inbox.begin(), s.inbox.end(), [&](number n) {
           return letters_[n].is == letter::what::mail && letters_[n].scoped == nullptr &&
                  is_like_that(letters_[n].element);
         });
}

bool run::activate(strand& s, caf::mailbox_element& m) {
  // One that was spawned lazily sets its default handler when it starts.
  if (!s.handles->getf(terminated::is_initialized_flag)) s.handles->activate(executor_for(s.handles->home_system()));
  note_when_it_runs(opened_actor::handler_of(*s.handles));
  const bool awaits_answer = opened_actor::awaits(*s.handles);
  if (awaits_answer) told_.may_refuse_answers();
  skipped_by_caf_ = skipped_by_program_ = false;
  const bool took = s.handles->activate(executor_for(s.handles->home_system()), m) !=
                    caf::scheduled_actor::activation_result::skipped;
  skipped_by_program_ = !took && !awaits_answer && (skipped_by_program_ || !skipped_by_caf_);
  return took;
}

/// What CAF skips is as if it had not come yet. What the program's own code has skipped is seen by it again whenever
/// something was taken, the oldest first; then what that has put back.
void run::handle(strand& s) {
  s.took = activate(s, *s.in_hand);
  if (!s.took && !skipped_by_program_) return;
  if (!s.took) {
    s.took = true;
    s.aside.push_back(std::move(s.in_hand));
    return;
  }
  const auto has_ended = [&] { return s.handles->getf(terminated::is_terminated_flag); };
  std::deque<caf::mailbox_element_ptr> next;
  const auto look_again = [&] {
    std::vector<caf::mailbox_element_ptr> first = std::exchange(s.aside, {});
    while (auto put_back = next_put_back(*s.handles)) first.push_back(std::move(put_back));
    next.insert(next.begin(), std::move_iterator(first.begin()), std::move_iterator(first.end()));
  };
  for (look_again(); !next.empty() && !has_ended();) {
    auto again = std::move(next.front());
    next.pop_front();
    if (activate(s, *again))
      look_again();
    else
      s.aside.push_back(std::move(again));
  }
  if (!has_ended()) return;
  s.aside.insert(s.aside.end(), std::move_iterator(next.begin()), std::move_iterator(next.end()));
  bounce_aside(s);
}

void run::bounce_aside(strand& s) {
  for (auto& left_over : s.aside)
    if (left_over->mid.is_request()) bounce(s, std::move(left_over));
  s.aside.clear();
}

void run::bounce(strand& s, caf::mailbox_element_ptr element) {
  const auto before = std::exchange(is_bouncing_, true);
  caf::detail::sync_request_bouncer{answer_of_ended(s.actor())}(*element);
  is_bouncing_ = before;
}

bool run::goes_on() const {
  if (clock_.has_entries()) return true;
  return std::any_of(strands_.begin(), strands_.end(),
                     [this](const auto& s) { return is_unreachable(*s) || has_what_it_awaits(*s); });
}

void run::go_on() {
  const entered me(*this);
  ++steps_;
  sends_late_ = is_going_on_ = true;
  sent_any_ = false;
  begin_step(0);
  do {
    while (release_unreachable()) continue;
    if (sent_any_) break;
    bool woke_any = false;
    for (number s = 0; s < strands_.size(); ++s) {
      if (!has_what_it_awaits(*strands_[s])) continue;
      woke_any = true;
      resume_main();
    }
    if (!woke_any && clock_.has_entries()) clock_.go_on();
    check_rejection();
    end_step(0);
  } while (!sent_any_ && goes_on());
  sends_late_ = is_going_on_ = false;
  tell_what_is_left_out();
}

/// What it sends is in order, unlike what timers and destructors send.
void run::resume_main() {
  sends_late_ = false;
  resume(0);
  sends_late_ = true;
}

std::vector<record> run::at_end() const {
  std::vector<std::string> all;
  std::vector<number> on;  // whom somebody waits for
  std::vector<bool> is_told(strands_.size());
  for (number i = 0; i < strands_.size(); ++i) {
    const auto& s = *strands_[i];
    if (s.code == nullptr || s.has_failed) continue;
    all.push_back(who_waits(s, on));
    is_told[i] = true;
  }
  if (!all.empty()) threads::wait_for_them(program_);  // one may be about to send what is waited for
  check_rejection();
  if (waiting_for_change_ > 0 && threads::any()) throw_untestable(use_of_waiting_threads);
  if (all.empty()) return {};
  for (std::size_t i = 0; i < on.size(); ++i) {
    if (is_told[on[i]]) continue;
    is_told[on[i]] = true;
    if (auto why = why_idle(on[i], on); !why.empty()) all.push_back(std::move(why));
  }
  return {{.kind = finding_kind::deadlock,
           .message = fmt::format("nothing can be delivered, and {}", fmt::join(all, "; "))}};
}

std::string run::name_of(const strand& s) const {
  return s.told_as == 0 ? s.name : fmt::format("{}_{}", s.name, s.told_as - 1);
}

std::string run::who_waits(const strand& s, std::vector<number>& on) const {
  if (s.waits.what == awaits::mail) {
    std::vector<std::string> owed;
    for (const auto& asked : s.asked) {
      if (asked.by != s.waits.with) continue;
      on.push_back(asked.to);
      owed.push_back(fmt::format("{} has not replied to {}", name_of(*strands_[asked.to]), asked.kind));
    }
    if (!owed.empty()) return fmt::format("{} waits in receive(), since {}", name_of(s), fmt::join(owed, ", "));
    return fmt::format("{} waits in receive() for a message that nobody sends", name_of(s));
  }
  if (s.waits.what == awaits::change) {
    if (const auto holder = holders_.find(s.waits.change); holder != holders_.end()) {
      on.push_back(holder->second);
      return fmt::format("{} waits for a mutex that {} holds", name_of(s), name_of(*strands_[holder->second]));
    }
    return fmt::format("{} waits for a future, a condition variable or a mutex that nobody will ever provide{}",
                       name_of(s), threads::any() ? " (a thread of the program's own still runs)" : "");
  }
  if (s.waits.what != awaits::others) return fmt::format("{} waits", name_of(s));
  std::vector<std::string> alive;
  for (number i = 0; i < strands_.size(); ++i) {
    const auto& other = *strands_[i];
    if (&other == &s || other.has_ended || other.actor() == nullptr || !is_counted(*other.actor())) continue;
    alive.push_back(name_of(other));
    on.push_back(i);
  }
  return fmt::format("{} waits until all actors are done, which {} never", name_of(s),
                     alive.empty() ? std::string("its own are")
                                   : fmt::format("{} {}", fmt::join(alive, ", "), alive.size() == 1 ? "is" : "are"));
}

std::string run::why_idle(number which, std::vector<number>& on) const {
  const auto& s = *strands_[which];
  const auto by_name = [this](const strand& named) { return name_of(named); };
  std::vector<std::string> reasons;
  for (const auto& asked : s.asked) {
    on.push_back(asked.to);
    reasons.push_back(fmt::format("waits for the reply of {} to {}", name_of(*strands_[asked.to]), asked.kind));
  }
  if (!s.has_ended && s.actor() != nullptr) {
    for (const auto n : s.inbox)
      if (letters_[n].is == letter::what::mail && letters_[n].element != nullptr)
        reasons.push_back("skips " + text_of_letter(n, by_name));
    for (const auto& seen : s.aside)
      reasons.push_back("skips " + text(text_of(*seen, kind_of(*seen, s.actor()->home_system())), by_name));
  }
  return reasons.empty() ? "" : fmt::format("{} {}", name_of(s), fmt::join(reasons, " and "));
}

/// Whoever hands a request on sends it in the name of who has asked.
void run::note_request(const caf::mailbox_element& m, number to, std::string_view kind) {
  const auto* const by = m.sender != nullptr ? m.sender->get() : nullptr;
  const auto known = strands_of_.find(by);
  if (known == strands_of_.end()) return;
  auto& all = strands_[known->second]->asked;
  const auto id = m.mid.request_id().integer_value();
  const auto before = std::find_if(all.begin(), all.end(), [&](const auto& r) { return r.id == id && r.by == by; });
  if (before != all.end())
    *before = {id, by, to, kind};
  else
    all.push_back({id, by, to, kind});
}

void run::note_answer(strand& to, caf::message_id mid, const caf::abstract_actor& by) {
  const auto id = mid.request_id().integer_value();
  std::erase_if(to.asked, [&](const auto& r) { return r.id == id && r.by == &by; });
}

// What the program does.

void run::system_begins(caf::actor_system_config& config) {
  if (auto what = why_refused(config); !what.empty()) reject(std::move(what));
  prepare(config, clock_);
  makes_system_ = made_any_system_ = true;
}

void run::system_made(caf::actor_system& s, caf::actor_system_config& config) {
  makes_system_ = false;
  restore(config);
  systems_.push_back({&s, &config, std::make_unique<idle_executor>(&s)});
}

executor* run::executor_for(const caf::actor_system& s) const {
  for (const auto& k : systems_)
    if (k.system == &s) return k.executor_of_it.get();
  return nullptr;
}

void run::system_goes(caf::actor_system& s) {
  ++ends_systems_;
  if (!is_leaving_ && is_inside()) {
    if (s.await_actors_before_shutdown())
      wait_for_count(s.registry(), 0, true);
    else
      wait({.what = awaits::rest}, true);
  }
  is_quiet_ = true;
  kill_all_of(s);
}

void run::system_gone(const caf::actor_system& s) {
  std::erase_if(systems_, [&](const known_system& k) { return k.system == &s; });
  --ends_systems_;
  if (systems_.empty()) groups_.clear();
  if (systems_.empty() && !is_leaving_) is_quiet_ = false;
}

run::number run::add(std::string_view name) {
  strands_.push_back(std::make_unique<strand>());
  strands_.back()->name = name;
  return static_cast<number>(strands_.size() - 1);
}

void run::tell(strand& s) {
  if (s.told_as != untold) return;
  if (s.actor() != nullptr) s.id = s.actor()->id();
  s.made_in = steps_;
  s.told_as = told_.created(s.name);
  s.now = std::max(s.now, strands_[running_]->now);
  auto& creator = *strands_[running_];
  s.key = mixed(creator.key, ++creator.children);
  s.clock = creator.clock;
}

void run::launched(caf::scheduled_actor& a, bool is_lazy) {
  const auto which = add(class_name_of(a));
  auto& s = *strands_[which];
  s.handles = &a;
  s.is_event_based = true;
  s.held = caf::strong_actor_ptr(a.ctrl());
  strands_of_[&a] = which;
  if (is_quiet_ || makes_system_) return;
  tell(s);
  ends_by_itself(which);
  if (!is_lazy) post_start(which);
}

void run::launched(caf::blocking_actor& a) {
  const auto which = add(class_name_of(a));
  auto& s = *strands_[which];
  s.blocks = &a;
  s.held = caf::strong_actor_ptr(a.ctrl());
  strands_of_[&a] = which;
  if (is_quiet_ || makes_system_) return;
  tell(s);
  ends_by_itself(which);
  post_start(which);
}

/// Whether it is known that its end is heard.
void run::ends_by_itself(number which) {
  auto& s = *strands_[which];
  ghosts_.erase(s.actor());
  s.ends_by_itself = seen_of_program::is_seen(bit_of(s), facts_);
  if (!s.ends_by_itself) return;
  s.references = 1;
  // In an order that is the same in every interleaving.
  const auto place = std::find_if(ending_.begin(), ending_.end(), [&](number n) { return strands_[n]->key > s.key; });
  ending_.insert(place, which);
}

void run::made(caf::actor_pool& pool) {
  if (const auto known = strands_of_.find(&pool); known != strands_of_.end()) return;
  const auto which = add("pool");
  auto& s = *strands_[which];
  s.pool = &pool;
  s.is_pool = true;
  s.held = caf::strong_actor_ptr(pool.ctrl());
  strands_of_[&pool] = which;
  if (!is_quiet_) tell(s);
}

run::number run::strand_of(caf::abstract_actor& a) {
  const auto known = strands_of_.find(&a);
  if (known == strands_of_.end())
    reject(fmt::format("an actor of a class of its own ({}), none of CAF's kinds",
                       last_name_of(whole_name_of(typeid(a)))));
  return known->second;
}

void run::send(caf::abstract_actor& to, caf::mailbox_element_ptr element) {
  if (is_quiet_) {
    // Modules of CAF that end wait for their actors, which have ended, by a scoped actor.
    if (ends_systems_ > 0 && to.getf(caf::local_actor::is_blocking_flag))
      static_cast<caf::blocking_actor&>(to).mailbox().push_back(std::move(element));
    else
      dropped_.push_back(std::move(element));
    return;
  }
  if (is_of_a_stream(element->content())) reject("streams");
  // As whoever fails when it hears of its end does, under CAF 1: it answers.
  if (!element->mid.is_request() && is_ghost(to)) return send_to_ghost(to, std::move(element), to.home_system());
  tell_of_released();
  const auto which = strand_of(to);
  auto& s = *strands_[which];
  const auto mid = element->mid;
  letter l{.to = which, .kind = kind_of(*element, to.home_system())};
  if (mid.is_request()) note_request(*element, which, l.kind);
  if (mid.is_response()) note_answer(s, mid, to);
  if (&to != s.actor()) l.scoped = caf::strong_actor_ptr(to.ctrl());
  l.memory = memory_shared_by(*element);
  if (l.memory != shared_memory::none) strands_[running_]->holds_memory = true, hold_memory(running_);
  if (l.memory == shared_memory::any) strands_[running_]->holds_unguarded_memory = true;
  l.element = std::move(element);
  const bool is_refusable = may_refuse(s, l);
  const auto n = post(std::move(l), mid, false, is_refusable);
  if (letters_[n].scoped != nullptr) sent_to_scoped_.push_back(n);
  if (s.has_ended && !mid.is_request() && !letters_[n].keeps_watched) drop(letters_[n]), dropped_.clear();
}

std::vector<run::number> run::watched_in(const letter& l) const {
  std::vector<number> all;
  if (ending_.empty() || l.is != letter::what::mail || l.element == nullptr) return all;
  const auto* const sender = l.element->sender != nullptr ? l.element->sender->get() : nullptr;
  if (const auto known = strands_of_.find(sender); known != strands_of_.end())
    if (strands_[known->second]->ends_by_itself) all.push_back(known->second);
  const auto text = text_of(*l.element, l.kind);
  for (auto at = text.find(node_in_text); at != std::string::npos; at = text.find(node_in_text, at + 1)) {
    auto digits = at;
    while (digits > 0 && std::isdigit(static_cast<unsigned char>(text[digits - 1])) != 0) --digits;
    const auto id = text.substr(digits, at - digits);
    for (const auto n : ending_)
      if (std::to_string(strands_[n]->id) == id) all.push_back(n);
  }
  return all;
}

/// A pool ends when nothing else can happen: that nothing is sent to it any more is the same in every order.
bool run::is_ghost(const caf::abstract_actor& a) const {
  const auto known = ghosts_.find(&a);
  return !is_quiet_ && !acts_directly() && known != ghosts_.end() && !strands_[known->second]->is_pool;
}

void run::send_to_ghost(const caf::abstract_actor& a, caf::mailbox_element_ptr element, caf::actor_system& in) {
  tell_of_released();
  letter l{.to = ghosts_.at(&a), .kind = kind_of(*element, in)};
  const auto mid = element->mid;
  l.element = std::move(element);
  const auto n = post(std::move(l), mid, false, true);
  if (!letters_[n].keeps_watched) drop(letters_[n]), dropped_.clear();
}

void run::used_weakly(caf::actor_control_block* a) {
  if (is_quiet_ || sends_weakly_ || !is_inside() || acts_directly()) return;
  const auto& s = *strands_[running_];
  if (s.actor() == a->get() || s.exit_from == a) return;
  if (const auto known = strands_of_.find(a->get()); known != strands_of_.end())
    strands_[known->second]->is_used_weakly = true;
  else if (const auto gone = ghosts_.find(a->get()); gone != ghosts_.end())
    leaves_out_weak_ = leaves_out_weak_ || strands_[gone->second]->was_unreachable;
}

void run::use(const void* key, number stands_for) {
  if (is_quiet_ || stands_for >= strands_.size() || strands_[stands_for]->told_as == untold) return;
  // What main draws must be a delivery's.
  was_busy_ = was_busy_ || (steps_ == 1 && strands_[stands_for]->pool != nullptr);
  let_others_come_first();
  note_use(key, stands_for);
}

void run::note_use(const void* key, number stands_for) {
  if (is_quiet_) return;
  any_start_used_memory_ = any_start_used_memory_ || is_start_;
  was_busy_ = true;
  told_.touches(strands_[stands_for]->told_as);
  const auto [first, is_new] = first_users_.try_emplace(key, running_);
  if (is_new || first->second == running_) return;
  seen_.share_memory();
  if (any_start_used_memory_) seen_.order_starts();
}

void run::let_others_come_first() {
  any_start_used_memory_ = any_start_used_memory_ || is_start_;
  if (!was_busy_ || is_left() || ends_systems_ > 0 || !is_inside() || strands_[running_]->code == nullptr) return;
  if (acts_directly()) return;  // after all that came before
  const auto timer = ++timers_;
  post_wake(running_, timer, true);
  wait({.what = awaits::turn, .timer = timer});
}

void run::use_memory_of(const caf::abstract_actor& a) {
  if (const auto known = strands_of_.find(&a); known != strands_of_.end()) use_memory_of(known->second);
}

void run::use_memory_of_all() {
  if (is_quiet_) return;
  let_others_come_first();
  was_busy_ = true;
  told_.touches_all();
  if (running_ == 0) return;  // main's own
  seen_.share_memory();
  if (any_start_used_memory_) seen_.order_starts();
}

/// All of a step, wherever it does.
void run::hold_memory(number which) {
  if (is_quiet_) return;
  told_.touches(0);
  if (is_start_) any_start_used_memory_ = true;
  const auto [first, is_new] = first_users_.try_emplace(&first_users_, which);
  if (is_new || first->second == which) return;
  seen_.share_memory();
  if (any_start_used_memory_) seen_.order_starts();
}

/// The mailbox into which CAF puts that; 0: it goes another way.
std::uint64_t run::mailbox_of(const letter& l) const {
  const auto of_strand = (std::uint64_t{l.to} + 1) << 32;
  constexpr auto what_is_done_to_it = std::uint64_t{1} << 31;  // in the order in which that is done
  if (l.is == letter::what::asked) return of_strand + what_is_done_to_it;
  if (l.is == letter::what::ends) return of_strand;  // what it has not taken by then comes later
  // After what whoever gives it up has sent before; in no order with others.
  if (l.is == letter::what::released) return of_strand + what_is_done_to_it / 2 + mail_posted_;
  if (l.is != letter::what::mail || l.is_thrown_away) return 0;
  return of_strand + (l.scoped == nullptr ? 0 : number_of_scoped(*l.scoped->get()));
}

/// Scoped actors of one strand may be of several systems, each of which counts its actors.
std::uint64_t run::number_of_scoped(const caf::abstract_actor& a) const {
  const auto of_system = std::find_if(systems_.begin(), systems_.end(),
                                      [&](const known_system& k) { return k.system == &a.home_system(); });
  return a.id() + (static_cast<std::uint64_t>(of_system - systems_.begin()) << 56);
}

/// The mailbox of who has sent that, and takes any answer: who is event-based; 0: nobody's.
std::uint64_t run::mailbox_of_sender(const letter& l) const {
  const auto* const by = l.element != nullptr && l.element->sender != nullptr ? l.element->sender->get() : nullptr;
  const auto known = strands_of_.find(by);
  if (by == nullptr || known == strands_of_.end()) return 0;
  const auto& s = *strands_[known->second];
  return s.handles == by && !s.has_ended ? (std::uint64_t{known->second} + 1) << 32 : 0;
}

run::number run::post(letter l, caf::message_id mid, bool starts, bool is_refusable) {
  auto& s = *strands_[l.to];
  tell(s);
  if (steps_ == 1 && !main_is_watched_ && !is_test_ && !is_quiet_) {
    main_is_watched_ = true;
    remember_variables(0);
  }
  ++mail_posted_;
  sent_any_ = was_busy_ = true;
  // CAF has thrown it away before word of its receiver's end was sent, if it had come by then.
  l.is_thrown_away = throws_away_;
  l.after = strands_[running_]->clock;
  // Whoever hands a reference on, and then sends something else, gives up its own after that.
  for (const auto of : in_last_) ++strands_[of]->handed_on;
  in_last_ = watched_in(l);
  l.keeps_watched = !in_last_.empty();
  // Nor is the answer for who has ended in order with what that one's end sent, and what else is answered: the thread
  // that asks may give it, if it has come too late.
  const bool is_early = throws_away_ || is_bouncing_ || l.is == letter::what::ends;
  const auto lane = sends_late_ || is_early ? lane::none : mid.is_urgent_message() ? lane::urgent : lane::normal;
  const auto n =
      told_.sent({.receiver = s.told_as,
                  .kind = l.kind,
                  .in = lane,
                  .starts = starts,
                  .may_be_refused = is_refusable,
                  .burst = l.element != nullptr && mid.is_async() ? shared_content_of(*l.element) : nullptr,
                  .posthumous = mid.is_request() || l.is == letter::what::asked || l.is == letter::what::released ||
                                l.keeps_watched,
                  .in_any_order_then = mid.is_request(),
                  .may_be_left = mid.is_response() || l.is == letter::what::wakes || l.is == letter::what::released ||
                                 l.is == letter::what::ends || is_of_the_system(l.kind),
                  .comes_last = l.is == letter::what::ends,
                  .comes_from_afar = sends_weakly_,
                  .queue = mailbox_of(l),
                  .is_urgent = mid.is_urgent_message(),
                  .comes_later = sends_late_,
                  .as_sender_ends = sends_weakly_,
                  .comes_before_all = acts_directly(),
                  .may_be_lost = may_be_lost(l),
                  .may_come_twice = may_be_lost(l) && !mid.is_response(),
                  .answered_to = l.is == letter::what::mail && mid.is_request() ? mailbox_of_sender(l) : 0,
                  .is_answered_by_place = tells_end_before_it_answers && s.handles != nullptr && mid.is_request()});
  // As CAF refers to whom it has scheduled.
  l.keeps_alive = l.is != letter::what::wakes && l.is != letter::what::ends && l.scoped == nullptr && !sends_weakly_ &&
                  (l.is != letter::what::mail || !s.has_ended);
  if (l.keeps_alive) ++s.pending;
  s.has_weak_timers = s.has_weak_timers || (sends_weakly_ && due_.has_value());
  last_sent_to_ = l.keeps_alive && (l.is != letter::what::mail || mid.is_response()) ? l.to : untold;
  l.at = due_.value_or(strands_[running_]->now);
  l.may_be_refused = is_refusable;
  l.mid = mid;
  if (letters_.size() <= n) letters_.resize(n + 1);
  if (l.element != nullptr) s.inbox.insert(std::upper_bound(s.inbox.begin(), s.inbox.end(), n), n);
  if (l.is == letter::what::mail) s.ever_got[mid.is_urgent_message() ? 1 : 0] = true;
  letters_[n] = std::move(l);
  last_posted_ = n;
  return n;
}

/// Who waits for messages takes those that it waits for; who has not started, none.
bool run::may_refuse(const strand& s, const letter& l) const {
  // Also if it has started by now: what is sent here may be sent before.
  const bool starts_later =
      s.has_start && &s != strands_[running_].get() && (!how_.eager_starts || seen_.orders_starts());
  return s.handles == nullptr || l.scoped != nullptr || starts_later || s.has_ended ||
         seen_of_program::is_seen(messages_are_refused, facts_);
}

void run::post_start(number of) {
  strands_[of]->must_start = strands_[of]->has_start = true;
  post({.is = letter::what::start, .to = of, .kind = "starts"}, caf::make_message_id(), true, false);
}

bool run::may_touch(const caf::abstract_actor& a) const {
  const auto known = strands_of_.find(&a);
  if (is_quiet_ || acts_directly() || known == strands_of_.end() || known->second == running_) return true;
  const auto& s = *strands_[known->second];
  return s.told_as == untold || s.made_in == steps_ || s.pool != nullptr;
}

void run::ask(caf::abstract_actor& a, std::string_view kind, std::function<void()> does) {
  ask(strand_of(a), kind, std::move(does));
}

void run::ask(number of, std::string_view kind, std::function<void()> does, caf::mailbox_element_ptr shown) {
  if (is_quiet_) return;
  tell_of_released();
  letter l{.is = letter::what::asked, .to = of, .kind = kind, .does = std::move(does), .by = running_};
  l.element = std::move(shown);
  post(std::move(l), caf::make_message_id(), false, true);
}

void run::ask_if_there(const caf::abstract_actor& a, std::string_view kind,
                       std::function<void(caf::abstract_actor&)> does) {
  const auto known = strands_of_.find(&a);
  const auto gone = ghosts_.find(&a);
  if (known == strands_of_.end() && gone == ghosts_.end()) return;
  const auto which = known != strands_of_.end() ? known->second : gone->second;
  const auto if_there = [this, which, does = std::move(does)] {
    if (auto* const there = strands_[which]->actor()) does(*there);
  };
  if (known != strands_of_.end() && may_touch(a)) return if_there();
  ask(which, kind, if_there);
}

bool run::is_running(const caf::abstract_actor& a) const { return strands_[running_]->actor() == &a; }

std::string_view run::kind_of_published(caf::mailbox_element& m, caf::actor_system& in) const { return kind_of(m, in); }

run::number run::add_memory(std::string_view name) {
  const auto which = add(name);
  if (!is_quiet_) tell(*strands_[which]);
  return which;
}

void run::post_wake(number to, std::uint64_t timer, bool is_to_look) {
  post({.is = letter::what::wakes, .to = to, .timer = timer, .is_to_look = is_to_look, .kind = "wakes"},
       caf::make_message_id(), false, true);
}

// Code that waits.

void run::run_code(number of, std::function<void()> code) {
  strands_[of]->code = std::make_unique<fiber>(std::move(code));
  resume(of);
}

void run::resume(number of) {
  auto& s = *strands_[of];
  const auto before = std::exchange(running_, of);
  if (whoever_watches != nullptr) whoever_watches(true);
  s.code->resume();
  // CAF notes the last system for each thread, and its destructor waits until none has noted it: the run may go on in
  // another thread.
  forget_system_of_thread();
  if (whoever_watches != nullptr) whoever_watches(false);
  running_ = before;
  if (s.timer_before != 0) clock_.cancel_wake(std::exchange(s.timer_before, 0));
  if (s.has_failed) return;
  if (s.code->is_done()) {
    s.code = nullptr;
    s.waits = {};
  } else if (s.handles != nullptr && !is_left()) {
    told_.may_refuse_answers();  // it is in the middle of a handler
  }
  settle(of);
}

/// The strand may have ended.
void run::settle(number of) {
  auto& s = *strands_[of];
  if (s.has_ended || s.actor() == nullptr || s.code != nullptr) return;
  if (!s.actor()->getf(terminated::is_terminated_flag)) return;
  s.has_ended = true;
  drop_letters_to(of);
  if (is_quiet_) return;
  const bool is_unexpected =
      s.handles != nullptr && std::as_const(*s.handles).fail_state() == caf::sec::unexpected_response;
  if (is_unexpected && !acts_directly())
    complain({.kind = finding_kind::unexpected,
              .message = "it has no handler for what its request was answered with, and ends"});
  told_.ended(s.told_as);
}

void run::wait(waiting what, bool returns_always) {
  if (acts_directly() && running_ != 0)
    reject("waiting in the middle of a handler that a test of CAF's deterministic fixture dispatches itself");
  auto& s = *strands_[running_];
  if (!is_leaving_) {
    s.waits = what;
    s.timed_out = false;
    fiber::running()->wait();
    s.timer_before = s.timed_out ? 0 : s.waits.timer;
    s.waits = {};
  }
  if (is_leaving_ && !returns_always) throw left{};
}

void run::wait_for_mail(caf::blocking_actor& a) {
  if (!a.mailbox().empty()) return;
  wait({.what = awaits::mail, .with = &a});
}

bool run::wait_for_mail(caf::blocking_actor& a, caf::actor_clock::time_point until) {
  if (is_leaving_) throw left{};
  if (!a.mailbox().empty()) return true;
  auto& s = *strands_[running_];
  auto timer = std::exchange(s.timer_before, 0);
  if (timer == 0 || s.until != until) {  // not after a message that it left in its mailbox
    if (timer != 0) clock_.cancel_wake(timer);
    timer = ++timers_;
    clock_.wake_at(until, timer, [this, to = running_, timer] { post_wake(to, timer); });
    s.until = until;
  }
  wait({.what = awaits::mail, .with = &a, .timer = timer});
  return !strands_[running_]->timed_out;
}

void run::sleep(caf::actor_clock::duration_type time) {
  if (is_leaving_) return;
  const auto timer = ++timers_;
  clock_.wake_at(now() + time, timer, [this, to = running_, timer] { post_wake(to, timer); });
  wait({.what = awaits::time, .timer = timer});
}

bool run::wait_for_change(const void* of, std::optional<caf::actor_clock::time_point> until) {
  auto& s = *strands_[running_];
  const auto timer = ++timers_;
  if (until) clock_.wake_at(*until, timer, [this, to = running_, timer] { post_wake(to, timer); });
  note_use(of, 0);
  ++waiting_for_change_;
  try {
    wait({.what = awaits::change, .timer = timer, .change = of});
  } catch (...) {
    --waiting_for_change_;
    throw;
  }
  --waiting_for_change_;
  note_use(of, 0);
  return !s.timed_out;
}

void run::tell_of_change(const void* of) {
  if (is_left()) return;
  note_use(of, 0);
  for (number s = 0; s < strands_.size(); ++s)
    if (strands_[s]->waits.what == awaits::change && strands_[s]->waits.change == of)
      post_wake(s, strands_[s]->waits.timer, true);
}

caf::actor_clock::time_point run::now() const { return clock_.now(); }

caf::actor_clock::duration_type run::time_told() const { return beginning_of_time + now().time_since_epoch(); }

caf::actor_clock::time_point run::time_told_as(caf::actor_clock::duration_type time) {
  return caf::actor_clock::time_point(time - beginning_of_time);
}

void run::wait_for_others(const caf::actor_registry& of, std::size_t left_over) {
  if (ends_systems_ > 0 || !is_inside()) return;  // within a destructor, which has waited before
  wait_for_count(of, left_over, false);
}

void run::wait_for_count(const caf::actor_registry& of, std::size_t left_over, bool returns_always) {
  const bool any_other = std::any_of(strands_.begin(), strands_.end(),
                                     [](const auto& s) { return s->actor() != nullptr && s->told_as != untold; });
  if (!is_leaving_ && !any_other && of.running() == left_over) return;
  wait({.what = awaits::others, .of = &of, .left = left_over, .timer = running_ == 0 ? 0 : ++timers_}, returns_always);
}

bool run::has_what_it_awaits(const strand& s) const {
  if (s.code == nullptr || s.has_failed) return false;
  return s.waits.what == awaits::rest || (s.waits.what == awaits::others && s.waits.of->running() == s.waits.left);
}

void run::act(caf::blocking_actor& a) {
  const auto report = [this](const std::string& what) {
    if (!is_quiet_) complain({.kind = finding_kind::exception, .message = what});
  };
  caf::error reason;
  try {
    a.initialize();
    a.act();
    reason = static_cast<const caf::local_actor&>(a).fail_state();
  } catch (const left&) {
    reason = caf::exit_reason::kill;
  } catch (const std::exception& e) {
    report(std::string("it threw: ").append(e.what()));
    reason = reason_of(e);
  } catch (...) {
    report("it threw something that is not derived from std::exception");
    reason = reason_of_unknown_exception();
  }
  clean_up(a, std::move(reason));
}

void run::fail(record what) {
  if (!is_quiet_) told_.failed(std::move(what));
  abandon();
}

void run::abandon() {
  if (strands_.front()->code.get() == fiber::running()) running_ = 0;  // in what a test dispatches itself, too
  strands_[running_]->has_failed = true;
  fiber::running()->abandon();
}

void run::thrown(const std::exception_ptr& what) {
  try {
    std::rethrow_exception(what);
  } catch (const left&) {
    return;
  } catch (const std::exception& e) {
    complain({.kind = finding_kind::exception, .message = std::string("a handler threw: ").append(e.what())});
  } catch (...) {
    if (is_test_) return;  // a requirement of the test's, which has told of it
    complain({.kind = finding_kind::exception,
              .message = "a handler threw something that is not derived from std::exception"});
  }
}

void run::exits(int status) {
  if (is_quiet_ || (status == 0 && running_ == 0)) abandon();
  fail({.kind = finding_kind::exception, .message = fmt::format("it called exit({})", status)});
}

void run::complain(record what) {
  if (!is_quiet_) told_.complained(std::move(what));
}

std::uint32_t run::random() {
  // splitmix64 (S. Vigna), of the strand and of how many it has drawn: what others draw meanwhile changes nothing.
  auto z = (static_cast<std::uint64_t>(strands_[running_]->told_as) << 32) + ++strands_[running_]->drawn;
  z *= 0x9e3779b97f4a7c15;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
  z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
  return static_cast<std::uint32_t>((z ^ (z >> 31)) >> 16);
}

void run::use_registry(const std::string& key, bool changes) {
  // Main has it to itself as long as nothing was delivered, and where its step comes after all others.
  if (is_quiet_ || steps_ == 1 || acts_directly()) return;
  const auto [used, is_first] = registry_.try_emplace(key, registry_use{running_, changes});
  if (is_first) return;
  used->second.is_changed = used->second.is_changed || changes;
  if (used->second.by != running_ && used->second.is_changed)
    reject(
        fmt::format("the registry as memory that several actors share ('{}' is changed by one of them while another "
                    "looks at it); put it there before the first message, or send it",
                    key));
}

void run::reject(std::string what) {
  if (rejected_.empty()) rejected_ = std::move(what);
  is_quiet_ = true;
  if (!is_inside()) check_rejection();
  throw left{};
}

void run::reject_threads() { reject(use_of_threads); }
void run::reject_waiting_threads() { reject(use_of_waiting_threads); }

/// Not from within the program's code, to which the lock on that would look like one of its own. Nor what a search
/// leaves out that begins anew, since it did not know enough.
void run::tell_what_is_left_out() {
  if (seen_.facts() != facts_)
    leaves_out_timers_ = leaves_out_ends_ = leaves_out_skipped_ = leaves_out_weak_ = leaves_out_memory_ =
        leaves_out_heap_ = false;
  if (std::exchange(leaves_out_timers_, false)) seen_.leave_out(early_timers);
  if (std::exchange(leaves_out_ends_, false)) seen_.leave_out(early_ends);
  if (std::exchange(leaves_out_skipped_, false)) seen_.leave_out(late_skipped);
  if (std::exchange(leaves_out_memory_, false)) seen_.leave_out(memory_in_messages);
  if (std::exchange(leaves_out_heap_, false)) seen_.leave_out(memory_without_messages);
  if (std::exchange(leaves_out_weak_, false)) seen_.leave_out(weak_references);
  if (is_test_) written_.clear();  // it runs one handler at a time
  for (const auto& variable : std::exchange(written_, {}))
    seen_.leave_out(fmt::format(
        "actors that use a variable ({}) while another is in the middle of a handler that uses it", variable));
}

void run::check_rejection() const {
  if (!rejected_.empty()) throw_untestable(rejected_);
  if (threads::have_used_actors(program_)) throw_untestable(use_of_threads);
}

// Actors that end without a message.
//
// CAF ends an actor to which nothing refers any more as soon as it has nothing to do: in the thread that has given up
// the last reference, or in its own, since a thread that has just run it refers to it, too. So its end may come at any
// time after all others have given up theirs, and what it sends comes after all that they sent before. Here whoever has
// fewer references to it after a step than before sends it a message, `released`, and it ends in its own step when it
// has taken them all. A step's messages must not depend on what others did: this is so of every step, or of none. For
// most actors none, since nobody hears of their end, and nobody can tell when it was. Where somebody does, the search
// begins anew, for which that is known (seen_of_program::see).
//
// What is sent to its address when somebody else ends (`down`, `exit`) does not keep it alive: whether that or its end
// comes first is for the order of what it takes.

void run::begin_step(number of, const letter* takes) {
  last_sent_to_ = untold;
  used_mutex_ = false;
  remember_variables(of);
  if (heap_.looks()) count_step(of, takes);
  in_last_.clear();
  for (const auto n : ending_) {
    strands_[n]->handed_on = 0;
    if (strands_[n]->held != nullptr) strands_[n]->references = strands_[n]->held->strong_refs - 1;
  }
}

/// Main goes on after all others if it is not woken by a letter.
void run::count_step(number of, const letter* takes) {
  shared_heap::clock counted(strands_.size());
  const auto join = [&](const std::shared_ptr<const shared_heap::clock>& other) {
    if (other == nullptr) return;
    for (std::size_t i = 0; i < other->size(); ++i) counted[i] = std::max(counted[i], (*other)[i]);
  };
  join(strands_[of]->clock);
  if (takes != nullptr) join(takes->after);
  if (takes == nullptr && of == 0)
    for (const auto& s : strands_) join(s->clock);
  heap_.count_step(of, ++counted[of]);
  strands_[of]->clock = std::make_shared<const shared_heap::clock>(std::move(counted));
}

/// And of what they are configured by.
std::vector<shared_variables::part> run::parts_of_systems() const {
  std::vector<shared_variables::part> all;
  for (const auto& s : systems_) {
    all.push_back(part_of(*s.system));
    all.push_back(part_of(*s.config));
  }
  return all;
}

void run::remember_variables(number before_step_of) {
  if (!is_test_) heap_.remember([this, before_step_of] { return owners_of_heap(before_step_of); });
  if (told_.is_known() && !shared_variables::is_any_written()) return variables_.skip();
  const auto& main = *strands_.front();
  if (before_step_of == 0 || main.code == nullptr || main.has_failed) return variables_.remember({}, {});
  const auto [begin, size] = main.code->stack();
  variables_.remember({begin, size}, parts_of_systems());
}

/// Who uses a mutex with it is in order with all others who do.
void run::note_variables() {
  if (is_quiet_ || used_mutex_) return;
  const auto written = variables_.changed();
  const bool is_heap_written = has_written_to_heap_of_others(running_);
  if (written.empty() && !is_heap_written) return;
  written_.insert(written.begin(), written.end());
  if (is_heap_written) leave_out_heap(running_);
  any_start_used_memory_ = any_start_used_memory_ || is_start_;
  was_busy_ = true;
  told_.touches_all();
  seen_.share_memory();
  if (any_start_used_memory_) seen_.order_starts();
}

/// Actors run while main does, once it has sent something.
void run::note_what_main_wrote() {
  note_unguarded_use(0);
  if (!main_is_watched_ || used_mutex_ || is_left()) return;
  const auto written = variables_.changed();
  written_.insert(written.begin(), written.end());
  if (has_written_to_heap_of_others(0)) leave_out_heap(0);
}

/// What a message leads to is said of that.
void run::leave_out_heap(number written_by) {
  (strands_[written_by]->holds_unguarded_memory ? leaves_out_memory_ : leaves_out_heap_) = true;
}

bool run::has_written_to_heap_of_others(number which) {
  const bool may_be_any = which == 0 || strands_[which]->children > 0;
  static const shared_heap::clock none;
  const auto& clock = strands_[which]->clock;
  return !is_test_ && heap_.is_shared_written(which, may_be_any, clock == nullptr ? none : *clock,
                                              [this] { return owners_of_heap(); });
}

/// Where the base class of an actor ends, others do not change anything but by what they have been given.
shared_heap::part run::own_of_caf(const strand& s) {
  const auto* const begin = reinterpret_cast<const char*>(s.actor()->ctrl());
  const auto of_base = s.blocks != nullptr ? sizeof(caf::blocking_actor)
                       : s.is_event_based  ? sizeof(caf::event_based_actor)
                                           : sizeof(caf::scheduled_actor);
  return {begin, static_cast<std::size_t>(reinterpret_cast<const char*>(s.actor()) - begin) + of_base};
}

/// @param only  an actor; nothing: all of them
shared_heap::owners run::owners_of_heap(std::optional<number> only) const {
  shared_heap::owners all;
  all.systems = parts_of_systems();
  const auto stack_of = [](const strand& s) -> shared_heap::part {
    if (s.code == nullptr || s.has_failed) return {nullptr, 0};
    const auto [begin, size] = s.code->stack();
    return {begin, size};
  };
  all.main_stack = stack_of(*strands_.front());
  for (number n = 1; n < strands_.size(); ++n) {
    const auto& s = *strands_[n];
    if (s.held == nullptr || s.actor() == nullptr) continue;
    all.cafs_own.push_back(own_of_caf(s));
    if (s.has_ended || s.is_pool) continue;
    if (only.value_or(n) != n) continue;
    auto& of = all.actors.emplace_back(shared_heap::holder{n, {part_of(*s.actor()->ctrl())}});
    if (const auto stack = stack_of(s); stack.begin != nullptr) of.roots.push_back(stack);
  }
  return all;
}

/// Who uses a mutex with it is in order with all others who do.
void run::note_unguarded_use(number which) {
  if (is_quiet_ || used_mutex_ || !strands_[which]->holds_unguarded_memory) return;
  if (user_of_unguarded_memory_.value_or(which) != which) leaves_out_memory_ = true;
  user_of_unguarded_memory_ = which;
}

/// Who has lost references in this step is told, unless the last that was sent goes there anyway.
void run::tell_of_released() {
  if (is_quiet_) return;
  for (const auto n : ending_) {
    auto& s = *strands_[n];
    if (s.held == nullptr || n == running_) continue;
    const auto all = s.held->strong_refs - 1;
    const auto references = all - std::min(all, s.handed_on);
    const bool is_new = s.made_in == steps_;
    if (is_new ? references > 0 || s.references == 0 : references >= s.references) continue;
    s.references = references;
    if (last_sent_to_ == n) continue;
    post({.is = letter::what::released, .to = n, .kind = "released_by", .by = running_}, caf::make_message_id(), false,
         false);
  }
}

/// What comes for a scoped actor that is not there any more.
void run::drop_letters_to_scoped() {
  std::erase_if(sent_to_scoped_, [this](number n) {
    auto& l = letters_[n];
    if (l.element == nullptr) return true;
    if (!l.scoped->get()->getf(terminated::is_terminated_flag)) return false;
    if (l.element->mid.is_request() || l.keeps_watched) return false;
    drop(l);
    return true;
  });
  dropped_.clear();
}

void run::end_step(number of) {
  if (is_quiet_) return;
  if (!sent_to_scoped_.empty()) drop_letters_to_scoped();
  tell_of_released();
  end_if_unreachable(of);
  while (!unreferenced_.empty()) {
    const auto* const a = unreferenced_.back()->get();
    unreferenced_.pop_back();
    if (const auto known = strands_of_.find(a); known != strands_of_.end()) end_if_unreachable(known->second);
  }
}

void run::end_if_unreachable(number which) {
  auto& s = *strands_[which];
  if (!is_unreachable(s) || s.pool != nullptr || s.told_as == untold) return;
  if (s.ends_by_itself) {
    if (which != running_) return;
    // What it has got, it may skip; and of another's end it may hear before.
    if (s.pending > 0 || !s.has_ended)
      return void(post({.is = letter::what::ends, .to = which, .kind = "ends"}, caf::make_message_id(), false, true));
    release(which);
    return tell_of_released();
  }
  if (s.pending > 0) return;
  if (is_heard(s)) return seen_.see(bit_of(s));
  const auto before = references_to_ending();
  const auto sent_before = std::exchange(sent_any_, false);
  release(which);
  if (sent_any_ || references_to_ending() < before) seen_.see(bit_of(s));
  sent_any_ = sent_any_ || sent_before;
}

std::size_t run::references_to_ending() const {
  std::size_t all = 0;
  for (const auto n : ending_)
    if (strands_[n]->held != nullptr) all += strands_[n]->held->strong_refs;
  return all;
}

/// Whether somebody hears of its end, or it would hear of another's, or of time.
bool run::is_heard(const strand& s) const {
  if (s.has_ended) return false;
  // A timer that has come might have come later.
  if (s.watches > 0 || !s.aside.empty() || s.has_weak_timers) return true;
  const auto* const a = dynamic_cast<const monitorable*>(s.actor());
  return a != nullptr && opened_monitorable::is_watched(*a);
}

/// The others are of no actor.
std::uint32_t run::bit_of(const strand& s) { return static_cast<std::uint32_t>(s.key % messages_are_refused); }

/// Whether a lock is free is seen by who tries to have it: so it is held for a time, not for a moment.
void run::tries_lock() {
  if (!is_quiet_) seen_.see(locks_are_tried);
}

void run::is_about_to_unlock(const void* mutex) {
  if (seen_of_program::is_seen(locks_are_tried, facts_) && !is_left() && holders_.contains(mutex)) use(mutex, 0);
}

void run::close(strand& s, letter& l) {
  if (std::exchange(l.keeps_alive, false)) --s.pending;
}

bool run::is_unreachable(const strand& s) const {
  return s.held != nullptr && s.code == nullptr && s.held->strong_refs == 1;
}

bool run::release_unreachable() {
  bool any = false;
  for (number i = 0; i < strands_.size(); ++i) {
    if (!is_unreachable(*strands_[i])) continue;
    if (sent_any_) break;  // a destructor has sent something: that comes first
    any = true;
    const bool ends_late = strands_[i]->told_as != untold && !is_quiet_;
    const bool watched_others = !strands_[i]->has_ended && strands_[i]->watches > 0;
    const auto references = references_to_ending();
    release(i);
    // Another lasts as long as this refers to it: so its own end is a step, too.
    if (ends_late && !strands_[i]->ends_by_itself && !strands_[i]->is_pool && references_to_ending() < references)
      seen_.see(bit_of(*strands_[i]));
    if (!ends_late || (!sent_any_ && !watched_others)) continue;
    if (strands_[i]->ends_by_itself || strands_[i]->is_pool)
      leaves_out_ends_ = true;
    else
      seen_.see(bit_of(*strands_[i]));
  }
  return any;
}

void run::release(number which) {
  auto& s = *strands_[which];
  const auto* const a = s.actor();
  const auto before = std::exchange(running_, which);
  for (auto& left_over : s.aside) {
    if (left_over->mid.is_request() && !is_quiet_)
      caf::detail::sync_request_bouncer{answer_of_unreachable()}(*left_over);
    dropped_.push_back(std::move(left_over));
  }
  s.aside.clear();
  // All that it has got is known to it: whoever sent that has given it up since.
  if (!s.has_ended) drop_from_inbox(s, [](const letter& l) { return l.keeps_alive && !l.element->mid.is_request(); });
  drop_letters_to(which);
  tell_of_released();
  s.was_unreachable = !s.has_ended;
  if (s.was_unreachable && s.is_used_weakly) leaves_out_weak_ = true;
  auto last = std::move(s.held);
  s.held = nullptr;
  last = nullptr;  // CAF's cleanup runs here
  running_ = before;
  strands_of_.erase(a);
  ghosts_[a] = which;
  s.handles = nullptr, s.blocks = nullptr, s.pool = nullptr;
  if (!std::exchange(s.has_ended, true) && s.told_as != untold && !is_quiet_) told_.ended(s.told_as);
}

/// CAF 0.17 throws its mail away before anybody hears of its end, CAF 1 when it has ended.
void run::tells_its_end(const caf::abstract_actor& a) {
  if (is_quiet_ || ending_.empty() || acts_directly()) return;
  const auto known = strands_of_.find(&a);
  if (!tells_end_before_it_answers && known != strands_of_.end()) drop_letters_to(known->second);
  tell_of_released();  // before it is looked for who is told, which refers to them
}

/// What nobody takes any more, CAF throws away: it keeps neither its sender nor what is in it.
void run::drop_letters_to(number which) {
  drop_from_inbox(*strands_[which], [](const letter& l) { return !l.element->mid.is_request() && !l.keeps_watched; });
  if (!is_leaving_) dropped_.clear();
}

template <class Test>
void run::drop_from_inbox(strand& s, Test is_dropped) {
  std::erase_if(s.inbox, [&](number n) {
    auto& l = letters_[n];
    if (l.element == nullptr || !is_dropped(l)) return false;
    drop(l);
    return true;
  });
}

/// What it was may still be asked.
void run::drop(letter& l) {
  close(*strands_[l.to], l);
  l.said = text_of(*l.element, l.kind);
  dropped_.push_back(std::move(l.element));
}

void run::kill(number which) {
  auto& s = *strands_[which];
  if (s.code != nullptr && !s.has_failed) {
    for (int i = 0; s.code != nullptr && !s.has_failed && i < most_refusals_to_leave; ++i) resume(which);
  }
  const auto before = std::exchange(running_, which);
  if (s.handles != nullptr && !s.handles->getf(is_cleaned_up_flag)) {
    s.handles->context(executor_for(s.handles->home_system()));
    s.handles->quit(caf::exit_reason::kill);
    s.handles->finalize();
  } else if (s.blocks != nullptr && !s.blocks->getf(is_cleaned_up_flag)) {
    s.blocks->cleanup(caf::exit_reason::kill, executor_for(s.blocks->home_system()));
  }
  running_ = before;
}

void run::kill_all_of(const caf::actor_system& system) {
  const auto is_of_it = [&](const strand& s) { return s.actor() != nullptr && &s.actor()->home_system() == &system; };
  const auto was_leaving = std::exchange(is_leaving_, true);
  for (number i = 1; i < strands_.size(); ++i)
    if (is_of_it(*strands_[i]) && strands_[i]->told_as != untold && i != running_) kill(i);
  clock_.cancel_all();
  for (auto& l : letters_)
    if (l.element != nullptr) dropped_.push_back(std::move(l.element));
  groups_.stop(system);
  for (auto& l : letters_) l.scoped = nullptr, l.does = nullptr;
  for (number i = 1; i < strands_.size(); ++i) {
    if (!is_of_it(*strands_[i])) continue;
    auto& s = *strands_[i];
    strands_of_.erase(s.actor());
    s.handles = nullptr, s.blocks = nullptr, s.pool = nullptr;
    s.in_hand = nullptr;
    s.aside.clear();
    auto last = std::move(s.held);
    s.held = nullptr;
  }
  dropped_.clear();
  is_leaving_ = was_leaving;
}

run::~run() {
  const entered me(*this);
  --runs_alive;
  is_quiet_ = is_leaving_ = true;
  for (std::size_t i = 0; i < systems_.size(); ++i) kill_all_of(*systems_[i].system);
  auto& main = *strands_.front();
  for (int i = 0; main.code != nullptr && !main.has_failed && i < most_refusals_to_leave; ++i) resume(0);
  while (!systems_.empty()) {  // of a main function that failed
    auto* const system = systems_.back().system;
    auto* const config = systems_.back().config;
    system->~actor_system();
    if (dynamic_cast<const kept_config*>(config) == nullptr) config->~actor_system_config();
  }
  dropped_.clear();
  keep_stacks_for_threads();
}

/// What was abandoned may be what such a thread still refers to.
void run::keep_stacks_for_threads() {
  if (!threads::any()) return;
  static std::mutex one_at_a_time;
  static auto& kept = *new std::vector<std::unique_ptr<fiber>>;  // also when static objects are destroyed
  const std::lock_guard lock(one_at_a_time);
  for (auto& s : strands_)
    if (s->code != nullptr) kept.push_back(std::move(s->code));
}

// As a person reads it.

std::string run::describe(number message) const {
  return text_of_letter(
      message, [](const strand& s) { return s.told_as == 0 ? s.name : reexecution::actor_in_text(s.told_as); });
}

std::string run::text_of_letter(number message, const naming_function& name) const {
  const auto& l = letters_[message];
  if ((l.is == letter::what::asked || l.is == letter::what::released) && l.element == nullptr)
    return fmt::format("{}({})", l.kind, name(*strands_[l.by]));
  if (l.element == nullptr) return l.said.empty() ? std::string(l.kind) + "()" : text(l.said, name);
  return text(text_of(*l.element, l.kind), name);
}

std::string run::text(const std::string& raw, const naming_function& name) const {
  constexpr std::string_view node = node_in_text;
  std::string told;
  std::size_t from = 0;
  for (auto at = raw.find(node); at != std::string::npos; at = raw.find(node, from)) {
    auto digits = at;
    while (digits > from && std::isdigit(static_cast<unsigned char>(raw[digits - 1])) != 0) --digits;
    told.append(raw, from, digits - from);
    const auto id = raw.substr(digits, at - digits);
    const auto named = std::find_if(strands_.begin(), strands_.end(),
                                    [&](const auto& s) { return s->told_as != untold && std::to_string(s->id) == id; });
    told += named != strands_.end() ? name(**named) : fmt::format("actor {}", id);
    from = at + node.size();
  }
  return told.append(raw, from);
}

}  // namespace harrier::caf_adapter
