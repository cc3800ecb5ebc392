// Independent fields as users have them: asked for, refused where they cannot be told apart, and declarations that do
// not hold are found out.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <cstdio>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <harrier/core/error.hpp>
#include <harrier/core/monitor.hpp>
#include <harrier/explore/explore.hpp>
#include <harrier/native/declaration.hpp>
#include <harrier/native/program.hpp>
#include <harrier/native/self.hpp>
#include <harrier/native/test_body.hpp>
#include <harrier/native/tracked.hpp>

namespace harrier::fields {

/// 001, figure 3, three times: with fields that tell, with declarations beside the handlers, and outside.
struct tracked_registry {
  tracked<int> f = 1;
  tracked<int> g = 1;
  void p() { ++f; }
  void m() { g *= 2; }
  void t() { ++g; }
};
struct declared_registry {
  int f = 1;
  int g = 1;
  void p() { ++f; }
  static declaration<writes<&declared_registry::f>> declares(handler<&declared_registry::p>);
  void m() { g *= 2; }
  static declaration<reads<&declared_registry::g>, writes<&declared_registry::g>> declares(
      handler<&declared_registry::m>);
  void t() { ++g; }
  static declaration<sends<>, writes<&declared_registry::g>> declares(handler<&declared_registry::t>);
};
struct plain_registry {
  int f = 1;
  int g = 1;
  void p() { ++f; }
  void m() { g *= 2; }
  void t() { ++g; }
};

}  // namespace harrier::fields

template <>
struct harrier::declared<&harrier::fields::plain_registry::p> {
  using type = harrier::declaration<harrier::writes<&harrier::fields::plain_registry::f>>;
};
template <>
struct harrier::declared<&harrier::fields::plain_registry::m> {
  using type = harrier::declaration<harrier::writes<&harrier::fields::plain_registry::g>>;
};
template <>
struct harrier::declared<&harrier::fields::plain_registry::t> {
  using type = harrier::declaration<harrier::writes<&harrier::fields::plain_registry::g>>;
};

namespace harrier::fields {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

template <class Registry>
struct worker {
  ref<Registry> of;
  void q(self& me) { me.send<&Registry::m>(of); }
  void h(self& me) { me.send<&Registry::t>(of); }
};

template <class Registry>
program figure_3() {
  return make_program([](self& me) {
    const auto rg = me.create<Registry>();
    me.send<&Registry::p>(rg);
    me.send<&worker<Registry>::q>(me.create<worker<Registry>>(rg));
    me.send<&worker<Registry>::h>(me.create<worker<Registry>>(rg));
  });
}

class Fields : public testing::Test {
protected:
  Fields() {
    how.search.engine = "optimal";
    how.search.independence = independence::fields;
  }
  /// @return what is wrong with the program's declarations; empty: nothing was found
  std::string complaint_about(const program& tested) {
    const auto result = explore(tested, how);
    if (result.findings.empty()) return {};
    EXPECT_THAT(result.findings, SizeIs(1));
    EXPECT_EQ(result.findings.front().kind, finding_kind::declaration);
    EXPECT_FALSE(result.exhausted);
    EXPECT_FALSE(result.findings.front().trace.empty());
    return result.findings.front().message;
  }
  options how;
};

TEST_F(Fields, AreToldApart) {
  for (const auto& tested : {figure_3<tracked_registry>(), figure_3<declared_registry>(), figure_3<plain_registry>()}) {
    const auto result = explore(tested, how);
    EXPECT_EQ(result.executions, 2U);
    EXPECT_EQ(result.blocked, 0U);
    EXPECT_EQ(result.independence, "fields");
    EXPECT_TRUE(result.exhausted);
  }
}

TEST_F(Fields, AreOneWithoutBeingAskedFor) {
  how.search.independence = independence::receiver;
  for (const auto& tested : {figure_3<tracked_registry>(), figure_3<declared_registry>(), figure_3<plain_registry>()}) {
    const auto result = explore(tested, how);
    EXPECT_EQ(result.executions, 6U);
    EXPECT_EQ(result.independence, "receiver");
  }
}

TEST_F(Fields, AreToldApartInEachModelThatDecidesAtTheReceiver) {
  for (const auto model : {delivery::unordered, delivery::fifo, delivery::causal}) {
    how.search.delivery = model;
    EXPECT_EQ(explore(figure_3<tracked_registry>(), how).executions, 2U);
  }
}

TEST_F(Fields, AreToldApartByEngineAutoAndSeveralJobs) {
  how.search.engine = "auto";
  EXPECT_EQ(explore(figure_3<tracked_registry>(), how).executions, 2U);
  how.search.jobs = 3;
  const auto result = explore(figure_3<tracked_registry>(), how);
  EXPECT_EQ(result.executions, 2U);
  EXPECT_EQ(result.independence, "fields");
}

/// Four fields, two messages for each.
struct four {
  tracked<int> a = 0, b = 0, c = 0, d = 0;
  void set_a(int v) { a = v; }
  void set_b(int v) { b = v; }
  void set_c(int v) { c = v; }
  void set_d(int v) { d = v; }
};
program eight_messages() {
  return make_program([](self& me) {
    const auto x = me.create<four>();
    for (const int v : {1, 2}) {
      me.send<&four::set_a>(x, v);
      me.send<&four::set_b>(x, v);
      me.send<&four::set_c>(x, v);
      me.send<&four::set_d>(x, v);
    }
  });
}

TEST_F(Fields, AreToldApartByASearchThatIsWrittenDown) {
  how.kept.checkpoint = testing::TempDir() + "fields_told_apart";
  how.limits.max_executions = 5;
  EXPECT_EQ(explore(eight_messages(), how).executions, 5U);
  how.kept.resume = how.kept.checkpoint;
  how.limits.max_executions = 0;
  how.search.jobs = 2;
  EXPECT_EQ(explore(eight_messages(), how).executions, 16U);

  how.search.independence = independence::receiver;
  EXPECT_THROW(static_cast<void>(explore(eight_messages(), how)), error);
}

struct nothing_to_say final : monitor {
  std::optional<record> stepped(const system& /*s*/) override { return {}; }
};

/// Why an exploration is refused.
std::string refused(const program& tested, const options& asked) {
  try {
    static_cast<void>(explore(tested, asked));
  } catch (const error& e) {
    return e.what();
  }
  return "not refused";
}

program with_a_body() {
  return make_test_program({.run = [](self& me, test_run& run) {
    me.send<&tracked_registry::p>(me.create<tracked_registry>());
    run.handle_all();
  }});
}

TEST_F(Fields, AreToldApartInATestWhoseBodyDoesNotWait) {
  const auto tested = make_test_program({.run = [](self& me, test_run&) {
    const auto one = me.create<tracked_registry>();
    me.send<&tracked_registry::p>(one);
    me.send<&tracked_registry::m>(one);
    me.send<&tracked_registry::t>(one);
  }});
  const auto driver = [](self& me) {
    const auto one = me.create<tracked_registry>();
    me.send<&tracked_registry::p>(one);
    me.send<&tracked_registry::m>(one);
    me.send<&tracked_registry::t>(one);
  };

  EXPECT_EQ(explore(tested, how).executions, explore(make_program(driver), how).executions);
  EXPECT_LT(explore(tested, how).executions, 6U);
}

TEST_F(Fields, AreRefusedWhereTheyCannotBeToldApart) {
  const auto tested = figure_3<tracked_registry>();
  auto asked = how;
  asked.search.engine = "exhaustive";
  EXPECT_THAT(refused(tested, asked), HasSubstr("engine exhaustive does not tell fields apart"));
  asked = how;
  asked.search.observers = false;
  EXPECT_THAT(refused(tested, asked), HasSubstr("leave out --observers off"));
  for (const auto model : {delivery::mailbox, delivery::mailbox_interleaved}) {
    asked = how;
    asked.search.delivery = model;
    EXPECT_THAT(refused(tested, asked), HasSubstr("cannot be independent by their fields"));
  }
  nothing_to_say judge;
  asked = how;
  asked.judging.by = &judge;
  EXPECT_THAT(refused(tested, asked), HasSubstr("a property is judged"));
  EXPECT_THAT(refused(with_a_body(), how), HasSubstr("the body of an ETEST"));
}

/// What the handlers of this one do is not what they are declared to do, each in another way.
struct liar {
  int x = 0;
  int y = 0;
  tracked<int> z = 0;
  ref<liar> other = {};

  void writes_y() { y = 1; }
  static declaration<writes<&liar::x>> declares(handler<&liar::writes_y>);
  void reads_z() { x = z + 1; }
  static declaration<writes<&liar::x>> declares(handler<&liar::reads_z>);
  void writes_z() { z = 1; }
  static declaration<reads<&liar::z>> declares(handler<&liar::writes_z>);
  void add_y() { x += y; }
  static declaration<writes<&liar::x>> declares(handler<&liar::add_y>);
  void tell_y(self& me) {
    if (y != 0) me.send<&liar::nothing>(other);
  }
  static declaration<reads<>> declares(handler<&liar::tell_y>);
  void require_y(self& me) { me.require(y == 0, "y is 0"); }
  static declaration<reads<>> declares(handler<&liar::require_y>);

  void nothing() {}
  static declaration<reads<>, writes<>, sends<>> declares(handler<&liar::nothing>);
  void tells(self& me) { me.send<&liar::nothing>(me.me<liar>()); }
  static declaration<sends<&liar::writes_y>> declares(handler<&liar::tells>);
  void set_y(int v) { y = v; }
  static declaration<writes<&liar::y>> declares(handler<&liar::set_y>);
  void undeclared_set_y(int v) { y = v; }
};

template <auto... Handler>
program liar_that_gets() {
  return make_program([](self& me) {
    const auto l = me.create<liar>();
    const auto tell = [&]<auto H>(handler<H>) {
      if constexpr (std::is_invocable_v<decltype(H), liar&, int>)
        me.send<H>(l, 1);
      else
        me.send<H>(l);
    };
    (tell(handler<Handler>{}), ...);
  });
}

TEST_F(Fields, ThatAreWrittenWithoutBeingDeclaredAreFoundWithTheMessage) {
  EXPECT_EQ(complaint_about(liar_that_gets<&liar::writes_y>()),
            "liar_0.writes_y() changed `y`, which its handler is not declared to write");
  EXPECT_EQ(complaint_about(liar_that_gets<&liar::writes_z>()),
            "liar_0.writes_z() changed `z`, which its handler is not declared to write");
  EXPECT_EQ(complaint_about(liar_that_gets<&liar::reads_z>()),
            "liar_0.reads_z() read `z`, which its handler is not declared to read");
}

TEST_F(Fields, OfAWrongDeclarationAreNotExploredCompletelyByWhoeverSharesTheSearch) {
  for (const auto& tested : {liar_that_gets<&liar::writes_y>(), liar_that_gets<&liar::set_y, &liar::add_y>()}) {
    how.search.jobs = 2;
    EXPECT_NE(complaint_about(tested), "");
    how.search.jobs = 1;
    how.kept.checkpoint = testing::TempDir() + "wrong_declaration.ck";
    EXPECT_NE(complaint_about(tested), "");
    std::remove(how.kept.checkpoint.c_str());
    how.kept.checkpoint.clear();
  }
}

TEST_F(Fields, ThatAreReadWithoutBeingDeclaredAreFoundWithThePair) {
  EXPECT_THAT(complaint_about(liar_that_gets<&liar::set_y, &liar::add_y>()),
              HasSubstr("liar_0.set_y(1) and liar_0.add_y() commute by what their handlers are declared to touch"));
  EXPECT_THAT(complaint_about(liar_that_gets<&liar::add_y, &liar::set_y>()),
              HasSubstr("liar_0.add_y() and liar_0.set_y(1) commute"));
}

TEST_F(Fields, ThatDecideWhatIsSentOrFailsAreFoundWithThePair) {
  const auto tells = make_program([](self& me) {
    const auto other = me.create<liar>();
    const auto l = me.create<liar>(0, 0, 0, other);
    me.send<&liar::tell_y>(l);
    me.send<&liar::set_y>(l, 1);
  });
  EXPECT_THAT(complaint_about(tells), HasSubstr("tell_y() sends liar_0.nothing()"));
  EXPECT_THAT(complaint_about(liar_that_gets<&liar::require_y, &liar::set_y>()), HasSubstr("commute"));
}

TEST_F(Fields, AndSendsAreDeclared) {
  const std::string expected = "liar_0.tells() sent liar_0.nothing(), which its handler is not declared to send";
  EXPECT_EQ(complaint_about(liar_that_gets<&liar::tells>()), expected);

  how = {};
  how.search.engine = "dcute";
  how.search.ordering = "stability";
  EXPECT_EQ(complaint_about(liar_that_gets<&liar::tells>()), expected);
}

TEST_F(Fields, AreAllReadByWhoIsNotDeclared) {
  EXPECT_EQ(complaint_about(liar_that_gets<&liar::undeclared_set_y, &liar::set_y>()), "");
}

TEST_F(Fields, OfAWrongDeclarationDoNotMatterToWhoDoesNotAsk) {
  how.search.independence = independence::receiver;
  EXPECT_THAT(explore(liar_that_gets<&liar::writes_y>(), how).findings, IsEmpty());
}

/// Its inspect leaves a field out.
class private_cell {
  int shown_ = 0;
  int hidden_ = 0;

public:
  void set(int v) { shown_ = v; }
  void hide(int v) { hidden_ = v; }
  static declaration<writes<&private_cell::hidden_>> declares(handler<&private_cell::hide>);

private:
  template <class F>
  friend bool inspect(F& f, private_cell& x) {
    return f.object(x).fields(f.field("shown", x.shown_));
  }
};

TEST_F(Fields, ThatAnInspectLeavesOutCannotBeDeclared) {
  const auto tested = make_program([](self& me) { me.send<&private_cell::hide>(me.create<private_cell>(), 1); });
  EXPECT_THAT(complaint_about(tested),
              HasSubstr("is declared to touch a field that the inspect of private_cell leaves out"));
}

/// Shows another field once it has one.
class growing {
  bool has_more_ = false;
  int more_ = 0;

public:
  void grow() { has_more_ = true; }
  static declaration<writes<&growing::has_more_>> declares(handler<&growing::grow>);

private:
  template <class F>
  friend bool inspect(F& f, growing& x) {
    if (x.has_more_) return f.object(x).fields(f.field("has more", x.has_more_), f.field("more", x.more_));
    return f.object(x).fields(f.field("has more", x.has_more_));
  }
};

TEST_F(Fields, ThatComeAndGoAreNobodysWrongDeclaration) {
  const auto tested = make_program([](self& me) {
    const auto x = me.create<growing>();
    me.send<&growing::grow>(x);
    me.send<&growing::grow>(x);
  });
  EXPECT_EQ(complaint_about(tested), "");
}

/// Each of its messages commutes with all others, as is declared: so many pairs to try.
struct indifferent {
  void nothing(int) {}
  static declaration<reads<>, writes<>> declares(handler<&indifferent::nothing>);
};

TEST_F(Fields, OfManyMessagesAreTriedUntilTheTimeIsUp) {
  how.limits.time_limit = 0.2;
  const auto tested = make_program([](self& me) {
    const auto x = me.create<indifferent>();
    for (int i = 0; i < 2'000; ++i) me.send<&indifferent::nothing>(x, i);
  });
  const auto result = explore(tested, how);
  EXPECT_FALSE(result.exhausted);
  EXPECT_THAT(result.stopped_by, HasSubstr("time limit"));
  EXPECT_THAT(result.findings, IsEmpty());
}

/// Fields of each kind that is to be had.
struct every_kind {
  enum class colour { red, green };
  struct inner {
    int a = 0;
    std::string b = {};
  };
  tracked<int> number = 1;
  tracked<std::string> text = "abc";
  tracked<std::vector<int>> list = {};
  tracked<colour> paint = colour::red;
  tracked<std::optional<int>> maybe = {};
  tracked<std::map<int, std::string>> table = {};
  tracked<inner> nested = {};
  tracked<ref<every_kind>> friend_of = {};

  void use(self& me) {
    number += 2;
    number = number * 3;
    text += "x";
    text.write().push_back('y');
    list.write().push_back(number);
    if (text == "abcxy" && list->size() == 1 && list[0] == 9 && paint == colour::red) paint = colour::green;
    for (const int x : list) number -= x;
    maybe = 3;
    if (maybe && **maybe == 3) table.write()[3] = *text;
    nested.write().a = nested->a + 1;
    me.check(number == 0 && paint != colour::red && table->size() == 1 && nested->a == 1 && !friend_of,
             "as it should be");
  }
};

TEST_F(Fields, CanBeUsedLikeWhatIsInThem) {
  const auto tested = make_program([](self& me) { me.send<&every_kind::use>(me.create<every_kind>()); });
  const auto result = explore(tested, how);
  EXPECT_THAT(result.findings, IsEmpty());
}

TEST_F(Fields, AreShownLikeWhatIsInThem) {
  struct fails {
    tracked<int> number = 4;
    tracked<std::string> text = "abc";
    void now(self& me) { me.check(number == 5, "it is 5"); }
  };
  const auto tested = make_program([](self& me) { me.send<&fails::now>(me.create<fails>()); });
  const auto result = explore(tested, how);
  ASSERT_THAT(result.findings, SizeIs(1));
  EXPECT_EQ(result.findings.front().trace.back().state, "{number=4, text=\"abc\"}");
}

class Semantic : public testing::Test {
protected:
  Semantic() {
    how.search.engine = "source";
    how.search.independence = independence::semantic;
  }
  [[nodiscard]] double statistic(const exploration& of, const std::string& name) const {
    for (const auto& s : of.statistics)
      if (s.name == name) return s.value;
    return -1;
  }
  options how;
};

/// Fields that nobody declared and that tell nothing.
struct silent_registry {
  int f = 1;
  int g = 1;
  void p() { ++f; }
  void m() { g *= 2; }
  void t() { ++g; }
};

TEST_F(Semantic, NeedsNothingToBeSaid) {
  const auto result = explore(figure_3<silent_registry>(), how);
  EXPECT_EQ(result.executions, 2U);
  EXPECT_EQ(result.independence, "semantic");
  EXPECT_TRUE(result.observers);
  EXPECT_TRUE(result.exhausted);
}

TEST_F(Semantic, IsWhatAutoPicksSourceFor) {
  how.search.engine = "auto";
  const auto result = explore(figure_3<silent_registry>(), how);
  EXPECT_EQ(result.engine, "source");
  EXPECT_EQ(result.executions, 2U);
}

TEST_F(Semantic, TellsOfItsTriesAndCountsNoneOfThemAsADelivery) {
  // p sleeps on while m and t come, in both orders; m and t do not commute
  const auto result = explore(figure_3<silent_registry>(), how);
  EXPECT_EQ(statistic(result, "pairs of messages that commuted"), 4);
  EXPECT_GT(statistic(result, "pairs of messages tried in both orders"), 4);
  EXPECT_THAT(result.notes, Contains(HasSubstr("4 commuted")));
  how.search.independence = independence::receiver;
  EXPECT_LT(result.transitions, explore(figure_3<silent_registry>(), how).transitions);
}

/// A lock that is free at first: to take it and to ask for it commute only once it is taken.
struct lock {
  bool is_taken = false;
  int refused = 0;
  void take() { is_taken = true; }
  void ask() {
    if (is_taken) ++refused;
  }
};

TEST_F(Semantic, AsksInTheStateThatTheActorIsIn) {
  const auto once = [](int takes) {
    return make_program([takes](self& me) {
      const auto l = me.create<lock>();
      for (int i = 0; i < takes; ++i) me.send<&lock::take>(l);
      me.send<&lock::ask>(l);
    });
  };
  EXPECT_EQ(explore(once(1), how).executions, 2U);  // before it and after it
  EXPECT_EQ(explore(once(2), how).executions, 2U);  // before the first one, or not
  how.search.independence = independence::receiver;
  EXPECT_EQ(explore(once(2), how).executions, 6U);
}

/// What was tried fails in one order only.
struct guarded_by_hope {
  bool is_open = false;
  void open() { is_open = true; }
  void enter(self& me) { me.require(is_open, "it is open"); }
};

TEST_F(Semantic, FindsWhatFailsInOneOrderOnly) {
  how.judging.keep_going = true;
  const auto result = explore(make_program([](self& me) {
                                const auto g = me.create<guarded_by_hope>();
                                me.send<&guarded_by_hope::open>(g);
                                me.send<&guarded_by_hope::enter>(g);
                              }),
                              how);
  EXPECT_THAT(result.findings, SizeIs(1));
  EXPECT_EQ(result.executions, 2U);
}

TEST_F(Semantic, GoesOnWhereItWasStopped) {
  const auto whole = explore(eight_messages(), how);
  how.kept.checkpoint = testing::TempDir() + "semantic";
  how.limits.max_executions = 2;
  static_cast<void>(explore(eight_messages(), how));
  how.kept.resume = how.kept.checkpoint;
  how.limits.max_executions = 0;
  const auto result = explore(eight_messages(), how);
  EXPECT_EQ(result.executions, whole.executions);
  EXPECT_EQ(result.blocked, whole.blocked);
  EXPECT_EQ(result.independence, "semantic");

  how.search.independence = independence::receiver;
  EXPECT_THAT(refused(eight_messages(), how), HasSubstr("independence"));
}

TEST_F(Semantic, IsRefusedWhereNothingCanBeTried) {
  const auto tested = figure_3<silent_registry>();
  auto asked = how;
  asked.search.engine = "optimal";
  EXPECT_THAT(refused(tested, asked), HasSubstr("engine optimal does not try whether messages commute"));
  asked = how;
  asked.search.observers = false;
  EXPECT_THAT(refused(tested, asked), HasSubstr("leave out --observers off"));
  for (const auto model : {delivery::mailbox, delivery::mailbox_interleaved}) {
    asked = how;
    asked.search.delivery = model;
    EXPECT_THAT(refused(tested, asked), HasSubstr("harrier cannot try whether messages commute"));
  }
  nothing_to_say judge;
  for (const auto* engine : {"source", "auto"}) {
    asked = how;
    asked.search.engine = engine;
    asked.judging.by = &judge;
    EXPECT_THAT(refused(tested, asked), HasSubstr("a property is judged"));
  }
  EXPECT_THAT(refused(with_a_body(), how), HasSubstr("the body of an ETEST"));
}

}  // namespace
}  // namespace harrier::fields
