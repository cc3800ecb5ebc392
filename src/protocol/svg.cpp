#include <harrier/protocol/graph.hpp>

#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include <harrier/core/error.hpp>

#include "process.hpp"

namespace harrier::protocol {

std::string to_svg(const std::string& dot) {
  namespace fs = std::filesystem;
  const auto program = internal::find_program("dot");
  if (program.empty()) throw error("Graphviz's `dot` is not installed, which draws SVG; DOT can be written without it");
  auto pattern = (fs::temp_directory_path() / "harrier-XXXXXX").string();
  if (mkdtemp(pattern.data()) == nullptr) throw error("cannot make a temporary folder");
  const fs::path folder = pattern;
  std::ofstream(folder / "graph.dot") << dot;
  const auto status = internal::run({program.string(), "-Tsvg"}, folder / "graph.dot", folder / "graph.svg");
  std::stringstream svg;
  svg << std::ifstream(folder / "graph.svg").rdbuf();
  fs::remove_all(folder);
  if (status != 0) throw error("`dot` failed: " + svg.str().substr(0, 1000));
  return svg.str();
}

}  // namespace harrier::protocol
