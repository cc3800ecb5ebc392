// Which names stay when the others are given back. Names are drawn as a tree: a(b c) is a, which sends b and c.
#include <gtest/gtest.h>

#include <harrier/core/identity.hpp>

namespace harrier {
namespace {

/// 0(a(c) b(d e)), e drawing 7 of its own, and actors x and y created by b.
struct family {
  identities names;
  message_id root = names.first_sent(identities::origin);
  message_id a = names.first_sent(root);
  message_id b = names.next_sent(a);
  message_id c = names.first_sent(a);
  message_id d = names.first_sent(b);
  message_id e = names.next_sent(d);
  message_id drawn = names.alternative(e, 7);
  actor_id x = names.first_created(b);
  actor_id y = names.next_created(x);

  template <class... Name>
  void keep_only(Name... kept) {
    name_keeper keep(names);
    (keep(kept), ...);
    names.collect(keep);
  }
};

TEST(NamesGivenBack, LeaveWhatIsKeptAsItWas) {
  family f;
  const auto name = f.names.name_of(f.drawn);
  f.keep_only(f.drawn, f.y);

  EXPECT_EQ(f.names.first_sent(identities::origin), f.root);
  EXPECT_EQ(f.names.next_sent(f.names.first_sent(f.root)), f.b);
  EXPECT_EQ(f.names.first_sent(f.b), f.d);
  EXPECT_EQ(f.names.next_sent(f.d), f.e);
  EXPECT_EQ(f.names.alternative(f.e, 7), f.drawn);
  EXPECT_EQ(f.names.next_created(f.names.first_created(f.b)), f.y);
  EXPECT_EQ(f.names.name_of(f.drawn), name);
}

TEST(NamesGivenBack, AreUsedAgain) {
  family f;
  const auto before = f.names.message_count();
  f.keep_only(f.a);
  for (auto i = 0; i < 4; ++i) f.names.alternative(f.a, 1U + static_cast<unsigned>(i));

  EXPECT_EQ(f.names.message_count(), before);
}

TEST(NamesGivenBack, AreMadeAnewWithTheSamePortableName) {
  family f;
  const auto of_c = f.names.name_of(f.c);
  const auto of_drawn = f.names.name_of(f.drawn);
  const auto of_y = f.names.name_of(f.y);
  f.keep_only(f.root);
  const auto b = f.names.next_sent(f.names.first_sent(f.root));
  const auto e = f.names.next_sent(f.names.first_sent(b));

  EXPECT_EQ(f.names.name_of(f.names.alternative(e, 7)), of_drawn);
  EXPECT_EQ(f.names.name_of(f.names.next_created(f.names.first_created(b))), of_y);
  EXPECT_EQ(f.names.name_of(f.names.first_sent(f.names.first_sent(f.root))), of_c);
}

TEST(NamesGivenBack, TakeWhatIsBelowThemAlong) {
  family f;
  f.keep_only(f.b);  // a stays, as the one before it, and c does not
  const auto again = f.names.first_sent(f.a);

  EXPECT_EQ(f.names.path_of(again), "0.0.0");
  EXPECT_EQ(f.names.ordinal_of(f.b), 1U);
}

TEST(NamesGivenBack, AreNoneOfAnAlternativeThatIsKept) {
  family f;
  const auto below = f.names.first_sent(f.drawn);
  f.keep_only(below);

  EXPECT_EQ(f.names.first_sent(f.names.alternative(f.e, 7)), below);
  EXPECT_EQ(f.names.message_of(f.drawn), f.e);
  EXPECT_EQ(f.names.code_of(f.drawn), 7U);
}

}  // namespace
}  // namespace harrier
