// Actors that have global variables in common, as its first argument says.
#undef NDEBUG
#include <caf/all.hpp>
#include <cassert>
#include <string>

using namespace caf;

int mains = 0;  // never reset
int total = 0;

behavior adds(event_based_actor*) {
  return {[](int number) { total += number; }};
}

/// Depends on what an earlier run has left.
behavior fails_later(event_based_actor* self) {
  return {[=](int number) {
    assert(mains == 1 || number == 1);
    self->become([](int) {});
  }};
}

int main(int argc, char** argv) {
#ifdef CAF_VERSION_MAJOR  // CAF 1
  core::init_global_meta_objects();
#endif
  const std::string how = argc > 1 ? argv[1] : "";
  ++mains;
  total = 0;
  actor_system_config config;
  actor_system system{config};
  if (how == "shared") {
    for (int i = 0; i < 2; ++i) anon_send(system.spawn(adds), 1);
    return 0;
  }
  const auto to = system.spawn(fails_later);
  for (int i = 1; i <= 2; ++i) system.spawn([=](event_based_actor* self) { self->send(to, i); });
}
