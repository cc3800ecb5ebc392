#include <harrier/property/actor_action.hpp>

#include <sstream>

#include "../core/outside.hpp"
#include "lower.hpp"

namespace harrier {
namespace {

bool fits(const std::string& wanted, const system& s, actor_slot a) {
  return wanted.empty() || wanted == internal::lower(s.actor_name(a)) || wanted == internal::lower(class_of(s, a));
}

}  // namespace

void append_actions(const system& system, std::size_t step, std::vector<actor_action>& to) {
  const auto& s = system.step_at(step);
  if (!is_visible(s.kind)) return;
  if (const auto by = system.sender_of(s.message); by != no_step && !is_from_outside(system, s.message))
    to.push_back({actor_action::verb::receive, s.receiver, system.step_at(by).receiver, s.message});
  for (const auto m : system.sent_by(step))
    if (!is_from_outside(system, m))
      to.push_back({actor_action::verb::send, s.receiver, system.message_at(m).receiver, m});
}

bool is_cut(const system& system) {
  return system.aborted() || system.truncated() || system.first_deliverable() != no_message;
}

std::string kind_of(const system& system, message_slot message) {
  const auto text = system.message_text(message);
  return text.substr(0, text.find('('));
}

std::string class_of(const system& system, actor_slot actor) {
  return actor == 0 ? "driver" : system.actor_at(actor).type->name();
}

std::string to_text(const system& system, const actor_action& action) {
  const bool sends = action.what == actor_action::verb::send;
  return system.actor_name(action.actor) + (sends ? " SEND " : " RECV ") + kind_of(system, action.message) +
         (sends ? " TO " : " FROM ") + system.actor_name(action.peer);
}

bool actor_proposition::holds(const system& system, const actor_action& action) const {
  if (what == verb::always || what == verb::never) return what == verb::always;
  if ((what == verb::send) != (action.what == actor_action::verb::send)) return false;
  const bool is_reply = system.message_at(action.message).kind == message::role::reply;
  const bool same_message = message.empty() || (is_reply && message == "reply") ||
                            message == internal::lower(kind_of(system, action.message));
  return same_message && fits(actor, system, action.actor) && fits(peer, system, action.peer);
}

std::optional<actor_proposition> parse_actor_proposition(std::string_view text) {
  using verb = actor_proposition::verb;
  std::istringstream in{std::string(text)};
  std::vector<std::string> words;
  for (std::string word; in >> word;) words.push_back(internal::lower(word));
  if (words.size() == 1 && words[0] == "true") return actor_proposition{verb::always, {}, {}, {}};
  if (words.size() == 1 && words[0] == "false") return actor_proposition{verb::never, {}, {}, {}};
  if (words.size() != 2 && words.size() != 3 && words.size() != 5) return {};
  if (words[1] != "send" && words[1] != "recv") return {};
  if (words.size() == 5 && words[3] != "to" && words[3] != "from") return {};
  words.resize(5);
  for (auto& word : words)
    if (word == "*") word.clear();
  return actor_proposition{words[1] == "send" ? verb::send : verb::receive, words[0], words[2], words[4]};
}

}  // namespace harrier
