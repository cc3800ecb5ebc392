#pragma once

#include <cstddef>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

namespace harrier::tables {

/// What chapters 10 and 11 of the thesis on Prut4j print or count, and what we have beside it.
struct formula_row {
  std::string place;                     ///< Table 10.1; Section 10.2
  std::string what;                      ///< star; chess
  std::string source;                    ///< whose definitions and formulas were run; empty: none
  std::optional<std::size_t> published;  ///< formulas; nothing: the place is about something else, see `remark`
  std::size_t run = 0;
  std::size_t as_expected = 0;  ///< of those: as published, or, of formulas of our own, as they are meant
  std::size_t notes = 0;        ///< of those that hold: because nothing was put to the test
  double seconds = 0;           ///< for all of them
  std::string remark;           ///< why it cannot be compared, or what differs
};

/// One cell of table 10.1: whether a property holds of a topology with four nodes.
struct topology_cell {
  std::size_t property;  ///< from 1
  std::string topology;
  bool published;
  std::optional<bool> ours;
};

struct formula_table {
  std::vector<topology_cell> topologies;
  std::vector<formula_row> rows;
};

/// @param examples  the folder of our own definitions
/// @param corpus    of those published: a checkout of github.com/FlorianSlob/Prut4j, or a folder of definitions,
///                  formulas and a table of their verdicts; if it is neither, a row says so
/// @throws error    a definition that is there cannot be used
[[nodiscard]] formula_table run_protocol_formulas(const std::string& examples, const std::string& corpus);

/// Whether all that was run came out as published or meant.
[[nodiscard]] bool all_as_expected(const formula_table& table);

[[nodiscard]] std::string to_text(const formula_table& table);
[[nodiscard]] nlohmann::ordered_json to_json(const formula_table& table);

}  // namespace harrier::tables
