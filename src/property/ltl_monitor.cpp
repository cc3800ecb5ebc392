#include <harrier/property/ltl_monitor.hpp>

#include <algorithm>
#include <cctype>

#include <fmt/format.h>

#include <harrier/core/archive.hpp>
#include <harrier/core/error.hpp>
#include <harrier/core/exploration.hpp>

#include "../core/base/mix.hpp"
#include "../core/base/suggest.hpp"
#include "lower.hpp"

namespace harrier {
namespace {

word_end reading_of(run_ends ends) { return ends == run_ends::stutter ? word_end::stuttered : word_end::stopped; }

const char* name_of(run_ends ends) { return ends == run_ends::stutter ? "stutter" : "finite"; }

/// Line breaks are spaces in a formula.
std::string on_one_line(std::string_view text) {
  std::string line;
  for (const char c : text) {
    const bool space = std::isspace(static_cast<unsigned char>(c)) != 0;
    if (!space) line += c;
    if (space && !line.empty() && line.back() != ' ') line += ' ';
  }
  while (line.ends_with(' ')) line.pop_back();
  return line;
}

formula read(std::string_view text, const std::string& shown) {
  const auto parsed = parse_formula(text);
  if (parsed.value) return *parsed.value;
  std::string what;
  for (const auto& d : parsed.diagnostics)
    what += fmt::format("{}at {}:{}: {}{}", what.empty() ? "" : "; ", d.line, d.column, d.message,
                        d.expected.empty() ? "" : fmt::format(" (expected {})", d.expected));
  throw error(fmt::format("property {}: {}", shown, what));
}

/// Why `name` stands for no actor that is the same one in all executions of a class; empty if it does. `name` is in
/// lower case.
std::string not_one_actor(const system& initial, const std::string& name) {
  if (name.empty()) return "is about any actor";
  std::vector<std::string> numbered;
  std::vector<std::string> of_class;
  for (actor_slot a = 0; a < initial.actor_count(); ++a) {
    numbered.push_back(internal::lower(initial.actor_name(a)));
    if (internal::lower(class_of(initial, a)) == name) of_class.push_back(numbered.back());
  }
  if (std::find(numbered.begin(), numbered.end(), name) != numbered.end()) return {};
  if (!of_class.empty()) return fmt::format("is about every {} ({} is one actor)", name, fmt::join(of_class, ", or "));
  return fmt::format("is about {}, and the driver creates no actor of that name{}", name, suggestion(name, numbered));
}

}  // namespace

ltl_monitor::ltl_monitor(std::string_view text, run_ends ends)
    : text_(on_one_line(text)), ends_(ends), formula_(read(text, text_)) {
  if (ends == run_ends::ignore)
    throw error("a property of executions needs a reading of their ends: finite or stutter");
  std::string wrong;
  for (const auto& atom : formula_.atoms()) {
    if (const auto p = parse_actor_proposition(atom))
      propositions_.push_back(*p);
    else
      wrong += fmt::format("{}\"{}\"", wrong.empty() ? "" : ", ", on_one_line(atom));
  }
  if (!wrong.empty())
    throw error(
        fmt::format("property {}: no proposition about an action: {}; expected is actor SEND|RECV message "
                    "[TO|FROM actor], in quotes",
                    text_, wrong));
}

std::size_t ltl_monitor::hash_of_kind::operator()(const kind_of_action& k) const noexcept {
  using internal::mix;
  auto hash = mix(1, static_cast<std::uint64_t>(k.what) * 2 + (k.is_reply ? 1 : 0));
  for (const void* type : std::initializer_list<const void*>{k.message, k.actor_class, k.peer_class})
    hash = mix(hash, reinterpret_cast<std::uintptr_t>(type));
  return mix(hash, std::uint64_t{k.actor} << 32 | k.peer);
}

const letter& ltl_monitor::letter_of(const system& system, const actor_action& action) {
  const auto& m = system.message_at(action.message);
  const kind_of_action key{.what = action.what,
                           .is_reply = m.kind == message::role::reply,
                           .message = m.type,
                           .actor = action.actor,
                           .peer = action.peer,
                           .actor_class = system.actor_at(action.actor).type,
                           .peer_class = system.actor_at(action.peer).type};
  const auto [entry, is_new] = known_.try_emplace(key);
  if (is_new) {
    for (const auto& p : propositions_) entry->second.push_back(p.holds(system, action));
    messages_.insert(internal::lower(kind_of(system, action.message)));
    if (key.is_reply) messages_.insert("reply");
    for (const auto a : {action.actor, action.peer})
      actors_.insert({internal::lower(system.actor_name(a)), internal::lower(class_of(system, a))});
  }
  return entry->second;
}

void ltl_monitor::append(const system& system, std::size_t step) {
  actions_.clear();
  append_actions(system, step, actions_);
  for (const auto& action : actions_) {
    const auto& l = letter_of(system, action);
    if (count_ == letters_.size())
      letters_.push_back(l);
    else
      letters_[count_] = l;
    ++count_;
  }
}

void ltl_monitor::begin(const system& system) {
  if (!first_.empty()) return;
  count_ = 0;
  for (std::size_t i = 0; i < system.setup_steps(); ++i) append(system, i);
}

std::optional<record> ltl_monitor::stepped(const system& system) {
  begin(system);
  first_.push_back(count_);
  append(system, system.step_count() - 1);
  return {};
}

void ltl_monitor::undone(const system& /*system*/) {
  if (first_.empty()) return;
  count_ = first_.back();
  first_.pop_back();
}

void ltl_monitor::note_actors(const system& system) {
  if (system.actor_count() <= most_actors_) return;
  most_actors_ = system.actor_count();
  for (actor_slot a = 0; a < system.actor_count(); ++a)
    actors_.insert({internal::lower(system.actor_name(a)), internal::lower(class_of(system, a))});
}

step_index ltl_monitor::certain_after(const system& system) const {
  const auto broken_after = [&](std::size_t steps) {
    const auto letters = steps == first_.size() ? count_ : first_[steps];
    return monitor_on_word(formula_, std::span(letters_).first(letters), word_end::truncated) == std::optional(false);
  };
  // What is decided stays so: the least number of steps by bisection.
  std::size_t open = 0;
  std::size_t broken = first_.size();
  if (!broken_after(broken)) return no_step;
  if (broken_after(0)) broken = 0;
  while (broken > open + 1) {
    const auto middle = open + (broken - open) / 2;
    (broken_after(middle) ? broken : open) = middle;
  }
  return static_cast<step_index>(system.setup_steps() + broken - 1);
}

std::vector<record> ltl_monitor::ended(const system& system) {
  begin(system);
  note_actors(system);
  const bool cut = is_cut(system);
  const auto holds =
      monitor_on_word(formula_, std::span(letters_).first(count_), cut ? word_end::truncated : reading_of(ends_));
  if (!holds) ++undecided_;
  if (holds.value_or(true)) return {};
  ++violated_;
  const auto at = certain_after(system);
  return {{.at = at,
           .kind = finding_kind::ltl,
           .message = at == no_step ? text_ + " is violated as the execution ends here" : text_ + " is violated"}};
}

std::vector<record> ltl_monitor::broken_for_good(const system& system) {
  begin(system);
  const auto at = certain_after(system);
  if (at == no_step) return {};
  ++violated_;
  return {{.at = at, .kind = finding_kind::ltl, .message = text_ + " is violated"}};
}

std::string ltl_monitor::order_dependence(const system& initial) const {
  const auto about = [this](const std::string& what) { return fmt::format("property {} {}", text_, what); };
  const actor_proposition* first = nullptr;
  for (const auto& p : propositions_) {
    if (p.what == actor_proposition::verb::always || p.what == actor_proposition::verb::never) continue;
    if (const auto why = not_one_actor(initial, p.actor); !why.empty()) return about(why);
    if (first != nullptr && p.actor != first->actor)
      return about(fmt::format("is about two actors, {} and {}", first->actor, p.actor));
    first = &p;
    const auto number = p.peer.find_last_of('_');
    const bool may_be_numbered = number != std::string::npos && number + 1 < p.peer.size() &&
                                 p.peer.find_first_not_of("0123456789", number + 1) == std::string::npos;
    if (may_be_numbered && !not_one_actor(initial, p.peer).empty())
      return about(
          fmt::format("names {}, which the driver does not create: later actors are numbered in the order "
                      "of their creation",
                      p.peer));
  }
  if (ignores_blank_letters(formula_, reading_of(ends_))) return {};
  return about(first == nullptr ? "depends on how many actions there are"
                                : fmt::format("depends on when others act, beside {}", first->actor));
}

bool ltl_monitor::tells_observers_apart() const {
  return std::any_of(propositions_.begin(), propositions_.end(),
                     [](const actor_proposition& p) { return p.what == actor_proposition::verb::receive; });
}

std::unique_ptr<monitor> ltl_monitor::another() const {
  auto made = std::make_unique<ltl_monitor>(*this);
  made->count_ = 0;
  made->first_.clear();
  made->actors_.clear();
  made->messages_.clear();
  made->known_.clear();  // what is known was noted above
  made->most_actors_ = 0;
  made->violated_ = made->undecided_ = 0;
  return made;
}

void ltl_monitor::join(const monitor& other) {
  const auto& theirs = dynamic_cast<const ltl_monitor&>(other);
  actors_.insert(theirs.actors_.begin(), theirs.actors_.end());
  messages_.insert(theirs.messages_.begin(), theirs.messages_.end());
  violated_ += theirs.violated_;
  undecided_ += theirs.undecided_;
}

std::string ltl_monitor::criterion() const { return fmt::format("property {} (ends: {})", text_, name_of(ends_)); }

void ltl_monitor::save(archive_writer& to) const {
  for (const auto* met : {&actors_, &messages_}) to.list(*met, [&](const std::string& name) { to.text(name); });
  to.number(violated_);
  to.number(undecided_);
}

void ltl_monitor::load(archive_reader& from) {
  for (auto* met : {&actors_, &messages_}) from.list([&] { met->insert(from.text()); });
  violated_ = from.number();
  undecided_ = from.number();
}

std::vector<std::string> ltl_monitor::conclusions(const exploration& result) const {
  std::vector<std::string> sentences;
  const auto must_be_known = [&](const char* what, const std::string& word, const std::set<std::string>& known) {
    if (word.empty() || known.contains(word)) return;
    sentences.push_back(fmt::format("property {}: no execution that was run has {} called {}{}", text_, what, word,
                                    suggestion(word, {known.begin(), known.end()})));
  };
  for (const auto& p : propositions_) {
    must_be_known("an actor", p.actor, actors_);
    must_be_known("an actor", p.peer, actors_);
    must_be_known("a message", p.message, messages_);
  }
  const auto* ends = name_of(ends_);
  if (violated_ > 0) return sentences;
  if (undecided_ > 0)
    sentences.push_back(fmt::format("property {}: undecided in {} execution{} cut by a limit or a failure", text_,
                                    undecided_, undecided_ == 1 ? "" : "s"));
  else if (result.exhausted)
    sentences.push_back(fmt::format("property {} holds in every execution (ends: {})", text_, ends));
  else
    sentences.push_back(fmt::format("property {} holds in the executions that were run (ends: {})", text_, ends));
  return sentences;
}

}  // namespace harrier
