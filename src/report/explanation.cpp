#include <harrier/report/explanation.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>

#include <harrier/core/error.hpp>
#include <harrier/core/printable.hpp>

namespace harrier {
namespace {

constexpr std::size_t most_shown = 6;

/// `The order that passes goes on after delivery 2 with client_1.reply(0), server_0.get().`
std::string how_it_goes_on(const explanation& why) {
  std::size_t before = 0, shown = 0, more = 0;
  std::string list;
  for (std::size_t i = 0; i < why.steps.size(); ++i) {
    const auto& step = why.steps[i];
    if (!is_shown(step)) continue;
    if (i < why.alike)
      ++before;
    else if (shown == most_shown)
      ++more;
    else
      list += fmt::format("{}{}.{}", shown++ == 0 ? "" : ", ", step.receiver, step.message);
  }
  if (shown == 0) return {};
  const auto where = before == 0 ? "begins with" : fmt::format("goes on after delivery {} with", before);
  return fmt::format("The order that passes {} {}{}.", where, list,
                     more == 0 ? std::string() : fmt::format(", and {} more", more));
}

}  // namespace

json_value to_json(const explanation& why) {
  if (why.sentence.empty()) return nullptr;
  json_value json = {{"sentence", why.sentence}, {"alike", why.alike}};
  json["steps"] = json_value::array();
  for (const auto& step : why.steps) json["steps"].push_back(to_json(step));
  return json;
}

explanation explanation_from(const json_value& json) {
  explanation why;
  if (json.is_null()) return why;
  why.sentence = field_as<std::string>(json, "sentence");
  why.alike = field_as<std::uint64_t>(json, "alike");
  const auto& steps = field(json, "steps");
  if (!steps.is_array()) throw error("the field 'steps' is of the wrong type");
  for (const auto& step : steps) why.steps.push_back(trace_step_from(step));
  return why;
}

std::string to_text(const explanation& why, const text_style& style) {
  if (why.sentence.empty()) return {};
  auto text = cut_line("Why: " + printable(why.sentence), style) + "\n";
  if (const auto next = how_it_goes_on(why); !next.empty()) text += cut_line("     " + printable(next), style) + "\n";
  return text;
}

}  // namespace harrier
