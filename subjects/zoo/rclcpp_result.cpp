// ROS 2: the result of a goal is gone before anybody can ask for it.
//
// Source: ros2/rclcpp#861, #980, #783. An action server accepts a goal, and the client asks for its result when it
// hears of that. If the goal is done sooner, the server has forgotten it by then (60 to 70 % of runs in #980).
// Repaired: the server keeps the result.
#include <optional>

#include "entries.hpp"

namespace zoo_rclcpp_result {

struct action_client;

struct action_server {
  bool keeps_results;
  bool has_goal = false;
  std::optional<int> result = {};
  harrier::ref<action_client> waiting = {};

  void goal(harrier::self& self, harrier::ref<action_client> by);
  void execute(harrier::self& self);
  void get_result(harrier::self& self, harrier::ref<action_client> by);
};

struct action_client {
  harrier::ref<action_server> at;

  void begin(harrier::self& self) { self.send<&action_server::goal>(at, self.me<action_client>()); }
  void accepted(harrier::self& self) { self.send<&action_server::get_result>(at, self.me<action_client>()); }
  void result(harrier::self& self, bool is_known) { self.check(is_known, "the result of an accepted goal is known"); }
};

void action_server::goal(harrier::self& self, harrier::ref<action_client> by) {
  has_goal = true;
  self.send<&action_client::accepted>(by);
  self.send<&action_server::execute>(self.me<action_server>());
}

void action_server::execute(harrier::self& self) {
  has_goal = false;
  if (waiting) self.send<&action_client::result>(waiting, true);
  if (keeps_results) result = 42;
}

void action_server::get_result(harrier::self& self, harrier::ref<action_client> by) {
  if (has_goal)
    waiting = by;
  else
    self.send<&action_client::result>(by, result.has_value());
}

}  // namespace zoo_rclcpp_result

harrier::catalogue_entry harrier::subjects::zoo::rclcpp_result() {
  using namespace zoo_rclcpp_result;
  return entry("rclcpp-result", "the result of a goal is gone before anybody can ask for it", [](variant as) {
    return over(delivery::fifo, make_program([as](self& driver) {
                  const auto server = driver.create<action_server>(as == variant::fixed);
                  driver.send<&action_client::begin>(driver.create<action_client>(server));
                }));
  });
}
