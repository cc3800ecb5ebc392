// CCF: a guess of how far a follower agrees is counted as its acknowledgement.
//
// Source: microsoft/CCF#5325 (found with TLA+, #5321). A follower that misses something answers with the index from
// which it may agree. The leader stores that as if the follower had acknowledged everything up to there; the next real
// acknowledgement, of another node, has it commit an entry that no majority has.
// Repaired: the guess says only where to send from.
#include <algorithm>

#include "entries.hpp"

namespace zoo_ccf_probe {

struct follower;

struct leader {
  bool knows_guesses;
  int last = 2;
  std::vector<int> matched = {0, 0};  ///< how much of the log each follower has
  int committed = 0;

  void acknowledge(std::size_t by, int index) {
    matched[by] = std::max(matched[by], index);
    committed = std::max(committed, std::min(last, std::ranges::max(matched)));
  }
  void refuse(std::size_t by, int may_agree_up_to) {
    if (!knows_guesses) matched[by] = may_agree_up_to;
  }
};

struct follower {
  std::size_t number;
  harrier::ref<leader> of;
  std::vector<int> terms;  ///< of its entries

  void append(harrier::self& self, int previous, int term) {
    if (static_cast<int>(terms.size()) != previous || (previous > 0 && terms.back() != term))
      return self.send<&leader::refuse>(of, number, static_cast<int>(terms.size()));
    terms.push_back(term);
    self.send<&leader::acknowledge>(of, number, static_cast<int>(terms.size()));
  }
};

}  // namespace zoo_ccf_probe

harrier::catalogue_entry harrier::subjects::zoo::ccf_probe() {
  using namespace zoo_ccf_probe;
  return entry("ccf-probe", "a guess of how far a follower agrees is counted as its acknowledgement", [](variant as) {
    auto tested = make_program([as](self& network) {
      const auto leads = network.create<leader>(as == variant::fixed);
      // One has the first entry of this term and is sent the second; the other has two of an older term.
      const auto good = network.create<follower>(std::size_t{0}, leads, std::vector<int>{});
      const auto stale = network.create<follower>(std::size_t{1}, leads, std::vector<int>{1, 1});
      network.send<&follower::append>(good, 0, 2);
      network.send<&follower::append>(stale, 2, 2);
    });
    return specified(
        std::move(tested),
        {always("what is committed is in the log of a majority", [](view<leader> l, const views<follower>& all) {
          const auto holders = std::ranges::count_if(all, [&](const view<follower>& f) {
            return static_cast<int>(f->terms.size()) >= l->committed && (f->terms.empty() || f->terms.front() == 2);
          });
          return l->committed == 0 || holders > 0;
        })});
  });
}
