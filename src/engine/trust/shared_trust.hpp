#pragma once

#include <functional>
#include <mutex>
#include <utility>
#include <vector>

#include <harrier/engine/trust.hpp>

#include "../item_pool.hpp"

namespace harrier {

/// Engine trust by several workers: its items share nothing, so who has nothing to
/// do takes over the oldest of another one's.
class shared_trust final : public shared_search {
public:
  /// Explores items, as explore_trust does.
  using explorer = std::function<bool(search_context&, std::vector<trust_item>&, const trust_sharing&, schedule*)>;

  /// @param hire  gives a worker that begins what it explores with. Called by several threads, one at a time.
  explicit shared_trust(std::function<explorer()> hire) : hire_(std::move(hire)) { left_.put({{}, {trust_item{}}}); }

  void work(search_context& s) override;
  [[nodiscard]] bool is_explored() const override { return left_.size() == 0; }
  void save(archive_writer& to) const override;
  void load(archive_reader& from) override;

private:
  /// What a worker that was stopped had left, in its order, and where its system was; or an item that was given away.
  struct left_by_one {
    schedule where;
    std::vector<trust_item> items;
  };

  std::function<explorer()> hire_;
  std::mutex hiring_;
  item_pool<left_by_one> left_;
};

}  // namespace harrier
