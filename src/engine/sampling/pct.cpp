// PCTCP, of B. Ozkan, R. Majumdar, F. Niksic, M. Befrouei, G. Weissenbacher: Randomized Testing of Distributed Systems
// with Probabilistic Guarantees, OOPSLA 2018; PCT (S. Burckhardt, P. Kothari, M. Musuvathi, S. Nagarakatte, ASPLOS
// 2010) with chains of messages in place of threads.
//
// Paper -> code. event: a message that can be delivered for the first time; its label is how manieth it is | chain
// partition, built while events are added: chain_of_ | priority of a chain: rank | priority change points: falls_, the
// label of the event at which a chain falls to rank i is the i-th.
//
// What the guarantee rests on. Let e1, ..., ed be wanted in this order. If the chain of e1 is the lowest of those that
// never fall (chance 1/chains), and the chain of each other e_i falls at e_i, to a rank above e_(i+1)'s, then e1 comes
// after all that need not come after it and before all e_i, and these come in their order. Given the ranks of the
// chains and the falls before it, the label of e_i is decided, so each fall has chance 1/n: 1/(chains n^(d-1)).
//
// D1: Causes are what sends: m comes after the delivery that sent it. (The order in which an actor happened to take its
//     messages is not a cause: another execution has another one.) That order is a forest, in which following one child
//     of each delivery gives as many chains as there are leaves, which are an antichain: chains = w, the width. The
//     paper partitions any order that grows upwards, for which w^2 is what can be had. So our bound is 1/(w n^(d-1)).
// D2: n is not known. It is counted in an execution of its own, in which nothing falls: the first of each block.
// D3: An event is added when it can be delivered, not when it is sent: where actors have mailboxes messages are put
//     aside that never are.
#include <harrier/engine/pct.hpp>

#include <algorithm>
#include <vector>

#include <harrier/core/invariant.hpp>

#include "sampling.hpp"

namespace harrier {
namespace {

class chains_by_rank {
public:
  /// @param depth   d
  /// @param events  n
  chains_by_rank(search_context& s, sampler random, std::uint64_t depth, std::uint64_t events)
      : system_(s.tested), watcher_(s.watcher), random_(random), depth_(depth) {
    const auto falls = std::min(depth - 1, events);
    while (falls_.size() < falls) {
      const auto label = 1 + random_.below(events);
      if (std::find(falls_.begin(), falls_.end(), label) == falls_.end()) falls_.push_back(label);
    }
  }

  void run() {
    while (const auto m = highest()) {
      if (watcher_.stopping()) return;
      deliver_drawing(system_, m, random_);
    }
  }

  /// How many events there were.
  [[nodiscard]] std::uint64_t events() const { return events_; }

private:
  static constexpr std::uint32_t no_chain = 0xffffffff;
  struct chain {
    std::uint64_t rank;
    message_slot last;
  };

  /// The message that is due: of the highest chain that has one; no_message at the end.
  message_slot highest() {
    chain_of_.resize(system_.message_count() + 1, no_chain);
    auto best = no_message;
    for (auto m = system_.first_deliverable(); m != no_message; m = system_.next_deliverable(m)) {
      if (chain_of_[m] == no_chain) add_event(m);
      if (best == no_message || rank_of(m) > rank_of(best)) best = m;
    }
    return best;
  }

  void add_event(message_slot m) {
    const auto by = system_.message_at(m).sent_by;
    const auto cause = system_.is_explored(by) ? system_.step_at(by).message : no_message;
    if (cause != no_message && chains_[chain_of_[cause]].last == cause) {
      chain_of_[m] = chain_of_[cause];
      chains_[chain_of_[m]].last = m;
    } else {
      chain_of_[m] = static_cast<std::uint32_t>(chains_.size());
      chains_.push_back({depth_ + random_.below(most_ranks), m});
    }
    const auto fall = std::find(falls_.begin(), falls_.end(), ++events_);
    if (fall != falls_.end()) chains_[chain_of_[m]].rank = 1 + static_cast<std::uint64_t>(fall - falls_.begin());
  }

  [[nodiscard]] std::uint64_t rank_of(message_slot m) const { return chains_[chain_of_[m]].rank; }

  /// A random number for a place in a random order: two are equal so rarely that nothing is lost.
  static constexpr std::uint64_t most_ranks = std::uint64_t{1} << 63;

  system& system_;
  observer& watcher_;
  sampler random_;
  std::uint64_t depth_;
  std::uint64_t events_ = 0;
  std::vector<std::uint64_t> falls_;
  std::vector<std::uint32_t> chain_of_;  // by slot
  std::vector<chain> chains_;
};

/// See shared_samples. The executions of a block are as long as its first one was.
class pct_runs {
public:
  pct_runs(search_context& s, const pct_options& how) : search_(s), how_(how) {}

  void operator()(std::uint64_t i) {
    const auto place = i % executions_in_a_block;
    if (place != 0 && i - place != counted_) count_events(i - place);
    const auto depth = place == 0 ? 1 : how_.bug_depth == 0 ? place + 1 : how_.bug_depth;
    chains_by_rank execution(search_, sampler(how_.seed, i), depth, place == 0 ? 0 : events_);
    execution.run();
    if (place == 0) know(i, execution.events());
  }

private:
  /// The first execution of the block was run elsewhere: once more, for nobody.
  void count_events(std::uint64_t first) {
    auto& s = search_.tested;
    const auto before = s.watch().deliveries();
    auto* const watching = s.watch().observe(nullptr);
    chains_by_rank execution(search_, sampler(how_.seed, first), 1, 0);
    execution.run();
    while (s.depth() > 0) s.undo();
    s.watch().observe(watching);
    s.watch().made_before(s.watch().deliveries() - before);
    know(first, execution.events());
  }
  void know(std::uint64_t first, std::uint64_t events) {
    counted_ = first;
    events_ = events;
  }

  search_context& search_;
  const pct_options how_;
  std::uint64_t counted_ = 1;  // the first execution of the block that events_ is of; of none
  std::uint64_t events_ = 0;
};

}  // namespace

std::unique_ptr<shared_search> share_pct(const pct_options& how, std::uint64_t most) {
  HARRIER_INVARIANT(how.first % executions_in_a_block == 0, "a block begins with the execution that counts events");
  return std::make_unique<shared_samples<pct_runs, pct_options>>(how, most);
}

}  // namespace harrier
