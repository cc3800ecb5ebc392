// RabbitMQ: a queue vanishes right after it was declared again.
//
// Source: rabbitmq/rabbitmq-server#9798. When a node goes down, all others delete the records of the queues that it
// had. A client whose queue is gone declares it again at the first node that has cleaned up; the second one cleans up
// later, by the queue's name, and deletes the new one. Repaired: a record is deleted only if it still says that the
// queue is on the node that went down.
#include "entries.hpp"

namespace zoo_rabbitmq_cleanup {

struct client;
struct broker;

struct metadata {
  bool looks_at_node;
  std::string queue_on = "rabbit-3";

  void delete_queue(harrier::self& self, const std::string& node_down, harrier::ref<broker> by);
  void declare(const std::string& node) { queue_on = node; }
};

struct broker {
  harrier::ref<metadata> records;
  harrier::ref<client> connected = {};

  void node_down(harrier::self& self, const std::string& node) {
    self.send<&metadata::delete_queue>(records, node, self.me<broker>());
  }
  void queue_deleted(harrier::self& self);
};

struct client {
  harrier::ref<metadata> records;
  bool has_declared = false;

  void consumer_cancelled(harrier::self& self) {
    has_declared = true;
    self.send<&metadata::declare>(records, "rabbit-1");
  }
};

void metadata::delete_queue(harrier::self& self, const std::string& node_down, harrier::ref<broker> by) {
  if (looks_at_node && queue_on != node_down) return;
  queue_on = "";
  self.send<&broker::queue_deleted>(by);
}

void broker::queue_deleted(harrier::self& self) {
  if (connected) self.send<&client::consumer_cancelled>(connected);
}

}  // namespace zoo_rabbitmq_cleanup

harrier::catalogue_entry harrier::subjects::zoo::rabbitmq_cleanup() {
  using namespace zoo_rabbitmq_cleanup;
  return entry("rabbitmq-cleanup", "a queue vanishes right after it was declared again", [](variant as) {
    auto tested = make_program([as](self& driver) {
      const auto records = driver.create<metadata>(as == variant::fixed);
      const auto user = driver.create<client>(records);
      driver.send<&broker::node_down>(driver.create<broker>(records, user), "rabbit-3");
      driver.send<&broker::node_down>(driver.create<broker>(records), "rabbit-3");
    });
    return specified(std::move(tested),
                     {eventually("a queue that was declared is there", [](view<client> c, view<metadata> m) {
                       return !c->has_declared || !m->queue_on.empty();
                     })});
  });
}
