#include <src/engine/dpor/sleep_set.hpp>

#include <gtest/gtest.h>

#include <iterator>
#include <string>
#include <vector>

#include "../core/scripted.hpp"

namespace harrier {
namespace {

/// A delivery, and of which message.
struct entry {
  event what;
  message_id message;
};

entry last_step_of(const system& s, dependence& depends) {
  return {depends.last_event(), s.message_at(s.step_at(s.last_step()).message).id};
}

void insert(sleep_set& into, const entry& e) { into.insert(e.message, {e.what}); }
void insert(sleep_set& into, message_id m, actor_id receiver) { into.insert(m, {{m, {receiver}}}); }

/// a to 1, b to 2, c to 3 and d to 4 send to 5, to 6 and 5, to 6 and to nobody; f fails, so what it sends counts for
/// nothing.
script senders() {
  return {.starts = "abcdf",
          .letters = {{'a', '1', "x"},
                      {'b', '2', "yx"},
                      {'c', '3', "y"},
                      {'d', '4'},
                      {.name = 'f', .to = '7', .sends = "x", .fails = true},
                      {'x', '5'},
                      {'y', '6'}}};
}

class sleepers {
public:
  explicit sleepers(delivery model = delivery::unordered) : system_(senders(), model), depends_(system_) {}

  /// The step that takes that letter, now, as the sets know it.
  entry step(char letter) {
    system_.take({&letter, 1});
    const auto last = last_step_of(system_, depends_);
    system_.undo();
    return last;
  }
  /// Those of `before` that `last` does not wake.
  std::string left_of(const std::string& before, char last) {
    sleep_set all;
    for (const auto letter : before) insert(all, step(letter));
    sleep_set left;
    insert(left, step('d'));  // to be forgotten
    left.inherit(all, step(last).what, depends_);
    std::string names;
    for (const auto letter : before)
      if (left.contains(step(letter).message)) names += letter;
    EXPECT_FALSE(left.contains(step('d').message));
    return names;
  }

private:
  scripted system_;
  dependence depends_;
};

constexpr message_id a{10};
constexpr message_id b{11};
constexpr actor_id one{1};
constexpr actor_id two{2};

TEST(SleepSet, IsEmptyAtFirst) {
  const sleep_set asleep;

  EXPECT_TRUE(asleep.empty());
  EXPECT_FALSE(asleep.contains(a));
}

TEST(SleepSet, HasWhatFellAsleep) {
  sleep_set asleep;
  insert(asleep, a, one);

  EXPECT_TRUE(asleep.contains(a));
  EXPECT_TRUE(asleep.contains_event(a));
  EXPECT_FALSE(asleep.contains(b));
  EXPECT_FALSE(asleep.empty());
  asleep.clear();
  EXPECT_TRUE(asleep.empty());
}

TEST(SleepSet, IsInheritedButForWhatIsDependent) {
  sleep_set asleep;
  insert(asleep, a, one);
  insert(asleep, b, two);
  scripted any(senders());
  const dependence depends(any);
  sleep_set left;

  left.inherit(asleep, {message_id{12}, {one}}, depends);

  EXPECT_FALSE(left.contains(a));
  EXPECT_TRUE(left.contains(b));
}

TEST(SleepSet, IsWokenByTheSameReceiverOnly) {
  EXPECT_EQ(sleepers().left_of("abc", 'b'), "ac");
  EXPECT_EQ(sleepers(delivery::causal).left_of("abc", 'b'), "ac");
}

TEST(SleepSet, IsWokenByASendToTheSameActorUnderMailbox) {
  EXPECT_EQ(sleepers(delivery::mailbox).left_of("abc", 'a'), "c");
  EXPECT_EQ(sleepers(delivery::mailbox).left_of("ac", 'b'), "");
  EXPECT_EQ(sleepers(delivery::mailbox).left_of("ab", 'c'), "a");
}

TEST(SleepSet, IsNotWokenByTheSendsOfAFailedStep) {
  EXPECT_EQ(sleepers(delivery::mailbox).left_of("abf", 'f'), "ab");
  EXPECT_EQ(sleepers(delivery::mailbox).left_of("f", 'a'), "f");
}

/// Two deliveries of message `m`: with the draws 0 and 1.
std::vector<event> two_draws(message_id m, actor_id receiver) {
  return {{m, {receiver}}, {message_id{20}, {receiver}}};
}

TEST(SleepSet, HasAMessageOnceAllOfItsDrawsSleep) {
  sleep_set asleep;
  asleep.insert(a, two_draws(a, one));

  EXPECT_TRUE(asleep.contains(a));
  EXPECT_TRUE(asleep.contains_event(a));
  EXPECT_TRUE(asleep.contains_event(message_id{20}));
  EXPECT_FALSE(asleep.contains_event(message_id{21}));
}

TEST(SleepSet, HasNoMessageOfWhichADrawIsAwake) {
  scripted s(senders(), delivery::mailbox);
  dependence depends(s);
  auto draws = two_draws(a, one);
  s.take("a");
  draws[0].touched.touches = depends.touched_by_last_step();  // to 5
  s.undo();
  s.take("c");
  draws[1].touched.touches = depends.touched_by_last_step();  // to 6
  const auto to_six = last_step_of(s, depends).what;
  sleep_set asleep;
  asleep.insert(a, draws);
  sleep_set left;

  left.inherit(asleep, to_six, depends);

  EXPECT_FALSE(left.contains(a));
  EXPECT_TRUE(left.contains_event(draws[0].label));
  EXPECT_FALSE(left.contains_event(draws[1].label));
}

TEST(SleepSet, TakesTheDrawsOfAMessageAnew) {
  sleep_set asleep;
  insert(asleep, a, one);
  insert(asleep, b, one);
  asleep.insert(a, two_draws(a, one));

  EXPECT_EQ(std::distance(asleep.begin(), asleep.end()), 3);
  EXPECT_TRUE(asleep.contains(a));
  EXPECT_TRUE(asleep.contains(b));
}

TEST(SleepSet, TakesNoDrawsForNothing) {
  sleep_set asleep;
  insert(asleep, a, one);
  asleep.insert(b, {});

  EXPECT_EQ(std::distance(asleep.begin(), asleep.end()), 1);
}

}  // namespace
}  // namespace harrier
