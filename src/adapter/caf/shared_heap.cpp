#include "shared_heap.hpp"

#include <dlfcn.h>

#include <algorithm>
#include <atomic>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "../../core/global_variables.hpp"

namespace harrier::caf_adapter {
namespace {

using part = shared_heap::part;
using block = heap_blocks::block;
using word = std::uintptr_t;

constexpr std::size_t largest = std::size_t{1} << 18;     // of a block that is looked at
constexpr std::size_t most_bytes = std::size_t{1} << 22;  // of all of them
constexpr int looks_at_first = 2000;
constexpr std::size_t most_of_an_object_on_a_stack = 256;  // that is looked through for pointers
constexpr std::size_t words_of_an_actors_head = 8;         // in which it refers to its system

std::atomic<int> looks_left = looks_at_first;
std::atomic<bool> is_any_shared = false;

word word_at(const char* at) {
  word found = 0;
  copy_unwatched({at, sizeof found}, reinterpret_cast<char*>(&found));
  return found;
}

/// Of the class of an object that has virtual functions; else anything.
std::string symbol_of_vtable(word pointer) {
  const auto* const at = reinterpret_cast<const char*>(pointer);  // NOLINT(performance-no-int-to-ptr)
  static const variables of_executable{executable()};
  if (const auto known = of_executable.symbol_at(at)) return std::string(*known);
  ::Dl_info found{};
  if (::dladdr(at, &found) != 0 && found.dli_sname != nullptr) return found.dli_sname;
  return {};
}

struct kind_of_object {
  bool does_not_count = false;
  bool has_counts = false;  // in its second word
};

kind_of_object kind_of(word first) {
  static thread_local std::unordered_map<word, kind_of_object> known;
  const auto [it, is_new] = known.try_emplace(first);
  if (!is_new || first == 0) return it->second;
  const auto symbol = symbol_of_vtable(first);
  if (!symbol.starts_with("_ZTV")) return it->second;
  const auto has = [&](const char* text) { return symbol.find(text) != std::string::npos; };
  it->second.does_not_count = symbol.starts_with("_ZTVN3caf") || has("__future_base") || has("St7promiseI");
  it->second.has_counts = has("_Sp_counted_");
  return it->second;
}

bool differs(const block& b, const char* before, std::size_t from = 0) {
  const place now{b.begin, b.size};
  if (difference(now, before, from) == b.size) return false;
  if (b.size < 2 * sizeof(word)) return true;
  const auto kind = kind_of(word_at(b.begin));
  if (kind.does_not_count) return false;
  return !kind.has_counts || difference(now, before, 2 * sizeof(word)) != b.size;
}

/// Null if it has no actor.
const part* own_of_caf_in(const block& b, const shared_heap::owners& who) {
  const auto own = std::find_if(who.cafs_own.begin(), who.cafs_own.end(), [&](const part& of_caf) {
    return b.begin <= of_caf.begin && of_caf.begin < b.begin + b.size;
  });
  return own == who.cafs_own.end() ? nullptr : &*own;
}

/// All that is reached by what looks like a pointer.
class reach {
public:
  reach(std::vector<block> all, const shared_heap::owners& who) : all_(std::move(all)), who_(who) {
    std::sort(all_.begin(), all_.end(), [](const block& a, const block& b) { return a.begin < b.begin; });
  }

  [[nodiscard]] bool is_reached(const std::vector<part>& roots, const std::vector<block>& wanted) {
    look_from(roots);
    return std::any_of(wanted.begin(), wanted.end(), [&](const block& w) {
      const auto i = index_of(reinterpret_cast<word>(w.begin));
      return i < all_.size() && seen_[i];
    });
  }
  /// All the blocks that are, by their numbers.
  void add_reached(const shared_heap::holder& who, std::vector<std::uint64_t>& to) {
    look_from(roots_of(who));
    for (std::size_t i = 0; i < all_.size(); ++i)
      if (seen_[i]) to.push_back(all_[i].serial);
  }
  /// The whole of the blocks in which they begin.
  [[nodiscard]] std::vector<part> roots_of(const shared_heap::holder& who) const {
    auto roots = who.roots;
    for (auto& root : roots) root = around(root);
    return roots;
  }

private:
  void look_from(const std::vector<part>& roots) {
    seen_.assign(all_.size(), false);
    stack_seen_.clear();
    to_do_ = roots;
    for (const auto& root : roots)
      if (const auto i = index_of(reinterpret_cast<word>(root.begin)); i < all_.size()) seen_[i] = true;
    while (!to_do_.empty()) {
      const auto next = to_do_.back();
      to_do_.pop_back();
      look_through(next);
    }
  }
  /// The block that has that, or just it.
  [[nodiscard]] part around(part p) const {
    const auto i = index_of(reinterpret_cast<word>(p.begin));
    return i < all_.size() ? part{all_[i].begin, all_[i].size} : p;
  }

  [[nodiscard]] std::size_t index_of(word at) const {
    const auto after = std::upper_bound(all_.begin(), all_.end(), at,
                                        [](word a, const block& b) { return a < reinterpret_cast<word>(b.begin); });
    if (after == all_.begin()) return all_.size();
    const auto& b = *(after - 1);
    return at - reinterpret_cast<word>(b.begin) < std::max<std::size_t>(b.size, 1)
               ? static_cast<std::size_t>(after - 1 - all_.begin())
               : all_.size();
  }

  void look_through(part p) {
    const auto first = (reinterpret_cast<word>(p.begin) + sizeof(word) - 1) / sizeof(word) * sizeof(word);
    const auto skipped = first - reinterpret_cast<word>(p.begin);
    if (p.size < skipped + sizeof(word)) return;
    words_.resize((p.size - skipped) / sizeof(word));
    copy_unwatched({p.begin + skipped, words_.size() * sizeof(word)}, reinterpret_cast<char*>(words_.data()));
    const auto copied = words_;  // looking at one adds to what there is to do, but does not change these
    for (const auto w : copied) look_at(w);
  }

  void look_at(word w) {
    if (const auto& stack = who_.main_stack; is_in(w, stack)) {
      if (std::any_of(who_.systems.begin(), who_.systems.end(), [w](const part& s) { return is_in(w, s); })) return;
      if (!stack_seen_.insert(w).second) return;
      const auto left = stack.size - (w - reinterpret_cast<word>(stack.begin));
      const auto* const at = stack.begin + (stack.size - left);
      to_do_.push_back({at, std::min(left, most_of_an_object_on_a_stack)});
      return;
    }
    const auto i = index_of(w);
    if (i == all_.size() || seen_[i]) return;
    if (is_of_all(all_[i])) return look_into_actor(w, i);
    seen_[i] = true;
    to_do_.push_back({all_[i].begin, all_[i].size});
  }

  /// Who knows an actor has nothing of it; who has a pointer to its state has.
  void look_into_actor(word w, std::size_t i) {
    const auto& b = all_[i];
    const auto* const own = own_of_caf_in(b, who_);
    const auto* const at = b.begin + (w - reinterpret_cast<word>(b.begin));
    if (own == nullptr || at < own->begin + own->size) return;
    seen_[i] = true;
    to_do_.push_back({at, static_cast<std::size_t>(b.begin + b.size - at)});
  }

  /// An actor, or what has a system.
  [[nodiscard]] bool is_of_all(const block& b) const {
    for (const auto& s : who_.systems)
      if (is_in(reinterpret_cast<word>(s.begin), {b.begin, b.size})) return true;
    const auto words = std::min(b.size / sizeof(word), words_of_an_actors_head);
    for (std::size_t i = 0; i < words; ++i) {
      const auto w = word_at(b.begin + i * sizeof(word));
      for (const auto& s : who_.systems)
        if (w == reinterpret_cast<word>(s.begin)) return true;
    }
    return false;
  }

  static bool is_in(word w, const part& p) {
    return p.begin != nullptr && w - reinterpret_cast<word>(p.begin) < p.size;
  }

  std::vector<block> all_;
  const shared_heap::owners& who_;
  std::vector<bool> seen_;
  std::unordered_set<word> stack_seen_;
  std::vector<part> to_do_;
  std::vector<word> words_;
};

std::vector<part> variables_of_program() {
  static const auto all = [] {
    std::vector<part> found;
    const auto here = executable();
    for (const auto& v : variables(here).of_program(here, std::size_t{1} << 22))
      found.push_back({v.where.begin, v.where.size});
    return found;
  }();
  return all;
}

}  // namespace

void shared_heap::remember(const std::function<owners()>& who_steps) {
  looks_ = heap_blocks::is_apart() && (is_any_shared || looks_left > 0);
  if (!looks_) return heap_blocks::all().end();
  --looks_left;
  blocks_ = heap_blocks::all().known();
  has_.clear();
  const auto who = who_steps();
  for (const auto& actor : who.actors) reach(blocks_, who).add_reached(actor, has_);
  std::size_t bytes = 0;
  std::erase_if(blocks_, [&](const block& b) {
    if (b.is_of_caf || b.size > largest || bytes + b.size > most_bytes) return true;
    bytes += b.size;
    return false;
  });
  values_.resize(bytes);
  auto* to = values_.data();
  for (const auto& b : blocks_) {
    copy_unwatched({b.begin, b.size}, to);
    to += b.size;
  }
}

void shared_heap::count_step(std::uint32_t of, std::uint32_t step) {
  if (has_.empty()) return;
  auto& had = had_[of];
  for (const auto serial : has_) had[serial] = step;
}

std::vector<block> shared_heap::written(std::uint32_t by, bool may_be_any) const {
  std::vector<block> found;
  const auto* before = values_.data();
  for (const auto& b : blocks_) {
    const bool is_candidate = b.by != by || may_be_any || is_any_shared;
    if (is_candidate && heap_blocks::all().is_there(b) && differs(b, before)) found.push_back(b);
    before += b.size;
  }
  return found;
}

/// But for actors of whom only that has changed which is CAF's own.
void shared_heap::drop_cafs_own(std::vector<block>& changed, const owners& who) const {
  const auto is_cafs = [&](const block& b) {
    const auto* const own = own_of_caf_in(b, who);
    if (own == nullptr) return false;
    const auto end = static_cast<std::size_t>(own->begin - b.begin) + own->size;
    return end >= b.size || !differs(b, value_before(b), end);
  };
  std::erase_if(changed, is_cafs);
}

const char* shared_heap::value_before(const block& wanted) const {
  const auto* before = values_.data();
  for (const auto& b : blocks_) {
    if (b.begin == wanted.begin) return before;
    before += b.size;
  }
  return nullptr;
}

bool shared_heap::had_any(std::uint32_t other_than, const clock& before, const std::vector<block>& changed) const {
  return std::any_of(had_.begin(), had_.end(), [&](const auto& who) {
    const auto& [strand, in_step] = who;
    if (strand == other_than) return false;
    const auto done = strand < before.size() ? before[strand] : 0;
    return std::any_of(changed.begin(), changed.end(), [&](const block& b) {
      const auto last = in_step.find(b.serial);
      return last != in_step.end() && last->second > done;
    });
  });
}

bool shared_heap::is_shared_written(std::uint32_t by, bool may_be_any, const clock& before,
                                    const std::function<owners()>& who_has) {
  if (!looks_) return false;
  auto changed = written(by, may_be_any);
  if (changed.empty()) return false;
  const auto who = who_has();
  drop_cafs_own(changed, who);
  if (changed.empty()) return false;
  reach from(heap_blocks::all().known(), who);
  bool is_shared = had_any(by, before, changed) || from.is_reached(variables_of_program(), changed);
  for (const auto& actor : who.actors)
    is_shared = is_shared || (actor.strand != by && from.is_reached(from.roots_of(actor), changed));
  if (is_shared) is_any_shared = true;
  return is_shared;
}

}  // namespace harrier::caf_adapter
