#include <harrier/explain/slice.hpp>

#include <algorithm>
#include <span>
#include <utility>
#include <vector>

#include <harrier/core/dependence.hpp>
#include <harrier/explain/explain.hpp>

namespace harrier {
namespace {

/// Whether it was found in what the last step does, which its causal past alone decides.
bool is_of_its_last_step(const finding& f) {
  return !f.actor.empty() && (f.kind == finding_kind::assertion || f.kind == finding_kind::exception);
}

bool is_in_last_step(const finding& f, const system& s) {
  if (!s.step_at(s.last_step()).flagged) return false;
  const auto records = s.records_of_last_step();
  return std::any_of(records.begin(), records.end(),
                     [&](const record& r) { return r.kind == f.kind && r.message == f.message && r.line == f.line; });
}

/// A stage comes when all before it has been delivered.
bool has_stage(const system& s) {
  for (std::size_t i = s.setup_steps(); i < s.step_count(); ++i)
    if (s.step_at(i).kind == step_kind::stage) return true;
  return false;
}

}  // namespace

schedule causal_slice(const system& system, harrier::system& fresh) {
  const auto base = system.setup_steps();
  const auto count = system.step_count();
  const dependence depends(system);
  std::vector<bool> kept(count, false);
  kept[count - 1] = true;
  for (auto i = count; i-- > base;)
    if (kept[i])
      depends.for_each_predecessor(static_cast<step_index>(i), [&](step_index before) { kept[before] = true; });

  schedule sliced;
  std::vector<std::size_t> place(count, 0);  // of a kept step in the slice's own execution
  for (std::size_t i = 0; i < base; ++i) place[i] = i;
  for (auto i = base; i < count; ++i) {
    if (!kept[i]) continue;
    const auto& s = system.step_at(i);
    auto message = s.message;
    if (const auto by = system.message_at(s.message).sent_by; by != no_step)
      message = fresh.step_at(place[by]).first_sent + (s.message - system.step_at(by).first_sent);
    if (!fresh.pending(message) || fresh.first_deliverable() == no_message || !fresh.deliverable(message)) return {};
    place[i] = fresh.step_count();
    fresh.deliver(message, s.code);
    sliced.push_back({s.code, message});
  }
  return sliced;
}

void slice(finding& found, const program& tested, const explaining& how) {
  if (!is_of_its_last_step(found) || found.schedule.empty()) return;
  if (how.is_unwanted != nullptr && how.is_unwanted()) return;
  try {
    const auto whole = tested.start(how.delivery);
    if (how.depth_limit > 0) whole->limit_depth(how.depth_limit);
    whole->run(found.schedule);
    if (has_stage(*whole)) return;
    const auto fresh = tested.start(how.delivery);
    auto sliced = causal_slice(*whole, *fresh);
    if (sliced.empty() || !is_in_last_step(found, *fresh)) return;
    found.schedule = std::move(sliced);
    found.actor = fresh->actor_name(fresh->step_at(fresh->last_step()).receiver);
  } catch (...) {  // `complete` will say how far it can be repeated
    return;
  }
}

}  // namespace harrier
