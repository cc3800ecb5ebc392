// What two states must differ in, shown by programs in which taking them for one loses a finding.
#include <gmock/gmock.h>

#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include <harrier/explore/explore.hpp>
#include <harrier/native/program.hpp>

namespace harrier {
namespace {

/// A way in which states are compared as they are.
struct way {
  std::string name;
  options how;

  friend std::ostream& operator<<(std::ostream& out, const way& w) { return out << w.name; }
};

way states(std::string name, visited_states visited, search_order search) {
  way w{std::move(name), {}};
  w.how.search.engine = "stateful";
  w.how.judging.keep_going = true;
  w.how.states.visited = visited;
  w.how.states.order = search;
  return w;
}

way without_sleep_sets(way w) {
  w.name += "WithoutSleepSets";
  w.how.search.sleep_sets = false;
  return w;
}

std::vector<way> ways() {
  using enum visited_states;
  using enum search_order;
  const auto usual = states("Compacted", compacted, depth_first);
  return {usual, without_sleep_sets(usual), states("CompactedBreadthFirst", compacted, breadth_first),
          states("Whole", exact, depth_first), states("WholeBreadthFirst", exact, breadth_first)};
}

class StatesThatDiffer : public testing::TestWithParam<way> {
protected:
  static std::vector<std::string> found_in(const program& tested) {
    std::vector<std::string> texts;
    for (const auto& f : explore(tested, GetParam().how).findings)
      texts.push_back(std::string(to_string(f.kind)) + " " + f.message);
    return texts;
  }
};

/// Says nothing until both who will ask are at work.
struct late_clock {
  int at_work = 0;

  void begin() { ++at_work; }
  int hour() const { return 1; }
  bool accepts(handler<&late_clock::hour>) const { return at_work == 2; }
};

/// Has its number to give, but asks for the hour first.
struct counter {
  int number = 0;
  ref<late_clock> clock;

  task_of<int> get(self& me) {
    me.send<&late_clock::begin>(clock);
    co_return number* co_await me.call<&late_clock::hour>(clock);
  }
};

struct asker {
  int expected = 0;

  void ask(self& me, ref<counter> whom) { me.call<&counter::get>(whom).then<&asker::take>(); }
  void take(self& me, int number) { me.check(number == expected, "it asked the other one"); }
};

/// Says who asks whom. Once both counters are at work, all that differs is for whom.
struct matchmaker {
  ref<counter> one, two;
  ref<asker> first, second;

  void match(self& me) const {
    const bool is_crossed = me.choose(2) == 1;
    me.send<&asker::ask>(first, is_crossed ? two : one);
    me.send<&asker::ask>(second, is_crossed ? one : two);
  }
};

void ask_crosswise(self& me) {
  const auto clock = me.create<late_clock>();
  const auto one = me.create<counter>(1, clock);
  const auto two = me.create<counter>(2, clock);
  const auto first = me.create<asker>(1);
  const auto second = me.create<asker>(2);
  me.send<&matchmaker::match>(me.create<matchmaker>(one, two, first, second));
}

TEST_P(StatesThatDiffer, InWhoseRequestASuspendedHandlerAnswers) {
  EXPECT_THAT(found_in(make_program(ask_crosswise)), testing::ElementsAre("assertion it asked the other one"));
}

struct mortal;

/// Deadlocks if whom it asks is gone.
struct friend_of_mortal {
  ref<mortal> other;
  task look(self& me);
};

struct mortal {
  ref<friend_of_mortal> looking;

  int answer() const { return 1; }
  /// Somebody looks, now or only once this one is gone.
  void live(self& me) {
    const bool fails = me.choose(2) == 0;
    if (fails) me.send<&friend_of_mortal::look>(looking);
    me.send<&mortal::die>(me.me<mortal>(), fails);
  }
  void meet(ref<friend_of_mortal> other) { looking = other; }
  void die(self& me, bool fails) {
    me.require(!fails, "it died of it");
    me.send<&friend_of_mortal::look>(looking);
    me.destroy();
  }
};

task friend_of_mortal::look(self& me) { co_await me.call<&mortal::answer>(other); }

void live_and_die(self& me) {
  const auto one = me.create<mortal>();
  const auto other = me.create<friend_of_mortal>(one);
  me.send<&mortal::meet>(one, other);
  me.send<&mortal::live>(one);
}

TEST_P(StatesThatDiffer, InWhetherAnActorFailedOrIsGone) {
  EXPECT_THAT(found_in(make_program(live_and_die)), testing::Contains(testing::HasSubstr("deadlock")));
}

INSTANTIATE_TEST_SUITE_P(Each, StatesThatDiffer, testing::ValuesIn(ways()),
                         [](const testing::TestParamInfo<way>& of) { return of.param.name; });

}  // namespace
}  // namespace harrier
