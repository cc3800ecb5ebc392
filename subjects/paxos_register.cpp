// Single-decree Paxos as a register that is written once: who is told to write proposes that, in a ballot of its own.
//
// Source: L. Lamport, "Paxos made simple", 2001, as in Stateright's examples/paxos.rs
// (github.com/stateright/stateright).
#include <map>
#include <optional>
#include <set>

#include "register_client.hpp"

namespace {

using harrier::subjects::majority_of;
using harrier::subjects::register_value;
using harrier::subjects::tell_others;

struct paxos_server;
using client = harrier::subjects::register_client<paxos_server>;

struct ballot_number {
  int round = 0;
  int by = 0;
  auto operator<=>(const ballot_number&) const = default;
};
struct proposed {
  int request = 0;
  harrier::ref<client> from = {};
  register_value value = '\0';
  auto operator<=>(const proposed&) const = default;
};
struct accepted_proposal {
  ballot_number in = {};
  proposed what = {};
  auto operator<=>(const accepted_proposal&) const = default;
};

struct paxos_server {
  int number = 0;
  std::vector<harrier::ref<paxos_server>> servers = {};
  ballot_number ballot = {};
  // As a leader.
  std::optional<proposed> proposal = {};
  std::map<int, std::optional<accepted_proposal>> prepares = {};
  std::set<int> accepts_of = {};
  // As an acceptor.
  std::optional<accepted_proposal> last_accepted = {};
  bool is_decided = false;

  [[nodiscard]] harrier::ref<paxos_server> server(int i) const { return servers[static_cast<std::size_t>(i)]; }

  void join(int own_number, std::vector<harrier::ref<paxos_server>> all) {
    number = own_number;
    servers = std::move(all);
  }
  void put(harrier::self& self, int request, register_value v, harrier::ref<client> from) {
    proposal = {request, from, v};
    ballot = {ballot.round + 1, number};
    prepares = {{number, last_accepted}};
    accepts_of.clear();
    tell_others<&paxos_server::prepare>(self, servers, number, ballot);
  }
  void get(harrier::self& self, int request, harrier::ref<client> from) {
    harrier::subjects::send_value(self, from, request, last_accepted->what.value, number);
  }
  void prepare(harrier::self& self, ballot_number in, int from) {
    ballot = in;
    self.send<&paxos_server::prepared>(server(from), in, last_accepted, number);
  }
  void prepared(harrier::self& self, ballot_number in, std::optional<accepted_proposal> last, int from) {
    prepares.insert_or_assign(from, last);
    if (prepares.size() != majority_of(servers)) return;
    std::optional<accepted_proposal> latest;
    for (const auto& [who, had] : prepares)
      if (had && (!latest || *had > *latest)) latest = had;
    if (latest) proposal = latest->what;
    last_accepted = {in, *proposal};
    accepts_of.insert(number);
    tell_others<&paxos_server::accept>(self, servers, number, in, *proposal);
  }
  void accept(harrier::self& self, ballot_number in, proposed what, int from) {
    ballot = in;
    last_accepted = {in, what};
    self.send<&paxos_server::accepted>(server(from), in, number);
  }
  void accepted(harrier::self& self, ballot_number in, int from) {
    accepts_of.insert(from);
    if (accepts_of.size() != majority_of(servers)) return;
    is_decided = true;
    tell_others<&paxos_server::decided>(self, servers, number, in, *proposal);
    self.send<&client::put_ok>(proposal->from, proposal->request, number);
  }
  void decided(harrier::self&, ballot_number in, proposed what, int /*from*/) {
    ballot = in;
    last_accepted = {in, what};
    is_decided = true;
  }

  bool accepts(harrier::handler<&paxos_server::put>) const { return !is_decided && !proposal; }
  bool accepts(harrier::handler<&paxos_server::get>) const { return is_decided; }
  bool accepts(harrier::handler<&paxos_server::prepare>, ballot_number in, int) const {
    return !is_decided && ballot < in;
  }
  bool accepts(harrier::handler<&paxos_server::prepared>, ballot_number in, const std::optional<accepted_proposal>&,
               int) const {
    return !is_decided && in == ballot;
  }
  bool accepts(harrier::handler<&paxos_server::accept>, ballot_number in, const proposed&, int) const {
    return !is_decided && ballot <= in;
  }
  bool accepts(harrier::handler<&paxos_server::accepted>, ballot_number in, int) const {
    return !is_decided && in == ballot;
  }
  bool accepts(harrier::handler<&paxos_server::decided>) const { return !is_decided; }
};

}  // namespace

harrier::catalogue_entry harrier::subjects::paxos_register() {
  return register_entry<paxos_server>("paxos-register", "a register that is written once, by single-decree Paxos", 3);
}
