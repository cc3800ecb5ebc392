#include "../content.hpp"

#include <typeinfo>

#include "../names_of_types.hpp"

namespace harrier::caf_adapter {
namespace {

template <class T>
bool holds_one(const message_content& content) {
  return content.match_elements<T>();
}

}  // namespace

const void* shared_content_of(caf::mailbox_element& m) { return m.content().shared() ? &m.content() : nullptr; }

std::optional<std::pair<std::uint64_t, std::uint64_t>> token_of(const message_content& content) {
  const auto atom = begins_with_atom(content) ? static_cast<std::uint64_t>(content.get_as<caf::atom_value>(0)) : 0;
  const bool is_told = content.size() > 1 || atom != 0 || content.empty() || content.type_nr(0) != 0;
  if (!is_told) return {};
  return std::pair{std::uint64_t{content.type_token()}, atom};
}

bool begins_with_atom(const message_content& content) {
  return !content.empty() && content.match_element<caf::atom_value>(0);
}

std::string first_atom_of(const message_content& content) {
  return begins_with_atom(content) ? to_string(content.get_as<caf::atom_value>(0)) : std::string();
}

std::string text_of_part(const message_content& content, std::size_t i) { return content.stringify(i); }

/// Of those the type's name tells it.
bool shows_pointers(std::string_view) { return false; }

char as_char(const message_content& content, std::size_t i) {
  return content.type_nr(i) == caf::type_nr<char>::value ? static_cast<char>(content.get_as<std::int8_t>(i)) : '\0';
}

std::string type_name_of(const message_content& content, std::size_t i) {
  const auto* const type = content.type(i).second;
  return type != nullptr ? whole_name_of(*type) : std::string();
}

std::string name_of_only_part(const message_content& content, const caf::actor_system& in) {
  auto name = in.types().portable_name(content.type(0));
  // "???" is what CAF calls a type that its configuration was not told of.
  if ((name.empty() || name == "???") && content.type(0).second != nullptr)
    name = last_name_of(whole_name_of(*content.type(0).second));
  if (const auto scope = name.rfind(':'); scope != std::string::npos) name.erase(0, scope + 1);
  if (name.starts_with('@')) name.erase(0, 1);  // of CAF's own
  return name;
}

bool is_of_caf(const message_content& content, std::size_t i) {
  const auto type = content.type(i);
  return type.first != 0 || type.second == nullptr;
}

std::size_t key_of_type(const message_content& content, std::size_t i) { return content.type(i).second->hash_code(); }

std::string_view kind_of_own(const message_content& content) {
  if (holds_one<caf::exit_msg>(content)) return "exit";
  if (holds_one<caf::down_msg>(content)) return "down";
  if (holds_one<caf::timeout_msg>(content)) return "timeout";
  if (holds_one<caf::error>(content)) return "error";
  return {};
}

std::string text_of_own(const message_content&, std::string_view) { return {}; }

bool is_word_of_an_end(const message_content& content) { return holds_one<caf::down_msg>(content); }

bool is_of_the_system(std::string_view kind) {
  return kind == "exit" || kind == "down" || kind == "timeout" || kind == "error";
}

bool is_of_a_stream(const message_content& content) {
  return content.size() == 1 && (holds_one<caf::open_stream_msg>(content) || holds_one<caf::upstream_msg>(content) ||
                                 holds_one<caf::downstream_msg>(content));
}

}  // namespace harrier::caf_adapter
