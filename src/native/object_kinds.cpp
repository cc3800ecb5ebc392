#include <harrier/native/object_kinds.hpp>

#include <algorithm>
#include <cstddef>
#include <optional>

#include <harrier/core/error.hpp>
#include <harrier/native/value_printer.hpp>

#include "restarting.hpp"

namespace harrier::detail {

namespace {

/// Calls `look(name, field, functions)` for each field.
template <class Look>
class looking final : public field_visitor {
public:
  explicit looking(Look& look) : look_(look) {}
  void visit(std::string_view name, const void* field, const value_functions& of) override { look_(name, field, of); }

private:
  Look& look_;
};

template <class Look>
void look_at_fields(const actor_facts& facts, const void* object, Look look) {
  if (facts.fields == nullptr) return;
  looking<Look> visitor(look);
  facts.fields(object, visitor);
}

fingerprint hash_of_value(const value_functions& of, const void* value) {
  byte_sink sink;
  of.add(sink, value);
  return sink.hash();
}

void write_of_value(const value_functions& of, const void* value, value_bytes& out) {
  byte_sink sink(out);
  of.add(sink, value);
  out.bytes(sink.text().data(), sink.text().size());
}

/// Whether what is written says all that a program can see of it, but for which objects it shares.
bool is_all_written_of(const value_functions& of, const void* value) {
  if (of.tells_all) return true;
  value_bytes out;
  write_of_value(of, value, out);
  return out.is_all();
}

/// What a program can see of it, to be compared with that of another one in one system; nothing if it is not known.
std::optional<fingerprint> seen_of_value(const value_functions& of, const void* value) {
  if (of.tells_all) return hash_of_value(of, value);
  value_bytes out;
  write_of_value(of, value, out);
  return out.is_all() ? std::optional(out.hash_of_all()) : std::nullopt;
}

struct persistent_field {
  const void* field;
  const value_functions* of;
};
/// In the order of the fields.
std::vector<persistent_field> persistent_fields(const actor_facts& facts, const void* object) {
  std::vector<persistent_field> all;
  look_at_fields(facts, object, [&](std::string_view, const void* field, const value_functions& of) {
    if (of.assign != nullptr) all.push_back({field, &of});
  });
  return all;
}

}  // namespace

std::string object_class::name() const { return std::string(facts_.name); }

std::string object_class::describe(const system& system, const void* state) const {
  if (facts_.value == nullptr) return {};
  value_printer print(system);
  facts_.value->show(print, state);
  auto text = print.take();
  return text == "{}" ? std::string() : text;
}

fingerprint object_class::hash(const void* state) const {
  return facts_.hash == nullptr ? fingerprint() : facts_.hash(state);
}

std::string object_class::unknown_member(const void* state) const {
  std::string unknown;
  look_at_fields(facts_, state, [&](std::string_view name, const void* field, const value_functions& of) {
    if (unknown.empty() && !is_all_written_of(of, field)) unknown = name;
  });
  if (facts_.value != nullptr && unknown.empty() && !is_all_written_of(*facts_.value, state))
    unknown = "(what its inspect leaves out)";
  return unknown;
}

void object_class::write(const void* state, value_bytes& out) const {
  if (facts_.value != nullptr) write_of_value(*facts_.value, state, out);
}

std::vector<std::pair<std::string, fingerprint>> object_class::fields(const void* state) const {
  std::vector<std::pair<std::string, fingerprint>> result;
  result.reserve(4);  // how many there are an `inspect` does not say
  look_at_fields(facts_, state, [&](std::string_view name, const void* field, const value_functions& of) {
    result.emplace_back(name, hash_of_value(of, field));
  });
  return result;
}

std::vector<state_field> object_class::layout(const void* state) const {
  std::vector<state_field> result;
  look_at_fields(facts_, state, [&](std::string_view name, const void* field, const value_functions& of) {
    result.push_back({std::string(name), offset_in(state, facts_.object.size, field), of.size, of.is_tracked});
  });
  return result;
}

/// Whether two states may differ in what `inspect` does not show.
bool object_class::differ_unseen(const void* before, const void* after) const {
  if (facts_.tell_unshown == nullptr) return false;
  value_bytes unshown_before;
  value_bytes unshown_after;
  return !facts_.tell_unshown(before, unshown_before) || !facts_.tell_unshown(after, unshown_after) ||
         unshown_before.unshown() != unshown_after.unshown();
}

std::uint64_t object_class::changed_fields(const void* before, const void* after) const {
  if (facts_.fields == nullptr || differ_unseen(before, after)) return ~std::uint64_t{0};
  std::vector<std::optional<fingerprint>> values;
  look_at_fields(facts_, before, [&](std::string_view, const void* field, const value_functions& of) {
    values.push_back(seen_of_value(of, field));
  });
  std::uint64_t changed = 0;
  std::size_t i = 0;
  look_at_fields(facts_, after, [&](std::string_view, const void* field, const value_functions& of) {
    const auto value = seen_of_value(of, field);
    if (i >= values.size() || !value || value != values[i]) changed |= std::uint64_t{1} << std::min<std::size_t>(i, 63);
    ++i;
  });
  return i == values.size() ? changed : ~std::uint64_t{0};
}

crash_rules object_class::rules_of_crash(const void* state) const {
  const bool keeps = !persistent_fields(facts_, state).empty();
  return {.restarts = keeps || facts_.acts_on_restart, .keeps = keeps, .acts = facts_.acts_on_restart};
}

void object_class::restart(void* state, const void* created, const void* kept) const {
  const auto from = persistent_fields(facts_, kept);
  facts_.object.destroy(state);
  {
    const restarting now(restart_stage::making);
    facts_.object.copy(state, created);
  }
  const auto to = persistent_fields(facts_, state);
  if (from.size() != to.size()) throw error("the inspect of " + name() + " shows now more persistent fields, now less");
  const restarting now(restart_stage::giving);
  for (std::size_t i = 0; i < to.size(); ++i) to[i].of->assign(const_cast<void*>(to[i].field), from[i].field);
}

void object_class::restarted(world& in, void* state) const {
  if (!facts_.acts_on_restart) return;
  try {
    act_on_restart(in, state);
  } catch (...) {
    in.handler_threw(no_message);
  }
}

std::string object_message::shown(const system& system, const void* payload) const {
  value_printer print(system);
  facts_.value->show(print, payload);
  return print.take();
}
std::string object_message::describe(const system& system, const void* payload) const {
  return name() + shown(system, payload);
}
std::string object_message::name() const { return std::string(facts_.name); }

fingerprint object_message::hash(const void* payload) const {
  byte_sink sink;
  sink.add(facts_.name);
  facts_.value->add(sink, payload);
  return sink.hash();
}

void object_message::write(const void* payload, value_bytes& out) const { write_of_value(*facts_.value, payload, out); }

void value_message::deliver(system& s, step& st) const {
  auto& w = static_cast<world&>(s);
  w.resume(st, {.value = w.message_at(st.message).payload, .type = this});
}
void value_message::undo(system& s, step& st) const { static_cast<world&>(s).undo_resume(st); }
std::string value_message::describe(const system& system, const void* payload) const {
  const auto value = shown(system, payload);
  return value.starts_with('{') ? name() + value : name() + "{" + value + "}";
}
frame* value_message::start(world& /*world*/, void* /*state*/, const void* /*payload*/) const { return nullptr; }
bool value_message::accepts(const void* /*state*/, const void* /*payload*/) const { return false; }
void value_message::finish(world& /*world*/, frame& /*finished*/, message_slot /*request*/) const {}

void reply_message::deliver(system& s, step& st) const {
  static_cast<world&>(s).resume(st, {.value = s.message_at(st.message).payload});
}
void reply_message::undo(system& s, step& st) const { static_cast<world&>(s).undo_resume(st); }
void reply_message::destroy(void* payload) const {
  if (object_ != nullptr) object_->destroy(payload);
}
message_type::payload_shape reply_message::shape() const {
  return object_ == nullptr ? payload_shape{} : payload_shape{object_->size, object_->alignment};
}
void reply_message::copy(void* target, const void* payload) const {
  if (object_ != nullptr) object_->copy(target, payload);
}
std::string reply_message::describe(const system& system, const void* payload) const {
  if (value_ == nullptr) return "reply()";
  value_printer print(system);
  value_->show(print, payload);
  return "reply(" + print.take() + ")";
}
fingerprint reply_message::hash(const void* payload) const {
  return value_ == nullptr ? hash_bytes("reply", 5) : hash_of_value(*value_, payload);
}
void reply_message::write(const void* payload, value_bytes& out) const {
  if (value_ != nullptr) write_of_value(*value_, payload, out);
}

}  // namespace harrier::detail
