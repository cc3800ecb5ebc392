// Kafka: the leader of a partition asks a controller that is none any more, and gives up.
//
// Source: KAFKA-14154. A new controller makes a broker the leader of a partition. The broker believes that the old one
// is still the controller, and asks it for a change; that one does not know the leader's new epoch and answers
// "fenced", from which the broker concludes that it is not the leader any more.
// Repaired: it asks again when it hears of another controller.
#include "entries.hpp"

namespace zoo_kafka_fenced {

struct broker;

struct controller {
  int leader_epoch;
  bool has_changed = false;

  void change_partition(harrier::self& self, int epoch, harrier::ref<broker> by);
};

struct broker {
  bool asks_again;
  harrier::ref<controller> current;
  int epoch = 1;
  bool wants_change = false;
  bool is_fenced = false;

  void become_leader(harrier::self& self, int in_epoch) {
    epoch = in_epoch;
    wants_change = true;
    ask(self);
  }
  void new_controller(harrier::self& self, harrier::ref<controller> other) {
    current = other;
    if (asks_again && wants_change) ask(self);
  }
  void fenced() { is_fenced = true; }
  void changed() { wants_change = false; }

private:
  void ask(harrier::self& self) const { self.send<&controller::change_partition>(current, epoch, self.me<broker>()); }
};

void controller::change_partition(harrier::self& self, int epoch, harrier::ref<broker> by) {
  if (epoch != leader_epoch) return self.send<&broker::fenced>(by);
  has_changed = true;
  self.send<&broker::changed>(by);
}

}  // namespace zoo_kafka_fenced

harrier::catalogue_entry harrier::subjects::zoo::kafka_fenced() {
  using namespace zoo_kafka_fenced;
  return entry("kafka-fenced", "a leader asks a controller that is none any more, and gives up", [](variant as) {
    auto tested = make_program([as](self& cluster) {
      const auto former = cluster.create<controller>(1);
      const auto present = cluster.create<controller>(2);
      const auto leads = cluster.create<broker>(as == variant::fixed, former);
      cluster.send<&broker::become_leader>(leads, 2);
      cluster.send<&broker::new_controller>(leads, present);
    });
    return specified(std::move(tested), {eventually("the change of the partition is made",
                                                    [](view<broker> b) { return !b->wants_change; })});
  });
}
