// Prut4j's liberal implementation, deviations kept: blind takes, lost messages. For comparison; `checked_projection` is
// sound.
#include <harrier/protocol/liberal.hpp>

#include <algorithm>
#include <map>

#include "../lts/state_table.hpp"

namespace harrier::protocol {
namespace {

class projector {
public:
  projector(const state_graph& definition, const alphabet& names, role_id role)
      : definition_(definition), names_(names), role_(role) {
    result_.role = role;
  }

  liberal_projection run() {
    number(closure(0));
    for (std::uint32_t local = 0; local < result_.members.size(); ++local) expand(local);
    return std::move(result_);
  }

private:
  bool is_local(const transition& t) const { return names_.actions()[t.action].subject() == role_; }

  // The states in which the role can act, reachable from `start` by others' steps.
  std::vector<state_id> closure(state_id start) const {
    std::vector<bool> seen(definition_.states(), false);
    std::vector<state_id> stack{start};
    std::vector<state_id> acting;
    seen[start] = true;
    while (!stack.empty()) {
      const auto s = stack.back();
      stack.pop_back();
      const auto out = definition_.steps[s];
      if (std::any_of(out.begin(), out.end(), [&](const auto& t) { return is_local(t); })) acting.push_back(s);
      for (const auto& t : out) {
        if (is_local(t) || seen[t.target]) continue;
        seen[t.target] = true;
        stack.push_back(t.target);
      }
    }
    std::sort(acting.begin(), acting.end());
    return acting;
  }

  std::uint32_t number(std::vector<state_id> members) {
    const auto [place, is_new] = numbers_.try_emplace(members, static_cast<std::uint32_t>(result_.members.size()));
    if (is_new) {
      result_.members.push_back(std::move(members));
      result_.steps.emplace_back();
    }
    return place->second;
  }

  void expand(std::uint32_t local) {
    std::vector<liberal_projection::step> steps;
    for (const auto s : std::vector<state_id>(result_.members[local])) {
      for (const auto& t : definition_.steps[s]) {
        if (is_local(t)) steps.push_back({t.action, s, t.target, number(closure(t.target))});
      }
    }
    std::sort(steps.begin(), steps.end());
    result_.steps[local] = std::move(steps);
  }

  const state_graph& definition_;
  const alphabet& names_;
  role_id role_;
  liberal_projection result_;
  std::map<std::vector<state_id>, std::uint32_t> numbers_;
};

}  // namespace

std::optional<diagnostic> not_projected_liberally(const explored_session& session) {
  const auto channel = session.terms->first_channel();
  if (!channel) return std::nullopt;
  return diagnostic{
      severity::error,
      session.terms->definitions().file,
      *channel,
      "s/channel",
      "mode liberal, which is for comparison with Prut4j, has no channels: it would lose messages that are "
      "sent while others are under way",
      "mode strict or liberal-checked"};
}

std::vector<liberal_projection> project_liberally(const state_graph& definition, const alphabet& names) {
  const auto is_handshake = [](const action& a) { return a.kind == action_kind::handshake; };
  if (std::any_of(names.actions().begin(), names.actions().end(), is_handshake)) {
    throw error(
        "a handshake (-->) is one step of two roles, which cannot be projected to each; use -->> or the definition");
  }
  std::vector<liberal_projection> result;
  for (role_id r = 0; r < names.roles().size(); ++r) result.push_back(projector(definition, names, r).run());
  return result;
}

// A state as a word: the local states, then for each role the length of its queue and (sender, type, target) of each
// message.
class liberal_space::machine {
public:
  machine(const state_graph& definition, const alphabet& names, std::size_t capacity)
      : projections_(project_liberally(definition, names)),
        definition_names_(names),
        names_(names),
        capacity_(capacity) {
    const std::vector<std::uint32_t> start(2 * names.roles().size(), 0);
    states_.number(start);
  }

  const std::vector<transition>& steps(state_id state) {
    current_.clear();
    states_.get(state, word_);
    for (const auto& p : projections_) {
      for (const auto& step : p.steps[word_[p.role]]) {
        const auto& a = definition_names_.actions()[step.action];
        if (a.kind == action_kind::send) send(p.role, step, a);
        if (a.kind == action_kind::close) close(p.role, step, a);
      }
      receive(p);
    }
    return current_;
  }

  std::vector<std::uint32_t> word_of(state_id state) const {
    std::vector<std::uint32_t> result;
    states_.get(state, result);
    return result;
  }

  struct queue {
    std::size_t at;  // of its length
    std::size_t length;
  };
  queue queue_of(internal::word_table::word word, role_id role) const {
    std::size_t at = projections_.size();
    for (role_id r = 0; r < role; ++r) at += 1 + 3 * word[at];
    return {at, word[at]};
  }

  std::vector<liberal_projection::step> receives(const liberal_projection& p, std::uint32_t local) const {
    std::vector<liberal_projection::step> result;
    for (const auto& step : p.steps[local]) {
      if (definition_names_.actions()[step.action].kind == action_kind::receive) result.push_back(step);
    }
    return result;
  }

  // The receives that take the first message of a queue that is not empty; none: it would be lost.
  std::vector<liberal_projection::step> taking(const liberal_projection& p, internal::word_table::word word) const {
    auto all = receives(p, word[p.role]);
    const auto target = word[queue_of(word, p.role).at + 3];
    if (all.size() > 1) std::erase_if(all, [&](const auto& step) { return step.source != target; });
    return all;
  }

  std::vector<liberal_projection> projections_;
  const alphabet& definition_names_;
  alphabet names_;
  internal::state_table states_;

private:
  void add(const action& a, const std::vector<std::uint32_t>& after) {
    const transition t{names_.number(a), states_.number(after)};
    if (std::find(current_.begin(), current_.end(), t) == current_.end()) current_.push_back(t);
  }

  void send(role_id role, const liberal_projection::step& step, const action& a) {
    const auto [at, length] = queue_of(word_, a.to);
    if (capacity_ != 0 && length >= capacity_) return;
    auto after = word_;
    after[role] = step.next;
    ++after[at];
    const std::uint32_t message[] = {role, a.type, step.target};
    after.insert(after.begin() + static_cast<std::ptrdiff_t>(at + 1 + 3 * length), std::begin(message),
                 std::end(message));
    add(a, after);
  }

  void close(role_id role, const liberal_projection::step& step, const action& a) {
    auto after = word_;
    after[role] = step.next;
    add(a, after);
  }

  void receive(const liberal_projection& p) {
    const auto [at, length] = queue_of(word_, p.role);
    if (length == 0) return;
    for (const auto& step : taking(p, word_)) {
      auto after = word_;
      after[p.role] = step.next;
      --after[at];
      const auto first = after.begin() + static_cast<std::ptrdiff_t>(at + 1);
      const action a{action_kind::receive, *first, p.role, *(first + 1)};
      after.erase(first, first + 3);
      add(a, after);
    }
  }

  std::size_t capacity_;
  std::vector<std::uint32_t> word_;
  std::vector<transition> current_;
};

liberal_space::liberal_space(const state_graph& definition, const alphabet& names, std::size_t capacity)
    : machine_(std::make_unique<machine>(definition, names, capacity)) {}
liberal_space::liberal_space(const explored_session& session, std::size_t capacity) {
  if (const auto why = not_projected_liberally(session)) throw definition_error(*why);
  machine_ = std::make_unique<machine>(session.graph, session.terms->names(), capacity);
}
liberal_space::~liberal_space() = default;

std::span<const transition> liberal_space::steps(state_id state) { return machine_->steps(state); }
const alphabet& liberal_space::names() const { return machine_->names_; }
const std::vector<liberal_projection>& liberal_space::projections() const noexcept { return machine_->projections_; }

std::size_t liberal_space::longest_queue(state_id state) const {
  const auto word = machine_->word_of(state);
  std::size_t longest = 0;
  for (role_id r = 0; r < machine_->projections_.size(); ++r)
    longest = std::max(longest, machine_->queue_of(word, r).length);
  return longest;
}

bool liberal_space::pending(state_id state) const { return longest_queue(state) != 0; }

std::vector<role_id> liberal_space::losing(state_id state) const {
  const auto word = machine_->word_of(state);
  std::vector<role_id> result;
  for (const auto& p : machine_->projections_) {
    const bool waiting = machine_->queue_of(word, p.role).length != 0 && !machine_->receives(p, word[p.role]).empty();
    if (waiting && machine_->taking(p, word).empty()) result.push_back(p.role);
  }
  return result;
}

std::vector<role_id> liberal_space::mistaking(state_id state) const {
  const auto word = machine_->word_of(state);
  std::vector<role_id> result;
  for (const auto& p : machine_->projections_) {
    const auto [at, length] = machine_->queue_of(word, p.role);
    const auto receives = machine_->receives(p, word[p.role]);
    if (length != 0 && receives.size() == 1 && receives[0].source != word[at + 3]) result.push_back(p.role);
  }
  return result;
}

}  // namespace harrier::protocol
