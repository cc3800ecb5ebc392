// Kafka: a broker that was restarted obeys what its former life was told.
//
// Source: KAFKA-7235. A controller tells a broker to stop a replica. The broker restarts, and is told anew what it has
// to do; then the first request arrives, and it stops a replica that it has to keep.
// Repaired: a request carries the number of the life that it is for, and is ignored in another one.
#include "entries.hpp"

namespace zoo_kafka_former_life {

struct controller;

struct broker {
  bool ignores_others;
  harrier::ref<controller> registers_at = {};
  harrier::persistent<int> life = 1;
  bool has_replica = true;

  void meet(harrier::ref<controller> at) { registers_at = at; }
  void produce() {}
  void stop_replica(harrier::self& self, int for_life) {
    if (for_life != life && ignores_others) return;
    self.check(for_life == life, "a broker obeys only what this life of it was told");
    has_replica = false;
  }
  void keep_replica(int) { has_replica = true; }
  void on_restart(harrier::self& self);
};

struct controller {
  harrier::ref<broker> of;
  int life = 1;

  void drop_replica(harrier::self& self) { self.send<&broker::stop_replica>(of, life); }
  void restarted(harrier::self& self, int as_life) {
    life = as_life;
    self.send<&broker::keep_replica>(of, life);
  }
};

void broker::on_restart(harrier::self& self) {
  life = life + 1;
  self.send<&controller::restarted>(registers_at, static_cast<int>(life));
}

struct cluster {
  bool ignores_others;

  harrier::ref<broker> one = {};
  harrier::ref<controller> leads = {};

  void set_up(harrier::self& self) {
    one = self.create<broker>(ignores_others);
    leads = self.create<controller>(one);
    self.send<&broker::meet>(one, leads);
  }
  void test(harrier::self& self) const {
    self.send<&broker::produce>(one);
    self.send<&controller::drop_replica>(leads);
  }
};

}  // namespace zoo_kafka_former_life

harrier::catalogue_entry harrier::subjects::zoo::kafka_former_life() {
  return entry("kafka-former-life", "a broker that was restarted obeys what its former life was told", [](variant as) {
    return with_faults(make_program(zoo_kafka_former_life::cluster{as == variant::fixed}), {.crash = 1});
  });
}
