#pragma once

#include <utility>

#include <harrier/core/invariant.hpp>
#include <harrier/engine/shared_search.hpp>

namespace harrier {

/// A search that is made by one worker, once (made_by::one).
/// @tparam Explore  called with the worker's search_context, explores all, and returns whether that came to its end;
///                  it may have a conclude(), as shared_search has
template <class Explore>
class search_by_one final : public shared_search {
public:
  explicit search_by_one(Explore explore) : explore_(std::move(explore)) {}

  void work(search_context& s) override {
    is_explored_ = explore_(s);
    while (s.tested.depth() > 0) s.tested.undo();
  }
  [[nodiscard]] bool is_explored() const override { return is_explored_; }
  void save(archive_writer&) const override { HARRIER_INVARIANT(false, not_written); }
  void load(archive_reader&) override { HARRIER_INVARIANT(false, not_written); }
  void conclude(exploration& result) const override {
    if constexpr (requires { explore_.conclude(result); }) explore_.conclude(result);
  }

private:
  static constexpr auto not_written = "a search by one worker is not written down";

  Explore explore_;
  bool is_explored_ = false;
};

}  // namespace harrier
