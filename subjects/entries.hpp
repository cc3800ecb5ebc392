#pragma once

#include <harrier/cli/main.hpp>
#include <harrier/harrier.hpp>

/// What the files of this folder give to the catalogue.
namespace harrier::subjects {

catalogue_entry registry();
catalogue_entry server();
catalogue_entry scala();
catalogue_entry pi();
catalogue_entry fib();
catalogue_entry fib_collector();
catalogue_entry figure_3();
catalogue_entry quicksort();
catalogue_entry mergesort();
catalogue_entry pipesort();
catalogue_entry chameneos();
catalogue_entry leader();
catalogue_entry shortpath();
catalogue_entry spinsort();
catalogue_entry regsim();
catalogue_entry diningphil();
catalogue_entry philosophers();
catalogue_entry mini_stop_work();
catalogue_entry mini_exclusive();
catalogue_entry senders();
catalogue_entry readers();
catalogue_entry overtaken();
catalogue_entry two_phase_commit();
catalogue_entry message_philosophers();
catalogue_entry pingpong();
catalogue_entry pingpong_counted();
catalogue_entry phils();
catalogue_entry store();
catalogue_entry dht();
catalogue_entry mail();
catalogue_entry bounded_buffer();
catalogue_entry regsim_tasks();
catalogue_entry pipesort_tasks();
catalogue_entry single_copy_register();
catalogue_entry abd_register();
catalogue_entry paxos_register();

}  // namespace harrier::subjects
