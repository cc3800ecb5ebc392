// Programs, guards and names that several tests of the delivery models use.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include <harrier/core/delivery.hpp>

#include "scripted.hpp"

namespace harrier {

/// Accepts once that letter was taken.
inline auto after(char letter) {
  return [letter](const std::string& taken) { return taken.find(letter) != std::string::npos; };
}
/// Accepts until that letter was taken.
inline auto before(char letter) {
  return [letter](const std::string& taken) { return taken.find(letter) == std::string::npos; };
}

/// 1 sends x and z, 2 sends y and w, all to 3.
inline script two_senders() {
  return {.starts = "ab",
          .letters = {{'a', '1', "xz"}, {'b', '2', "yw"}, {'x', '3'}, {'z', '3'}, {'y', '3'}, {'w', '3'}}};
}

/// 1 calls 2, which first tells 1 something, and then something more.
inline script told_while_waiting() {
  return {.starts = "c",
          .letters = {{.name = 'c', .to = '1', .calls = 'q'},
                      {.name = 'q', .to = '2', .sends = "xp", .answers = 'r'},
                      {.name = 'p', .to = '2', .sends = "y"},
                      {'x', '1'},
                      {'r', '1'},
                      {'y', '1'}}};
}

/// For tests with the model as a parameter.
inline std::string name_of_model(const testing::TestParamInfo<delivery>& of) {
  std::string name(to_string(of.param));
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}

}  // namespace harrier
