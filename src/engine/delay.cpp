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

#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include <harrier/core/names_in_use.hpp>

#include "../core/archive.hpp"
#include "take_again.hpp"

namespace harrier {
namespace {

class delaying {
public:
  explicit delaying(search_context& s) : system_(s.tested), watcher_(s.watcher) { append_new(); }

  /// What follows are the executions with exactly so many deviations.
  void begin_round(std::uint64_t deviations) {
    allowed_ = deviations;
    left_some_out_ = false;
  }

  /// Runs what is left of the round.
  /// @return whether the watcher let it.
  bool run_round() {
    for (;;) {
      while (const auto m = due()) {
        if (watcher_.stopping()) return false;
        choices_.push_back({});
        deliver(m, 0);
      }
      if (spent_ == allowed_) watcher_.execution_ended(system_);
      while (!deviate())
        if (choices_.empty()) return true;
      if (watcher_.stopping()) return false;
    }
  }

  /// Whether there are executions with more deviations than the round had.
  [[nodiscard]] bool left_some_out() const { return left_some_out_; }

  /// Writes down what is left of the round. The system is then where it began.
  void leave(archive_writer& to) {
    to.deliveries(system_.current_schedule());
    to.number(allowed_);
    to.number(spent_);
    to.flag(left_some_out_);
    to.list(choices_, [&](const choice& c) {
      to.number(c.delays);
      to.number(c.drawn);
    });
    to.list(delayed_, [&](const delayed& d) {
      to.number(d.message);
      to.number(d.from);
    });
    to.list(place_, [&](std::uint64_t place) { to.number(place); });
    to.number(next_place_);
    while (system_.depth() > 0) system_.undo();
  }
  /// What `leave` wrote is what is left.
  void return_to(archive_reader& from) {
    take_again(system_, from.deliveries(), [] {});
    allowed_ = from.number();
    spent_ = from.number();
    left_some_out_ = from.flag();
    from.list([&] {
      const auto delays = from.number();
      choices_.push_back({delays, from.number()});
    });
    from.list([&] {
      const auto message = static_cast<message_slot>(from.number());
      delayed_.push_back({message, from.number()});
    });
    place_.clear();
    from.list([&] { place_.push_back(from.number()); });
    next_place_ = from.number();
  }

private:
  /// What was decided before a delivery, and in it.
  struct choice {
    std::uint64_t delays = 0;  // of what was due
    std::uint64_t drawn = 0;   // draws that do not give 0
  };
  struct delayed {
    message_slot message;
    std::uint64_t from;
  };

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
  std::uint64_t allowed_ = 0;
  std::uint64_t spent_ = 0;  // deviations of the execution so far
  bool left_some_out_ = false;
  std::vector<choice> choices_;
  std::vector<delayed> delayed_;
  std::vector<std::uint64_t> place_;  // in the queue, by slot: lower ones first
  std::uint64_t next_place_ = 0;      // never given twice, so going back need not count it down
};

class shared_delay final : public shared_search {
public:
  shared_delay(const delay_options& how, delay_report& report) : how_(how), report_(report) {
    report_.within = how_.first;
  }

  void work(search_context& s) override {
    // A round that was begun within a larger bound is left where it is.
    while (!is_explored_ && report_.within <= how_.most && !s.watcher.stopping()) work_on_round(s);
  }
  [[nodiscard]] bool is_explored() const override { return is_explored_; }
  void save(archive_writer& to) const override {
    to.number(report_.within);
    to.flag(is_explored_);
    to.text(left_);
  }
  void load(archive_reader& from) override {
    report_.within = from.number();
    is_explored_ = from.flag();
    left_ = from.text();
  }

private:
  void work_on_round(search_context& s) {
    const names_in_use held(s.tested, [](name_keeper&) {});
    delaying search(s);
    search.begin_round(report_.within);
    if (!left_.empty()) {
      std::istringstream left(std::exchange(left_, {}));
      archive_reader from(left);
      search.return_to(from);
    }
    if (search.run_round()) {
      ++report_.within;
      is_explored_ = !search.left_some_out();
      return;
    }
    std::ostringstream left;
    archive_writer to(left);
    search.leave(to);
    left_ = left.str();
  }

  const delay_options how_;
  delay_report& report_;
  bool is_explored_ = false;
  std::string left_;  // of the round with report_.within deviations; empty: all of it
};

}  // namespace

bool explore_delay(search_context& s, const delay_options& how, delay_report& report) {
  const names_in_use held(s.tested, [](name_keeper&) {});
  delaying search(s);
  report.within = how.first;
  for (auto deviations = how.first;; ++deviations) {
    search.begin_round(deviations);
    if (!search.run_round()) return false;
    report.within = deviations + 1;
    if (!search.left_some_out()) return true;
    if (deviations == how.most) return false;
  }
}

std::unique_ptr<shared_search> share_delay(const delay_options& how, delay_report& report) {
  return std::make_unique<shared_delay>(how, report);
}

}  // namespace harrier
