#include <harrier/core/delivery.hpp>

#include <array>
#include <string>

#include <harrier/core/error.hpp>

namespace harrier {
namespace {

constexpr std::array<std::string_view, 5> names = {"unordered", "fifo", "causal", "mailbox", "mailbox-interleaved"};

}  // namespace

std::string_view to_string(delivery model) { return names[static_cast<std::size_t>(model)]; }

std::vector<delivery> delivery_models() {
  std::vector<delivery> all;
  for (std::size_t i = 0; i < names.size(); ++i) all.push_back(static_cast<delivery>(i));
  return all;
}

delivery delivery_of(std::string_view name) {
  std::string known;
  for (const auto model : delivery_models()) {
    if (to_string(model) == name) return model;
    known += (known.empty() ? "" : ", ") + std::string(to_string(model));
  }
  throw error("unknown delivery model '" + std::string(name) + "'; there are " + known);
}

}  // namespace harrier
