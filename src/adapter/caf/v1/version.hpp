#pragma once

#include <caf/all.hpp>
#include <caf/mailbox_element.hpp>
#include <caf/scheduler.hpp>
#include <string>

/// What CAF 1 calls otherwise than CAF 0.17, or does otherwise: the rest of the adapter knows it by these names.
namespace harrier::caf_adapter {

class clock;

/// In whose name an actor runs.
using executor = caf::scheduler;
/// What a message says.
using message_content = caf::message;
/// Of whose end others can hear.
using monitorable = caf::abstract_actor;
/// What a default handler is given, and gives.
using unhandled_message = caf::message;
using answer_to_unhandled = caf::skippable_result;

inline answer_to_unhandled skipped() { return caf::skip; }

/// Who ends tells of that, and throws away what is in its mailbox then; whom nothing refers to, before.
constexpr bool tells_end_before_it_answers = true;

/// An actor fetches what has come into its mailbox when it has nothing left of what it fetched before.
constexpr bool fetches_when_nothing_is_left = true;
/// What an actor has skipped it is shown again only when it has taken another of the same priority.
constexpr bool shows_skipped_late = false;

/// Of an actor that has told of its end.
constexpr auto is_cleaned_up_flag = caf::abstract_actor::is_terminated_flag;

/// Stands in for what runs actors in CAF. It has nothing to do: all that it could be given was caught before.
class idle_executor final : public caf::scheduler {
public:
  explicit idle_executor(caf::actor_system*) {}
  void schedule(caf::resumable* what) override;
  void delay(caf::resumable* what) override { schedule(what); }
  void start() override {}
  void stop() override {}
};

/// How a system is set up, beside its configuration; null: as usual.
struct set_up_of_system {
  void (*function)(caf::actor_system&, caf::actor_system_config&, void*) = nullptr;
  void* data = nullptr;
};

/// What is in it and cannot be explored; empty if all can.
std::string why_refused(caf::actor_system_config& config);
/// A system that this thread makes of it then schedules nothing, and has the time of `time`.
void prepare(caf::actor_system_config& config, clock& time);
/// By that.
set_up_of_system set_up_of_prepared();
/// The same as before for others.
void restore(caf::actor_system_config& config);
/// Whether it was made so.
bool is_prepared(caf::actor_system& s);

/// Whether its end is counted by CAF, for which others wait. CAF counts blocking actors that it does not flag.
inline bool is_counted(const caf::abstract_actor& a) {
  return a.getf(caf::abstract_actor::is_registered_flag) ||
         (a.getf(caf::abstract_actor::is_blocking_flag) && !a.getf(caf::abstract_actor::is_hidden_flag));
}
/// What a request gets that was sent to an actor that has ended, or ends.
caf::error answer_of_ended(const caf::abstract_actor* a);
caf::error answer_of_unreachable();
/// Of an actor that an exception has left.
caf::error reason_of(const std::exception& e);
caf::error reason_of_unknown_exception();
/// What CAF does when such an actor's code is done.
void clean_up(caf::blocking_actor& a, caf::error reason);
/// Takes a message back that its code has skipped last. Null if it is not there.
caf::mailbox_element_ptr take_back(caf::blocking_actor& a, const caf::mailbox_element* which);
/// What its code has put back in front of all others, to be taken next; null if there is nothing.
caf::mailbox_element_ptr next_put_back(caf::scheduled_actor& a);
/// Says the same to the same, in the same name.
inline caf::mailbox_element_ptr copy_of(const caf::mailbox_element& e) {
  return caf::make_mailbox_element(e.sender, e.mid, e.payload);
}
/// No system is this thread's any more.
void forget_system_of_thread();

}  // namespace harrier::caf_adapter
