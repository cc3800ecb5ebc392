// A chat room whose members join at any time and get what was said before. Read README.md beside this file.
#include <chrono>
#include <cstdint>
#include <harrier/cli/main.hpp>
#include <harrier/harrier.hpp>
#include <map>
#include <optional>
#include <string>
#include <variant>
#include <vector>

struct joined {
  std::string who;
};
struct left {
  std::string who;
};
struct said {
  std::string who;
  std::string text;
  /// After that time the line is to be deleted; none: never.
  std::optional<std::chrono::minutes> for_how_long;
};
using event = std::variant<joined, left, said>;
/// What happened in the room, by number: a network may deliver it in another order.
using transcript = std::map<int, event>;

struct room;

struct member {
  std::string name;
  harrier::ref<room> in;
  /// The bug: what came before the history is forgotten.
  bool replaces_by_history = false;
  std::vector<std::string> lines_to_say;
  transcript seen;

  void start(harrier::self& self);
  void on_history(harrier::self& self, const transcript& history);
  void on_event(int number, const event& what) { seen.emplace(number, what); }
};

struct room {
  std::map<std::string, harrier::ref<member>> members;
  transcript history;

  void join(harrier::self& self, const std::string& who, harrier::ref<member> address) {
    publish(self, joined{who});
    members.emplace(who, address);
    self.send<&member::on_history>(address, history);
  }
  void leave(harrier::self& self, const std::string& who) {
    members.erase(who);
    publish(self, left{who});
  }
  void say(harrier::self& self, const said& line) {
    if (members.contains(line.who))
      publish(self, line);
    else
      self.note("said after leaving");
  }

private:
  void publish(harrier::self& self, const event& what) {
    const int number = static_cast<int>(history.size()) + 1;
    history.emplace(number, what);
    for (const auto& [name, address] : members) self.send<&member::on_event>(address, number, what);
  }
};

void member::start(harrier::self& self) { self.send<&room::join>(in, name, self.me<member>()); }

void member::on_history(harrier::self& self, const transcript& history) {
  if (replaces_by_history)
    seen = history;
  else
    seen.insert(history.begin(), history.end());
  for (const auto& text : lines_to_say) self.send<&room::say>(in, said{name, text, std::chrono::minutes{5}});
  if (!lines_to_say.empty()) self.send<&room::leave>(in, name);
}

/// Ann, and perhaps others, stay and listen; Bob comes, says something, and goes.
struct evening {
  std::int64_t listeners;
  std::int64_t lines;
  bool replaces_by_history;

  void test(harrier::self& self) {
    const auto lobby = self.create<room>();
    const std::vector<std::string> nothing;
    std::vector<std::string> texts;
    for (std::int64_t i = 1; i <= lines; ++i) texts.push_back("line " + std::to_string(i));
    const std::vector<std::string> names = {"Ann", "Cat", "Dan", "Eve"};
    for (std::int64_t i = 0; i < listeners; ++i)
      self.send<&member::start>(self.create<member>(names[i], lobby, replaces_by_history, nothing));
    self.send<&member::start>(self.create<member>("Bob", lobby, replaces_by_history, texts));
  }

  void finally(harrier::final_states& end) const {
    const auto& lobby = end.only<room>();
    for (const member& one : end.all<member>())
      if (lobby.members.contains(one.name))
        end.check(one.seen.size() == lobby.history.size(), "who is in the room has seen all that happened there");
  }
};

int main(int argc, char** argv) {
  return harrier::main(
      argc, argv,
      {{"chat",
        "members of a chat room get its history",
        {{.name = "variant",
          .value = "buggy",
          .about = "whether the history replaces what came before it",
          .words = {"buggy", "fixed"}},
         {.name = "listeners", .value = 1, .about = "how many members stay and listen", .least = 1, .greatest = 4},
         {.name = "lines", .value = 1, .about = "how many lines Bob says", .least = 1, .greatest = 100}},
        [](const harrier::arguments& given) {
          return harrier::make_program(
              evening{given.number("listeners"), given.number("lines"), given.word("variant") == "buggy"});
        }}});
}
