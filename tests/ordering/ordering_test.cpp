#include <harrier/ordering/ordering.hpp>

#include <gmock/gmock.h>

#include <memory>
#include <string>
#include <vector>

#include <harrier/core/error.hpp>

#include "../core/scripted.hpp"

namespace harrier {
namespace {

using testing::Each;
using testing::ElementsAre;
using testing::ElementsAreArray;
using testing::SizeIs;

/// The deliverable messages in the order in which `arranged` puts them.
std::string order_of(ordering& arranged, const scripted& s) {
  std::vector<message_slot> list;
  for (auto m = s.first_deliverable(); m != no_message; m = s.next_deliverable(m)) list.push_back(m);
  arranged.arrange(s, list);
  std::string names;
  for (const auto m : list) names += s.name_of(m);
  return names;
}

std::string order_by(const std::string& name, const scripted& s) { return order_of(*make_ordering(name, s), s); }

void take(scripted& s, ordering& arranged, char letter) {
  s.take({&letter, 1});
  arranged.learn(s);
}

/// In the order sent; beside each letter the actor that it waits for.
script seven_messages() {
  return {.starts = "abcdefg",
          .letters = {{'a', '2'}, {'b', '3'}, {'c', '1'}, {'d', '3'}, {'e', '4'}, {'f', '3'}, {'g', '1'}}};
}

TEST(Ordering, EcaPutsTheActorFirstThatWasCreatedFirst) {
  EXPECT_EQ(order_by("eca", scripted(seven_messages())), "cgabdfe");
}

TEST(Ordering, LcaPutsTheActorFirstThatWasCreatedLast) {
  EXPECT_EQ(order_by("lca", scripted(seven_messages())), "ebdfacg");
}

TEST(Ordering, FifoPutsTheActorFirstThatHasTheOldest) {
  EXPECT_EQ(order_by("fifo", scripted(seven_messages())), "abdfcge");
}

TEST(Ordering, LifoPutsTheActorFirstThatHasTheNewest) {
  EXPECT_EQ(order_by("lifo", scripted(seven_messages())), "cgbdfea");
}

TEST(Ordering, LdmPutsTheActorFirstThatHasFewest) { EXPECT_EQ(order_by("ldm", scripted(seven_messages())), "aecgbdf"); }

TEST(Ordering, HdmPutsTheActorFirstThatHasMost) { EXPECT_EQ(order_by("hdm", scripted(seven_messages())), "bdfcgae"); }

TEST(Ordering, HmsAndSgrGoByCreationBeforeTheyLearn) {
  EXPECT_EQ(order_by("hms", scripted(seven_messages())), "cgabdfe");
  EXPECT_EQ(order_by("sgr", scripted(seven_messages())), "cgabdfe");
}

TEST(Ordering, LooksAtWhatIsDeliverableOnly) {
  scripted s(
      {.starts = "gab",
       .letters = {
           {.name = 'g', .to = '2', .accepted = [](const std::string&) { return false; }}, {'a', '1'}, {'b', '2'}}});

  EXPECT_EQ(order_by("fifo", s), "ab");
  EXPECT_EQ(order_by("hdm", s), "ab");
}

TEST(Ordering, CountsAnewInEachState) {
  scripted s(seven_messages());
  const auto highest = make_ordering("hdm", s);
  const auto oldest = make_ordering("fifo", s);
  EXPECT_EQ(order_of(*highest, s), "bdfcgae");
  EXPECT_EQ(order_of(*oldest, s), "abdfcge");

  s.take("bda");

  EXPECT_EQ(order_of(*highest, s), "cgfe");
  EXPECT_EQ(order_of(*oldest, s), "cgef");
  s.undo_all();
  EXPECT_EQ(order_of(*highest, s), "bdfcgae");
  EXPECT_EQ(order_of(*oldest, s), "abdfcge");
}

/// a sends three messages, b one, c none.
script unlike_senders() {
  return {.starts = "ccbbaa", .letters = {{'a', '3', "xxx"}, {'b', '2', "x"}, {'c', '1'}, {'x', '4'}}};
}

TEST(Ordering, HmsPutsTheActorFirstThatSentMostADelivery) {
  scripted s(unlike_senders());
  const auto busiest = make_ordering("hms", s);
  take(s, *busiest, 'c');  // 0 a delivery, the others 1 till they are known
  EXPECT_EQ(order_of(*busiest, s), "bbaac");
  take(s, *busiest, 'b');  // 1 a delivery
  EXPECT_EQ(order_of(*busiest, s), "baaxc");
  take(s, *busiest, 'a');  // 3 a delivery

  EXPECT_EQ(order_of(*busiest, s), "abxxxxc");
}

TEST(Ordering, HmsGoesByTheAverage) {
  scripted s({.starts = "abad", .letters = {{'a', '2', "xx"}, {'b', '2'}, {'d', '1'}, {'x', '3'}}});
  const auto busiest = make_ordering("hms", s);
  take(s, *busiest, 'a');
  EXPECT_EQ(order_of(*busiest, s), "badxx");  // 2: 2, the others 1
  take(s, *busiest, 'b');
  EXPECT_EQ(order_of(*busiest, s), "daxx");  // all 1
  take(s, *busiest, 'x');
  EXPECT_EQ(order_of(*busiest, s), "dax");  // 3: 0
}

TEST(Ordering, HmsKeepsWhatItLearnt) {
  scripted s(unlike_senders());
  const auto busiest = make_ordering("hms", s);
  take(s, *busiest, 'a');
  s.undo();

  EXPECT_EQ(order_of(*busiest, s), "aaccbb");
}

/// 3 sends to 2, which sends to 1.
script chain() {
  return {.starts = "abc", .letters = {{'a', '1'}, {'b', '2', "x"}, {'c', '3', "y"}, {'x', '1'}, {'y', '2'}}};
}

TEST(Ordering, SgrPutsASenderBeforeItsReceiver) {
  scripted s(chain());
  const auto reachable = make_ordering("sgr", s);
  EXPECT_EQ(order_of(*reachable, s), "abc");
  take(s, *reachable, 'c');  // 3 -> 2

  EXPECT_EQ(order_of(*reachable, s), "aby");
  s.undo();
  EXPECT_EQ(order_of(*reachable, s), "acb");
}

TEST(Ordering, SgrFollowsChainsOfSends) {
  scripted s(chain());
  const auto reachable = make_ordering("sgr", s);
  take(s, *reachable, 'c');
  take(s, *reachable, 'b');  // 3 -> 2 -> 1
  s.undo_all();

  EXPECT_EQ(order_of(*reachable, s), "cba");
}

TEST(Ordering, SgrFollowsChainsThatAreLearntBackwards) {
  scripted s(chain());
  const auto reachable = make_ordering("sgr", s);
  take(s, *reachable, 'b');
  take(s, *reachable, 'c');
  s.undo_all();

  EXPECT_EQ(order_of(*reachable, s), "cba");
}

TEST(Ordering, SgrLearnsFromTheSetUp) {
  auto program = chain();
  program.starts = "abcbc";
  program.before = "bc";

  EXPECT_EQ(order_by("sgr", scripted(program)), "cbyax");
}

TEST(Ordering, SgrGoesByCreationAmongActorsThatReachEachOther) {
  scripted s({.starts = "ab", .letters = {{'a', '1', "b"}, {'b', '2', "a"}}});
  const auto reachable = make_ordering("sgr", s);
  take(s, *reachable, 'b');
  EXPECT_EQ(order_of(*reachable, s), "aa");
  s.undo();
  EXPECT_EQ(order_of(*reachable, s), "ba");
  take(s, *reachable, 'a');
  s.undo();

  EXPECT_EQ(order_of(*reachable, s), "ab");
}

/// One message for each of those actors, a for 1 and so on, in that order; 4 sent to 1 in the set-up.
script one_message_each(const std::string& letters) {
  script program{.starts = "yz" + letters, .letters = {{'y', '4', "z"}, {'z', '1'}}, .before = "yzz"};
  for (char i = 0; i < 8; ++i) program.letters.push_back({static_cast<char>('a' + i), static_cast<char>('1' + i)});
  return program;
}

// 4 goes before 1, which goes before 2, which goes before 4: the relation is not transitive, so the sort decides.
TEST(Ordering, SgrComparesNeighboursBelowSevenMessages) {
  EXPECT_EQ(order_by("sgr", scripted(one_message_each("abedfg"))), "abdefg");
}

TEST(Ordering, SgrMergesTwoHalvesFromSevenMessagesOn) {
  EXPECT_EQ(order_by("sgr", scripted(one_message_each("abedfgh"))), "dabefgh");
}

/// The messages of one actor, in the order in which each ordering puts them.
std::vector<std::string> orders_of_actor(const scripted& s, char actor) {
  std::vector<std::string> all;
  for (const auto& name : ordering_names()) {
    all.emplace_back();
    for (const auto letter : order_by(name, s))
      if (s.message_at(s.first_of(letter)).receiver == s.slot_of_actor(actor)) all.back() += letter;
  }
  return all;
}

TEST(Ordering, LeavesTheMessagesOfOneActorInTheOrderSent) {
  const scripted s(seven_messages());

  EXPECT_THAT(orders_of_actor(s, '1'), Each("cg"));
  EXPECT_THAT(orders_of_actor(s, '3'), Each("bdf"));
  EXPECT_THAT(orders_of_actor(s, '3'), SizeIs(ordering_names().size()));
}

TEST(Ordering, FifoAloneBeginsWithTheOldest) {
  const scripted s(seven_messages());
  std::vector<std::string> oldest_first;
  for (const auto& name : ordering_names())
    if (make_ordering(name, s)->begins_with_oldest()) oldest_first.push_back(name);

  EXPECT_THAT(oldest_first, ElementsAre("fifo"));
}

TEST(Ordering, HasNineNames) {
  EXPECT_THAT(ordering_names(),
              ElementsAreArray({"fifo", "eca", "lca", "lifo", "ldm", "hdm", "hms", "sgr", "stability"}));
}

TEST(Ordering, OfAnotherNameIsAnError) {
  const scripted s(seven_messages());

  EXPECT_THROW(make_ordering("FIFO", s), error);
  EXPECT_THROW(make_ordering("", s), error);
}

}  // namespace
}  // namespace harrier
