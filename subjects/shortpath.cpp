// Shortest paths from one node: whoever learns of a shorter way to itself tells its neighbours.
//
// Source: K. M. Chandy, J. Misra, "Distributed Computation on Graphs: Shortest Path Algorithms", CACM 25, 1982, without
// the part that detects the end; as in S. Lauterburg's dissertation, University of Illinois 2011 (`triangle` is the
// graph of table 3.2), and in TransDPOR, FMOODS/FORTE 2012 (`A` and `B`).
#include <optional>
#include <vector>

#include "entries.hpp"

namespace {

struct node {
  struct neighbour {
    harrier::ref<node> who;
    int weight;
  };
  std::vector<neighbour> neighbours;
  std::optional<int> distance;

  void connect(harrier::ref<node> who, int weight) { neighbours.push_back({who, weight}); }

  void receive(harrier::self& self, int from_start, int weight) {
    if (distance && *distance <= from_start + weight) return;
    distance = from_start + weight;
    for (const auto& n : neighbours) self.send<&node::receive>(n.who, *distance, n.weight);
  }
};

struct graph {
  struct edge {
    int from, to, weight;
  };
  int nodes;
  int start;
  std::vector<edge> edges;
};

graph graph_named(const std::string& name) {
  if (name == "A") return {5, 0, {{0, 1, 10}, {0, 2, 10}, {0, 3, 10}, {1, 3, 10}, {3, 1, 10}, {3, 2, 10}, {2, 3, 10}}};
  if (name == "B")
    return {5,
            4,
            {{0, 1, 10},
             {1, 0, 10},
             {0, 2, 10},
             {2, 0, 10},
             {1, 3, 10},
             {3, 1, 10},
             {4, 0, 10},
             {4, 1, 10},
             {1, 4, 10},
             {0, 4, 10}}};
  return {3, 0, {{0, 1, 3}, {1, 0, 3}, {0, 2, 10}, {2, 0, 10}, {1, 2, 6}, {2, 1, 6}}};
}

/// The set-up builds the graph; the search for paths is what is explored.
struct search {
  graph map;
  std::vector<harrier::ref<node>> nodes;

  harrier::task set_up(harrier::self& self) {
    for (int i = 0; i < map.nodes; ++i) nodes.push_back(self.create<node>());
    for (const auto& e : map.edges) co_await self.call<&node::connect>(nodes[e.from], nodes[e.to], e.weight);
  }

  void test(harrier::self& self) { self.send<&node::receive>(nodes[map.start], 0, 0); }
};

}  // namespace

harrier::catalogue_entry harrier::subjects::shortpath() {
  return {"shortpath",
          "nodes of a graph find their distance from one of them",
          {{.name = "graph", .value = "A", .about = "which graph", .words = {"A", "B", "triangle"}}},
          [](const arguments& given) {
            return make_program(search{.map = graph_named(given.word("graph")), .nodes = {}});
          }};
}
