// Graphviz: https://graphviz.org/doc/info/lang.html
#include <fmt/format.h>

#include <harrier/report/export.hpp>

#include "words.hpp"

namespace harrier {
namespace {

constexpr std::size_t longest_label = 30;
constexpr std::size_t longest_tip = 2000;
constexpr int between_lanes = 210;  // points
constexpr int between_steps = 48;

/// A quoted string, in which a backslash would begin an escape and an ampersand an entity.
std::string in_dot(const std::string& text) {
  return escaped_by(text, [](char c) -> std::string {
    switch (c) {
      case '"': return "\\\"";
      case '\\': return "\\\\";
      case '&': return "&amp;";
      case '<': return "&lt;";
      case '>': return "&gt;";
      default: return {};
    }
  });
}

std::string dot_place(std::size_t lane, std::size_t row) {
  return fmt::format("pos=\"{},{}\"", static_cast<long>(lane) * between_lanes, -static_cast<long>(row) * between_steps);
}

class dot_writer {
public:
  explicit dot_writer(const diagram& trace) : trace_(trace), last_(trace.lanes.size(), nobody) {}

  std::string write() {
    text_ = fmt::format(
        "digraph trace {{\n"
        "  graph [layout=nop, splines=line, label=\"{}\", labelloc=t, fontname=sans];\n"
        "  node [shape=box, style=\"rounded,filled\", fillcolor=white, fontname=sans, fontsize=10];\n"
        "  edge [fontname=sans, fontsize=9];\n",
        in_dot(shortened(trace_.program + ": " + trace_.heading, longest_tip)));
    for (std::size_t i = 0; i < trace_.lanes.size(); ++i) add_lane(i);
    for (std::size_t i = 0; i < trace_.events.size(); ++i) add_event(i);
    for (const auto& message : trace_.pending)
      add_unarrived(message, message.by_timer ? "did not fire" : "not delivered");
    return text_ + "}\n";
  }

private:
  static constexpr std::size_t nobody = static_cast<std::size_t>(-1);

  [[nodiscard]] static std::string name(std::size_t event) { return fmt::format("s{}", event + 1); }

  void add_lane(std::size_t i) {
    text_ += fmt::format("  l{} [label=\"{}\", tooltip=\"{}\", shape=plaintext, {}];\n", i,
                         in_dot(shortened(trace_.lanes[i], longest_label)),
                         in_dot(shortened(trace_.lanes[i], longest_tip)), dot_place(i, 0));
  }

  void add_event(std::size_t i) {
    const auto& event = trace_.events[i];
    const auto lane = trace_.lane_of(i);
    auto tip = fmt::format("{}. {}.{}", event.number, trace_.lanes[lane], words_of(event.delivered));
    for (const auto& remark : remarks_of(event)) tip += "; " + remark;
    const auto* colour =
        event.findings.empty() ? event.faults.empty() ? "" : ", fillcolor=orange" : ", fillcolor=tomato";
    text_ += fmt::format("  {} [label=\"{}. {}\", tooltip=\"{}\", {}{}];\n", name(i), event.number,
                         in_dot(shortened(words_of(event.delivered), longest_label)),
                         in_dot(shortened(tip, longest_tip)), dot_place(lane, ++row_), colour);
    const auto before = last_[lane] == nobody ? fmt::format("l{}", lane) : name(last_[lane]);
    text_ += fmt::format("  {} -> {} [style=dotted, arrowhead=none];\n", before, name(i));
    if (event.delivered.sent_in)
      text_ += fmt::format("  {} -> {}{};\n", name(*event.delivered.sent_in), name(i),
                           event.delivered.is_reply ? " [style=dashed]" : "");
    else if (event.delivered.from_lane != lane)
      text_ += fmt::format("  l{} -> {};\n", event.delivered.from_lane, name(i));
    last_[lane] = i;
    for (const auto& message : event.lost) add_unarrived(message, "is lost");
  }

  void add_unarrived(const diagram::arrow& message, const char* why) {
    const auto words = words_of(message);
    text_ +=
        fmt::format("  u{} [label=\"{} {}\", tooltip=\"{}\", shape=plaintext, style=\"\", fontcolor=gray30, {}];\n",
                    ++unarrived_, in_dot(shortened(words, longest_label)), why, in_dot(shortened(words, longest_tip)),
                    dot_place(message.to_lane, ++row_));
    text_ +=
        fmt::format("  {} -> u{} [style=dashed, color=gray50, arrowhead=tee];\n", name(*message.sent_in), unarrived_);
  }

  const diagram& trace_;
  std::string text_;
  std::vector<std::size_t> last_;  // event of each lane
  std::size_t row_ = 0;
  std::size_t unarrived_ = 0;
};

}  // namespace

std::string to_dot(const diagram& trace) { return dot_writer(trace).write(); }

}  // namespace harrier
