#pragma once

#include <span>
#include <string>
#include <string_view>

#include <harrier/report/diagram.hpp>

namespace harrier {

/// A sequence diagram for Mermaid, as GitHub and GitLab draw it in a comment. It has fewer than 50,000 characters,
/// which is the most that Mermaid takes: of a longer trace the beginning and the end, with a note of what is left out
/// between.
std::string to_mermaid(const diagram& trace);

/// A sequence diagram for PlantUML, as long as Mermaid's.
std::string to_plantuml(const diagram& trace);

/// A log with vector clocks for ShiViz. Its first line is the regular expression that reads the rest, its second, which
/// is empty, what is between executions. Of a trace with so many steps and actors that the clocks would have more than
/// two million entries only the end is there.
std::string to_shiviz(const diagram& trace);

/// A space-time diagram for Graphviz: `dot -Tsvg`. Nodes have their places, so that long traces need no layout.
std::string to_dot(const diagram& trace);

/// A trace in the Chrome trace event format, for ui.perfetto.dev: a thread for each actor, a slice for each delivery,
/// ten microseconds apart, and a flow for each message.
std::string to_perfetto(const diagram& trace);

/// One of the formats above.
struct export_format {
  std::string_view name;  ///< on the command line
  std::string (*write)(const diagram& trace);
};

/// All of them, in the order in which they are documented.
std::span<const export_format> export_formats();

}  // namespace harrier
