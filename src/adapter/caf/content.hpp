#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "version.hpp"

/// What is in a message, as each version of CAF tells it.
namespace harrier::caf_adapter {

/// Where that is which is in it and in other messages, too; null if it is in no other: it may be freed, and something
/// else be there.
const void* shared_content_of(caf::mailbox_element& m);

/// Which types are in it, and which atom is first: those that are equal mean the same kind. None where that does not
/// tell the kind.
std::optional<std::pair<std::uint64_t, std::uint64_t>> token_of(const message_content& content);

/// If it begins with an atom: that. It is empty if not.
std::string first_atom_of(const message_content& content);
bool begins_with_atom(const message_content& content);

/// As CAF writes it.
std::string text_of_part(const message_content& content, std::size_t i);
/// Whether a text of CAF's shows what a pointer points to.
bool shows_pointers(std::string_view text);
/// If it is an integer as small as a char: which, or 0.
char as_char(const message_content& content, std::size_t i);

/// The full name of its type, empty if that is not known.
std::string type_name_of(const message_content& content, std::size_t i);
/// The name by which CAF knows that type, if it does; without namespaces.
std::string name_of_only_part(const message_content& content, const caf::actor_system& in);
/// Whether the type is one that CAF has.
bool is_of_caf(const message_content& content, std::size_t i);
/// The same for the same type.
std::size_t key_of_type(const message_content& content, std::size_t i);

/// What CAF's own messages are called that are no data of the program: `exit`, say. Empty if it is not one of these.
std::string_view kind_of_own(const message_content& content);
/// Those that are shown in another way than what is in them; empty for others.
std::string text_of_own(const message_content& content, std::string_view kind);
/// Whether it is word of another's end, to whoever watches it.
bool is_word_of_an_end(const message_content& content);
/// Whether CAF itself sends messages of that kind, to whoever is there.
bool is_of_the_system(std::string_view kind);
bool is_of_a_stream(const message_content& content);

}  // namespace harrier::caf_adapter
