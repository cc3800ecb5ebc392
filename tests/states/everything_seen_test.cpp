// Two states are the same only if no handler can tell them apart: for each way of searching, and each kind of thing
// that values could be taken to be the same without.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <queue>
#include <string>
#include <tuple>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "ways.hpp"

namespace harrier {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;

/// The order of an unordered container changes, its content does not.
struct cache {
  std::unordered_map<int, int> known{{1, 1}, {2, 2}};
  void refresh(int key) {
    known.erase(key);
    known.emplace(key, key);
  }
  void look(self& me) const { me.check(known.begin()->first == 2, "first"); }
};

/// Elements of one priority, in the order in which they came.
struct by_priority {
  bool operator()(const std::pair<int, int>& a, const std::pair<int, int>& b) const { return a.first < b.first; }
};
struct waiting_room {
  std::priority_queue<std::pair<int, int>, std::vector<std::pair<int, int>>, by_priority> queue;
  void come(int who) { queue.push({1, who}); }
  void look(self& me) const { me.check(queue.empty() || queue.top().second == 1, "first"); }
};

struct signed_zero {
  double value = 0.0;
  void negate() { value = -value; }
  void look(self& me) const { me.check(!std::signbit(value), "sign"); }
};

struct small_difference {
  long double value = 1.0L;
  void add() { value = 1.0L + 1e-18L; }
  void look(self& me) const { me.check(value == 1.0L, "difference"); }
};

struct sharing {
  std::shared_ptr<const int> one = std::make_shared<const int>(7);
  std::shared_ptr<const int> other = one;
  void renew() { other = std::make_shared<const int>(7); }
  void look(self& me) const { me.check(one == other, "same object"); }
};

struct roomy {
  std::vector<int> values;
  std::string text;
  void grow() { values.reserve(100); }
  void look(self& me) const { me.check(values.capacity() < 100, "room"); }
};

/// What `inspect` leaves out.
class half_shown {
public:
  template <class Inspector>
  friend bool inspect(Inspector& f, half_shown& x) {
    return f.object(x).fields(f.field("shown", x.shown_));
  }
  void hide() { hidden_ = 1; }
  void look(self& me) const { me.check(hidden_ == 0, "hidden"); }

private:
  int shown_ = 0;
  int hidden_ = 0;
};

/// A range of which more can be seen than its elements.
class named_list : public std::vector<int> {
public:
  using std::vector<int>::vector;
  std::string name = "a";
};
struct holds_named_list {
  named_list list{1};
  void rename() { list.name = "b"; }
  void look(self& me) const { me.check(list.name == "a", "name"); }
};

/// A message that shows less than it is.
class token {
public:
  token() = default;
  explicit token(int secret) : secret_(secret) {}
  [[nodiscard]] int secret() const { return secret_; }
  template <class Inspector>
  friend bool inspect(Inspector& f, token& x) {
    return f.object(x).fields(f.field("shown", x.shown_));
  }

private:
  int shown_ = 0;
  int secret_ = 0;
};
struct taker {
  int sum = 0;
  void take(const token& t) { sum = 10 * sum + t.secret(); }
  void look(self& me) const { me.check(sum != 21, "21"); }
};

template <class Actor, auto Change>
void changed_and_looked_at(self& me) {
  const auto a = me.create<Actor>();
  me.send<Change>(a);
  me.send<&Actor::look>(a);
}

class EverythingSeen : public EachWay {};

TEST_P(EverythingSeen, TheOrderOfAnUnorderedContainer) {
  EXPECT_THAT(found([](self& me) {
                const auto a = me.create<cache>();
                me.send<&cache::refresh>(a, 1);
                me.send<&cache::refresh>(a, 2);
                me.send<&cache::look>(a);
              }),
              ElementsAre("first"));
}

TEST_P(EverythingSeen, WhichOfEqualPrioritiesCameFirst) {
  EXPECT_THAT(found([](self& me) {
                const auto a = me.create<waiting_room>();
                me.send<&waiting_room::come>(a, 1);
                me.send<&waiting_room::come>(a, 2);
                me.send<&waiting_room::look>(a);
              }),
              ElementsAre("first"));
}

TEST_P(EverythingSeen, TheSignOfAZero) {
  EXPECT_THAT(found(changed_and_looked_at<signed_zero, &signed_zero::negate>), ElementsAre("sign"));
}

TEST_P(EverythingSeen, AllDigitsOfALongDouble) {
  EXPECT_THAT(found(changed_and_looked_at<small_difference, &small_difference::add>), ElementsAre("difference"));
}

TEST_P(EverythingSeen, WhichObjectIsShared) {
  EXPECT_THAT(found(changed_and_looked_at<sharing, &sharing::renew>), ElementsAre("same object"));
}

TEST_P(EverythingSeen, TheRoomOfAVector) {
  EXPECT_THAT(found(changed_and_looked_at<roomy, &roomy::grow>), ElementsAre("room"));
}

TEST_P(EverythingSeen, WhatAnInspectLeavesOut) {
  EXPECT_THAT(found(changed_and_looked_at<half_shown, &half_shown::hide>), ElementsAre("hidden"));
}

TEST_P(EverythingSeen, WhatARangeIsBesidesItsElements) {
  EXPECT_THAT(found(changed_and_looked_at<holds_named_list, &holds_named_list::rename>), ElementsAre("name"));
}

TEST_P(EverythingSeen, WhatTheInspectOfAMessageLeavesOut) {
  EXPECT_THAT(found([](self& me) {
                const auto a = me.create<taker>();
                me.send<&taker::take>(a, token(1));
                me.send<&taker::take>(a, token(2));
                me.send<&taker::look>(a);
              }),
              ElementsAre("21"));
}

/// The second of the two tells what the first one got.
struct twin_holder {
  std::shared_ptr<const int> held;
  void get(const std::shared_ptr<const int>& value) { held = value; }
  void compare(self& me, const std::shared_ptr<const int>& value) const {
    me.check(held == nullptr || held == value, "another object");
  }
};
/// Sends one object of two, whichever comes first.
struct passes_on {
  ref<twin_holder> to;
  bool done = false;
  void pass(self& me, const std::shared_ptr<const int>& value) {
    if (!std::exchange(done, true)) me.send<&twin_holder::get>(to, value);
  }
};

TEST_P(EverythingSeen, WhichObjectCameInAMessage) {
  EXPECT_THAT(found([](self& me) {
                const auto holder = me.create<twin_holder>();
                const auto first = std::make_shared<const int>(1);
                const auto by = me.create<passes_on>(holder);
                me.send<&passes_on::pass>(by, first);
                me.send<&passes_on::pass>(by, std::make_shared<const int>(1));
                me.send<&twin_holder::compare>(holder, first);
              }),
              ElementsAre("another object"));
}

INSTANTIATE_TEST_SUITE_P(Ways, EverythingSeen, testing::ValuesIn(ways_of_searching()), name_of_way());

TEST(Room, IsThatOfTheOriginalAfterGoingBack) {
  struct fixed {
    const int id;
  };
  struct table {
    std::vector<std::vector<int>> rows;
    std::tuple<std::string, std::vector<bool>> rest;
    std::vector<fixed> ids;
  };
  struct buffer {
    std::vector<int> values;
    std::vector<std::string> texts;
    std::optional<std::string> text;
    table inner;
    std::map<int, std::string> named;
    tracked<std::vector<int>> watched;
    void fill() {
      values.reserve(10);
      texts.emplace_back(40, 'x').resize(3);
      text.emplace(50, 'y').resize(2);
      inner.rows.reserve(6);
      inner.rows.emplace_back().reserve(7);
      std::get<0>(inner.rest).reserve(60);
      std::get<1>(inner.rest).reserve(500);
      inner.ids.reserve(8);
      inner.ids.push_back({3});
      named[1].reserve(70);
      watched.write().reserve(9);
    }
    void look(self& me) const {
      if (texts.empty()) return;
      me.check(values.capacity() == 10, "values");
      me.check(texts[0].capacity() == 40, "texts");
      me.check(text->capacity() == 50, "text");
      me.check(inner.rows.capacity() == 6 && inner.rows[0].capacity() == 7, "rows");
      me.check(std::get<0>(inner.rest).capacity() == 60 && std::get<1>(inner.rest).capacity() == 512, "rest");
      me.check(inner.ids.capacity() == 8 && inner.ids[0].id == 3, "ids");
      me.check(named.at(1).capacity() == 70, "named");
      me.check(watched.get().capacity() == 9, "watched");
    }
  };
  options how;
  how.search.engine = "exhaustive";
  how.judging.keep_going = true;
  how.judging.check_determinism = repetition::all;
  const auto result = explore(
      [](self& me) {
        const auto a = me.create<buffer>();
        me.send<&buffer::fill>(a);
        for (int i = 0; i < 3; ++i) me.send<&buffer::look>(a);
      },
      how);

  EXPECT_TRUE(result.findings.empty()) << result.findings.front().message;
  EXPECT_EQ(result.executions, 24U);
}

/// Keeps what it has worked out, and shows it to nobody.
class with_cache {
public:
  template <class Inspector>
  friend bool inspect(Inspector& f, with_cache& x) {
    return f.object(x).fields(f.field("number", x.number_));
  }

private:
  long number_ = 0;
  std::vector<long> factors_{1};
};
/// The same, and its class says that it need not be shown.
class with_said_cache {
public:
  static constexpr bool shows_all = true;
  template <class Inspector>
  friend bool inspect(Inspector& f, with_said_cache& x) {
    return f.object(x).fields(f.field("number", x.number_));
  }

private:
  long number_ = 0;
  std::vector<long> factors_{1};
};
/// What it does not show is plain: a copy has the same bytes.
class with_settings {
public:
  template <class Inspector>
  friend bool inspect(Inspector& f, with_settings& x) {
    return f.object(x).fields(f.field("text", x.text_), f.field("flag", x.flag_));
  }

private:
  std::string text_ = "a text that does not fit into the object itself";
  bool flag_ = false;  // padding follows
  const int* settings_ = nullptr;
};

template <class What>
struct holds {
  What what;
  void look() {}
};

template <class What>
exploration looked_at_four_times() {
  options how;
  how.search.engine = "optimal";
  how.search.observers = true;
  return explore(
      [](self& me) {
        const auto a = me.create<holds<What>>();
        for (int i = 0; i < 4; ++i) me.send<&holds<What>::look>(a);
      },
      how);
}

TEST(WhatInspectLeavesOut, CountsUnlessTheClassSaysThatItDoesNot) {
  EXPECT_EQ(looked_at_four_times<with_cache>().executions, 24U);
  EXPECT_EQ(looked_at_four_times<with_said_cache>().executions, 1U);
}

TEST(WhatInspectLeavesOut, IsComparedWhereItIsPlain) {
  EXPECT_EQ(looked_at_four_times<with_settings>().executions, 1U);
}

TEST(WhatInspectLeavesOut, IsSaidWithTheActorAndTheMember) {
  const auto note = HasSubstr(".what is shown to harrier");
  EXPECT_THAT(looked_at_four_times<with_cache>().notes, Contains(note));
  EXPECT_THAT(looked_at_four_times<with_said_cache>().notes, testing::Not(Contains(note)));
  EXPECT_THAT(looked_at_four_times<with_settings>().notes, testing::Not(Contains(note)));
}

}  // namespace
}  // namespace harrier
