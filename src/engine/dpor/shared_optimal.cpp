#include "shared_optimal.hpp"

#include <memory>
#include <mutex>
#include <string>

#include <harrier/engine/optimal.hpp>

#include "../alone.hpp"
#include "../search_by_one.hpp"
#include "field_parts.hpp"
#include "late_parts.hpp"
#include "observing_parts.hpp"
#include "parts.hpp"

namespace harrier {
namespace {

std::unique_ptr<shared_search> by_one(optimal_options how) {
  auto explore = [how, ordering = std::string(how.ordering)](search_context& s) mutable {
    how.ordering = ordering;
    return explore_optimal_alone(s, how);
  };
  return std::make_unique<search_by_one<decltype(explore)>>(std::move(explore));
}

/// Of what it is to be is known once it has a system, or what another one wrote: whether races are seen late.
class shared_optimal_of_receivers final : public shared_search {
public:
  explicit shared_optimal_of_receivers(const optimal_options& how) : ordering_(how.ordering), how_(how) {
    how_.ordering = ordering_;
  }

  void work(search_context& s) override { of(!dependence(s.tested).foresees_all()).work(s); }
  [[nodiscard]] bool is_explored() const override { return search_ != nullptr && search_->is_explored(); }
  void save(archive_writer& to) const override {
    to.flag(search_ != nullptr);
    if (search_ == nullptr) return;
    to.flag(is_late_);
    search_->save(to);
  }
  void load(archive_reader& from) override {
    if (from.flag()) of(from.flag()).load(from);
  }

private:
  shared_search& of(bool is_late) {
    const std::lock_guard lock(guard_);
    if (search_ == nullptr) {
      is_late_ = is_late;
      if (is_late)
        search_ = std::make_unique<shared_optimal<late_parts>>(how_);
      else
        search_ = std::make_unique<shared_optimal<parts>>(how_);
    }
    return *search_;
  }

  const std::string ordering_;
  optimal_options how_;
  std::mutex guard_;
  bool is_late_ = false;
  std::unique_ptr<shared_search> search_;
};

}  // namespace

std::unique_ptr<shared_search> share_optimal(const optimal_options& how, made_by who) {
  if (who == made_by::one) return by_one(how);
  if (how.independence == independence::fields) return std::make_unique<shared_optimal<field_parts>>(how);
  if (how.observers) return std::make_unique<shared_optimal<observing_parts>>(how);
  return std::make_unique<shared_optimal_of_receivers>(how);
}

}  // namespace harrier
