#include "ledger.hpp"

#include <fmt/format.h>

#include <utility>

#include <harrier/core/error.hpp>

#include "bundle.hpp"

namespace harrier::distributed {

ledger::ledger(std::string root) {
  auto name = name_of(root);
  outstanding_.emplace(std::move(name), std::move(root));
}

ledger::verdict ledger::take(const item_result& result) {
  if (done_.contains(result.item)) return verdict::known;
  const auto item = outstanding_.find(result.item);
  if (item == outstanding_.end()) return verdict::unknown;
  std::map<std::string, std::string> children;
  for (const auto& child : result.children) {
    auto name = name_of(child);
    if (done_.contains(name) || outstanding_.contains(name) || children.contains(name))
      throw error(
          fmt::format("the result of item {} has a child that was there before; the workers disagree", result.item));
    children.emplace(std::move(name), child);
  }
  outstanding_.erase(item);
  done_.insert(result.item);
  outstanding_.merge(children);
  return verdict::taken;
}

}  // namespace harrier::distributed
