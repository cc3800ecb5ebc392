#include "semantic_dependence.hpp"

#include <vector>

#include <harrier/core/invariant.hpp>

#include "../base/visible_value.hpp"
#include "pair_outcome.hpp"

namespace harrier {
namespace {

/// Nobody sees what is delivered meanwhile, nor is it counted.
class unseen {
public:
  explicit unseen(system& s) : watch_(s.watch()), watching_(watch_.observe(nullptr)), before_(watch_.deliveries()) {}
  unseen(const unseen&) = delete;
  unseen& operator=(const unseen&) = delete;
  ~unseen() {
    watch_.made_before(watch_.deliveries() - before_);
    watch_.observe(watching_);
  }

private:
  supervision& watch_;
  observer* watching_;
  std::uint64_t before_;
};

}  // namespace

bool semantic_dependence::commutes_with_last(message_id asleep) {
  const auto last = system_.last_step();
  const auto m = system_.slot_of(asleep);
  HARRIER_INVARIANT(m != no_message && system_.pending(m), "what sleeps is pending");
  if (!is_state_and_sends(system_)) return false;
  if (known_.size() == most_known) known_.clear();
  const auto pair = signature(last, m);
  if (pair.empty()) return false;
  const auto [known, is_new] = known_.try_emplace(hash_bytes(pair.data(), pair.size() * sizeof(fingerprint)));
  if (!is_new) return known->second;
  known->second = try_both_orders(system_.step_at(last).label, asleep);
  ++tried_;
  if (known->second) ++commuted_;
  return known->second;
}

void semantic_dependence::tell(std::vector<statistic>& all) const {
  all.push_back({"pairs of messages tried in both orders", static_cast<double>(tried_)});
  all.push_back({"pairs of messages that commuted", static_cast<double>(commuted_)});
}

bool semantic_dependence::try_both_orders(message_id first, message_id second) {
  const unseen here(system_);
  const auto depth = system_.step_count();
  const auto last = [&] { return system_.last_step(); };
  std::vector<fingerprint> as_it_is;
  if (deliver_plainly(second) && may_send_in_any_order(last() - 1, last())) as_it_is = effect(last() - 1, last());
  while (system_.step_count() >= depth) system_.undo();
  bool are_same = false;
  if (!as_it_is.empty() && deliver_plainly(second) && deliver_plainly(first))
    are_same = effect(last(), last() - 1) == as_it_is;
  while (system_.step_count() >= depth) system_.undo();
  system_.deliver_event(first);
  return are_same;
}

bool semantic_dependence::deliver_plainly(message_id label) {
  const auto m = system_.slot_of(system_.names().message_of(label));
  if (m == no_message || !system_.pending(m) || !system_.deliverable(m)) return false;
  system_.deliver(m);
  return is_state_and_sends(system_);
}

bool semantic_dependence::may_send_in_any_order(step_index e, step_index f) const {
  const auto by_first = system_.sent_by(e);
  const auto by_second = system_.sent_by(f);
  if (system_.model() == delivery::unordered) return true;
  if (system_.model() == delivery::causal) return by_first.empty() && by_second.empty();
  for (const auto x : by_first)
    for (const auto y : by_second)
      if (system_.message_at(x).receiver == system_.message_at(y).receiver) return false;
  return true;
}

std::vector<fingerprint> semantic_dependence::effect(step_index first, step_index second) const {
  auto done = pair_outcome(system_, first, second);
  if (!done.is_all) return {};
  done.values.insert(done.values.end(), done.besides.begin(), done.besides.end());
  return std::move(done.values);
}

std::vector<fingerprint> semantic_dependence::signature(step_index last, message_slot asleep) const {
  const auto& ran = system_.step_at(last);
  const auto& receiver = system_.actor_at(ran.receiver);
  std::vector<fingerprint> parts;
  const auto add = [&](const auto& value) { parts.push_back(hash_bytes(&value, sizeof value)); };
  bool is_all = true;
  const auto add_value = [&](const auto& type, const void* value) {
    const auto seen = visible_value::of(type, value);
    parts.push_back(seen.value);
    is_all = is_all && seen.is_all;
  };
  add_value(*receiver.type, ran.state_before != nullptr ? ran.state_before : receiver.state);
  add(receiver.id);
  for (const auto m : {ran.message, asleep}) {
    const auto& x = system_.message_at(m);
    add_value(*x.type, x.payload);
    add(x.sent_by == no_step ? actor_id{} : system_.actor_at(system_.step_at(x.sent_by).receiver).id);
  }
  return is_all ? parts : std::vector<fingerprint>();
}

}  // namespace harrier
