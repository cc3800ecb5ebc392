#pragma once

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "../e2e/run.hpp"

/// The samples, run in a folder of their own, where their traces are, too.
class Etest : public testing::Test {
protected:
  e2e::outcome run(const std::string& filter, std::vector<std::string> more = {},
                   const std::string& environment = {}) const {
    more.insert(more.begin(), {GTEST_SAMPLES, "--gtest_filter=" + filter, "--gtest_color=no"});
    std::string line = "cd '" + here_ / "" + "' && unset GTEST_FILTER; " + environment;
    for (const auto& word : more) line += " '" + word + "'";
    return e2e::run({"/bin/sh", "-c", line});
  }
  e2e::outcome run_line(const std::string& line) const {
    return e2e::run({"/bin/sh", "-c", "cd '" + here_ / "" + "' && " + line});
  }
  [[nodiscard]] std::string content(const std::string& file) const { return e2e::content_of(here_ / file); }

  /// The line after `after` in a failure message.
  static std::string command_in(const std::string& out, const std::string& after) {
    const auto at = out.find(after);
    if (at == std::string::npos) return "false";
    const auto begin = out.find("\n  ", at) + 3;
    return out.substr(begin, out.find('\n', begin) - begin);
  }

  /// The tests that a JSON report of GoogleTest's says were run, with how often each failed.
  [[nodiscard]] std::map<std::string, std::size_t> results(const std::string& file) const {
    std::map<std::string, std::size_t> all;
    const auto report = nlohmann::json::parse(content(file));
    for (const auto& suite : report.at("testsuites"))
      for (const auto& test : suite.at("testsuite"))
        all[suite.at("name").get<std::string>() + "." + test.at("name").get<std::string>()] =
            test.contains("failures") ? test.at("failures").size() : 0;
    return all;
  }

  e2e::folder here_;
};

inline std::vector<std::string> failed(const std::map<std::string, std::size_t>& results) {
  std::vector<std::string> names;
  for (const auto& [name, failures] : results)
    if (failures > 0) names.push_back(name);
  return names;
}
