// The test of the broker, for every order in which its handlers can run. Read README.md beside this file.
#include <chrono>

#include <harrier/cli/main.hpp>

#include "adapter.hpp"
#include "quotes.hpp"

namespace {

using namespace std::chrono_literals;

harrier::program is_patient(const harrier::arguments& given) {
  const auto what = given.word("trusts") == "cancel" ? trusts::cancel : trusts::expiry;
  const auto takes = std::chrono::seconds(given.number("takes"));
  const auto shares = static_cast<int>(given.number("shares"));
  const auto timers =
      given.word("timers") == "any" ? harrier::asio_timers::any_time : harrier::asio_timers::earliest_first;
  const auto morning = [what, takes, shares](harrier::asio_run& run) {
    using clock = harrier::asio_clock;
    const auto prices = std::make_shared<market<clock>>(harrier::labelled(run.make_strand("market"), "ask"), takes);
    run.keep(prices);
    const auto strand = run.make_strand("broker");
    const auto outcomes = std::make_shared<int>(0);
    const auto buyer = std::make_shared<broker<clock>>(
        harrier::labelled(strand, "reply"), *prices, 2s, what,
        [&run, outcomes](int, std::optional<int> price, clock::time_point asked_at) {
          ++*outcomes;
          run.check(price || clock::now() - asked_at >= 2s, "no share is given up before its time");
        });
    boost::asio::post(harrier::labelled(strand, "ask_for"), [buyer, shares] { buyer->ask_for(shares); });
    run.finally([&run, outcomes, shares] { run.check(*outcomes == shares, "each share has one outcome"); });
  };
  return harrier::asio_program(morning, timers);
}

}  // namespace

int main(int argc, char** argv) {
  harrier::options how;
  how.search.delivery = harrier::delivery::causal;  // what Asio's strands promise
  return harrier::main(
      argc, argv,
      {{"quotes",
        "a broker waits for each price as long as it said",
        {{.name = "trusts",
          .value = std::string("cancel"),
          .about = "how the broker knows that a reply came in time",
          .words = {"cancel", "expiry"}},
         {.name = "shares", .value = std::int64_t{2}, .about = "how many prices it asks for", .least = 1},
         {.name = "takes",
          .value = std::int64_t{1},
          .about = "seconds of the market; the broker waits for 2",
          .greatest = 10},
         {.name = "timers",
          .value = std::string("any"),
          .about = "whether a timer may expire at any time, or only when nothing else can happen",
          .words = {"any", "earliest-first"}}},
        is_patient,
        how}});
}
