// POS, the sampling algorithm of X. Yuan, J. Yang, R. Gu: Partial Order Aware Concurrency Sampling, CAV 2018.
//
// Paper -> code. event e of the enabled: a deliverable message | pri(e): priority_of_[m] | e races with e': both are
// dependent whatever else they do, which is asked of `dependence`.
//
// The invariant their bound rests on: at each choice the priorities of what is enabled are independent and uniform,
// given what was seen of the others; an event that lost against a racing one draws anew, so two races of one event are
// decided independently, and events that race with nothing in between do not change the odds.
//
// D1: A priority is drawn when the message is deliverable for the first time, not when it is sent: what cannot be
//     delivered is not enabled. One that is refused for a while keeps the one it has.
// D2: Of a pending message it is known where it goes, not what it will send. Under delivery::mailbox deliveries race by
//     what they send, so no race is known of before, and nothing draws anew: that is their BasicPOS. Every order still
//     has a chance, as it has whenever priorities are independent.
// D3: What a handler draws is uniform, and no event of its own.
#include <harrier/core/dependence.hpp>
#include <harrier/engine/pos.hpp>

#include <vector>

#include "sampling.hpp"

namespace harrier {
namespace {

class partial_order_sampling {
public:
  partial_order_sampling(search_context& s, sampler random)
      : system_(s.tested), watcher_(s.watcher), random_(random), depends_(s.tested) {}

  void run() {
    while (const auto m = highest()) {
      if (watcher_.stopping()) return;
      deliver_drawing(system_, m, random_);
      let_rivals_draw_anew(m);
    }
  }

private:
  static constexpr std::uint64_t not_drawn = 0;

  /// arg max of pri(e) over the enabled events; no_message at the end.
  message_slot highest() {
    priority_of_.resize(system_.message_count() + 1, not_drawn);
    auto best = no_message;
    for (auto m = system_.first_deliverable(); m != no_message; m = system_.next_deliverable(m)) {
      if (priority_of_[m] == not_drawn) priority_of_[m] = 1 + random_.below(most_different);
      if (best == no_message || priority_of_[m] > priority_of_[best]) best = m;
    }
    return best;
  }

  /// For all e that race with the one delivered: pri(e) <- random.
  void let_rivals_draw_anew(message_slot delivered) {
    if (!depends_.foresees_all()) return;  // D2
    const auto event = depends_.foreseen(delivered).touched;
    const auto known = priority_of_.size();  // what has just been sent has none yet
    for (auto m = system_.first_pending(); m != no_message && m < known; m = system_.next_pending(m))
      if (depends_.between(event, depends_.foreseen(m).touched)) priority_of_[m] = not_drawn;
  }

  /// Two messages have one priority so rarely that nothing is lost if then the older one goes first.
  static constexpr std::uint64_t most_different = std::uint64_t{1} << 63;

  system& system_;
  observer& watcher_;
  sampler random_;
  dependence depends_;
  std::vector<std::uint64_t> priority_of_;  // by slot
};

/// See shared_samples.
class pos_runs {
public:
  pos_runs(search_context& s, const pos_options& how) : search_(s), seed_(how.seed) {}
  void operator()(std::uint64_t i) { partial_order_sampling(search_, sampler(seed_, i)).run(); }

private:
  search_context& search_;
  std::uint64_t seed_;
};

}  // namespace

std::unique_ptr<shared_search> share_pos(const pos_options& how, std::uint64_t most) {
  return std::make_unique<shared_samples<pos_runs, pos_options>>(how, most);
}

}  // namespace harrier
