#include "version.hpp"

#include <caf/scheduler/abstract_coordinator.hpp>
#include <tuple>
#include <utility>
#include <vector>

#include "clock.hpp"

namespace harrier::caf_adapter {
namespace {

/// Writes nothing: what is said again in each of thousands of executions is noise.
class silent_printer final : public caf::monitorable_actor {
public:
  explicit silent_printer(caf::actor_config& config) : monitorable_actor(config) {}
  void enqueue(caf::mailbox_element_ptr, caf::execution_unit*) override {}
};

/// What CAF takes for its scheduler.
class coordinator final : public caf::scheduler::abstract_coordinator {
public:
  coordinator(caf::actor_system& s, caf::actor_clock& time) : abstract_coordinator(s), time_(time) {}
  void enqueue(caf::resumable* what) override { caf::intrusive_ptr_release(what); }
  void start() override {
    caf::actor_config config;
    utility_actors_[printer_id] =
        caf::make_actor<silent_printer, caf::actor>(system().next_actor_id(), system().node(), &system(), config);
  }
  void stop() override { utility_actors_[printer_id] = nullptr; }
  caf::actor_clock& clock() noexcept override { return time_; }
  [[nodiscard]] bool detaches_utility_actors() const override { return false; }

private:
  caf::actor_clock& time_;
};

}  // namespace

std::string why_refused(caf::actor_system_config& config) {
  if (!config.module_factories.empty())
    return "modules of CAF: io::middleman (remote actors, brokers), openssl or others, whose threads and sockets "
           "cannot be controlled";
  if (caf::get_or(config, "scheduler.policy", caf::defaults::scheduler::policy) == caf::atom("testing"))
    return "CAF's scheduler for tests (scheduler.policy testing), by which it decides the order itself";
  return {};
}

void prepare(caf::actor_system_config& config, clock& time) {
  config.module_factories.push_back(
      [&time](caf::actor_system& s) -> caf::actor_system::module* { return new coordinator(s, time); });
}

void restore(caf::actor_system_config& config) { config.module_factories.clear(); }

bool is_prepared(caf::actor_system& s) { return dynamic_cast<coordinator*>(&s.scheduler()) != nullptr; }

caf::error answer_of_ended(const caf::abstract_actor* a) {
  caf::error reason = caf::exit_reason::unreachable;
  if (const auto* const local = dynamic_cast<const caf::local_actor*>(a)) reason = local->fail_state();
  return !reason ? caf::sec::request_receiver_down : reason;
}

caf::error answer_of_unreachable() { return caf::exit_reason::unreachable; }

caf::error reason_of(const std::exception&) { return caf::exit_reason::unhandled_exception; }

caf::error reason_of_unknown_exception() { return caf::exit_reason::unhandled_exception; }

void clean_up(caf::blocking_actor& a, caf::error reason) {
  try {
    a.on_exit();
  } catch (...) {
    static_cast<void>(0);  // CAF ignores it, too
  }
  a.cleanup(std::move(reason), a.context());
}

caf::mailbox_element_ptr take_back(caf::blocking_actor& a, const caf::mailbox_element* which) {
  if (a.mailbox().closed()) return nullptr;
  a.mailbox().fetch_more();
  caf::mailbox_element_ptr found;
  const auto look_in = [&](auto& queue) {
    std::vector<caf::mailbox_element_ptr> others;
    while (auto first = queue.take_front()) {
      if (first.get() == which)
        found = std::move(first);
      else
        others.push_back(std::move(first));
    }
    for (auto& other : others) queue.cache().push_back(other.release());
  };
  auto& queues = a.mailbox().queue().queues();
  look_in(std::get<caf::blocking_actor::mailbox_policy::urgent_queue_index>(queues));
  look_in(std::get<caf::blocking_actor::mailbox_policy::normal_queue_index>(queues));
  return found;
}

void forget_system_of_thread() { caf::logger::set_current_actor_system(nullptr); }

}  // namespace harrier::caf_adapter
