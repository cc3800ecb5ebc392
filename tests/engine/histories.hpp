#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include <harrier/core/program.hpp>

#include "../litmus/random_program.hpp"
#include "observed.hpp"

/// Searches under delivery::mailbox_interleaved compared by histories: what each
/// actor takes, whatever the order was in which it arrived.
namespace harrier::differential {

/// What a search showed of a program, by histories.
struct seen_histories {
  std::map<std::string, std::uint64_t> executions;  ///< by history, with how it ends, as outside::text_of says
  std::set<std::string> findings;
  std::uint64_t blocked = 0;
  bool is_too_large = false;
  std::string why;  ///< it went wrong; empty if it did not
};

/// Runs on a system in its initial configuration; `program` is there to start others.
using history_search = std::function<void(const program&, system&, observer&)>;

/// Each execution that `search` runs of `tables`, told by its history.
seen_histories histories_by(const history_search& search, const litmus::random_program& tables, limits most);

/// All that can happen: what is run by engine optimal, one execution for each order of arrivals.
/// Nothing if that is too much, or the program fails before its first message.
std::optional<seen_histories> all_histories(const litmus::random_program& tables, limits most);

/// Whether it can be searched by histories: its set-up does not depend on the order of arrival.
bool has_histories(const litmus::random_program& tables);

/// The search that is looked at, and the same by threads that are stopped and gone on with (see search_by_threads).
void search_by_histories(const program& tested, system& s, observer& watcher);
void search_by_histories_in_threads(const program& tested, system& s, observer& watcher);

/// Each way in which `found` is not one execution of each history of `all`; empty if it is.
std::vector<std::string> differences(const seen_histories& all, const seen_histories& found);

}  // namespace harrier::differential
