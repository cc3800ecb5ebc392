// The Chrome trace event format, as ui.perfetto.dev and chrome://tracing read it.
#include <fmt/format.h>

#include <harrier/report/export.hpp>
#include <harrier/report/json.hpp>

#include "words.hpp"

namespace harrier {
namespace {

constexpr std::uint64_t between_slices = 10;  // microseconds from one delivery to the next
constexpr std::uint64_t slice_length = 8;
constexpr std::size_t longest_slice_name = 200;

class perfetto_writer {
public:
  explicit perfetto_writer(const diagram& trace) : trace_(trace) {}

  std::string write() {
    add_meta("process_name", 0, {{"name", shortened(trace_.program, longest_slice_name)}});
    for (std::size_t i = 0; i < trace_.lanes.size(); ++i) {
      add_meta("thread_name", i + 1, {{"name", trace_.lanes[i]}});
      add_meta("thread_sort_index", i + 1, {{"sort_index", i}});
    }
    for (std::size_t i = 0; i < trace_.events.size(); ++i) add_event(i);
    for (const auto& message : trace_.pending)
      add_instant(message.to_lane, trace_.events.size() * between_slices,
                  (message.by_timer ? "did not fire: " : "not delivered: ") + words_of(message));
    json_value all = {{"displayTimeUnit", "ms"}};
    all["otherData"] = {{"program", trace_.program}, {"finding", trace_.heading}, {"details", trace_.details}};
    all["traceEvents"] = std::move(events_);
    return to_text(all) + "\n";
  }

private:
  json_value& add(const std::string& name, const char* phase, std::size_t thread, std::uint64_t at) {
    events_.push_back({{"name", name}, {"cat", "actors"}, {"ph", phase}, {"ts", at}, {"pid", 1}, {"tid", thread}});
    return events_.back();
  }

  void add_meta(const char* name, std::size_t thread, json_value arguments) {
    add(name, "M", thread, 0)["args"] = std::move(arguments);
  }

  void add_instant(std::size_t lane, std::uint64_t at, const std::string& text) {
    auto& event = add(shortened(text, longest_slice_name), "i", lane + 1, at);
    event["s"] = "t";
    event["args"] = {{"text", text}};
  }

  void add_event(std::size_t i) {
    const auto& event = trace_.events[i];
    const auto lane = trace_.lane_of(i);
    const auto at = i * between_slices;
    const auto words = words_of(event.delivered);
    auto& slice = add(shortened(words, longest_slice_name), "X", lane + 1, at);
    slice["dur"] = slice_length;
    slice["args"] = arguments_of(event);
    for (const auto& fault : event.faults) add_instant(lane, at + slice_length / 2, "fault: " + fault);
    for (const auto& found : event.findings) add_instant(lane, at + slice_length / 2, found);
    for (const auto& message : event.lost)
      add_instant(message.to_lane, at + slice_length, "lost: " + words_of(message));
    if (!event.delivered.sent_in) return;
    add_flow("s", *event.delivered.sent_in, slice_length - 1, i);
    add_flow("f", i, 1, i)["bp"] = "e";
  }

  json_value& add_flow(const char* phase, std::size_t event, std::uint64_t after, std::size_t id) {
    auto& flow = add("message", phase, trace_.lane_of(event) + 1, event * between_slices + after);
    flow["id"] = id + 1;
    return flow;
  }

  [[nodiscard]] json_value arguments_of(const diagram::event& event) const {
    json_value arguments = {{"delivery", event.number}, {"message", words_of(event.delivered)}};
    arguments["from"] = trace_.lanes[event.delivered.from_lane];
    if (event.delivered.sent_in) arguments["sent in"] = trace_.events[*event.delivered.sent_in].number;
    arguments["state"] = event.state;
    const auto put = [&](const char* name, const std::vector<std::string>& all) {
      if (!all.empty()) arguments[name] = all;
    };
    put("creates", event.creates);
    put("chooses", event.choices);
    put("faults", event.faults);
    put("findings", event.findings);
    if (event.destroys) arguments["is gone"] = true;
    if (!event.name.empty()) arguments["event"] = event.name;
    return arguments;
  }

  const diagram& trace_;
  json_value events_ = json_value::array();
};

}  // namespace

std::string to_perfetto(const diagram& trace) { return perfetto_writer(trace).write(); }

}  // namespace harrier
