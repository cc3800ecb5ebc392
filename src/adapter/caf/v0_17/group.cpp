#include "group.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <caf/all.hpp>
#include <utility>

#include "../run.hpp"

namespace harrier::caf_adapter {
namespace {

class strand_group final : public caf::abstract_group {
public:
  strand_group(run& of, run::number strand, caf::group_module& module, std::string name)
      : abstract_group(module, std::move(name), caf::node_id{}), of_(of), strand_(strand) {}

  bool subscribe(caf::strong_actor_ptr who) override {
    of_.use_memory_of(strand_);
    if (std::find(members_.begin(), members_.end(), who) == members_.end()) members_.push_back(std::move(who));
    return true;
  }
  void unsubscribe(const caf::actor_control_block* who) override {
    of_.use_memory_of(strand_);
    std::erase_if(members_, [&](const caf::strong_actor_ptr& member) { return member.get() == who; });
  }
  void enqueue(caf::strong_actor_ptr sender, caf::message_id id, caf::message content,
               caf::execution_unit* unit) override {
    of_.use_memory_of(strand_);
    for (const auto& member : std::vector<caf::strong_actor_ptr>(members_)) member->enqueue(sender, id, content, unit);
  }
  void stop() override { members_.clear(); }
  caf::error save(caf::serializer&) const override { return caf::sec::unsupported_sys_message; }

private:
  run& of_;
  run::number strand_;
  std::vector<caf::strong_actor_ptr> members_;  // in the order in which they joined
};

}  // namespace

caf::group groups::called(const std::string& name, const caf::group_manager& of) {
  const auto known = std::find_if(all_.begin(), all_.end(),
                                  [&](const caf::group& g) { return !name.empty() && g.get()->identifier() == name; });
  if (known != all_.end()) return *known;
  if (!name.empty() && !of_.is_main_running())
    of_.reject(
        fmt::format("a group by name for which an actor is the first to ask ('{}'): let main do so before", name));
  const auto which = of_.add_memory("group");
  all_.emplace_back(caf::make_counted<strand_group>(of_, which, *of.get_module("local"),
                                                    name.empty() ? fmt::format("anonymous {}", all_.size()) : name));
  return all_.back();
}

void groups::stop(const caf::actor_system& of) {
  for (const auto& g : all_)
    if (&g.get()->system() == &of) g.get()->stop();
}

}  // namespace harrier::caf_adapter
