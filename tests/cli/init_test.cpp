// `harrier init`: a project to begin with. tests/consume builds one and runs its tests.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include <harrier/cli/main.hpp>

#include "captured.hpp"

namespace harrier {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::Not;
using testing::UnorderedElementsAre;

outcome init(const std::string& directory) {
  return captured({"init", "--", directory}, [](int argc, char** argv) { return harrier::main(argc, argv, {}); });
}

std::string content(const fs::path& file) {
  std::ifstream in(file);
  return {std::istreambuf_iterator<char>(in), {}};
}

std::vector<std::string> files_in(const fs::path& folder) {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(folder)) names.push_back(entry.path().filename().string());
  return names;
}

class Init : public testing::Test {
protected:
  Init() : before_(fs::current_path()) {
    std::string name = (fs::temp_directory_path() / "harrier.XXXXXX").string();
    here_ = mkdtemp(name.data());
    fs::current_path(here_);
  }
  ~Init() override {
    fs::current_path(before_);
    fs::remove_all(here_);
  }
  std::string project_in(const std::string& folder) {
    const auto text = content(here_ / folder / "CMakeLists.txt");
    const auto from = text.find("project(") + 8;
    return text.substr(from, text.find(' ', from) - from);
  }

  fs::path before_;
  fs::path here_;
};

TEST_F(Init, WritesAProjectAndSaysHowToBuildIt) {
  const auto result = init("bank");

  EXPECT_EQ(result.status, 0) << result.err;
  EXPECT_THAT(files_in("bank"), UnorderedElementsAre("CMakeLists.txt", "first_test.cpp", ".gitignore"));
  EXPECT_THAT(result.out, HasSubstr("cmake -S bank -B bank/build\n"));
  EXPECT_EQ(project_in("bank"), "bank");
}

TEST_F(Init, MakesTheFoldersAbove) {
  EXPECT_EQ(init("a/b/c/").status, 0);
  EXPECT_EQ(project_in("a/b/c"), "c");
}

TEST_F(Init, TakesAFolderThatIsEmptyAndTheNameThatItHas) {
  fs::create_directory("shop");
  fs::current_path("shop");

  EXPECT_EQ(init(".").status, 0);
  EXPECT_EQ(project_in("shop"), "shop");
}

TEST_F(Init, WritesNothingOver) {
  fs::create_directory("bank");
  std::ofstream("bank/mine") << "x";
  const auto result = init("bank");

  EXPECT_EQ(result.status, 2);
  EXPECT_THAT(result.err, HasSubstr("bank exists and is not empty; nothing is written over"));
  EXPECT_THAT(files_in("bank"), UnorderedElementsAre("mine"));
}

TEST_F(Init, ASecondTimeIsRefused) {
  ASSERT_EQ(init("bank").status, 0);
  std::ofstream("bank/first_test.cpp") << "mine";

  EXPECT_EQ(init("bank").status, 2);
  EXPECT_EQ(content("bank/first_test.cpp"), "mine");
}

TEST_F(Init, DoesNotFollowALinkThatLeadsNowhere) {
  fs::create_symlink("/nonexistent/elsewhere", "bank");

  EXPECT_EQ(init("bank").status, 2);
}

struct hostile {
  std::string folder;
  std::string project;
  std::string word;  ///< for a shell
};

class HostileName : public Init, public testing::WithParamInterface<hostile> {};

TEST_P(HostileName, IsTextToCMakeAndToTheShell) {
  const auto result = init(GetParam().folder);

  EXPECT_EQ(result.status, 0) << result.err;
  EXPECT_EQ(project_in(GetParam().folder), GetParam().project);
  EXPECT_THAT(result.out, HasSubstr("cmake -S " + GetParam().word + " -B "));
}

INSTANTIATE_TEST_SUITE_P(Names, HostileName,
                         testing::Values(hostile{"two words", "two_words", "'two words'"},
                                         hostile{"$(touch x)", "tests__touch_x_", "'$(touch x)'"},
                                         hostile{"x;y", "x_y", "'x;y'"}, hostile{"it's", "it_s", "'it'\\''s'"},
                                         hostile{"9", "tests9", "9"},
                                         hostile{"a)\nmessage(x", "a__message_x", "$'a)\\nmessage(x'"},
                                         hostile{"\u00e9t\u00e9", "tests__t__", "\u00e9t\u00e9"},
                                         hostile{"-rf", "tests-rf", "./-rf"},
                                         hostile{"@VERSION@", "tests_VERSION_", "@VERSION@"},
                                         hostile{"\x1b[2J", "tests__2J", "$'\\x1b[2J'"}));

}  // namespace
}  // namespace harrier
