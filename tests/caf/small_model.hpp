#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

/// Programs of the literature as tables that know nothing of CAF or of harrier, and the enumeration of all orders of
/// their deliveries, in order between each two actors.
namespace harrier::small_model {

struct message {
  int from;
  int to;
  std::string kind;
  int value;
};

struct configuration {
  std::vector<std::map<std::string, int>> actors;
  std::vector<message> pending;
  std::vector<std::string> taken;  // by each actor, in order
  bool is_violated = false;
};

struct model {
  configuration start;
  /// What an actor does with a message; it may send.
  std::function<void(configuration&, const message&)> take;
};

struct counts {
  std::uint64_t executions = 0;
  std::uint64_t violating = 0;
  std::uint64_t classes = 0;
};

inline void explore(const model& of, const configuration& now, counts& all,
                    std::set<std::vector<std::string>>& classes) {
  std::set<std::pair<int, int>> seen;  // only the first message of each pair can be taken
  bool at_end = true;
  for (std::size_t i = 0; i < now.pending.size(); ++i) {
    const auto m = now.pending[i];
    if (!seen.emplace(m.from, m.to).second) continue;
    at_end = false;
    auto next = now;
    next.pending.erase(next.pending.begin() + static_cast<std::ptrdiff_t>(i));
    next.taken[static_cast<std::size_t>(m.to)] += std::to_string(m.from) + m.kind + std::to_string(m.value) + " ";
    of.take(next, m);
    explore(of, next, all, classes);
  }
  if (!at_end) return;
  ++all.executions;
  all.violating += now.is_violated ? 1 : 0;
  classes.insert(now.taken);
}

inline counts enumerate(const model& of) {
  counts all;
  std::set<std::vector<std::string>> classes;
  explore(of, of.start, all, classes);
  all.classes = classes.size();
  return all;
}

/// Actor 0 is the master, which has asked its workers; they answer, and are stopped when it has heard all.
inline model pi(int workers) {
  model made;
  const auto count = static_cast<std::size_t>(workers) + 1;
  made.start = {.actors = std::vector<std::map<std::string, int>>(count),
                .pending = {},
                .taken = std::vector<std::string>(count)};
  for (int w = 1; w <= workers; ++w) made.start.pending.push_back({0, w, "part", 1});
  made.take = [workers](configuration& now, const message& m) {
    if (m.kind == "part") now.pending.push_back({m.to, 0, "done", 2});
    if (m.kind == "done" && ++now.actors[0]["done"] == workers)
      for (int w = 1; w <= workers; ++w) now.pending.push_back({0, w, "stop", 0});
  };
  return made;
}

/// Actor 0 holds a variable; each of the others sets it and reads it twice.
inline model set_get_get(int clients) {
  model made;
  const auto count = static_cast<std::size_t>(clients) + 1;
  made.start = {.actors = std::vector<std::map<std::string, int>>(count),
                .pending = {},
                .taken = std::vector<std::string>(count)};
  for (int c = 1; c <= clients; ++c) {
    made.start.pending.push_back({c, 0, "set", c});
    made.start.pending.push_back({c, 0, "get", 0});
  }
  made.take = [](configuration& now, const message& m) {
    auto& me = now.actors[static_cast<std::size_t>(m.to)];
    if (m.kind == "set") me["value"] = m.value;
    if (m.kind == "get") now.pending.push_back({0, m.from, "is", me["value"]});
    if (m.kind != "is") return;
    if (++me["heard"] == 1) {
      me["first"] = m.value;
      now.pending.push_back({m.to, 0, "get", 0});
    } else if (me["first"] != m.value) {
      now.is_violated = true;
    }
  };
  return made;
}

}  // namespace harrier::small_model
