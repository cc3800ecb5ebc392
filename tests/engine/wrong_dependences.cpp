// Engines that are wrong about what is dependent on what.
#include "../../src/engine/dpor/transdpor_as_measured.hpp"
#include <src/engine/dpor/dcute.hpp>
#include <src/engine/dpor/optimal.hpp>
#include <src/engine/dpor/persistent.hpp>
#include <src/engine/dpor/shared_depth_first.hpp>
#include <src/engine/dpor/source.hpp>
#include <src/engine/dpor/transdpor.hpp>
#include <src/engine/trust/trust.hpp>

#include "wrong_parts.hpp"

namespace harrier::mutants {
namespace {

/// The right dependence, told so that one thing can be got wrong: its races are
/// asked of `Wrong`.
template <class Wrong>
class wrong_dependence : public dependence {
public:
  explicit wrong_dependence(const system& s) : dependence(s), system_(s) {}

  [[nodiscard]] step_index rival(const happens_before& order, message_slot m) const {
    return latest_race(order, m, system_.actor_at(system_.message_at(m).receiver).last_step);
  }
  template <class Visit>
  void for_each_race(const happens_before& order, step_index f, Visit visit) {
    const auto& s = system_.step_at(f);
    if (const auto e = latest_race(order, s.message, s.previous); e != no_step) visit(e);
    static_cast<Wrong&>(*this).for_each_late_race(order, f, visit);
  }

protected:
  /// What is said of message `m` and a step `e` that does not happen before it.
  enum class saying : std::uint8_t { race, go_on, give_up };

  [[nodiscard]] saying judge(message_slot m, step_index e) const {
    return system_.was_deliverable(m, e) ? saying::race : saying::go_on;
  }

  const system& system_;

private:
  [[nodiscard]] step_index latest_race(const happens_before& order, message_slot m, step_index latest) const {
    if (!foresees_all()) return no_step;
    for (auto e = latest; system_.is_explored(e) && !order.before_sending(e, m); e = system_.step_at(e).previous) {
      const auto said = static_cast<const Wrong&>(*this).judge(m, e);
      if (said != saying::go_on) return said == saying::race ? e : no_step;
    }
    return no_step;
  }
};

class only_the_last_delivery : public wrong_dependence<only_the_last_delivery> {
public:
  using wrong_dependence::saying;
  using wrong_dependence::wrong_dependence;
  [[nodiscard]] saying judge(message_slot m, step_index e) const {
    return system_.was_deliverable(m, e) ? saying::race : saying::give_up;
  }
};

class twins_interchangeable : public wrong_dependence<twins_interchangeable> {
public:
  using wrong_dependence::saying;
  using wrong_dependence::wrong_dependence;
  [[nodiscard]] saying judge(message_slot m, step_index e) const {
    const auto& x = system_.message_at(m);
    const auto& y = system_.message_at(system_.step_at(e).message);
    const bool are_twins = x.type == y.type && x.type->hash(x.payload) == y.type->hash(y.payload);
    return are_twins ? saying::go_on : wrong_dependence::judge(m, e);
  }
};

class replies_outside_the_schedule : public wrong_dependence<replies_outside_the_schedule> {
public:
  using wrong_dependence::saying;
  using wrong_dependence::wrong_dependence;
  [[nodiscard]] saying judge(message_slot m, step_index e) const {
    const bool is_reply = system_.message_at(system_.step_at(e).message).kind == message::role::reply;
    return is_reply ? saying::give_up : wrong_dependence::judge(m, e);
  }
};

class undeliverable_ignored : public wrong_dependence<undeliverable_ignored> {
public:
  using wrong_dependence::wrong_dependence;
  [[nodiscard]] step_index rival(const happens_before& order, message_slot m) const {
    return system_.deliverable(m) ? wrong_dependence::rival(order, m) : no_step;
  }
  [[nodiscard]] step_index latest_conflict(const happens_before& order, message_slot m) const {
    return system_.deliverable(m) ? wrong_dependence::latest_conflict(order, m) : no_step;
  }
};

class fifo_hides_the_rest : public wrong_dependence<fifo_hides_the_rest> {
public:
  using wrong_dependence::wrong_dependence;
  [[nodiscard]] step_index rival(const happens_before& order, message_slot m) const {
    for (auto x = system_.first_pending(); x != m; x = system_.next_pending(x))
      if (are_of_one_channel(x, m)) return no_step;
    return wrong_dependence::rival(order, m);
  }

private:
  [[nodiscard]] bool are_of_one_channel(message_slot a, message_slot b) const {
    const auto& x = system_.message_at(a);
    const auto& y = system_.message_at(b);
    return x.receiver == y.receiver && system_.step_at(x.sent_by).receiver == system_.step_at(y.sent_by).receiver;
  }
};

class latest_conflict_only : public wrong_dependence<latest_conflict_only> {
public:
  using wrong_dependence::wrong_dependence;
  template <class Visit>
  void for_each_conflict(const happens_before& order, message_slot m, Visit visit) const {
    if (const auto e = latest_conflict(order, m); e != no_step) visit(e);
  }
};

class sends_do_not_wake : public wrong_dependence<sends_do_not_wake> {
public:
  using wrong_dependence::wrong_dependence;
  [[nodiscard]] bool between(const footprint& a, const footprint& b) const { return a.receiver == b.receiver; }
};

class sends_do_not_race : public wrong_dependence<sends_do_not_race> {
public:
  using wrong_dependence::wrong_dependence;
  template <class Visit>
  void for_each_late_race(const happens_before&, step_index, Visit) {}
};

class sends_race_with_one_only : public wrong_dependence<sends_race_with_one_only> {
public:
  using wrong_dependence::wrong_dependence;
  template <class Visit>
  void for_each_late_race(const happens_before& order, step_index f, Visit visit) {
    const auto first = last_sender_to_first(f);
    wrong_dependence::for_each_late_race(order, f, [&](step_index e) {
      if (e == first) visit(e);
    });
  }

private:
  [[nodiscard]] step_index last_sender_to_first(step_index f) const {
    for (const auto m : system_.sent_by(f))
      for (auto x = system_.step_at(f).first_sent - 1; x != no_message && !system_.message_at(m).dead; --x)
        if (system_.message_at(x).receiver == system_.message_at(m).receiver && !system_.message_at(x).dead)
          return system_.message_at(x).sent_by;
    return no_step;
  }
};

using differential::mutant;
using differential::mutants_made;
using enum differential::search::promise;

template <class Wrong>
mutant of_optimal(const wrong_search& wrong) {
  return wrong.run_as("optimal", optimal, [](system& s, observer& o, std::string_view by) {
    search_context context{s, o};
    return search_optimally<with_dependence<Wrong>>(context, {.ordering = by});
  });
}
template <class Wrong>
mutant of_source(const wrong_search& wrong) {
  return wrong.run_as("source", once, [](system& s, observer& o, std::string_view by) {
    search_context context{s, o};
    return explore_alone(context, share_depth_first<with_dependence<Wrong>, source>(by));
  });
}
template <class Wrong>
mutant of_transdpor(const wrong_search& wrong) {
  return wrong.run_as("transdpor", once, [](system& s, observer& o, std::string_view by) {
    search_context context{s, o};
    return explore_alone(context, share_depth_first<with_dependence<Wrong>, transdpor>(by, true));
  });
}
template <class Wrong>
mutant of_persistent(const wrong_search& wrong) {
  return wrong.run_as("persistent", once, [](system& s, observer& o, std::string_view by) {
    search_context context{s, o};
    return explore_alone(context, share_depth_first<with_dependence<Wrong>, persistent_search>(by, true));
  });
}
template <class Wrong>
mutant of_dcute(const wrong_search& wrong) {
  return wrong.run_as("dcute", covers, [](system& s, observer& o, std::string_view by) {
    search_context context{s, o};
    return explore_alone(context, share_depth_first<with_dependence<Wrong>, dcute>(by));
  });
}
template <class Wrong>
mutant of_trust(const wrong_search& wrong) {
  return wrong.run_as("trust", optimal, [](system& s, observer& o, std::string_view) {
    return search_by_revisits<with_dependence<Wrong>>(s, o);
  });
}

void add_of_optimal(std::vector<mutant>& all) {
  all.push_back(of_optimal<only_the_last_delivery>(
      {"only_the_last_delivery",
       "a message is compared with the delivery just before it only, though that may have disabled it"}));
  all.push_back(
      of_optimal<undeliverable_ignored>({"undelivered_ignored", "messages that are never delivered have no races"}));
  all.push_back(of_optimal<twins_interchangeable>(
      {"twins_interchangeable", "messages with the same contents are not raced with each other"}));
  all.push_back(of_optimal<replies_outside_the_schedule>(
      {"replies_outside_the_schedule",
       "the walk back stops at a reply, so nothing races with the delivery that made the call"}));
  all.push_back(of_optimal<fifo_hides_the_rest>(
      {"fifo_hides_the_rest",
       "of the messages from one actor to another that are not delivered only the first has races, though it may be "
       "refused",
       delivery::fifo}));
  all.push_back(of_optimal<sends_do_not_wake>(
      {"sends_do_not_wake", "a sleeping delivery is not woken by one that sends to an actor to which it sends",
       delivery::mailbox}));
  all.push_back(of_optimal<sends_do_not_race>(
      {"sends_do_not_race", "deliveries race at their receiver only, not for who sends first", delivery::mailbox}));
  all.push_back(of_optimal<sends_race_with_one_only>(
      {"sends_race_with_one_only",
       "a delivery that sends to two actors races with the last one before it that sends to the first of them",
       delivery::mailbox}));
}

void add_of_others(std::vector<mutant>& all) {
  all.push_back(of_source<only_the_last_delivery>(
      {"source_only_the_last_delivery", "a message is compared with the delivery just before it only"}));
  all.push_back(of_source<undeliverable_ignored>(
      {"source_undelivered_ignored", "messages that cannot be delivered have no races"}));
  all.push_back(of_source<sends_do_not_race>({"source_sends_do_not_race",
                                              "deliveries race at their receiver only, not for who sends first",
                                              delivery::mailbox}));
  all.push_back(of_transdpor<undeliverable_ignored>(
      {"transdpor_only_delivered", "messages that are not deliverable do not race"}));
  all.push_back(wrong_search{"transdpor_as_measured",
                             "no mutant: the engine behind a published table, which loses executions with destroy, "
                             "guards and calls"}
                    .run_as("transdpor_as_measured", covers, [](system& s, observer& o, std::string_view by) {
                      search_context context{s, o};
                      return explore_alone(context, share_transdpor_as_measured({.ordering = by}));
                    }));
  all.push_back(of_trust<latest_conflict_only>(
      {"trust_latest_receive", "a send revisits the last receive of its receiver only"}));
}

}  // namespace
}  // namespace harrier::mutants

namespace harrier::differential {

void add_wrong_dependences(mutants_made& all) {
  mutants::add_of_optimal(all.mutants);
  mutants::add_of_others(all.mutants);
  const std::string last_one_only =
      "a send is compared with the last unordered delivery only: reversing that exposes the others";
  all.variants.push_back(
      mutants::of_persistent<mutants::latest_conflict_only>({"persistent_latest_receive", last_one_only}));
  all.variants.push_back(mutants::of_dcute<mutants::latest_conflict_only>({"dcute_latest_receive", last_one_only}));
}

}  // namespace harrier::differential
