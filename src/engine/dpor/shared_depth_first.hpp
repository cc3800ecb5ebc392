// The engines on search_depth_first, as searches that are stopped between any two
// steps and gone on with elsewhere. One worker at a time explores: what such an
// algorithm finds out deep in an execution it plans at any point of its path, so
// there is no part of it that somebody else could be given.
//
// What is left is the path, and what the algorithm holds at each of its points.
// Slots are given in the order of sending and creating, so they mean the same in
// every system of the program that took the path; names are private to a system,
// and written as slots.
#pragma once

#include <memory>
#include <sstream>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include <harrier/core/archive.hpp>
#include <harrier/core/dependence.hpp>
#include <harrier/core/invariant.hpp>
#include <harrier/engine/shared_search.hpp>

#include "../depth_first.hpp"
#include "../take_again.hpp"

namespace harrier {

/// Writes what is held at the points of the path at whose end a system is.
template <class Dependence>
class path_writer : public archive_writer {
public:
  path_writer(std::ostream& to, const system& s, const Dependence& depends)
      : archive_writer(to), system_(s), depends_(depends) {}

  void slots(const std::vector<std::uint32_t>& all) {
    list(all, [this](std::uint32_t slot) { number(slot); });
  }
  /// A step that was taken, or that sleeps, at a point of the path: its message was
  /// sent by then.
  void step(const event& e) {
    const auto m = system_.slot_of(system_.names().message_of(e.label));
    HARRIER_INVARIANT(m != no_message, "what sleeps or was tried at a point had been sent before it");
    number(m);
    number(system_.names().code_of(e.label));
    number(system_.slot_of(e.touched.receiver));
    // Those that are not there only the step itself would create, so until it was
    // taken no other step touches them.
    std::vector<actor_slot> there;
    for (const auto a : depends_.members(e.touched.touches))
      if (system_.exists(a)) there.push_back(system_.slot_of(a));
    slots(there);
    flag(e.one_of_several);
  }

private:
  const system& system_;
  const Dependence& depends_;
};

/// Reads what a path_writer wrote, in a system that is at the end of the same path.
template <class Dependence>
class path_reader : public archive_reader {
public:
  path_reader(std::istream& from, system& s, Dependence& depends)
      : archive_reader(from), system_(s), depends_(depends) {}

  std::uint32_t slot() { return static_cast<std::uint32_t>(number()); }
  void slots(std::vector<std::uint32_t>& all) {
    all.clear();
    list([&] { all.push_back(slot()); });
  }
  event step() {
    event e;
    const auto m = system_.message_at(slot()).id;
    e.label = system_.names().alternative(m, number());
    e.touched.receiver = system_.actor_at(slot()).id;
    std::vector<actor_id> touched;
    list([&] { touched.push_back(system_.actor_at(slot()).id); });
    e.touched.touches = depends_.number(std::move(touched));
    e.one_of_several = flag();
    return e;
  }
  [[nodiscard]] const system& tested() const { return system_; }

private:
  system& system_;
  Dependence& depends_;
};

/// @tparam Algorithm  as search_depth_first wants it, and with
///   void save(path_writer<Dependence>&) const  write what it holds at its points
///   void load(path_reader<Dependence>&)        take that over, in place of enter()
/// Nothing else of it may outlast a step.
template <class Parts, class Algorithm, class... How>
class shared_depth_first final : public shared_search {
public:
  explicit shared_depth_first(std::string_view ordering, How... how) : ordering_(ordering), how_(how...) {}

  void work(search_context& s) override {
    if (is_explored_ || s.watcher.stopping()) return;
    const past_aborts guard(s.tested);
    const auto arranged = make_ordering(ordering_, s.tested);
    typename Parts::dependence depends(s.tested);
    happens_before order(s.tested);
    auto algorithm = std::apply(
        [&](auto... how) { return Algorithm(s.tested, s.watcher, *arranged, order, depends, how...); }, how_);
    if (is_begun_) {
      std::istringstream left(left_);
      path_reader from(left, s.tested, depends);
      take_again(s.tested, from.deliveries(), [&] { order.push(depends); });
      arranged->load(from);
      algorithm.load(from);
    }
    is_explored_ = search_depth_first<Parts>(s, depends, order, *arranged, algorithm, std::exchange(is_begun_, true));
    std::ostringstream left;
    if (!is_explored_) {
      path_writer to(left, s.tested, depends);
      to.deliveries(s.tested.current_schedule());
      arranged->save(to);
      algorithm.save(to);
    }
    left_ = left.str();
    while (s.tested.depth() > 0) s.tested.undo();
  }
  [[nodiscard]] bool is_explored() const override { return is_explored_; }
  void save(archive_writer& to) const override {
    to.flag(is_begun_);
    to.flag(is_explored_);
    to.text(left_);
  }
  void load(archive_reader& from) override {
    is_begun_ = from.flag();
    is_explored_ = from.flag();
    left_ = from.text();
  }

private:
  const std::string ordering_;
  const std::tuple<How...> how_;
  bool is_begun_ = false;
  bool is_explored_ = false;
  std::string left_;  // where it was stopped
};

/// @tparam Algorithm  as in shared_depth_first, made of `Parts`
template <class Parts, template <class> class Algorithm, class... How>
std::unique_ptr<shared_search> share_depth_first(std::string_view ordering, How... how) {
  return std::make_unique<shared_depth_first<Parts, Algorithm<Parts>, How...>>(ordering, how...);
}

}  // namespace harrier
