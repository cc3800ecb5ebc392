#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace harrier::tables {

/// A figure as a paper prints it.
struct figure {
  /// 3821; 211750* if the authors' run was cut there; empty if not printed or not legible.
  std::string printed;

  [[nodiscard]] bool given() const { return !printed.empty(); }
  [[nodiscard]] bool cut() const { return given() && printed.back() == '*'; }
  [[nodiscard]] std::uint64_t value() const;
};

/// One cell of a published table: a line of published.tsv, which explains the fields.
struct cell {
  std::string table;
  std::string subject;
  std::string row;
  std::string column;
  std::string program;
  std::string engine;
  std::string ordering;
  std::uint64_t extra = 0;
  figure paths;
  figure transitions;
  figure states;
  figure depth;
  std::uint64_t left_out = 0;
  std::string remark;

  /// Whether we have the program and the engine.
  [[nodiscard]] bool can_run() const { return program != "-"; }
  /// Whether it only stands beside the cells that count.
  [[nodiscard]] bool beside() const { return column.front() == '('; }
};

/// Reads published.tsv. @throws error if the file is not there or a line is no cell.
std::vector<cell> read_figures(const std::string& file);

/// What one should know of a table.
struct table_notes {
  std::string name;
  std::string title;
  /// How the counts are to be read.
  std::string convention;
};

/// The tables in the order in which they are printed.
const std::vector<table_notes>& all_tables();

}  // namespace harrier::tables
