// Whether an execution in which sendings are made one by one could be one in
// which each macro-step's are made at once: contract a step, the arrivals of what
// it sent and the word that they have arrived to one node; it could iff no node
// comes before itself.
#include <functional>
#include <optional>
#include <queue>
#include <vector>

#include <harrier/core/execution.hpp>

#include "queues.hpp"

namespace harrier {
namespace {

/// What must come before what in an execution under mailbox_interleaved.
class contraction {
public:
  explicit contraction(const execution& s, const queues& arrived) : execution_(s), arrived_(arrived) {
    const auto count = static_cast<step_index>(s.step_count());
    nodes_.resize(count);
    for (step_index i = 0; i < count; ++i) nodes_[i] = node_of(i);
    after_.resize(count);
    before_.assign(count, 0);
    for (step_index i = 0; i < count; ++i) {
      const auto& step = s.step_at(i);
      if (step.previous != no_step) arrow(step.previous, i);
      if (const auto by = s.message_at(step.message).sent_by; by != no_step) arrow(by, i);
    }
  }

  /// The macro-steps of the exploration in an order that agrees with the arrows, the earliest first that can be.
  std::optional<std::vector<step_index>> in_order() {
    std::vector<step_index> order;
    std::priority_queue<step_index, std::vector<step_index>, std::greater<>> ready;
    std::size_t nodes = 0;
    for (step_index i = 0; i < nodes_.size(); ++i) {
      if (nodes_[i] != i) continue;
      ++nodes;
      if (before_[i] == 0) ready.push(i);
    }
    std::size_t done = 0;
    while (!ready.empty()) {
      const auto i = ready.top();
      ready.pop();
      ++done;
      if (i >= execution_.setup_steps()) order.push_back(i);
      for (const auto next : after_[i])
        if (--before_[next] == 0) ready.push(next);
    }
    if (done != nodes || !beginning_is_in_order()) return {};
    return order;
  }

private:
  /// The macro-step to which step `i` belongs; 0, the first, for all of the set-up.
  [[nodiscard]] step_index node_of(step_index i) const {
    const auto& step = execution_.step_at(i);
    auto node = i;
    if (step.kind == step_kind::machinery)  // the actor itself took nothing since it sent what has all arrived
      node = execution_.is_internal(step.receiver) ? execution_.message_at(sent_that_arrives(step)).sent_by
                                                   : step.previous;
    return node < execution_.setup_steps() ? 0 : node;
  }

  [[nodiscard]] message_slot sent_that_arrives(const step& arrival) const { return arrived_.twin(arrival.first_sent); }

  /// What the set-up sent is in the queues in the order sent.
  [[nodiscard]] bool beginning_is_in_order() const {
    std::vector<message_slot> newest(execution_.actor_count(), no_message);  // by mailbox
    for (auto i = static_cast<step_index>(execution_.setup_steps()); i < nodes_.size(); ++i) {
      const auto& step = execution_.step_at(i);
      if (nodes_[i] != 0 || !execution_.is_internal(step.receiver)) continue;
      const auto sent = sent_that_arrives(step);
      if (sent < newest[step.receiver]) return false;
      newest[step.receiver] = sent;
    }
    return true;
  }

  void arrow(step_index from, step_index to) {
    const auto a = nodes_[from];
    const auto b = nodes_[to];
    if (a == b) return;
    after_[a].push_back(b);
    ++before_[b];
  }

  const execution& execution_;
  const queues& arrived_;
  std::vector<step_index> nodes_;  // by step
  std::vector<std::vector<step_index>> after_;
  std::vector<std::uint32_t> before_;
};

}  // namespace

std::optional<std::vector<step_index>> execution::atomic_order() const {
  return contraction(*this, *queues_).in_order();
}

}  // namespace harrier
