#include <harrier/report/diagram.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <deque>
#include <map>
#include <string_view>
#include <unordered_map>
#include <utility>

#include <harrier/core/printable.hpp>
#include <harrier/report/text.hpp>

#include "../../core/base/state_text.hpp"

namespace harrier {
namespace {

constexpr std::string_view timer_mark = " by a timer";
constexpr std::string_view mailbox_mark = ".mailbox";

/// `k.i` of a step's id; k is not above 0 where no step of the trace sent it.
struct message_place {
  long step = 0;
  long number = 0;
};

std::optional<message_place> place_in(std::string_view id) {
  message_place place;
  const auto* end = id.data() + id.size();
  const auto first = std::from_chars(id.data(), end, place.step);
  if (first.ec != std::errc{} || first.ptr == end || *first.ptr != '.') return std::nullopt;
  const auto second = std::from_chars(first.ptr + 1, end, place.number);
  if (second.ec != std::errc{} || second.ptr != end || place.number < 0) return std::nullopt;
  return place;
}

/// Traces of runs of protocols say so in the place of a program's name.
constexpr std::string_view protocol_program = "harrier protocol";

/// `a SEND m TO b` and `b RECV m FROM a`, the steps of a run of a protocol, in their parts. Other steps have no
/// `other`.
struct role_action {
  std::string_view role;
  std::string_view message;
  std::string_view other = {};
  bool receives = false;
};

role_action action_in(std::string_view step) {
  constexpr std::string_view verb = " SEND ";  // as long as the other one
  const auto space = step.find(' ');
  if (space == std::string_view::npos) return {step, step};
  const auto rest = step.substr(space);
  const auto receives = rest.starts_with(" RECV ");
  const std::string_view before_other = receives ? " FROM " : " TO ";
  const auto at = rest.rfind(before_other);
  if ((!receives && !rest.starts_with(verb)) || at == std::string_view::npos || at < verb.size())
    return {step.substr(0, space), rest.substr(1)};
  return {step.substr(0, space), rest.substr(verb.size(), at - verb.size()), rest.substr(at + before_other.size()),
          receives};
}

/// What is on its way to a mailbox is shown as on its way to the actor.
trace_send as_sent(trace_send send) {
  constexpr std::string_view start = "arrival(";
  if (!send.receiver.ends_with(mailbox_mark) || !send.message.starts_with(start) || !send.message.ends_with(')'))
    return send;
  return {send.message.substr(start.size(), send.message.size() - start.size() - 1),
          send.receiver.substr(0, send.receiver.size() - mailbox_mark.size())};
}

class diagram_maker {
public:
  explicit diagram_maker(const trace_file& trace)
      : steps_(trace.finding.trace), taken_by_(steps_.size()), first_(steps_.size()), comes_(steps_.size()) {}

  diagram make(const trace_file& trace) {
    name_it(trace);
    if (trace.program == protocol_program) return make_of_roles();
    for (std::size_t i = 0; i < steps_.size(); ++i) note_delivery(i);
    for (auto i = steps_.size(); i-- > 0;) comes_[i] = is_shown(steps_[i]) || has_come(i, 0);
    for (std::size_t i = 0; i < steps_.size(); ++i) add_step(i);
    for (std::size_t i = 0; i < steps_.size(); ++i) add_unarrived(i);
    return std::move(made_);
  }

private:
  static constexpr std::size_t nobody = static_cast<std::size_t>(-1);

  void name_it(const trace_file& trace) {
    made_.program = printable(trace.program);
    for (const auto& [name, value] : trace.parameters)
      made_.program += fmt::format(" {}={}", printable(name), printable(value));
    made_.heading = heading_of(trace.finding, {.longest_line = 0});
    for (const auto& line : trace.finding.details) made_.details.push_back(printable(line));
  }

  /// Of a run of a protocol: a lane for each role, and an arrow from where a message is sent to where it is received.
  diagram make_of_roles() {
    for (const auto& step : steps_) {
      const auto action = action_in(step.message);
      diagram::event event;
      event.number = made_.events.size() + 1;
      event.delivered.to_lane = event.delivered.from_lane = lane(std::string(action.role));
      const auto other = std::string(action.other.empty() ? action.role : action.other);
      const auto to = action.receives ? action.role : std::string_view(other);
      const auto from = action.receives ? std::string_view(other) : action.role;
      const auto way = fmt::format("{} {} {}", from.size(), from, to);
      event.delivered.message = printable(action.receives ? action.message : step.message);
      if (action.receives) {
        event.delivered.from_lane = lane(other);
        take_from(way, event.delivered);
      } else if (!action.other.empty()) {
        under_way_[way].push_back({printable(action.message), event.delivered.to_lane, lane(other), event.number - 1});
      }
      for (const auto& found : step.findings) event.findings.push_back(printable(found));
      made_.events.push_back(std::move(event));
    }
    for (auto& [way, all] : under_way_) made_.pending.insert(made_.pending.end(), all.begin(), all.end());
    return std::move(made_);
  }

  void take_from(const std::string& way, diagram::arrow& delivered) {
    auto& all = under_way_[way];
    const auto sent =
        std::find_if(all.begin(), all.end(), [&](const auto& a) { return a.message == delivered.message; });
    if (sent == all.end()) return;
    delivered.sent_in = sent->sent_in;
    all.erase(sent);
  }

  std::size_t lane(const std::string& name) {
    const auto [at, is_new] = lane_of_.try_emplace(name, made_.lanes.size());
    if (is_new) made_.lanes.push_back(unlike_others(name.empty() ? "(no name)" : printable(name)));
    return at->second;
  }

  /// Names that differ may look alike, since their bytes are escaped.
  std::string unlike_others(std::string shown) {
    const auto plain = shown;
    for (std::size_t n = 2; !shown_.emplace(shown, true).second; ++n) shown = fmt::format("{} ({})", plain, n);
    return shown;
  }

  /// The step that sent what step `i` delivers, if it is one of those before it.
  [[nodiscard]] std::optional<std::size_t> sender_of(std::size_t i) const {
    const auto place = place_in(steps_[i].id);
    if (!place || place->step < 1 || static_cast<std::size_t>(place->step) > i) return std::nullopt;
    return static_cast<std::size_t>(place->step) - 1;
  }

  void note_delivery(std::size_t i) {
    const auto sender = sender_of(i);
    first_[i] = sender && !is_shown(steps_[*sender]) ? first_[*sender] : i;
    if (!sender) return;
    auto& all = taken_by_[*sender];
    all.resize(std::max(all.size(), std::max<std::size_t>(1, steps_[*sender].sends.size())), nobody);
    const auto number = static_cast<std::size_t>(place_in(steps_[i].id)->number);
    if (number < all.size()) all[number] = i;
  }

  /// Who is drawn as the sender where no step is.
  std::size_t lane_of_sender(std::size_t step_of_message) {
    const auto& step = steps_[step_of_message];
    if (step.id == "start") return lane(step.receiver);
    const auto place = place_in(step.id);
    if (!place || place->step > 0) return lane("unknown sender");
    return lane(place->step == 0 ? "driver" : "set-up");
  }

  [[nodiscard]] static bool is_by_timer(const std::string& message) { return message.ends_with(timer_mark); }

  /// Whether a timer sent what step `i` delivers.
  [[nodiscard]] bool fires_timer(std::size_t i) const {
    const auto sender = sender_of(i);
    if (!sender) return false;
    const auto number = static_cast<std::size_t>(place_in(steps_[i].id)->number);
    const auto& sends = steps_[*sender].sends;
    return number < sends.size() && is_by_timer(sends[number].message);
  }

  diagram::arrow arrow_to(std::size_t i) {
    const auto first = first_[i];
    const auto sender = sender_of(first);
    diagram::arrow arrow;
    arrow.message = printable(steps_[i].message);
    arrow.is_reply = arrow.message.starts_with("reply(");
    arrow.by_timer = fires_timer(i);
    arrow.from_lane = sender ? lane(steps_[*sender].receiver) : lane_of_sender(first);
    arrow.to_lane = lane(steps_[i].receiver);
    if (sender) arrow.sent_in = event_of_.at(*sender);
    return arrow;
  }

  void add_step(std::size_t i) {
    const auto& step = steps_[i];
    if (!is_shown(step)) return;
    diagram::event event;
    event.number = made_.events.size() + 1;
    event.delivered = arrow_to(i);
    for (const auto& created : step.creates) event.creates.push_back(printable(created));
    for (const auto drawn : step.choices) event.choices.push_back(std::to_string(drawn));
    for (const auto& fault : step.faults) event.faults.push_back(printable(fault));
    for (const auto& found : step.findings) event.findings.push_back(printable(found));
    event.state = printable(step.state);
    event.news = news_of(step);
    event.destroys = step.destroys;
    event.name = printable(step.event);
    event_of_[i] = made_.events.size();
    made_.events.push_back(std::move(event));
  }

  std::string news_of(const trace_step& step) {
    const auto [known, is_new] = known_.try_emplace(step.receiver, step.state);
    if (is_new ? step.state.empty() : known->second == step.state) return {};
    auto news = is_new || step.state.empty() ? step.state : changes_of(known->second, step.state);
    known->second = step.state;
    return printable(news.empty() ? "{}" : news);
  }

  /// Whether send number `i` of step `sender` came to its receiver: if only to its mailbox, it did not.
  [[nodiscard]] bool has_come(std::size_t sender, std::size_t i) const {
    const auto& all = taken_by_[sender];
    const auto by = i < all.size() ? all[i] : nobody;
    return by != nobody && comes_[by];
  }

  void add_unarrived(std::size_t step) {
    if (!is_shown(steps_[step])) return;
    std::unordered_map<std::string, std::size_t> losses;
    for (const auto& fault : steps_[step].faults)
      if (const auto end = fault.rfind(" is lost"); end != std::string::npos) ++losses[fault.substr(0, end)];
    auto& event = made_.events[event_of_.at(step)];
    const auto& sends = steps_[step].sends;
    for (std::size_t i = 0; i < sends.size(); ++i) {
      if (has_come(step, i)) continue;
      const auto send = as_sent(sends[i]);
      const auto lost = losses.find(sends[i].message + " to " + sends[i].receiver);
      const bool is_lost = lost != losses.end() && lost->second > 0;
      if (is_lost) --lost->second;
      (is_lost ? event.lost : made_.pending).push_back(unarrived(step, send));
    }
  }

  diagram::arrow unarrived(std::size_t step, const trace_send& send) {
    diagram::arrow arrow;
    arrow.by_timer = is_by_timer(send.message);
    arrow.message =
        printable(arrow.by_timer ? send.message.substr(0, send.message.size() - timer_mark.size()) : send.message);
    arrow.is_reply = arrow.message.starts_with("reply(");
    arrow.from_lane = lane(steps_[step].receiver);
    arrow.to_lane = lane(send.receiver);
    arrow.sent_in = event_of_.at(step);
    return arrow;
  }

  const std::vector<trace_step>& steps_;
  std::vector<std::vector<std::size_t>> taken_by_;  // of each step, the steps that took what it sent
  std::vector<std::size_t> first_;  // the step that took the message from its sender: to a mailbox maybe
  std::vector<bool> comes_;         // what a step delivers comes to an actor, then or later
  std::map<std::string, std::deque<diagram::arrow>> under_way_;  // from one role to another
  diagram made_;
  std::unordered_map<std::string, std::size_t> lane_of_;
  std::unordered_map<std::string, bool> shown_;
  std::unordered_map<std::string, std::string> known_;  // an actor's state
  std::unordered_map<std::size_t, std::size_t> event_of_;
};

}  // namespace

diagram diagram_of(const trace_file& trace) { return diagram_maker(trace).make(trace); }

}  // namespace harrier
