// What each delivery model allows. Every search must run exactly these traces.
#include <algorithm>
#include <string>
#include <vector>

#include <harrier/native/program.hpp>

#include "readable.hpp"

namespace harrier::litmus {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::UnorderedElementsAre;

struct under {
  delivery model;
  searched_by search;

  friend std::ostream& operator<<(std::ostream& out, const under& u) {
    return out << to_string(u.model) << " by " << u.search;
  }
};

std::vector<under> all_of(const std::vector<delivery>& models) {
  std::vector<under> all;
  for (const auto model : models)
    for (const auto& search : all_searches())
      if (model == delivery::mailbox               ? search.engine != "trust"
          : model == delivery::mailbox_interleaved ? search.engine != "exhaustive"  // it would take long
                                                   : true)
        all.push_back({model, search});
  return all;
}

std::string name_of(const testing::TestParamInfo<under>& of) {
  auto name = std::string(to_string(of.param.model)) + "_by_" + of.param.search.engine;
  std::replace_if(
      name.begin(), name.end(), [](char c) { return c == '+' || c == '-'; }, '_');
  return name;
}

struct server {
  int requests = 0;
  void request(int) { ++requests; }
};

/// One line for each trace: what `actor` takes.
std::vector<std::string> sequences_of(const std::string& actor, const std::vector<trace>& all) {
  std::vector<std::string> lines;
  for (const auto& t : all) {
    auto& line = lines.emplace_back();
    if (const auto of = t.of.find(actor); of != t.of.end())
      for (const auto& m : of->second) line += (line.empty() ? "" : " ") + m;
  }
  return lines;
}

/// Every model but unordered.
class Ordered : public testing::TestWithParam<under> {
protected:
  [[nodiscard]] std::vector<std::string> at(const std::string& actor, const program& tested) const {
    return sequences_of(actor, traces(tested, GetParam().search, GetParam().model));
  }
  [[nodiscard]] std::vector<std::string> found_in(const program& tested) const {
    return findings(tested, GetParam().search, GetParam().model);
  }
};

INSTANTIATE_TEST_SUITE_P(Each, Ordered,
                         testing::ValuesIn(all_of({delivery::fifo, delivery::causal, delivery::mailbox,
                                                   delivery::mailbox_interleaved})),
                         name_of);

TEST_P(Ordered, KeepsTheOrderOfOneSender) {
  const auto three = make_program([](self& me) {
    const auto s = me.create<server>();
    for (int i = 1; i <= 3; ++i) me.send<&server::request>(s, i);
  });

  EXPECT_THAT(at("server_0", three), ElementsAre("request(1) request(2) request(3)"));
}

struct client {
  ref<server> to;
  void go(self& me, int n) const {
    me.send<&server::request>(to, n);
    me.send<&server::request>(to, n + 1);
  }
};

TEST_P(Ordered, LetsTwoSendersOvertakeEachOther) {
  const auto two_clients = make_program([](self& me) {
    const auto s = me.create<server>();
    me.send<&client::go>(me.create<client>(s), 1);
    me.send<&client::go>(me.create<client>(s), 3);
  });
  std::vector<std::string> expected = {"request(1) request(2) request(3) request(4)",
                                       "request(3) request(4) request(1) request(2)"};
  if (GetParam().model != delivery::mailbox)
    for (const auto* interleaved :
         {"request(1) request(3) request(2) request(4)", "request(1) request(3) request(4) request(2)",
          "request(3) request(1) request(2) request(4)", "request(3) request(1) request(4) request(2)"})
      expected.emplace_back(interleaved);

  EXPECT_THAT(at("server_0", two_clients), testing::UnorderedElementsAreArray(expected));
}

struct friend_of_server {
  ref<server> to;
  void tell(self& me) const { me.send<&server::request>(to, 2); }
};
struct starter {
  ref<server> to;
  ref<friend_of_server> other;
  void start(self& me) const {
    me.send<&server::request>(to, 1);
    me.send<&friend_of_server::tell>(other);
  }
};

// request(1) is sent before what causes request(2), but by another actor.
TEST_P(Ordered, KeepsCauseAndEffectInOrderUnlessPairsOnlyCount) {
  const auto triangle = make_program([](self& me) {
    const auto s = me.create<server>();
    me.send<&starter::start>(me.create<starter>(s, me.create<friend_of_server>(s)));
  });

  if (GetParam().model == delivery::fifo)
    EXPECT_THAT(at("server_0", triangle), UnorderedElementsAre("request(1) request(2)", "request(2) request(1)"));
  else
    EXPECT_THAT(at("server_0", triangle), ElementsAre("request(1) request(2)"));
}

struct late_starter {
  ref<server> to;
  ref<friend_of_server> other;
  void start(self& me) const {
    me.send<&friend_of_server::tell>(other);
    me.send<&server::request>(to, 1);
  }
};

// request(2) is caused by what is sent before request(1), not by request(1).
TEST_P(Ordered, KnowsThatAHandlerSendsOneMessageAfterTheOther) {
  const auto triangle = make_program([](self& me) {
    const auto s = me.create<server>();
    me.send<&late_starter::start>(me.create<late_starter>(s, me.create<friend_of_server>(s)));
  });

  if (GetParam().model == delivery::mailbox)  // Eta's: a macro-step's sends are made at once
    EXPECT_THAT(at("server_0", triangle), ElementsAre("request(1) request(2)"));
  else
    EXPECT_THAT(at("server_0", triangle), UnorderedElementsAre("request(1) request(2)", "request(2) request(1)"));
}

struct gate {
  bool is_open = false;
  void pass(int) {}
  void open() { is_open = true; }
  bool accepts(handler<&gate::pass>) const { return is_open; }
};

TEST_P(Ordered, LetsALaterMessagePassOneThatIsRefused) {
  const auto pass_and_open = make_program([](self& me) {
    const auto g = me.create<gate>();
    me.send<&gate::pass>(g, 1);
    me.send<&gate::pass>(g, 2);
    me.send<&gate::open>(g);
  });

  EXPECT_THAT(at("gate_0", pass_and_open), ElementsAre("open() pass(1) pass(2)"));
}

struct opened_after_set_up {
  ref<gate> g;
  void set_up(self& me) {
    g = me.create<gate>();
    me.send<&gate::pass>(g, 1);
  }
  void test(self& me) {
    me.send<&gate::pass>(g, 2);
    me.send<&gate::open>(g);
  }
};

TEST_P(Ordered, KeepsWhatTheSetUpSentInFront) {
  EXPECT_THAT(at("gate_0", make_program(opened_after_set_up{})), ElementsAre("open() pass(1) pass(2)"));
}

struct toggled {
  bool a_may = true;
  int seen = 0;
  void a(int) { a_may = false; }
  void b(int) { a_may = true; }
  bool accepts(handler<&toggled::a>) const { return a_may; }
};

// a(2) is refused when b(3) passes it, and is in front of a(4) again afterwards.
TEST_P(Ordered, PutsARefusedMessageInFrontAgain) {
  const auto toggle = make_program([](self& me) {
    const auto t = me.create<toggled>();
    me.send<&toggled::a>(t, 1);
    me.send<&toggled::a>(t, 2);
    me.send<&toggled::b>(t, 3);
    me.send<&toggled::a>(t, 4);
    me.send<&toggled::b>(t, 5);
  });

  EXPECT_THAT(at("toggled_0", toggle), ElementsAre("a(1) b(3) a(2) b(5) a(4)"));
}

struct store {
  int value = 0;
  ref<server> told;
  void set(int v) { value = v; }
  int get(self& me) const {
    if (told) me.send<&server::request>(told, 7);
    return value;
  }
};
struct reader {
  ref<store> from;
  int read = -1;
  task write_and_read(self& me) {
    me.send<&store::set>(from, 5);
    read = co_await me.call<&store::get>(from);
    me.check(read == 5, "it reads what it wrote");
  }
  void write_then_read(self& me) {
    me.send<&store::set>(from, 5);
    me.call<&store::get>(from).then<&reader::on_value>();
  }
  void on_value(self& me, int v) {
    read = v;
    me.check(read == 5, "it reads what it wrote");
  }
};

TEST_P(Ordered, LetsACallerReadItsOwnWrite) {
  const auto coroutine =
      make_program([](self& me) { me.send<&reader::write_and_read>(me.create<reader>(me.create<store>())); });
  const auto handler =
      make_program([](self& me) { me.send<&reader::write_then_read>(me.create<reader>(me.create<store>())); });

  EXPECT_THAT(at("reader_1", coroutine), ElementsAre("write_and_read() reply(5)"));
  EXPECT_THAT(at("reader_1", handler), ElementsAre("write_then_read() on_value(5)"));
  EXPECT_THAT(found_in(coroutine), IsEmpty());
  EXPECT_THAT(found_in(handler), IsEmpty());
}

struct caller;
struct callee {
  int answer(self& me, ref<caller> from);
};
struct caller {
  ref<callee> to;
  int sum = 0;
  void note(int n) { sum += n; }
  task ask_twice(self& me) {
    sum += co_await me.call<&callee::answer>(to, me.me<caller>());
    const auto mine = me.create<server>();  // a frame that is made anew must find it again
    sum += co_await me.call<&callee::answer>(to, me.me<caller>());
    me.send<&server::request>(mine, sum);
  }
};
int callee::answer(self& me, ref<caller> from) {
  me.send<&caller::note>(from, 10);
  return 1;
}

// The callee sends the note before it replies; but a caller that waits takes nothing else.
TEST_P(Ordered, LetsAReplyPassWhatItsReceiverCannotTakeYet) {
  const auto call_back = make_program([](self& me) {
    const auto c = me.create<caller>(me.create<callee>());
    me.send<&caller::ask_twice>(c);
    me.send<&caller::note>(c, 5);
  });

  const auto after_the_replies = [](const std::string& notes) { return "ask_twice() reply(1) reply(1) " + notes; };
  std::vector<std::string> expected = {after_the_replies("note(5) note(10) note(10)")};
  // The driver sends note(5) last: what ask_twice() leads to may come before it.
  if (GetParam().model != delivery::mailbox)
    for (const auto* notes : {"note(10) note(5) note(10)", "note(10) note(10) note(5)"})
      expected.push_back(after_the_replies(notes));
  EXPECT_THAT(at("caller_1", call_back), testing::UnorderedElementsAreArray(expected));
}

struct sender_to_two {
  ref<server> first, second;
  void go(self& me, int n) const {
    me.send<&server::request>(first, n);
    me.send<&server::request>(second, n);
  }
};

/// Two senders, two receivers: 1 goes to server_0, then to server_1; 2 the other way round.
const auto crossing = make_program([](self& me) {
  const auto a = me.create<server>();
  const auto b = me.create<server>();
  me.send<&sender_to_two::go>(me.create<sender_to_two>(a, b), 1);
  me.send<&sender_to_two::go>(me.create<sender_to_two>(b, a), 2);
});

TEST_P(Ordered, CrossesTwoSendersAsFarAsTheirSendsAreApart) {
  std::vector<std::string> both;
  for (const auto& t : traces(crossing, GetParam().search, GetParam().model))
    both.push_back(sequences_of("server_0", {t}).front() + ", " + sequences_of("server_1", {t}).front());

  const std::string one_first = "request(1) request(2)";
  const std::string two_first = "request(2) request(1)";
  std::vector<std::string> expected = {one_first + ", " + one_first, two_first + ", " + two_first};
  // 1 reaches server_0 before 2, and 2 reaches server_1 before 1: each sends its second only after the other's first.
  if (GetParam().model != delivery::mailbox) expected.push_back(one_first + ", " + two_first);
  // The second sends come first at both: nothing that keeps an order over all can do that.
  if (GetParam().model == delivery::fifo || GetParam().model == delivery::causal)
    expected.push_back(two_first + ", " + one_first);
  EXPECT_THAT(both, testing::UnorderedElementsAreArray(expected));
}

struct to_itself {
  int last = 0;
  void go(self& me) {
    me.send<&to_itself::note>(me.me<to_itself>(), 1);
    me.send<&to_itself::note>(me.me<to_itself>(), 2);
  }
  void note(int n) { last = n; }
};

TEST_P(Ordered, KeepsTheOrderOfWhatAnActorSendsItself) {
  const auto alone = make_program([](self& me) { me.send<&to_itself::go>(me.create<to_itself>()); });

  EXPECT_THAT(at("to_itself_0", alone), ElementsAre("go() note(1) note(2)"));
}

struct short_lived {
  ref<server> to;
  void last_words(self& me) {
    me.send<&server::request>(to, 1);
    me.destroy();
    me.send<&server::request>(to, 2);
  }
  void fail(self& me) {
    me.send<&server::request>(to, 1);
    me.require(false, "fails");
  }
};

TEST_P(Ordered, DeliversWhatAnActorSentBeforeItsEndButNotBeforeItsFailure) {
  const auto ends =
      make_program([](self& me) { me.send<&short_lived::last_words>(me.create<short_lived>(me.create<server>())); });
  const auto fails = make_program([](self& me) {
    const auto s = me.create<server>();
    me.send<&short_lived::fail>(me.create<short_lived>(s));
    me.send<&server::request>(s, 3);
  });

  EXPECT_THAT(at("server_0", ends), ElementsAre("request(1) request(2)"));
  EXPECT_THAT(found_in(ends), IsEmpty());
  EXPECT_THAT(at("server_0", fails), ElementsAre("request(3)"));
}

struct gambler {
  ref<server> to;
  void draw(self& me) {
    me.send<&server::request>(to, 1);
    if (me.choose(2) == 1) me.send<&server::request>(to, 2);
  }
  void add(self& me) { me.send<&server::request>(to, 3); }
};

// Going back from one alternative to the next must forget what it sent.
TEST_P(Ordered, ForgetsWhatAnotherAlternativeSent) {
  const auto draw_and_add = make_program([](self& me) {
    const auto g = me.create<gambler>(me.create<server>());
    me.send<&gambler::draw>(g);
    me.send<&gambler::add>(g);
  });

  EXPECT_THAT(at("server_0", draw_and_add),
              UnorderedElementsAre("request(1) request(3)", "request(1) request(2) request(3)"));
}

struct lock {
  bool is_open = false;
  void open() { is_open = true; }
  void first() {}
  void second() {}
  bool accepts(handler<&lock::first>) const { return is_open; }
  bool accepts(handler<&lock::second>) const { return is_open; }
};

struct visitor {
  void knock(self& me, ref<lock> at) { me.send<&lock::first>(at); }
  void idle() {}
};

/// The set-up leaves `first` over, which was not sent in its last step; then the test sends `second`.
struct left_over_by_the_set_up {
  ref<lock> door;
  ref<visitor> other;
  void set_up(self& me) {
    door = me.create<lock>();
    other = me.create<visitor>();
    me.send<&visitor::knock>(me.create<visitor>(), door);
    me.send<&visitor::idle>(other);
  }
  void test(self& me) {
    me.send<&lock::open>(door);
    me.send<&lock::second>(door);
  }
};

TEST_P(Ordered, KeepsInFrontWhatTheSetUpLeft) {
  std::vector<std::string> expected = {"open() first() second()"};
  if (GetParam().model == delivery::fifo) expected.emplace_back("open() second() first()");  // they have two senders

  EXPECT_THAT(at("lock_0", make_program(left_over_by_the_set_up{})), testing::UnorderedElementsAreArray(expected));
}

}  // namespace
}  // namespace harrier::litmus
