#include "catalogue.hpp"

#include "entries.hpp"

namespace harrier::subjects {

std::vector<catalogue_entry> catalogue() {
  return {
      registry(),
      server(),
      pi(),
      fib(),
      fib_collector(),
      figure_3(),
      quicksort(),
      mergesort(),
      pipesort(),
      chameneos(),
      leader(),
      shortpath(),
      spinsort(),
      regsim(),
      diningphil(),
      philosophers(),
      mini_stop_work(),
      mini_exclusive(),
      senders(),
      readers(),
      overtaken(),
      two_phase_commit(),
      message_philosophers(),
      pingpong(),
      pingpong_counted(),
      phils(),
      store(),
      dht(),
      mail(),
      bounded_buffer(),
      scala(),
      regsim_tasks(),
      pipesort_tasks(),
      single_copy_register(),
      abd_register(),
      paxos_register(),
  };
}

}  // namespace harrier::subjects
