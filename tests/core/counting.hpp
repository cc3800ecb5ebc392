#pragma once

#include <string>
#include <vector>

#include <harrier/core/observer.hpp>
#include <harrier/core/system.hpp>

namespace harrier {

/// Counts what it is told.
class counting final : public observer {
public:
  void step_flagged(system& s) override { flagged.push_back(s.records_of_last_step().back().message); }
  void poll(system&) override { ++polls; }
  void execution_ended(system&) override { ++ends; }
  void execution_blocked(system&) override { ++ends; }

  std::vector<std::string> flagged;
  int polls = 0;
  int ends = 0;
};

}  // namespace harrier
