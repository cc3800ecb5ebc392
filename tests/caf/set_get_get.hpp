#pragma once

#undef NDEBUG  // the clients assert
#include <cassert>

#include <caf/all.hpp>

#include "both_versions.hpp"

namespace harrier {

/// A server with a number, and clients that each set it and ask for it twice: Lauterburg's program.
struct variable {
  static constexpr const char* name = "server";
  int value = 0;
};

inline caf::behavior server(caf::stateful_actor<variable>* self) {
  return {[=](both::put_atom, int value) { both::state_of(self).value = value; },
          [=](both::get_atom) { return both::state_of(self).value; }};
}

inline caf::behavior client(caf::event_based_actor* self, const caf::actor& of, int value) {
  self->send(of, both::put_atom::value, value);
  self->request(of, caf::infinite, both::get_atom::value).await([=](int first) {
    self->request(of, caf::infinite, both::get_atom::value).await([=](int second) {
      assert(first == second);
      self->quit();
    });
  });
  return {[](both::stop_atom) {}};
}

inline void set_get_get(caf::actor_system& system) {
  const auto of = system.spawn(server);
  for (const int value : {1, 2}) system.spawn(client, of, value);
}

}  // namespace harrier
