// Two processes whose modules are of two definitions of a session, an older and a newer one.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/local/connect_pair.hpp>
#include <boost/asio/local/stream_protocol.hpp>

#include <harrier/transport/session.hpp>

#include "shop.hpp"
#include "shop_sold_out.hpp"
#include "shop_with_returns.hpp"

namespace harrier::runtime {
namespace {

namespace asio = boost::asio;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using done = asio::awaitable<void>;
using old_shop = first::shop;
using with_returns = returns::shop;
using sold_out = answers::shop;

template <class Module>
done serve(typename session<Module>::participant self, std::vector<std::string>& heard) {
  using role = typename Module::role;
  try {
    for (;;) {
      const auto message = co_await self.recv(role::customer);
      heard.emplace_back(Module::types[message.type()]);
      if (message.template is<typename Module::Ask>()) {
        co_await self.send(role::customer, typename Module::Price{7});
      } else {
        co_await self.send(role::customer, typename Module::Done{});
      }
    }
  } catch (const peer_gone&) {}
}

template <class Module>
done ask_and_buy(typename session<Module>::participant self, int& price) {
  using role = typename Module::role;
  co_await self.send(role::service, typename Module::Ask{});
  auto answer = co_await self.template recv<typename Module::Price>(role::service);
  price = answer.value;
  co_await self.send(role::service, typename Module::Buy{});
  co_await self.template recv<typename Module::Done>(role::service);
}

// Two sides, and what each has said of the connection between them.
template <class Customer, class Service>
struct meeting {
  meeting() { asio::local::connect_pair(near, far); }
  void connect() {
    asio::co_spawn(loop, attach(customers, std::move(near), "the service", said_by_customer), asio::detached);
    asio::co_spawn(loop, attach(services, std::move(far), "the customer", said_by_service), asio::detached);
  }

  asio::io_context loop;
  session<Customer> customers{loop.get_executor()};
  session<Service> services{loop.get_executor()};
  asio::local::stream_protocol::socket near{loop};
  asio::local::stream_protocol::socket far{loop};
  std::string said_by_customer;
  std::string said_by_service;

private:
  template <class Session>
  static done attach(Session& one, asio::local::stream_protocol::socket stream, std::string name, std::string& said) {
    try {
      co_await one.attach(std::move(stream), std::move(name));
    } catch (const connection_refused& e) {
      said = e.what();
      one.cancel("refused");
    }
  }
};

TEST(Versions, LetAnOldCustomerPlayWithAServiceThatOffersMore) {
  meeting<old_shop, with_returns> both;
  std::vector<std::string> heard;
  int price = 0;
  asio::co_spawn(both.loop, serve<with_returns>(both.services.take(with_returns::role::service), heard),
                 asio::detached);
  asio::co_spawn(both.loop, ask_and_buy<old_shop>(both.customers.take(old_shop::role::customer), price),
                 asio::detached);
  both.connect();
  both.loop.run();

  EXPECT_THAT(both.said_by_customer + both.said_by_service, IsEmpty());
  EXPECT_THAT(heard, ElementsAre("Ask", "Buy"));
  EXPECT_EQ(price, 7);
}

TEST(Versions, RefuseANewCustomerWhereAnOldServiceDoesNotKnowWhatItMayDo) {
  meeting<with_returns, old_shop> both;
  const auto service = both.services.take(old_shop::role::service);
  const auto customer = both.customers.take(with_returns::role::customer);
  both.connect();
  both.loop.run();

  const std::string asked = "`customer SEND Return TO service` (shop_with_returns.dcj:8) is allowed ";
  const std::string served = "`service RECV Return FROM customer` (shop_with_returns.dcj:8) is expected ";
  EXPECT_THAT(both.said_by_service + both.said_by_customer,
              HasSubstr("its module of session shop was generated from another definition, and neither will do: "));
  EXPECT_THAT(
      both.said_by_service + both.said_by_customer,
      AnyOf(AllOf(HasSubstr(asked + "there, and it is not here"), HasSubstr(served + "there, and it is not here")),
            AllOf(HasSubstr(asked + "here, and it is not there"), HasSubstr(served + "here, and it is not there"))));
  EXPECT_THAT(both.said_by_service, HasSubstr("was refused"));
  EXPECT_THAT(both.said_by_customer, HasSubstr("was refused"));
}

TEST(Versions, RefuseAnOldCustomerWhereTheServiceHasAnotherAnswer) {
  meeting<old_shop, sold_out> both;
  const auto service = both.services.take(sold_out::role::service);
  const auto customer = both.customers.take(old_shop::role::customer);
  both.connect();
  both.loop.run();

  EXPECT_THAT(both.said_by_service + both.said_by_customer,
              HasSubstr("`customer RECV SoldOut FROM service` (shop_sold_out.dcj:8) is expected "));
}

TEST(Versions, RefuseANewCustomerWhoHasNoRoleYet) {
  meeting<with_returns, old_shop> both;
  const auto service = both.services.take(old_shop::role::service);
  both.connect();
  both.loop.run();

  EXPECT_THAT(both.said_by_customer + both.said_by_service, HasSubstr("(shop_with_returns.dcj:8) is expected "));
}

template <class Module>
std::string taking(session<Module>& one, typename Module::role role) {
  try {
    static_cast<void>(one.take(role));
  } catch (const not_yours& e) {
    return e.what();
  }
  return {};
}

TEST(Versions, DoNotLetARoleBeTakenLaterThatTheOtherSideDoesNotKnow) {
  // Two parts without roles go together: the old one may play the customer, and the new one the service.
  meeting<old_shop, with_returns> both;
  both.connect();
  for (int i = 0; i < 50; ++i) both.loop.poll();
  const auto said =
      taking(both.customers, old_shop::role::service) + taking(both.services, with_returns::role::customer);
  both.services.cancel("enough");
  both.customers.cancel("enough");
  both.loop.run();

  EXPECT_THAT(said, HasSubstr(": cannot be played with the "));
  EXPECT_THAT(said, HasSubstr("(shop_with_returns.dcj:8) is "));
}

// A place to be greeted at.
struct way final : connection {
  void ring() noexcept override {}
};

template <class Module>
greeting greeting_of(std::uint32_t role) {
  session_part<Module> one("", 0, 1000);
  one.take(role);
  auto result = one.says();
  result.machines = one.machines();
  return result;
}

TEST(Versions, AreTwoInASessionAtMost) {
  session_part<old_shop> here("", 0, 1000);
  here.take(static_cast<std::uint32_t>(old_shop::role::customer));
  way one;
  way other;
  auto newer = greeting_of<with_returns>(static_cast<std::uint32_t>(with_returns::role::service));
  newer.tables = "0";  // of two that both would do, the first one rules
  auto third = newer;
  third.tables = "of another one";
  third.taken.clear();

  EXPECT_EQ(here.welcome(one, here.says(), newer), "");
  EXPECT_THAT(here.welcome(other, here.says(), third),
              HasSubstr("another definition, which is the third one in this session"));
}

TEST(Versions, AreNotComparedByMachinesWhoseLastStepIsCutOff) {
  const auto written = [](const std::vector<std::uint32_t>& steps) {
    std::string text;
    wire::writer out(text);
    out(std::string("shop.dcj"), std::vector<std::string>{"customer"}, std::vector<std::string>{}, steps,
        std::vector<std::uint32_t>{0, 0}, std::vector<std::uint32_t>{0});
    return text;
  };

  EXPECT_EQ(role_machines::read(written({})).roles, std::vector<std::string>{"customer"});
  EXPECT_THROW(role_machines::read(written({0, 0, 0, 0, 0})), wire::malformed);
}

TEST(Versions, AreComparedByMachinesThatMayBeAnything) {
  const auto good = greeting_of<old_shop>(static_cast<std::uint32_t>(old_shop::role::customer));
  std::mt19937 random(1);  // NOLINT: the same each time
  std::size_t refused = 0;
  for (int i = 0; i < 2000; ++i) {
    session_part<with_returns> here("", 0, 1000);
    here.take(static_cast<std::uint32_t>(with_returns::role::service));
    way one;
    auto there = good;
    for (auto changes = 1 + random() % 3; changes != 0; --changes) {
      there.machines[random() % there.machines.size()] = static_cast<char>(random());
    }
    if (random() % 4 == 0) there.machines.resize(random() % there.machines.size());
    refused += here.welcome(one, here.says(), there).empty() ? 0 : 1;
  }

  EXPECT_GT(refused, 500U) << "most; some have another line or name in them, which is no matter";
}

}  // namespace
}  // namespace harrier::runtime
