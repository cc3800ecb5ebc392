#include "compute.hpp"

#include <fmt/format.h>

#include <array>
#include <chrono>
#include <optional>
#include <sstream>
#include <utility>

#include <harrier/core/archive.hpp>
#include <harrier/core/error.hpp>
#include <harrier/core/monitor.hpp>
#include <harrier/core/states.hpp>

#include "../explore/limits.hpp"
#include "../explore/search_wiring.hpp"
#include "../explore/session.hpp"
#include "../isolation/child.hpp"
#include "../isolation/retrace.hpp"

namespace harrier::distributed {
namespace {

/// Bytes of an item that need not be split: brokers take 1 MiB.
constexpr std::size_t large_item = std::size_t{1} << 18;

/// Two of the same age: old graphs have more to come than young ones.
std::array<bundle, 2> halves_of(bundle left) {
  std::array<bundle, 2> halves;
  for (std::size_t i = 0; i < left.size(); ++i) halves[i % 2].push_back(std::move(left[i]));
  return halves;
}

/// Puts `left` into items that are not large, if that is possible.
void add_items(bundle left, std::vector<std::string>& items) {
  if (left.empty()) return;
  auto bytes = bytes_of(to_json(left));
  if (bytes.size() <= large_item || left.size() == 1) return items.push_back(std::move(bytes));
  for (auto& half : halves_of(std::move(left))) add_items(std::move(half), items);
}

/// What it has seen, as it saves it.
std::string seen_by(const monitor& judge) {
  std::ostringstream bytes;
  archive_writer to(bytes);
  judge.save(to);
  return std::move(bytes).str();
}

class computation {
public:
  computation(const program& tested, const options& how, double handler_limit, std::string item, const bundle& graphs)
      : tested_(tested),
        how_(how),
        handler_limit_(handler_limit),
        item_(std::move(item)),
        graphs_(graphs),
        noted_(how.limits.max_depth) {}

  computed run(const std::function<bool()>& stop) {
    const auto end = run_in_child(noted_, {handler_limit_, 0, how_.limits.max_memory},
                                  {.run = [this](const auto& tell) { explore(tell); },
                                   .hear = [](const json_value&) {},
                                   .hear_bytes = [this](std::string bytes) { done_ = std::move(bytes); },
                                   .tick =
                                       [&] {
                                         if (stop()) noted_.noted().stop_asked = true;
                                       },
                                   .silent = [this](const auto& alive) { return finds_what_does_not_end(alive); }});
    if (done_) return {item_end::done, std::move(*done_)};
    if (end.way == child_end::how::interrupted) return {item_end::interrupted};
    if (end.way == child_end::how::too_large) return too_large();
    if (never_began_) return again(fmt::format("the searching process did nothing for {:g} s", handler_limit_));
    if (end.way == child_end::how::finished) return again(was_killed_);  // a handler wrote over what it told
    if (noted_.before_first_message() && was_killed(end)) return again(was_killed_);
    if (noted_.before_first_message())
      throw untestable_program("it fails before its first message: the driver " +
                               what_happened(end, noted_, handler_limit_));
    return judge(end);
  }

private:
  /// In the child.
  void explore(const child_voice& tell) {
    auto how = how_;
    const search_wiring wiring = {.workers = noted_.workers()};
    how.told.wiring = &wiring;
    auto result = explore_bundle(noted_.watched(tested_, false), how, graphs_,
                                 [this] { return noted_.noted().stop_asked.load(std::memory_order_relaxed); });
    noted_.noted().only_tells = true;
    result.item = item_;
    tell.bytes(bytes_of(result));
  }

  [[nodiscard]] computed too_large() const {
    item_result result;
    result.item = item_;
    result.ends_run = memory_limit(how_.limits.max_memory);
    if (noted_.is_in_handler(0)) {
      auto running = lethal_at(noted_, finding_kind::nontermination, "was running then");
      running.judge = flight_record::asked::nobody;
      result.ends_run += ": " + retrace_lethal(tested_, how_.search.delivery, running, handler_limit_).found.message;
    }
    return {item_end::done, bytes_of(result)};
  }

  computed judge(const child_end& end) {
    const bool is_crash = end.way != child_end::how::did_not_end;
    auto lethal = endless_
                      ? std::move(*endless_)
                      : retrace_lethal(tested_, how_.search.delivery,
                                       lethal_at(noted_, is_crash ? finding_kind::crash : finding_kind::nontermination,
                                                 what_happened(end, noted_, handler_limit_)),
                                       handler_limit_);
    if (was_killed(end) && !lethal.again) return again(was_killed_);
    item_result result;
    result.item = item_;
    result.seen.result.actors = lethal.actors;
    add_finding(result.seen, std::move(lethal.found));
    result.ends_run = is_crash ? "a crash" : "a handler that does not end";
    return {item_end::done, bytes_of(result)};
  }

  bool finds_what_does_not_end(const std::function<bool()>& alive) {
    if (noted_.noted().only_tells) return false;
    endless_ = retrace_silent(tested_, how_.search.delivery, noted_, handler_limit_, alive);
    // What threads of the process that made this one held, a sanitizer's lock of its memory say, is held for ever here.
    never_began_ = !endless_ && noted_.before_first_message() && !alive();
    return endless_ || never_began_;
  }

  static computed again(std::string why) { return {item_end::killed, {}, std::move(why)}; }

  static constexpr auto was_killed_ =
      "SIGKILL to the searching process (from the system because memory ran out, or from a user)";

  const program& tested_;
  const options& how_;
  double handler_limit_;
  std::string item_;
  const bundle& graphs_;
  watch noted_;
  std::optional<std::string> done_;  // the result's bytes
  std::optional<retraced> endless_;
  bool never_began_ = false;
};

}  // namespace

item_result explore_bundle(const program& tested, const options& asked, bundle graphs,
                           const std::function<bool()>& stop) {
  const auto started = std::chrono::steady_clock::now();
  auto how = asked;
  how.judging.finally = both(tested.finally, asked.judging.finally);
  session one(tested, how);
  item_result result;
  bundle left;
  std::uint64_t looked_at = 0;
  result.seen = one.run_items(
      graphs, {.between = [&](std::size_t waiting) { return looked_at++ > 0 && stop() ? waiting : std::size_t{0}; },
               .give = [&](trust_item item) { left.push_back(std::move(item)); }});
  if (tested.seen != nullptr && !tested.seen->left_out().empty())
    throw untestable_program("a result does not tell what is not covered (" + tested.seen->left_out().front() +
                             "); explore without --broker");
  for (auto& item : graphs) left.push_back(std::move(item));  // it was stopped by what it found
  for (auto& half : halves_of(std::move(left))) add_items(std::move(half), result.children);
  if (how.judging.by != nullptr) result.judged = seen_by(*how.judging.by);
  result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - started).count();
  return result;
}

computed compute(const program& tested, const options& how, double handler_limit, std::string item,
                 const bundle& graphs, const std::function<bool()>& stop) {
  return computation(tested, how, handler_limit, std::move(item), graphs).run(stop);
}

}  // namespace harrier::distributed
