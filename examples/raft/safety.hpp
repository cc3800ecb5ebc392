// What Raft promises, as its paper states it (figure 3), of any two servers at any time. Read README.md beside this
// file.
#pragma once

#include <algorithm>
#include <cstddef>
#include <harrier/harrier.hpp>
#include <vector>

#include "raft.hpp"

/// The entry with that index; null if the server lacks it, or has compacted it.
inline const entry* entry_at(const server& of, int index) {
  const int place = index - of.base - 1;
  return place < 0 || place >= static_cast<int>(of.log->size()) ? nullptr : &of.log[static_cast<std::size_t>(place)];
}

inline bool is_same(const entry* one, const entry* other) {
  return one == nullptr || other == nullptr || (one->term == other->term && one->value == other->value);
}

inline int last_index(const server& of) { return of.base + static_cast<int>(of.log->size()); }

/// Whether both have the same up to that index, as far as both still have it.
inline bool agree_up_to(const server& one, const server& other, int index) {
  for (int i = std::max(one.base.get(), other.base.get()) + 1; i <= index; ++i)
    if (!is_same(entry_at(one, i), entry_at(other, i))) return false;
  return true;
}

inline std::vector<harrier::specification> safety() {
  using one_of_two = harrier::view<server>;
  return {harrier::always("election safety: a term has one leader",
                          [](one_of_two a, one_of_two b) {
                            return a->now != role::leader || b->now != role::leader || a->term != b->term;
                          }),
          harrier::always("log matching: logs that agree in one entry agree in all before it",
                          [](one_of_two a, one_of_two b) {
                            for (int i = std::min(last_index(*a), last_index(*b)); i > 0; --i) {
                              const auto *mine = entry_at(*a, i), *theirs = entry_at(*b, i);
                              if (mine != nullptr && theirs != nullptr && mine->term == theirs->term)
                                return agree_up_to(*a, *b, i);
                            }
                            return true;
                          }),
          harrier::always("leader completeness: a leader has what was committed in earlier terms",
                          [](one_of_two leader, one_of_two other) {
                            if (leader->now != role::leader || leader->term < other->term) return true;
                            return last_index(*leader) >= other->committed &&
                                   agree_up_to(*leader, *other, other->committed);
                          }),
          harrier::always("state machine safety: what two have committed is the same", [](one_of_two a, one_of_two b) {
            return agree_up_to(*a, *b, std::min(a->committed, b->committed));
          })};
}
