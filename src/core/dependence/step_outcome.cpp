#include "step_outcome.hpp"

#include <algorithm>
#include <cstdint>
#include <initializer_list>

namespace harrier {
namespace {

class looking_at_last_step {
public:
  looking_at_last_step(const system& s, bool in_words) : s_(s), in_words_(in_words) {
    const auto i = s.last_step();
    const auto& step = s.step_at(i);
    for (auto m = step.first_sent; m < s.sent_end(i); ++m) add_message(m);
    for (auto a = step.first_created; a < s.created_end(i); ++a)
      add({id(s.actor_at(a).type), state(a)}, [&] { return "creates " + s.actor_name(a) + s.state_text(a); });
    for (const auto& c : s.choices_of(i))
      add({{c.arity, 0}}, [&] { return "chooses among " + std::to_string(c.arity); });
    if (step.flagged)
      for (const auto& r : s.records_of_last_step())
        add({text(r.message)}, [&] { return "reports '" + r.message + "'"; });
    const auto& notes = s.notes();
    auto first = notes.size();
    while (first > 0 && notes[first - 1].at == i) --first;
    for (; first < notes.size(); ++first)
      add({text(notes[first].word)}, [&] { return "notes '" + notes[first].word + "'"; });
    add_receiver(step);
  }
  step_outcome take() { return std::move(result_); }

private:
  static fingerprint id(const void* type) { return {reinterpret_cast<std::uintptr_t>(type), 0}; }
  static fingerprint text(const std::string& of) { return hash_bytes(of.data(), of.size()); }
  [[nodiscard]] fingerprint state(actor_slot a) const { return s_.actor_at(a).type->hash(s_.actor_at(a).state); }
  template <class InWords>
  void add(std::initializer_list<fingerprint> what, InWords say) {
    result_.parts.push_back(hash_bytes(std::data(what), what.size() * sizeof(fingerprint)));
    if (in_words_) result_.texts.push_back(say());
  }
  void add_message(message_slot m) {
    const auto& x = s_.message_at(m);
    if (x.makes == step_kind::stage) return;  // nobody sent it
    const auto to = static_cast<std::uint64_t>(s_.actor_at(x.receiver).id);
    add({id(x.type), x.type->hash(x.payload), {to, 0}},
        [&] { return "sends " + s_.message_text(m) + " to " + s_.actor_name(x.receiver); });
  }
  void add_receiver(const step& step) {
    const auto mode = s_.actor_at(step.receiver).state_of_life;
    add({{static_cast<std::uint64_t>(mode), step.aborted ? 1U : 0U}}, [&] {
      return mode == actor::mode::waiting     ? "waits for a reply"
             : mode == actor::mode::receiving ? "receives"
             : mode == actor::mode::gone      ? "ends the actor"
                                              : "ends";
    });
    add({state(step.receiver)},
        [&] { return "leaves " + s_.actor_name(step.receiver) + s_.state_text(step.receiver); });
  }

  const system& s_;
  bool in_words_;
  step_outcome result_;
};

}  // namespace

step_outcome outcome_of_last_step(const system& s, bool in_words) { return looking_at_last_step(s, in_words).take(); }

std::optional<std::pair<std::string, std::string>> first_difference(const step_outcome& one,
                                                                    const step_outcome& other) {
  const auto common = std::min(one.texts.size(), other.texts.size());
  for (std::size_t i = 0; i < common; ++i)
    if (one.parts[i] != other.parts[i]) return std::pair(one.texts[i], other.texts[i]);
  return std::nullopt;
}

}  // namespace harrier
