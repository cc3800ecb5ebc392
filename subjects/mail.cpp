// Users who log in at a mail server, write to one another and fetch what has come for them.
//
// Source: Mail of E. Albert, P. Arenas, M. Gómez-Zamalloa, "Actor- and Task-Selection Strategies for Pruning Redundant
// State-Exploration in Testing", FORTE 2014, table 1: "an email client-server simulation". Their program is not
// printed; this one is written from the name.
//
// The server has a map of inboxes, which is one field: two letters to different users do not commute. It writes its log
// where users log in only; a server that logged each request would have no two that commute.
#include <map>
#include <set>
#include <vector>

#include "entries.hpp"

namespace {

struct user;

struct letter {
  std::int64_t from;
  std::int64_t number;
};

struct mail_server {
  harrier::tracked<std::set<std::int64_t>> sessions;
  harrier::tracked<std::vector<std::int64_t>> log;
  harrier::tracked<std::map<std::int64_t, std::vector<letter>>> inboxes;

  void log_in(std::int64_t name) {
    sessions.write().insert(name);
    log.write().push_back(name);
  }
  void submit(harrier::self& self, harrier::ref<user> sender, std::int64_t to, const letter& what);
  void fetch(harrier::self& self, harrier::ref<user> who, std::int64_t name);
};

/// Asks for everything at once: so the server may find it not logged in, or its inbox empty.
struct user {
  std::int64_t name;
  std::int64_t friend_of;
  harrier::ref<mail_server> server;
  harrier::tracked<int> accepted = 0;
  harrier::tracked<std::vector<letter>> received;
  harrier::tracked<int> refused = 0;

  void start(harrier::self& self, std::int64_t letters) const {
    self.send<&mail_server::log_in>(server, name);
    for (std::int64_t i = 0; i < letters; ++i)
      self.send<&mail_server::submit>(server, self.me<user>(), friend_of, letter{name, i});
    self.send<&mail_server::fetch>(server, self.me<user>(), name);
  }
  void accept() { ++accepted; }
  void receive(const std::vector<letter>& all) { received = all; }
  void refuse() { ++refused; }
};

void mail_server::submit(harrier::self& self, harrier::ref<user> sender, std::int64_t to, const letter& what) {
  inboxes.write()[to].push_back(what);
  self.send<&user::accept>(sender);
}

void mail_server::fetch(harrier::self& self, harrier::ref<user> who, std::int64_t name) {
  if (!sessions->contains(name)) return self.send<&user::refuse>(who);
  const auto found = inboxes->find(name);
  if (found == inboxes->end()) return self.send<&user::receive>(who, std::vector<letter>());
  self.send<&user::receive>(who, found->second);
  inboxes.write().erase(name);
}

void correspond(harrier::self& self, std::int64_t users, std::int64_t letters) {
  const auto server = self.create<mail_server>();
  for (std::int64_t i = 0; i < users; ++i)
    self.send<&user::start>(self.create<user>(i, (i + 1) % users, server), letters);
}

}  // namespace

harrier::catalogue_entry harrier::subjects::mail() {
  return {"mail",
          "users log in at a mail server, write to one another and fetch their letters",
          {{.name = "users", .value = 2, .about = "how many users", .least = 1, .greatest = 1000},
           {.name = "letters", .value = 1, .about = "how many letters each writes", .least = 0, .greatest = 1000}},
          [](const arguments& given) {
            return make_program([users = given.number("users"), letters = given.number("letters")](self& self) {
              correspond(self, users, letters);
            });
          }};
}
