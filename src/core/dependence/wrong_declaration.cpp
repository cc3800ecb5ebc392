#include "wrong_declaration.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

namespace harrier {

void check_declared_sends(const system& s, step_index i, message_slot of) {
  if (s.step_at(i).first_sent == s.sent_end(i)) return;
  std::vector<const message_type*> declared;
  if (!s.message_at(of).type->declare_sends(declared)) return;
  for (const auto m : s.sent_by(i)) {
    const auto& sent = s.message_at(m);
    if (sent.kind == message::role::reply || sent.makes != step_kind::delivery) continue;
    if (std::find(declared.begin(), declared.end(), sent.type) != declared.end()) continue;
    throw wrong_declaration(fmt::format("{}.{} sent {}.{}, which its handler is not declared to send",
                                        s.actor_name(s.step_at(i).receiver), s.message_text(of),
                                        s.actor_name(sent.receiver), s.message_text(m)));
  }
}

}  // namespace harrier
