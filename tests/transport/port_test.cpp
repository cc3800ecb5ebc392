// Many sessions behind one port.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <list>
#include <string>
#include <utility>
#include <vector>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/write.hpp>

#include <harrier/transport/sessions_at_one_port.hpp>

#include "echo.hpp"
#include "telling.hpp"

namespace harrier::runtime {
namespace {

namespace asio = boost::asio;
using namespace std::chrono_literals;
using protocols::echo;
using protocols::telling;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::UnorderedElementsAre;
using done = asio::awaitable<void>;

session_options called(const std::string& name) {
  session_options options;
  options.name = name;
  return options;
}

// Two services at one port, which begin a session for each client that comes.
class services {
public:
  services() {
    port_.on_unknown([this](const std::string& protocol, const std::string& name) {
      if (protocol == "echo")
        asio::co_spawn(loop, answer(begin(echoes_, name).take(echo::role::b), name), asio::detached);
      if (protocol == "telling") {
        asio::co_spawn(loop, listen(begin(tellings_, name).take(telling::role::b), name), asio::detached);
      }
    });
    where = port_.listen({asio::ip::address_v4::loopback(), 0});
  }
  void close() { port_.close(); }

  asio::io_context loop;
  asio::ip::tcp::endpoint where;
  std::vector<std::string> heard;
  std::vector<std::string> refusals;

private:
  template <class Module>
  session<Module>& begin(std::list<session<Module>>& all, const std::string& name) {
    auto& one = all.emplace_back(loop.get_executor(), called(name));
    port_.add(one);
    return one;
  }
  done answer(session<echo>::participant self, std::string name) {
    try {
      for (;;) {
        const auto text = co_await self.recv<std::string>(echo::role::a);
        co_await self.send(echo::role::a, static_cast<long>(text.size()));
      }
    } catch (const peer_gone& e) {
      heard.push_back(name + (std::string(e.what()).find("out of reach") != std::string::npos ? " was lost" : " left"));
    }
  }
  done listen(session<telling>::participant self, std::string name) {
    const auto text = co_await self.recv<std::string>(telling::role::a);
    heard.push_back(name + " said " + text);
  }

  session_options options() {
    session_options result;
    result.on_refusal = [this](const std::string& why) { refusals.push_back(why); };
    return result;
  }

  std::list<session<echo>> echoes_;
  std::list<session<telling>> tellings_;
  sessions_at_one_port port_{loop.get_executor(), options()};
};

done ask(session<echo>& all, session<echo>::participant self, asio::ip::tcp::endpoint where, long& answer) {
  co_await all.connect(where);
  co_await self.send(echo::role::b, std::string("four"));
  answer = co_await self.recv<long>(echo::role::b);
}
done tell(session<telling>& all, session<telling>::participant self, asio::ip::tcp::endpoint where, std::string text) {
  co_await all.connect(where);
  co_await self.send(telling::role::b, std::move(text));
}

TEST(Port, IsSharedByTwoServicesWithThreeClientsEach) {
  services all;
  std::vector<long> answers(3);
  std::list<session<echo>> echoes;
  std::list<session<telling>> tellings;
  for (std::size_t i = 0; i < 3; ++i) {
    const auto name = "client " + std::to_string(i);  // of both services: the protocol tells them apart
    auto& one = echoes.emplace_back(all.loop.get_executor(), called(name));
    asio::co_spawn(all.loop, ask(one, one.take(echo::role::a), all.where, answers[i]), asio::detached);
    auto& other = tellings.emplace_back(all.loop.get_executor(), called(name));
    asio::co_spawn(all.loop, tell(other, other.take(telling::role::a), all.where, "hello"), asio::detached);
  }
  while (all.heard.size() < 6) all.loop.run_one();
  all.close();
  all.loop.run();

  EXPECT_THAT(answers, ElementsAre(4, 4, 4));
  EXPECT_THAT(all.heard, UnorderedElementsAre("client 0 left", "client 1 left", "client 2 left", "client 0 said hello",
                                              "client 1 said hello", "client 2 said hello"));
}

TEST(Port, BeginsAnotherSessionForAClientThatWasKilledAndIsBack) {
  services all;
  {
    session_part<echo> killed("client", 0, 1000);
    killed.take(0);
    const auto says = killed.says();
    std::string bytes(wire::magic);
    wire::append(bytes, wire::frame::hello, [&](wire::writer& out) {
      out(says.title, says.tables, says.layouts, says.name, says.capacity, says.silence, says.taken);
    });
    wire::append(bytes, wire::frame::accepted, [](wire::writer&) {});
    asio::ip::tcp::socket raw(all.loop);
    raw.connect(all.where);
    asio::write(raw, asio::buffer(bytes));
    raw.shutdown(asio::socket_base::shutdown_send);
    while (all.heard.empty()) all.loop.run_one();
  }
  long answer = 0;
  session<echo> back(all.loop.get_executor(), called("client"));
  asio::co_spawn(all.loop, ask(back, back.take(echo::role::a), all.where, answer), asio::detached);
  while (all.heard.size() < 2) all.loop.run_one();
  all.close();
  all.loop.run();

  EXPECT_EQ(answer, 4);
  EXPECT_THAT(all.heard, ElementsAre("client was lost", "client left"));
}

TEST(Port, RefusesWhatAsksForASessionThatNobodyBegins) {
  asio::io_context loop;
  std::string refusal;
  sessions_at_one_port port(loop.get_executor());
  session<echo> one(loop.get_executor(), called("one"));
  session<echo> another(loop.get_executor(), called("another"));
  port.add(one);
  const auto where = port.listen({asio::ip::address_v4::loopback(), 0});
  const auto join = [&]() -> done {
    try {
      co_await another.connect(where);
    } catch (const connection_refused& e) {
      refusal = e.what();
    }
    port.close();
  };
  asio::co_spawn(loop, join(), asio::detached);
  loop.run();

  EXPECT_THAT(refusal,
              HasSubstr("was refused there: there is no session here that is called \"another\" and follows echo"));
  session<echo> twin(loop.get_executor(), called("one"));
  EXPECT_THROW(port.add(twin), not_yours);
}

}  // namespace
}  // namespace harrier::runtime
