// The first of the month, in CAF alone: `bank early` or `bank in-time`. Read README.md beside this file.
#include <cstring>
#include <iostream>

#include "bank.hpp"

int main(int argc, char** argv) {
  const bool is_mended = argc > 1 && std::strcmp(argv[1], "in-time") == 0;
  caf::actor_system_config config;
  caf::actor_system system{config};
  if (first_of_the_month(system, is_mended ? says::in_time : says::early)) return 0;
  std::cerr << "the rent is not paid\n";
  return 1;
}
