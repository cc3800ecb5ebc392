#pragma once

// A kernel over a protocol module, or whatever has a module's interface: the only part of a run that differs from one
// way of communicating to another.

#include <cstdint>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "kernel.hpp"

namespace npb {

/// The name of a worker's role in a session: worker_0_.
inline std::string role_name(const std::string& kind, std::size_t worker) {
  return kind + '_' + std::to_string(worker) + '_';
}

/// The role of a module that has this name. @throws std::invalid_argument
template <class Module>
typename Module::role role_named(const Module&, const std::string& name) {
  std::uint32_t number = 0;
  for (const char* role : Module::spec::roles) {
    if (role == name) return static_cast<typename Module::role>(number);
    ++number;
  }
  throw std::invalid_argument("the session has no role " + name);
}

template <class Protocol>
std::vector<typename Protocol::role> roles_of(const Protocol& protocol, const std::string& kind, std::size_t workers) {
  std::vector<typename Protocol::role> result;
  for (std::size_t i = 0; i < workers; ++i) {
    result.push_back(role_named(protocol, role_name(kind, i)));
  }
  return result;
}

/// The workers of one kind, each a thread; and what the master has to say to them.
template <class Protocol, class Task>
class team final : public crew<Task> {
public:
  using role = typename Protocol::role;

  template <class Kernel>
  team(Protocol& protocol, Kernel& kernel, const std::string& kind, std::size_t workers)
      : protocol_(protocol), master_(role_named(protocol, "master")), workers_(roles_of(protocol, kind, workers)) {
    for (std::size_t i = 0; i < workers; ++i) {
      threads_.emplace_back([this, &kernel, i] { serve(kernel, workers_[i], i); });
    }
  }

  void perform(const Task& task) override {
    for (const auto worker : workers_) protocol_.send(master_, worker, task);
    for (const auto worker : workers_) static_cast<void>(protocol_.template recv<done>(master_, worker));
  }
  void dismiss() {
    for (const auto worker : workers_) {
      protocol_.send(master_, worker, leave{});
      static_cast<void>(protocol_.template recv<done>(master_, worker));
    }
  }
  /// @pre everybody was dismissed, of all kinds.
  void close() {
    for (const auto worker : workers_) protocol_.close(master_, worker);
    for (auto& thread : threads_) thread.join();
  }

private:
  template <class Kernel>
  void serve(Kernel& kernel, role self, std::size_t worker) {
    for (bool more = true; more;) {
      auto message = protocol_.recv(self, master_);
      more = message.template is<Task>();
      if (more) kernel.work(message.template get<Task>(), worker);
      protocol_.send(self, master_, done{});
    }
    protocol_.close(self, master_);
  }

  Protocol& protocol_;
  role master_;
  std::vector<role> workers_;
  std::vector<std::thread> threads_;
};

namespace detail {

template <class Kernel, class Protocol, class... Hired>
outcome run(Kernel& kernel, Protocol&, std::size_t, task_list<>, Hired&... teams) {
  auto result = kernel.run(teams...);
  (teams.dismiss(), ...);
  (teams.close(), ...);
  return result;
}

template <class Kernel, class Protocol, class Task, class... Rest, class... Hired>
outcome run(Kernel& kernel, Protocol& protocol, std::size_t workers, task_list<Task, Rest...>, Hired&... teams) {
  team<Protocol, Task> next(protocol, kernel, Kernel::kinds[sizeof...(Hired)], workers);
  return run(kernel, protocol, workers, task_list<Rest...>{}, teams..., next);
}

}  // namespace detail

/// Runs a kernel with so many workers of each kind, whose messages go through `protocol`: a session that has just
/// begun.
template <class Kernel, class Protocol>
outcome run(Kernel& kernel, Protocol& protocol, std::size_t workers) {
  return detail::run(kernel, protocol, workers, typename Kernel::tasks{});
}

/// The same over a new session of a module.
template <class Module, class Kernel>
outcome over_module(Kernel& kernel, std::size_t workers) {
  Module session;
  return run(kernel, session, workers);
}

}  // namespace npb
