// Handlers that are not called again for what they did before: how often they are called, and that nothing else
// changes.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <map>
#include <queue>
#include <stdexcept>
#include <string>
#include <thread>
#include <unordered_set>
#include <vector>

#include <harrier/harrier.hpp>

namespace harrier {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

/// Of the handlers below, all calls there ever were. Handlers may count themselves, since nothing depends on it.
int calls = 0;

struct account {
  int balance = 0;
  void pay(int amount) {
    ++calls;
    balance += amount;
  }
};

options with(memoising how, const std::string& engine = "optimal") {
  options asked;
  asked.search.engine = engine;
  asked.judging.keep_going = true;
  asked.search.memoise = how;
  asked.search.observers = false;  // else handlers are called to find out whether there are any
  asked.judging.check_determinism = repetition::off;
  return asked;
}

/// The calls that exploring `driver` takes, and what it gives.
struct counted {
  int calls;
  exploration result;
};
counted count(auto driver, const options& how) {
  calls = 0;
  auto result = explore(driver, how);
  return {calls, std::move(result)};
}

double statistic_of(const exploration& of, const std::string& name) {
  for (const auto& s : of.statistics)
    if (s.name == name) return s.value;
  return -1;
}

const auto five_payments = [](self& me) {
  const auto a = me.create<account>();
  for (const int amount : {1, 2, 4, 8, 16}) me.send<&account::pay>(a, amount);
};

TEST(Memoising, CallsAHandlerOnceForEachStateAndMessage) {
  const auto plain = count(five_payments, with(memoising::off));
  const auto kept = count(five_payments, with(memoising::on));

  EXPECT_EQ(plain.result.executions, 120U);
  EXPECT_EQ(plain.calls, 325);    // the deliveries
  EXPECT_EQ(kept.calls, 5 * 16);  // of each message to each sum of some others
  EXPECT_EQ(kept.result.executions, plain.result.executions);
  EXPECT_EQ(kept.result.transitions, plain.result.transitions);
  EXPECT_EQ(statistic_of(kept.result, "distinct steps remembered"), 80);
  EXPECT_EQ(statistic_of(kept.result, "steps recalled"), 325 - 80);
  EXPECT_EQ(statistic_of(plain.result, "steps recalled"), -1);
  EXPECT_THAT(kept.result.notes, testing::Contains(HasSubstr("245 deliveries were done from memory")));
}

TEST(Memoising, IsCheckedWithOneMoreCallForEachNewStep) {
  auto how = with(memoising::on);
  how.judging.check_determinism = repetition::sample;
  const auto kept = count(five_payments, how);

  EXPECT_EQ(kept.result.executions, 120U);
  EXPECT_EQ(statistic_of(kept.result, "distinct steps remembered"), 80);
  EXPECT_EQ(statistic_of(kept.result, "steps recalled"), 325 - 80);
  EXPECT_GE(kept.calls, 2 * 80);
  EXPECT_LE(kept.calls, 2 * 80 + 325 / 31 + 1);  // and now and then of one that is recalled
}

TEST(Memoising, CallsAllWhereEachDeliveryIsToBeRunTwice) {
  auto how = with(memoising::on);
  how.judging.check_determinism = repetition::all;
  how.judging.check_undo = true;
  const auto kept = count(five_payments, how);

  EXPECT_EQ(kept.result.executions, 120U);
  EXPECT_THAT(kept.result.findings, IsEmpty());
  EXPECT_EQ(kept.calls, 325 + 80);
  EXPECT_EQ(statistic_of(kept.result, "steps recalled"), 325 - 80);
}

TEST(Memoising, LeavesCheapHandlersAlone) {
  const auto kept = count(five_payments, with(memoising::automatic));

  EXPECT_EQ(kept.calls, 325);
  EXPECT_EQ(statistic_of(kept.result, "steps recalled"), -1);
}

struct slow_account {
  int balance = 0;
  void pay(int amount) {
    ++calls;
    const auto end = std::chrono::steady_clock::now() + std::chrono::microseconds(100);
    while (std::chrono::steady_clock::now() < end) {}
    balance += amount;
  }
};

TEST(Memoising, FindsOutWhichHandlersAreDear) {
  const auto kept = count(
      [](self& me) {
        const auto a = me.create<slow_account>();
        for (const int amount : {1, 2, 4, 8, 16}) me.send<&slow_account::pay>(a, amount);
      },
      with(memoising::automatic));

  EXPECT_EQ(kept.result.executions, 120U);
  EXPECT_EQ(kept.result.transitions, 325U);
  EXPECT_LE(kept.calls, 80 + 8);  // the first eight were measured
  EXPECT_GE(kept.calls, 80);
}

// What a handler does besides changing its state is done again.

struct teller {
  int left = 3;
  void serve(self& me, ref<account> from, std::string /*receipt*/) {
    ++calls;
    me.note("served");
    const auto fee = static_cast<int>(me.choose(2));
    me.send<&account::pay>(from, fee);
    if (--left == 0) me.destroy();
  }
};

TEST(Memoising, RepeatsSendsDrawsNotesAndEnds) {
  const auto driver = [](self& me) {
    const auto t = me.create<teller>();
    const auto a = me.create<account>();
    for (int i = 0; i < 4; ++i) me.send<&teller::serve>(t, a, std::string(40, static_cast<char>('a' + i)));
  };
  auto how = with(memoising::off);
  how.limits.max_executions = 3000;
  const auto plain = count(driver, how);
  how.search.memoise = memoising::on;
  const auto kept = count(driver, how);

  EXPECT_EQ(kept.result.executions, plain.result.executions);
  EXPECT_EQ(kept.result.transitions, plain.result.transitions);
  EXPECT_EQ(kept.result.outcomes, plain.result.outcomes);
  EXPECT_THAT(plain.result.warnings, testing::SizeIs(1));  // the fourth comes to an actor that is gone
  EXPECT_EQ(kept.result.warnings.size(), plain.result.warnings.size());
  EXPECT_LT(kept.calls, plain.calls / 4);
}

struct bank {
  int next = 0;
  int number() {
    ++calls;
    return ++next;
  }
  int refuse() {
    ++calls;
    throw std::runtime_error("closed");
  }
};
struct asker {
  ref<bank> at;
  int got = 0;
  std::string why;
  task ask(self& me) {
    got = co_await me.call<&bank::number>(at);
    try {
      got += co_await me.call<&bank::refuse>(at);
    } catch (const call_failed& failed) {
      why = failed.what();
    }
  }
};
struct other_asker {
  ref<bank> at;
  int got = 0;
  void ask(self& me) { me.call<&bank::number>(at).then<&other_asker::take>(); }
  void take(int number) { got = number; }
};

TEST(Memoising, RepliesToEachCallerAsItWaits) {
  const auto driver = [](self& me) {
    const auto b = me.create<bank>();
    me.send<&asker::ask>(me.create<asker>(b));
    me.send<&other_asker::ask>(me.create<other_asker>(b));
    me.send<&asker::ask>(me.create<asker>(b));
  };
  for (const auto* engine : {"exhaustive", "optimal", "stateful", "trust"}) {
    const auto plain = count(driver, with(memoising::off, engine));
    const auto kept = count(driver, with(memoising::on, engine));
    EXPECT_EQ(kept.result.executions, plain.result.executions) << engine;
    EXPECT_EQ(kept.result.transitions, plain.result.transitions) << engine;
    EXPECT_THAT(kept.result.findings, IsEmpty()) << engine;
    EXPECT_LT(kept.calls, plain.calls) << engine;
  }
}

struct careful {
  int seen = 0;
  void look(self& me, int limit) {
    ++calls;
    me.check(seen < limit, "below the limit");
    ++seen;
  }
};

TEST(Memoising, LosesNoFinding) {
  const auto driver = [](self& me) {
    const auto c = me.create<careful>();
    for (const int limit : {1, 2, 3, 9}) me.send<&careful::look>(c, limit);
  };
  const auto plain = count(driver, with(memoising::off));
  const auto kept = count(driver, with(memoising::on));

  ASSERT_EQ(plain.result.findings.size(), 1U);
  ASSERT_EQ(kept.result.findings.size(), 1U);
  EXPECT_EQ(kept.result.findings[0].occurrences, plain.result.findings[0].occurrences);
  EXPECT_EQ(kept.result.findings[0].schedule, plain.result.findings[0].schedule);
  EXPECT_LT(kept.calls, plain.calls);
}

struct listing {
  std::unordered_set<int> all;
  std::vector<int> order;
  void add(int x) {
    ++calls;
    all.insert(x);
  }
  void list() { order.assign(all.begin(), all.end()); }
};

TEST(Memoising, TellsOrdersOfWhatHasNoneApart) {
  const auto ends = [](memoising m) {
    std::map<std::vector<int>, int> all;
    auto how = with(m);
    how.judging.finally = [&](final_states& end) { ++all[end.only<listing>().order]; };
    static_cast<void>(explore(
        [](self& me) {
          const auto l = me.create<listing>();
          for (const int x : {1, 100, 1000, 10000}) me.send<&listing::add>(l, x);
          me.send<&listing::list>(l);
        },
        how));
    return all;
  };

  EXPECT_EQ(ends(memoising::on), ends(memoising::off));
}

struct reticent {
  int shown = 0;
  int hidden = 0;
  void touch(self& me) {
    ++calls;
    me.check(++hidden < 3, "touched twice at most");
  }
  template <class Inspector>
  friend bool inspect(Inspector& f, reticent& x) {
    return f.object(x).fields(f.field("shown", x.shown));
  }
};
struct frank {
  int a = 0;
  int b = 0;
  void touch() {
    ++calls;
    a = 1;
  }
  template <class Inspector>
  friend bool inspect(Inspector& f, frank& x) {
    return f.object(x).fields(f.field("a", x.a), f.field("b", x.b));
  }
};

TEST(Memoising, RemembersOnlyStatesThatShowAllTheyAre) {
  const auto hiding = count(
      [](self& me) {
        const auto r = me.create<reticent>();
        for (int i = 0; i < 3; ++i) me.send<&reticent::touch>(r);
      },
      with(memoising::on));
  EXPECT_EQ(hiding.result.findings.size(), 1U);
  EXPECT_EQ(statistic_of(hiding.result, "steps recalled"), 0);

  const auto showing = count(
      [](self& me) {
        const auto f = me.create<frank>();
        for (int i = 0; i < 3; ++i) me.send<&frank::touch>(f);
      },
      with(memoising::on));
  EXPECT_EQ(showing.calls, 2);  // with a == 0 and with a == 1
}

struct thermometer {
  double degrees = 0;
  bool is_below = false;
  void set(double to) { degrees = to; }
  void look() {
    ++calls;
    is_below = 1 / degrees < 0;  // tells 0 from -0
  }
};

TEST(Memoising, TellsZeroFromMinusZero) {
  const auto driver = [](self& me) {
    const auto t = me.create<thermometer>();
    me.send<&thermometer::set>(t, 0.0);
    me.send<&thermometer::set>(t, -0.0);
    me.send<&thermometer::look>(t);
    me.send<&thermometer::look>(t);
  };
  auto how = with(memoising::off);
  const auto with_states = [&](memoising m) {
    std::map<std::string, int> ends;
    how.search.memoise = m;
    how.judging.finally = [&](final_states& end) { ++ends[end.only<thermometer>().is_below ? "below" : "not below"]; };
    static_cast<void>(explore(driver, how));
    return ends;
  };
  EXPECT_EQ(with_states(memoising::on), with_states(memoising::off));
}

struct blob {
  std::string data;
  void grow(int by) { data.append(std::size_t{2} << 20, static_cast<char>('a' + by)); }
};

TEST(Memoising, GivesUpWhatIsTooMuch) {
  const auto driver = [](self& me) {
    const auto b = me.create<blob>();
    for (int i = 0; i < 4; ++i) me.send<&blob::grow>(b, i);
  };
  const auto plain = explore(driver, with(memoising::off));
  const auto kept = explore(driver, with(memoising::on));

  EXPECT_EQ(kept.executions, plain.executions);
  EXPECT_EQ(kept.transitions, plain.transitions);
  EXPECT_GT(statistic_of(kept, "times that the memory of steps was full"), 0);
}

// A program whose handlers do not repeat themselves is found out.

int drift = 0;
struct drifting {
  int value = 0;
  void touch() { value = ++drift / 40; }  // for a while the same
};

TEST(Memoising, SeesThatAHandlerNoLongerDoesWhatItDid) {
  drift = 0;
  auto how = with(memoising::on, "exhaustive");
  how.judging.check_determinism = repetition::all;
  const auto result = explore(
      [](self& me) {
        for (int i = 0; i < 6; ++i) me.send<&drifting::touch>(me.create<drifting>());
      },
      how);

  ASSERT_EQ(result.findings.size(), 1U);
  EXPECT_EQ(result.findings[0].kind, finding_kind::nondeterminism);
}

// A copy of a state may throw at any time; it must not take harrier with it.
struct fragile {
  int copies_left = 100;
  fragile() = default;
  fragile(const fragile& other) : copies_left(other.copies_left) {
    if (throws) throw std::runtime_error("out of memory");
  }
  fragile& operator=(const fragile&) = default;
  fragile(fragile&&) = default;
  fragile& operator=(fragile&&) = default;
  template <class Inspector>
  friend bool inspect(Inspector& f, fragile& x) {
    return f.object(x).fields(f.field("copies_left", x.copies_left));
  }
  static inline bool throws = false;
};
struct keeper {
  fragile what;
  void touch() {
    what.copies_left = 1;
    fragile::throws = true;
  }
};

TEST(Memoising, SurvivesACopyThatThrows) {
  fragile::throws = false;
  const auto result = explore(
      [](self& me) {
        const auto k = me.create<keeper>();
        me.send<&keeper::touch>(k);
        me.send<&keeper::touch>(k);
      },
      with(memoising::on));
  fragile::throws = false;

  EXPECT_FALSE(result.exhausted);
  ASSERT_EQ(result.findings.size(), 1U);
  EXPECT_THAT(result.findings[0].message, HasSubstr("out of memory"));
}

struct quiet_account {  // nothing of it is shared
  int balance = 0;
  void pay(int amount) { balance += amount; }
};

TEST(Memoising, IsDoneByEachOfSeveralJobs) {
  const auto tested = make_program([](self& me) {
    const auto a = me.create<quiet_account>();
    for (const int amount : {1, 2, 4, 8, 16}) me.send<&quiet_account::pay>(a, amount);
  });
  auto how = with(memoising::on, "optimal");
  const auto one = explore(tested, how);
  how.search.jobs = 3;
  const auto three = explore(tested, how);

  EXPECT_EQ(one.executions, 120U);
  EXPECT_EQ(three.executions, one.executions);
  EXPECT_GT(statistic_of(three, "steps recalled"), 0);
}

struct wheel {
  ref<wheel> next;
  int at = 0;
  int turned = 0;
  void join(ref<wheel> with) { next = with; }
  void turn(self& me, int by) {
    at = (at + by) % 3;
    turned = (turned + 1) % 2;
    me.send<&wheel::turn>(next, at == 0 ? 1 : 2);
  }
};

TEST(Memoising, ChangesNoState) {
  const auto tested = make_program([](self& me) {
    const auto first = me.create<wheel>();
    const auto second = me.create<wheel>(first);
    const auto third = me.create<wheel>(second);
    me.send<&wheel::join>(first, third);
    me.send<&wheel::turn>(second, 1);
    me.send<&wheel::turn>(third, 2);
  });
  auto how = with(memoising::off, "stateful");
  const auto plain = explore(tested, how);
  how.search.memoise = memoising::on;
  const auto kept = explore(tested, how);

  ASSERT_TRUE(plain.states && kept.states);
  EXPECT_GT(plain.states->states, 50U);
  EXPECT_EQ(kept.states->states, plain.states->states);
  EXPECT_EQ(kept.states->revisits, plain.states->revisits);
  EXPECT_EQ(kept.transitions, plain.transitions);
  EXPECT_EQ(kept.findings.size(), plain.findings.size());
  EXPECT_GT(statistic_of(kept, "steps recalled"), static_cast<double>(kept.transitions) / 2);
}

}  // namespace
}  // namespace harrier
