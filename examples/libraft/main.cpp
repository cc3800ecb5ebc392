// Servers of libraft, their clients, and what must hold of them. Read README.md beside this file.
#include <harrier/cli/main.hpp>
#include <harrier/harrier.hpp>

#include "adapter.hpp"

namespace {

using harrier::ref;
using harrier::view;
using harrier::views;

struct cluster {
  std::int64_t servers;
  std::int64_t requests;
  std::int64_t transfers;
  std::int64_t failures;
  bool asks_first;
  std::vector<ref<server>> all;

  void set_up(harrier::self& self) {
    for (int i = 1; i <= servers; ++i) all.push_back(self.create<server>(i, asks_first));
    for (const auto one : all) self.send<&server::begin>(one, all);
    for (const auto one : all) self.send<&server::may_fail>(one, static_cast<int>(failures));
  }
  void test(harrier::self& self) const {
    for (const auto one : all) {
      for (std::int64_t i = 0; i < requests; ++i)
        self.send<&server::submit>(one, std::string(1, static_cast<char>('a' + i)));
      for (std::int64_t i = 1; i <= transfers; ++i) self.send<&server::transfer>(one, static_cast<int>(i));
    }
  }
};

bool have_no_term_in_common(view<server> a, view<server> b) {
  for (const auto term : a->known().led)
    if (b->known().led.contains(term)) return false;
  return true;
}

/// Entries of one index and term are the same, and so is all that comes before them.
bool match(view<server> a, view<server> b) {
  const auto one = a->log();
  const auto other = b->log();
  bool are_equal = true;
  for (std::size_t i = 0; i < std::min(one.size(), other.size()); ++i) {
    if (one[i].term == other[i].term && (!are_equal || one[i] != other[i])) return false;
    are_equal = are_equal && one[i] == other[i];
  }
  return true;
}

bool apply_the_same(view<server> a, view<server> b) {
  for (const auto& [index, value] : a->known().applied)
    if (const auto at = b->known().applied.find(index); at != b->known().applied.end() && at->second != value)
      return false;
  return true;
}

/// Whatever happens then, somebody who has it will be asked.
bool is_on_most_disks(views<server> all) {
  for (const auto& told : all)
    for (const auto& [index, what] : told->known().acknowledged) {
      std::size_t copies = 0;
      for (const auto& one : all) {
        const auto& log = one->known().log;
        if (log.size() >= index && log[index - 1] == what) ++copies;
      }
      if (copies <= all.size() / 2) return false;
    }
  return true;
}

harrier::program program(const harrier::arguments& given) {
  return harrier::specified(
      harrier::make_program(cluster{given.number("servers"),
                                    given.number("requests"),
                                    given.number("transfers"),
                                    given.number("failures"),
                                    given.word("votes") == "two-rounds",
                                    {}}),
      {harrier::always("one leader in a term", have_no_term_in_common), harrier::always("logs match", match),
       harrier::always("what is applied is the same everywhere", apply_the_same),
       harrier::always("what was acknowledged is on most disks", is_on_most_disks)});
}

}  // namespace

int main(int argc, char** argv) {
  return harrier::main(
      argc, argv,
      {{"libraft",
        "servers of Canonical's libraft elect a leader, which replicates a log",
        {{.name = "servers", .value = 3, .about = "how many servers", .least = 1, .greatest = 5},
         {.name = "requests", .value = 1, .about = "how many requests each server is sent", .least = 0, .greatest = 9},
         {.name = "transfers",
          .value = 0,
          .about = "to how many servers each is asked to hand over",
          .least = 0,
          .greatest = 5},
         {.name = "failures", .value = 0, .about = "how many writes to each disk may fail", .least = 0, .greatest = 9},
         {.name = "votes",
          .value = "one-round",
          .about = "whether candidates ask first who would vote for them",
          .words = {"one-round", "two-rounds"}}},
        program}});
}
