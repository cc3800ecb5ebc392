// Searches that let messages of one actor commute, by their fields or by trying, each with one mistake.
#include <set>
#include <string_view>
#include <utility>
#include <vector>

#include <src/engine/dpor/field_parts.hpp>
#include <src/engine/dpor/optimal.hpp>
#include <src/engine/dpor/semantic_parts.hpp>
#include <src/engine/dpor/source.hpp>

#include "cell_searches.hpp"
#include "mutants.hpp"

namespace harrier::differential {
namespace {

/// The dependence, told so that one thing can be got wrong.
class not_quite : public field_dependence {
public:
  using field_dependence::field_dependence;
};

/// B10: of what a step races with only the nearest.
class nearest_conflict_only : public not_quite {
public:
  using not_quite::not_quite;
  template <class Visit>
  void for_each_race(const happens_before& order, step_index f, Visit visit) {
    bool is_first = true;
    not_quite::for_each_race(order, f, [&](step_index e) {
      if (std::exchange(is_first, false)) visit(e);
    });
  }
};

/// Whether the receiver lives is nothing that a step touches.
class life_forgotten : public not_quite {
public:
  using not_quite::not_quite;
  [[nodiscard]] touched_set touched_by_last_step() {
    const auto i = system_.last_step();
    static_cast<void>(not_quite::touched_by_last_step());
    constexpr std::uint32_t life = 1U << 15U;
    if (known_[i].touches != everything)
      known_[i].touches = static_cast<touched_set>(static_cast<std::uint32_t>(known_[i].touches) | life);
    return known_[i].touches;
  }
};

/// What a handler reads is no matter.
class reads_forgotten : public not_quite {
public:
  using not_quite::not_quite;
  [[nodiscard]] touched_set touched_by_last_step() {
    const auto i = system_.last_step();
    static_cast<void>(not_quite::touched_by_last_step());
    const auto code = static_cast<std::uint32_t>(known_[i].touches);
    if (known_[i].touches != everything)
      known_[i].touches = static_cast<touched_set>((code >> 16U & 0x7fffU) | (code & 0xffff0000U));
    return known_[i].touches;
  }
};

/// Sends are in no order.
class sends_of_fields_forgotten : public not_quite {
public:
  using not_quite::not_quite;
  [[nodiscard]] touched_set touched_by_last_step() {
    const auto i = system_.last_step();
    static_cast<void>(not_quite::touched_by_last_step());
    constexpr std::uint32_t sending = 1U << 14U | 1U << 30U;
    if (known_[i].touches != everything)
      known_[i].touches = static_cast<touched_set>(static_cast<std::uint32_t>(known_[i].touches) | sending);
    return known_[i].touches;
  }
};

/// What was not run yet touches nothing that anybody writes.
class planned_counts_as_nothing : public not_quite {
public:
  using not_quite::not_quite;
  [[nodiscard]] event foreseen(message_slot m) const {
    auto e = not_quite::foreseen(m);
    e.touched.touches = static_cast<touched_set>(0xffffffffU);
    return e;
  }
};

template <class Wrong>
struct wrong_field_parts : parts {
  using dependence = Wrong;
  static void deliver_event(system& s, message_id label) { mutants::deliver_event_if_possible(s, label); }
  static void require(bool condition, const char* lemma) { mutants::require_of_mutant(condition, lemma); }
};

/// What is planned is run though it sleeps.
template <class Tree>
class nothing_dropped : public Tree {
public:
  using Tree::Tree;
  static bool drop_asleep(typename Tree::node_id /*n*/) { return false; }
};
struct parts_that_drop_nothing : field_parts {
  template <class Dependence>
  using tree = nothing_dropped<exploration_tree<Dependence>>;
};

/// What sleeps on after a planned leaf covers all that has nothing to do with it.
template <class Tree>
class never_in_doubt : public Tree {
public:
  using Tree::Tree;
  void enter(typename Tree::node_id child, touched_set touches) {
    Tree::enter(child, touches);
    this->at(child).doubts.count = 0;
  }
};
struct parts_without_doubt : field_parts {
  template <class Dependence>
  using tree = never_in_doubt<exploration_tree<Dependence>>;
};

/// What is sent is no matter.
class sends_forgotten : public semantic_dependence {
public:
  using semantic_dependence::semantic_dependence;

protected:
  [[nodiscard]] std::vector<fingerprint> effect(step_index first, step_index second) const override {
    auto all = semantic_dependence::effect(first, second);
    all.resize(1);
    return all;
  }
};

/// What state the receiver is left in is no matter.
class state_forgotten : public semantic_dependence {
public:
  using semantic_dependence::semantic_dependence;

protected:
  [[nodiscard]] std::vector<fingerprint> effect(step_index first, step_index second) const override {
    auto all = semantic_dependence::effect(first, second);
    all.front() = {};
    return all;
  }
};

/// Messages that commuted in one state do in all.
class once_and_for_all : public semantic_dependence {
public:
  using semantic_dependence::semantic_dependence;

protected:
  [[nodiscard]] std::vector<fingerprint> signature(step_index last, message_slot asleep) const override {
    auto all = semantic_dependence::signature(last, asleep);
    all.front() = {};
    return all;
  }
};

/// Sends are in no order.
class order_of_sends_forgotten : public semantic_dependence {
public:
  using semantic_dependence::semantic_dependence;

protected:
  [[nodiscard]] bool may_send_in_any_order(step_index /*e*/, step_index /*f*/) const override { return true; }
};

/// B10: a message races with nothing if it commutes with what it would race with, though it does not with what came
/// before.
class races_forgotten : public semantic_dependence {
public:
  using semantic_dependence::semantic_dependence;

  [[nodiscard]] bool sleeps_on(const event& asleep, const event& last) {
    const bool sleeps = semantic_dependence::sleeps_on(asleep, last);
    if (sleeps && asleep.touched.receiver == last.touched.receiver) commuting_.emplace(asleep.label, last.label);
    return sleeps;
  }
  [[nodiscard]] step_index rival(const happens_before& order, message_slot m) const {
    const auto e = semantic_dependence::rival(order, m);
    if (e == no_step) return e;
    const auto pair = std::pair(system_.step_at(e).label, system_.message_at(m).id);
    return commuting_.contains(pair) ? no_step : e;
  }

private:
  std::set<std::pair<message_id, message_id>> commuting_;
};

template <class Wrong>
struct wrong_semantic_parts : parts {
  using dependence = Wrong;
};

template <class Wrong>
constexpr auto by_wrong_fields = by_one<wrong_field_parts<Wrong>>;
template <class Wrong>
constexpr auto by_wrong_tries = by_source_sets<wrong_semantic_parts<Wrong>>;

}  // namespace

const std::vector<cell_mutant>& all_field_mutants() {
  static const std::vector<cell_mutant> all = {
      {"nearest_conflict_only", by_wrong_fields<nearest_conflict_only>},
      {"life_forgotten", by_wrong_fields<life_forgotten>},
      {"reads_forgotten", by_wrong_fields<reads_forgotten>},
      {"sends_forgotten", by_wrong_fields<sends_of_fields_forgotten>, cell_kind::tracked, delivery::fifo},
      {"planned_counts_as_nothing", by_wrong_fields<planned_counts_as_nothing>},
      {"nothing_dropped", by_one<parts_that_drop_nothing>},
      {"never_in_doubt", by_one<parts_without_doubt>, cell_kind::tracked, delivery::unordered, 3721},
  };
  return all;
}

const std::vector<semantic_mutant>& all_semantic_mutants() {
  static const std::vector<semantic_mutant> all = {
      {"sends_forgotten", by_wrong_tries<sends_forgotten>},
      {"state_forgotten", by_wrong_tries<state_forgotten>},
      {"once_and_for_all", by_wrong_tries<once_and_for_all>},
      {"order_of_sends_forgotten_fifo", by_wrong_tries<order_of_sends_forgotten>, delivery::fifo},
      {"order_of_sends_forgotten_causal", by_wrong_tries<order_of_sends_forgotten>, delivery::causal},
      {"races_forgotten", by_wrong_tries<races_forgotten>},
  };
  return all;
}

}  // namespace harrier::differential
