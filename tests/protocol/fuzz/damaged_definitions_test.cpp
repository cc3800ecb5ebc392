// The function that the fuzzer runs, without the fuzzer: it gets the definitions that are kept, and each of them
// damaged a little.
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace {

std::vector<std::string> kept_definitions() {
  std::vector<std::string> found;
  for (const auto* folder : {HARRIER_CORPUS, HARRIER_EXAMPLES})
    for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
      if (!entry.is_regular_file()) continue;
      std::ifstream file(entry.path(), std::ios::binary);
      found.emplace_back(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
    }
  return found;
}

int tried(const std::string& text) {
  return LLVMFuzzerTestOneInput(reinterpret_cast<const std::uint8_t*>(text.data()), text.size());
}

// One to four times, some bytes go, come twice, change or come from elsewhere.
std::string damaged(std::string text, std::mt19937& draw) {
  constexpr std::string_view meaningful = "()[]{}:/*-><\"\\; 019";
  const auto below = [&](std::size_t limit) { return limit == 0 ? 0 : draw() % limit; };
  for (auto times = 1 + below(4); times > 0; --times) {
    const auto at = below(text.size());
    const auto length = below(std::min<std::size_t>(text.size() - at, 12));
    switch (below(4)) {
      case 0: text.erase(at, length); break;
      case 1: text.insert(below(text.size()), text.substr(at, length)); break;
      case 2: text.insert(at, 1, meaningful[below(meaningful.size())]); break;
      default:
        if (!text.empty()) text[at] = static_cast<char>(below(256));
    }
  }
  return text;
}

TEST(DamagedDefinitions, AreDefinitionsOrDiagnostics) {
  const auto definitions = kept_definitions();
  ASSERT_GE(definitions.size(), 10U);
  std::mt19937 draw(1);
  for (const auto& definition : definitions) {
    SCOPED_TRACE(definition);
    EXPECT_EQ(tried(definition), 0);
    for (int copy = 0; copy < 40; ++copy) {
      const auto text = damaged(definition, draw);
      SCOPED_TRACE(text);
      EXPECT_EQ(tried(text), 0);
    }
  }
}

}  // namespace
