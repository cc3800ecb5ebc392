#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include <harrier/native/history.hpp>

#include "entries.hpp"

/// What the programs have in common whose servers keep a register: the clients, which write once and then read once,
/// what they are to see, and how all begin.
///
/// Source: Stateright's src/actor/register.rs (github.com/stateright/stateright). There a step that changes nothing and
/// sends nothing is none, and its message stays under way; here a guard refuses it.
namespace harrier::subjects {

using register_value = char;  // '\0' at the beginning
using register_object = register_of<register_value>;

/// A client of servers of class `Server`, which take `put(request, value, client)` and `get(request, client)`. Answers
/// say which server they are from, since that tells one from another there.
template <class Server>
struct register_client {
  int number = 0;  // servers have the first numbers
  std::vector<ref<Server>> servers = {};
  register_history<register_value> did = {};
  int awaiting = 0;
  int operations = 0;

  [[nodiscard]] ref<Server> next_server() const {
    return servers[static_cast<std::size_t>(number + operations) % servers.size()];
  }
  void start(self& self) {
    const auto value = static_cast<register_value>('A' + number - static_cast<int>(servers.size()));
    did.template invoke<&register_object::write>(value);
    awaiting = number;
    self.send<&Server::put>(next_server(), awaiting, value, self.me<register_client>());
    operations = 1;
  }
  void put_ok(self& self, int /*request*/, int /*from*/) {
    did.returned();
    did.template invoke<&register_object::read>();
    awaiting = (operations + 1) * number;
    self.send<&Server::get>(next_server(), awaiting, self.me<register_client>());
    ++operations;
  }
  void get_ok(int /*request*/, register_value value, int /*from*/) {
    did.returned(value);
    awaiting = 0;
    ++operations;
  }
  bool accepts(handler<&register_client::put_ok>, int request, int) const { return request == awaiting; }
  bool accepts(handler<&register_client::get_ok>, int request, register_value, int) const {
    return request == awaiting;
  }
};

/// Sends that to all of `servers` but number `own`, which it comes from.
template <auto Message, class Server, class... Arguments>
void tell_others(self& self, const std::vector<ref<Server>>& servers, int own, const Arguments&... arguments) {
  for (std::size_t i = 0; i < servers.size(); ++i)
    if (static_cast<int>(i) != own) self.send<Message>(servers[i], arguments..., own);
}
template <class Server>
std::size_t majority_of(const std::vector<ref<Server>>& servers) {
  return servers.size() / 2 + 1;
}

/// Answers a read.
template <class Server>
void send_value(self& self, ref<register_client<Server>> to, int request, register_value value, int from) {
  if (value != '\0') self.cover("value chosen");
  self.send<&register_client<Server>::get_ok>(to, request, value, from);
}

struct register_sizes {
  std::int64_t clients;
  std::int64_t servers;
};

/// Servers are told of all servers, and their own number, by `join(number, servers)`; then each client writes.
template <class Server>
struct register_driver {
  register_sizes how_many;
  std::vector<ref<register_client<Server>>> clients = {};

  void set_up(self& self) {
    std::vector<ref<Server>> servers;
    for (std::int64_t i = 0; i < how_many.servers; ++i) servers.push_back(self.create<Server>());
    int number = 0;
    for (const auto s : servers) self.send<&Server::join>(s, number++, servers);
    for (std::int64_t i = 0; i < how_many.clients; ++i)
      clients.push_back(self.create<register_client<Server>>(number++, servers));
  }
  void start_up(self& self) {
    for (const auto c : clients) self.send<&register_client<Server>::start>(c);
  }
  void test(self&) {}
};

template <class Server>
catalogue_entry register_entry(const char* name, const char* about, std::int64_t servers) {
  return {name,
          about,
          {{.name = "clients", .value = 2, .about = "how many clients", .least = 1, .greatest = 20},
           {.name = "servers", .value = servers, .about = "how many servers", .least = 1, .greatest = 20}},
          [](const arguments& given) {
            const register_sizes how_many{given.number("clients"), given.number("servers")};
            return covers(specified(make_program(register_driver<Server>{how_many}),
                                    {linearizable("register", register_object{}, &register_client<Server>::did)}),
                          {"value chosen"});
          }};
}

}  // namespace harrier::subjects
