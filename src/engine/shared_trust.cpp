// Engine trust by several workers: its items share nothing, so who has nothing
// to do takes over the oldest of another one's.
#include <harrier/engine/trust.hpp>

#include <utility>

#include "../core/archive.hpp"
#include "item_pool.hpp"

namespace harrier {
namespace {

class shared_trust final : public shared_search {
public:
  shared_trust() { items_.put({}); }

  void work(search_context& s) override {
    const workforce::shift present(items_.workers);
    const trust_sharing with_others = {
        .between = [this](std::size_t waiting) { return items_.workers.is_anyone_waiting() ? waiting / 2 : 0; },
        .give = [this](trust_item item) { items_.put(std::move(item)); }};
    std::vector<trust_item> mine(1);
    while (items_.take(mine.front(), s)) {
      explore_trust(s, mine, with_others);
      for (auto& left : mine) items_.put(std::move(left));
      mine.resize(1);
    }
  }
  [[nodiscard]] bool is_explored() const override { return items_.size() == 0; }
  void save(archive_writer& to) const override {
    to.number(items_.size());
    items_.for_each([&](const trust_item& item) {
      to.deliveries(item.execution);
      to.list(item.inserted, [&](const trust_item::event& e) { to.number(e.step * std::uint64_t{2} + e.is_write); });
      to.flag(item.receive_is_new);
    });
  }
  void load(archive_reader& from) override {
    items_.clear();
    from.list([&] {
      trust_item item;
      item.execution = from.deliveries();
      from.list([&] {
        const auto e = from.number();
        item.inserted.push_back({static_cast<std::uint32_t>(e / 2), e % 2 != 0});
      });
      item.receive_is_new = from.flag();
      items_.put(std::move(item));
    });
  }

private:
  item_pool<trust_item> items_;
};

}  // namespace

std::unique_ptr<shared_search> share_trust() { return std::make_unique<shared_trust>(); }

}  // namespace harrier
