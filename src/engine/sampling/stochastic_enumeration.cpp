#include <harrier/engine/stochastic_enumeration.hpp>

#include <algorithm>
#include <bit>
#include <optional>
#include <utility>
#include <vector>

#include <harrier/core/names_in_use.hpp>

#include "sampling.hpp"

namespace harrier {
namespace {

constexpr double greatest = 1e300;

/// Numbers from 0 on, some of which were taken away: which is the k-th of the others is found in O(log n).
class remaining {
public:
  explicit remaining(std::size_t count) : is_there_(count, true), counts_(std::bit_ceil(count + 1), 0) {
    for (std::size_t i = 1; i < counts_.size(); ++i) {
      if (i <= count) ++counts_[i];
      if (const auto above = i + lowest_bit(i); above < counts_.size()) counts_[above] += counts_[i];
    }
  }
  [[nodiscard]] bool has(std::size_t i) const { return is_there_[i]; }
  void remove(std::uint64_t k) {
    std::size_t at = 0;
    for (auto step = counts_.size() / 2; step > 0; step /= 2) {
      if (counts_[at + step] > k) continue;
      at += step;
      k -= counts_[at];
    }
    is_there_[at] = false;
    for (auto i = at + 1; i < counts_.size(); i += lowest_bit(i)) --counts_[i];
  }

private:
  static std::size_t lowest_bit(std::size_t i) { return i & (~i + 1); }

  std::vector<bool> is_there_;
  std::vector<std::size_t> counts_;  // at i, of those from i - lowest_bit(i) to i - 1
};

class trial {
public:
  trial(search_context& s, const enumeration_options& how, std::uint64_t number)
      : s_(s), population_(std::max<std::size_t>(how.population, 1)), random_(how.seed, number) {}

  /// Nothing if the watcher stopped it.
  std::optional<double> run() {
    std::vector<schedule> level = {{}};
    double nodes = 1;  // of this level, as estimated
    double leaves = 0;
    while (!level.empty()) {
      std::vector<schedule> next;
      std::size_t ends = 0;
      for (const auto& node : level) {
        const auto before = next.size();
        if (!add_children(node, next)) return std::nullopt;
        ends += next.size() == before;
      }
      const auto size = static_cast<double>(level.size());
      leaves = std::min(leaves + nodes * static_cast<double>(ends) / size, greatest);
      nodes = std::min(nodes * static_cast<double>(next.size()) / size, greatest);
      level = some_of(std::move(next));
    }
    return leaves;
  }

private:
  /// Each delivery that can follow `node`, with each of its draws. @return false if the watcher stops
  bool add_children(const schedule& node, std::vector<schedule>& children) {
    auto& s = s_.tested;
    if (!go_to(node)) return false;
    for (auto m = s.first_deliverable(); m != no_message; m = s.next_deliverable(m)) {
      std::uint64_t code = 0;
      do {
        if (s_.watcher.stopping()) return false;
        s.deliver(m, code);
        children.push_back(node);
        children.back().push_back({code, m});
        code = s.next_code();
        s.undo();
      } while (code != 0);
    }
    return true;
  }

  bool go_to(const schedule& node) {
    auto& s = s_.tested;
    const auto here = s.current_schedule();
    const auto apart = std::mismatch(here.begin(), here.end(), node.begin(), node.end());
    while (s.depth() > static_cast<std::size_t>(apart.first - here.begin())) s.undo();
    for (auto next = apart.second; next != node.end(); ++next) {
      if (s_.watcher.stopping()) return false;
      s.deliver(next->message, next->code);
    }
    return true;
  }

  /// As many as the population has, each as likely as any other; in their order, so that neighbours share their way.
  std::vector<schedule> some_of(std::vector<schedule> all) {
    if (all.size() <= population_) return all;
    remaining places(all.size());
    for (auto left = all.size(); left > population_; --left) places.remove(random_.below(left));
    std::vector<schedule> some;
    for (std::size_t i = 0; i < all.size(); ++i)
      if (places.has(i)) some.push_back(std::move(all[i]));
    return some;
  }

  search_context& s_;
  std::size_t population_;
  sampler random_;
};

}  // namespace

enumeration enumerate_stochastically(search_context& s, const enumeration_options& how) {
  const names_in_use held(s.tested, [](name_keeper&) {});
  enumeration all;
  while (!s.watcher.stopping()) {
    const auto leaves = trial(s, how, all.samples).run();
    if (leaves) {
      ++all.samples;
      all.executions += (*leaves - all.executions) / static_cast<double>(all.samples);
    }
    while (s.tested.depth() > 0) s.tested.undo();
    if (leaves && s.tested.first_deliverable() == no_message) break;  // nothing would ever stop it
  }
  return all;
}

}  // namespace harrier
