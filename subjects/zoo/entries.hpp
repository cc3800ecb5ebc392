#pragma once

#include "entry.hpp"

/// What the files of this folder give to the zoo.
namespace harrier::subjects::zoo {

catalogue_entry akka_elected();
catalogue_entry akka_singleton();
catalogue_entry aleth_reaper();
catalogue_entry asio_cancel();
catalogue_entry caf_request();
catalogue_entry ccf_probe();
catalogue_entry ccf_stale_refusal();
catalogue_entry dask_resumed();
catalogue_entry etcd_advance();
catalogue_entry grpc_cancel();
catalogue_entry kafka_fenced();
catalogue_entry kafka_former_life();
catalogue_entry nats_catchup();
catalogue_entry nebula_vote();
catalogue_entry openraft_lease();
catalogue_entry orleans_circle();
catalogue_entry orleans_forward();
catalogue_entry otp_restart();
catalogue_entry rabbitmq_cleanup();
catalogue_entry ray_token();
catalogue_entry rclcpp_result();
catalogue_entry redis_cancel();
catalogue_entry redpanda_recovery();
catalogue_entry riak_pool();
catalogue_entry stempy_sizes();
catalogue_entry zeek_peer();

}  // namespace harrier::subjects::zoo
