// Whether another user could have put something in a place. Most of it needs folders of other users: root makes them.
#include <gmock/gmock.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include <harrier/core/error.hpp>

#include <src/core/base/trusted_place.hpp>

namespace harrier {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

constexpr uid_t somebody = 12345;

class TrustedPlace : public testing::Test {
protected:
  fs::path make(const std::string& name, mode_t mode = 0755) const {
    const auto folder = own_.path() / name;
    fs::create_directories(folder);
    chmod(folder.c_str(), mode);
    return folder;
  }
  [[nodiscard]] static fs::path file_in(const fs::path& folder, mode_t mode = 0755) {
    const auto file = folder / "file";
    std::ofstream(file) << "#!/bin/sh\n";
    chmod(file.c_str(), mode);
    return file;
  }
  static bool is_root() { return geteuid() == 0; }

  private_folder own_;
};

TEST_F(TrustedPlace, IsAFileOfOnesOwnInFoldersOfOnesOwn) {
  EXPECT_EQ(who_else_can_write(file_in(make("a/b"))), "");
  EXPECT_NO_THROW(require_trusted(own_.path(), "the cache", "do this"));
}

TEST_F(TrustedPlace, NeedNotBeThereYet) {
  EXPECT_EQ(who_else_can_write(own_.path() / "not" / "there"), "");
  EXPECT_THAT(who_else_can_write(make("open", 0777) / "not" / "there"), HasSubstr("can be written by everybody"));
}

TEST_F(TrustedPlace, IsNoneInAFolderToWhichEverybodyMayWrite) {
  const auto file = file_in(make("open", 0777));
  EXPECT_THAT(who_else_can_write(file), HasSubstr("open can be written by everybody"));
  make("open/inside");
  EXPECT_THAT(who_else_can_write(own_.path() / "open" / "inside"), HasSubstr("open can be written by everybody"));
}

TEST_F(TrustedPlace, MayBeInAStickyFolder) { EXPECT_EQ(who_else_can_write(file_in(make("sticky", 01777))), ""); }

TEST_F(TrustedPlace, IsNoFileToWhichEverybodyMayWrite) {
  EXPECT_THAT(who_else_can_write(file_in(make("a"), 0666)), HasSubstr("can be written by everybody"));
}

TEST_F(TrustedPlace, IsNoneOfAnotherUser) {
  if (!is_root()) GTEST_SKIP() << "only root can make a folder of another user";
  const auto folder = make("his");
  const auto file = file_in(folder);
  ASSERT_EQ(chown(folder.c_str(), somebody, 0), 0);
  EXPECT_THAT(who_else_can_write(file), HasSubstr("his is owned by user 12345"));
  const auto sticky = make("sticky", 01777);
  const auto planted = file_in(sticky);
  ASSERT_EQ(chown(planted.c_str(), somebody, 0), 0);
  EXPECT_THAT(who_else_can_write(planted), HasSubstr("file is owned by user 12345"));
}

TEST_F(TrustedPlace, IsNoneToWhichAGroupMayWrite) {
  if (!is_root()) GTEST_SKIP() << "only root can give a folder to a group";
  const auto folder = make("shared", 0775);
  ASSERT_EQ(chown(folder.c_str(), 0, 54321), 0);
  EXPECT_THAT(who_else_can_write(file_in(folder)), HasSubstr("shared can be written by group 54321"));
}

TEST_F(TrustedPlace, IsJudgedByWhereItsLinksLead) {
  const auto open = make("open", 0777);
  static_cast<void>(file_in(open));
  fs::create_directory_symlink(open, own_.path() / "link");
  fs::create_symlink("link/file", own_.path() / "relative");
  EXPECT_THAT(who_else_can_write(own_.path() / "link" / "file"), HasSubstr("open can be written by everybody"));
  EXPECT_THAT(who_else_can_write(own_.path() / "relative"), HasSubstr("open can be written by everybody"));
  fs::create_symlink(own_.path() / "circle", own_.path() / "circle");
  EXPECT_THAT(who_else_can_write(own_.path() / "circle"), HasSubstr("too many links"));
  const auto good = make("good");
  fs::create_directory_symlink(good, own_.path() / "fine");
  EXPECT_EQ(who_else_can_write(own_.path() / "fine" / ".." / "good"), "");
}

TEST_F(TrustedPlace, IsNoneBehindALinkThatAnotherUserMade) {
  if (!is_root()) GTEST_SKIP() << "only root can make a link of another user";
  const auto sticky = make("sticky", 01777);
  const auto target = make("mine");
  const auto link = sticky / "link";
  fs::create_directory_symlink(target, link);
  EXPECT_FALSE(is_link_of_another(link));
  ASSERT_EQ(lchown(link.c_str(), somebody, somebody), 0);
  EXPECT_THAT(who_else_can_write(link / "file"), HasSubstr("link is owned by user 12345"));
  EXPECT_TRUE(is_link_of_another(link));
}

TEST_F(TrustedPlace, IsRefusedWithWhatToDo) {
  const auto open = make("open", 0777);
  try {
    require_trusted(open, "the cache", "do this");
    FAIL() << "it is trusted";
  } catch (const error& e) {
    EXPECT_THAT(e.what(), HasSubstr("the cache " + open.string() + " is not used"));
    EXPECT_THAT(e.what(), HasSubstr("can be written by everybody; do this"));
  }
}

TEST_F(TrustedPlace, IsMadeForOneselfWhateverTheUmaskIs) {
  const auto mask = umask(0);
  const auto folder = own_.path() / "a" / "b";
  EXPECT_NO_THROW(make_trusted_folder(folder, "it", "do this"));
  umask(mask);
  struct stat s {};
  ASSERT_EQ(stat(folder.c_str(), &s), 0);
  EXPECT_EQ(s.st_mode & 07777U, 0700U);
  EXPECT_THROW(make_trusted_folder(make("open", 0777) / "c", "it", "do this"), error);
  EXPECT_FALSE(fs::exists(own_.path() / "open" / "c"));
}

/// A variable of the environment, for as long as this lives.
class variable {
public:
  variable(const char* name, const std::string& value) : name_(name) {
    const char* const before = std::getenv(name);
    was_set_ = before != nullptr;
    if (was_set_) before_ = before;
    setenv(name, value.c_str(), 1);
  }
  variable(const variable&) = delete;
  variable& operator=(const variable&) = delete;
  ~variable() { was_set_ ? setenv(name_, before_.c_str(), 1) : unsetenv(name_); }

private:
  const char* name_;
  bool was_set_ = false;
  std::string before_;
};

TEST_F(TrustedPlace, IsWhereAProgramIsTakenFrom) {
  const auto good = file_in(make("good"));
  const auto bad = file_in(make("bad", 0777));
  const auto here = fs::current_path();
  fs::current_path(bad.parent_path());
  const variable path("PATH", ":.:" + bad.parent_path().string() + ":" + good.parent_path().string());
  EXPECT_EQ(find_trusted_program("file").path, good);
  fs::remove(good);
  const auto none = find_trusted_program("file");
  fs::current_path(here);
  EXPECT_TRUE(none.path.empty());
  EXPECT_THAT(none.why_not(), HasSubstr("depends on where one is"));
  EXPECT_EQ(find_trusted_program(bad.string()).path, bad);
}

TEST_F(TrustedPlace, IsWhereTemporaryFilesGo) {
  const variable folder("TMPDIR", make("open", 0777).string());
  EXPECT_THROW(private_folder(), error);
}

}  // namespace
}  // namespace harrier
