// CAF calls these instead of its own: a program's own definition of a symbol comes before that of a shared library.
// Outside of a run each does what the original does.
#include "interposed_caf.hpp"

#include <algorithm>
#include <caf/actor_companion.hpp>
#include <caf/actor_pool.hpp>
#include <caf/actor_registry.hpp>
#include <caf/all.hpp>
#include <caf/default_attachable.hpp>
#include <caf/detail/private_thread_pool.hpp>
#include <chrono>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "../../../core/base/spin_lock.hpp"
#include "../interposed.hpp"
#include "../naming.hpp"
#include "../opened_member.hpp"
#include "../original.hpp"
#include "../run_of.hpp"
#include "../watching.hpp"
#include "watch.hpp"

namespace harrier::caf_adapter {

void interpose_caf() {}

struct observed_tag {
  using type = caf::actor_addr caf::default_attachable::*;
  friend type member(observed_tag);
};
struct observer_tag {
  using type = caf::actor_addr caf::default_attachable::*;
  friend type member(observer_tag);
};
struct type_tag {
  using type = caf::default_attachable::observe_type caf::default_attachable::*;
  friend type member(type_tag);
};
struct priority_tag {
  using type = caf::message_priority caf::default_attachable::*;
  friend type member(priority_tag);
};
template struct opened_member<observed_tag, &caf::default_attachable::observed_>;
template struct opened_member<observer_tag, &caf::default_attachable::observer_>;
template struct opened_member<type_tag, &caf::default_attachable::type_>;
template struct opened_member<priority_tag, &caf::default_attachable::priority_>;

namespace {

struct opened_actor : caf::abstract_actor {
  static bool is_linked(caf::abstract_actor& a, const caf::default_attachable::observe_token& to) {
    const caf::attachable::token token{to};
    return (a.*(&opened_actor::detach_impl))(token, true, true) > 0;
  }
};

/// Whether another than the actor itself gives it something to run, but for word of an end, and what time brings.
bool is_for_another_to_run(const run& r, const caf::abstract_actor& a, const caf::message& content) {
  if (!content.match_elements<caf::action>() || r.is_left() || r.is_time_acting() || r.is_running(a)) return false;
  return dynamic_cast<const word_of_end*>(content.get_as<caf::action>(0).ptr()) == nullptr;
}

}  // namespace

// NOLINTBEGIN(bugprone-reserved-identifier): the names are CAF's

// caf::actor_system::actor_system(actor_system_config&, custom_setup_fn, void*, version::abi_token)
using set_up_function = void (*)(caf::actor_system&, caf::actor_system_config&, void*);
void make_system(caf::actor_system*, caf::actor_system_config&, set_up_function, void*, caf::version::abi_token)
    HARRIER_STANDS_FOR("_ZN3caf12actor_systemC1ERNS_19actor_system_configEPFvRS0_S2_PvES4_NS_7version9abi_tokenE");
void make_system(caf::actor_system* self, caf::actor_system_config& config, set_up_function set_up, void* data,
                 caf::version::abi_token token) {
  using constructor =
      void(caf::actor_system*, caf::actor_system_config&, set_up_function, void*, caf::version::abi_token);
  static auto* const original = original_of<constructor>(
      "_ZN3caf12actor_systemC1ERNS_19actor_system_configEPFvRS0_S2_PvES4_NS_7version9abi_tokenE");
  auto* const r = run::is_inside() ? run::current() : nullptr;
  if (r == nullptr && threads::is_own()) threads::stay();
  if (r == nullptr && run::is_any_alive()) threads::note_use_of_actors();
  if (r == nullptr) return original(self, config, set_up, data, token);
  if (set_up != nullptr && !r->is_test())
    r->reject(
        "an actor system with a scheduler or a clock of its own (a test with caf::test::fixture::deterministic has to "
        "have harrier::caf_fixture in its place)");
  r->system_begins(config);
  const auto ours = set_up != nullptr ? set_up_of_system{set_up, data} : set_up_of_prepared();
  original(self, config, ours.function, ours.data, token);
  r->system_made(*self, config);
}
void make_base_system(caf::actor_system*, caf::actor_system_config&, set_up_function, void*, caf::version::abi_token)
    HARRIER_STANDS_FOR("_ZN3caf12actor_systemC2ERNS_19actor_system_configEPFvRS0_S2_PvES4_NS_7version9abi_tokenE");
void make_base_system(caf::actor_system* self, caf::actor_system_config& config, set_up_function set_up, void* data,
                      caf::version::abi_token token) {
  make_system(self, config, set_up, data, token);
}

// caf::actor_system::~actor_system()
void end_system(caf::actor_system*) HARRIER_STANDS_FOR("_ZN3caf12actor_systemD1Ev");
void end_system(caf::actor_system* self) {
  static auto* const original = original_of<void(caf::actor_system*)>("_ZN3caf12actor_systemD1Ev");
  auto* const r = run_of(*self);
  if (r != nullptr) r->system_goes(*self);
  // It would wait for a thread that has made a blocking actor.
  if (r == nullptr || !threads::any_is_left_alone(r->program(), r->is_left())) original(self);
  if (r != nullptr) r->system_gone(*self);
}
void end_base_system(caf::actor_system*) HARRIER_STANDS_FOR("_ZN3caf12actor_systemD2Ev");
void end_base_system(caf::actor_system* self) { end_system(self); }

// caf::actor_registry::await_running_count_equal(size_t) const
void await_count(const caf::actor_registry*, std::size_t)
    HARRIER_STANDS_FOR("_ZNK3caf14actor_registry25await_running_count_equalEm");
void await_count(const caf::actor_registry* self, std::size_t expected) {
  if (auto* const r = run::current()) return r->wait_for_others(*self, expected);
  static auto* const original = original_of<void(const caf::actor_registry*, std::size_t)>(
      "_ZNK3caf14actor_registry25await_running_count_equalEm");
  original(self, expected);
}

// caf::detail::private_thread_pool: actors that would have threads of their own have none
spin_lock of_pools_without_thread;
std::vector<caf::detail::private_thread_pool*> pools_without_thread;
void start_threads(caf::detail::private_thread_pool*) HARRIER_STANDS_FOR("_ZN3caf6detail19private_thread_pool5startEv");
void start_threads(caf::detail::private_thread_pool* self) {
  static auto* const original =
      original_of<void(caf::detail::private_thread_pool*)>("_ZN3caf6detail19private_thread_pool5startEv");
  if (!run::is_inside()) return original(self);
  const std::lock_guard lock(of_pools_without_thread);
  pools_without_thread.push_back(self);
}
void stop_threads(caf::detail::private_thread_pool*) HARRIER_STANDS_FOR("_ZN3caf6detail19private_thread_pool4stopEv");
void stop_threads(caf::detail::private_thread_pool* self) {
  static auto* const original =
      original_of<void(caf::detail::private_thread_pool*)>("_ZN3caf6detail19private_thread_pool4stopEv");
  {
    const std::lock_guard lock(of_pools_without_thread);
    if (std::erase(pools_without_thread, self) > 0) return;
  }
  original(self);
}

// caf::scheduled_actor::enqueue(mailbox_element_ptr, scheduler*)
bool enqueue_scheduled(caf::scheduled_actor*, caf::mailbox_element_ptr, caf::scheduler*) HARRIER_STANDS_FOR(
    "_ZN3caf15scheduled_actor7enqueueESt10unique_ptrINS_15mailbox_elementESt14default_deleteIS2_EEPNS_9schedulerE");
bool enqueue_scheduled(caf::scheduled_actor* self, caf::mailbox_element_ptr element, caf::scheduler* by) {
  if (is_refused(*self)) return true;
  static auto* const original = original_of<bool(caf::scheduled_actor*, caf::mailbox_element_ptr, caf::scheduler*)>(
      "_ZN3caf15scheduled_actor7enqueueESt10unique_ptrINS_15mailbox_elementESt14default_deleteIS2_EEPNS_"
      "9schedulerE");
  if (auto* const r = run_of(*self)) {
    if (r->acts_directly()) return original(self, std::move(element), &self->home_system().scheduler());
    if (self->inactive() && !r->is_left())
      r->reject("messages to an actor that was made inactive (spawn_inactive) before it is launched");
    if (is_for_another_to_run(*r, *self, element->payload))
      r->reject(
          "flows or futures of caf::async from one actor to another, or to main: their buffers are memory that they "
          "share");
    r->send(*self, std::move(element));
    return true;  // whether it has ended by then, nobody can say
  }
  return original(self, std::move(element), by);
}

// caf::actor_companion::enqueue(mailbox_element_ptr, scheduler*)
bool enqueue_companion(caf::actor_companion*, caf::mailbox_element_ptr, caf::scheduler*) HARRIER_STANDS_FOR(
    "_ZN3caf15actor_companion7enqueueESt10unique_ptrINS_15mailbox_elementESt14default_deleteIS2_EEPNS_9schedulerE");
bool enqueue_companion(caf::actor_companion* self, caf::mailbox_element_ptr element, caf::scheduler* by) {
  if (auto* const r = run_of(*self); r != nullptr && !r->is_left())
    r->reject("actor companions, which hand their messages to code of the program's own in the sender's thread");
  static auto* const original = original_of<bool(caf::actor_companion*, caf::mailbox_element_ptr, caf::scheduler*)>(
      "_ZN3caf15actor_companion7enqueueESt10unique_ptrINS_15mailbox_elementESt14default_deleteIS2_EEPNS_"
      "9schedulerE");
  return original(self, std::move(element), by);
}

// caf::scheduled_actor::launch(scheduler*, bool, bool)
void launch_scheduled(caf::scheduled_actor*, caf::scheduler*, bool, bool)
    HARRIER_STANDS_FOR("_ZN3caf15scheduled_actor6launchEPNS_9schedulerEbb");
void launch_scheduled(caf::scheduled_actor* self, caf::scheduler* by, bool lazy, bool hide) {
  if (is_refused(*self)) return;
  static auto* const original = original_of<void(caf::scheduled_actor*, caf::scheduler*, bool, bool)>(
      "_ZN3caf15scheduled_actor6launchEPNS_9schedulerEbb");
  auto* const r = run_of(*self);
  if (r == nullptr) return original(self, by, lazy, hide);
  self->unsetf(caf::abstract_actor::is_detached_flag);  // no thread of its own
  if (r->acts_directly())
    return r->launched_directly(*self, [&] { original(self, &self->home_system().scheduler(), lazy, hide); });
  if (!hide) self->register_at_system();
  r->launched(*self, lazy);
}

// caf::scheduled_actor::default_exception_handler(local_actor*, std::exception_ptr&)
caf::error handle_exception(caf::local_actor*, std::exception_ptr&) HARRIER_STANDS_FOR(
    "_ZN3caf15scheduled_actor25default_exception_handlerEPNS_11local_actorERNSt15__exception_ptr13exception_ptrE");
caf::error handle_exception(caf::local_actor* self, std::exception_ptr& thrown) {
  auto* const r = run_of(*self);
  if (r == nullptr || r->acts_directly()) {
    static auto* const original = original_of<caf::error(caf::local_actor*, std::exception_ptr&)>(
        "_ZN3caf15scheduled_actor25default_exception_handlerEPNS_11local_actorERNSt15__exception_ptr13exception_ptrE");
    return original(self, thrown);
  }
  r->thrown(thrown);
  try {
    std::rethrow_exception(thrown);
  } catch (const std::exception& e) {
    return reason_of(e);
  } catch (...) {
    return reason_of_unknown_exception();
  }
}

// caf::print_and_drop(scheduled_actor*, message&)
caf::skippable_result unexpected_message(caf::scheduled_actor*, caf::message&)
    HARRIER_STANDS_FOR("_ZN3caf14print_and_dropEPNS_15scheduled_actorERNS_7messageE");
caf::skippable_result unexpected_message(caf::scheduled_actor* self, caf::message& message) {
  auto* const r = run_of(*self);
  if (r == nullptr || r->acts_directly()) {
    static auto* const original = original_of<caf::skippable_result(caf::scheduled_actor*, caf::message&)>(
        "_ZN3caf14print_and_dropEPNS_15scheduled_actorERNS_7messageE");
    return original(self, message);
  }
  r->complain({.kind = finding_kind::unexpected, .message = "it has no handler for " + text_of(message)});
  return caf::make_error(caf::sec::unexpected_message);
}

// caf::blocking_actor::blocking_actor(actor_config&)
void make_blocking(caf::blocking_actor*, caf::actor_config&)
    HARRIER_STANDS_FOR("_ZN3caf14blocking_actorC2ERNS_12actor_configE");
void make_blocking(caf::blocking_actor* self, caf::actor_config& config) {
  static auto* const original =
      original_of<void(caf::blocking_actor*, caf::actor_config&)>("_ZN3caf14blocking_actorC2ERNS_12actor_configE");
  original(self, config);
  if (auto* const r = run::current()) r->made(*self);
}

// caf::blocking_actor::enqueue(mailbox_element_ptr, scheduler*)
bool enqueue_blocking(caf::blocking_actor*, caf::mailbox_element_ptr, caf::scheduler*) HARRIER_STANDS_FOR(
    "_ZN3caf14blocking_actor7enqueueESt10unique_ptrINS_15mailbox_elementESt14default_deleteIS2_EEPNS_9schedulerE");
bool enqueue_blocking(caf::blocking_actor* self, caf::mailbox_element_ptr element, caf::scheduler* by) {
  if (is_refused(*self)) return true;
  if (auto* const r = run_of(*self)) {
    r->send(*self, std::move(element));
    return true;
  }
  static auto* const original = original_of<bool(caf::blocking_actor*, caf::mailbox_element_ptr, caf::scheduler*)>(
      "_ZN3caf14blocking_actor7enqueueESt10unique_ptrINS_15mailbox_elementESt14default_deleteIS2_EEPNS_9schedulerE");
  return original(self, std::move(element), by);
}

// caf::blocking_actor::launch(scheduler*, bool, bool)
void launch_blocking(caf::blocking_actor*, caf::scheduler*, bool, bool)
    HARRIER_STANDS_FOR("_ZN3caf14blocking_actor6launchEPNS_9schedulerEbb");
void launch_blocking(caf::blocking_actor* self, caf::scheduler* by, bool lazy, bool hide) {
  if (is_refused(*self)) return;
  if (auto* const r = run_of(*self)) {
    if (r->is_test())
      r->reject("blocking actors in a test of CAF's deterministic fixture, which CAF runs in threads of their own");
    if (!hide) self->home_system().registry().inc_running();  // as CAF, which does not flag it
    return r->launched(*self);
  }
  static auto* const original = original_of<void(caf::blocking_actor*, caf::scheduler*, bool, bool)>(
      "_ZN3caf14blocking_actor6launchEPNS_9schedulerEbb");
  original(self, by, lazy, hide);
}

// caf::blocking_actor::await_data()
void await_data(caf::blocking_actor*) HARRIER_STANDS_FOR("_ZN3caf14blocking_actor10await_dataEv");
void await_data(caf::blocking_actor* self) {
  if (is_refused(*self)) threads::stay();
  if (auto* const r = run_of(*self)) return r->wait_for_mail(*self);
  static auto* const original = original_of<void(caf::blocking_actor*)>("_ZN3caf14blocking_actor10await_dataEv");
  original(self);
}

// caf::blocking_actor::await_data(timeout_type)
bool await_data_until(caf::blocking_actor*, caf::blocking_actor::timeout_type) HARRIER_STANDS_FOR(
    "_ZN3caf14blocking_actor10await_dataENSt6chrono10time_pointINS1_3_V212system_clockENS1_"
    "8durationIlSt5ratioILl1ELl1000000000EEEEEE");
bool await_data_until(caf::blocking_actor* self, caf::blocking_actor::timeout_type until) {
  if (is_refused(*self)) threads::stay();
  if (auto* const r = run_of(*self))
    return r->wait_for_mail(*self, r->now() + (until - std::chrono::high_resolution_clock::now()));
  static auto* const original = original_of<bool(caf::blocking_actor*, caf::blocking_actor::timeout_type)>(
      "_ZN3caf14blocking_actor10await_dataENSt6chrono10time_pointINS1_3_V212system_clockENS1_"
      "8durationIlSt5ratioILl1ELl1000000000EEEEEE");
  return original(self, until);
}

// caf::detail::blocking_behavior::fallback(message&)
caf::skippable_result fall_back(caf::detail::blocking_behavior*, caf::message&)
    HARRIER_STANDS_FOR("_ZN3caf6detail17blocking_behavior8fallbackERNS_7messageE");
caf::skippable_result fall_back(caf::detail::blocking_behavior* self, caf::message& m) {
  if (auto* const r = run::current()) r->skipped_by_caf();
  static auto* const original = original_of<caf::skippable_result(caf::detail::blocking_behavior*, caf::message&)>(
      "_ZN3caf6detail17blocking_behavior8fallbackERNS_7messageE");
  return original(self, m);
}

// caf::actor_registry::get_impl(const std::string&) const
caf::strong_actor_ptr look_up(const caf::actor_registry*, const std::string&)
    HARRIER_STANDS_FOR("_ZNK3caf14actor_registry8get_implERKNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEE");
caf::strong_actor_ptr look_up(const caf::actor_registry* self, const std::string& key) {
  if (run::is_inside()) run::current()->use_registry(key, false);
  static auto* const original = original_of<caf::strong_actor_ptr(const caf::actor_registry*, const std::string&)>(
      "_ZNK3caf14actor_registry8get_implERKNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEE");
  return original(self, key);
}

// caf::actor_registry::put_impl(const std::string&, strong_actor_ptr)
void put(caf::actor_registry*, const std::string&, caf::strong_actor_ptr) HARRIER_STANDS_FOR(
    "_ZN3caf14actor_registry8put_implERKNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEENS_13intrusive_ptrINS_"
    "19actor_control_blockEEE");
void put(caf::actor_registry* self, const std::string& key, caf::strong_actor_ptr who) {
  if (run::is_inside()) run::current()->use_registry(key, true);
  static auto* const original = original_of<void(caf::actor_registry*, const std::string&, caf::strong_actor_ptr)>(
      "_ZN3caf14actor_registry8put_implERKNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEENS_13intrusive_ptrINS_"
      "19actor_control_blockEEE");
  original(self, key, std::move(who));
}

// caf::actor_registry::erase(const std::string&)
void erase(caf::actor_registry*, const std::string&)
    HARRIER_STANDS_FOR("_ZN3caf14actor_registry5eraseERKNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEE");
void erase(caf::actor_registry* self, const std::string& key) {
  if (run::is_inside()) run::current()->use_registry(key, true);
  static auto* const original = original_of<void(caf::actor_registry*, const std::string&)>(
      "_ZN3caf14actor_registry5eraseERKNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEE");
  original(self, key);
}

// caf::abstract_actor::attach(attachable_ptr)
void attach(caf::abstract_actor*, caf::attachable_ptr)
    HARRIER_STANDS_FOR("_ZN3caf14abstract_actor6attachESt10unique_ptrINS_10attachableESt14default_deleteIS2_EE");
void attach_now(caf::abstract_actor* self, caf::attachable_ptr what) {
  static auto* const original = original_of<void(caf::abstract_actor*, caf::attachable_ptr)>(
      "_ZN3caf14abstract_actor6attachESt10unique_ptrINS_10attachableESt14default_deleteIS2_EE");
  original(self, std::move(what));
}
void attach(caf::abstract_actor* self, caf::attachable_ptr what) { attach_or_ask(self, std::move(what), attach_now); }

// caf::abstract_actor::detach(const attachable::token&)
std::size_t detach(caf::abstract_actor*, const caf::attachable::token&)
    HARRIER_STANDS_FOR("_ZN3caf14abstract_actor6detachERKNS_10attachable5tokenE");
std::size_t detach_now(caf::abstract_actor* self, const caf::attachable::token& what) {
  static auto* const original = original_of<std::size_t(caf::abstract_actor*, const caf::attachable::token&)>(
      "_ZN3caf14abstract_actor6detachERKNS_10attachable5tokenE");
  return original(self, what);
}
std::size_t detach(caf::abstract_actor* self, const caf::attachable::token& what) {
  return detach_or_ask(self, what, detach_now);
}

void stop_watching(const watch& of) {
  auto* const r = run::current();
  if (r == nullptr) return;
  const caf::attachable::token token{token_of_watch, &of};
  auto* const observed = caf::actor_cast<caf::abstract_actor*>(of.observed());
  r->ask_if_there(*observed, "unwatched_by", [token](caf::abstract_actor& a) { detach_now(&a, token); });
}

// caf::scheduled_actor::do_monitor(abstract_actor*, detail::abstract_monitor_action_ptr)
caf::disposable monitor(caf::scheduled_actor*, caf::abstract_actor*, caf::detail::abstract_monitor_action_ptr)
    HARRIER_STANDS_FOR(
        "_ZN3caf15scheduled_actor10do_monitorEPNS_14abstract_actorENS_13intrusive_ptrINS_6detail23abstract_monitor_"
        "actionEEE");
caf::disposable monitor(caf::scheduled_actor* self, caf::abstract_actor* whom,
                        caf::detail::abstract_monitor_action_ptr function) {
  using original_function =
      caf::disposable(caf::scheduled_actor*, caf::abstract_actor*, caf::detail::abstract_monitor_action_ptr);
  static auto* const original = original_of<original_function>(
      "_ZN3caf15scheduled_actor10do_monitorEPNS_14abstract_actorENS_13intrusive_ptrINS_6detail23abstract_monitor_"
      "actionEEE");
  if (run_of(*self) == nullptr || whom == nullptr) return original(self, whom, std::move(function));
  auto made = caf::make_counted<watch>(whom->address(), self->address(), std::move(function));
  whom->attach(make_attachable(made));
  return make_disposable(std::move(made));
}

// caf::abstract_actor::add_link(abstract_actor*)
void add_link(caf::abstract_actor*, caf::abstract_actor*) HARRIER_STANDS_FOR("_ZN3caf14abstract_actor8add_linkEPS0_");
void add_link(caf::abstract_actor* self, caf::abstract_actor* to) {
  if (is_refused(*self)) return;
  auto* const r = run_of(*self);
  if (r != nullptr) r->watches();
  if (r == nullptr || r->may_touch(*to)) {
    static auto* const original =
        original_of<void(caf::abstract_actor*, caf::abstract_actor*)>("_ZN3caf14abstract_actor8add_linkEPS0_");
    return original(self, to);
  }
  if (!opened_actor::is_linked(*self, {to->address(), caf::default_attachable::link}))
    attach_now(self, caf::default_attachable::make_link(self->address(), to->address()));
  r->ask(*to, "linked_to", [linked = caf::strong_actor_ptr(self->ctrl()), to] {
    static auto* const original =
        original_of<bool(caf::abstract_actor*, caf::abstract_actor*)>("_ZN3caf14abstract_actor12add_backlinkEPS0_");
    original(to, linked->get());
  });
}

// caf::abstract_actor::remove_link(abstract_actor*)
void remove_link(caf::abstract_actor*, caf::abstract_actor*)
    HARRIER_STANDS_FOR("_ZN3caf14abstract_actor11remove_linkEPS0_");
void remove_link(caf::abstract_actor* self, caf::abstract_actor* to) {
  if (is_refused(*self)) return;
  auto* const r = run_of(*self);
  if (r == nullptr || r->may_touch(*to)) {
    static auto* const original =
        original_of<void(caf::abstract_actor*, caf::abstract_actor*)>("_ZN3caf14abstract_actor11remove_linkEPS0_");
    return original(self, to);
  }
  const caf::default_attachable::observe_token token{to->address(), caf::default_attachable::link};
  const bool is_linked = opened_actor::is_linked(*self, token);
  detach_now(self, token);
  if (!is_linked || to->getf(is_cleaned_up_flag)) return;  // as of one of whose end it has just heard
  r->ask(*to, "unlinked_from", [linked = caf::strong_actor_ptr(self->ctrl()), to] {
    static auto* const original =
        original_of<bool(caf::abstract_actor*, caf::abstract_actor*)>("_ZN3caf14abstract_actor15remove_backlinkEPS0_");
    original(to, linked->get());
  });
}

void tell_end(const caf::actor_addr& observed, const caf::actor_addr& observer, caf::scheduler* by,
              const std::function<caf::mailbox_element_ptr()>& make) {
  auto* const r = run::current();
  const auto& gone = *caf::actor_cast<caf::abstract_actor*>(observed);
  const auto& told = *caf::actor_cast<caf::abstract_actor*>(observer);
  if (r != nullptr) r->tells_its_end(gone);
  const bool was_weak = r != nullptr && r->send_weakly(true);
  if (r != nullptr && r->is_ghost(told))
    r->send_to_ghost(told, make(), gone.home_system());
  else if (const auto to = caf::actor_cast<caf::strong_actor_ptr>(observer))
    to->enqueue(make(), by);
  if (r != nullptr) r->send_weakly(was_weak);
}

// caf::default_attachable::actor_exited(const error&, scheduler*)
void tell_end_by_message(caf::default_attachable*, const caf::error&, caf::scheduler*)
    HARRIER_STANDS_FOR("_ZN3caf18default_attachable12actor_exitedERKNS_5errorEPNS_9schedulerE");
void tell_end_by_message(caf::default_attachable* self, const caf::error& reason, caf::scheduler* by) {
  const auto& observed = self->*member(observed_tag{});
  tell_end(observed, self->*member(observer_tag{}), by, [&] {
    auto content = self->*member(type_tag{}) == caf::default_attachable::monitor
                       ? caf::make_message(caf::down_msg{observed, reason})
                       : caf::make_message(caf::exit_msg{observed, reason});
    return caf::make_mailbox_element(caf::actor_cast<caf::strong_actor_ptr>(observed),
                                     caf::make_message_id(self->*member(priority_tag{})), std::move(content));
  });
}

// caf::intrusive_ptr_release(actor_control_block*)
void release_actor(caf::actor_control_block*)
    HARRIER_STANDS_FOR("_ZN3caf21intrusive_ptr_releaseEPNS_19actor_control_blockE");
void release_actor(caf::actor_control_block* of) {
  static auto* const original =
      original_of<void(caf::actor_control_block*)>("_ZN3caf21intrusive_ptr_releaseEPNS_19actor_control_blockE");
  auto* const r = of->strong_refs.load(std::memory_order_relaxed) == 2 ? run::current() : nullptr;
  const bool is_direct = r != nullptr && r->acts_directly();
  if (r != nullptr && !is_direct) r->unreferenced(of);
  original(of);
  if (is_direct) r->dropped_directly(*of);
}

// caf::intrusive_ptr_upgrade_weak(actor_control_block*)
bool look_for_actor(caf::actor_control_block*)
    HARRIER_STANDS_FOR("_ZN3caf26intrusive_ptr_upgrade_weakEPNS_19actor_control_blockE");
bool look_for_actor(caf::actor_control_block* of) {
  static auto* const original =
      original_of<bool(caf::actor_control_block*)>("_ZN3caf26intrusive_ptr_upgrade_weakEPNS_19actor_control_blockE");
  if (auto* const r = run::current()) r->used_weakly(of);
  return original(of);
}

// caf::actor_pool::enqueue(mailbox_element_ptr, scheduler*)
bool enqueue_pool(caf::actor_pool*, caf::mailbox_element_ptr, caf::scheduler*) HARRIER_STANDS_FOR(
    "_ZN3caf10actor_pool7enqueueESt10unique_ptrINS_15mailbox_elementESt14default_deleteIS2_EEPNS_9schedulerE");
bool enqueue_pool(caf::actor_pool* self, caf::mailbox_element_ptr element, caf::scheduler* by) {
  if (is_refused(*self)) return true;
  // It is no actor: whoever sends to it hands on, there and then, and all who do share its list of workers.
  if (auto* const r = run_of(*self)) r->use_memory_of(*self);
  static auto* const original = original_of<bool(caf::actor_pool*, caf::mailbox_element_ptr, caf::scheduler*)>(
      "_ZN3caf10actor_pool7enqueueESt10unique_ptrINS_15mailbox_elementESt14default_deleteIS2_EEPNS_9schedulerE");
  return original(self, std::move(element), by);
}

// caf::actor_pool::make(actor_system&, policy)
constexpr auto symbol_of_make_pool =
    "_ZN3caf10actor_pool4makeERNS_12actor_systemESt8functionIFvS2_RSt11unique_lockISt5mutexERKSt6vectorINS_"
    "5actorESaIS9_EERSt10unique_ptrINS_15mailbox_elementESt14default_deleteISF_EEPNS_9schedulerEEE";
caf::actor make_pool(caf::actor_system&, caf::actor_pool::policy) HARRIER_STANDS_FOR(
    "_ZN3caf10actor_pool4makeERNS_12actor_systemESt8functionIFvS2_RSt11unique_lockISt5mutexERKSt6vectorINS_"
    "5actorESaIS9_EERSt10unique_ptrINS_15mailbox_elementESt14default_deleteISF_EEPNS_9schedulerEEE");
caf::actor make_pool(caf::actor_system& system, caf::actor_pool::policy how) {
  static auto* const original =
      original_of<caf::actor(caf::actor_system&, caf::actor_pool::policy)>(symbol_of_make_pool);
  auto made = original(system, std::move(how));
  auto& pool = *caf::actor_cast<caf::abstract_actor*>(made);
  if (auto* const r = run_of(pool)) r->made(static_cast<caf::actor_pool&>(pool));
  return made;
}

// caf::actor_pool::random(): which worker gets it is explored
caf::actor_pool::policy random_policy() HARRIER_STANDS_FOR("_ZN3caf10actor_pool6randomEv");
caf::actor_pool::policy random_policy() {
  static auto* const original = original_of<caf::actor_pool::policy()>("_ZN3caf10actor_pool6randomEv");
  if (run::current() == nullptr) return original();
  return [](caf::actor_system&, caf::actor_pool::guard_type& guard, const caf::actor_pool::actor_vec& workers,
            caf::mailbox_element_ptr& element, caf::scheduler* by) {
    auto* const r = run::current();
    const caf::actor chosen = workers[r != nullptr ? r->choose(workers.size()) : 0];
    guard.unlock();
    chosen->enqueue(std::move(element), by);
  };
}

// NOLINTEND(bugprone-reserved-identifier)

}  // namespace harrier::caf_adapter
