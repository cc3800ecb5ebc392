// Who may have written what a search goes on from.
#include <gmock/gmock.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <string>

#include <harrier/core/error.hpp>

#include <src/core/base/trusted_place.hpp>
#include <src/explore/checkpoint.hpp>

namespace harrier {
namespace {

using testing::HasSubstr;

class CheckpointFile : public testing::Test {
protected:
  CheckpointFile() { write(file_); }
  static void write(const std::string& file) {
    write_checkpoint(file, subject, [](archive_writer&) {});
  }
  static std::string refusal(const std::string& file) {
    try {
      read_checkpoint(file, subject, [](archive_reader&) {});
    } catch (const error& e) {
      return e.what();
    }
    return {};
  }

  static inline const checkpoint_subject subject = {{"program", "bank"}};
  private_folder folder_;
  const std::string file_ = folder_.path() / "run.ck";
};

TEST_F(CheckpointFile, IsReadWhereOnlyItsUserCanWrite) { EXPECT_EQ(refusal(file_), ""); }

TEST_F(CheckpointFile, CanBeReadAgainWhateverTheUmaskIs) {
  std::filesystem::remove(file_);
  const auto mask = umask(0);
  write(file_);
  umask(mask);
  EXPECT_EQ(refusal(file_), "");
}

TEST_F(CheckpointFile, ThatEverybodyCanChangeIsRefused) {
  ASSERT_EQ(chmod(file_.c_str(), 0666), 0);
  EXPECT_THAT(refusal(file_), HasSubstr("another user could have changed it: " + file_));
  ASSERT_EQ(chmod(file_.c_str(), 0644), 0);
  ASSERT_EQ(chmod(folder_.path().c_str(), 0777), 0);
  EXPECT_THAT(refusal(file_), HasSubstr("can be written by everybody; copy it to a folder that only you can write to"));
}

TEST_F(CheckpointFile, OfAnotherUserIsRefused) {
  if (geteuid() != 0) GTEST_SKIP() << "only root can make a file of another user";
  ASSERT_EQ(chown(file_.c_str(), 12345, 12345), 0);
  EXPECT_THAT(refusal(file_), HasSubstr("is owned by user 12345"));
}

TEST_F(CheckpointFile, IsNotWrittenThroughALinkThatAnotherUserMade) {
  if (geteuid() != 0) GTEST_SKIP() << "only root can make a link of another user";
  ASSERT_EQ(chmod(folder_.path().c_str(), 01777), 0);
  const auto link = (folder_.path() / "link").string();
  std::filesystem::create_symlink(file_, link);
  write(link);
  ASSERT_EQ(lchown(link.c_str(), 12345, 12345), 0);
  EXPECT_THROW(write(link), error);
}

}  // namespace
}  // namespace harrier
