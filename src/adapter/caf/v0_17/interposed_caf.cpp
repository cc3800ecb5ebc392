// CAF calls these instead of its own: a program's own definition of a symbol comes before that of a shared library.
// Outside of a run each does what the original does.
#include <caf/all.hpp>
#include <caf/default_attachable.hpp>
#include <chrono>
#include <string>
#include <utility>

#include "../interposed.hpp"
#include "../naming.hpp"
#include "../opened_member.hpp"
#include "../original.hpp"
#include "../run_of.hpp"
#include "../watching.hpp"

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

struct opened_actor : caf::monitorable_actor {
  static bool is_linked(caf::monitorable_actor& a, const caf::default_attachable::observe_token& to) {
    const caf::attachable::token token{to};
    return (a.*(&opened_actor::detach_impl))(token, true, true) > 0;
  }
};

}  // namespace

// NOLINTBEGIN(bugprone-reserved-identifier): the names are CAF's

// caf::actor_system::actor_system(actor_system_config&)
void make_system(caf::actor_system*, caf::actor_system_config&)
    HARRIER_STANDS_FOR("_ZN3caf12actor_systemC1ERNS_19actor_system_configE");
void make_system(caf::actor_system* self, caf::actor_system_config& config) {
  static auto* const original = original_of<void(caf::actor_system*, caf::actor_system_config&)>(
      "_ZN3caf12actor_systemC1ERNS_19actor_system_configE");
  auto* const r = run::is_inside() ? run::current() : nullptr;
  if (r == nullptr && threads::is_own()) threads::stay();
  if (r == nullptr && run::is_any_alive()) threads::note_use_of_actors();
  if (r != nullptr) r->system_begins(config);
  original(self, config);
  if (r != nullptr) r->system_made(*self, config);
}
void make_base_system(caf::actor_system*, caf::actor_system_config&)
    HARRIER_STANDS_FOR("_ZN3caf12actor_systemC2ERNS_19actor_system_configE");
void make_base_system(caf::actor_system* self, caf::actor_system_config& config) { make_system(self, config); }

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

// caf::scheduled_actor::enqueue(mailbox_element_ptr, execution_unit*)
void enqueue_scheduled(caf::scheduled_actor*, caf::mailbox_element_ptr, caf::execution_unit*) HARRIER_STANDS_FOR(
    "_ZN3caf15scheduled_actor7enqueueESt10unique_ptrINS_15mailbox_elementENS_6detail8disposerEEPNS_14execution_unitE");
void enqueue_scheduled(caf::scheduled_actor* self, caf::mailbox_element_ptr element, caf::execution_unit* unit) {
  if (is_refused(*self)) return;
  if (auto* const r = run_of(*self)) return r->send(*self, std::move(element));
  static auto* const original =
      original_of<void(caf::scheduled_actor*, caf::mailbox_element_ptr, caf::execution_unit*)>(
          "_ZN3caf15scheduled_actor7enqueueESt10unique_ptrINS_15mailbox_elementENS_6detail8disposerEEPNS_14execution_"
          "unitE");
  original(self, std::move(element), unit);
}

// caf::scheduled_actor::launch(execution_unit*, bool, bool)
void launch_scheduled(caf::scheduled_actor*, caf::execution_unit*, bool, bool)
    HARRIER_STANDS_FOR("_ZN3caf15scheduled_actor6launchEPNS_14execution_unitEbb");
void launch_scheduled(caf::scheduled_actor* self, caf::execution_unit* unit, bool lazy, bool hide) {
  if (is_refused(*self)) return;
  if (auto* const r = run_of(*self)) {
    if (!hide) self->register_at_system();
    self->unsetf(caf::abstract_actor::is_detached_flag);  // no thread of its own
    return r->launched(*self, lazy);
  }
  static auto* const original = original_of<void(caf::scheduled_actor*, caf::execution_unit*, bool, bool)>(
      "_ZN3caf15scheduled_actor6launchEPNS_14execution_unitEbb");
  original(self, unit, lazy, hide);
}

// caf::scheduled_actor::default_exception_handler(scheduled_actor*, std::exception_ptr&)
caf::error handle_exception(caf::scheduled_actor*, std::exception_ptr&)
    HARRIER_STANDS_FOR("_ZN3caf15scheduled_actor25default_exception_handlerEPS0_RNSt15__exception_ptr13exception_ptrE");
caf::error handle_exception(caf::scheduled_actor* self, std::exception_ptr& thrown) {
  auto* const r = run_of(*self);
  if (r == nullptr) {
    static auto* const original = original_of<caf::error(caf::scheduled_actor*, std::exception_ptr&)>(
        "_ZN3caf15scheduled_actor25default_exception_handlerEPS0_RNSt15__exception_ptr13exception_ptrE");
    return original(self, thrown);
  }
  r->thrown(thrown);
  return caf::sec::runtime_error;
}

// caf::print_and_drop(scheduled_actor*, message_view&)
caf::result<caf::message> unexpected_message(caf::scheduled_actor*, caf::message_view&)
    HARRIER_STANDS_FOR("_ZN3caf14print_and_dropEPNS_15scheduled_actorERNS_12message_viewE");
caf::result<caf::message> unexpected_message(caf::scheduled_actor* self, caf::message_view& message) {
  auto* const r = run_of(*self);
  if (r == nullptr) {
    static auto* const original = original_of<caf::result<caf::message>(caf::scheduled_actor*, caf::message_view&)>(
        "_ZN3caf14print_and_dropEPNS_15scheduled_actorERNS_12message_viewE");
    return original(self, message);
  }
  r->complain({.kind = finding_kind::unexpected, .message = "it has no handler for " + text_of(message.content())});
  return caf::sec::unexpected_message;
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

// caf::blocking_actor::enqueue(mailbox_element_ptr, execution_unit*)
void enqueue_blocking(caf::blocking_actor*, caf::mailbox_element_ptr, caf::execution_unit*) HARRIER_STANDS_FOR(
    "_ZN3caf14blocking_actor7enqueueESt10unique_ptrINS_15mailbox_elementENS_6detail8disposerEEPNS_14execution_unitE");
void enqueue_blocking(caf::blocking_actor* self, caf::mailbox_element_ptr element, caf::execution_unit* unit) {
  if (is_refused(*self)) return;
  if (auto* const r = run_of(*self)) return r->send(*self, std::move(element));
  static auto* const original = original_of<void(caf::blocking_actor*, caf::mailbox_element_ptr, caf::execution_unit*)>(
      "_ZN3caf14blocking_actor7enqueueESt10unique_ptrINS_15mailbox_elementENS_6detail8disposerEEPNS_14execution_unitE");
  original(self, std::move(element), unit);
}

// caf::blocking_actor::launch(execution_unit*, bool, bool)
void launch_blocking(caf::blocking_actor*, caf::execution_unit*, bool, bool)
    HARRIER_STANDS_FOR("_ZN3caf14blocking_actor6launchEPNS_14execution_unitEbb");
void launch_blocking(caf::blocking_actor* self, caf::execution_unit* unit, bool lazy, bool hide) {
  if (is_refused(*self)) return;
  if (auto* const r = run_of(*self)) {
    if (!hide) self->register_at_system();
    return r->launched(*self);
  }
  static auto* const original = original_of<void(caf::blocking_actor*, caf::execution_unit*, bool, bool)>(
      "_ZN3caf14blocking_actor6launchEPNS_14execution_unitEbb");
  original(self, unit, lazy, hide);
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

// caf::detail::blocking_behavior::fallback(message_view&)
caf::result<caf::message> fall_back(caf::detail::blocking_behavior*, caf::message_view&)
    HARRIER_STANDS_FOR("_ZN3caf6detail17blocking_behavior8fallbackERNS_12message_viewE");
caf::result<caf::message> fall_back(caf::detail::blocking_behavior* self, caf::message_view& m) {
  if (auto* const r = run::current()) r->skipped_by_caf();
  static auto* const original =
      original_of<caf::result<caf::message>(caf::detail::blocking_behavior*, caf::message_view&)>(
          "_ZN3caf6detail17blocking_behavior8fallbackERNS_12message_viewE");
  return original(self, m);
}

// caf::group_manager::anonymous() const
caf::group anonymous_group(const caf::group_manager*) HARRIER_STANDS_FOR("_ZNK3caf13group_manager9anonymousEv");
caf::group anonymous_group(const caf::group_manager* self) {
  if (run::is_inside()) return run::current()->local_groups().called({}, *self);
  static auto* const original =
      original_of<caf::group(const caf::group_manager*)>("_ZNK3caf13group_manager9anonymousEv");
  return original(self);
}

// caf::group_manager::get_local(const std::string&) const
caf::group local_group(const caf::group_manager*, const std::string&)
    HARRIER_STANDS_FOR("_ZNK3caf13group_manager9get_localERKNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEE");
caf::group local_group(const caf::group_manager* self, const std::string& name) {
  if (run::is_inside()) return run::current()->local_groups().called(name, *self);
  static auto* const original = original_of<caf::group(const caf::group_manager*, const std::string&)>(
      "_ZNK3caf13group_manager9get_localERKNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEE");
  return original(self, name);
}

// caf::group_manager::get(const std::string&, const std::string&) const
caf::expected<caf::group> group_of_module(const caf::group_manager*, const std::string&, const std::string&)
    HARRIER_STANDS_FOR("_ZNK3caf13group_manager3getERKNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEES8_");
caf::expected<caf::group> group_of_module(const caf::group_manager* self, const std::string& module,
                                          const std::string& name) {
  if (run::is_inside() && module == "local") return run::current()->local_groups().called(name, *self);
  static auto* const original =
      original_of<caf::expected<caf::group>(const caf::group_manager*, const std::string&, const std::string&)>(
          "_ZNK3caf13group_manager3getERKNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEES8_");
  return original(self, module, name);
}

// caf::actor_registry::get_impl(atom_value) const
caf::strong_actor_ptr look_up(const caf::actor_registry*, caf::atom_value)
    HARRIER_STANDS_FOR("_ZNK3caf14actor_registry8get_implENS_10atom_valueE");
caf::strong_actor_ptr look_up(const caf::actor_registry* self, caf::atom_value key) {
  if (run::is_inside()) run::current()->use_registry(to_string(key), false);
  static auto* const original = original_of<caf::strong_actor_ptr(const caf::actor_registry*, caf::atom_value)>(
      "_ZNK3caf14actor_registry8get_implENS_10atom_valueE");
  return original(self, key);
}

// caf::actor_registry::put_impl(atom_value, strong_actor_ptr)
void put(caf::actor_registry*, caf::atom_value, caf::strong_actor_ptr) HARRIER_STANDS_FOR(
    "_ZN3caf14actor_registry8put_implENS_10atom_valueENS_13intrusive_ptrINS_19actor_control_blockEEE");
void put(caf::actor_registry* self, caf::atom_value key, caf::strong_actor_ptr who) {
  if (run::is_inside()) run::current()->use_registry(to_string(key), true);
  static auto* const original = original_of<void(caf::actor_registry*, caf::atom_value, caf::strong_actor_ptr)>(
      "_ZN3caf14actor_registry8put_implENS_10atom_valueENS_13intrusive_ptrINS_19actor_control_blockEEE");
  original(self, key, std::move(who));
}

// caf::actor_registry::erase(atom_value)
void erase(caf::actor_registry*, caf::atom_value) HARRIER_STANDS_FOR("_ZN3caf14actor_registry5eraseENS_10atom_valueE");
void erase(caf::actor_registry* self, caf::atom_value key) {
  if (run::is_inside()) run::current()->use_registry(to_string(key), true);
  static auto* const original =
      original_of<void(caf::actor_registry*, caf::atom_value)>("_ZN3caf14actor_registry5eraseENS_10atom_valueE");
  original(self, key);
}

// caf::monitorable_actor::attach(attachable_ptr)
void attach(caf::monitorable_actor*, caf::attachable_ptr)
    HARRIER_STANDS_FOR("_ZN3caf17monitorable_actor6attachESt10unique_ptrINS_10attachableESt14default_deleteIS2_EE");
void attach_now(caf::monitorable_actor* self, caf::attachable_ptr what) {
  static auto* const original = original_of<void(caf::monitorable_actor*, caf::attachable_ptr)>(
      "_ZN3caf17monitorable_actor6attachESt10unique_ptrINS_10attachableESt14default_deleteIS2_EE");
  original(self, std::move(what));
}
void attach(caf::monitorable_actor* self, caf::attachable_ptr what) {
  attach_or_ask(self, std::move(what), attach_now);
}

// caf::monitorable_actor::detach(const attachable::token&)
std::size_t detach(caf::monitorable_actor*, const caf::attachable::token&)
    HARRIER_STANDS_FOR("_ZN3caf17monitorable_actor6detachERKNS_10attachable5tokenE");
std::size_t detach_now(caf::monitorable_actor* self, const caf::attachable::token& what) {
  static auto* const original = original_of<std::size_t(caf::monitorable_actor*, const caf::attachable::token&)>(
      "_ZN3caf17monitorable_actor6detachERKNS_10attachable5tokenE");
  return original(self, what);
}
std::size_t detach(caf::monitorable_actor* self, const caf::attachable::token& what) {
  return detach_or_ask(self, what, detach_now);
}

// caf::monitorable_actor::add_link(abstract_actor*)
void add_link(caf::monitorable_actor*, caf::abstract_actor*)
    HARRIER_STANDS_FOR("_ZN3caf17monitorable_actor8add_linkEPNS_14abstract_actorE");
void add_link(caf::monitorable_actor* self, caf::abstract_actor* to) {
  if (is_refused(*self)) return;
  auto* const r = run_of(*self);
  if (r != nullptr) r->watches();
  if (r == nullptr || r->may_touch(*to)) {
    static auto* const original = original_of<void(caf::monitorable_actor*, caf::abstract_actor*)>(
        "_ZN3caf17monitorable_actor8add_linkEPNS_14abstract_actorE");
    return original(self, to);
  }
  attach_now(self, caf::default_attachable::make_link(self->address(), to->address()));
  r->ask(*to, "linked_to", [linked = caf::strong_actor_ptr(self->ctrl()), to] {
    static auto* const original = original_of<bool(caf::abstract_actor*, caf::abstract_actor*)>(
        "_ZN3caf17monitorable_actor12add_backlinkEPNS_14abstract_actorE");
    original(to, linked->get());
  });
}

// caf::monitorable_actor::remove_link(abstract_actor*)
void remove_link(caf::monitorable_actor*, caf::abstract_actor*)
    HARRIER_STANDS_FOR("_ZN3caf17monitorable_actor11remove_linkEPNS_14abstract_actorE");
void remove_link(caf::monitorable_actor* self, caf::abstract_actor* to) {
  if (is_refused(*self)) return;
  auto* const r = run_of(*self);
  if (r == nullptr || r->may_touch(*to)) {
    static auto* const original = original_of<void(caf::monitorable_actor*, caf::abstract_actor*)>(
        "_ZN3caf17monitorable_actor11remove_linkEPNS_14abstract_actorE");
    return original(self, to);
  }
  const caf::default_attachable::observe_token token{to->address(), caf::default_attachable::link};
  const bool is_linked = opened_actor::is_linked(*self, token);
  detach_now(self, token);
  if (!is_linked || to->getf(is_cleaned_up_flag)) return;  // as of one of whose end it has just heard
  r->ask(*to, "unlinked_from", [linked = caf::strong_actor_ptr(self->ctrl()), to] {
    static auto* const original = original_of<bool(caf::abstract_actor*, caf::abstract_actor*)>(
        "_ZN3caf17monitorable_actor15remove_backlinkEPNS_14abstract_actorE");
    original(to, linked->get());
  });
}

// caf::default_attachable::actor_exited(const error&, execution_unit*)
void tell_end(caf::default_attachable*, const caf::error&, caf::execution_unit*)
    HARRIER_STANDS_FOR("_ZN3caf18default_attachable12actor_exitedERKNS_5errorEPNS_14execution_unitE");
void tell_end(caf::default_attachable* self, const caf::error& reason, caf::execution_unit* unit) {
  static auto* const original = original_of<void(caf::default_attachable*, const caf::error&, caf::execution_unit*)>(
      "_ZN3caf18default_attachable12actor_exitedERKNS_5errorEPNS_14execution_unitE");
  auto* const r = run::current();
  if (r == nullptr) return original(self, reason, unit);
  const auto& observed = self->*member(observed_tag{});
  r->tells_its_end(*caf::actor_cast<caf::abstract_actor*>(observed));
  const auto& observer = *caf::actor_cast<caf::abstract_actor*>(self->*member(observer_tag{}));
  if (!r->is_ghost(observer)) {
    const auto before = r->send_weakly(true);
    original(self, reason, unit);
    r->send_weakly(before);
    return;
  }
  auto content = self->*member(type_tag{}) == caf::default_attachable::monitor
                     ? caf::make_message(caf::down_msg{observed, reason})
                     : caf::make_message(caf::exit_msg{observed, reason});
  const auto before = r->send_weakly(true);
  r->send_to_ghost(
      observer,
      caf::make_mailbox_element(caf::actor_cast<caf::strong_actor_ptr>(observed),
                                caf::make_message_id(self->*member(priority_tag{})), {}, std::move(content)),
      *caf::actor_control_block::from(caf::actor_cast<caf::abstract_actor*>(observed))->home_system);
  r->send_weakly(before);
}

// caf::intrusive_ptr_release(actor_control_block*)
void release_actor(caf::actor_control_block*)
    HARRIER_STANDS_FOR("_ZN3caf21intrusive_ptr_releaseEPNS_19actor_control_blockE");
void release_actor(caf::actor_control_block* of) {
  static auto* const original =
      original_of<void(caf::actor_control_block*)>("_ZN3caf21intrusive_ptr_releaseEPNS_19actor_control_blockE");
  if (of->strong_refs.load(std::memory_order_relaxed) == 2)
    if (auto* const r = run::current()) r->unreferenced(of);
  original(of);
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

// caf::actor_pool::enqueue(mailbox_element_ptr, execution_unit*)
void enqueue_pool(caf::actor_pool*, caf::mailbox_element_ptr, caf::execution_unit*) HARRIER_STANDS_FOR(
    "_ZN3caf10actor_pool7enqueueESt10unique_ptrINS_15mailbox_elementENS_6detail8disposerEEPNS_14execution_unitE");
void enqueue_pool_now(caf::actor_pool* self, caf::mailbox_element_ptr element, caf::execution_unit* unit) {
  static auto* const original = original_of<void(caf::actor_pool*, caf::mailbox_element_ptr, caf::execution_unit*)>(
      "_ZN3caf10actor_pool7enqueueESt10unique_ptrINS_15mailbox_elementENS_6detail8disposerEEPNS_14execution_unitE");
  original(self, std::move(element), unit);
}
void enqueue_pool(caf::actor_pool* self, caf::mailbox_element_ptr element, caf::execution_unit* unit) {
  if (is_refused(*self)) return;
  // It is no actor: whoever sends to it hands on, there and then, and all who do share its list of workers.
  if (auto* const r = run_of(*self)) r->use_memory_of(*self);
  enqueue_pool_now(self, std::move(element), unit);
}

// caf::actor_pool::make(execution_unit*, policy)
caf::actor make_pool(caf::execution_unit*, caf::actor_pool::policy) HARRIER_STANDS_FOR(
    "_ZN3caf10actor_pool4makeEPNS_14execution_unitESt8functionIFvRNS_12actor_systemERNS_11shared_lockINS_"
    "6detail15shared_spinlockEEERKSt6vectorINS_5actorESaISC_EERSt10unique_ptrINS_15mailbox_elementENS7_8disposerEES2_"
    "EE");
caf::actor make_pool(caf::execution_unit* unit, caf::actor_pool::policy how) {
  static auto* const original = original_of<caf::actor(caf::execution_unit*, caf::actor_pool::policy)>(
      "_ZN3caf10actor_pool4makeEPNS_14execution_unitESt8functionIFvRNS_12actor_systemERNS_11shared_lockINS_"
      "6detail15shared_spinlockEEERKSt6vectorINS_5actorESaISC_EERSt10unique_ptrINS_15mailbox_elementENS7_8disposerEES2_"
      "EE");
  auto made = original(unit, std::move(how));
  auto& pool = *caf::actor_cast<caf::abstract_actor*>(made);
  if (auto* const r = run_of(pool)) r->made(static_cast<caf::actor_pool&>(pool));
  return made;
}

// caf::actor_pool::random(): which worker gets it is explored
caf::actor_pool::policy random_policy() HARRIER_STANDS_FOR("_ZN3caf10actor_pool6randomEv");
caf::actor_pool::policy random_policy() {
  static auto* const original = original_of<caf::actor_pool::policy()>("_ZN3caf10actor_pool6randomEv");
  if (run::current() == nullptr) return original();
  return [](caf::actor_system&, caf::actor_pool::uplock& guard, const caf::actor_pool::actor_vec& workers,
            caf::mailbox_element_ptr& element, caf::execution_unit* unit) {
    auto* const r = run::current();
    const caf::actor chosen = workers[r != nullptr ? r->choose(workers.size()) : 0];
    guard.unlock();
    chosen->enqueue(std::move(element), unit);
  };
}

// NOLINTEND(bugprone-reserved-identifier)

}  // namespace harrier::caf_adapter
