#include <harrier/protocol/graph.hpp>

#include <fstream>
#include <sstream>

#include <harrier/core/error.hpp>

#include "../../core/base/trusted_place.hpp"
#include "../process.hpp"

namespace harrier::protocol {

std::string to_svg(const std::string& dot) {
  const auto program = find_trusted_program("dot");
  if (program.path.empty())
    throw error("Graphviz's `dot` is not installed, which draws SVG; DOT can be written without it" +
                program.why_not());
  const private_folder scratch;
  const auto& folder = scratch.path();
  std::ofstream(folder / "graph.dot") << dot;
  const auto status = internal::run({program.path.string(), "-Tsvg"}, folder / "graph.dot", folder / "graph.svg");
  std::stringstream svg;
  svg << std::ifstream(folder / "graph.svg").rdbuf();
  if (status != 0) throw error("`dot` failed: " + svg.str().substr(0, 1000));
  return svg.str();
}

}  // namespace harrier::protocol
