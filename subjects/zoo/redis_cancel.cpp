// Boost.Redis: requests of a new connection are cancelled since the old one was lost.
//
// Source: boostorg/redis#309. When a connection is lost, its reader and its writer both notice, and each has all
// requests cancelled. Between the two the connection is there again, and has new requests.
// Repaired: only requests of the connection that was lost are cancelled.
#include <map>

#include "entries.hpp"

namespace zoo_redis_cancel {

struct client {
  bool looks_at_connection;
  int connection = 1;
  std::map<int, int> requests = {{1, 1}};  ///< on which connection each was made
  int made = 1;

  void lost(harrier::self& self, int which) {
    std::erase_if(requests, [&](const auto& request) {
      if (looks_at_connection && request.second != which) return false;
      self.check(request.second == which, "a request is cancelled only if its own connection is lost");
      return true;
    });
    if (which != connection) return;
    ++connection;
    self.send<&client::reconnected>(self.me<client>());
  }
  void reconnected() { requests[++made] = connection; }
};

struct half {
  harrier::ref<client> of;
  int connection = 1;

  void end_of_file(harrier::self& self) { self.send<&client::lost>(of, connection); }
};

}  // namespace zoo_redis_cancel

harrier::catalogue_entry harrier::subjects::zoo::redis_cancel() {
  using namespace zoo_redis_cancel;
  return entry("redis-cancel", "requests of a new connection are cancelled since the old one was lost", [](variant as) {
    return over(delivery::fifo, make_program([as](self& driver) {
                  const auto of = driver.create<client>(as == variant::fixed);
                  driver.send<&half::end_of_file>(driver.create<half>(of));
                  driver.send<&half::end_of_file>(driver.create<half>(of));
                }));
  });
}
