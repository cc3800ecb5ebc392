#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include <harrier/core/observer.hpp>
#include <harrier/core/program.hpp>

/// Random programs of actors with three fields whose messages read and write some of them, and what a search shows of
/// one. What is dependent on what is decided here by the names of messages, not by anything of harrier's.
namespace harrier::differential {

/// How it is known what a handler touches.
enum class cell_kind : std::uint8_t {
  tracked,   ///< each field tells
  plain,     ///< only what changed is seen
  mixed,     ///< one field tells
  declared,  ///< it stands beside the handlers
  guarded,   ///< tracked, but some message is refused at times
};
constexpr cell_kind all_cell_kinds[] = {cell_kind::tracked, cell_kind::plain, cell_kind::mixed, cell_kind::declared,
                                        cell_kind::guarded};
std::string to_string(cell_kind kind);

/// The program of that seed.
program make_cells(cell_kind kind, std::uint64_t seed);

/// What a search of such a program showed. An execution is known by the order of its dependent steps.
struct seen_cells {
  struct seen_class {
    std::uint64_t executions = 0;
    std::uint64_t end = 0;  ///< stands for the configuration at its end
  };
  std::map<std::uint64_t, seen_class> classes;
  std::set<std::string> findings;
  std::uint64_t executions = 0;
  std::uint64_t blocked = 0;
  bool is_complete = false;
  bool ends_differ = false;  ///< one class ended in two configurations
};

/// @param run  searches the system; true if it came to its end
seen_cells observe_cells(const program& tested, cell_kind kind, delivery model, std::uint64_t most_executions,
                         const std::function<bool(system&, observer&)>& run);

/// A search of a program, by one of several ways to run the same algorithm.
using cells_search = bool (*)(const program& tested, system& s, observer& watcher, std::string_view ordering);
/// The one that tells fields apart, by one cursor, by several in turns, and by workers in turns.
extern const std::array<cells_search, 3> searches_of_cells;

/// All executions; not complete if there are too many.
seen_cells every_order(const program& tested, cell_kind kind, delivery model);
seen_cells seen_by(cells_search search, const program& tested, cell_kind kind, delivery model, std::uint64_t seed);

/// A search that tries whether messages commute.
using semantic_search = bool (*)(system& s, observer& watcher, std::string_view ordering);
/// By source sets, and by persistent sets with sleep sets.
extern const std::array<semantic_search, 2> searches_that_try;
seen_cells seen_by(semantic_search search, const program& tested, cell_kind kind, delivery model, std::uint64_t seed);
/// What is wrong with what such a search showed; empty: nothing.
std::string difference_in_ends(const seen_cells& oracle, const seen_cells& seen);

/// Each way in which a search that tells fields apart is not what `oracle` says; empty if it is.
std::vector<std::string> differences(const seen_cells& oracle, const seen_cells& seen);

}  // namespace harrier::differential
