#include "naming.hpp"

#include <cxxabi.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdlib>
#include <cstring>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <typeinfo>
#include <unordered_map>
#include <utility>
#include <vector>

#include "../../core/base/spin_lock.hpp"
#include "content.hpp"
#include "function_names.hpp"
#include "names_of_types.hpp"
#include "opened_member.hpp"

namespace harrier::caf_adapter {

using start_function = caf::detail::unique_function<caf::behavior(caf::local_actor*)>;
struct wrapper_tag {
  using type = start_function::wrapper* start_function::*;
  friend type member(wrapper_tag);
};
template struct opened_member<wrapper_tag, &start_function::wptr_>;

namespace {

/// Strings that stay where they are.
std::string_view kept(std::string s) {
  static spin_lock one_at_a_time;  // a mutex might be taken for the program's
  static std::set<std::string> all;
  const std::lock_guard lock(one_at_a_time);
  return *all.insert(std::move(s)).first;
}

std::string readable(const char* symbol) {
  const std::unique_ptr<char, void (*)(void*)> whole(abi::__cxa_demangle(symbol, nullptr, nullptr, nullptr),
                                                     &std::free);
  return whole != nullptr ? whole.get() : symbol;
}

}  // namespace

std::string whole_name_of(const std::type_info& type) { return readable(type.name()); }

std::string last_name_of(std::string_view name) {
  // Of a local class, what encloses it has parameters, and those have names of their own.
  std::size_t begin = 0;
  std::size_t end = name.size();
  int depth = 0;
  for (std::size_t i = 0; i < name.size(); ++i) {
    const char c = name[i];
    if (depth == 0 && c == ':') begin = i + 1, end = name.size();
    if (depth == 0 && (c == '<' || c == '(') && end == name.size()) end = i;
    depth += static_cast<int>(c == '<' || c == '(' || c == '{') - static_cast<int>(c == '>' || c == ')' || c == '}');
  }
  return std::string(name.substr(begin, end - begin));
}

namespace {

/// What stands between separators that are in no brackets.
std::vector<std::string_view> parts_of(std::string_view name, std::string_view separator) {
  std::vector<std::string_view> parts;
  std::size_t begin = 0;
  int depth = 0;
  for (std::size_t i = 0; i < name.size(); ++i) {
    const char c = name[i];
    depth += static_cast<int>(c == '<' || c == '(' || c == '{') - static_cast<int>(c == '>' || c == ')' || c == '}');
    if (depth != 0 || name.substr(i, separator.size()) != separator) continue;
    parts.push_back(name.substr(begin, i - begin));
    begin = i + separator.size();
    i = begin - 1;
  }
  parts.push_back(name.substr(begin));
  return parts;
}

/// Those of the type: of `pair<int, char>`, `int` and `char`.
std::vector<std::string_view> arguments_of(std::string_view type) {
  const auto begin = type.find('<');
  if (begin == std::string_view::npos || !type.ends_with('>')) return {};
  const auto inside = type.substr(begin + 1, type.size() - begin - 2);
  return inside.empty() ? std::vector<std::string_view>{} : parts_of(inside, ", ");
}

std::string as_identifier(std::string name) {
  for (auto& c : name)
    if (std::isalnum(static_cast<unsigned char>(c)) == 0) c = '_';
  return name;
}

/// `worker` of `caf::behavior of_this::worker<int>(caf::event_based_actor*)`
std::string_view plain_name_of(std::string_view part) {
  part = part.substr(0, part.find_first_of("(<[."));
  return part.substr(part.rfind(' ') + 1);
}

/// What a person calls a function, or the type of a function object; a lambda after where it was written. Empty for
/// what a library makes to hold another.
std::string name_of_code(std::string_view whole) {
  const auto is_lambda = [](std::string_view part) { return part.starts_with('{') || part.starts_with("$_"); };
  auto parts = parts_of(whole, "::");
  const auto last = plain_name_of(parts.back());
  if (parts.size() > 1 && (last == "_FUN" || last == "__invoke")) parts.pop_back();  // of a lambda without captures
  if (!is_lambda(parts.back())) return as_identifier(std::string(last));
  for (; !parts.empty(); parts.pop_back()) {
    const auto name = plain_name_of(parts.back());
    if (!is_lambda(parts.back()) && !name.empty() && name != "operator")
      return "lambda_in_" + as_identifier(std::string(name));
  }
  return "lambda";
}

struct opened_local : caf::local_actor {
  static const start_function& start_of(const caf::local_actor& a) { return a.*(&opened_local::initial_behavior_fac_); }
};

/// Empty if it is not the function that was given to spawn, or if that has no name.
std::string name_of_function(const caf::local_actor& a) {
  const auto& start = opened_local::start_of(a);
  if (start.is_nullptr() || !start.holds_wrapper()) return {};
  const auto* const wrapper = start.*member(wrapper_tag{});
  struct known_type {
    bool holds_pointer = false;
    std::string name = {};
  };
  thread_local std::unordered_map<const std::type_info*, known_type> known;
  const auto [of_type, is_new] = known.try_emplace(&typeid(*wrapper));
  auto& [holds_pointer, name] = of_type->second;
  if (is_new) {
    const auto whole = whole_name_of(typeid(*wrapper));
    const auto arguments = arguments_of(whole);
    if (whole.starts_with("caf::detail::init_fun_factory_helper<") && arguments.size() > 1) {
      const auto function = arguments[1];
      holds_pointer = function.ends_with(')') || function.ends_with(") noexcept");
      const bool is_of_a_library =
          !function.ends_with('}') && (function.starts_with("std::") || function.starts_with("caf::"));
      if (!holds_pointer && !is_of_a_library) name = name_of_code(function);
    }
  }
  if (!holds_pointer) return name;
  // It is the first member of the class that is derived from that.
  const void* code = nullptr;
  std::memcpy(&code, reinterpret_cast<const char*>(wrapper) + sizeof(caf::detail::init_fun_factory_helper_base),
              sizeof code);
  thread_local std::unordered_map<const void*, std::string> names;
  const auto [of_code, is_new_code] = names.try_emplace(code);
  if (is_new_code)
    if (const auto& symbol = symbol_of_function(code); !symbol.empty())
      of_code->second = name_of_code(readable(symbol.c_str()));
  return of_code->second;
}

/// `account` of `caf::stateful_actor<bank::account, caf::event_based_actor>`; empty for what is none.
std::string name_of_state(std::string_view actor) {
  const auto arguments = arguments_of(actor);
  return actor.starts_with("caf::stateful_actor<") && !arguments.empty()
             ? as_identifier(last_name_of(arguments.front()))
             : std::string();
}

/// A type as a person writes it: without namespaces, and what is usual.
std::string short_name_of(std::string_view type) {
  if (type.starts_with("std::__cxx11::basic_string<char,")) return "string";
  if (type.ends_with('*')) return short_name_of(type.substr(0, type.size() - 1)) + "*";
  if (type.ends_with(" const")) return short_name_of(type.substr(0, type.size() - 6));
  const auto arguments = arguments_of(type);
  auto name = arguments.empty() ? last_name_of(type) : last_name_of(type.substr(0, type.find('<')));
  std::string inside;
  for (const auto argument : arguments) {
    const bool is_usual = argument.starts_with("std::allocator<") || argument.starts_with("std::less<") ||
                          argument.starts_with("std::hash<") || argument.starts_with("std::equal_to<") ||
                          argument.starts_with("std::default_delete<");
    if (!is_usual) inside += (inside.empty() ? "" : ", ") + short_name_of(argument);
  }
  return inside.empty() ? name : name + '<' + inside + '>';
}

/// What CAF cannot look into within such a value: itself, or all elements of it that are of one type.
std::string_view unprintable_in(std::string_view type, const std::string& text) {
  if (text.starts_with('*') && type.ends_with('*'))
    return unprintable_in(type.substr(0, type.size() - 1), text.substr(1));
  const auto arguments = arguments_of(type);
  if (text.starts_with('[') && !arguments.empty()) return unprintable_in(arguments.front(), text.substr(1));
  return text.starts_with("<unprintable>") ? type : std::string_view{};
}

std::string text_of_element(const message_content& content, std::size_t i) {
  auto text = text_of_part(content, i);
  // CAF makes a number of a char before it is in a message: it may have been either.
  if (const auto c = as_char(content, i); c > 0 && std::isprint(c) != 0) return fmt::format("{} '{}'", text, c);
  constexpr std::string_view unknown = "<unprintable>";
  auto at = text.find(unknown);
  if (at == std::string::npos) return text;
  const auto whole = type_name_of(content, i);
  const auto inside = unprintable_in(whole, text);
  if (inside.empty()) return text;
  const auto name = '<' + short_name_of(inside) + '>';
  for (; at != std::string::npos; at = text.find(unknown, at + name.size())) text.replace(at, unknown.size(), name);
  return text;
}

std::string_view name_of_content(const message_content& content, const caf::actor_system& in) {
  if (content.empty()) return "nothing";
  if (const auto own = kind_of_own(content); !own.empty()) return own;
  if (begins_with_atom(content)) return kept(first_atom_of(content));
  if (content.size() > 1) return "message";
  auto name = name_of_only_part(content, in);
  return kept(name.empty() ? "message" : as_identifier(std::move(name)));
}

}  // namespace

std::string class_name_of(const caf::local_actor& a) {
  std::string name = a.name();
  static const std::set<std::string, std::less<>> generic = {"actor",
                                                             "scheduled_actor",
                                                             "blocking_actor",
                                                             "event_based_actor",
                                                             "user.event-based-actor",
                                                             "user.scheduled-actor",
                                                             "user.blocking-actor"};
  if (!name.empty() && !generic.contains(name)) return as_identifier(std::move(name));
  struct names {
    std::string own, of_state;
  };
  thread_local std::unordered_map<const std::type_info*, names> known;  // by its text each look would hash all of that
  const auto [of_class, is_new] = known.try_emplace(&typeid(a));
  if (is_new) {
    const auto whole = whole_name_of(typeid(a));
    of_class->second.of_state = name_of_state(whole);
    auto last = last_name_of(whole);
    static const std::set<std::string, std::less<>> of_caf = {
        "event_based_actor",   "typed_event_based_actor",         "blocking_actor",   "stateful_actor", "typed_actor",
        "functor_based_actor", "composable_behavior_based_actor", "composed_behavior"};
    of_class->second.own = of_caf.contains(last) ? std::string() : as_identifier(std::move(last));
  }
  if (!of_class->second.own.empty()) return of_class->second.own;
  name = name_of_function(a);
  if (name.empty()) name = of_class->second.of_state;
  return name.empty() ? "actor" : name;
}

std::string_view kind_of(caf::mailbox_element& m, caf::actor_system& in) {
  const message_content& content = m.content();
  thread_local std::map<std::pair<std::uint64_t, std::uint64_t>, std::array<std::string_view, 2>> known;
  const bool is_response = m.mid.is_response();
  const auto token = token_of(content);
  if (token)
    if (const auto found = known.find(*token); found != known.end() && !found->second[is_response].empty())
      return found->second[is_response];
  const auto name = name_of_content(content, in);
  const auto kind = is_response && name != "error" ? std::string_view("reply") : name;
  if (token) known[*token][is_response] = kind;
  return kind;
}

std::string text_of(caf::mailbox_element& m, std::string_view kind) {
  const message_content& content = m.content();
  if (auto own = text_of_own(content, kind); !own.empty()) return own;
  std::string text(kind);
  text += '(';
  const std::size_t first = kind != "reply" && begins_with_atom(content) ? 1 : 0;
  for (std::size_t i = first; i < content.size(); ++i) {
    if (i > first) text += ", ";
    text += text_of_element(content, i);
  }
  return text + ')';
}

std::string text_of(const message_content& content) {
  std::string text = "(";
  for (std::size_t i = 0; i < content.size(); ++i) text += (i > 0 ? ", " : "") + text_of_element(content, i);
  return text + ')';
}

shared_memory memory_shared_by(caf::mailbox_element& m) {
  const message_content& content = m.content();
  thread_local std::unordered_map<std::size_t, shared_memory> known;
  auto most = shared_memory::none;
  for (std::size_t i = 0; i < content.size(); ++i) {
    if (is_of_caf(content, i)) continue;
    const auto [of_type, is_new] = known.try_emplace(key_of_type(content, i), shared_memory::none);
    if (is_new) {
      const auto name = type_name_of(content, i);
      const auto text = text_of_part(content, i);
      if (name.starts_with("std::shared_ptr<std::promise<"))
        of_type->second = shared_memory::in_order;
      else if (name.ends_with('*') || name.find("shared_ptr<") != std::string::npos ||
               name.find("reference_wrapper<") != std::string::npos ||
               text.find("<unprintable>") != std::string::npos || shows_pointers(text))
        of_type->second = shared_memory::any;
    }
    most = std::max(most, of_type->second);
  }
  return most;
}

bool is_from_a_stranger(caf::mailbox_element& m, const caf::actor_addr& who) {
  const message_content& content = m.content();
  if (is_word_of_an_end(content)) return true;
  return content.match_elements<caf::exit_msg>() && content.get_as<caf::exit_msg>(0).source != nullptr &&
         content.get_as<caf::exit_msg>(0).source != who;
}

const caf::actor_control_block* source_of_exit(caf::mailbox_element& m) {
  const message_content& content = m.content();
  if (!content.match_elements<caf::exit_msg>()) return nullptr;
  const auto* const source = caf::actor_cast<caf::abstract_actor*>(content.get_as<caf::exit_msg>(0).source);
  return source != nullptr ? caf::actor_control_block::from(source) : nullptr;
}

}  // namespace harrier::caf_adapter
