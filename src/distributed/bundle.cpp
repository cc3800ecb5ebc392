#include "bundle.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include <harrier/core/error.hpp>
#include <harrier/core/fingerprint.hpp>

namespace harrier::distributed {
namespace {

using numbers = std::vector<std::uint64_t>;

numbers numbers_of(const schedule& execution) {
  numbers all;
  for (const auto& step : execution) all.insert(all.end(), {step.message, step.code});
  return all;
}

numbers numbers_of(const std::vector<trust_item::event>& inserted) {
  numbers all;
  for (const auto& e : inserted) all.push_back(std::uint64_t{e.step} * 2 + (e.is_write ? 1 : 0));
  return all;
}

json_value after_common_part(const numbers& before, const numbers& all) {
  const auto common = std::mismatch(before.begin(), before.end(), all.begin(), all.end()).first - before.begin();
  return {static_cast<std::size_t>(common), numbers(all.begin() + common, all.end())};
}

void complete(numbers& before, const json_value& rest) {
  const auto common = rest.at(0).get<std::size_t>();
  if (common > before.size()) throw error("a work item is damaged: it has more in common with another than that has");
  before.resize(common);
  for (const auto& number : rest.at(1)) before.push_back(number.get<std::uint64_t>());
}

/// Whether CBOR or JSON is shallow enough for functions that call themselves, and no larger than its bytes can say.
class depth_meter : public nlohmann::json_sax<json_value> {
public:
  explicit depth_meter(std::size_t bytes) : bytes_(bytes) {}
  bool null() override { return true; }
  bool boolean(bool) override { return true; }
  bool number_integer(number_integer_t) override { return true; }
  bool number_unsigned(number_unsigned_t) override { return true; }
  bool number_float(number_float_t, const string_t&) override { return true; }
  bool string(string_t&) override { return true; }
  bool binary(binary_t&) override { return true; }
  bool key(string_t&) override { return true; }
  bool start_object(std::size_t elements) override { return enter(elements); }
  bool start_array(std::size_t elements) override { return enter(elements); }
  bool end_object() override { return leave(); }
  bool end_array() override { return leave(); }
  bool parse_error(std::size_t, const std::string&, const nlohmann::detail::exception&) override { return false; }

private:
  static constexpr std::size_t deepest = 64;
  static constexpr auto unknown = static_cast<std::size_t>(-1);
  bool enter(std::size_t elements) { return ++depth_ <= deepest && (elements == unknown || elements <= bytes_); }
  bool leave() {
    --depth_;
    return true;
  }
  std::size_t bytes_;
  std::size_t depth_ = 0;
};

}  // namespace

json_value to_json(const bundle& graphs) {
  auto list = json_value::array();
  numbers execution, inserted;
  for (const auto& g : graphs) {
    auto steps = numbers_of(g.execution);
    auto events = numbers_of(g.inserted);
    list.push_back({after_common_part(execution, steps), after_common_part(inserted, events), g.receive_is_new});
    execution = std::move(steps);
    inserted = std::move(events);
  }
  return list;
}

bundle bundle_from(const json_value& json) {
  bundle graphs;
  numbers execution, inserted;
  try {
    for (const auto& each : json) {
      complete(execution, each.at(0));
      complete(inserted, each.at(1));
      auto& g = graphs.emplace_back();
      if (execution.size() % 2 != 0) throw error("a work item is damaged: half a delivery");
      for (std::size_t i = 0; i < execution.size(); i += 2)
        g.execution.push_back({execution[i + 1], static_cast<message_slot>(execution[i])});
      for (const auto e : inserted) g.inserted.push_back({static_cast<std::uint32_t>(e / 2), e % 2 == 1});
      g.receive_is_new = each.at(2).get<bool>();
    }
  } catch (const json_value::exception& e) {
    throw error(fmt::format("a work item is damaged: {}", e.what()));
  }
  return graphs;
}

std::string bytes_of(const json_value& json) {
  std::string bytes;
  json_value::to_cbor(json, bytes);
  return bytes;
}

json_value json_from(std::string_view bytes) {
  depth_meter meter(bytes.size());
  if (!json_value::sax_parse(bytes, &meter, json_value::input_format_t::cbor))
    throw error("a message at the broker is damaged: it is not CBOR from harrier");
  auto json = json_value::from_cbor(bytes, /*strict=*/true, /*allow_exceptions=*/false);
  if (json.is_discarded()) throw error("a message at the broker is damaged: it is not CBOR");
  return json;
}

json_value json_of_text(std::string_view text) {
  depth_meter meter(text.size());
  if (!json_value::sax_parse(text, &meter)) return json_value(json_value::value_t::discarded);
  return json_value::parse(text, nullptr, /*allow_exceptions=*/false);
}

std::string name_of(std::string_view bytes) {
  const auto hashed = hash_bytes(bytes.data(), bytes.size());
  return fmt::format("{:016x}{:016x}", hashed.high, hashed.low);
}

}  // namespace harrier::distributed
