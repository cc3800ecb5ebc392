#pragma once

#include <caf/all.hpp>
#include <string>
#include <vector>

#include "run.hpp"

namespace harrier::caf_adapter {

/// A local group. As CAF's own it is memory that all actors share, and whoever publishes hands on, there and then; a
/// strand of the run stands for it.
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
