// What must only look, and changes something: of a handler that is undone, of all else it is found and named.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "ways.hpp"

namespace harrier {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

class ConstHandlers : public EachWay {};

struct with_mutable {
  mutable int seen = 0;
  void look() const { seen = 1; }
  void ask(self& me) { me.check(seen == 1, "looked at before"); }
};

struct with_cache {
  std::vector<int> values{1, 2};
  mutable std::optional<int> sum;
  void total() const {
    if (!sum) sum = values[0] + values[1];
  }
  void ask(self& me) { me.check(sum.has_value(), "added up before"); }
};

struct with_cast {
  std::vector<int> values{0};
  void look() const { const_cast<int&>(values[0]) = 1; }
  void ask(self& me) const { me.check(values[0] == 1, "cast before"); }
};

struct waits {
  int value() const { return 1; }
};
struct with_coroutine {
  ref<waits> of;
  mutable int asked = 0;
  task look(self& me) const {
    ++asked;
    static_cast<void>(co_await me.call<&waits::value>(of));
    ++asked;
  }
  void ask(self& me) const { me.check(asked == 2, "answered before"); }
};

template <class Actor, auto Look>
void looked_at_and_asked(self& me) {
  const auto a = me.create<Actor>();
  me.send<Look>(a);
  me.send<&Actor::ask>(a);
}

TEST_P(ConstHandlers, ThatChangeAMutableMemberAreUndone) {
  EXPECT_THAT(found(looked_at_and_asked<with_mutable, &with_mutable::look>), ElementsAre("looked at before"));
}

TEST_P(ConstHandlers, ThatFillACacheAreUndone) {
  EXPECT_THAT(found(looked_at_and_asked<with_cache, &with_cache::total>), ElementsAre("added up before"));
}

TEST_P(ConstHandlers, ThatCastTheConstAwayAreUndone) {
  EXPECT_THAT(found(looked_at_and_asked<with_cast, &with_cast::look>), ElementsAre("cast before"));
}

TEST_P(ConstHandlers, ThatWaitAreUndone) {
  EXPECT_THAT(found([](self& me) {
                const auto a = me.create<with_coroutine>(me.create<waits>());
                me.send<&with_coroutine::look>(a);
                me.send<&with_coroutine::ask>(a);
              }),
              ElementsAre("answered before"));
}

/// As many executions as there are orders, each of the first two handlers first in half of them.
TEST_P(ConstHandlers, LeaveNothingBehindInTheNextExecution) {
  struct counts {
    mutable int looks = 0;
    void look() const { ++looks; }
    void ask(self& me) const { me.check(looks <= 3, "more looks than messages"); }
  };
  EXPECT_THAT(found([](self& me) {
                const auto a = me.create<counts>();
                for (int i = 0; i < 3; ++i) me.send<&counts::look>(a);
                me.send<&counts::ask>(a);
              }),
              IsEmpty());
}

INSTANTIATE_TEST_SUITE_P(Ways, ConstHandlers, testing::ValuesIn(ways_of_searching()), name_of_way());

finding only_finding(const exploration& of) {
  EXPECT_THAT(of.findings, SizeIs(1));
  return of.findings.empty() ? finding() : of.findings.front();
}

struct counting_guard {
  mutable int asked = 0;
  void take() {}
  bool accepts(handler<&counting_guard::take>) const { return ++asked > 0; }
};

TEST(Guards, ThatChangeTheActorAreNamed) {
  const auto f = only_finding(explore([](self& me) { me.send<&counting_guard::take>(me.create<counting_guard>()); }));

  EXPECT_EQ(f.kind, finding_kind::nondeterminism);
  EXPECT_THAT(f.message, HasSubstr("the guard of counting_guard.take changes the actor"));
}

struct deep_guard {
  std::vector<int> values{0};
  void take(int) {}
  bool accepts(handler<&deep_guard::take>, int) const { return ++const_cast<int&>(values[0]) > 0; }
};

TEST(Guards, ThatChangeWhatLiesBehindAPointerAreNamed) {
  const auto f = only_finding(explore([](self& me) { me.send<&deep_guard::take>(me.create<deep_guard>(), 1); }));

  EXPECT_THAT(f.message, HasSubstr("the guard of deep_guard.take changes the actor"));
}

struct counting_rest {
  mutable int asked = 0;
  void go() {}
  bool at_rest() const { return ++asked > 0; }
};

TEST(AtRest, ThatChangesTheActorIsNamed) {
  const auto f = only_finding(explore([](self& me) { me.send<&counting_rest::go>(me.create<counting_rest>()); }));

  EXPECT_THAT(f.message, HasSubstr("at_rest of counting_rest changes the actor"));
}

TEST(Finally, ThatChangesWhatItLooksAtIsNamed) {
  options how;
  how.judging.finally = [](final_states& end) { end.only<with_cache>().total(); };
  const auto f = only_finding(explore(
      [](self& me) {
        me.create<with_cache>();
        me.send<&waits::value>(me.create<waits>());
      },
      how));
  EXPECT_EQ(f.kind, finding_kind::nondeterminism);
  EXPECT_THAT(f.message, HasSubstr("the check of the final states changes them"));
}

/// A handle: its copies share what they refer to.
class handle {
public:
  void set(int value) { *shared_ = value; }
  [[nodiscard]] int get() const { return *shared_; }
  template <class Inspector>
  friend bool inspect(Inspector& f, handle& x) {
    return f.object(x).fields(f.field("value", *x.shared_));
  }

private:
  std::shared_ptr<int> shared_ = std::make_shared<int>(0);
};
struct holds_handle {
  handle h;
  void set() { h.set(1); }
  void ask(self& me) { me.check(h.get() == 0, "set before"); }
};

TEST(Copies, ThatShareAreFoundAtTheHandlerThatShowsIt) {
  const auto f = only_finding(explore([](self& me) {
    const auto a = me.create<holds_handle>();
    me.send<&holds_handle::set>(a);
    me.send<&holds_handle::ask>(a);
  }));
  EXPECT_EQ(f.kind, finding_kind::nondeterminism);
  EXPECT_THAT(f.message,
              AllOf(HasSubstr("going back over holds_handle_0.set()"), HasSubstr("the state of holds_handle_0")));
}

struct counted {
  int value = 1;
  mutable int looked = 0;
};
struct holds_constant {
  std::shared_ptr<const counted> of = std::make_shared<const counted>();
  void look() { ++of->looked; }
};

TEST(SharedConstants, WithAMutableMemberThatChangesAreFound) {
  const auto f = only_finding(explore([](self& me) { me.send<&holds_constant::look>(me.create<holds_constant>()); }));
  EXPECT_THAT(f.message, HasSubstr("going back over holds_constant_0.look()"));
}

struct takes_counted {
  int sum = 0;
  void take(const counted& c) { sum += ++c.looked; }
};

TEST(Arguments, ThatAHandlerChangesAreFound) {
  const auto f =
      only_finding(explore([](self& me) { me.send<&takes_counted::take>(me.create<takes_counted>(), counted()); }));
  EXPECT_THAT(f.message, HasSubstr("the arguments of takes_counted_0.take("));
}

/// A handle that is sent: who takes it changes the state of who sent it.
struct receives_handle {
  void take(const handle& h) {
    auto mine = h;
    mine.set(2);
  }
};
struct sends_handle {
  handle h;
  ref<receives_handle> to;
  void go(self& me) { me.send<&receives_handle::take>(to, h); }
};

TEST(Copies, ThatAreSentAndShareAreFound) {
  const auto f = only_finding(explore(
      [](self& me) { me.send<&sends_handle::go>(me.create<sends_handle>(handle(), me.create<receives_handle>())); }));
  EXPECT_THAT(f.message, HasSubstr("going back over receives_handle_0.take("));
}

}  // namespace
}  // namespace harrier
