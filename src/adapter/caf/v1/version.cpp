#include "version.hpp"

#include <caf/actor_registry.hpp>
#include <caf/actor_system_module.hpp>
#include <caf/detail/actor_system_access.hpp>
#include <caf/detail/pretty_type_name.hpp>
#include <caf/format_to_error.hpp>
#include <caf/logger.hpp>
#include <memory>
#include <utility>

#include "../opened_member.hpp"
#include "../run.hpp"
#include "clock.hpp"

namespace harrier::caf_adapter {

struct modules_tag {
  using type = caf::span<caf::actor_system_module* (*)(caf::actor_system&)> (caf::actor_system_config::*)();
  friend type member(modules_tag);
};
template struct opened_member<modules_tag, &caf::actor_system_config::module_factories>;

struct stash_tag {
  using type = caf::intrusive::stack<caf::mailbox_element> caf::blocking_actor::*;
  friend type member(stash_tag);
};
template struct opened_member<stash_tag, &caf::blocking_actor::stash_>;

namespace {

thread_local clock* time_of_next_system = nullptr;

/// Writes nothing: what is said again in each of thousands of executions is noise.
class silent_printer final : public caf::abstract_actor {
public:
  explicit silent_printer(caf::actor_config& config) : abstract_actor(config) {}
  bool enqueue(caf::mailbox_element_ptr, caf::scheduler*) override { return true; }
  [[nodiscard]] const char* name() const override { return "silent_printer"; }
  void setup_metrics() {}

private:
  void force_close_mailbox() override {}
};

/// The time of a run, which outlives its systems.
class clock_of_run final : public caf::actor_clock {
public:
  explicit clock_of_run(clock& of) : of_(of) {}
  [[nodiscard]] time_point now() const noexcept override { return of_.now(); }
  caf::disposable schedule(time_point t, caf::action f) override { return of_.schedule(t, std::move(f)); }

private:
  clock& of_;
};

void set_up(caf::actor_system& s, caf::actor_system_config&, void*) {
  caf::detail::actor_system_access parts(s);
  parts.clock(std::make_unique<clock_of_run>(*time_of_next_system));
  parts.scheduler(std::make_unique<idle_executor>(&s));
  caf::actor_config config;
  parts.printer(caf::make_actor<silent_printer, caf::strong_actor_ptr>(s.next_actor_id(), caf::node_id{}, &s, config));
  s.redirect_text_output(
      nullptr, [](void*, caf::term, const char*, size_t) {}, nullptr);
}

}  // namespace

void idle_executor::schedule(caf::resumable* what) {
  const bool is_actor = what->subtype() == caf::resumable::scheduled_actor;
  caf::intrusive_ptr_release(what);
  if (!is_actor && run::is_inside() && !run::current()->is_left())
    run::current()->reject("CAF's scheduler for something that is not an actor");
}

std::string why_refused(caf::actor_system_config& config) {
  if (!(config.*member(modules_tag{}))().empty())
    return "modules of CAF: io::middleman (remote actors, brokers), caf.net, openssl or others, whose threads and "
           "sockets cannot be controlled";
  if (caf::get_or(config, "caf.scheduler.policy", caf::defaults::scheduler::policy) == "testing")
    return "CAF's scheduler for tests (caf.scheduler.policy testing), by which it decides the order itself";
  return {};
}

void prepare(caf::actor_system_config&, clock& time) { time_of_next_system = &time; }

set_up_of_system set_up_of_prepared() { return {set_up, nullptr}; }

void restore(caf::actor_system_config&) { time_of_next_system = nullptr; }

bool is_prepared(caf::actor_system& s) { return dynamic_cast<idle_executor*>(&s.scheduler()) != nullptr; }

caf::error answer_of_ended(const caf::abstract_actor*) { return caf::sec::request_receiver_down; }

caf::error answer_of_unreachable() { return caf::sec::request_receiver_down; }

caf::error reason_of(const std::exception& e) {
  return caf::format_to_error(caf::sec::runtime_error, "unhandled exception of type {}: {}",
                              caf::detail::pretty_type_name(typeid(e)), e.what());
}

caf::error reason_of_unknown_exception() {
  return caf::make_error(caf::sec::runtime_error, "unhandled exception of unknown type");
}

void clean_up(caf::blocking_actor& a, caf::error reason) {
  auto& registry = a.home_system().registry();
  const bool is_counted_here = is_counted(a) && !a.getf(caf::abstract_actor::is_registered_flag);
  a.cleanup(std::move(reason), a.context());
  if (is_counted_here) registry.dec_running();
}

caf::mailbox_element_ptr take_back(caf::blocking_actor& a, const caf::mailbox_element* which) {
  auto& skipped = a.*member(stash_tag{});
  caf::mailbox_element_ptr last(skipped.pop());
  if (last == nullptr || last.get() == which) return last;
  skipped.push(last.release());
  return nullptr;
}

caf::mailbox_element_ptr next_put_back(caf::scheduled_actor& a) {
  return a.mailbox().closed() ? nullptr : a.mailbox().pop_front();
}

void forget_system_of_thread() { caf::logger::current_logger(nullptr); }

}  // namespace harrier::caf_adapter
