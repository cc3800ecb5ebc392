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

#include "../engine/dpor/transdpor_as_measured.hpp"
#include "../engine/search_by_one.hpp"
#include "../engine/trust/receive_histories.hpp"
#include "observers.hpp"
#include "replayed_branches.hpp"
#include "search_states.hpp"

namespace harrier {
namespace {

/// By one worker. It keeps nothing that would tell how its path branches, so somebody else does, if anybody asks.
std::unique_ptr<shared_search> search_exhaustively_alone(const search_request& asked) {
  auto explore = [&tested = asked.tested, &how = asked.how](search_context& s) {
    std::optional<replayed_branches> beside;
    s.branches = [&](std::vector<branching>& path) {
      if (!beside) beside.emplace(tested, how);
      beside->list(s.tested, path);
    };
    const bool ended = explore_alone(s, share_exhaustive(made_by::one));
    s.branches = nullptr;
    return ended;
  };
  return std::make_unique<search_by_one<decltype(explore)>>(std::move(explore));
}
std::unique_ptr<shared_search> search_exhaustively(const search_request& asked) {
  return asked.who == made_by::one ? search_exhaustively_alone(asked) : share_exhaustive();
}

constexpr auto by_arrivals =
    "each order in which messages can arrive was run, not each in which actors take them only: ";

/// Null if the program fails before its first message where messages are in no order.
system_handle start_unordered(const program& tested, const options& how) {
  try {
    auto unordered = tested.start(delivery::unordered);
    unordered->watch().check_determinism(how.judging.check_determinism);
    unordered->memoise(how.search.memoise);
    return unordered;
  } catch (const untestable_program&) {
    return nullptr;
  }
}

/// What stands against a search by histories, in words; empty: nothing.
std::string objection_to_histories(const program& tested, const options& how) {
  const auto interleaved = tested.start(how.search.delivery);
  if (interleaved->in_stages() != nullptr) return "the program may continue in stages";
  const auto unordered = start_unordered(tested, how);
  if (unordered == nullptr || !have_same_setup(*interleaved, *unordered))
    return "the set-up depends on the delivery model";
  return {};
}

/// Engine trust where it cannot search by histories, which is more than it could, and says so.
class trust_by_arrivals final : public shared_search {
public:
  trust_by_arrivals(std::string why, made_by who) : why_(std::move(why)), search_(share_trust(who)) {}
  void work(search_context& s) override { search_->work(s); }
  [[nodiscard]] bool is_explored() const override { return search_->is_explored(); }
  void save(archive_writer& to) const override { search_->save(to); }
  void load(archive_reader& from) override { search_->load(from); }
  void conclude(exploration& result) const override { result.notes.push_back(fmt::format("{}{}", by_arrivals, why_)); }

private:
  const std::string why_;
  const std::unique_ptr<shared_search> search_;
};
std::unique_ptr<shared_search> search_by_trust(const search_request& asked) {
  const auto& tested = asked.tested;
  const auto& how = asked.how;
  if (how.search.delivery == delivery::mailbox)
    return share_trust_with_mailboxes([&tested] { return tested.start(delivery::mailbox_interleaved); }, asked.who);
  if (how.search.delivery != delivery::mailbox_interleaved) return share_trust(asked.who);
  if (auto objection = objection_to_histories(tested, how); !objection.empty())
    return std::make_unique<trust_by_arrivals>(std::move(objection), asked.who);
  return share_receive_histories([&tested, &how] { return start_unordered(tested, how); });
}
}  // namespace

bool can_run_histories(const program& tested, const options& how) {
  if (how.search.delivery != delivery::mailbox_interleaved) return false;
  // Behind an adapter messages may be answered for actors that are gone, which is refused; and a graph of receives does
  // not show what else makes steps dependent.
  const auto started = tested.start(how.search.delivery);
  return started->shows_changes() && !started->shares_memory() && objection_to_histories(tested, how).empty();
}

namespace {

delay_options bounds_of_delay(const options& how) {
  delay_options bounds;
  if (how.search.delays) bounds.most = *how.search.delays;
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
/// With what it says of itself.
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

using request = const search_request&;

constexpr std::array engines = {
    named_engine{.name = "optimal",
                 .takes_ordering = true,
                 .takes_observers = true,
                 .takes_jobs = true,
                 .search = [](request r) { return share_optimal(options_of_optimal(r.initial, r.how), r.who); }},
    named_engine{
        .name = "exhaustive", .judges = judged::every_order, .takes_jobs = true, .search = search_exhaustively},
    named_engine{.name = "dcute",
                 .takes_ordering = true,
                 .takes_jobs = true,
                 .takes_learning_with_jobs = false,
                 .search = [](request r) { return share_dcute({.ordering = r.how.search.ordering.name()}); }},
    named_engine{.name = "persistent",
                 .takes_sleep_sets = true,
                 .takes_ordering = true,
                 .takes_jobs = true,
                 .takes_learning_with_jobs = false,
                 .search =
                     [](request r) {
                       return share_persistent({r.how.search.ordering.name(), r.how.search.sleep_sets.value_or(false)});
                     }},
    named_engine{.name = "transdpor",
                 .takes_sleep_sets = true,
                 .takes_ordering = true,
                 .takes_jobs = true,
                 .takes_learning_with_jobs = false,
                 .search =
                     [](request r) {
                       return share_transdpor({r.how.search.ordering.name(), r.how.search.sleep_sets.value_or(false)});
                     }},
    named_engine{.name = "source",
                 .takes_ordering = true,
                 .takes_jobs = true,
                 .takes_learning_with_jobs = false,
                 .search = [](request r) { return share_source(options_of_source(r.initial, r.how)); }},
    named_engine{.name = "trust",
                 .takes_histories = true,
                 .takes_mailbox_in_stages = false,
                 .takes_shared_memory = false,  // a graph of receives does not show what else makes steps dependent
                 .takes_jobs = true,
                 .takes_broker = true,
                 .search = search_by_trust},
    named_engine{.name = "stateful",
                 .judges = judged::nothing,
                 .takes_sleep_sets = true,
                 .compares_states = true,
                 .takes_jobs = true,
                 .search = search_states},
    named_engine{.name = "transdpor-as-measured",
                 .takes_sleep_sets = true,
                 .takes_ordering = true,
                 .takes_mailbox = false,
                 .no_jobs_because = "what it has planned next may be replaced until it is run",
                 .warning = "engine transdpor-as-measured only reproduces a published table: it loses executions when "
                            "an actor destroys itself, has guards or calls; transdpor does not",
                 .search =
                     [](request r) {
                       return share_transdpor_as_measured(
                           {r.how.search.ordering.name(), r.how.search.sleep_sets.value_or(false)});
                     }},
    named_engine{
        .name = "delay",
        .judges = judged::every_order,
        .takes_delays = true,
        .takes_jobs = true,
        .search = [](request r) -> std::unique_ptr<shared_search> { return std::make_unique<delay_as_asked>(r.how); }},
    named_engine{.name = "pos",
                 .judges = judged::every_order,
                 .endless = true,
                 .searches_all = false,
                 .takes_jobs = true,
                 .search = [](request r) { return share_pos({.seed = r.how.search.seed, .first = r.first}, r.most); }},
    named_engine{.name = "pct",
                 .judges = judged::every_order,
                 .endless = true,
                 .searches_all = false,
                 .takes_bug_depth = true,
                 .takes_jobs = true,
                 .search =
                     [](request r) {
                       return share_pct(
                           {.seed = r.how.search.seed, .bug_depth = r.how.search.bug_depth, .first = r.first}, r.most);
                     }},
    named_engine{
        .name = "random",
        .judges = judged::every_order,
        .endless = true,
        .searches_all = false,
        .takes_jobs = true,
        .search = [](request r) { return share_random({.seed = r.how.search.seed, .first = r.first}, r.most); }},
    named_engine{.name = "round-robin",
                 .judges = judged::every_order,
                 .searches_all = false,
                 .search = [](request) { return share_round_robin(); }},
};

}  // namespace

constexpr named_engine portfolio_engine{
    .name = "portfolio", .judges = judged::every_order, .joins_others = true, .searches_all = false};

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

std::string ordering_used(const options& how) {
  return engine_named(how.search.engine).takes_ordering ? std::string(how.search.ordering.name()) : "";
}

const named_engine* find_engine(std::string_view name) {
  const auto found = std::find_if(engines.begin(), engines.end(), [&](const auto& e) { return e.name == name; });
  return found == engines.end() ? nullptr : &*found;
}

const named_engine& engine_named(engine_choice chosen) {
  HARRIER_INVARIANT(!chosen.is_automatic(), "somebody has picked an engine before it is asked what it can");
  return *find_engine(chosen.name());
}

}  // namespace harrier
