#include <harrier/protocol/strict.hpp>

#include <algorithm>

#include "../../property/pair_table.hpp"
#include "../lts/word_table.hpp"

namespace harrier::protocol {

// A state is the definition's state and the number of what is under way, which is a word: (channel, length, types...)
// for each channel that is not empty, by number of the channel. A channel's number: its sender above its receiver, 16
// bits each. Many states have the same under way.
class strict_space::machine {
public:
  explicit machine(transition_system& definition) : definition_(definition) {
    states_.number({0, under_way_.number({})});
  }

  const std::vector<transition>& steps(state_id state) {
    current_.clear();
    const auto [place, contents] = states_[state];
    const std::vector<std::uint32_t> word(under_way_[contents].begin(), under_way_[contents].end());
    const auto moves = definition_.steps(place);
    const auto& names = definition_.names();
    while (names_.roles().size() < names.roles().size())
      static_cast<void>(names_.role(names.roles()[names_.roles().size()]));
    while (names_.types().size() < names.types().size())
      static_cast<void>(names_.type(names.types()[names_.types().size()]));
    for (const auto& move : moves) take(word, contents, names.actions()[move.action], move.target);
    return current_;
  }

  const alphabet& names() const { return names_; }
  state_id definition_state(state_id state) const { return states_[state].first; }
  internal::word_table::word word_of(state_id state) const { return under_way_[states_[state].second]; }
  static std::uint32_t channel(role_id from, role_id to) { return from << 16U | to; }

private:
  void take(const std::vector<std::uint32_t>& before, std::uint32_t contents, action a, state_id target) {
    if (a.kind == action_kind::send || a.kind == action_kind::receive) {
      after_ = before;
      if (a.kind == action_kind::send) push(after_, channel(a.from, a.to), a.type);
      if (a.kind == action_kind::receive && !pop(after_, channel(a.from, a.to), a.type)) return;
      contents = under_way_.number(after_);
    }
    const transition t{names_.number(a), states_.number({target, contents})};
    if (std::find(current_.begin(), current_.end(), t) == current_.end()) current_.push_back(t);
  }

  // Where the channel is, or would be.
  static std::size_t find(const std::vector<std::uint32_t>& word, std::uint32_t channel) {
    std::size_t at = 0;
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
  harrier::internal::pair_table states_;
  internal::word_table under_way_;
  std::vector<std::uint32_t> after_;
  std::vector<transition> current_;
};

strict_space::strict_space(transition_system& definition) : machine_(std::make_unique<machine>(definition)) {}
strict_space::~strict_space() = default;

std::span<const transition> strict_space::steps(state_id state) { return machine_->steps(state); }
const alphabet& strict_space::names() const { return machine_->names(); }
state_id strict_space::definition_state(state_id state) const { return machine_->definition_state(state); }
bool strict_space::quiet(state_id state) const { return machine_->word_of(state).empty(); }

std::vector<std::pair<role_id, role_id>> strict_space::speaking(state_id state) const {
  const auto word = machine_->word_of(state);
  std::vector<std::pair<role_id, role_id>> result;
  for (std::size_t at = 0; at < word.size(); at += 2 + word[at + 1]) {
    result.emplace_back(word[at] >> 16U, word[at] & 0xFFFFU);
  }
  return result;
}

std::vector<type_id> strict_space::under_way(state_id state, role_id from, role_id to) const {
  const auto word = machine_->word_of(state);
  for (std::size_t at = 0; at < word.size(); at += 2 + word[at + 1]) {
    if (word[at] == machine::channel(from, to)) {
      return {word.begin() + static_cast<std::ptrdiff_t>(at + 2),
              word.begin() + static_cast<std::ptrdiff_t>(at + 2 + word[at + 1])};
    }
  }
  return {};
}

}  // namespace harrier::protocol
