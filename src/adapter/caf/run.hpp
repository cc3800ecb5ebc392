#pragma once

#include <caf/all.hpp>
#include <cstdint>
#include <exception>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include <harrier/adapter/caf/program.hpp>
#include <harrier/adapter/reexecution/live_run.hpp>

#include "clock.hpp"
#include "fiber.hpp"
#include "group.hpp"
#include "naming.hpp"
#include "shared_heap.hpp"
#include "shared_variables.hpp"
#include "version.hpp"

namespace harrier::caf_adapter {

using program_body = std::function<void()>;

/// What a program's systems are configured by that says nothing of it itself: one for all its runs, since a seventh of
/// an execution is the making of its options.
struct kept_config final : caf::actor_system_config {};

/// One run of a CAF program, its main function on a fiber.
///
/// A *strand* is what harrier takes for an actor: an event-based actor, a blocking
/// one or a pool, or the main function; with all scoped actors that its code
/// makes. What CAF would put into a mailbox is told to harrier instead, and comes
/// into it when harrier delivers it. Code runs on a fiber, so a strand may wait in
/// its middle.
class run final : public reexecution::live_run {
public:
  using number = std::uint32_t;
  /// Of what is known of a program (seen_of_program::see): an event-based actor refuses messages for now, since it
  /// skips them or is in the middle of a handler. In most programs none does, so that nothing need be tried.
  static constexpr std::uint32_t messages_are_refused = seen_of_program::most_facts_of_adapter - 2;

  /// @param program  above 0, and another than that of other programs
  /// @param seen  where it tells what the search must know of the program
  run(const program_body& body, std::uint64_t program, const caf_options& how, seen_of_program& seen,
      reexecution::listener& told);
  run(const run&) = delete;
  run& operator=(const run&) = delete;
  ~run() override;

  void begin() override;
  bool deliver(number message) override;
  [[nodiscard]] std::string describe(number message) const override;
  [[nodiscard]] bool goes_on() const override;
  void go_on() override;
  [[nodiscard]] std::vector<record> at_end() const override;
  void lose(number message) override;
  void send_again(number message) override;
  /// Of event-based actors; not in the middle of a handler.
  [[nodiscard]] bool may_crash(number actor) const override;
  /// As CAF ends an actor that is killed (exit_reason::kill).
  void crash(number actor) override;

  /// The run of the code that runs in this thread; null if that is none's.
  static run* current();
  /// Whether the code that runs in this thread is the program's.
  static bool is_inside() { return fiber::running() != nullptr; }
  /// Whether actors of `s` belong to a run, if not to this thread's.
  static bool is_of_some_run(caf::actor_system& s);
  /// Whether any thread has a run.
  static bool is_any_alive();
  [[nodiscard]] bool has(const caf::actor_system& s) const;
  [[nodiscard]] std::uint64_t program() const { return program_; }

  /// @name What the program does, caught on its way into CAF
  /// @{
  [[nodiscard]] bool is_making_system() const { return makes_system_; }
  void system_begins(caf::actor_system_config& config);
  void system_made(caf::actor_system& s, caf::actor_system_config& config);
  /// @post nothing of it is left in the run, which tells nothing of it any more.
  void system_goes(caf::actor_system& s);
  void system_gone(const caf::actor_system& s);
  void launched(caf::scheduled_actor& a, bool is_lazy);
  void launched(caf::blocking_actor& a);
  void made(caf::blocking_actor& a) { strands_of_[&a] = running_; }
  void made(caf::actor_pool& pool);
  void send(caf::abstract_actor& to, caf::mailbox_element_ptr element);
  /// Whether what others do to `a` without a message, to watch its end, say, can be done at once: nobody else can see
  /// whether it was done earlier or later. If not, it has to be asked of it.
  [[nodiscard]] bool may_touch(const caf::abstract_actor& a) const;
  /// Somebody has given up a reference to `a`, and only the run has another.
  void unreferenced(caf::actor_control_block* a) { unreferenced_.push_back(a); }
  /// The running strand has looked whether an actor to which it has no reference is still there.
  void used_weakly(caf::actor_control_block* a);
  /// `a` ends, and is about to tell somebody.
  void tells_its_end(const caf::abstract_actor& a);
  /// What another's end sends to `a`, which is not there any more: harrier is told of it, since `a` might have been.
  void send_to_ghost(const caf::abstract_actor& a, caf::mailbox_element_ptr element, caf::actor_system& in);
  [[nodiscard]] bool is_ghost(const caf::abstract_actor& a) const;
  /// While `on`, what is sent goes to addresses: it does not keep its receivers alive. @return whether it was
  bool send_weakly(bool on) { return std::exchange(sends_weakly_, on); }
  /// The running strand is to be told of an end.
  void watches() { ++strands_[running_]->watches; }
  /// The running strand uses memory that actors share: a pool, say, in which it chooses a worker.
  void use_memory_of(const caf::abstract_actor& a);
  void use_memory_of(number of) { use(strands_[of].get(), of); }
  /// The same of memory that no strand stands for.
  void use_memory_at(const void* address) { use(address, 0); }
  /// It writes something at which others look unseen: a promise that is kept.
  void use_memory_of_all();
  /// Has `does` done to `a` when it takes that as a message.
  void ask(caf::abstract_actor& a, std::string_view kind, std::function<void()> does);
  /// The same of a strand, shown as a message. Nothing is done while the run is left.
  void ask(number of, std::string_view kind, std::function<void()> does, caf::mailbox_element_ptr shown = nullptr);
  /// The same of one to which it need not refer any more: nothing is done if that has gone by then.
  void ask_if_there(const caf::abstract_actor& a, std::string_view kind,
                    std::function<void(caf::abstract_actor&)> does);
  /// Whether that is the actor that runs.
  [[nodiscard]] bool is_running(const caf::abstract_actor& a) const;
  /// Whether what is sent now is what a timer sends.
  [[nodiscard]] bool is_time_acting() const { return sends_late_; }
  /// The running code takes a lock next that is CAF's, though the code is the program's.
  void next_lock_is_of_caf(bool it_is) { next_lock_is_of_caf_ = it_is; }
  bool takes_lock_of_caf() { return std::exchange(next_lock_is_of_caf_, false); }
  [[nodiscard]] std::string_view kind_of_published(caf::mailbox_element& m, caf::actor_system& in) const;
  groups& local_groups() { return groups_; }
  /// A strand that takes nothing, and stands for memory that actors share.
  number add_memory(std::string_view name);
  [[nodiscard]] number running() const { return running_; }
  [[nodiscard]] bool is_main_running() const { return running_ == 0; }
  void wait_for_mail(caf::blocking_actor& a);
  /// @return false if it is `until` first
  bool wait_for_mail(caf::blocking_actor& a, caf::actor_clock::time_point until);
  void wait_for_others(const caf::actor_registry& of, std::size_t left);
  void sleep(caf::actor_clock::duration_type time);
  /// Lets the running strand wait for what another does without a message. It goes on, to look whether that has been
  /// done, when it is told. @param of  the same for the same thing
  /// @return false if it is `until` first
  bool wait_for_change(const void* of, std::optional<caf::actor_clock::time_point> until);
  /// Who waits for a change of that can go on: one more event.
  void tell_of_change(const void* of);
  /// The running strand has a mutex now, or not any more.
  void holds_mutex(const void* mutex) { holders_[mutex] = running_, used_mutex_ = true; }
  void lets_go_of_mutex(const void* mutex) { used_mutex_ = holders_.erase(mutex) > 0 || used_mutex_; }
  /// Whether a mutex is free makes a difference to the running strand, which does not wait for it.
  void tries_lock();
  void is_about_to_unlock(const void* mutex);
  /// The program's code has no handler for a message, or its own has run; so CAF or that skips it.
  void skipped_by_caf() { skipped_by_caf_ = true; }
  void skipped_by_program() { skipped_by_program_ = true; }
  [[nodiscard]] bool any_waits_for_change() const { return waiting_for_change_ > 0; }
  [[noreturn]] void fail(record what);
  /// Leaves the running strand's code where it is, for good.
  [[noreturn]] void abandon();
  void complain(record what);
  /// The program ends its process: with 0, it has come to its end.
  [[noreturn]] void exits(int status);
  /// That left a handler, and the actor has no exception handler of its own.
  void thrown(const std::exception_ptr& what);
  /// The running strand looks at an entry of the registry, or changes it.
  void use_registry(const std::string& key, bool changes);
  /// The program does what cannot be explored.
  [[noreturn]] void reject(std::string what);
  /// Threads of its own have used actors.
  [[noreturn]] void reject_threads();
  /// They wait for what only actors could do.
  [[noreturn]] void reject_waiting_threads();
  /// As good as a random number, and the same in each run.
  std::uint32_t random();
  std::uint64_t choose(std::uint64_t arity) { return told_.choose(arity); }
  [[nodiscard]] bool is_left() const { return is_leaving_ || !rejected_.empty(); }

  /// @name A test that dispatches messages itself, by CAF's own deterministic fixture
  /// Some it lets harrier dispatch. The actors' mailboxes are the fixture's. In CAF 1 alone.
  /// @{

  /// Main is such a test, and goes on when nothing can be delivered.
  void begin_test();
  /// What happens now is main's doing: it happens at once, as the fixture has it.
  [[nodiscard]] bool acts_directly() const {
    return is_test_ && !is_quiet_ && fiber::running() != nullptr && strands_.front()->code.get() == fiber::running();
  }
  [[nodiscard]] bool is_test() const { return is_test_; }
  /// `starts` starts that actor, which has just been launched.
  void launched_directly(caf::scheduled_actor& a, const std::function<void()>& starts);
  /// `resumes` has it take its next message.
  void dispatch_directly(caf::scheduled_actor& to, const std::function<void()>& resumes);
  /// One reference to `a` less.
  void dropped_directly(caf::actor_control_block& a);
  struct addressed_mail {
    caf::scheduled_actor* to;
    caf::mailbox_element_ptr element;
  };
  /// Sends that, and waits until nothing can be delivered. @return how many messages were
  std::size_t dispatch_all(std::vector<addressed_mail> mail);
  /// @}

  /// The time of the running strand, and what the program is told of it.
  [[nodiscard]] caf::actor_clock::time_point now() const;
  [[nodiscard]] caf::actor_clock::duration_type time_told() const;
  [[nodiscard]] static caf::actor_clock::time_point time_told_as(caf::actor_clock::duration_type time);
  /// @}

private:
  /// Thrown on the stack of a strand that waits when the run is left.
  struct left {};
  /// While one of its functions runs, the run is this thread's.
  class entered {
  public:
    explicit entered(run& r);
    entered(const entered&) = delete;
    entered& operator=(const entered&) = delete;
    ~entered();

  private:
    run* before_;
  };

  enum class awaits : std::uint8_t { nothing, mail, others, time, rest, change, turn };
  struct waiting {
    awaits what = awaits::nothing;
    caf::blocking_actor* with = nullptr;
    const caf::actor_registry* of = nullptr;
    std::size_t left = 0;
    std::uint64_t timer = 0;       // 0: no time limit
    const void* change = nullptr;  // of what
  };
  struct open_request {
    std::uint64_t id;               // of those of `by`
    const caf::abstract_actor* by;  // itself, or a scoped actor of its
    number to;
    std::string_view kind;
  };
  struct strand {
    std::string name;
    std::vector<open_request> asked;  // that was not answered yet
    std::vector<number> inbox;        // letters that it may still take, in order
    number told_as = untold;
    caf::scheduled_actor* handles = nullptr;  // one of these, or none: the main function
    caf::blocking_actor* blocks = nullptr;
    caf::abstract_actor* pool = nullptr;
    caf::strong_actor_ptr held = nullptr;
    std::unique_ptr<fiber> code;  // it waits in its middle, or failed
    waiting waits;
    std::uint64_t timer_before = 0;  // of the wait that just ended, before its time
    caf::actor_clock::time_point until;
    caf::mailbox_element_ptr in_hand;
    bool took = true;
    bool timed_out = false;
    bool must_start = false;    // before it takes anything
    bool has_start = false;     // it had to, or has to
    std::uint64_t made_in = 0;  // a step
    bool has_ended = false;
    bool has_failed = false;
    bool is_event_based = false;
    bool holds_memory = false;  // which others have, too
    bool holds_unguarded_memory = false;
    int watches = 0;        // ends of others, that it was not told of yet
    int pending = 0;        // letters that keep it alive
    std::uint64_t key = 0;  // the same in every interleaving
    std::uint64_t children = 0;
    bool ends_by_itself = false;  // its end is heard, so that it is a step of its own
    std::size_t references = 0;   // before this step, or as it told last
    std::size_t handed_on = 0;    // of these, to it: in what this step sent, but for the last
    bool is_used_weakly = false;
    bool ever_got[2] = {false, false};  // by whether it is urgent
    bool was_unreachable = false;
    bool has_weak_timers = false;  // which come early, and do not keep it alive
    bool is_pool = false;
    const caf::actor_control_block* exit_from = nullptr;  // what it takes is of that one's end
    caf::actor_id id = 0;
    std::vector<caf::mailbox_element_ptr> aside;                // what its own code has skipped, in order
    std::uint64_t drawn = 0;                                    // by std::random_device and rand()
    caf::actor_clock::time_point now;                           // if timers come at any time
    std::shared_ptr<const shared_heap::clock> clock = nullptr;  // with the step that it does; null: not counted
    [[nodiscard]] caf::abstract_actor* actor() const;
  };
  struct letter {
    enum class what : std::uint8_t { mail, start, wakes, asked, released, ends };
    what is = what::mail;
    number to = 0;                               // a strand
    caf::strong_actor_ptr scoped = nullptr;      // the one of its actors, if that is not itself
    caf::mailbox_element_ptr element = nullptr;  // null: it was taken
    std::uint64_t timer = 0;                     // of what wakes
    bool is_to_look = false;                     // whether what it waits for is there
    shared_memory memory = shared_memory::none;  // in it, which its sender may still have
    bool keeps_watched = false;                  // one of whom it is known that its end is heard
    bool keeps_alive = false;                    // its receiver, until it is taken
    bool is_thrown_away = false;                 // the mail by which that was referred to
    bool may_be_refused = true;
    std::string said = {};  // what it was, when the element is gone
    std::string_view kind;
    caf::message_id mid = {};
    std::function<void()> does = nullptr;                       // of what is asked
    number by = 0;                                              // by that strand
    std::shared_ptr<const shared_heap::clock> after = nullptr;  // of its sender's step
    caf::actor_clock::time_point at = {};                       // of its sender, or when it was due
  };
  struct known_system {
    caf::actor_system* system;
    caf::actor_system_config* config;
    std::unique_ptr<idle_executor> executor_of_it;
  };

  static constexpr auto untold = static_cast<number>(-1);

  number add(std::string_view name);
  void tell(strand& s);
  void use(const void* key, number stands_for);
  void note_use(const void* key, number stands_for);
  void hold_memory(number strand);
  number strand_of(caf::abstract_actor& a);
  [[nodiscard]] std::uint64_t mailbox_of(const letter& l) const;
  [[nodiscard]] std::uint64_t mailbox_of_sender(const letter& l) const;
  [[nodiscard]] std::uint64_t number_of_scoped(const caf::abstract_actor& a) const;
  number post(letter l, caf::message_id mid, bool starts, bool is_refusable);
  [[nodiscard]] bool may_refuse(const strand& s, const letter& l) const;
  void post_start(number of);
  void post_wake(number to, std::uint64_t timer, bool is_to_look = false);
  executor* executor_for(const caf::actor_system& s) const;

  /// Runs `code` as the strand's, to its end or to where it waits.
  void run_code(number of, std::function<void()> code);
  void resume(number of);
  void resume_main();
  void settle(number of);
  bool give(number n, strand& s);
  void bounce(strand& s, caf::mailbox_element_ptr element);
  void bounce_aside(strand& s);
  [[nodiscard]] bool may_be_lost(const letter& l) const;
  [[nodiscard]] number strand_told_as(number actor) const;
  void act(caf::blocking_actor& a);
  void run_main();
  void wait_for_count(const caf::actor_registry& of, std::size_t left, bool returns_always);
  /// Others may come first: what follows is a step of its own.
  void let_others_come_first();
  /// Lets the running strand wait. @throws left  the run is left, unless it must return
  void wait(waiting what, bool returns_always = false);
  [[nodiscard]] bool is_unreachable(const strand& s) const;
  [[nodiscard]] bool has_what_it_awaits(const strand& s) const;
  bool release_unreachable();
  bool came_first(number posted);
  void ends_by_itself(number which);
  [[nodiscard]] static std::uint32_t bit_of(const strand& s);
  void begin_step(number of, const letter* takes = nullptr);
  void count_step(number of, const letter* takes);
  [[nodiscard]] std::vector<shared_variables::part> parts_of_systems() const;
  void remember_variables(number before_step_of);
  void note_variables();
  /// Whether the step of that strand has written to memory that others have, too.
  [[nodiscard]] bool has_written_to_heap_of_others(number which);
  void leave_out_heap(number written_by);
  [[nodiscard]] shared_heap::owners owners_of_heap(std::optional<number> only = std::nullopt) const;
  [[nodiscard]] static shared_heap::part own_of_caf(const strand& s);
  void end_step(number of);
  void drop_letters_to_scoped();
  void tell_ends_in_test();
  void tell_of_released();
  void end_if_unreachable(number which);
  /// To those whose end is a step.
  [[nodiscard]] std::size_t references_to_ending() const;
  [[nodiscard]] bool is_heard(const strand& s) const;
  /// To whom that refers of whom it is known that their ends are heard, each as often as it does. What its receiver
  /// does not take any more keeps them alive until it is thrown away: that is a step of the receiver.
  [[nodiscard]] std::vector<number> watched_in(const letter& l) const;
  static void close(strand& s, letter& l);
  void drop(letter& l);
  void release(number which);
  void drop_letters_to(number which);
  template <class Test>
  void drop_from_inbox(strand& s, Test is_dropped);
  void handle(strand& s);
  bool activate(strand& s, caf::mailbox_element& m);
  void note_skipped(strand& s, bool is_urgent, bool has_skipped);
  [[nodiscard]] bool has_mail_of_priority(const strand& s, bool is_urgent) const;
  void note_unguarded_use(number which);
  void note_what_main_wrote();
  void kill(number s);
  void keep_stacks_for_threads();
  void kill_all_of(const caf::actor_system& s);
  void check_rejection() const;
  void tell_what_is_left_out();
  [[nodiscard]] std::string name_of(const strand& s) const;
  [[nodiscard]] std::string who_waits(const strand& s, std::vector<number>& on) const;
  /// Why it does nothing, though nobody runs it; empty if it got what it has asked for.
  [[nodiscard]] std::string why_idle(number which, std::vector<number>& on) const;
  void note_request(const caf::mailbox_element& m, number to, std::string_view kind);
  void note_answer(strand& to, caf::message_id mid, const caf::abstract_actor& by);
  /// How an actor is called.
  using naming_function = std::function<std::string(const strand&)>;
  [[nodiscard]] std::string text_of_letter(number message, const naming_function& name) const;
  /// With the actors' names for what CAF writes: the number of an actor, and that of its node.
  [[nodiscard]] std::string text(const std::string& raw, const naming_function& name) const;

  const program_body& body_;
  std::uint64_t program_;
  caf_options how_;
  seen_of_program& seen_;
  reexecution::listener& told_;
  clock clock_;
  std::vector<std::unique_ptr<strand>> strands_;
  std::unordered_map<const caf::abstract_actor*, number> strands_of_;
  std::vector<letter> letters_;
  number last_posted_ = untold;
  std::vector<known_system> systems_;
  groups groups_{*this};
  std::vector<caf::mailbox_element_ptr> dropped_;
  std::string rejected_;
  number running_ = 0;
  number ran_last_ = 0;  // whose step was the last
  number actors_told_ = 1;
  std::uint64_t timers_ = 0;
  std::uint64_t steps_ = 1;
  bool was_busy_ = false;  // it has sent something or used memory in this step
  bool is_start_ = false;  // of an actor
  bool any_start_used_memory_ = false;
  bool leaves_out_timers_ = false;
  bool leaves_out_ends_ = false;
  bool leaves_out_weak_ = false;
  bool leaves_out_skipped_ = false;
  bool leaves_out_memory_ = false;
  bool leaves_out_heap_ = false;
  std::optional<number> user_of_unguarded_memory_;
  bool main_is_watched_ = false;  // since its first message, before which no actor can see what it writes
  bool skipped_by_caf_ = false;
  bool skipped_by_program_ = false;
  bool next_lock_is_of_caf_ = false;
  int waiting_for_change_ = 0;
  std::uint32_t facts_ = 0;  // what was known when the search began
  shared_variables variables_;
  shared_heap heap_;
  bool used_mutex_ = false;        // of the program's, in this step
  std::set<std::string> written_;  // variables that were, and are to be told of
  std::vector<caf::actor_control_block*> unreferenced_;
  std::vector<number> sent_to_scoped_;
  std::vector<number> ending_;                                     // who end by themselves, in the order of their keys
  std::vector<number> in_last_;                                    // of these, in what was sent last in this step
  std::unordered_map<const caf::abstract_actor*, number> ghosts_;  // who are not there any more
  number last_sent_to_ = untold;                                   // in this step, what keeps it alive
  bool is_bouncing_ = false;                                       // a request to who has ended
  bool sends_weakly_ = false;
  bool throws_away_ = false;                             // what came for one who has ended
  std::unordered_map<const void*, number> first_users_;  // of memory
  std::unordered_map<const void*, number> holders_;      // of mutexes
  std::optional<caf::actor_clock::time_point> due_;      // of the timer that is set
  bool is_quiet_ = false;                                // what happens is nobody's to know
  bool is_leaving_ = false;
  int ends_systems_ = 0;  // whose destructors run
  bool makes_system_ = false;
  bool made_any_system_ = false;
  struct registry_use {
    number by;
    bool is_changed;
  };
  std::map<std::string, registry_use> registry_;
  bool sends_late_ = false;  // what is sent now is in order with nothing: no actor sends it
  bool sent_any_ = false;
  bool is_test_ = false;
  bool is_going_on_ = false;
  std::size_t mail_taken_ = 0;
  std::uint64_t mail_posted_ = 0;
  std::vector<number> ended_in_test_;  // and harrier was not told yet
};

}  // namespace harrier::caf_adapter
