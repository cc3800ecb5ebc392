#pragma once

#include <caf/all.hpp>
#include <string>
#include <vector>

#include "run.hpp"

namespace harrier::caf_adapter {

/// A local group. CAF's own are sets that all actors share; this one is a strand of the run, and to join, to leave and
/// to publish are messages to it, in order as others are.
class strand_group final : public caf::abstract_group {
public:
  strand_group(run& of, run::number strand, caf::group_module& module, std::string name)
      : abstract_group(module, std::move(name), caf::node_id{}), of_(of), strand_(strand) {}

  bool subscribe(caf::strong_actor_ptr who) override;
  void unsubscribe(const caf::actor_control_block* who) override;
  void enqueue(caf::strong_actor_ptr sender, caf::message_id id, caf::message content,
               caf::execution_unit* unit) override;
  void stop() override { members_.clear(); }
  caf::error save(caf::serializer&) const override { return caf::sec::unsupported_sys_message; }

private:
  run& of_;
  run::number strand_;
  std::vector<caf::strong_actor_ptr> members_;  // in the order in which they joined
};

}  // namespace harrier::caf_adapter
