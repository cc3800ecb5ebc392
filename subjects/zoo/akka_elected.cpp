// akka-raft: a leader forgets the first command that it took.
//
// Source: ktoso/akka-raft#58 (found by DEMi). A candidate with enough votes becomes the leader and sends itself a
// message, in whose handler it notes what to send to whom. Commands that are in its mailbox already are taken before:
// the note says then that they have been sent.
// Repaired: it makes the note when it becomes the leader.
#include "entries.hpp"

namespace zoo_akka_elected {

struct follower {
  std::size_t entries = 0;

  void append(std::size_t first, std::size_t count) {
    if (first == entries) entries += count;
  }
};

struct server {
  bool notes_at_once;
  harrier::ref<follower> other;
  bool leads = false;
  bool has_noted = false;
  std::size_t log = 0;
  std::size_t next = 0;

  void vote(harrier::self& self) {
    leads = true;
    if (notes_at_once) note();
    self.send<&server::elected_as_leader>(self.me<server>());
  }
  void elected_as_leader() {
    if (!has_noted) note();
  }
  void command(harrier::self& self) {
    if (!leads) return;
    ++log;
    if (has_noted) replicate(self);
  }

private:
  void note() {
    has_noted = true;
    next = log;
  }
  void replicate(harrier::self& self) {
    self.send<&follower::append>(other, next, log - next);
    next = log;
  }
};

}  // namespace zoo_akka_elected

harrier::catalogue_entry harrier::subjects::zoo::akka_elected() {
  using namespace zoo_akka_elected;
  return entry("akka-elected", "a leader forgets the first command that it took", [](variant as) {
    auto tested = make_program([as](self& driver) {
      const auto s = driver.create<server>(as == variant::fixed, driver.create<follower>());
      driver.send<&server::vote>(s);
      driver.send<&server::command>(s);
    });
    return specified(over(delivery::fifo, std::move(tested)),
                     {eventually("what the leader has in its log is replicated",
                                 [](view<server> s, view<follower> f) { return s->log == f->entries; })});
  });
}
