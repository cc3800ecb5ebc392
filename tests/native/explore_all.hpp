#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <stdexcept>
#include <string>
#include <vector>

#include <harrier/harrier.hpp>

#include "../explored.hpp"

namespace harrier {

inline std::vector<std::string> messages_of(const exploration& e) {
  std::vector<std::string> messages;
  for (const auto& f : e.findings) messages.push_back(f.message);
  return messages;
}

/// The actor that most tests talk to.
struct counter {
  int value = 0;
  int next() { return ++value; }
  int fail() { throw std::runtime_error("out of numbers"); }
  void reset() { value = 0; }
  void stop(self& me) { me.destroy(); }
};

}  // namespace harrier
