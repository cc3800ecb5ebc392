#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include <harrier/core/field_count.hpp>

namespace harrier::detail {
namespace {

struct none {};
struct pair {
  int a;
  double b;
};
struct bits {
  std::uint8_t a : 3;
  std::uint8_t b : 5;
  bool c : 1;
};
struct of_classes {
  pair a;
  std::array<pair, 2> b;
  std::optional<int> c;
  std::variant<int, std::string> d;
  none e;
};
struct with_references {
  const int a;
  int& b;
};
struct only_moved {
  std::unique_ptr<int> a;
  std::vector<std::unique_ptr<int>> b;
};

TEST(FieldCount, IsOfWhatTheClassNamesItself) {
  EXPECT_EQ(field_count<none>, 0U);
  EXPECT_EQ(field_count<pair>, 2U);
  EXPECT_EQ(field_count<const pair>, 2U);
  EXPECT_EQ(field_count<bits>, 3U);
  EXPECT_EQ(field_count<of_classes>, 5U);
  EXPECT_EQ(field_count<with_references>, 2U);
  EXPECT_EQ(field_count<only_moved>, 2U);
}

struct lists_of_lists {
  std::map<std::string, std::vector<int>> a{{"a", {0}}};
  std::string b[2];
  int c = 3;
};

TEST(FieldCount, LooksAtNoDefaultBeforeItsTime) { EXPECT_EQ(field_count<lists_of_lists>, 4U); }

struct no_default {
  explicit no_default(int) {}
};
struct some_without_default {
  int a;
  no_default b;
  std::array<char, 392> c;
  no_default d;
  int e;
};
struct of_those {
  some_without_default a;
  no_default b[2];
};

TEST(FieldCount, IsThatOfFieldsWithoutDefaultsToo) {
  EXPECT_EQ(field_count<some_without_default>, 5U);
  EXPECT_EQ(field_count<of_those>, 3U);
}

struct hundred {
  int a[100];
};
struct more {
  int a;
  char b[4096];
};

TEST(FieldCount, EndsAboveTheMostThatCanBeEnumerated) {
  EXPECT_EQ(field_count<hundred>, most_fields);
  EXPECT_EQ(field_count<more>, most_fields + 1);
}

}  // namespace
}  // namespace harrier::detail
