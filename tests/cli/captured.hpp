#pragma once

#include <gtest/gtest.h>

#include <cstdio>
#include <string>
#include <utility>
#include <vector>

struct outcome {
  int status;
  std::string out;
  std::string err;
};

/// What `harrier WORD...` gives, where `main` is what it runs in this process.
template <class Main>
outcome captured(std::vector<std::string> words, Main main) {
  words.insert(words.begin(), "harrier");
  std::vector<char*> arguments;
  for (auto& word : words) arguments.push_back(word.data());
  testing::internal::CaptureStdout();
  testing::internal::CaptureStderr();
  const auto status = main(static_cast<int>(arguments.size()), arguments.data());
  std::fflush(stdout);
  auto err = testing::internal::GetCapturedStderr();
  return {status, testing::internal::GetCapturedStdout(), std::move(err)};
}
