// ShiViz: https://bestchai.bitbucket.io/shiviz/. It wants clocks that start at 1, grow by 1 in each event of a host,
// and are exactly what the messages make them.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <unordered_set>

#include <harrier/report/export.hpp>
#include <harrier/report/json.hpp>

#include "words.hpp"

namespace harrier {
namespace {

constexpr std::size_t most_entries = 2'000'000;
constexpr std::size_t longest_event = 2000;

using host_clock = std::map<std::size_t, std::uint64_t>;  // by lane

void merge(host_clock& into, const host_clock& other) {
  for (const auto& [lane, time] : other) into[lane] = std::max(into[lane], time);
}

/// A word, none that an object of JavaScript has already, and no other host's.
std::vector<std::string> hosts_of(const diagram& trace) {
  constexpr std::array<std::string_view, 7> taken = {"constructor", "hasOwnProperty",       "isPrototypeOf",
                                                     "toString",    "propertyIsEnumerable", "toLocaleString",
                                                     "valueOf"};
  std::vector<std::string> hosts;
  std::unordered_set<std::string> known;
  for (const auto word : taken) known.emplace(word);
  for (const auto& lane : trace.lanes) {
    auto host = escaped_by(shortened(lane, 60), [](char c) {
      const bool is_ascii = static_cast<unsigned char>(c) < 0x80;
      const bool stays = !is_ascii || c == '-' || c == ':' ||
                         (is_plain(c) && std::string_view(" ()=,").find(c) == std::string_view::npos);
      return std::string(stays ? "" : "_");
    });
    if (host.empty() || host.starts_with("__")) host = "host" + host;
    const auto plain = host;
    for (std::size_t n = 2; !known.insert(host).second; ++n) host = fmt::format("{}.{}", plain, n);
    hosts.push_back(host);
  }
  return hosts;
}

class shiviz_writer {
public:
  explicit shiviz_writer(const diagram& trace)
      : trace_(trace), hosts_(hosts_of(trace)), now_(trace.lanes.size()), at_(trace.events.size()) {
    const auto most = std::max<std::size_t>(1, most_entries / std::max<std::size_t>(1, trace.lanes.size()));
    first_ = trace.events.size() - std::min(most, trace.events.size());
    for (std::size_t i = 0; i < trace.events.size(); ++i) last_use_of_[sender(i)] = i;
  }

  std::string write() {
    text_ = "(?<event>.*)\\n(?<host>\\S*) (?<clock>\\{.*\\})\n\n";
    if (trace_.events.empty()) return text_ + trace_.heading + "\n" + "nobody {\"nobody\":1}\n";
    for (std::size_t i = first_; i < trace_.events.size(); ++i) add(i);
    return text_;
  }

private:
  static constexpr std::size_t nobody = static_cast<std::size_t>(-1);

  [[nodiscard]] std::size_t sender(std::size_t i) const { return trace_.events[i].delivered.sent_in.value_or(nobody); }

  void add(std::size_t i) {
    const auto& event = trace_.events[i];
    const auto lane = trace_.lane_of(i);
    const auto from = sender(i);
    if (from != nobody && from >= first_) {
      merge(now_[lane], at_[from]);
      if (last_use_of_[from] == i) at_[from].clear();
    }
    if (from == nobody && event.delivered.from_lane != lane) merge(now_[lane], begun(event.delivered.from_lane));
    tick(lane, text_of(i));
    if (last_use_of_.contains(i)) at_[i] = now_[lane];
  }

  /// Who sends without a step, as a driver does, has one event, before all others.
  const host_clock& begun(std::size_t lane) {
    if (now_[lane].empty()) tick(lane, "begins");
    return now_[lane];
  }

  void tick(std::size_t lane, const std::string& what) {
    ++now_[lane][lane];
    auto json = json_value::object();
    for (const auto& [other, time] : now_[lane]) json[hosts_[other]] = time;
    text_ += fmt::format("{}\n{} {}\n", what, hosts_[lane], to_text(json));
  }

  [[nodiscard]] std::string text_of(std::size_t i) const {
    const auto& event = trace_.events[i];
    auto text = fmt::format("{}. {}.{}", event.number, trace_.lanes[trace_.lane_of(i)], words_of(event.delivered));
    for (const auto& remark : remarks_of(event)) text += "; " + remark;
    const auto left_out = i == first_ && first_ > 0 ? fmt::format(" ({} before it not shown)", first_) : std::string();
    const auto heading = i + 1 == trace_.events.size() ? "; " + trace_.heading : std::string();
    return shortened(text, longest_event) + left_out + shortened(heading, longest_event);
  }

  const diagram& trace_;
  std::vector<std::string> hosts_;
  std::vector<host_clock> now_;  // of each lane
  std::vector<host_clock> at_;   // of each event that sent what is still to come
  std::map<std::size_t, std::size_t> last_use_of_;
  std::size_t first_ = 0;
  std::string text_;
};

}  // namespace

std::string to_shiviz(const diagram& trace) { return shiviz_writer(trace).write(); }

}  // namespace harrier
