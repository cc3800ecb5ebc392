// Roles with several machines, in two parts of a session, without any connection between them but bytes.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <random>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <harrier/transport/part.hpp>

#include "crew_of_4.hpp"
#include "crew_of_6.hpp"
#include "frames.hpp"
#include "with_breaks_4.hpp"
#include "with_breaks_6.hpp"

namespace harrier::runtime {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using crew = crew_of_6::crew;

constexpr auto chief = static_cast<std::uint32_t>(crew::role::chief);
constexpr auto clerk = static_cast<std::uint32_t>(crew::role::clerk);
constexpr std::uint32_t worker(std::uint32_t i) { return static_cast<std::uint32_t>(crew::role::worker_0_) + i; }

class way final : public connection {
public:
  void ring() noexcept override {}
};

// The chief is in one part, and all others in the other one.
template <class Here, class There>
class Offices {
public:
  Offices() {
    here.take(chief);
    for (std::uint32_t r = 1; r < session_part<There>::roles; ++r) there.take(r);
    to_there.peer = "the hall";
    to_here.peer = "the office";
    auto one = here.says();
    auto other = there.says();
    one.machines = here.machines();
    other.machines = there.machines();
    refusal = here.welcome(to_there, one, other) + there.welcome(to_here, other, one);
    if (!refusal.empty()) return;
    here.join(to_there, one, other);
    there.join(to_here, other, one);
  }
  Offices(const Offices&) = delete;
  Offices& operator=(const Offices&) = delete;
  ~Offices() {
    here.lost(to_there, "the test is over");
    there.lost(to_here, "the test is over");
  }

  template <class Message>
  void tell(std::uint32_t to, Message what) {
    perform(here, chief, to, typename Here::message(std::move(what)));
  }
  template <class Message>
  void answer(std::uint32_t from, Message what) {
    perform(there, from, chief, typename There::message(std::move(what)));
  }
  /// @return what was thrown
  template <class Module>
  std::string receive(session_part<Module>& in, std::uint32_t from, std::uint32_t to) {
    request call{kind::receive, from, to, anything};
    typename Module::message into;
    try {
      return in.perform_now(call, into) ? "" : "nothing has come";
    } catch (const protocol_error& e) {
      return e.what();
    }
  }

  /// Brings all that was written to the other side.
  void deliver() {
    bring(to_there, there, to_here);
    bring(to_here, here, to_there);
  }

  session_part<Here> here{"", 0, 1000};
  session_part<There> there{"", 0, 1000};
  way to_there;
  way to_here;
  std::string refusal;

private:
  template <class Part, class Message>
  static void perform(Part& in, std::uint32_t from, std::uint32_t to, Message content) {
    request call{kind::send, from, to, content.type()};
    ASSERT_TRUE(in.perform_now(call, content));
  }
  template <class To>
  static void bring(way& from, To& to, way& at) {
    const auto all = std::exchange(from.outgoing, {});
    for (std::string_view rest = all; !rest.empty();) {
      const auto length = wire::reader(rest).number_of<std::uint32_t>();
      const auto what = static_cast<wire::frame>(rest[sizeof length]);
      static_cast<void>(to.receive(at, what, rest.substr(wire::header, length - 1)));  // not of a farewell
      rest.remove_prefix(sizeof length + length);
    }
  }
};

TEST(CrewApart, PlaysByItsDefinition) {
  Offices<crew, crew> all;
  ASSERT_EQ(all.refusal, "");
  all.tell(clerk, std::string("open"));
  for (std::uint32_t i = 0; i < 6; ++i) all.tell(worker(i), std::string("do"));
  all.deliver();
  EXPECT_EQ(all.receive(all.there, chief, clerk), "");
  for (std::uint32_t i = 6; i-- > 0;) {
    EXPECT_EQ(all.receive(all.there, chief, worker(i)), "");
    all.answer(worker(i), long{i});
  }
  all.deliver();
  for (std::uint32_t i = 0; i < 6; ++i) EXPECT_EQ(all.receive(all.here, anything, chief), "");
  for (std::uint32_t i = 0; i < 6; ++i) all.tell(worker(i), crew::V());
  all.tell(clerk, crew::V());
  all.deliver();
  for (std::uint32_t i = 0; i < 6; ++i) EXPECT_EQ(all.receive(all.there, chief, worker(i)), "");
  EXPECT_EQ(all.receive(all.there, chief, clerk), "");

  EXPECT_TRUE(all.here.has_finished(chief));
  EXPECT_TRUE(all.there.has_finished(clerk));
  EXPECT_EQ(all.here.unreceived() + all.there.unreceived(), 0U);
}

TEST(CrewApart, IsToldWhereTheChiefHasLeft) {
  Offices<crew, crew> all;
  all.tell(clerk, std::string("open"));
  for (std::uint32_t i = 0; i < 5; ++i) all.tell(worker(i), crew::V());
  EXPECT_TRUE(all.here.depart(chief, false));
  all.deliver();

  EXPECT_EQ(
      all.receive(all.there, chief, worker(5)),
      "worker_5_ RECV * FROM chief: peer gone: chief has left, and owed: chief SEND T TO worker_5_ (crew.dcj:10) or "
      "chief SEND V TO worker_5_ (crew.dcj:11)");
}

TEST(CrewApart, IsToldThatTheChiefHasLeftAtTheLastMoment) {
  Offices<crew, crew> all;
  all.tell(clerk, std::string("open"));
  for (std::uint32_t i = 0; i < 6; ++i) all.tell(worker(i), crew::V());
  EXPECT_TRUE(all.here.depart(chief, true));
  all.deliver();

  EXPECT_EQ(all.receive(all.there, chief, clerk), "");
  EXPECT_EQ(all.receive(all.there, chief, clerk),
            "clerk RECV * FROM chief: peer gone: chief was left by an exception, and owed: chief SEND V TO clerk "
            "(crew.dcj:12)");
}

// What a message that came early may still be taken by is looked for in all that is beside each other and behind it.
TEST(CrewApart, MayGetWhatItTakesLaterAndNothingElse) {
  const auto early = [](std::uint32_t to, std::uint32_t type, const auto& content) {
    Offices<crew, crew> all;
    const auto bytes = letter(chief, to, type, 0, content);
    static_cast<void>(
        all.there.receive(all.to_here, wire::frame::letter, std::string_view(bytes).substr(wire::header)));
    return all.to_here.outgoing;
  };
  constexpr unsigned char nothing = 0;
  const auto v = crew::message(crew::V()).type();
  const auto u = crew::message(1L).type();

  EXPECT_THAT(early(worker(3), v, nothing), IsEmpty()) << "it may be sent home";
  EXPECT_THAT(early(clerk, v, nothing), HasSubstr("is not allowed here")) << "the book must be opened first";
  EXPECT_THAT(early(worker(3), u, 0L), HasSubstr("is not allowed here")) << "it is for the chief";
}

TEST(CrewApart, RefusesPlacesThatTheChiefHasNot) {
  const auto leaving = [](const std::vector<std::uint32_t>& numbers) {
    Offices<crew, crew> all;
    std::string bytes;
    wire::append(bytes, wire::frame::left, [&](wire::writer& out) {
      out.put(chief);
      bool is_first = true;
      for (const auto number : numbers) {
        out.put(number);
        if (std::exchange(is_first, false)) out.put(false);
      }
    });
    static_cast<void>(all.there.receive(all.to_here, wire::frame::left, std::string_view(bytes).substr(wire::header)));
    return all.to_here.outgoing;
  };

  EXPECT_EQ(leaving({1, 2, 5, 8, 11, 14, 17}), "") << "phase 1 of the chief, each machine at its start";
  EXPECT_THAT(leaving({1, 2, 5, 8, 11, 14, 14}), HasSubstr("a state that it has not"));
  EXPECT_THAT(leaving({1, 2, 2, 8, 11, 14, 17}), HasSubstr("a state that it has not"));
  EXPECT_THAT(leaving({3, 22}), HasSubstr("a state that it has not")) << "that is the clerk's";
  EXPECT_THAT(leaving({4'000'000'000U, 2}), HasSubstr("a state that it has not"));
  EXPECT_THAT(leaving({1, 2, 5, 8}), HasSubstr("it is too short"));
}

// --- definitions of which one has a machine for each role, or both have several

template <class Old, class New>
void go_together_where_the_new_one_obeys() {
  Offices<Old, New> old_chief;
  Offices<New, Old> new_chief;

  EXPECT_EQ(old_chief.refusal, "");
  EXPECT_THAT(new_chief.refusal, HasSubstr("`chief SEND B TO worker_0_` (crew_with_breaks.dcj:10) is allowed "));
  old_chief.tell(clerk, std::string("open"));
  old_chief.tell(worker(0), typename Old::V());
  EXPECT_TRUE(old_chief.here.depart(chief, false));
  old_chief.deliver();
  EXPECT_EQ(old_chief.receive(old_chief.there, chief, worker(0)), "");
  EXPECT_THAT(old_chief.receive(old_chief.there, chief, worker(1)), HasSubstr("peer gone: chief has left"));
}

TEST(CrewsOfTwoDefinitions, GoTogetherIfOneHasAMachineForEachRole) {
  go_together_where_the_new_one_obeys<crew_of_4::crew, with_breaks_4::crew>();
}
TEST(CrewsOfTwoDefinitions, GoTogetherIfBothHaveSeveral) {
  go_together_where_the_new_one_obeys<crew, with_breaks_6::crew>();
}

TEST(CrewsOfTwoDefinitions, AreReadAsTheyWereWritten) {
  const auto written = role_machines::of<crew>().written();
  const auto read = role_machines::read(written);

  EXPECT_EQ(read.written(), written);
  EXPECT_EQ(read.machines, role_machines::of<crew>().machines);
  EXPECT_EQ(read.phases, role_machines::of<crew>().phases);
  EXPECT_EQ(role_machines::read(role_machines::of<crew_of_4::crew>().written()).phases.size(), 7U);
}

TEST(CrewsOfTwoDefinitions, MayHaveMachinesThatAreAnything) {
  const auto good = role_machines::of<crew>().written();
  std::mt19937 random(1);  // NOLINT: the same each time
  std::size_t refused = 0;
  for (int i = 0; i < 2000; ++i) {
    auto bytes = good;
    // The last ones are those of the machines.
    const auto range = i % 2 == 0 ? bytes.size() : std::size_t{150};
    for (auto changes = 1 + random() % 3; changes != 0; --changes) {
      bytes[bytes.size() - 1 - random() % range] = static_cast<char>(random() % 8);
    }
    if (random() % 4 == 0) bytes.resize(random() % bytes.size());
    try {
      const auto there = role_machines::read(bytes);
      refused += stand_in({there, "there"}, {role_machines::of<crew>(), "here"}, "chief").why_not().empty() ? 0 : 1;
    } catch (const wire::malformed&) {
      ++refused;
    }
  }

  EXPECT_GT(refused, 500U);
}

}  // namespace
}  // namespace harrier::runtime
