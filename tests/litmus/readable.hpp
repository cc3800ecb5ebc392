#pragma once

#include <gmock/gmock.h>

#include <map>
#include <ostream>
#include <string>
#include <vector>

#include <harrier/core/program.hpp>

/// Traces as a person writes them, and the searches that each litmus program is
/// given to.
namespace harrier::litmus {

/// One delivery sequence an actor, the actors' names as in a report: `server_0`.
/// A delivery that failed ends with `!`, one that drew 2 with `=2`. Arrivals at
/// mailboxes are left out.
struct trace {
  std::map<std::string, std::vector<std::string>> of;

  bool operator==(const trace&) const = default;
  auto operator<=>(const trace&) const = default;
  friend std::ostream& operator<<(std::ostream& out, const trace& t);
};

/// A search by the name it has on the command line, `+sleep` added for sleep sets.
struct searched_by {
  std::string engine;

  friend std::ostream& operator<<(std::ostream& out, const searched_by& s) { return out << s.engine; }
};

/// The traces that the search runs to their end, as often as it does. Of a search
/// that may run a trace several times, once each. They are the same with each of
/// the orderings, or the test fails.
std::vector<trace> traces(const program& tested, const searched_by& how, delivery model = delivery::unordered);

/// What it finds: `assertion of client_1: two reads agree`, sorted.
std::vector<std::string> findings(const program& tested, const searched_by& how, delivery model = delivery::unordered);

/// All searches; `exhaustive` too, which runs on past a failure here, as the others do.
std::vector<searched_by> all_searches();

}  // namespace harrier::litmus
