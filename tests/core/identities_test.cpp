#include <harrier/core/identity.hpp>

#include <gmock/gmock.h>

#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "scripted.hpp"

namespace harrier {
namespace {

using testing::UnorderedElementsAre;

TEST(Identities, GiveASendTheSameNameAgain) {
  identities names;
  const auto first = names.first_sent(identities::origin);
  const auto second = names.next_sent(first);

  EXPECT_EQ(names.first_sent(identities::origin), first);
  EXPECT_EQ(names.next_sent(first), second);
  EXPECT_NE(first, second);
  EXPECT_NE(first, identities::origin);
}

TEST(Identities, CountTheSendsOfADelivery) {
  identities names;
  const auto first = names.first_sent(identities::origin);
  const auto second = names.next_sent(first);
  const auto third = names.next_sent(second);

  EXPECT_EQ(names.ordinal_of(first), 0U);
  EXPECT_EQ(names.ordinal_of(second), 1U);
  EXPECT_EQ(names.ordinal_of(third), 2U);
}

TEST(Identities, KnowTheDeliveryThatSends) {
  identities names;
  const auto a = names.first_sent(identities::origin);
  const auto below = names.first_sent(a);

  EXPECT_EQ(names.sender_of(a), identities::origin);
  EXPECT_EQ(names.sender_of(below), a);
  EXPECT_EQ(names.sender_of(names.next_sent(below)), a);
}

TEST(Identities, CallADeliveryWithoutDrawsAsItsMessage) {
  identities names;
  const auto m = names.first_sent(identities::origin);

  EXPECT_EQ(names.alternative(m, 0), m);
  EXPECT_EQ(names.message_of(m), m);
  EXPECT_EQ(names.code_of(m), 0U);
}

TEST(Identities, TellAlternativesApart) {
  identities names;
  const auto m = names.first_sent(identities::origin);
  const auto other = names.next_sent(m);
  const std::set<message_id> all{m,
                                 other,
                                 names.alternative(m, 1),
                                 names.alternative(m, 2),
                                 names.alternative(m, ~0ULL),
                                 names.alternative(other, 1)};

  EXPECT_EQ(all.size(), 6U);
  EXPECT_EQ(names.alternative(m, 2), names.alternative(m, 2));
}

TEST(Identities, LeadFromAnAlternativeToItsMessage) {
  identities names;
  const auto m = names.next_sent(names.first_sent(identities::origin));
  const auto label = names.alternative(m, 5);

  EXPECT_EQ(names.message_of(label), m);
  EXPECT_EQ(names.code_of(label), 5U);
  EXPECT_EQ(names.sender_of(label), names.sender_of(m));
  EXPECT_EQ(names.ordinal_of(label), names.ordinal_of(m));
}

TEST(Identities, TellApartWhatAlternativesSendAndCreate) {
  identities names;
  const auto m = names.first_sent(identities::origin);
  const auto label = names.alternative(m, 1);

  EXPECT_NE(names.first_sent(m), names.first_sent(label));
  EXPECT_EQ(names.sender_of(names.first_sent(label)), label);
  EXPECT_NE(names.first_created(m), names.first_created(label));
}

TEST(Identities, GiveACreatedActorTheSameNameAgain) {
  identities names;
  const auto by = names.first_sent(identities::origin);
  const auto first = names.first_created(by);
  const auto second = names.next_created(first);

  EXPECT_EQ(names.first_created(by), first);
  EXPECT_EQ(names.next_created(first), second);
  EXPECT_NE(first, second);
  EXPECT_NE(names.first_created(identities::origin), first);
}

TEST(Identities, AreBelowTheirNumber) {
  identities names;
  auto m = names.first_sent(identities::origin);
  for (int i = 0; i < 100; ++i) m = names.next_sent(names.first_sent(names.alternative(m, 3)));
  auto a = names.first_created(m);
  for (int i = 0; i < 100; ++i) a = names.next_created(a);

  EXPECT_EQ(names.message_count(), 302U);
  EXPECT_EQ(static_cast<std::uint32_t>(m) + 1, names.message_count());
  EXPECT_EQ(names.actor_count(), 101U);
  EXPECT_EQ(static_cast<std::uint32_t>(a) + 1, names.actor_count());
}

/// Draws, creates, and sends from several actors to one.
script branching() {
  return {.starts = "abc",
          .letters = {{.name = 'a', .to = '1', .sends = "de", .draws = {2}},
                      {.name = 'b', .to = '2', .sends = "d", .creates = "56"},
                      {.name = 'c', .to = '1', .sends = "d", .creates = "7"},
                      {.name = 'd', .to = '3'},
                      {.name = 'e', .to = '3', .sends = "d"}}};
}

/// By the way that leads to it, written out: what each thing is called.
struct book {
  std::map<std::string, message_id> messages;
  std::map<std::string, actor_id> actors;
  std::map<message_id, std::string> way_to;

  template <class Map, class Name>
  static void note(Map& map, const std::string& way, Name name) {
    const auto known = map.emplace(way, name).first;
    ASSERT_EQ(known->second, name) << way;
  }
  void note_step(const system& s, std::size_t i) {
    const auto& step = s.step_at(i);
    const auto way = way_to[s.message_at(step.message).id] + "=" + std::to_string(step.code) + "/";
    for (auto m = step.first_sent; m < s.sent_end(i); ++m) {
      const auto sent = way + std::to_string(m - step.first_sent);
      note(messages, sent, s.message_at(m).id);
      way_to[s.message_at(m).id] = sent;
    }
    for (auto a = step.first_created; a < s.created_end(i); ++a)
      note(actors, way + std::to_string(a - step.first_created), s.actor_at(a).id);
  }
};

template <class Map>
std::size_t different_names(const Map& map) {
  std::set<typename Map::mapped_type> all;
  for (const auto& [way, name] : map) all.insert(name);
  return all.size();
}

void explore(system& s, book& all) {
  for (auto m = s.first_deliverable(); m != no_message; m = s.next_deliverable(m)) {
    std::uint64_t code = 0;
    do {
      s.deliver(m, code);
      all.note_step(s, s.step_count() - 1);
      explore(s, all);
      code = s.next_code();
      s.undo();
    } while (code != 0);
  }
}

TEST(Identities, AreOneToOneWithTheWaysThatLeadThere) {
  scripted s(branching());
  book all;
  all.note_step(s, 0);
  explore(s, all);

  // a, b, c; a that draws 0: d, e; a that draws 1: d, e; b: d; c: d; both e: d
  EXPECT_EQ(all.messages.size(), 3U + 2 + 2 + 1 + 1 + 2);
  EXPECT_EQ(different_names(all.messages), all.messages.size());
  EXPECT_EQ(all.actors.size(), 6U);  // 1 2 3, 5 6, 7
  EXPECT_EQ(different_names(all.actors), 6U);
}

TEST(Identities, StayInOtherInterleavings) {
  scripted s(branching());
  s.take("abc");
  const auto of_a = s.message_at(s.pending_of('e')).id;
  const auto five = s.actor_at(s.slot_of_actor('5')).id;
  const auto seven = s.actor_at(s.slot_of_actor('7')).id;
  s.undo_all();
  s.take("cba");

  EXPECT_EQ(s.message_at(s.pending_of('e')).id, of_a);
  EXPECT_EQ(s.actor_at(s.slot_of_actor('5')).id, five);
  EXPECT_EQ(s.actor_at(s.slot_of_actor('7')).id, seven);
}

TEST(Identities, FindSlotsInThisExecutionOnly) {
  scripted s(branching());
  s.take("b");
  const auto sent = s.message_at(s.pending_of('d')).id;
  const auto created = s.actor_at(s.slot_of_actor('6')).id;
  EXPECT_EQ(s.slot_of(sent), s.pending_of('d'));
  EXPECT_EQ(s.slot_of(created), s.slot_of_actor('6'));

  s.undo();
  s.take("c");  // sends and creates something else, in the same slots

  EXPECT_EQ(s.slot_of(sent), no_message);
  EXPECT_FALSE(s.exists(created));
  EXPECT_FALSE(s.exists(no_actor));
}

TEST(ActorNumbers, AreThoseOfAllIdentitiesThatHaveThemInCommon) {
  const auto common = std::make_shared<actor_numbers>();
  identities one;
  identities other;
  const auto known = one.first_created(identities::origin);
  ASSERT_EQ(other.first_created(identities::origin), known);
  ASSERT_TRUE(one.number_actors_by(common));
  ASSERT_TRUE(other.number_actors_by(common));

  const auto by_first = one.first_created(one.first_sent(identities::origin));
  const auto by_second = one.first_created(one.next_sent(one.first_sent(identities::origin)));
  const auto by_second_there = other.first_created(other.next_sent(other.first_sent(identities::origin)));
  const auto by_first_there = other.first_created(other.first_sent(identities::origin));

  EXPECT_EQ(by_first, by_first_there);
  EXPECT_EQ(by_second, by_second_there);
  EXPECT_NE(by_first, by_second);
  EXPECT_EQ(common->all(), (std::vector{one.name_of(known), one.name_of(by_first), one.name_of(by_second)}));
}

TEST(ActorNumbers, AreRefusedToThoseWhoHaveOthers) {
  const auto common = std::make_shared<actor_numbers>();
  identities one;
  identities other;
  one.first_created(one.first_sent(identities::origin));
  other.first_created(identities::origin);

  EXPECT_TRUE(one.number_actors_by(common));
  EXPECT_FALSE(other.number_actors_by(common));
  EXPECT_TRUE(one.number_actors_by(common)) << "once more is no change";
}

}  // namespace
}  // namespace harrier
