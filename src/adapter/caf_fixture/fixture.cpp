// The functions of CAF's fixture in which it is decided which message comes next. Outside of a test that harrier runs,
// each does what the original does.
#include <caf/test/fixture/deterministic.hpp>

#include <algorithm>
#include <utility>
#include <vector>

#include <harrier/adapter/caf_fixture/fixture.hpp>

#include "../caf/original.hpp"
#include "../caf/run_of.hpp"
#include "explored_test.hpp"

namespace harrier::caf_adapter {
namespace {

using fixture = caf::test::fixture::deterministic;

/// What is private in it: an explicit instantiation may name it.
template <auto Events>
struct opened_fixture {
  friend auto& events_of(fixture& of) { return of.*Events; }
};
auto& events_of(fixture& of);
template struct opened_fixture<&fixture::events_>;

constexpr auto no_actors = "CAF's scheduler for something that is not an actor";

thread_local const void* put_first = nullptr;  // by the test, to be dispatched next

/// The run whose test that is.
run* run_of(fixture& of) { return caf_adapter::run_of(of.sys); }

caf::scheduled_actor& receiver_of(const auto& event, run& r) {
  auto* const to = event->item != nullptr ? dynamic_cast<caf::scheduled_actor*>(event->target.get()) : nullptr;
  if (to == nullptr) r.reject(no_actors);
  return *to;
}

/// Each actor's next message may be the first of all.
void choose_next(fixture& of, run& r) {
  auto& events = events_of(of);
  std::vector<const void*> receivers;
  std::vector<decltype(events.begin())> next;
  for (auto event = events.begin(); event != events.end(); ++event) {
    const void* const to = (*event)->target.get();
    if (std::find(receivers.begin(), receivers.end(), to) != receivers.end()) continue;
    receivers.push_back(to);
    next.push_back(event);
  }
  if (next.size() > 1) events.splice(events.begin(), events, next[r.choose(next.size())]);
}

}  // namespace

// NOLINTBEGIN(bugprone-reserved-identifier): the names are CAF's

// caf::test::fixture::deterministic::dispatch_message()
bool dispatch_message(fixture*) HARRIER_STANDS_FOR("_ZN3caf4test7fixture13deterministic16dispatch_messageEv");
bool dispatch_message(fixture* self) {
  static auto* const original = original_of<bool(fixture*)>("_ZN3caf4test7fixture13deterministic16dispatch_messageEv");
  auto* const r = run_of(*self);
  if (r == nullptr) return original(self);
  auto& events = events_of(*self);
  if (events.empty()) return false;
  if (std::exchange(put_first, nullptr) != events.front().get()) choose_next(*self, *r);
  r->dispatch_directly(receiver_of(events.front(), *r), [&] { original(self); });
  return true;
}

// caf::test::fixture::deterministic::dispatch_messages()
std::size_t dispatch_messages(fixture*) HARRIER_STANDS_FOR("_ZN3caf4test7fixture13deterministic17dispatch_messagesEv");
std::size_t dispatch_messages(fixture* self) {
  static auto* const original =
      original_of<std::size_t(fixture*)>("_ZN3caf4test7fixture13deterministic17dispatch_messagesEv");
  auto* const r = run_of(*self);
  if (r == nullptr) return original(self);
  put_first = nullptr;
  auto events = std::exchange(events_of(*self), {});
  std::vector<run::addressed_mail> mail;
  for (auto& event : events) mail.push_back({&receiver_of(event, *r), std::move(event->item)});
  return r->dispatch_all(std::move(mail));
}

// caf::test::fixture::deterministic::prepone_event_impl(const strong_actor_ptr&): of expect and allow
bool prepone(fixture*, const caf::strong_actor_ptr&) HARRIER_STANDS_FOR(
    "_ZN3caf4test7fixture13deterministic18prepone_event_implERKNS_13intrusive_ptrINS_19actor_control_blockEEE");
bool prepone(fixture* self, const caf::strong_actor_ptr& receiver) {
  static auto* const original = original_of<bool(fixture*, const caf::strong_actor_ptr&)>(
      "_ZN3caf4test7fixture13deterministic18prepone_event_implERKNS_13intrusive_ptrINS_19actor_control_blockEEE");
  const bool is_there = original(self, receiver);
  if (is_there && run_of(*self) != nullptr) put_first = events_of(*self).front().get();
  return is_there;
}

// caf::test::fixture::deterministic::prepone_event_impl(const strong_actor_ptr&, actor_predicate&,
// abstract_message_predicate&): the types of the predicates are private
constexpr auto symbol_of_prepone =
    "_ZN3caf4test7fixture13deterministic18prepone_event_implERKNS_13intrusive_ptrINS_19actor_control_blockEEERNS2_"
    "15value_predicateIS5_EERNS2_26abstract_message_predicateE";
bool prepone_matching(fixture*, const caf::strong_actor_ptr&, void*, void*) HARRIER_STANDS_FOR(
    "_ZN3caf4test7fixture13deterministic18prepone_event_implERKNS_13intrusive_ptrINS_19actor_control_blockEEERNS2_"
    "15value_predicateIS5_EERNS2_26abstract_message_predicateE");
bool prepone_matching(fixture* self, const caf::strong_actor_ptr& receiver, void* senders, void* messages) {
  static auto* const original =
      original_of<bool(fixture*, const caf::strong_actor_ptr&, void*, void*)>(symbol_of_prepone);
  const bool is_there = original(self, receiver, senders, messages);
  if (is_there && run_of(*self) != nullptr) put_first = events_of(*self).front().get();
  return is_there;
}

// caf::test::runnable::run()
void run_test(caf::test::runnable*) HARRIER_STANDS_FOR("_ZN3caf4test8runnable3runEv");
void run_test(caf::test::runnable* self) {
  if (run::is_inside() || dynamic_cast<caf_fixture*>(self) == nullptr) return run_once(*self);
  explore_test(*self, caf_fixture::how());
}

// NOLINTEND(bugprone-reserved-identifier)

void run_once(caf::test::runnable& test) {
  static auto* const original = original_of<void(caf::test::runnable*)>("_ZN3caf4test8runnable3runEv");
  original(&test);
}

}  // namespace harrier::caf_adapter

namespace harrier {

caf_fixture::caf_fixture() = default;

options& caf_fixture::how() {
  static options asked;
  return asked;
}

}  // namespace harrier
