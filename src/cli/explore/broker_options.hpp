#pragma once

#include <cstddef>
#include <functional>
#include <string>

#include <harrier/core/exploration.hpp>
#include <harrier/explore/options.hpp>

#include "../cli11.hpp"
#include "chosen_program.hpp"

namespace harrier {

struct explore_request;
struct extensions;

/// Where a broker is, as the command line says: see broker_address.
struct asked_broker {
  std::string url, credentials, ca, certificate, key;
};

/// What `harrier explore` was asked for about a broker; nothing without a URL.
struct asked_run {
  asked_broker at;
  std::string name;
  double worker_timeout = 30;
  double broker_patience = 300;
  std::string item_log;
};

/// What `harrier work` was asked for.
struct asked_work {
  asked_broker at;
  std::string name;  ///< of the run
  std::uint64_t hands = 1;
  double slice = 2;
  double broker_patience = 300;
};

/// What a command line does with a broker if it was built with the floor distributed.
struct broker_floor {
  exploration (*explore)(const explore_request& request, const chosen_program& program,
                         const std::function<void(const progress&, std::size_t hands)>& on_progress);
  /// @return the exit status.
  int (*work)(const asked_work& asked, const catalogue& programs, const extensions& more);
};

/// That of this build; null: it has none. with_distributed.cpp or
/// without_distributed.cpp.
const broker_floor* built_in_broker();

/// `--broker`, and how to prove who one is.
CLI::Option* bind_broker(CLI::App& line, asked_broker& at);
/// The same for `explore`, with what a run can be told.
void bind_run(CLI::App& line, asked_run& run);
/// `--run`, `--jobs` and `--slice` of `work`.
void bind_work(CLI::App& line, asked_work& work);

/// @throws error  for a build without a broker.
[[noreturn]] void refuse_broker();

}  // namespace harrier
