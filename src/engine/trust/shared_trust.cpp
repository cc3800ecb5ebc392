#include "shared_trust.hpp"

#include <mutex>
#include <utility>

#include <harrier/core/archive.hpp>

#include "../alone.hpp"
#include "../search_by_one.hpp"

namespace harrier {

void shared_trust::work(search_context& s) {
  const auto explore = [&] {
    const std::lock_guard one_at_a_time(hiring_);
    return hire_();
  }();
  const workforce::shift present(left_.workers);
  const trust_sharing with_others = {
      .between = [this](std::size_t waiting) { return left_.workers.is_anyone_waiting() ? waiting / 2 : 0; },
      .give =
          [this](trust_item item) {
            left_.put({{}, {std::move(item)}});
          }};
  for (left_by_one mine; left_.take(mine, s);)
    if (!explore(s, mine.items, with_others, &mine.where)) left_.put(std::move(mine));
}

void shared_trust::save(archive_writer& to) const {
  to.number(left_.size());
  left_.for_each([&](const left_by_one& left) {
    to.deliveries(left.where);
    to.list(left.items, [&](const trust_item& item) {
      to.deliveries(item.execution);
      to.list(item.inserted, [&](const trust_item::event& e) { to.number(e.step * std::uint64_t{2} + e.is_write); });
      to.flag(item.receive_is_new);
    });
  });
}

void shared_trust::load(archive_reader& from) {
  left_.clear();
  from.list([&] {
    left_by_one left;
    left.where = from.deliveries();
    from.list([&] {
      auto& item = left.items.emplace_back();
      item.execution = from.deliveries();
      from.list([&] {
        const auto e = from.number();
        item.inserted.push_back({static_cast<std::uint32_t>(e / 2), e % 2 != 0});
      });
      item.receive_is_new = from.flag();
    });
    left_.put(std::move(left));
  });
}

std::unique_ptr<shared_search> share_trust(made_by who) {
  if (who == made_by::one) return std::make_unique<search_by_one<decltype(&explore_trust_alone)>>(explore_trust_alone);
  return std::make_unique<shared_trust>([]() -> shared_trust::explorer {
    return [](search_context& s, std::vector<trust_item>& todo, const trust_sharing& sharing, schedule* where) {
      return explore_trust(s, todo, sharing, where);
    };
  });
}

}  // namespace harrier
