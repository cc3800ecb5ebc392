// What a sequence begins with, and what of it is needed. Deliveries are written a1: message a, to actor 1.
#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include <src/engine/dpor/wakeup_tree.hpp>

#include "../core/scripted.hpp"
#include "written_delivery.hpp"

namespace harrier {
namespace {

using element = wakeup_sequence<dependence>::element;

/// A sequence by itself; the last delivery is the one that is new.
class sequence {
public:
  explicit sequence(std::string_view deliveries) {
    for (std::size_t i = 0; i < deliveries.size(); i += 3) v_.add(planned(deliveries.substr(i, 2)), no_step);
  }
  bool has_weak_initial(std::string_view p) { return v_.is_weak_initial(planned(p)); }
  void take(std::string_view p) { v_.take(planned(p)); }
  [[nodiscard]] bool all_taken() const { return v_.all_taken(); }
  /// With nothing before anything else.
  std::string shortened() {
    std::string names;
    for (const auto& x : v_.shorten([](const element&, const element&) { return false; }))
      names += static_cast<char>(x.step.label);
    return names;
  }

private:
  scripted any_{{.starts = "a", .letters = {{'a', '1'}}}};
  dependence depends_{any_};
  wakeup_sequence<dependence> v_{depends_};
};

TEST(WakeupSequence, HasAsWeakInitialsWhatCouldComeFirst) {
  sequence v("a1 b1 x2");

  EXPECT_TRUE(v.has_weak_initial("a1"));
  EXPECT_FALSE(v.has_weak_initial("b1"));
  EXPECT_TRUE(v.has_weak_initial("x2"));
  EXPECT_FALSE(v.has_weak_initial("y2"));
  EXPECT_TRUE(v.has_weak_initial("z3"));  // nothing there to come before it
}

TEST(WakeupSequence, HasOtherWeakInitialsOnceOneIsTaken) {
  sequence v("a1 b1");
  v.take("a1");

  EXPECT_TRUE(v.has_weak_initial("b1"));
  EXPECT_FALSE(v.has_weak_initial("c1"));
  EXPECT_FALSE(v.all_taken());
  v.take("b1");
  EXPECT_TRUE(v.all_taken());
  EXPECT_TRUE(v.has_weak_initial("c1"));
}

TEST(WakeupSequence, TakesNothingForWhatIsNotInIt) {
  sequence v("a1");
  v.take("x2");

  EXPECT_FALSE(v.all_taken());
}

TEST(WakeupSequence, IsShortenedToItsLastIfNothingElseIsNeeded) { EXPECT_EQ(sequence("a1 x2 b3").shortened(), "b"); }

TEST(WakeupSequence, KeepsWhatKeptADeliveryFromComingFirst) {
  sequence v("a1 x2 b3");
  v.has_weak_initial("y2");  // it is not: x comes before it

  EXPECT_EQ(v.shortened(), "xb");
}

TEST(WakeupSequence, NeedsNothingForAWeakInitial) {
  sequence v("a1 x2 b3");
  v.has_weak_initial("x2");
  v.has_weak_initial("z4");

  EXPECT_EQ(v.shortened(), "b");
}

TEST(WakeupSequence, LeavesOutWhatWasTaken) {
  sequence v("a1 x2 b3");
  v.has_weak_initial("c1");
  v.take("a1");

  EXPECT_EQ(v.shortened(), "b");
}

}  // namespace
}  // namespace harrier
