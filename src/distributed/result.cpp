#include "result.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cstdint>
#include <utility>

#include <harrier/core/error.hpp>

#include "../explore/finding_key.hpp"
#include "../isolation/wire.hpp"
#include "bundle.hpp"

namespace harrier::distributed {
namespace {

json_value keys_to_wire(const tally::places& keys) {
  auto list = json_value::array();
  for (const auto& [key, place] : keys) list.push_back({key.low, key.high, place});
  return list;
}

json_value binary_of(const std::string& bytes) { return json_value::binary({bytes.begin(), bytes.end()}); }

std::string bytes_in(const json_value& json) {
  const auto& binary = json.get_binary();
  return {binary.begin(), binary.end()};
}

item_fate fate_from(const json_value& json) {
  const auto number = json.get<std::uint64_t>();
  if (number > static_cast<std::uint64_t>(item_fate::untestable)) throw error("a result at the broker is damaged");
  return static_cast<item_fate>(number);
}

tally::places keys_from_wire(const json_value& json, std::size_t findings) {
  tally::places keys;
  for (const auto& each : json) {
    const auto place = each.at(2).get<std::size_t>();
    if (place >= findings) throw error("a result at the broker is damaged: a finding is not there");
    keys.try_emplace({each.at(0).get<std::uint64_t>(), each.at(1).get<std::uint64_t>()}, place);
  }
  return keys;
}

}  // namespace

json_value to_wire(const tally::collected& seen) {
  return {{"result", harrier::to_wire(seen.result)},
          {"findings", keys_to_wire(seen.findings)},
          {"warnings", keys_to_wire(seen.warnings)}};
}

tally::collected seen_from_wire(const json_value& json) {
  tally::collected seen{exploration_from_wire(json.at("result")), {}, {}};
  seen.findings = keys_from_wire(json.at("findings"), seen.result.findings.size());
  seen.warnings = keys_from_wire(json.at("warnings"), seen.result.warnings.size());
  return seen;
}

std::string bytes_of(const item_result& result) {
  json_value json{{"item", result.item},
                  {"seen", to_wire(result.seen)},
                  {"children", json_value::array()},
                  {"judged", binary_of(result.judged)},
                  {"ends_run", result.ends_run},
                  {"seconds", result.seconds},
                  {"fate", static_cast<int>(result.fate)},
                  {"why", result.why}};
  for (const auto& child : result.children) json["children"].push_back(binary_of(child));
  return bytes_of(json);
}

item_result result_from(std::string_view bytes) {
  const auto json = json_from(bytes);
  try {
    item_result result{.item = json.at("item").get<std::string>(),
                       .seen = seen_from_wire(json.at("seen")),
                       .children = {},
                       .judged = bytes_in(json.at("judged")),
                       .ends_run = json.at("ends_run").get<std::string>(),
                       .seconds = json.at("seconds").get<double>(),
                       .fate = fate_from(json.at("fate")),
                       .why = json.at("why").get<std::string>()};
    if (!json.at("children").is_array()) throw error("a result at the broker is damaged: it has no list of children");
    for (const auto& child : json.at("children")) result.children.push_back(bytes_in(child));
    return result;
  } catch (const json_value::exception& e) {
    throw error(fmt::format("a result at the broker is damaged: {}", e.what()));
  }
}

void add_finding(tally::collected& to, finding found) {
  const auto key = finding_key(found.kind).add(found.message).add(found.actor).add(found.line).value();
  to.findings.try_emplace(key, to.result.findings.size());
  to.result.findings.push_back(std::move(found));
}

}  // namespace harrier::distributed
