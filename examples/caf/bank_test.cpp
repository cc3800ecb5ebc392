// The test of the bank, for every order in which its messages can be delivered. Read README.md beside this file.
#include <stdexcept>

#include <harrier/adapter/caf/program.hpp>
#include <harrier/cli/main.hpp>

#include "bank.hpp"

namespace {

harrier::program rent_is_paid(const harrier::arguments& given) {
  const says when = given.word("says") == "early" ? says::early : says::in_time;
  return harrier::caf_program([when](caf::actor_system& system) {
    if (!first_of_the_month(system, when)) throw std::runtime_error("the rent is not paid");
  });
}

}  // namespace

int main(int argc, char** argv) {
  harrier::options how;
  how.search.delivery = harrier::delivery::causal;  // all actors are in one process
  return harrier::main(argc, argv,
                       {{"rent",
                         "the rent is paid on the first of the month",
                         {{.name = "says",
                           .value = std::string("early"),
                           .about = "when the employer says that it has paid",
                           .words = {"early", "in-time"}}},
                         rent_is_paid,
                         how}});
}
