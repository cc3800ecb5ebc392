#include "shared_trust.hpp"

#include <mutex>
#include <utility>

#include "../core/archive.hpp"

namespace harrier {

void shared_trust::work(search_context& s) {
  const auto explore = [&] {
    const std::lock_guard one_at_a_time(hiring_);
    return hire_();
  }();
  const workforce::shift present(items_.workers);
  const trust_sharing with_others = {
      .between = [this](std::size_t waiting) { return items_.workers.is_anyone_waiting() ? waiting / 2 : 0; },
      .give = [this](trust_item item) { items_.put(std::move(item)); }};
  std::vector<trust_item> mine(1);
  while (items_.take(mine.front(), s)) {
    explore(s, mine, with_others);
    for (auto& left : mine) items_.put(std::move(left));
    mine.resize(1);
  }
}

void shared_trust::save(archive_writer& to) const {
  to.number(items_.size());
  items_.for_each([&](const trust_item& item) {
    to.deliveries(item.execution);
    to.list(item.inserted, [&](const trust_item::event& e) { to.number(e.step * std::uint64_t{2} + e.is_write); });
    to.flag(item.receive_is_new);
  });
}

void shared_trust::load(archive_reader& from) {
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

std::unique_ptr<shared_search> share_trust() {
  return std::make_unique<shared_trust>([]() -> shared_trust::explorer {
    return [](search_context& s, std::vector<trust_item>& todo, const trust_sharing& sharing) {
      return explore_trust(s, todo, sharing);
    };
  });
}

}  // namespace harrier
