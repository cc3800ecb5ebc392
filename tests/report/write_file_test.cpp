#include <gmock/gmock.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include <harrier/core/error.hpp>
#include <harrier/report/write_file.hpp>

namespace harrier {
namespace {

namespace fs = std::filesystem;

class WriteFile : public testing::Test {
protected:
  WriteFile() {
    auto name = (fs::path(testing::TempDir()) / "harrier-XXXXXX").string();
    if (mkdtemp(name.data()) != nullptr) folder_ = name;
    std::ofstream(folder_ / "precious") << "precious";
  }
  ~WriteFile() override { fs::remove_all(folder_); }
  [[nodiscard]] std::string content() const {
    std::ifstream in(folder_ / "precious");
    return {std::istreambuf_iterator<char>(in), {}};
  }

  fs::path folder_;
};

TEST_F(WriteFile, GoesWhereALinkOfOnesOwnLeads) {
  fs::create_symlink(folder_ / "precious", folder_ / "link");
  write_file((folder_ / "link").string(), "new");
  EXPECT_EQ(content(), "new");
  EXPECT_TRUE(fs::is_symlink(folder_ / "link"));
}

TEST_F(WriteFile, FollowsNoLinkThatAnotherUserMadeInASharedFolder) {
  if (geteuid() != 0) GTEST_SKIP() << "only root can make a link of another user";
  fs::create_directory(folder_ / "shared");
  chmod((folder_ / "shared").c_str(), 01777);
  const auto link = folder_ / "shared" / "result.json";
  fs::create_symlink(folder_ / "precious", link);
  ASSERT_EQ(lchown(link.c_str(), 12345, 12345), 0);
  EXPECT_THROW(write_file(link.string(), "new"), error);
  EXPECT_THROW(check_writable(link.string()), error);
  EXPECT_EQ(content(), "precious");
}

}  // namespace
}  // namespace harrier
