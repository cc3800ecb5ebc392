// The session is explored once. Where an execution is in it is a set of its states, since definitions need not be
// deterministic; sets and the ways between them are numbered as they are met, so that following a step is one look-up
// in a table for each action.
#include <harrier/protocol/conformance.hpp>

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <harrier/core/archive.hpp>
#include <harrier/core/error.hpp>
#include <harrier/core/exploration.hpp>

#include "../../core/base/suggest.hpp"
#include "../../property/lower.hpp"

namespace harrier::protocol {
namespace {

constexpr std::size_t max_states = 1'000'000;
constexpr auto no_part = "-";

using internal::lower;

std::map<std::string, std::string> in_lower_case(const std::map<std::string, std::string>& names) {
  std::map<std::string, std::string> result;
  for (const auto& [from, to] : names) result[lower(from)] = lower(to);
  return result;
}

}  // namespace

conformance_monitor::conformance_monitor(std::shared_ptr<const specification> definitions, std::string_view session,
                                         std::vector<value> arguments, cast played)
    : session_(std::make_shared<const explored_session>(
          explore_session(std::move(definitions), session, std::move(arguments), max_states))),
      name_(session),
      played_{in_lower_case(played.roles), in_lower_case(played.messages)},
      sets_(1) {
  if (!session_->graph.complete())
    throw error(fmt::format("session {} has more than {} states, too many to compare with", name_, max_states));
  check_cast();
  numbers_.emplace(std::vector<state_id>{}, state_set{0});
}

void conformance_monitor::check_cast() {
  const auto& names = session_->terms->names();
  for (const auto& a : names.actions())
    if (a.kind == action_kind::handshake)
      throw error(fmt::format("session {} has the handshake {}: actors send and take in two steps; write -->> instead",
                              name_, names.describe(a)));
  std::vector<std::string> roles;
  std::vector<std::string> types;
  for (const auto& r : names.roles()) roles.push_back(lower(escaped(r)));
  for (const auto& t : names.types()) types.push_back(lower(simple_name(t)));
  std::set<std::string> taken;
  for (auto& [actor, role] : played_.roles) {
    role = lower(escaped(role));
    taken.insert(role);
    if (std::find(roles.begin(), roles.end(), role) == roles.end())
      throw error(fmt::format("session {} has no role {}{}; it has {}", name_, role, suggestion(role, roles),
                              fmt::join(names.roles(), ", ")));
  }
  for (std::size_t i = 0; i < roles.size(); ++i)
    if (!taken.contains(roles[i]))
      throw error(fmt::format("nobody plays role {} of session {}; say which actor does", names.roles()[i], name_));
  for (auto& [kind, type] : played_.messages) {
    type = lower(simple_name(type));
    if (type != no_part && std::find(types.begin(), types.end(), type) == types.end())
      throw error(fmt::format("session {} has no type {}{}; it has {}", name_, type, suggestion(type, types),
                              fmt::join(names.types(), ", ")));
  }
}

conformance_monitor::state_set conformance_monitor::number(std::vector<state_id> states) {
  const auto& actions = session_->terms->names().actions();
  for (std::size_t i = 0; i < states.size(); ++i)
    for (const auto& t : session_->graph.steps[states[i]])
      if (actions[t.action].kind == action_kind::close &&
          std::find(states.begin(), states.end(), t.target) == states.end())
        states.push_back(t.target);
  std::sort(states.begin(), states.end());
  states.erase(std::unique(states.begin(), states.end()), states.end());
  const auto [entry, is_new] = numbers_.try_emplace(states, static_cast<state_set>(sets_.size()));
  if (is_new) sets_.push_back(std::move(states));
  return entry->second;
}

conformance_monitor::state_set conformance_monitor::after(state_set from, const event& what) {
  const auto [entry, is_new] = moves_.try_emplace({from, what}, state_set{0});
  if (!is_new) return entry->second;
  const auto& names = session_->terms->names();
  std::vector<state_id> targets;
  for (const auto s : sets_[from]) {
    for (const auto& t : session_->graph.steps[s]) {
      const auto& a = names.actions()[t.action];
      const bool same_type = what.kind == action_kind::receive || a.type == no_type ||
                             lower(simple_name(names.types()[a.type])) == what.type;
      if (a.kind == what.kind && a.from == what.from && a.to == what.to && same_type) targets.push_back(t.target);
    }
  }
  return entry->second = number(std::move(targets));
}

std::optional<role_id> conformance_monitor::role_of(const system& system, actor_slot actor) {
  const auto [entry, is_new] = roles_.try_emplace({actor, system.actor_at(actor).type}, std::nullopt);
  if (!is_new) return entry->second;
  auto found = played_.roles.find(lower(system.actor_name(actor)));
  if (found == played_.roles.end()) {
    found = played_.roles.find(lower(class_of(system, actor)));
    if (found == played_.roles.end()) return {};
    for (actor_slot a = 1; a < system.actor_count(); ++a)
      if (a != actor && class_of(system, a) == class_of(system, actor))
        throw error(fmt::format("{} plays role {}, but {} and {} are both of that class; name one of them",
                                found->first, found->second, system.actor_name(std::min(a, actor)),
                                system.actor_name(std::max(a, actor))));
  }
  actors_met_.insert(found->first);
  const auto& roles = session_->terms->names().roles();
  for (role_id r = 0; r < roles.size(); ++r)
    if (lower(escaped(roles[r])) == found->second) entry->second = r;
  return entry->second;
}

std::string conformance_monitor::type_of(const std::string& kind, bool is_reply) const {
  if (const auto named = played_.messages.find(kind); named != played_.messages.end()) return named->second;
  if (!is_reply) return kind;
  if (const auto named = played_.messages.find("reply"); named != played_.messages.end()) return named->second;
  const auto& types = session_->terms->names().types();
  const bool known =
      std::any_of(types.begin(), types.end(), [&](const std::string& t) { return lower(simple_name(t)) == kind; });
  return known ? kind : "reply";
}

std::optional<conformance_monitor::event> conformance_monitor::event_of(const system& system,
                                                                        const actor_action& action) {
  const auto actor = role_of(system, action.actor);
  const auto peer = role_of(system, action.peer);
  if (!actor || !peer || *actor == *peer) return {};
  const auto& m = system.message_at(action.message);
  const bool is_reply = m.kind == message::role::reply;
  const auto [type, is_new] = types_.try_emplace({m.type, is_reply});
  if (is_new) {
    const auto kind = lower(kind_of(system, action.message));
    type->second = type_of(kind, is_reply);
    messages_met_.insert(kind);
    if (is_reply) messages_met_.insert("reply");
  }
  if (type->second == no_part) return {};
  if (action.what == actor_action::verb::send) return event{action_kind::send, *actor, *peer, type->second};
  return event{action_kind::receive, *peer, *actor, {}};
}

bool conformance_monitor::may_end(state_set states) const {
  return std::any_of(sets_[states].begin(), sets_[states].end(), [&](state_id s) { return session_->terminated[s]; });
}

std::string conformance_monitor::allowed_in(state_set states) const {
  const auto& names = session_->terms->names();
  std::set<std::string> allowed;
  for (const auto s : sets_[states])
    for (const auto& t : session_->graph.steps[s])
      if (names.actions()[t.action].kind != action_kind::close)
        allowed.insert(names.describe(names.actions()[t.action]));
  auto text = fmt::format("{}", fmt::join(allowed, ", or "));
  if (!may_end(states)) return text.empty() ? "nothing: the protocol is stuck" : text;
  return text.empty() ? "nothing: the protocol has ended" : text + ", or the end";
}

conformance_monitor::state_set conformance_monitor::follow(const system& system, std::size_t step, state_set from,
                                                           std::string& broken) {
  actions_.clear();
  append_actions(system, step, actions_);
  for (const auto& action : actions_) {
    if (from == 0) return from;
    const auto what = event_of(system, action);
    if (!what) continue;
    const auto next = after(from, *what);
    if (next == 0) {
      const auto& names = session_->terms->names();
      const auto as_role =
          what->kind == action_kind::send
              ? fmt::format("{} SEND {} TO {}", names.roles()[what->from], what->type, names.roles()[what->to])
              : fmt::format("{} RECV FROM {}", names.roles()[what->to], names.roles()[what->from]);
      broken = fmt::format("{} leaves session {}: as {} it is not allowed here; allowed is {}", to_text(system, action),
                           name_, as_role, allowed_in(from));
    }
    from = next;
  }
  return from;
}

conformance_monitor::state_set conformance_monitor::begin(const system& system) {
  if (!path_.empty()) return path_.back();
  at_start_ = number({0});
  broken_at_start_.clear();
  for (std::size_t i = 0; i < system.setup_steps(); ++i) at_start_ = follow(system, i, at_start_, broken_at_start_);
  return at_start_;
}

std::optional<record> conformance_monitor::stepped(const system& system) {
  const auto before = begin(system);
  std::string broken;
  path_.push_back(follow(system, system.step_count() - 1, before, broken));
  if (broken.empty()) return {};
  ++violated_;
  return record{.kind = finding_kind::conformance, .message = broken};
}

void conformance_monitor::undone(const system& /*system*/) {
  if (!path_.empty()) path_.pop_back();
}

std::vector<record> conformance_monitor::ended(const system& system) {
  const auto now = begin(system);
  if (!broken_at_start_.empty()) {
    ++violated_;
    const auto last = static_cast<step_index>(system.setup_steps() - 1);
    return {{.at = last, .kind = finding_kind::conformance, .message = broken_at_start_}};
  }
  if (now == 0) return {};  // the step that left the protocol has been reported
  if (is_cut(system)) {
    ++cut_;
    return {};
  }
  if (may_end(now)) return {};
  ++violated_;
  return {
      {.kind = finding_kind::conformance,
       .message = fmt::format("the execution ends, but session {} continues: allowed is {}", name_, allowed_in(now))}};
}

std::string conformance_monitor::order_dependence(const system& /*initial*/) const {
  return fmt::format("conformance to session {} depends on the order of several actors' actions", name_);
}

std::unique_ptr<monitor> conformance_monitor::another() const {
  auto made = std::make_unique<conformance_monitor>(*this);
  made->roles_.clear();  // whoever is in these was noted above
  made->types_.clear();
  made->path_.clear();
  made->actors_met_.clear();
  made->messages_met_.clear();
  made->violated_ = made->cut_ = 0;
  return made;
}

void conformance_monitor::join(const monitor& other) {
  const auto& theirs = dynamic_cast<const conformance_monitor&>(other);
  actors_met_.insert(theirs.actors_met_.begin(), theirs.actors_met_.end());
  messages_met_.insert(theirs.messages_met_.begin(), theirs.messages_met_.end());
  violated_ += theirs.violated_;
  cut_ += theirs.cut_;
}

std::string conformance_monitor::criterion() const {
  const auto& names = session_->terms->names();
  std::string behaviour;
  for (state_id s = 0; s < session_->graph.states(); ++s) {
    behaviour += session_->terminated[s] ? "ends\n" : "goes on\n";
    for (const auto& t : session_->graph.steps[s])
      behaviour += fmt::format("{}: {}\n", names.describe(names.actions()[t.action]), t.target);
  }
  auto text = fmt::format("session {}, its graph {:016x}", name_, hash_bytes(behaviour.data(), behaviour.size()).low);
  for (const auto& [actor, role] : played_.roles) text += fmt::format(", {} as {}", actor, role);
  for (const auto& [message, type] : played_.messages) text += fmt::format(", message {} as {}", message, type);
  return text;
}

void conformance_monitor::save(archive_writer& to) const {
  for (const auto* met : {&actors_met_, &messages_met_}) to.list(*met, [&](const std::string& name) { to.text(name); });
  to.number(violated_);
  to.number(cut_);
}

void conformance_monitor::load(archive_reader& from) {
  for (auto* met : {&actors_met_, &messages_met_}) from.list([&] { met->insert(from.text()); });
  violated_ = from.number();
  cut_ = from.number();
}

std::vector<std::string> conformance_monitor::conclusions(const exploration& result) const {
  std::vector<std::string> sentences;
  const auto must_be_met = [&](const char* what, const auto& names, const std::set<std::string>& met) {
    for (const auto& [name, meaning] : names)
      if (!met.contains(name))
        sentences.push_back(
            fmt::format("session {}: no execution that was run has {} called {}, for {}", name_, what, name, meaning));
  };
  must_be_met("an actor", played_.roles, actors_met_);
  must_be_met("a message between roles", played_.messages, messages_met_);
  if (violated_ > 0) return sentences;
  if (cut_ > 0)
    sentences.push_back(fmt::format("session {}: {} execution{} cut by a limit or a failure, and followed it so far",
                                    name_, cut_, cut_ == 1 ? " was" : "s were"));
  else if (result.exhausted)
    sentences.push_back(fmt::format("every execution is a run of session {}", name_));
  else
    sentences.push_back(fmt::format("the executions that were run are runs of session {}", name_));
  return sentences;
}

}  // namespace harrier::protocol
