// stempy: the size that one process sends is taken for the data of another.
//
// Source: OpenChemistry/stempy#293 (MPI). Each rank sends how much is to come, and then its data. The collector
// receives a size from whomever, and then data from whomever. Repaired: it receives the data of the rank whose size it
// has.
#include "entries.hpp"

namespace zoo_stempy_sizes {

struct size {
  int rank;
  int bytes;
};
struct block {
  int rank;
  int bytes;
};

struct collector {
  bool minds_rank;
  int ranks;

  harrier::task run(harrier::self& self) {
    for (int i = 0; i < ranks; ++i) {
      const auto announced = co_await self.receive<size>();
      const auto from = minds_rank ? announced.rank : 0;
      const auto data = co_await self.receive<block>([from](const block& b) { return from == 0 || b.rank == from; });
      self.check(data.bytes == announced.bytes, "as much data comes as was announced");
    }
  }
};

struct process {
  harrier::ref<collector> to;
  int rank;

  void send_image(harrier::self& self) {
    self.send(to, size{rank, 100 * rank});
    self.send(to, block{rank, 100 * rank});
  }
};

}  // namespace zoo_stempy_sizes

harrier::catalogue_entry harrier::subjects::zoo::stempy_sizes() {
  using namespace zoo_stempy_sizes;
  return entry("stempy-sizes", "the size that one process sends is taken for that of another's data", [](variant as) {
    return over(delivery::fifo, make_program([as](self& driver) {
                  const auto to = driver.spawn<&collector::run>(as == variant::fixed, 2);
                  for (int rank = 1; rank <= 2; ++rank)
                    driver.send<&process::send_image>(driver.create<process>(to, rank));
                }));
  });
}
