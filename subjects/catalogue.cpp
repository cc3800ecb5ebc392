#include "catalogue.hpp"

#include <iterator>

#include "entries.hpp"
#include "zoo/entries.hpp"

namespace harrier::subjects {
namespace {

std::vector<catalogue_entry> of_the_literature() {
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

}  // namespace

std::vector<catalogue_entry> bugs_of_the_zoo() {
  return {
      zoo::akka_elected(),    zoo::akka_singleton(), zoo::aleth_reaper(),      zoo::asio_cancel(),
      zoo::caf_request(),     zoo::ccf_probe(),      zoo::ccf_stale_refusal(), zoo::dask_resumed(),
      zoo::etcd_advance(),    zoo::grpc_cancel(),    zoo::kafka_fenced(),      zoo::kafka_former_life(),
      zoo::nats_catchup(),    zoo::nebula_vote(),    zoo::openraft_lease(),    zoo::orleans_circle(),
      zoo::orleans_forward(), zoo::otp_restart(),    zoo::rabbitmq_cleanup(),  zoo::ray_token(),
      zoo::rclcpp_result(),   zoo::redis_cancel(),   zoo::redpanda_recovery(), zoo::riak_pool(),
      zoo::stempy_sizes(),    zoo::zeek_peer(),
  };
}

std::vector<catalogue_entry> catalogue() {
  auto all = of_the_literature();
  auto bugs = bugs_of_the_zoo();
  all.insert(all.end(), std::make_move_iterator(bugs.begin()), std::make_move_iterator(bugs.end()));
  return all;
}

}  // namespace harrier::subjects
