#pragma once

#include <functional>
#include <utility>

#include <harrier/core/system.hpp>

namespace harrier {

/// While it lives, names that nobody needs any more are given back, so that the
/// memory of a search does not grow with the branches that it has left. For
/// searches that know which names they hold; without one, names stay.
///
/// The names of the current execution are kept anyway. `tell` names those that
/// the search holds besides: in sleep sets, in plans, in work items. It may be
/// called at the beginning of any delivery. A search within a search tells of its
/// own names alone.
class names_in_use {
public:
  names_in_use(system& s, std::function<void(name_keeper&)> tell)
      : system_(s), outer_(std::exchange(s.tell_names_, nullptr)) {
    if (outer_ == nullptr)
      s.hold_names(std::move(tell));
    else
      s.hold_names([this, tell = std::move(tell)](name_keeper& keep) {
        outer_(keep);
        tell(keep);
      });
  }
  ~names_in_use() { system_.hold_names(std::move(outer_)); }
  names_in_use(const names_in_use&) = delete;
  names_in_use& operator=(const names_in_use&) = delete;

private:
  system& system_;
  std::function<void(name_keeper&)> outer_;
};

}  // namespace harrier
