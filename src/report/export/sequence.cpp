#include "sequence.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>
#include <vector>

#include <harrier/report/text.hpp>

#include "words.hpp"

namespace harrier {
namespace {

// Mermaid takes 50,000 characters unless it is told otherwise, which GitHub and GitLab do not do.
constexpr std::size_t most_bytes = 44'000;
constexpr std::size_t longest_text = 160;
constexpr std::size_t longest_lane_name = 60;
constexpr std::size_t most_remarks = 12;  // of one event
constexpr std::size_t shown_at_the_start = 10;
constexpr std::size_t most_pending = 20;

/// Some lines, and the lanes that they need.
struct part {
  std::string text;
  std::set<std::size_t> lanes;
};

class sequence_writer {
public:
  sequence_writer(const diagram& trace, const sequence_language& in) : trace_(trace), in_(in) {}

  std::string write() {
    const auto last = ending();
    take(last);
    const auto count = trace_.events.size();
    std::size_t first = 0;
    std::vector<part> before;
    while (first < std::min(count, shown_at_the_start) && take_event(first, before)) ++first;
    auto from = count;
    std::vector<part> after;
    while (from > first && take_event(from - 1, after)) --from;
    auto text = in_.begin();
    for (const auto lane : lanes_) text += in_.lane(lane, name_of(lane));
    for (const auto& p : before) text += p.text;
    if (from > first) text += left_out(from - first);
    for (auto p = after.rbegin(); p != after.rend(); ++p) text += p->text;
    return text + last.text + in_.end();
  }

private:
  using kind = sequence_language::kind;

  [[nodiscard]] std::string name_of(std::size_t lane) const { return shortened(trace_.lanes[lane], longest_lane_name); }

  /// Whether there is room for it; if so, it is used.
  bool take(const part& p) {
    auto cost = p.text.size();
    for (const auto lane : p.lanes)
      if (!lanes_.contains(lane)) cost += in_.lane(lane, name_of(lane)).size();
    if (used_ + cost > most_bytes) return false;
    used_ += cost;
    lanes_.insert(p.lanes.begin(), p.lanes.end());
    return true;
  }

  bool take_event(std::size_t i, std::vector<part>& taken) {
    auto p = of_event(i);
    if (!take(p)) return false;
    taken.push_back(std::move(p));
    return true;
  }

  void add(part& p, kind how, const diagram::arrow& message, const std::string& text) const {
    p.text += in_.arrow(how, message.from_lane, message.to_lane, text);
    p.lanes.insert({message.from_lane, message.to_lane});
  }

  [[nodiscard]] std::string sent_where(const diagram::arrow& message) const {
    return message.sent_in ? fmt::format(", sent in {}", trace_.events[*message.sent_in].number) : std::string();
  }

  [[nodiscard]] part of_event(std::size_t i) const {
    const auto& event = trace_.events[i];
    const auto lane = trace_.lane_of(i);
    part p;
    auto text = fmt::format("{}. {}", event.number, shortened(words_of(event.delivered), longest_text));
    if (event.delivered.sent_in && *event.delivered.sent_in + 1 != i) text += sent_where(event.delivered);
    add(p, event.delivered.is_reply ? kind::reply : kind::message, event.delivered, text);
    const auto remarks = remarks_of(event);
    for (std::size_t r = 0; r < remarks.size(); ++r) {
      if (r == most_remarks && remarks.size() > most_remarks + 1) {
        p.text += in_.note(lane, lane, fmt::format("{} more not shown", with_commas(remarks.size() - r)));
        break;
      }
      p.text += in_.note(lane, lane, shortened(remarks[r], longest_text));
    }
    for (std::size_t l = 0; l < std::min(event.lost.size(), most_remarks); ++l)
      add(p, kind::lost, event.lost[l], shortened(words_of(event.lost[l]), longest_text) + " is lost");
    return p;
  }

  /// What was on its way, and what was found.
  [[nodiscard]] part ending() const {
    part p;
    const auto shown = std::min(trace_.pending.size(), most_pending);
    for (std::size_t i = 0; i < shown; ++i) {
      const auto& message = trace_.pending[i];
      add(p, kind::pending, message,
          fmt::format("{}{}, {}", shortened(words_of(message), longest_text), sent_where(message),
                      message.by_timer ? "did not fire" : "not delivered"));
    }
    if (trace_.lanes.empty()) return p;
    // Where the last event is, since lanes may be left out.
    const auto lane = trace_.events.empty() ? 0 : trace_.lane_of(trace_.events.size() - 1);
    p.lanes.insert(lane);
    if (shown < trace_.pending.size())
      p.text += in_.note(
          lane, lane, fmt::format("{} more messages were not delivered", with_commas(trace_.pending.size() - shown)));
    p.text += in_.note(lane, lane, shortened(trace_.heading, 4 * longest_text));
    for (std::size_t i = 0; i < std::min(trace_.details.size(), most_remarks); ++i)
      p.text += in_.note(lane, lane, shortened(trace_.details[i], longest_text));
    return p;
  }

  [[nodiscard]] std::string left_out(std::size_t count) const {
    return in_.note(*lanes_.begin(), *lanes_.rbegin(),
                    fmt::format("{} not shown", count_of(count, "delivery", "deliveries")));
  }

  const diagram& trace_;
  const sequence_language& in_;
  std::size_t used_ = 0;
  std::set<std::size_t> lanes_;
};

}  // namespace

std::string to_sequence(const diagram& trace, const sequence_language& in) {
  if (!trace.lanes.empty()) return sequence_writer(trace, in).write();
  // A diagram has a lane: that of the program which failed before its first delivery.
  return in.begin() + in.lane(0, shortened(trace.program, longest_lane_name)) +
         in.note(0, 0, shortened(trace.heading, 4 * longest_text)) + in.end();
}

}  // namespace harrier
