// A register that is kept by a majority of servers. Who writes asks a majority for the latest time stamp, takes a later
// one, and stores with a majority; who reads stores what it has read.
//
// Source: H. Attiya, A. Bar-Noy, D. Dolev, "Sharing memory robustly in message-passing systems", JACM 1995, as in
// Stateright's examples/linearizable-register.rs (github.com/stateright/stateright).
#include <map>
#include <optional>
#include <set>
#include <tuple>

#include "register_client.hpp"

namespace {

using harrier::subjects::majority_of;
using harrier::subjects::register_value;
using harrier::subjects::tell_others;

struct abd_server;
using client = harrier::subjects::register_client<abd_server>;

struct stamp {
  int clock = 0;
  int by = 0;
  auto operator<=>(const stamp&) const = default;
};
struct stamped {
  stamp at = {};
  register_value value = '\0';
};

/// What it does for a client: it asks for what others have, and then has it stored.
struct asking {
  int request = 0;
  harrier::ref<client> from = {};
  std::optional<register_value> write = {};
  std::map<int, stamped> answers = {};
};
struct storing {
  int request = 0;
  harrier::ref<client> from = {};
  std::optional<register_value> read = {};
  std::set<int> stored = {};
};

struct abd_server {
  int number = 0;
  std::vector<harrier::ref<abd_server>> servers = {};
  stamped kept = {};
  std::optional<asking> asks = {};
  std::optional<storing> stores = {};

  [[nodiscard]] bool is_idle() const { return !asks && !stores; }

  void join(int own_number, std::vector<harrier::ref<abd_server>> all) {
    number = own_number;
    servers = std::move(all);
    kept.at.by = number;
  }
  [[nodiscard]] harrier::ref<abd_server> server(int i) const { return servers[static_cast<std::size_t>(i)]; }

  void put(harrier::self& self, int request, register_value v, harrier::ref<client> from) {
    begin(self, {request, from, v, {{number, kept}}});
  }
  void get(harrier::self& self, int request, harrier::ref<client> from) {
    begin(self, {request, from, std::nullopt, {{number, kept}}});
  }
  void begin(harrier::self& self, asking what) {
    tell_others<&abd_server::query>(self, servers, number, what.request);
    asks = std::move(what);
  }
  void query(harrier::self& self, int request, int from) {
    self.send<&abd_server::answer>(server(from), request, kept, number);
  }
  void answer(harrier::self& self, int /*request*/, stamped what, int from) {
    asks->answers.insert_or_assign(from, what);
    if (asks->answers.size() != majority_of(servers)) return;
    stamped latest;
    for (const auto& [who, had] : asks->answers)
      if (who == asks->answers.begin()->first || had.at > latest.at) latest = had;
    storing next{asks->request, asks->from, std::nullopt, {number}};
    if (asks->write)
      latest = {{latest.at.clock + 1, number}, *asks->write};
    else
      next.read = latest.value;
    tell_others<&abd_server::store>(self, servers, number, asks->request, latest);
    keep(latest);
    asks.reset();
    stores = std::move(next);
  }
  void keep(const stamped& what) {
    if (what.at > kept.at) kept = what;
  }
  void store(harrier::self& self, int request, stamped what, int from) {
    self.send<&abd_server::stored>(server(from), request, number);
    keep(what);
  }
  void stored(harrier::self& self, int /*request*/, int from) {
    stores->stored.insert(from);
    if (stores->stored.size() != majority_of(servers)) return;
    if (stores->read)
      harrier::subjects::send_value(self, stores->from, stores->request, *stores->read, number);
    else
      self.send<&client::put_ok>(stores->from, stores->request, number);
    stores.reset();
  }

  bool accepts(harrier::handler<&abd_server::put>) const { return is_idle(); }
  bool accepts(harrier::handler<&abd_server::get>) const { return is_idle(); }
  bool accepts(harrier::handler<&abd_server::answer>, int request, const stamped&, int) const {
    return asks && asks->request == request;
  }
  bool accepts(harrier::handler<&abd_server::stored>, int request, int from) const {
    return stores && stores->request == request && !stores->stored.contains(from);
  }
};

}  // namespace

harrier::catalogue_entry harrier::subjects::abd_register() {
  return register_entry<abd_server>("abd-register", "a register that a majority of servers keeps", 2);
}
