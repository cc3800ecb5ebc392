// Delay-bounded scheduling, M. Emmi, S. Qadeer, Z. Rakamaric, POPL 2011.
//
// Paper -> code. task queue of the deterministic scheduler: pending messages by place_ | schedule the next task: due()
// | delay: put_last() | delay bound: allowed_.
//
// A schedule is decided by how often what is due was delayed before each delivery, less often than there are
// deliverable messages: so each order of deliveries is one such list of numbers, and the search runs each list once. A
// round runs those that add up to `allowed_`; the shorter sums were the rounds before. When a round had nothing to
// leave out, all executions there are have been run.
//
// D1: The paper's scheduler is any deterministic one. Ours is a queue of messages, in the order in which they were
//     sent, of which those that cannot be delivered are passed over. A delayed message goes behind all others, those
//     too that are sent later: one delay is enough for "this one comes late", however late.
// D2: Their programs make no choices but the scheduler's. A draw that does not give 0 is a deviation too, or a handler
//     that draws would bring all combinations of its draws into the first round.
// D3: The scheduler is not asked to be fair: a program that never ends has one execution without delays, as long as
//     the depth limit lets it be.
#include <harrier/engine/delay.hpp>

#include <algorithm>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

#include <harrier/core/archive.hpp>
#include <harrier/core/names_in_use.hpp>

#include "item_pool.hpp"
#include "take_again.hpp"

namespace harrier {
namespace {

/// What was decided before a delivery, and in it.
struct choice {
  std::uint64_t delays = 0;  // of what was due
  std::uint64_t drawn = 0;   // draws that do not give 0
};
struct delayed {
  message_slot message;
  std::uint64_t from;  // where it was in the queue
};

/// A part of a round that shares nothing with any other: of its executions that begin with the first `root`
/// deliveries, the ones that are tried after all these deliveries; and those that begin with all of them.
struct part_of_round {
  schedule deliveries;
  std::size_t root = 0;
  bool is_below = true;  ///< what begins with all of them is among it
  std::vector<choice> choices;
  std::vector<delayed> delays;
  std::vector<std::uint64_t> places;  ///< none: as it is at the beginning
  std::uint64_t next_place = 0;
};

/// One worker, somewhere in the part_of_round that it explores.
class delaying {
public:
  /// @param deviations  those of the round: executions have exactly so many
  delaying(search_context& s, std::uint64_t deviations, const part_of_round& mine)
      : system_(s.tested),
        watcher_(s.watcher),
        root_(mine.root),
        is_below_(mine.is_below),
        allowed_(deviations),
        choices_(mine.choices),
        delayed_(mine.delays),
        place_(mine.places),
        next_place_(mine.next_place) {
    take_again(system_, mine.deliveries, [] {});
    append_new();
    for (const auto& c : choices_) spent_ += c.delays + c.drawn;
  }

  /// Runs what is left of the part. @param between  called between two steps
  /// @return whether the watcher let it
  template <class Between>
  bool run(Between between) {
    for (;;) {
      if (is_below_) {
        while (const auto m = due()) {
          if (watcher_.stopping()) return false;
          between();
          choices_.push_back({});
          deliver(m, 0);
        }
        if (spent_ == allowed_) watcher_.execution_ended(system_);
      }
      is_below_ = false;
      do
        if (choices_.size() == root_) return true;
      while (!deviate());
      is_below_ = true;
      if (watcher_.stopping()) return false;
    }
  }

  /// Whether there are executions with more deviations than the round had.
  [[nodiscard]] bool left_some_out() const { return left_some_out_; }

  /// What is left of the part. The system is then where it began.
  part_of_round leave() {
    auto left = part_of(choices_.size(), root_, is_below_);
    go_back();
    return left;
  }
  void go_back() {
    while (system_.depth() > 0) system_.undo();
  }

  /// Leaves to somebody else what is to be tried after the first delivery after which there may be something, if
  /// there is any.
  std::optional<part_of_round> give() {
    for (; root_ < choices_.size(); ++root_)
      if (may_have_more(root_)) {
        auto given = part_of(root_ + 1, root_, false);
        ++root_;
        return given;
      }
    return std::nullopt;
  }

private:
  /// Of the path its first `length` deliveries.
  [[nodiscard]] part_of_round part_of(std::size_t length, std::size_t root, bool is_below) const {
    part_of_round all{system_.current_schedule(), root, is_below, choices_, delayed_, place_, next_place_};
    all.deliveries.resize(length);
    all.choices.resize(length);
    std::size_t delays = 0;
    for (const auto& c : all.choices) delays += c.delays;
    for (; all.delays.size() > delays; all.delays.pop_back())
      all.places[all.delays.back().message] = all.delays.back().from;
    if (length < choices_.size()) all.places.resize(step_of(length).first_sent);
    return all;
  }
  [[nodiscard]] const harrier::step& step_of(std::size_t depth) const {
    return system_.step_at(system_.setup_steps() + depth);
  }
  /// Whether something else can be tried in place of that delivery, within the bound or not: if in doubt.
  [[nodiscard]] bool may_have_more(std::size_t depth) const {
    if (!system_.choices_of(static_cast<step_index>(system_.setup_steps() + depth)).empty()) return true;
    const auto pending = step_of(depth).first_sent - 1 - (system_.setup_steps() + depth);
    return pending > choices_[depth].delays + 1;
  }

  /// The first deliverable message of the queue; no_message at the end.
  [[nodiscard]] message_slot due() const {
    auto first = system_.first_deliverable();
    for (auto m = first; m != no_message; m = system_.next_deliverable(m))
      if (place_[m] < place_[first]) first = m;
    return first;
  }

  void append_new() {
    while (place_.size() <= system_.message_count()) place_.push_back(next_place_++);
  }

  void deliver(message_slot m, std::uint64_t code) {
    system_.deliver(m, code);
    append_new();
    auto& drawn = choices_.back().drawn;
    drawn = 0;
    for (const auto& c : system_.choices_of(system_.last_step()))
      if (digit(c) != 0) ++drawn;
    spent_ += drawn;
  }

  /// Puts another delivery, or the same with other draws, in place of the last
  /// one, if the bound allows any; else takes that back.
  /// @return whether it did.
  bool deviate() {
    if (choices_.empty()) return false;
    auto& here = choices_.back();
    const auto m = system_.step_at(system_.last_step()).message;
    const auto code = next_draws();
    system_.undo();
    place_.resize(system_.message_count() + 1);
    spent_ -= here.drawn;
    if (code != 0) {
      deliver(m, code);
      return true;
    }
    if (deliverable_more_than(here.delays + 1)) {  // else all had their turn here
      if (spent_ < allowed_) {
        put_last(m);
        ++here.delays;
        ++spent_;
        deliver(due(), 0);
        return true;
      }
      left_some_out_ = true;
    }
    for (auto i = here.delays; i > 0; --i) take_delay_back();
    spent_ -= here.delays;
    choices_.pop_back();
    return false;
  }

  /// The next draws of the last step, in the order of an odometer, that the bound
  /// allows; 0 if there are none.
  std::uint64_t next_draws() {
    const auto draws = system_.choices_of(system_.last_step());
    auto before = choices_.back().drawn;  // those before draw i that do not give 0
    const auto elsewhere = spent_ - before;
    for (auto i = draws.size(); i-- > 0;) {
      const auto value = digit(draws[i]);
      if (value != 0) --before;
      if (value + 1 == draws[i].arity) continue;
      if (elsewhere + before < allowed_) return with_draw(code_of_last_step(), draws[i], value + 1);
      left_some_out_ = true;
    }
    return 0;
  }
  [[nodiscard]] std::uint64_t code_of_last_step() const { return system_.step_at(system_.last_step()).code; }
  [[nodiscard]] std::uint64_t digit(const harrier::choice& c) const { return code_of_last_step() / c.scale % c.arity; }

  [[nodiscard]] bool deliverable_more_than(std::uint64_t n) const {
    auto m = system_.first_deliverable();
    for (; n > 0 && m != no_message; --n) m = system_.next_deliverable(m);
    return m != no_message;
  }

  void put_last(message_slot m) {
    delayed_.push_back({m, place_[m]});
    place_[m] = behind_all_others + next_place_++;
  }
  void take_delay_back() {
    const auto& last = delayed_.back();
    place_[last.message] = last.from;
    delayed_.pop_back();
  }

  static constexpr std::uint64_t behind_all_others = std::uint64_t{1} << 63;

  system& system_;
  observer& watcher_;
  std::size_t root_;  // the depth below which everything is this worker's
  bool is_below_;     // what comes after the last step was not looked at yet
  std::uint64_t allowed_;
  std::uint64_t spent_ = 0;  // deviations of the execution so far
  bool left_some_out_ = false;
  std::vector<choice> choices_;
  std::vector<delayed> delayed_;
  std::vector<std::uint64_t> place_;  // in the queue, by slot: lower ones first
  std::uint64_t next_place_;          // never given twice, so going back need not count it down
};

/// Rounds one after the other, each by all workers.
class shared_delay final : public shared_search {
public:
  shared_delay(const delay_options& how, delay_report& report) : how_(how), report_(report) {
    report_.within = how_.first;
    parts_.put({});
  }

  void work(search_context& s) override {
    const names_in_use held(s.tested, [](name_keeper&) {});
    const workforce::shift present(parts_.workers);
    for (part_of_round next; take(next, s);) work_on(next, s);
  }
  [[nodiscard]] bool is_explored() const override { return is_explored_; }
  void save(archive_writer& to) const override {
    to.number(report_.within);
    to.flag(is_explored_);
    to.flag(left_some_out_);
    to.number(parts_.size());
    parts_.for_each([&](const part_of_round& p) {
      to.deliveries(p.deliveries);
      to.number(p.root);
      to.flag(p.is_below);
      to.list(p.choices, [&](const choice& c) {
        to.number(c.delays);
        to.number(c.drawn);
      });
      to.list(p.delays, [&](const delayed& d) {
        to.number(d.message);
        to.number(d.from);
      });
      to.list(p.places, [&](std::uint64_t place) { to.number(place); });
      to.number(p.next_place);
    });
  }
  void load(archive_reader& from) override {
    parts_.clear();
    report_.within = from.number();
    is_explored_ = from.flag();
    left_some_out_ = from.flag();
    from.list([&] {
      part_of_round p;
      p.deliveries = from.deliveries();
      p.root = static_cast<std::size_t>(from.number());
      p.is_below = from.flag();
      from.list([&] {
        const auto delays = from.number();
        p.choices.push_back({delays, from.number()});
      });
      from.list([&] {
        const auto message = static_cast<message_slot>(from.number());
        p.delays.push_back({message, from.number()});
      });
      from.list([&] { p.places.push_back(from.number()); });
      p.next_place = from.number();
      parts_.put(std::move(p));
    });
  }

private:
  /// A part of this round or, when all of that was explored, of the next one.
  bool take(part_of_round& next, search_context& s) {
    do {
      if (is_over()) return false;  // a round that was begun within a larger bound is left where it is
      if (parts_.take(next, s)) return true;
    } while (!s.watcher.stopping() && begin_round());
    return false;
  }
  [[nodiscard]] bool is_over() const {
    const std::lock_guard lock(parts_.workers.guard);
    return is_explored_ || report_.within > how_.most;
  }
  /// Nobody has anything left of the round, and who finds that first is alone with it: the others wait, or are gone
  /// when that one is. @return whether there is another one
  bool begin_round() {
    {
      const std::lock_guard lock(parts_.workers.guard);
      if (is_explored_ || report_.within > how_.most) return false;
      ++report_.within;
      is_explored_ = !std::exchange(left_some_out_, false);
      if (is_explored_) return false;
    }
    parts_.put({});
    return true;
  }
  void work_on(const part_of_round& mine, search_context& s) {
    delaying search(s, report_.within, mine);
    const bool is_done = search.run([&] {
      if (!parts_.workers.is_anyone_waiting()) return;
      if (auto given = search.give()) parts_.put(std::move(*given));
    });
    if (search.left_some_out()) {
      const std::lock_guard lock(parts_.workers.guard);
      left_some_out_ = true;
    }
    if (is_done)
      search.go_back();
    else
      parts_.put(search.leave());
  }

  const delay_options how_;
  delay_report& report_;  // of the round that is run, and what follows of it, under the workers' guard
  bool is_explored_ = false;
  bool left_some_out_ = false;
  item_pool<part_of_round> parts_;
};

}  // namespace

std::unique_ptr<shared_search> share_delay(const delay_options& how, delay_report& report) {
  return std::make_unique<shared_delay>(how, report);
}

}  // namespace harrier
