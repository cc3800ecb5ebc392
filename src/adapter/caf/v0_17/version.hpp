#pragma once

#include <caf/all.hpp>
#include <caf/mailbox_element.hpp>
#include <string>

/// What CAF 0.17 calls otherwise than CAF 1, or does otherwise: the rest of the adapter knows it by these names.
namespace harrier::caf_adapter {

class clock;

/// In whose name an actor runs.
using executor = caf::execution_unit;
/// What a message says.
using message_content = caf::type_erased_tuple;
/// Of whose end others can hear.
using monitorable = caf::monitorable_actor;
/// What a default handler is given, and gives.
using unhandled_message = caf::message_view;
using answer_to_unhandled = caf::result<caf::message>;

inline answer_to_unhandled skipped() { return caf::skip(); }

/// Who ends throws away what is in its mailbox, and tells of its end then.
constexpr bool tells_end_before_it_answers = false;

/// An actor fetches what has come into its mailbox when it has nothing left of what it fetched before, and in between.
constexpr bool fetches_when_nothing_is_left = false;
/// What an actor has skipped it is shown again only when it has taken another of the same priority.
constexpr bool shows_skipped_late = true;

/// Of an actor that has told of its end.
constexpr auto is_cleaned_up_flag = caf::abstract_actor::is_cleaned_up_flag;

/// Stands in for what runs actors in CAF. It has nothing to do: all that it could be given was caught before.
class idle_executor final : public caf::execution_unit {
public:
  explicit idle_executor(caf::actor_system* s) : execution_unit(s) {}
  void exec_later(caf::resumable* what) override { caf::intrusive_ptr_release(what); }
};

/// What is in it and cannot be explored; empty if all can.
std::string why_refused(caf::actor_system_config& config);
/// A system that is made of it then schedules nothing, and has the time of `time`.
void prepare(caf::actor_system_config& config, clock& time);
/// The same as before for others.
void restore(caf::actor_system_config& config);
/// Whether it was made so.
bool is_prepared(caf::actor_system& s);

/// Whether its end is counted by CAF, for which others wait.
inline bool is_counted(const caf::abstract_actor& a) { return a.getf(caf::abstract_actor::is_registered_flag); }
/// What a request gets that was sent to an actor that has ended, or ends.
caf::error answer_of_ended(const caf::abstract_actor* a);
caf::error answer_of_unreachable();
/// Of an actor that an exception has left.
caf::error reason_of(const std::exception& e);
caf::error reason_of_unknown_exception();
/// What CAF does when such an actor's code is done.
void clean_up(caf::blocking_actor& a, caf::error reason);
/// Takes a message back that its code has skipped, and leaves the others where they are. Null if it is not there.
caf::mailbox_element_ptr take_back(caf::blocking_actor& a, const caf::mailbox_element* which);
/// What its code has put back in front of all others, to be taken next; null if there is nothing.
inline caf::mailbox_element_ptr next_put_back(caf::scheduled_actor&) { return nullptr; }
/// Says the same to the same, in the same name.
inline caf::mailbox_element_ptr copy_of(const caf::mailbox_element& e) {
  return caf::make_mailbox_element(e.sender, e.mid, e.stages, e.copy_content_to_message());
}
/// No system is this thread's any more.
void forget_system_of_thread();

}  // namespace harrier::caf_adapter
