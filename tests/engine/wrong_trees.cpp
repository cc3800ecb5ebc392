// Engines that are wrong about what is planned, and about what sleeps.
#include <src/engine/dpor/optimal.hpp>
#include <src/engine/dpor/shared_depth_first.hpp>
#include <src/engine/dpor/source.hpp>

#include "trust_turns.hpp"
#include "turns.hpp"
#include "wrong_parts.hpp"

namespace harrier::mutants {
namespace {

/// Sequences that are wrong about themselves.
template <class Dependence>
class initials_not_weak : public guarded_sequence<Dependence> {
public:
  using guarded_sequence<Dependence>::guarded_sequence;
  bool is_weak_initial(const event& p) {
    return this->first_dependent_on(p) != nullptr && guarded_sequence<Dependence>::is_weak_initial(p);
  }
};

template <class Dependence>
class shortened_to_the_message : public guarded_sequence<Dependence> {
public:
  using guarded_sequence<Dependence>::guarded_sequence;
  bool is_weak_initial(const event& p) {
    const auto* first = this->first_dependent_on(p);
    return first == nullptr || this->depends_.stands_for(p, first->step);
  }
};

template <class Dependence>
class shortened_without_causes : public guarded_sequence<Dependence> {
public:
  using guarded_sequence<Dependence>::guarded_sequence;
  template <class Before>
  auto& shorten(Before) {
    return guarded_sequence<Dependence>::shorten([](const auto&, const auto&) { return false; });
  }
};

template <class Dependence>
class not_shortened : public guarded_sequence<Dependence> {
public:
  using guarded_sequence<Dependence>::guarded_sequence;
  template <class Before>
  auto& shorten(Before before) {
    for (auto& x : this->elements_) x.needed = true;
    return guarded_sequence<Dependence>::shorten(before);
  }
};

template <class Dependence>
class past_only_sequence : public guarded_sequence<Dependence> {
public:
  using guarded_sequence<Dependence>::guarded_sequence;
  template <class Before>
  void keep_past_of_last(Before before) {
    const auto last = this->elements_.back();
    std::erase_if(this->elements_, [&](const auto& x) { return x.at != no_step && !before(x, last); });
  }
};

template <class Dependence>
class causal_past_only : public guarded_tree<Dependence, past_only_sequence<Dependence>> {
  using base = guarded_tree<Dependence, past_only_sequence<Dependence>>;

public:
  using base::base;
  template <class Sequence, class Before>
  void insert(typename base::node_id n, Sequence& v, typename base::node_id through, Before before) {
    v.keep_past_of_last(before);
    base::insert(n, v, through, before);
  }
};

/// Trees that are wrong about what sleeps.
template <class Dependence>
class covered_sequences_planned : public guarded_tree<Dependence> {
  using base = guarded_tree<Dependence>;

public:
  using base::base;
  template <class Sequence, class Before>
  void insert(typename base::node_id n, Sequence& v, typename base::node_id, Before before) {
    for (const auto& q : this->at(n).asleep) static_cast<void>(v.is_weak_initial(q));
    this->plans_.insert(this->at(n).todo, v, before);
  }
};

template <class Dependence>
class never_woken : public guarded_tree<Dependence> {
  using base = guarded_tree<Dependence>;

public:
  using base::base;
  void enter(typename base::node_id child, touched_set touches) {
    base::enter(child, touches);
    this->at(child).asleep = this->at(this->at(child).parent).asleep;
  }
};

template <class Dependence>
class siblings_do_not_sleep : public guarded_tree<Dependence> {
  using base = guarded_tree<Dependence>;

public:
  using base::base;
  void leave(typename base::node_id child) {
    const auto n = this->at(child).parent;
    base::leave(child);
    this->at(n).asleep.pop_back();
  }
};

template <class Dependence>
class sleep_survives_going_back : public guarded_tree<Dependence> {
  using base = guarded_tree<Dependence>;

public:
  using base::base;
  void leave(typename base::node_id child) {
    const auto asleep = this->at(child).asleep;
    base::leave(child);
    this->at(child).asleep = asleep;
  }
  /// Names are given back to those who are not named: what survives is named.
  template <class Visit>
  void for_each_event(Visit visit) const {
    base::for_each_event(visit);
    for (const auto& n : this->nodes_)
      for (const auto& e : n.asleep) visit(e);
  }
};

/// Trees that are wrong about what is planned.
template <class Dependence>
class frozen : public guarded_tree<Dependence> {
  using base = guarded_tree<Dependence>;

public:
  using base::base;
  using typename base::node_id;
  void enter(node_id child, touched_set touches) {
    base::enter(child, touches);
    flag(child) = false;
  }
  auto take_first(node_id n) {
    flag(n) = false;
    return base::take_first(n);
  }
  template <class Sequence, class Before>
  void insert(node_id n, Sequence& v, node_id through, Before before) {
    for (const auto& q : this->at(n).asleep)
      if (v.is_weak_initial(q)) return;
    if (!std::exchange(flag(n), true)) base::insert(n, v, through, before);
  }

private:
  char& flag(node_id n) {
    is_frozen_.resize(this->nodes_.size());
    return is_frozen_[static_cast<std::size_t>(n)];
  }

  std::vector<char> is_frozen_;
};

template <class Dependence>
class branch_planned_again : public guarded_tree<Dependence> {
  using base = guarded_tree<Dependence>;

public:
  using base::base;
  template <class Sequence, class Before>
  void insert(typename base::node_id n, Sequence& v, typename base::node_id, Before before) {
    for (const auto& q : this->at(n).asleep)
      if (v.is_weak_initial(q)) return;
    unlike_any other{v};
    this->plans_.insert(this->at(n).todo, other, before);
  }

private:
  struct unlike_any : guarded_sequence<Dependence> {
    explicit unlike_any(const guarded_sequence<Dependence>& v) : guarded_sequence<Dependence>(v) {}
    static bool is_weak_initial(const event&) { return false; }
  };
};

/// Knows what a step's message has become in the current execution.
class dependence_now : public dependence {
public:
  explicit dependence_now(const system& s) : dependence(s), system_(s) {}
  [[nodiscard]] event as_now(event e) const {
    if (const auto m = system_.slot_of(system_.names().message_of(e.label)); m != no_message)
      e.touched.receiver = system_.actor_at(system_.message_at(m).receiver).id;
    return e;
  }

private:
  const system& system_;
};

template <class Dependence>
class receiver_by_name : public guarded_tree<Dependence> {
  using base = guarded_tree<Dependence>;

public:
  using base::base;
  template <class Sequence, class Before>
  void insert(typename base::node_id n, Sequence& v, typename base::node_id, Before before) {
    for (const auto& q : this->at(n).asleep)
      if (v.is_weak_initial(q)) return;
    seen_now<Sequence> seen{v, this->depends_};
    this->plans_.insert(this->at(n).todo, seen, before);
  }

private:
  template <class Sequence>
  struct seen_now {
    Sequence& v;
    const Dependence& depends;
    bool is_weak_initial(const event& p) { return v.is_weak_initial(depends.as_now(p)); }
    void take(const event& p) { v.take(depends.as_now(p)); }
    [[nodiscard]] bool all_taken() const { return v.all_taken(); }
    template <class Before>
    auto& shorten(Before before) {
      return v.shorten(before);
    }
  };
};

template <class Dependence>
class tried_forgets_its_sends : public guarded_tree<Dependence> {
  using base = guarded_tree<Dependence>;

public:
  using base::base;
  auto& tried(typename base::node_id n) {
    auto& all = base::tried(n);
    for (auto& e : all) e.touched.touches = touched_set::nothing;
    return all;
  }
};

/// Trees that are wrong about what other cursors do.
template <class Dependence>
class running_counts_as_explored : public guarded_tree<Dependence> {
  using base = guarded_tree<Dependence>;

public:
  using base::base;
  template <class Sequence, class Before>
  void insert(typename base::node_id n, Sequence& v, typename base::node_id through, Before before) {
    if (this->branch_like(n, v, through) == base::none) base::insert(n, v, through, before);
  }
};

template <class Dependence>
class forgotten_when_explored : public guarded_tree<Dependence> {
  using base = guarded_tree<Dependence>;

public:
  using base::base;
  void enter(typename base::node_id child, touched_set touches) {
    base::enter(child, touches);
    this->at(child).is_last_word = true;
  }
};

template <class Dependence>
class running_does_not_sleep : public guarded_tree<Dependence> {
  using base = guarded_tree<Dependence>;

public:
  using base::base;
  void enter(typename base::node_id child, touched_set touches) {
    base::enter(child, touches);
    const auto& parent = this->at(this->at(child).parent);
    auto& asleep = this->at(child).asleep;
    for (const auto& q : std::exchange(asleep, {}))
      if (std::any_of(parent.asleep.begin(), parent.asleep.end(), [&](const auto& p) { return p.label == q.label; }))
        asleep.push_back(q);
  }
};

template <class Dependence>
class lost_on_the_way_home : public guarded_tree<Dependence> {
  using base = guarded_tree<Dependence>;

public:
  using base::base;
  void put_back(typename base::node_id, const typename base::event_type&) {}
};

template <class Dependence>
class none_is_whole : public guarded_tree<Dependence> {
  using base = guarded_tree<Dependence>;

public:
  using base::base;
  void enter(typename base::node_id child, touched_set touches) {
    base::enter(child, touches);
    this->at(child).is_whole = false;
  }
};

/// A sleep set into which nothing falls.
class sleepless : public sleep_set {
public:
  void insert(message_id, const std::vector<event>&) {}
};

/// A sleep set in which all that has slept sleeps on.
class never_waking : public sleep_set {
public:
  template <class Dependence>
  void inherit(const sleep_set& other, const event&, const Dependence&) {
    sleep_set::operator=(other);
  }
};

using differential::mutant;
using enum differential::search::promise;

template <class Parts>
mutant of_optimal(const wrong_search& wrong) {
  return wrong.run_as("optimal", optimal, [](system& s, observer& o, std::string_view by) {
    search_context context{s, o};
    return search_optimally<Parts>(context, {.ordering = by});
  });
}
template <class Wrong>
mutant of_source(const wrong_search& wrong) {
  return wrong.run_as("source", once, [](system& s, observer& o, std::string_view by) {
    search_context context{s, o};
    return explore_alone(context, share_depth_first<with_sleep_set<Wrong>, source>(by));
  });
}

template <template <class> class Wrong>
mutant in_turns(const wrong_search& wrong) {
  auto m = wrong.run_as("optimal in turns", optimal, nullptr);
  m.wrong.run_several = differential::search_in_turns<with_tree<Wrong>>;
  return m;
}

template <differential::mishap Wrong>
mutant of_items(const wrong_search& wrong) {
  auto m = wrong.run_as("trust in turns", optimal, nullptr);
  m.wrong.run_several = differential::trust_in_turns<Wrong>;
  return m;
}

struct now_by_name : with_tree<receiver_by_name> {
  using dependence = dependence_now;
};

void add_of_sleep(std::vector<mutant>& all) {
  all.push_back(of_optimal<with_tree<covered_sequences_planned>>(
      {"covered_sequences_planned", "a sequence is planned though a sleeping delivery is a weak initial of it"}));
  all.push_back(of_optimal<with_tree<never_woken>>(
      {"never_woken", "what sleeps is not woken by a delivery to the same receiver"}));
  all.push_back(of_optimal<with_tree<siblings_do_not_sleep>>(
      {"siblings_do_not_sleep", "an explored branch is not put to sleep"}));
  all.push_back(of_optimal<with_tree<sleep_survives_going_back>>(
      {"sleep_survives_going_back", "going back forgets to empty the sleep set of the point that was left"}));
  all.push_back(of_source<sleepless>({"source_siblings_do_not_sleep", "an explored branch is not put to sleep"}));
  all.push_back(of_source<never_waking>({"source_never_woken", "what sleeps is not woken by what is dependent on it"}));
}

void add_of_plans(std::vector<mutant>& all) {
  all.push_back(of_optimal<with_tree<frozen>>(
      {"frozen", "a point to which a sequence was added takes no other until that one is run"}));
  all.push_back(of_optimal<with_tree<branch_planned_again>>(
      {"branch_planned_again", "a planned branch is not recognised, so it is planned twice"}));
  all.push_back(of_optimal<now_by_name>(
      {"receiver_by_name", "a planned delivery's receiver is looked up by its name in the current execution"}));
  all.push_back(of_optimal<with_tree<causal_past_only>>(
      {"causal_past_only", "v is shortened to what happens before the message"}));
  all.push_back(of_optimal<with_sequence<initials_not_weak>>(
      {"initials_not_weak", "an initial must stand in v: one that is independent of all of v does not count"}));
  all.push_back(of_optimal<with_sequence<shortened_to_the_message>>(
      {"shortened_to_the_message", "of v only what happens before the message is kept, not what wakes the sleeping"}));
  all.push_back(of_optimal<with_sequence<shortened_without_causes>>(
      {"shortened_without_causes", "of v what is needed is kept, but not what happens before it"}));
  all.push_back(of_optimal<with_tree<tried_forgets_its_sends>>(
      {"tried_forgets_its_sends", "an alternative that was tried forgets to whom it sends", delivery::mailbox}));
}

void add_of_several(std::vector<mutant>& all) {
  all.push_back(in_turns<running_counts_as_explored>(
      {"running_counts_as_explored", "what begins like a branch that another cursor runs is not planned in it"}));
  all.push_back(in_turns<forgotten_when_explored>(
      {"forgotten_when_explored", "a branch is forgotten while those before it may still plan something in it"}));
  all.push_back(in_turns<running_does_not_sleep>(
      {"running_does_not_sleep", "a branch that another cursor runs does not sleep in those that are taken later"}));
  all.push_back(in_turns<lost_on_the_way_home>(
      {"lost_on_the_way_home", "a cursor that goes in the middle of an execution leaves the rest of it to nobody"}));
  all.push_back(in_turns<none_is_whole>(
      {"none_is_whole", "a sequence is planned in a branch that finds it by itself, beside what is begun there"}));
  using enum differential::mishap;
  all.push_back(of_items<lost>({"item_lost", "an item that is given away never arrives"}));
  all.push_back(of_items<given_twice>({"item_given_twice", "an item that is given away arrives twice"}));
  all.push_back(of_items<order_of_insertion_lost>(
      {"item_without_order", "an item's events are in the order in which they are run, not in that of insertion"}));
  all.push_back(of_items<draws_not_varied>({"item_without_draws", "an item's last receive keeps what it drew"}));
}

}  // namespace
}  // namespace harrier::mutants

namespace harrier::differential {

void add_wrong_trees(mutants_made& all) {
  mutants::add_of_sleep(all.mutants);
  mutants::add_of_plans(all.mutants);
  mutants::add_of_several(all.mutants);
  all.variants.push_back(mutants::of_optimal<mutants::with_sequence<mutants::not_shortened>>(
      {"optimal_inserts_whole", "whole sequences are put into the trees"}));
}

}  // namespace harrier::differential
