// What was compiled before is executed: it comes from nowhere where another user can write.
#include <gmock/gmock.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <map>
#include <string>

#include <harrier/protocol/module.hpp>

#include <src/core/base/trusted_place.hpp>

#include "support.hpp"

namespace harrier::protocol {
namespace {

using ::testing::HasSubstr;

generated_module some_module() {
  generate_options options;
  options.mode = module_mode::strict;
  options.title = "p";
  return generate(session(session_p("(-->> T ::a ::b)"), "p"), "p", options);
}

/// With a cache of its own, and the environment as it was before.
class CacheOfModules : public testing::Test {
protected:
  CacheOfModules() {
    for (const auto* name : {"XDG_CACHE_HOME", "HOME", "TMPDIR"})
      if (const char* value = std::getenv(name); value != nullptr) before_[name] = value;
  }
  ~CacheOfModules() override {
    for (const auto* name : {"XDG_CACHE_HOME", "HOME", "TMPDIR"})
      before_.contains(name) ? ::setenv(name, before_[name].c_str(), 1) : ::unsetenv(name);
  }
  /// What load says, or nothing.
  static std::string refusal() {
    try {
      static_cast<void>(load(some_module()));
    } catch (const compiler_error& e) {
      return e.what();
    }
    return {};
  }
  [[nodiscard]] std::filesystem::path make(const std::string& name, mode_t mode) const {
    const auto folder = own_.path() / name;
    std::filesystem::create_directories(folder);
    ::chmod(folder.c_str(), mode);
    return folder;
  }

  private_folder own_;

private:
  std::map<std::string, std::string> before_;
};

TEST_F(CacheOfModules, IsNotWhereEverybodyMayWrite) {
  const auto open = make("open", 0777);
  ::setenv("XDG_CACHE_HOME", open.c_str(), 1);
  const auto refused = refusal();
  EXPECT_THAT(refused, HasSubstr("open can be written by everybody"));
  EXPECT_THAT(refused, HasSubstr("set XDG_CACHE_HOME to a folder that only you can write to"));
  EXPECT_FALSE(std::filesystem::exists(open / "harrier"));
}

TEST_F(CacheOfModules, IsNotInAFolderOfAnotherUser) {
  if (::geteuid() != 0) GTEST_SKIP() << "only root can make a folder of another user";
  const auto his = make("his/.cache/harrier/protocol", 0755);
  ASSERT_EQ(::chown(his.c_str(), 12345, 12345), 0);
  ::unsetenv("XDG_CACHE_HOME");
  ::setenv("HOME", (own_.path() / "his").c_str(), 1);
  EXPECT_THAT(refusal(), HasSubstr("protocol is owned by user 12345"));
}

TEST_F(CacheOfModules, IsNotBehindALinkToWhereEverybodyMayWrite) {
  const auto open = make("open", 0777);
  std::filesystem::create_directory_symlink(open, make("mine", 0755) / "harrier");
  ::setenv("XDG_CACHE_HOME", (own_.path() / "mine").c_str(), 1);
  EXPECT_THAT(refusal(), HasSubstr("open can be written by everybody"));
}

TEST_F(CacheOfModules, IsNotAmongTemporaryFilesWhereThereIsNoHome) {
  const auto temporary = make("temporary", 01777);
  const auto planted = make("temporary/cache-" + std::to_string(::getuid()) + "/harrier/protocol", 0755);
  ::unsetenv("XDG_CACHE_HOME");
  ::setenv("HOME", "", 1);
  ::setenv("TMPDIR", temporary.c_str(), 1);
  EXPECT_EQ(refusal(), "");
  EXPECT_TRUE(std::filesystem::is_empty(planted));
}

TEST_F(CacheOfModules, HasNothingOfWhatAnotherUserPutThere) {
  if (::geteuid() != 0) GTEST_SKIP() << "only root can make a file of another user";
  ::setenv("XDG_CACHE_HOME", make("mine", 0755).c_str(), 1);
  const auto module = some_module();
  EXPECT_FALSE(load(module).cached());
  const auto folder = own_.path() / "mine" / "harrier" / "protocol";
  for (const auto& file : std::filesystem::directory_iterator(folder))
    ASSERT_EQ(::chown(file.path().c_str(), 12345, 12345), 0);
  EXPECT_FALSE(load(module).cached());
  EXPECT_TRUE(load(module).cached());
}

}  // namespace
}  // namespace harrier::protocol
