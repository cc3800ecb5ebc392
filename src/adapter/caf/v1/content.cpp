#include "../content.hpp"

#include <caf/action.hpp>
#include <caf/deep_to_string.hpp>
#include <caf/detail/meta_object.hpp>
#include <caf/system_messages.hpp>
#include <caf/type_id.hpp>

#include "../names_of_types.hpp"
#include "watch.hpp"

namespace harrier::caf_adapter {
namespace {

constexpr std::string_view atom_ending = "_atom";

const word_of_end* word_in(const message_content& content) {
  if (!content.match_elements<caf::action>()) return nullptr;
  return dynamic_cast<const word_of_end*>(content.get_as<caf::action>(0).ptr());
}

}  // namespace

const void* shared_content_of(caf::mailbox_element& m) {
  return m.payload && !m.payload.unique() ? m.payload.cptr() : nullptr;
}

std::optional<std::pair<std::uint64_t, std::uint64_t>> token_of(const message_content& content) {
  if (content.empty() || content.match_elements<caf::action>()) return {};
  std::uint64_t hash = 0xcbf29ce484222325;  // FNV-1a
  const auto types = content.types();
  for (std::size_t i = 0; i < types.size(); ++i) hash = (hash ^ types[i]) * 0x100000001b3;
  return std::pair{hash, std::uint64_t{types[0]} << 32 | types.size()};
}

/// CAF knows an atom as a type: by its name, as CAF_ADD_ATOM's users write it.
bool begins_with_atom(const message_content& content) {
  return !content.empty() && caf::query_type_name(content.type_at(0)).ends_with(atom_ending);
}

std::string first_atom_of(const message_content& content) {
  if (!begins_with_atom(content)) return {};
  auto name = last_name_of(caf::query_type_name(content.type_at(0)));
  name.resize(name.size() - atom_ending.size());
  return name;
}

std::string text_of_part(const message_content& content, std::size_t i) {
  const auto& type = caf::detail::global_meta_object(content.type_at(i));
  std::string text;
  type.stringify(text, content.cdata().at(i));
  return text == type.type_name ? "<unprintable>" : text;  // as CAF 0.17 calls what has no inspection
}

/// Pointers are written as what they point to, after an asterisk, or as `null`.
bool shows_pointers(std::string_view text) {
  if (text.starts_with('*') || text == "null") return true;
  for (const std::string_view begin : {"(*", "[*", ", *", "(null", "[null", ", null"})
    if (text.find(begin) != std::string_view::npos) return true;
  return false;
}

char as_char(const message_content& content, std::size_t i) {
  return content.match_element<std::int8_t>(i) ? static_cast<char>(content.get_as<std::int8_t>(i)) : '\0';
}

std::string type_name_of(const message_content& content, std::size_t i) {
  return std::string(caf::query_type_name(content.type_at(i)));
}

std::string name_of_only_part(const message_content& content, const caf::actor_system&) {
  return last_name_of(caf::query_type_name(content.type_at(0)));
}

bool is_of_caf(const message_content& content, std::size_t i) { return content.type_at(i) < caf::first_custom_type_id; }

std::size_t key_of_type(const message_content& content, std::size_t i) { return content.type_at(i); }

std::string_view kind_of_own(const message_content& content) {
  if (content.match_elements<caf::exit_msg>()) return "exit";
  if (content.match_elements<caf::down_msg>() || word_in(content) != nullptr) return "down";
  if (content.match_elements<caf::timeout_msg>()) return "timeout";
  if (content.match_elements<caf::error>()) return "error";
  if (content.match_elements<caf::action>()) return "action";
  return {};
}

std::string text_of_own(const message_content& content, std::string_view kind) {
  if (const auto* const word = word_in(content))
    return "down(" + caf::deep_to_string(caf::down_msg{word->of().observed(), word->reason()}) + ')';
  return content.match_elements<caf::action>() ? std::string(kind) + "()" : std::string();
}

bool is_word_of_an_end(const message_content& content) {
  return content.match_elements<caf::down_msg>() || word_in(content) != nullptr;
}

bool is_of_the_system(std::string_view kind) {
  return kind == "exit" || kind == "down" || kind == "timeout" || kind == "error" || kind == "action";
}

bool is_of_a_stream(const message_content& content) {
  return content.match_elements<caf::stream_open_msg>() || content.match_elements<caf::stream_demand_msg>() ||
         content.match_elements<caf::stream_cancel_msg>() || content.match_elements<caf::stream_ack_msg>() ||
         content.match_elements<caf::stream_batch_msg>() || content.match_elements<caf::stream_close_msg>() ||
         content.match_elements<caf::stream_abort_msg>();
}

}  // namespace harrier::caf_adapter
