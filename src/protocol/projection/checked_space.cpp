#include <harrier/protocol/checked.hpp>

#include <map>
#include <span>
#include <utility>

#include "../lts/state_table.hpp"

namespace harrier::protocol {

// A state as a word: the local states, then for each channel in which something is ever sent, by sender and receiver,
// the length of its queue and (type, mark) of each message.
class checked_space::machine {
public:
  machine(const checked_projection& projection, std::size_t capacity)
      : projection_(projection), names_(projection.names), roles_(projection.machines.size()), capacity_(capacity) {
    for (const auto& m : projection_.machines) {
      for (const auto& moves : m.states) {
        for (const auto& move : moves) {
          if (move.what.kind == action_kind::send) channels_.emplace(std::pair(move.what.from, move.what.to), 0);
        }
      }
    }
    std::size_t number = 0;
    for (auto& [channel, place] : channels_) place = number++;
    const std::vector<std::uint32_t> start(roles_ + channels_.size(), 0);
    states_.number(start);
  }

  const std::vector<transition>& steps(state_id state) {
    current_.clear();
    states_.get(state, word_);
    for (const auto& m : projection_.machines) {
      for (const auto& move : m.states[word_[m.role]]) take(m.role, move);
    }
    return current_;
  }

  std::size_t queue_of(std::span<const std::uint32_t> word, role_id from, role_id to) const {
    std::size_t at = roles_;
    for (auto before = channels_.at({from, to}); before != 0; --before) at += 1 + 2 * word[at];
    return at;
  }

  // Whether a message waits.
  bool pending(state_id state) const {
    std::vector<std::uint32_t> word;
    states_.get(state, word);
    return word.size() != roles_ + channels_.size();
  }

  const checked_projection& projection_;
  alphabet names_;
  internal::state_table states_;
  std::size_t roles_;
  std::map<std::pair<role_id, role_id>, std::size_t> channels_;

private:
  void take(role_id role, const local_machine::move& move) {
    auto after = word_;
    after[role] = move.next;
    if (move.what.kind == action_kind::send) {
      const auto at = queue_of(word_, move.what.from, move.what.to);
      if (capacity_ != 0 && word_[at] >= capacity_) return;
      const std::uint32_t message[] = {move.what.type, move.mark};
      after.insert(after.begin() + static_cast<std::ptrdiff_t>(at + 1 + 2 * word_[at]), std::begin(message),
                   std::end(message));
      ++after[at];
    }
    if (move.what.kind == action_kind::receive) {
      const auto at = queue_of(word_, move.what.from, move.what.to);
      if (word_[at] == 0 || word_[at + 1] != move.what.type || word_[at + 2] != move.mark) return;
      --after[at];
      const auto first = after.begin() + static_cast<std::ptrdiff_t>(at + 1);
      after.erase(first, first + 2);
    }
    current_.push_back({names_.number(move.what), states_.number(after)});
  }

  std::size_t capacity_;
  std::vector<std::uint32_t> word_;
  std::vector<transition> current_;
};

checked_space::checked_space(const checked_projection& projection, std::size_t capacity)
    : machine_(std::make_unique<machine>(projection, capacity)) {}
checked_space::~checked_space() = default;

std::span<const transition> checked_space::steps(state_id state) { return machine_->steps(state); }
const alphabet& checked_space::names() const { return machine_->names_; }

bool checked_space::pending(state_id state) const { return machine_->pending(state); }

}  // namespace harrier::protocol
