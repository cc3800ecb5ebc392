#pragma once

#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

#include <harrier/protocol/graph.hpp>

namespace harrier::protocol {

/// The strict reading of a definition: one global machine, and a queue from
/// each sender to each receiver.
///
/// A state is a state of the definition and what is under way. A receive takes
/// the oldest message from that sender and has its type. Close touches no queue.
class strict_space final : public transition_system {
public:
  /// @param definition  an `lts`; must outlive this object.
  explicit strict_space(transition_system& definition);
  ~strict_space() override;

  [[nodiscard]] std::span<const transition> steps(state_id state) override;
  [[nodiscard]] const alphabet& names() const override;

  /// The state of the definition that is part of `state`.
  [[nodiscard]] state_id definition_state(state_id state) const;
  /// The types under way from `from` to `to`, oldest first.
  [[nodiscard]] std::vector<type_id> under_way(state_id state, role_id from, role_id to) const;
  /// Sender and receiver of each channel in which something is under way.
  [[nodiscard]] std::vector<std::pair<role_id, role_id>> speaking(state_id state) const;
  /// Whether anything is under way.
  [[nodiscard]] bool quiet(state_id state) const;

private:
  class machine;
  std::unique_ptr<machine> machine_;
};

}  // namespace harrier::protocol
