// Lists of actors, and references in order: the same in each execution of a class, in each search and each worker.
#include <gmock/gmock.h>

#include <algorithm>
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <unordered_set>
#include <vector>

#include <harrier/harrier.hpp>
#include <harrier/native/test_body.hpp>

namespace harrier {
namespace {

using testing::IsEmpty;
using testing::SizeIs;

const std::vector<std::string> engines = {"exhaustive", "optimal", "dcute", "persistent", "transdpor",
                                          "source",     "trust",   "auto",  "stateful"};

struct kid {
  int tag = 0;
  void have(self& me) {
    for (int i = 1; i <= 2; ++i) me.create<kid>(10 * tag + i);
  }
  void leave(self& me) { me.destroy(); }
};

/// Makes a kid that makes two.
struct maker {
  int tag = 0;
  void make(self& me) { me.send<&kid::have>(me.create<kid>(tag)); }
};

void two_makers(self& me) {
  for (int tag = 1; tag <= 2; ++tag) me.send<&maker::make>(me.create<maker>(tag));
}

std::string tags_of(const states& seen) {
  std::string text;
  for (const kid& one : seen.all<kid>()) text += std::to_string(one.tag) + " ";
  return text;
}

exploration explored(const program& tested, const std::string& engine, final_check finally) {
  options how;
  how.search.engine = engine;
  how.judging.keep_going = true;
  how.judging.finally = std::move(finally);
  return explore(tested, how);
}

TEST(ActorLists, AreTheSameInEachExecutionOfEachEngine) {
  for (const auto& engine : engines) {
    const auto all = explored(make_program(two_makers), engine, [](final_states& end) {
      end.check(tags_of(end) == "1 11 12 2 21 22 ",
                "all that came of the first message before what came of the second");
    });
    EXPECT_THAT(all.findings, IsEmpty()) << engine;
    EXPECT_TRUE(all.exhausted) << engine;
  }
}

TEST(ActorLists, GiveACheckOfTheirFirstTheSameFindingsUnderEachEngine) {
  for (const auto& engine : engines) {
    const auto all = explored(make_program(two_makers), engine, [](final_states& end) {
      end.check(end.all<kid>().front().get().tag == 2, "the second maker's kid comes first");
    });
    ASSERT_THAT(all.findings, SizeIs(1)) << engine;
    EXPECT_EQ(all.findings.front().occurrences, all.executions) << engine;
  }
}

TEST(ActorLists, KeepTheirOrderWithoutThoseThatAreGone) {
  const auto tested = make_program([](self& me) {
    two_makers(me);
    me.send<&kid::leave>(me.create<kid>(3));
  });
  for (const auto& engine : {"exhaustive", "optimal"}) {
    const auto all = explored(tested, engine, [](final_states& end) {
      end.check(end.alive<kid>().front().get().tag == 1 && end.all<kid>().front().get().tag == 3,
                "what the driver created comes first");
    });
    EXPECT_THAT(all.findings, IsEmpty()) << engine;
  }
}

TEST(ActorLists, AreTheSameWhereverMessagesArriveInMailboxes) {
  options how;
  how.search.engine = "exhaustive";
  how.search.delivery = delivery::mailbox_interleaved;
  how.judging.finally = [](final_states& end) { end.check(tags_of(end) == "1 11 12 2 21 22 ", "in causal order"); };

  EXPECT_THAT(explore(make_program(two_makers), how).findings, IsEmpty());
}

TEST(ActorLists, AreTheSameForTheBodyOfATest) {
  const auto tested = make_test_program({.run = [](self& me, test_run& run) {
    two_makers(me);
    run.handle_all();
    me.check(tags_of(run.actors()) == "1 11 12 2 21 22 ", "before the body goes on");
    me.send<&maker::make>(me.create<maker>(3));
    me.create<kid>(4);
    run.handle_all();
    me.check(tags_of(run.actors()) == "1 11 12 2 21 22 4 3 31 32 ", "a stage after the one before");
  }});
  for (const auto& engine : engines) EXPECT_THAT(explored(tested, engine, nullptr).findings, IsEmpty()) << engine;
}

struct sees_lists : monitor {
  std::optional<record> stepped(const system& s) override {
    std::vector<int> tags;
    for (const kid& one : states(s).all<kid>())
      if (one.tag < 10) tags.push_back(one.tag);
    if (std::is_sorted(tags.begin(), tags.end())) return std::nullopt;
    return record{.message = "the kids are not in order"};
  }
};

TEST(ActorLists, AreTheSameForAMonitor) {
  const auto two = make_program([](self& me) {
    for (int tag = 1; tag <= 2; ++tag) me.send<&maker::make>(me.create<maker>(tag));
  });
  sees_lists judge;
  options how;
  how.search.engine = "exhaustive";
  how.judging.by = &judge;

  EXPECT_THAT(explore(two, how).findings, IsEmpty());
}

/// Knows kids of several makers by their references, in whichever order these came.
struct registry {
  std::map<ref<kid>, int> known;
  std::unordered_set<ref<kid>> hashed;
  void enter(ref<kid> who, int tag) {
    known[who] = tag;
    hashed.insert(who);
  }
};

struct registrar {
  ref<registry> at;
  int tag = 0;
  void make(self& me) {
    for (int i = 1; i <= 2; ++i) me.send<&registry::enter>(at, me.create<kid>(10 * tag + i), 10 * tag + i);
  }
};

void three_registrars(self& me) {
  const auto at = me.create<registry>();
  for (int tag = 1; tag <= 3; ++tag) me.send<&registrar::make>(me.create<registrar>(at, tag));
  for (int tag = 1; tag <= 2; ++tag) me.send<&registry::enter>(at, me.create<kid>(tag), tag);
}

std::string order_of(const registry& seen) {
  std::string text;
  for (const auto& [who, tag] : seen.known) text += std::to_string(tag) + " ";
  return text;
}

TEST(References, HaveOneOrderInEachExecutionSearchAndWorker) {
  std::mutex guard;
  std::set<std::string> orders;
  const auto note = [&](final_states& end) {
    const std::lock_guard lock(guard);
    orders.insert(order_of(end.only<registry>()));
    end.check(end.only<registry>().hashed.size() == 8, "each is there once");
  };
  options how;
  how.judging.finally = note;
  how.limits.max_executions = 3000;
  for (const auto& engine : {"random", "exhaustive", "optimal", "stateful"}) {
    how.search.engine = engine;
    EXPECT_THAT(explore(make_program(three_registrars), how).findings, IsEmpty()) << engine;
  }
  how.search.engine = "optimal";
  how.search.jobs = 2;
  EXPECT_THAT(explore(make_program(three_registrars), how).findings, IsEmpty());

  ASSERT_THAT(orders, SizeIs(1));
  const auto& order = *orders.begin();
  EXPECT_TRUE(order.starts_with("1 2 ")) << order << ": first what the driver created";
  for (const auto* both : {"11 12 ", "21 22 ", "31 32 "})
    EXPECT_NE(order.find(both), std::string::npos) << order << ": what one delivery created stands together";
}

TEST(References, ComeBeforeAllOthersIfTheyReferToNobody) {
  const auto all = explored(make_program([](self& me) {
                              const auto one = me.create<kid>(1);
                              const auto two = me.create<kid>(2);
                              me.check(ref<kid>() < one && one < two && one <= one && !(two < one), "in order");
                              me.check(std::hash<ref<kid>>()(one) != std::hash<ref<kid>>()(two), "told apart");
                              me.send<&kid::leave>(one);
                            }),
                            "optimal", nullptr);

  EXPECT_THAT(all.findings, IsEmpty());
}

struct restless {
  bool rests;
  void leave(self& me) { me.destroy(); }
  void take() {}
  [[nodiscard]] bool at_rest() const { return rests; }
};
/// Makes one that leaves before it takes all, or that is to do more.
struct parent {
  bool leaves;
  void make(self& me) const {
    const auto one = me.create<restless>(leaves);
    if (!leaves) return;
    me.send<&restless::leave>(one);
    me.send<&restless::take>(one);
  }
};

/// Who creates first gets the lower number.
TEST(FindingsAboutActors, AreTheSameWhateverTheOrderInWhichTheseWereCreated) {
  options how;
  how.search.engine = "exhaustive";
  how.search.delivery = delivery::fifo;
  how.judging.keep_going = true;
  const auto all = explore(make_program([](self& me) {
                             for (const bool leaves : {true, false}) me.send<&parent::make>(me.create<parent>(leaves));
                           }),
                           how);

  ASSERT_GT(all.executions, 1U);
  ASSERT_THAT(all.findings, SizeIs(1)) << all.findings.size() << " deadlocks";
  EXPECT_EQ(all.findings.front().occurrences, all.executions);
  ASSERT_THAT(all.warnings, SizeIs(1));
  EXPECT_EQ(all.warnings.front().occurrences, all.executions);
}

}  // namespace
}  // namespace harrier
