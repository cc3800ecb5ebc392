#pragma once

// The reference: what one would write without a protocol, behind the interface of a module.

#include <algorithm>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <stdexcept>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "kernel.hpp"
#include "team.hpp"

namespace npb {

/// First in, first out; who receives waits.
template <class Element>
class blocking_queue {
public:
  void send(Element value) {
    {
      const std::lock_guard hold(lock_);
      content_.push_back(std::move(value));
    }
    arrival_.notify_one();
  }
  Element recv() {
    std::unique_lock hold(lock_);
    arrival_.wait(hold, [this] { return !content_.empty(); });
    Element value = std::move(content_.front());
    content_.pop_front();
    return value;
  }

private:
  std::mutex lock_;
  std::condition_variable arrival_;
  std::deque<Element> content_;
};

/// A blocking queue for each pair of roles, and nothing that says who may send what.
template <class... Messages>
class queues {
public:
  enum class role : std::size_t {};
  class message {
  public:
    template <class T>
    message(T value) : content_(value) {}
    template <class T>
    [[nodiscard]] bool is() const {
      return std::holds_alternative<T>(content_);
    }
    template <class T>
    [[nodiscard]] T& get() {
      return std::get<T>(content_);
    }

  private:
    std::variant<Messages...> content_;
  };

  explicit queues(std::vector<std::string> names) : names_(std::move(names)), queues_(names_.size() * names_.size()) {}

  template <class T>
  void send(role from, role to, T value) {
    between(from, to).send(message(value));
  }
  message recv(role self, role from) { return between(from, self).recv(); }
  template <class T>
  T recv(role self, role from) {
    return recv(self, from).template get<T>();
  }
  void close(role, role) {}

  /// @throws std::invalid_argument
  friend role role_named(const queues& of, const std::string& name) {
    const auto found = std::find(of.names_.begin(), of.names_.end(), name);
    if (found == of.names_.end()) throw std::invalid_argument("there is no role " + name);
    return static_cast<role>(found - of.names_.begin());
  }

private:
  blocking_queue<message>& between(role from, role to) {
    return queues_[static_cast<std::size_t>(from) * names_.size() + static_cast<std::size_t>(to)];
  }

  std::vector<std::string> names_;
  std::vector<blocking_queue<message>> queues_;
};

namespace detail {

template <class... Tasks>
queues<Tasks..., done, leave> queues_for(task_list<Tasks...>, std::vector<std::string> names) {
  return queues<Tasks..., done, leave>(std::move(names));
}

}  // namespace detail

/// Runs a kernel with so many workers of each kind, over queues.
template <class Kernel>
outcome over_queues(Kernel& kernel, std::size_t workers) {
  std::vector<std::string> names{"master"};
  for (const char* kind : Kernel::kinds) {
    for (std::size_t i = 0; i < workers; ++i) names.push_back(role_name(kind, i));
  }
  auto all = detail::queues_for(typename Kernel::tasks{}, std::move(names));
  return run(kernel, all, workers);
}

}  // namespace npb
