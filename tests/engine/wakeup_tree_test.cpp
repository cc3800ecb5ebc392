// What is inserted into a wakeup tree, and what of it. Deliveries are written a1: message a, to actor 1. Trees are
// drawn from the left: a(b c) is a with b and c below it.
#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <utility>

#include <src/engine/dpor/wakeup_tree.hpp>

#include "../core/scripted.hpp"
#include "written_delivery.hpp"

namespace harrier {
namespace {

using element = wakeup_sequence<dependence>::element;

/// One tree, and who happens before whom besides deliveries to one actor.
class tree {
public:
  /// `causes`: "ab cd" if a leads to b, and c to d.
  explicit tree(std::string causes = {}) : causes_(std::move(causes)) {}

  /// `deliveries`: "a1 b2 c1".
  void insert(std::string_view deliveries) {
    fill(deliveries);
    trees_.insert(roots_, v_, [this](const element& x, const element& y) { return is_before(x, y); });
  }
  /// Takes the leftmost branch off: its delivery; what is below is then the tree.
  char descend() {
    wakeup_trees<event>::list below;
    const auto first = trees_.take_first(roots_, below);
    roots_ = below;
    return name(first);
  }
  /// Takes the leftmost branch off, with all below it.
  std::string take_branch() {
    wakeup_trees<event>::list below;
    const auto first = trees_.take_first(roots_, below);
    return name(first) + drawn_below(below);
  }
  /// The whole of it, which is used up.
  std::string drawn() { return drawn(roots_); }
  [[nodiscard]] std::size_t size() const { return trees_.size(); }

private:
  static char name(const event& p) { return static_cast<char>(p.label); }
  void fill(std::string_view deliveries) {
    v_.begin();
    for (std::size_t i = 0; i < deliveries.size(); i += 3) {
      const bool is_last = i + 3 > deliveries.size();
      v_.add(planned(deliveries.substr(i, 2)), is_last ? no_step : static_cast<step_index>(i / 3));
    }
  }
  [[nodiscard]] bool is_before(const element& x, const element& y) const {
    const char pair[] = {name(x.step), name(y.step), 0};
    return x.step.touched.receiver == y.step.touched.receiver || causes_.find(pair) != std::string::npos;
  }
  std::string drawn(wakeup_trees<event>::list& list) {
    std::string text;
    while (!list.empty()) {
      wakeup_trees<event>::list below;
      text += text.empty() ? "" : " ";
      text += name(trees_.take_first(list, below));
      text += drawn_below(below);
    }
    return text;
  }
  std::string drawn_below(wakeup_trees<event>::list& below) { return below.empty() ? "" : "(" + drawn(below) + ")"; }

  scripted any_{{.starts = "a", .letters = {{'a', '1'}}}};
  dependence depends_{any_};
  wakeup_trees<event> trees_;
  wakeup_trees<event>::list roots_;
  wakeup_sequence<dependence> v_{depends_};
  std::string causes_;
};

TEST(WakeupTree, OfNothingIsEmpty) { EXPECT_EQ(tree().drawn(), ""); }

TEST(WakeupTree, OfOneSequenceIsAPath) {
  tree t;
  t.insert("a1 b1 c1");

  //  a
  //  |
  //  b
  //  |
  //  c
  EXPECT_EQ(t.size(), 3U);
  EXPECT_EQ(t.drawn(), "a(b(c))");
}

TEST(WakeupTree, LeavesOutWhatTheLastDeliveryDoesNotNeed) {
  tree t;
  t.insert("a1 x2 b1 y3 c1");

  EXPECT_EQ(t.drawn(), "a(b(c))");
}

TEST(WakeupTree, KeepsWhatLeadsToTheLastDelivery) {
  tree t("xy yc");
  t.insert("x2 z4 y3 c1");

  EXPECT_EQ(t.drawn(), "x(y(c))");
}

TEST(WakeupTree, GrowsOnTheRight) {
  tree t;
  t.insert("c1");
  t.insert("a1");
  t.insert("b1");

  //  .-+-.
  //  c a b
  EXPECT_EQ(t.drawn(), "c a b");
}

TEST(WakeupTree, SharesABranchThatIsAWeakInitial) {
  tree t;
  t.insert("a1 b1");
  t.insert("a1 c1");

  //   a
  //  .+.
  //  b c
  EXPECT_EQ(t.size(), 3U);
  EXPECT_EQ(t.drawn(), "a(b c)");
}

TEST(WakeupTree, SharesABranchWhoseDeliveryComesLater) {
  tree t("xc");
  t.insert("a1 b1");
  t.insert("x2 a1 c1");  // a is first on actor 1, so x a c and a x c are the same

  //   a
  //  .+.
  //  b x
  //    |
  //    c
  EXPECT_EQ(t.drawn(), "a(b x(c))");
}

TEST(WakeupTree, HasASequenceThatItsFirstBranchHasNothingToDoWith) {
  tree t;
  t.insert("x2 y2");
  t.insert("a1");  // will be delivered somewhere below y

  EXPECT_EQ(t.drawn(), "x(y)");
}

TEST(WakeupTree, GoesDownTheFirstBranchThatFits) {
  tree t;
  t.insert("a1 b1");
  t.insert("b1 a1");
  t.insert("b1 c1");
  t.insert("a1 c1");

  //   a   b
  //  .+. .+.
  //  b c a c
  EXPECT_EQ(t.drawn(), "a(b c) b(a c)");
}

TEST(WakeupTree, IsNotExtendedBelowALeaf) {
  tree t;
  t.insert("a1");
  t.insert("a1 b1");  // the leaf will be run to all of its ends

  EXPECT_EQ(t.drawn(), "a");
}

TEST(WakeupTree, IsNotExtendedBelowALeafOfAnotherActor) {
  tree t;
  t.insert("a1");
  t.insert("x2 y2");

  EXPECT_EQ(t.drawn(), "a");
}

TEST(WakeupTree, HasASequenceThatIsAPrefixOfABranch) {
  tree t;
  t.insert("a1 b1 c1");
  t.insert("a1 b1");

  EXPECT_EQ(t.drawn(), "a(b(c))");
}

TEST(WakeupTree, HasASequenceInAnotherOrderOfIndependentDeliveries) {
  tree t("ac xc");
  t.insert("a1 x2 c3");
  t.insert("x2 a1 c3");

  EXPECT_EQ(t.drawn(), "a(x(c))");
}

// Without b in it the second branch would begin with x, and a would be a weak initial of it.
TEST(WakeupTree, KeepsWhatTellsABranchFromThoseToItsLeft) {
  tree t;
  t.insert("a1");
  t.insert("b1 z4 x2");

  //  a b
  //    |
  //    x
  EXPECT_EQ(t.drawn(), "a b(x)");
}

TEST(WakeupTree, KeepsWhatLeadsToWhatTellsABranchApart) {
  tree t("zb");
  t.insert("a1");
  t.insert("z4 b1 x2");

  EXPECT_EQ(t.drawn(), "a z(b(x))");
}

TEST(WakeupTree, KeepsWhatTellsABranchFromThoseBelow) {
  tree t;
  t.insert("a1 b1");
  t.insert("a1 c1 x2");

  //   a
  //  .+.
  //  b c
  //    |
  //    x
  EXPECT_EQ(t.drawn(), "a(b c(x))");
}

TEST(WakeupTree, TellsTheSameNameAtAnotherActorApart) {
  tree t;
  t.insert("a1 b1");
  t.insert("a2 c1");  // of actor 1, c comes first

  EXPECT_EQ(t.drawn(), "a(b) c");
}

TEST(WakeupTree, IsUsedUpFromTheLeft) {
  tree t;
  t.insert("a1 b1");
  t.insert("a1 c1");
  t.insert("d1");
  EXPECT_EQ(t.size(), 4U);

  EXPECT_EQ(t.take_branch(), "a(b c)");
  EXPECT_EQ(t.size(), 1U);
  EXPECT_EQ(t.take_branch(), "d");
  EXPECT_EQ(t.size(), 0U);
  EXPECT_EQ(t.drawn(), "");
}

TEST(WakeupTree, GrowsAgainOnceUsedUp) {
  tree t;
  t.insert("a1 b1");
  t.insert("c1");
  t.take_branch();
  t.take_branch();
  t.insert("d1 e1");
  t.insert("f1");

  EXPECT_EQ(t.size(), 3U);
  EXPECT_EQ(t.drawn(), "d(e) f");
}

TEST(WakeupTree, GrowsBelowTheBranchThatIsRun) {
  tree t;
  t.insert("a1 b1");
  t.insert("c1");
  EXPECT_EQ(t.descend(), 'a');  // what was beside a is somewhere else then
  t.insert("b1 x1");
  t.insert("c1");

  EXPECT_EQ(t.drawn(), "b c");
}

}  // namespace
}  // namespace harrier
