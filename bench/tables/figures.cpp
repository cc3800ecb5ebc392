#include "figures.hpp"

#include <fmt/format.h>

#include <fstream>
#include <stdexcept>
#include <utility>

#include <harrier/core/error.hpp>

namespace harrier::tables {
namespace {

constexpr std::size_t fields = 14;

std::vector<std::string> split(const std::string& line) {
  std::vector<std::string> parts(1);
  for (const char c : line) {
    if (c == '\t')
      parts.emplace_back();
    else
      parts.back() += c;
  }
  return parts;
}

cell cell_of(const std::vector<std::string>& f) {
  cell c;
  c.table = f[0];
  c.subject = f[1];
  c.row = f[2];
  c.column = f[3];
  c.program = f[4];
  c.engine = f[5];
  c.ordering = f[6];
  c.extra = std::stoull(f[7]);
  c.paths.printed = f[8];
  c.transitions.printed = f[9];
  c.states.printed = f[10];
  c.depth.printed = f[11];
  c.left_out = std::stoull(f[12]);
  c.remark = f[13];
  return c;
}

}  // namespace

std::uint64_t figure::value() const { return std::stoull(printed); }

std::vector<cell> read_figures(const std::string& file) {
  std::ifstream in(file);
  if (!in) throw error("cannot read " + file);
  std::vector<cell> cells;
  std::string line;
  int number = 0;
  bool seen_head = false;
  while (std::getline(in, line)) {
    ++number;
    if (line.empty() || line.front() == '#') continue;
    if (!std::exchange(seen_head, true)) continue;
    const auto parts = split(line);
    if (parts.size() != fields)
      throw error(fmt::format("{}:{}: {} fields, not {}", file, number, parts.size(), fields));
    try {
      cells.push_back(cell_of(parts));
    } catch (const std::logic_error&) {
      throw error(fmt::format("{}:{}: '{}' or '{}' is not a number", file, number, parts[7], parts[12]));
    }
  }
  return cells;
}

const std::vector<table_notes>& all_tables() {
  static const std::vector<table_notes> tables = {
      {"3.1",
       "Lauterburg, table 3.1: no reduction, compared states and dCUTE (executions / messages delivered, and states if "
       "compared)",
       "The driver's own step does not count. Without comparison the published number of states is always one more "
       "than "
       "the messages. Actor Comp. is stateful --state-comparison as-measured."},
      {"3.2", "Lauterburg, table 3.2: the same, continued",
       "As in 3.1. The ActorFoundry spinsort is started by one message more."},
      {"3.3", "Lauterburg, table 3.3: states compared after big and little steps (messages delivered / states / depth)",
       "As Actor Comp. in 3.1. The initial state does not count, nor in big steps one before it that leaves no "
       "choice."},
      {"4.1", "Lauterburg, table 4.1: orderings for dCUTE and persistent sets (paths)", ""},
      {"4.2", "Lauterburg, table 4.2: persistent sets, without and with sleep sets (paths / transitions)",
       "The table counts the driver's own step, and of leader also the three calls that set it up (7 in all); they are "
       "added to our counts here."},
      {"T1", "Tasharofi et al., table 1: DPOR and TransDPOR (paths / transitions)",
       "The driver's own step does not count. TransDPOR is transdpor-as-measured."},
      {"T2", "Tasharofi et al., table 2: both with sleep sets (paths / transitions)",
       "As in T1. (as printed) is transdpor, the algorithm in the paper's figure, beside the same published figures; "
       "it "
       "does not count in the sums."},
  };
  return tables;
}

}  // namespace harrier::tables
