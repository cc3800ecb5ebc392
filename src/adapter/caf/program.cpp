#include <atomic>
#include <caf/all.hpp>
#include <cstdint>
#include <memory>
#include <utility>

#include <harrier/adapter/caf/program.hpp>
#include <harrier/adapter/reexecution/live_run.hpp>

#include "interposed.hpp"
#include "run.hpp"

namespace harrier {

program caf_program(std::function<void()> body, caf_options how) {
  caf_adapter::interpose();
  static std::atomic<std::uint64_t> programs = 0;
  const auto seen = std::make_shared<seen_of_program>();
  return reexecution::reexecute({.start =
                                     [=, body = std::move(body), number = ++programs](reexecution::listener& told) {
                                       return std::make_unique<caf_adapter::run>(body, number, how, *seen, told);
                                     },
                                 .eager_starts = how.eager_starts,
                                 .may_go_on = true,
                                 .fits_mailboxes = false,
                                 .can_be_befallen = true,
                                 .one_run_at_a_time = true,
                                 .tells_end_before_it_answers = caf_adapter::tells_end_before_it_answers,
                                 .fetches_when_nothing_is_left = caf_adapter::fetches_when_nothing_is_left,
                                 .usual_delivery = delivery::causal,
                                 .seen = seen});
}

program caf_program(std::function<void(caf::actor_system&)> caf_main, caf_options how) {
  const auto config = std::make_shared<caf_adapter::kept_config>();
  return caf_program(std::function<void()>([caf_main = std::move(caf_main), config] {
                       caf::actor_system system(*config);
                       caf_main(system);
                     }),
                     how);
}

}  // namespace harrier
