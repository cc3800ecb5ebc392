#pragma once

#include <functional>
#include <mutex>
#include <utility>
#include <vector>

#include <harrier/engine/trust.hpp>

#include "item_pool.hpp"

namespace harrier {

/// Engine trust by several workers: its items share nothing, so who has nothing to
/// do takes over the oldest of another one's.
class shared_trust final : public shared_search {
public:
  /// Explores items, as explore_trust does.
  using explorer = std::function<bool(search_context&, std::vector<trust_item>&, const trust_sharing&)>;

  /// @param hire  gives a worker that begins what it explores with. Called by several threads, one at a time.
  explicit shared_trust(std::function<explorer()> hire) : hire_(std::move(hire)) { items_.put({}); }

  void work(search_context& s) override;
  [[nodiscard]] bool is_explored() const override { return items_.size() == 0; }
  void save(archive_writer& to) const override;
  void load(archive_reader& from) override;

private:
  std::function<explorer()> hire_;
  std::mutex hiring_;
  item_pool<trust_item> items_;
};

}  // namespace harrier
