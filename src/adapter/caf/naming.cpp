#include "naming.hpp"

#include <cxxabi.h>

#include <cctype>
#include <cstdlib>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <typeindex>
#include <typeinfo>
#include <unordered_map>
#include <utility>

#include "../../core/spin_lock.hpp"

namespace harrier::caf_adapter {
namespace {

/// Strings that stay where they are.
std::string_view kept(std::string s) {
  static spin_lock one_at_a_time;  // a mutex might be taken for the program's
  static std::set<std::string> all;
  const std::lock_guard lock(one_at_a_time);
  return *all.insert(std::move(s)).first;
}

std::string whole_name_of(const std::type_info& type) {
  const std::unique_ptr<char, void (*)(void*)> whole(abi::__cxa_demangle(type.name(), nullptr, nullptr, nullptr),
                                                     &std::free);
  return whole != nullptr ? whole.get() : type.name();
}

std::string last_name_of(const std::type_info& type) {
  const std::string name = whole_name_of(type);
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
  return name.substr(begin, end - begin);
}

std::string as_identifier(std::string name) {
  for (auto& c : name)
    if (std::isalnum(static_cast<unsigned char>(c)) == 0) c = '_';
  return name;
}

template <class T>
bool holds_one(const caf::type_erased_tuple& content) {
  return content.match_elements<T>();
}

std::string_view name_of_content(const caf::type_erased_tuple& content, const caf::actor_system& in) {
  if (content.empty()) return "nothing";
  if (holds_one<caf::exit_msg>(content)) return "exit";
  if (holds_one<caf::down_msg>(content)) return "down";
  if (holds_one<caf::timeout_msg>(content)) return "timeout";
  if (holds_one<caf::error>(content)) return "error";
  if (content.match_element<caf::atom_value>(0)) return kept(to_string(content.get_as<caf::atom_value>(0)));
  if (content.size() > 1) return "message";
  auto name = in.types().portable_name(content.type(0));
  if (name.empty() && content.type(0).second != nullptr) name = last_name_of(*content.type(0).second);
  if (const auto scope = name.rfind(':'); scope != std::string::npos) name.erase(0, scope + 1);
  if (name.starts_with('@')) name.erase(0, 1);  // of CAF's own
  return kept(name.empty() ? "message" : as_identifier(name));
}

}  // namespace

std::string class_name_of(const caf::abstract_actor& a) {
  std::string name;
  if (const auto* local = dynamic_cast<const caf::local_actor*>(&a)) name = local->name();
  static const std::set<std::string, std::less<>> generic = {"actor",
                                                             "scheduled_actor",
                                                             "blocking_actor",
                                                             "event_based_actor",
                                                             "user.event-based-actor",
                                                             "user.scheduled-actor",
                                                             "user.blocking-actor"};
  if (!name.empty() && !generic.contains(name)) return as_identifier(std::move(name));
  thread_local std::unordered_map<std::type_index, std::string> known;
  const auto [of_class, is_new] = known.try_emplace(typeid(a));
  if (is_new) {
    auto last = last_name_of(typeid(a));
    static const std::set<std::string, std::less<>> of_caf = {
        "event_based_actor",   "typed_event_based_actor",         "blocking_actor",   "stateful_actor", "typed_actor",
        "functor_based_actor", "composable_behavior_based_actor", "composed_behavior"};
    of_class->second = as_identifier(of_caf.contains(last) ? "actor" : std::move(last));
  }
  return of_class->second;
}

std::string_view kind_of(caf::mailbox_element& m, caf::actor_system& in) {
  const auto& content = m.content();
  thread_local std::map<std::pair<std::uint32_t, std::uint64_t>, std::string_view> known;
  const bool is_response = m.mid.is_response();
  std::uint64_t first = is_response ? 1 : 0;
  if (!content.empty() && content.match_element<caf::atom_value>(0))
    first = static_cast<std::uint64_t>(content.get_as<caf::atom_value>(0)) << 1 | (is_response ? 1 : 0);
  const bool is_known_by_token = content.size() > 1 || first > 1 || content.empty() || content.type_nr(0) != 0;
  const std::pair key{content.type_token(), first};
  if (is_known_by_token)
    if (const auto found = known.find(key); found != known.end()) return found->second;
  const auto name = name_of_content(content, in);
  const auto kind = is_response && name != "error" ? std::string_view("reply") : name;
  if (is_known_by_token) known.emplace(key, kind);
  return kind;
}

std::string text_of(caf::mailbox_element& m, std::string_view kind) {
  const auto& content = m.content();
  std::string text(kind);
  text += '(';
  const std::size_t first = !content.empty() && kind != "reply" && content.match_element<caf::atom_value>(0) ? 1 : 0;
  for (std::size_t i = first; i < content.size(); ++i) {
    if (i > first) text += ", ";
    const auto element = content.stringify(i);
    const auto* const type = content.type(i).second;
    text += element == "<unprintable>" && type != nullptr ? "<" + last_name_of(*type) + ">" : element;
  }
  return text + ')';
}

bool is_of_the_system(std::string_view kind) {
  return kind == "exit" || kind == "down" || kind == "timeout" || kind == "error";
}

bool may_share_memory(caf::mailbox_element& m) {
  const auto& content = m.content();
  thread_local std::unordered_map<std::type_index, bool> known;
  for (std::size_t i = 0; i < content.size(); ++i) {
    const auto type = content.type(i);
    if (type.first != 0 || type.second == nullptr) continue;  // one of CAF's own
    const auto [of_type, is_new] = known.try_emplace(*type.second);
    if (is_new) {
      const auto name = whole_name_of(*type.second);
      of_type->second = name.ends_with('*') || name.find("shared_ptr<") != std::string::npos ||
                        name.find("reference_wrapper<") != std::string::npos ||
                        content.stringify(i).find("<unprintable>") != std::string::npos;
    }
    if (of_type->second) return true;
  }
  return false;
}

bool is_from_a_stranger(caf::mailbox_element& m, const caf::actor_addr& who) {
  const auto& content = m.content();
  if (holds_one<caf::down_msg>(content)) return true;
  return holds_one<caf::exit_msg>(content) && content.get_as<caf::exit_msg>(0).source != nullptr &&
         content.get_as<caf::exit_msg>(0).source != who;
}

const caf::actor_control_block* source_of_exit(caf::mailbox_element& m) {
  const auto& content = m.content();
  if (!holds_one<caf::exit_msg>(content)) return nullptr;
  const auto* const source = caf::actor_cast<caf::abstract_actor*>(content.get_as<caf::exit_msg>(0).source);
  return source != nullptr ? caf::actor_control_block::from(source) : nullptr;
}

bool is_of_a_stream(caf::mailbox_element& m) {
  const auto& content = m.content();
  return content.size() == 1 && (holds_one<caf::open_stream_msg>(content) || holds_one<caf::upstream_msg>(content) ||
                                 holds_one<caf::downstream_msg>(content));
}

}  // namespace harrier::caf_adapter
