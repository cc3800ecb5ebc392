// A broker and a market, in Asio alone, on two threads: `quotes cancel` or `quotes expiry`. Read README.md beside this
// file.
#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/strand.hpp>
#include <chrono>
#include <cstring>
#include <iostream>
#include <thread>

#include "quotes.hpp"

int main(int argc, char** argv) {
  using clock = std::chrono::steady_clock;
  const bool is_mended = argc > 1 && std::strcmp(argv[1], "expiry") == 0;
  const auto patience = std::chrono::milliseconds(2);
  bool is_patient = true;
  boost::asio::io_context io;
  market<clock> prices(boost::asio::make_strand(io), patience / 2);
  const auto strand = boost::asio::make_strand(io);
  const auto buyer =
      std::make_shared<broker<clock>>(strand, prices, patience, is_mended ? trusts::expiry : trusts::cancel,
                                      [&](int, std::optional<int> price, clock::time_point asked_at) {
                                        if (!price && clock::now() - asked_at < patience) is_patient = false;
                                      });
  boost::asio::post(strand, [buyer] { buyer->ask_for(2); });
  std::thread other([&] { io.run(); });
  io.run();
  other.join();
  if (is_patient) return 0;
  std::cerr << "a share was given up before its time\n";
  return 1;
}
