// Workers of one exploration that are wrong about what they share.
#include "turns.hpp"
#include "wrong_parts.hpp"

namespace harrier::mutants {
namespace {

template <class Dependence, template <class> class Tree>
class lost_above : public worker_tree<Dependence, Tree> {
  using base = worker_tree<Dependence, Tree>;

public:
  using base::base;
  template <class Sequence, class Before>
  void insert(typename base::node_id n, Sequence& v, typename base::node_id through, Before before) {
    if (!this->is_common(n)) base::insert(n, v, through, before);
  }
};

template <class Dependence, template <class> class Tree>
class told_once : public worker_tree<Dependence, Tree> {
  using base = worker_tree<Dependence, Tree>;

public:
  using base::base;
  template <class Sequence, class Before>
  void insert(typename base::node_id n, Sequence& v, typename base::node_id through, Before before) {
    const auto first = v.elements().front().step;
    base::insert(n, v, through, before);
    if (this->is_common(n)) this->known(n).covers.push_back({first});
  }
};

template <class Dependence, template <class> class Tree>
class given_awake : public worker_tree<Dependence, Tree> {
  using base = worker_tree<Dependence, Tree>;

public:
  using base::base;
  bool give(typename base::node_id here) {
    if (this->is_inside())
      for (const auto n : this->own_path(here)) this->at(n).asleep.clear();
    return base::give(here);
  }
};

template <class Dependence, template <class> class Tree>
class explored_when_left : public worker_tree<Dependence, Tree> {
  using base = worker_tree<Dependence, Tree>;

public:
  using base::base;
  void leave(typename base::node_id child) {
    const auto n = this->at(child).parent;
    const bool is_above = this->is_common(n);
    const auto step = this->at(child).step;
    base::leave(child);
    if (is_above) this->known(n).covers.push_back({step});
  }
};

/// A tree in which what was taken first is still planned, where others can take it.
template <class Dependence>
class taken_twice : public guarded_tree<Dependence> {
  using base = guarded_tree<Dependence>;

public:
  using base::base;
  typename base::node_id take_first(typename base::node_id n) {
    const auto child = base::take_first(n);
    if constexpr (std::is_same_v<Dependence, portable_dependence>) {
      if (child != base::none && !std::exchange(was_, true)) this->plan_next_draw(child, this->step_to(child));
    }
    return child;
  }

private:
  bool was_ = false;
};

using differential::mutant;
using enum differential::search::promise;

template <class Parts, template <class, template <class> class> class Tree = worker_tree>
mutant by_workers(const wrong_search& wrong) {
  auto m = wrong.run_as("optimal by workers", optimal, nullptr);
  m.wrong.run_several = differential::search_by_workers<Parts, Tree>;
  return m;
}

}  // namespace
}  // namespace harrier::mutants

namespace harrier::differential {

void add_wrong_workers(mutants_made& all) {
  using namespace mutants;
  all.mutants.push_back(by_workers<guarded_parts, lost_above>(
      {"lost_above", "what a worker finds out about the part that others share is not planned there"}));
  all.mutants.push_back(by_workers<guarded_parts, told_once>(
      {"told_once", "where a sequence was planned, all that has its first step first is taken for covered"}));
  all.mutants.push_back(by_workers<guarded_parts, given_awake>(
      {"given_awake", "what is given away does not sleep where it was given: the branches explored are forgotten"}));
  all.mutants.push_back(by_workers<guarded_parts, explored_when_left>(
      {"explored_when_left", "a branch that a worker left counts as covered, though others must plan in it"}));
  all.mutants.push_back(
      by_workers<with_tree<taken_twice>>({"taken_twice", "a branch is taken by two workers, and run by both"}));
}

}  // namespace harrier::differential
