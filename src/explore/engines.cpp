#include "engines.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include <harrier/core/error.hpp>
#include <harrier/engine/dcute.hpp>
#include <harrier/engine/delay.hpp>
#include <harrier/engine/exhaustive.hpp>
#include <harrier/engine/optimal.hpp>
#include <harrier/engine/pct.hpp>
#include <harrier/engine/persistent.hpp>
#include <harrier/engine/pos.hpp>
#include <harrier/engine/random_walk.hpp>
#include <harrier/engine/round_robin.hpp>
#include <harrier/engine/source.hpp>
#include <harrier/engine/transdpor.hpp>
#include <harrier/engine/trust.hpp>
#include <harrier/explore/explore.hpp>

#include "../engine/receive_histories.hpp"
#include "../engine/transdpor_as_measured.hpp"
#include "observers.hpp"
#include "portfolio.hpp"
#include "replayed_branches.hpp"
#include "search_states.hpp"

namespace harrier {
namespace {

bool run_exhaustive(search_context& s, const options& how, const program& tested, exploration&) {
  std::optional<replayed_branches> beside;  // not before somebody asks
  s.branches = [&](std::vector<branching>& path) {
    if (!beside) beside.emplace(tested, how);
    beside->list(s.tested, path);
  };
  const bool ended = explore_exhaustive(s);
  s.branches = nullptr;
  return ended;
}
bool run_optimal(search_context& s, const options& how, const program&, exploration& result) {
  const auto as_asked = options_of_optimal(s.tested, how);
  result.observers = as_asked.observers;
  if (as_asked.fields) result.independence = "fields";
  return explore_optimal(s, as_asked);
}
bool run_dcute(search_context& s, const options& how, const program&, exploration&) {
  return explore_dcute(s, {.ordering = how.ordering});
}
bool run_persistent(search_context& s, const options& how, const program&, exploration&) {
  return explore_persistent(s, {.ordering = how.ordering, .sleep_sets = how.sleep_sets.value_or(false)});
}
bool run_transdpor(search_context& s, const options& how, const program&, exploration&) {
  return explore_transdpor(s, {.ordering = how.ordering, .sleep_sets = how.sleep_sets.value_or(false)});
}
bool run_transdpor_as_measured(search_context& s, const options& how, const program&, exploration&) {
  return explore_transdpor_as_measured(s, {.ordering = how.ordering, .sleep_sets = how.sleep_sets.value_or(false)});
}
bool run_source(search_context& s, const options& how, const program&, exploration& result) {
  const auto as_asked = options_of_source(s.tested, how);
  result.observers = as_asked.semantic;
  if (as_asked.semantic) result.independence = "semantic";
  return explore_source(s, as_asked);
}
constexpr auto by_arrivals =
    "each order in which messages can arrive was run, not each in which actors take them only: ";

/// Null if the program fails before its first message where messages are in no order.
system_handle start_unordered(const program& tested, const options& how) {
  try {
    auto unordered = tested.start(delivery::unordered);
    unordered->watch().check_determinism(how.check_determinism);
    unordered->memoise(how.memoise);
    return unordered;
  } catch (const untestable_program&) {
    return nullptr;
  }
}

/// What stands against a search by histories, in words; empty: nothing.
std::string objection_to_histories(const program& tested, const options& how) {
  const auto interleaved = tested.start(how.delivery);
  if (interleaved->in_stages() != nullptr) return "the program may go on in stages";
  const auto unordered = start_unordered(tested, how);
  if (unordered == nullptr || !have_same_setup(*interleaved, *unordered))
    return "the set-up depends on the delivery model";
  return {};
}

/// Under delivery::mailbox_interleaved.
bool run_trust_by_histories(search_context& s, const options& how, const program& tested, exploration& result) {
  const auto objection = objection_to_histories(tested, how);
  if (objection.empty()) return explore_receive_histories(s, *start_unordered(tested, how));
  auto why = fmt::format("{}{}", by_arrivals, objection);
  if (std::find(result.notes.begin(), result.notes.end(), why) == result.notes.end())  // it is asked in each stage
    result.notes.push_back(std::move(why));
  return explore_trust(s);
}
bool run_trust(search_context& s, const options& how, const program& tested, exploration& result) {
  if (how.delivery == delivery::mailbox_interleaved) return run_trust_by_histories(s, how, tested, result);
  if (how.delivery != delivery::mailbox) return explore_trust(s);
  return explore_trust_with_mailboxes(s, *tested.start(delivery::mailbox_interleaved));
}
}  // namespace

bool can_run_histories(const program& tested, const options& how) {
  if (how.delivery != delivery::mailbox_interleaved) return false;
  // Behind an adapter messages may be answered for actors that are gone, which is refused.
  return tested.start(how.delivery)->shows_changes() && objection_to_histories(tested, how).empty();
}

namespace {

bool run_random(search_context& s, const options& how, const program&, exploration&) {
  return explore_random(s, {.seed = how.seed});
}
bool run_pos(search_context& s, const options& how, const program&, exploration&) {
  return explore_pos(s, {.seed = how.seed});
}
bool run_pct(search_context& s, const options& how, const program&, exploration&) {
  return explore_pct(s, {.seed = how.seed, .bug_depth = how.bug_depth});
}
delay_options bounds_of_delay(const options& how) {
  delay_options bounds;
  if (how.delays) bounds.most = *how.delays;
  return bounds;
}
/// What a search says that did not run all executions.
void conclude_delay(const delay_options& bounds, const delay_report& report, exploration& result) {
  if (report.within == 0) return;
  const auto most = fmt::format("{} deviation{} from the order in which messages are sent", report.within - 1,
                                report.within == 2 ? "" : "s");
  result.notes.push_back(fmt::format("all executions with at most {} were run{}", most,
                                     result.truncated > 0 ? ", as far as they were not cut" : ""));
  if (report.within > bounds.most) result.stopped_by = "the bound of " + most;
}
bool run_delay(search_context& s, const options& how, const program&, exploration& result) {
  const auto bounds = bounds_of_delay(how);
  delay_report report;
  const bool all = explore_delay(s, bounds, report);
  if (!all) conclude_delay(bounds, report, result);
  return all;
}
bool run_round_robin(search_context& s, const options&, const program&, exploration&) { return explore_round_robin(s); }

std::unique_ptr<shared_search> share_optimal_as_asked(const program&, const system& tested, const options& how,
                                                      std::uint64_t) {
  return share_optimal(options_of_optimal(tested, how));
}
std::unique_ptr<shared_search> share_exhaustive_as_asked(const program&, const system&, const options&, std::uint64_t) {
  return share_exhaustive();
}
/// Engine trust where it cannot search by histories, which is more than it could, and says so.
class trust_by_arrivals final : public shared_search {
public:
  explicit trust_by_arrivals(std::string why) : why_(std::move(why)) {}
  void work(search_context& s) override { search_->work(s); }
  [[nodiscard]] bool is_explored() const override { return search_->is_explored(); }
  void save(archive_writer& to) const override { search_->save(to); }
  void load(archive_reader& from) override { search_->load(from); }
  void conclude(exploration& result) const override { result.notes.push_back(fmt::format("{}{}", by_arrivals, why_)); }

private:
  const std::string why_;
  const std::unique_ptr<shared_search> search_ = share_trust();
};
std::unique_ptr<shared_search> share_trust_as_asked(const program& tested, const system&, const options& how,
                                                    std::uint64_t) {
  if (how.delivery != delivery::mailbox_interleaved) return share_trust();
  if (auto objection = objection_to_histories(tested, how); !objection.empty())
    return std::make_unique<trust_by_arrivals>(std::move(objection));
  return share_receive_histories([&tested, &how] { return start_unordered(tested, how); });
}
std::unique_ptr<shared_search> share_dcute_as_asked(const program&, const system&, const options& how, std::uint64_t) {
  return share_dcute({.ordering = how.ordering});
}
std::unique_ptr<shared_search> share_persistent_as_asked(const program&, const system&, const options& how,
                                                         std::uint64_t) {
  return share_persistent({.ordering = how.ordering, .sleep_sets = how.sleep_sets.value_or(false)});
}
std::unique_ptr<shared_search> share_transdpor_as_asked(const program&, const system&, const options& how,
                                                        std::uint64_t) {
  return share_transdpor({.ordering = how.ordering, .sleep_sets = how.sleep_sets.value_or(false)});
}
std::unique_ptr<shared_search> share_transdpor_as_measured_as_asked(const program&, const system&, const options& how,
                                                                    std::uint64_t) {
  return share_transdpor_as_measured({.ordering = how.ordering, .sleep_sets = how.sleep_sets.value_or(false)});
}
std::unique_ptr<shared_search> share_source_as_asked(const program&, const system& tested, const options& how,
                                                     std::uint64_t) {
  return share_source(options_of_source(tested, how));
}
/// With what it says of itself, as run_delay has it.
class delay_as_asked final : public shared_search {
public:
  explicit delay_as_asked(const options& how) : bounds_(bounds_of_delay(how)), search_(share_delay(bounds_, report_)) {}
  void work(search_context& s) override { search_->work(s); }
  [[nodiscard]] bool is_explored() const override { return search_->is_explored(); }
  void save(archive_writer& to) const override { search_->save(to); }
  void load(archive_reader& from) override { search_->load(from); }
  void conclude(exploration& result) const override {
    if (!is_explored()) conclude_delay(bounds_, report_, result);
  }

private:
  const delay_options bounds_;
  delay_report report_;
  const std::unique_ptr<shared_search> search_;
};
std::unique_ptr<shared_search> share_delay_as_asked(const program&, const system&, const options& how, std::uint64_t) {
  return std::make_unique<delay_as_asked>(how);
}
std::unique_ptr<shared_search> share_round_robin_as_asked(const program&, const system&, const options&,
                                                          std::uint64_t) {
  return share_round_robin();
}
std::unique_ptr<shared_search> share_random_as_asked(const program&, const system&, const options& how,
                                                     std::uint64_t most) {
  return share_random({.seed = how.seed}, most);
}
std::unique_ptr<shared_search> share_pos_as_asked(const program&, const system&, const options& how,
                                                  std::uint64_t most) {
  return share_pos({.seed = how.seed}, most);
}
std::unique_ptr<shared_search> share_pct_as_asked(const program&, const system&, const options& how,
                                                  std::uint64_t most) {
  return share_pct({.seed = how.seed, .bug_depth = how.bug_depth}, most);
}

constexpr std::array engines = {
    named_engine{.name = "optimal",
                 .takes_ordering = true,
                 .takes_observers = true,
                 .takes_jobs = true,
                 .run = run_optimal,
                 .share = share_optimal_as_asked},
    named_engine{.name = "exhaustive",
                 .judges = judged::every_order,
                 .takes_jobs = true,
                 .run = run_exhaustive,
                 .share = share_exhaustive_as_asked},
    named_engine{.name = "dcute", .takes_ordering = true, .run = run_dcute, .share = share_dcute_as_asked},
    named_engine{.name = "persistent",
                 .takes_sleep_sets = true,
                 .takes_ordering = true,
                 .run = run_persistent,
                 .share = share_persistent_as_asked},
    named_engine{.name = "transdpor",
                 .takes_sleep_sets = true,
                 .takes_ordering = true,
                 .run = run_transdpor,
                 .share = share_transdpor_as_asked},
    named_engine{.name = "source",
                 .takes_ordering = true,
                 .takes_semantic = true,
                 .run = run_source,
                 .share = share_source_as_asked},
    named_engine{.name = "trust",
                 .takes_mailbox_in_parts = false,
                 .takes_shared_memory = false,  // a graph of receives does not show what else makes steps dependent
                 .takes_jobs = true,
                 .takes_broker = true,
                 .run = run_trust,
                 .share = share_trust_as_asked},
    named_engine{.name = "stateful",
                 .judges = judged::nothing,
                 .takes_sleep_sets = true,
                 .compares_states = true,
                 .takes_jobs = true,
                 .run = search_states,
                 .share = share_states},
    named_engine{.name = "transdpor-as-measured",
                 .takes_sleep_sets = true,
                 .takes_ordering = true,
                 .takes_mailbox = false,
                 .warning = "engine transdpor-as-measured only reproduces a published table: it loses executions when "
                            "an actor destroys itself, has guards or calls; transdpor does not",
                 .run = run_transdpor_as_measured,
                 .share = share_transdpor_as_measured_as_asked},
    named_engine{.name = "delay",
                 .judges = judged::every_order,
                 .takes_delays = true,
                 .run = run_delay,
                 .share = share_delay_as_asked},
    named_engine{.name = "pos",
                 .judges = judged::every_order,
                 .endless = true,
                 .searches_all = false,
                 .takes_jobs = true,
                 .run = run_pos,
                 .share = share_pos_as_asked},
    named_engine{.name = "pct",
                 .judges = judged::every_order,
                 .endless = true,
                 .searches_all = false,
                 .takes_bug_depth = true,
                 .takes_jobs = true,
                 .run = run_pct,
                 .share = share_pct_as_asked},
    named_engine{.name = "random",
                 .judges = judged::every_order,
                 .endless = true,
                 .searches_all = false,
                 .takes_jobs = true,
                 .run = run_random,
                 .share = share_random_as_asked},
    named_engine{.name = "round-robin",
                 .judges = judged::every_order,
                 .searches_all = false,
                 .run = run_round_robin,
                 .share = share_round_robin_as_asked},
};

}  // namespace

constexpr named_engine portfolio_engine{
    .name = "portfolio", .judges = judged::every_order, .searches_all = false, .run = search_by_portfolio};

std::vector<std::string> engines_that_share(bool by_several_jobs) {
  std::vector<std::string> names;
  for (const auto& e : engines)
    if (can_share(e, by_several_jobs)) names.emplace_back(e.name);
  return names;
}

std::vector<std::string> engines_that(bool named_engine::*capability) {
  std::vector<std::string> names;
  for (const auto& e : engines)
    if (e.*capability) names.emplace_back(e.name);
  return names;
}

std::vector<std::string> engine_names() {
  std::vector<std::string> names = {"auto"};
  for (const auto& e : engines) names.emplace_back(e.name);
  return names;
}

std::string ordering_used(const options& how) { return engine_named(how.engine).takes_ordering ? how.ordering : ""; }

const named_engine& engine_named(std::string_view name) {
  const auto found = std::find_if(engines.begin(), engines.end(), [&](const auto& e) { return e.name == name; });
  if (found == engines.end())
    throw error(fmt::format("unknown engine '{}'; there are {}", name, fmt::join(engine_names(), ", ")));
  return *found;
}

}  // namespace harrier
