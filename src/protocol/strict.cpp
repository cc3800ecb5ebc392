#include <harrier/protocol/strict.hpp>

#include <algorithm>

#include "word_table.hpp"

namespace harrier::protocol {

// A state as a word: the definition's state, then (channel, length, types...) for each channel that is not empty, by
// number of the channel. A channel's number: its sender above its receiver, 16 bits each.
class strict_space::machine {
public:
  explicit machine(transition_system& definition) : definition_(definition) {
    const std::uint32_t start[] = {0};
    states_.number(start);
  }

  const std::vector<transition>& steps(state_id state) {
    current_.clear();
    const std::vector<std::uint32_t> word(states_[state].begin(), states_[state].end());
    const auto moves = definition_.steps(word[0]);
    const auto& names = definition_.names();
    while (names_.roles().size() < names.roles().size())
      static_cast<void>(names_.role(names.roles()[names_.roles().size()]));
    while (names_.types().size() < names.types().size())
      static_cast<void>(names_.type(names.types()[names_.types().size()]));
    for (const auto& move : moves) take(word, names.actions()[move.action], move.target);
    return current_;
  }

  const alphabet& names() const { return names_; }
  internal::word_table::word word_of(state_id state) const { return states_[state]; }
  static std::uint32_t channel(role_id from, role_id to) { return from << 16U | to; }

private:
  void take(const std::vector<std::uint32_t>& before, action a, state_id target) {
    auto after = before;
    after[0] = target;
    if (a.kind == action_kind::send) push(after, channel(a.from, a.to), a.type);
    if (a.kind == action_kind::receive && !pop(after, channel(a.from, a.to), a.type)) return;
    const transition t{names_.number(a), states_.number(after)};
    if (std::find(current_.begin(), current_.end(), t) == current_.end()) current_.push_back(t);
  }

  // Where the channel is, or would be.
  static std::size_t find(const std::vector<std::uint32_t>& word, std::uint32_t channel) {
    std::size_t at = 1;
    while (at < word.size() && word[at] < channel) at += 2 + word[at + 1];
    return at;
  }

  static void push(std::vector<std::uint32_t>& word, std::uint32_t channel, type_id type) {
    const auto at = find(word, channel);
    const auto place = word.begin() + static_cast<std::ptrdiff_t>(at);
    if (at == word.size() || word[at] != channel) {
      const std::uint32_t fresh[] = {channel, 1, type};
      word.insert(place, std::begin(fresh), std::end(fresh));
    } else {
      const auto length = word[at + 1]++;
      word.insert(word.begin() + static_cast<std::ptrdiff_t>(at + 2 + length), type);
    }
  }

  static bool pop(std::vector<std::uint32_t>& word, std::uint32_t channel, type_id& type) {
    const auto at = find(word, channel);
    if (at == word.size() || word[at] != channel) return false;
    type = word[at + 2];
    const auto place = word.begin() + static_cast<std::ptrdiff_t>(at);
    if (--word[at + 1] == 0) {
      word.erase(place, place + 3);
    } else {
      word.erase(place + 2);
    }
    return true;
  }

  transition_system& definition_;
  alphabet names_;
  internal::word_table states_;
  std::vector<transition> current_;
};

strict_space::strict_space(transition_system& definition) : machine_(std::make_unique<machine>(definition)) {}
strict_space::~strict_space() = default;

const std::vector<transition>& strict_space::steps(state_id state) { return machine_->steps(state); }
const alphabet& strict_space::names() const { return machine_->names(); }
state_id strict_space::definition_state(state_id state) const { return machine_->word_of(state)[0]; }
bool strict_space::quiet(state_id state) const { return machine_->word_of(state).size() == 1; }

std::vector<std::pair<role_id, role_id>> strict_space::speaking(state_id state) const {
  const auto word = machine_->word_of(state);
  std::vector<std::pair<role_id, role_id>> result;
  for (std::size_t at = 1; at < word.size(); at += 2 + word[at + 1]) {
    result.emplace_back(word[at] >> 16U, word[at] & 0xFFFFU);
  }
  return result;
}

std::vector<type_id> strict_space::under_way(state_id state, role_id from, role_id to) const {
  const auto word = machine_->word_of(state);
  for (std::size_t at = 1; at < word.size(); at += 2 + word[at + 1]) {
    if (word[at] == machine::channel(from, to)) {
      return {word.begin() + static_cast<std::ptrdiff_t>(at + 2),
              word.begin() + static_cast<std::ptrdiff_t>(at + 2 + word[at + 1])};
    }
  }
  return {};
}

}  // namespace harrier::protocol
