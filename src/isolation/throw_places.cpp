#include "throw_places.hpp"

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include <harrier/replay/replay.hpp>

#include "../explore/start.hpp"
#include "../replay/code_place.hpp"
#include "child.hpp"
#include "source_lines.hpp"
#include "throw_hook.hpp"

namespace harrier {
namespace {

constexpr std::uint64_t most_memory_of_replay = 4096;

/// By the number of the finding: the calls in which it was thrown, the innermost first, as place_of_code() has them.
using places_of_calls = std::map<std::size_t, std::vector<std::string>>;

bool is_asked_for(const finding& f) {
  return f.kind == finding_kind::exception && f.file.empty() && !f.schedule.empty();
}

/// Whether that is what the finding is about, itself or as the caller was told of it.
bool says(const finding& f, const thrown_exception& e) {
  return f.message == e.text || f.message.ends_with("threw: " + e.text);
}

/// The calls of what is thrown last, and of that what was thrown first: each caller adds words to it.
class calls_of_the_first {
public:
  void hear(const finding& about, const thrown_exception& e) {
    if (!says(about, e) || (is_known_ && e.text.size() > shortest_)) return;
    is_known_ = true;
    shortest_ = e.text.size();
    calls_.clear();
    for (const auto* call : e.calls) calls_.push_back(place_of_code(call));
  }
  [[nodiscard]] const std::vector<std::string>& places() const { return calls_; }

private:
  bool is_known_ = false;
  std::size_t shortest_ = 0;
  std::vector<std::string> calls_;
};

void repeat(const finding& f, const program& tested, const options& how) {
  class : public replay_listener {
  } nobody;
  static_cast<void>(replay(tested,
                           {.finding = f,
                            .found_by = recorded_trace::by::slots,
                            .delivery = how.search.delivery,
                            .depth_limit = how.limits.max_depth},
                           nobody));
}

/// In the child.
void tell_calls(const std::vector<finding>& found, const std::vector<std::size_t>& asked, const program& tested,
                const options& how, const child_voice& tell) {
  const finding* about = nullptr;
  calls_of_the_first calls;
  tell_of_throws(__builtin_frame_address(0), [&](const thrown_exception& e) { calls.hear(*about, e); });
  for (const auto i : asked) {
    about = &found[i];
    calls = {};
    try {
      repeat(*about, tested, how);
    } catch (const error&) {
      continue;  // a program that is not deterministic may not follow its own schedule
    }
    tell({{"finding", i}, {"calls", calls.places()}});
  }
}

places_of_calls calls_of_throws(const std::vector<finding>& found, const std::vector<std::size_t>& asked,
                                const program& tested, const options& how, double seconds,
                                const isolation_options& apart) {
  places_of_calls all;
  std::size_t longest = 0;
  for (const auto i : asked) longest = std::max(longest, found[i].schedule.size());
  const watch noted(longest);
  static_cast<void>(run_in_child(
      noted, {apart.handler_limit, seconds, most_memory_of_replay},
      {.run =
           [&](const child_voice& tell) {
             tell_calls(found, asked, noted.watched(with_faults(tested, how.search.faults), true), how, tell);
           },
       .hear =
           [&](const json_value& told) {
             all[told.at("finding").get<std::size_t>()] = told.at("calls").get<std::vector<std::string>>();
           },
       .quiet = true}));
  return all;
}

bool is_of_a_library(const line_of_code& at) {
  const std::string_view line = at.line;
  const bool is_own = at.function.starts_with("harrier::") && line.find("/src/") != std::string_view::npos;
  return is_own || line.starts_with("/usr/include/") || line.starts_with("/usr/lib/") ||
         line.find("/include/c++/") != std::string_view::npos ||
         line.find("/include/harrier/") != std::string_view::npos;
}

void set_place(finding& f, const std::string& line) {
  const auto colon = line.rfind(':');
  if (colon == std::string::npos) return;
  std::from_chars(line.data() + colon + 1, line.data() + line.size(), f.line);
  f.file = line.substr(0, colon);
}

/// Whether nothing is known of any of these calls, not even of those in the program.
bool has_no_lines(const std::vector<std::string>& places, const inlined_lines& lines) {
  return !places.empty() &&
         std::all_of(places.begin(), places.end(), [&](const auto& p) { return lines.of(p).empty(); });
}

constexpr auto how_to_know_the_line =
    "compiled with -g, and with addr2line at hand, the line that threw it would be known";

}  // namespace

void find_throws(std::vector<finding>& found, const program& tested, const options& asked, std::size_t most,
                 double seconds, const isolation_options& apart) {
  std::vector<std::size_t> all;
  for (std::size_t i = 0; i < found.size() && all.size() < most; ++i)
    if (is_asked_for(found[i])) all.push_back(i);
  if (all.empty() || seconds <= 0) return;
  places_of_calls calls;
  try {
    calls = calls_of_throws(found, all, tested, as_usual_for(tested, asked), seconds, apart);
  } catch (const error&) {
    return;  // no child process: what was found is no less found
  }
  std::set<std::string> places;
  for (const auto& [i, of_one] : calls) places.insert(of_one.begin(), of_one.end());
  const inlined_lines lines({places.begin(), places.end()});
  for (const auto& [i, of_one] : calls) {
    if (has_no_lines(of_one, lines)) found[i].details.emplace_back(how_to_know_the_line);
    for (const auto& place : of_one) {
      const auto& here = lines.of(place);
      const auto own = std::find_if(here.begin(), here.end(), std::not_fn(is_of_a_library));
      if (own == here.end()) continue;
      set_place(found[i], line_seen_from_here(own->line));
      break;
    }
  }
}

}  // namespace harrier
