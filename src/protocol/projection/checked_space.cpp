#include <harrier/protocol/checked.hpp>

#include <algorithm>
#include <map>
#include <optional>
#include <span>
#include <utility>

#include "../lts/state_table.hpp"

namespace harrier::protocol {

// A state as a word: the state of each machine, then for each channel in which something is ever sent, by sender and
// receiver, the length of its queue and (type, mark) of each message.
class checked_space::machine {
public:
  machine(const checked_projection& projection, std::size_t capacity)
      : projection_(projection), names_(projection.names), machines_(projection.machines.size()), capacity_(capacity) {
    for (const auto& m : projection_.machines) {
      for (const auto& moves : m.states) {
        for (const auto& move : moves) {
          if (move.what.kind == action_kind::send) channels_.emplace(std::pair(move.what.from, move.what.to), 0);
        }
      }
    }
    std::size_t number = 0;
    for (auto& [channel, place] : channels_) place = number++;
    const std::vector<std::uint32_t> start(machines_ + channels_.size(), 0);
    states_.number(start);
  }

  const std::vector<transition>& steps(state_id state) {
    current_.clear();
    states_.get(state, word_);
    bool is_done = true;  // the role, with all before the machine's phase
    bool will_be = true;  // and with what was seen of that phase
    for (std::size_t i = 0; i < machines_; ++i) {
      const auto& m = projection_.machines[i];
      const auto& before = projection_.machines[i == 0 ? 0 : i - 1];
      if (m.role != before.role) is_done = will_be = true;
      if (m.role == before.role && m.phase != before.phase) is_done = will_be;
      if (!is_done) continue;
      const auto& moves = m.states[word_[i]];
      will_be = will_be && moves.empty();
      for (const auto& move : moves) take(i, move);
    }
    return current_;
  }

  std::size_t queue_of(std::span<const std::uint32_t> word, role_id from, role_id to) const {
    std::size_t at = machines_;
    for (auto before = channels_.at({from, to}); before != 0; --before) at += 1 + 2 * word[at];
    return at;
  }

  // Whether a message waits.
  bool pending(state_id state) const {
    std::vector<std::uint32_t> word;
    states_.get(state, word);
    return word.size() != machines_ + channels_.size();
  }

  const checked_projection& projection_;
  alphabet names_;
  internal::state_table states_;
  std::size_t machines_;
  std::map<std::pair<role_id, role_id>, std::size_t> channels_;

private:
  std::size_t room_between(role_id from, role_id to) const {
    const auto channel = projection_.rooms.find({from, to});
    if (channel == projection_.rooms.end()) return capacity_;
    return capacity_ == 0 ? channel->second : std::min(channel->second, capacity_);
  }

  void take(std::size_t place, const local_machine::move& move) {
    auto after = word_;
    after[place] = move.next;
    if (move.what.kind == action_kind::send) {
      const auto at = queue_of(word_, move.what.from, move.what.to);
      const auto room = room_between(move.what.from, move.what.to);
      if (room != 0 && word_[at] >= room) return;
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

namespace {

// Looks for a cycle of moves that wait for no message, with a send on it that waits for nothing at all: depth first,
// along one way at a time.
class endless_sender {
public:
  endless_sender(const checked_projection& projection, const local_machine& machine)
      : projection_(projection), machine_(machine), seen_(machine.states.size()) {}

  std::optional<action> find() {
    for (std::uint32_t s = 0; s < seen_.size() && !sent_; ++s) {
      if (seen_[s] == unseen) search_from(s);
    }
    return sent_;
  }

private:
  enum seen : std::uint8_t { unseen, on_the_way, done };
  struct place {
    std::uint32_t state;
    std::size_t next = 0;  // of its moves
  };

  void search_from(std::uint32_t start) {
    enter(start);
    while (!way_.empty() && !sent_) {
      auto& [state, next] = way_.back();
      const auto& moves = machine_.states[state];
      if (next == moves.size()) {
        seen_[state] = done;
        way_.pop_back();
        continue;
      }
      const auto& move = moves[next++];
      if (move.what.kind == action_kind::receive) continue;
      if (seen_[move.next] == unseen)
        enter(move.next);
      else if (seen_[move.next] == on_the_way)
        close_at(move.next);
    }
  }
  void enter(std::uint32_t state) {
    seen_[state] = on_the_way;
    way_.push_back({state});
  }
  void close_at(std::uint32_t state) {
    for (auto p = way_.rbegin();; ++p) {
      const auto& taken = machine_.states[p->state][p->next - 1].what;
      if (taken.kind == action_kind::send && !projection_.rooms.contains({taken.from, taken.to})) sent_ = taken;
      if (p->state == state) return;
    }
  }

  const checked_projection& projection_;
  const local_machine& machine_;
  std::vector<seen> seen_;
  std::vector<place> way_;
  std::optional<action> sent_;
};

}  // namespace

std::optional<action> sent_without_bound(const checked_projection& projection) {
  for (const auto& machine : projection.machines) {
    if (auto sent = endless_sender(projection, machine).find()) return sent;
  }
  return std::nullopt;
}

checked_space::checked_space(const checked_projection& projection, std::size_t capacity)
    : machine_(std::make_unique<machine>(projection, capacity)) {}
checked_space::~checked_space() = default;

std::span<const transition> checked_space::steps(state_id state) { return machine_->steps(state); }
const alphabet& checked_space::names() const { return machine_->names_; }

bool checked_space::pending(state_id state) const { return machine_->pending(state); }

}  // namespace harrier::protocol
