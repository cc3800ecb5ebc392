#include "combinations.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <limits>
#include <utility>

#include <harrier/core/delivery.hpp>
#include <harrier/core/error.hpp>
#include <harrier/core/script.hpp>
#include <harrier/explore/explore.hpp>
#include <harrier/harrier.hpp>

namespace harrier::combinations {
namespace {

/// Not in a global variable, which handlers would have in common.
std::atomic<std::uint64_t>& count_of_handled() {
  static auto* const count = new std::atomic<std::uint64_t>;
  return *count;
}

constexpr ask all_asks[] = {
    {"--observers on", false, [](asked_search& a) { a.how.search.observers = true; }},
    {"--observers off", true, [](asked_search& a) { a.how.search.observers = false; }},
    {"--independence fields", false, [](asked_search& a) { a.how.search.independence = independence::fields; }},
    {"--independence semantic", false, [](asked_search& a) { a.how.search.independence = independence::semantic; }},
    {"--memoise on", true, [](asked_search& a) { a.how.search.memoise = memoising::on; }},
    {"--lose 1", false, [](asked_search& a) { a.how.search.faults.lose = 1; }},
    {"--duplicate 1", false, [](asked_search& a) { a.how.search.faults.duplicate = 1; }},
    {"--sleep-sets", false, [](asked_search& a) { a.how.search.sleep_sets = true; }},
    {"--ordering lifo", false, [](asked_search& a) { a.how.search.ordering = "lifo"; }},
    {"--seed 7", false, [](asked_search& a) { a.how.search.seed = 7; }},
    {"--bug-depth 2", false, [](asked_search& a) { a.how.search.bug_depth = 2; }},
    {"--delays 1", false, [](asked_search& a) { a.how.search.delays = 1; }},
    {"--search bfs", false, [](asked_search& a) { a.how.states.order = search_order::breadth_first; }},
    {"--state-comparison canonical", false,
     [](asked_search& a) { a.how.states.comparison = state_comparison::canonical; }},
    {"--steps big", false, [](asked_search& a) { a.how.states.steps = step_size::big; }},
    {"--visited exact", false, [](asked_search& a) { a.how.states.visited = visited_states::exact; }},
    {"a property", true, [](asked_search& a) { a.how.judging.by = &a.judge; }},
    {"a property of orders", false, [](asked_search& a) { a.how.judging.by = &a.judge_of_orders; }},
    {"--jobs 2", true, [](asked_search& a) { a.how.search.jobs = 2; }},
    {"--checkpoint", true, [](asked_search& a) { a.how.kept.checkpoint = a.folder + "/search.ck"; }},
    {"--budget", false, [](asked_search& a) { a.how.limits.budget = 0.05; }},
    {"--time-limit", true, [](asked_search& a) { a.how.limits.time_limit = 60; }},
    {"--estimate", false, [](asked_search& a) { a.how.search.only_estimate = true; }},
    {"--max-memory", true, [](asked_search& a) { a.how.limits.max_memory = 1 << 20; }},
    {"--check-undo", true, [](asked_search& a) { a.how.judging.check_undo = true; }},
    {"--minimise off", true, [](asked_search& a) { a.how.judging.minimise = 0; }},
    {"--check-determinism off", true, [](asked_search& a) { a.how.judging.check_determinism = repetition::off; }},
    {"--pin (one actor)", false,
     [](asked_search& a) { a.script.push_back(pin("listing_0.take(2) after listing_0.take(1)")); }},
    {"--pin (two actors)", false,
     [](asked_search& a) { a.script.push_back(pin("listing_1.take after listing_0.take")); }},
    {"--until", false, [](asked_search& a) { a.script.push_back(follow_until("listing_0.take#2")); }},
    {"--through", false, [](asked_search& a) { a.script.push_back(keep_through("listing_1.take")); }},
    {"--broker", false, [](asked_search& a) { a.who = searched_by::a_broker; }},
};

const std::array all_kinds = {
    kind_of_program{"actors of harrier's own", {.are_known = true}},
    kind_of_program{"a body that waits", {.are_known = true, .has_stages = true}},
    kind_of_program{"timers, or a main that waits (adapter)",
                    {.are_known = true,
                     .has_stages = true,
                     .shows_changes = false,
                     .can_be_befallen = false,
                     .can_be_remembered = false}},
    kind_of_program{"actors that share memory",
                    {.are_known = true, .shares_memory = true, .shows_changes = false, .can_be_befallen = false}},
    kind_of_program{"behind an adapter",
                    {.are_known = true, .shows_changes = false, .can_be_befallen = false, .can_be_remembered = false}},
};

/// What stands against a script before it comes to a search; else what it makes of the program is added to `facts`.
std::vector<objection_to_search> objections_to_script(const asked_search& a, program_facts& facts) {
  if (a.who == searched_by::a_broker) return {{"a script does not go with --broker URL: workers there know no script"}};
  if (!facts.shows_changes)
    return {
        {fmt::format("'{}' looks at the states of actors, which only actors of the kit show", a.script.front().name)}};
  try {
    const auto scripted = facts_of(specified(make_program(three_messages), a.script), a.how);
    facts.looks_at_several = scripted.looks_at_several;
    facts.shares_memory = facts.shares_memory || scripted.shares_memory;
    return {};
  } catch (const untestable_program& e) {
    return {{e.what()}};
  }
}

/// What resolve() has against it, if the program is like that.
std::vector<objection_to_search> objections_to(const asked_search& a, program_facts facts) {
  auto all = a.script.empty() ? std::vector<objection_to_search>() : objections_to_script(a, facts);
  if (a.how.judging.by == &a.judge_of_orders) facts.needs_every_order = a.judge_of_orders.why;
  auto found = resolve(facts, a.how, a.who);
  if (all.empty() && found.objections.empty() && found.plan.engine != nullptr && !a.script.empty()) {
    auto taken = a;  // by engine auto
    taken.how.search.engine = found.plan.engine->name;
    all = objections_to_script(taken, facts);
  }
  for (auto& o : found.objections) all.push_back(std::move(o));
  return all;
}

/// Sentences below a table, each once.
class footnotes {
public:
  /// `yes`, or `no` with the number of why not.
  std::string cell(const asked_search& a, const program_facts& facts) {
    const auto found = objections_to(a, facts);
    if (found.empty()) return "yes";
    std::string numbers;
    for (const auto& o : found)
      numbers += fmt::format("{}{}", numbers.empty() ? "" : " ", number_of(of_any_engine(o.says, a.how.search.engine)));
    return numbers;
  }
  [[nodiscard]] std::string text() const {
    std::string all;
    for (std::size_t i = 0; i < sentences_.size(); ++i) all += fmt::format("{}. {}\n", i + 1, sentences_[i]);
    return all;
  }

private:
  static std::string of_any_engine(std::string sentence, engine_choice engine) {
    const auto named = fmt::format("engine {}", engine.name());
    if (sentence.starts_with(named + " ")) sentence.replace(0, named.size(), "engine E");
    if (const auto at = sentence.find(named + " cannot"); at != std::string::npos)
      sentence.replace(at, named.size(), "engine E");
    return sentence;
  }
  std::size_t number_of(const std::string& sentence) {
    const auto at = std::find(sentences_.begin(), sentences_.end(), sentence);
    if (at != sentences_.end()) return static_cast<std::size_t>(at - sentences_.begin()) + 1;
    sentences_.push_back(sentence);
    return sentences_.size();
  }
  std::vector<std::string> sentences_;
};

std::string line(const std::vector<std::string>& cells) {
  std::string text = "|";
  for (const auto& c : cells) text += fmt::format(" {} |", c);
  return text + "\n";
}
std::string head(std::vector<std::string> names) {
  auto text = line(names);
  for (auto& n : names) n = "---";
  return text + line(names);
}

asked_search asked_of(std::string_view engine) {
  asked_search a;
  a.how.search.engine = engine;
  a.folder = ".";
  return a;
}

std::string engines_and_asks() {
  footnotes notes;
  std::vector<std::string> names = {""};
  const auto engines = engine_names();
  names.insert(names.end(), engines.begin(), engines.end());
  auto text = head(names);
  for (const auto& what : all_asks) {
    std::vector<std::string> cells = {fmt::format("`{}`", what.option)};
    for (const auto& engine : engines) {
      auto a = asked_of(engine);
      what.add(a);
      cells.push_back(notes.cell(a, all_kinds.front().facts));
    }
    text += line(cells);
  }
  return text + "\n" + notes.text();
}

std::string engines_models_and_programs() {
  footnotes notes;
  std::vector<std::string> names = {""};
  const auto engines = engine_names();
  names.insert(names.end(), engines.begin(), engines.end());
  auto text = head(names);
  for (const auto model : delivery_models()) {
    std::vector<std::string> cells = {fmt::format("`--delivery {}`", to_string(model))};
    for (const auto& engine : engines) {
      auto a = asked_of(engine);
      a.how.search.delivery = model;
      cells.push_back(notes.cell(a, all_kinds.front().facts));
    }
    text += line(cells);
  }
  for (const auto& kind : all_kinds) {
    std::vector<std::string> cells = {std::string(kind.name)};
    for (const auto& engine : engines) cells.push_back(notes.cell(asked_of(engine), kind.facts));
    text += line(cells);
  }
  return text + (notes.text().empty() ? "" : "\n" + notes.text());
}

/// Of an engine that takes `what`, the first that does.
std::string engine_for(const ask& what) {
  for (const auto& engine : engine_names()) {
    auto a = asked_of(engine);
    what.add(a);
    if (engine != "auto" && objections_to(a, all_kinds.front().facts).empty()) return engine;
  }
  return "auto";
}

std::string asks_models_and_programs() {
  footnotes notes;
  std::vector<std::string> names = {"", "engine"};
  for (const auto model : delivery_models()) names.emplace_back(to_string(model));
  for (const auto& kind : all_kinds) names.emplace_back(kind.name);
  auto text = head(names);
  for (const auto& what : all_asks) {
    const auto engine = engine_for(what);
    std::vector<std::string> cells = {fmt::format("`{}`", what.option), engine};
    for (const auto model : delivery_models()) {
      auto a = asked_of(engine);
      what.add(a);
      a.how.search.delivery = model;
      cells.push_back(notes.cell(a, all_kinds.front().facts));
    }
    for (const auto& kind : all_kinds) {
      auto a = asked_of(engine);
      what.add(a);
      cells.push_back(notes.cell(a, kind.facts));
    }
    text += line(cells);
  }
  return text + "\n" + notes.text();
}

bool takes(const std::string& engine, const ask& what) {
  auto a = asked_of(engine);
  what.add(a);
  return objections_to(a, all_kinds.front().facts).empty();
}

/// Pairs that go with no engine though each goes with one. Why not is said of an engine that takes one of the two, the
/// first if any takes that, so that it is about the other.
std::string pairs() {
  std::string text;
  for (std::size_t i = 0; i < std::size(all_asks); ++i)
    for (std::size_t j = i + 1; j < std::size(all_asks); ++j) {
      std::string why;
      auto least = std::pair(3, std::numeric_limits<std::size_t>::max());
      bool some = false;
      for (const auto& engine : engine_names()) {
        auto a = asked_of(engine);
        all_asks[i].add(a);
        all_asks[j].add(a);
        const auto found = objections_to(a, all_kinds.front().facts);
        some = some || found.empty();
        const auto rank = std::pair(takes(engine, all_asks[i]) ? 0 : takes(engine, all_asks[j]) ? 1 : 2, found.size());
        if (engine == "auto" || found.empty() || rank >= least) continue;
        least = rank;
        why = found.front().says;
      }
      if (!some) text += fmt::format("| `{}` | `{}` | {} |\n", all_asks[i].option, all_asks[j].option, why);
    }
  return head({"", "", "because"}) + text;
}

}  // namespace

void listing::take(self& me, int n) {
  ++count_of_handled();
  seen = seen * 10 + n;
  if (seen > 10) me.note(std::to_string(seen));
}
void listing::look() const { ++count_of_handled(); }

std::uint64_t handled() { return count_of_handled(); }

void three_messages(self& me) {
  const auto a = me.create<listing>();
  const auto b = me.create<listing>();
  me.send<&listing::take>(a, 1);
  me.send<&listing::take>(a, 2);
  me.send<&listing::take>(b, 3);
  me.send<&listing::look>(b);
}

std::span<const ask> asks() { return all_asks; }
std::span<const kind_of_program> kinds() { return all_kinds; }

std::string page() {
  return fmt::format(R"(# What goes with what

This page is written by `tests/explore/combinations_page` from what decides it, `resolve` in
`src/explore/search_plan.cpp`. A test compares the two, and runs on small programs each engine under each
delivery model with each option, and each engine with each pair of options; but not `--broker`, actors that share memory or what is behind
an adapter, and `--estimate` with two engines only. A number says why something is refused, before anything is delivered. The sentences are
those that harrier prints, all that apply at once. (At a broker, a program in stages is refused by the process that starts it first.)

## Engines and options

{}
## Engines, delivery models and programs

{}
## Options, delivery models and programs

With an engine that takes the option.

{}
## Options that go with no engine together

{})",
                     engines_and_asks(), engines_models_and_programs(), asks_models_and_programs(), pairs());
}

}  // namespace harrier::combinations
