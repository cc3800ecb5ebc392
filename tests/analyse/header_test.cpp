// The declarations that are written compile, and are those that a run goes by.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string>

#include <harrier/analyse/analyse.hpp>
#include <harrier/core/error.hpp>

#include "sources.hpp"

namespace harrier {
namespace {

using test::analysed;
using test::written_source;
using testing::HasSubstr;
using testing::IsEmpty;

std::string text_of(const std::string& file) {
  std::ostringstream text;
  text << std::ifstream(file).rdbuf();
  return text.str();
}

/// What the compiler says of a source.
std::string complaints(const written_source& of, const std::string& file) {
  const auto said = of.beside("said.txt");
  const auto command = std::string(COMPILER) +
                       " -std=c++20 -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Werror -I" HARRIER_INCLUDE
                       " -fsyntax-only " +
                       file + " > " + said + " 2>&1";
  const int status = std::system(command.c_str());
  return status == 0 ? std::string() : text_of(said) + "(the compiler failed)";
}

/// Its library is not one of those that are linked.
class Declarations : public testing::Test {
protected:
  void SetUp() override {
    try {
      const auto header = source_.beside("declarations.hpp");
      const auto source = analysed(source_.file(), header);
      ASSERT_THAT(source.errors, IsEmpty());
      header_ = to_header(source, source_.file());
      test::write_text(header, header_);
    } catch (const error& e) {
      GTEST_SKIP() << e.what();
    }
  }

  written_source source_{text_of(test::case_named("declarations.cpp"))};
  std::string header_;
};

TEST_F(Declarations, CompileWhereTheyAreIncluded) { EXPECT_EQ(complaints(source_, source_.file()), ""); }

TEST_F(Declarations, AreWhatHarrierGoesBy) {
  const auto check = source_.beside("check.cpp");
  test::write_text(check, R"(
#include "program.cpp"
template <class Actor, auto Handler, class... What>
constexpr bool is_declared =
    std::is_same_v<harrier::detail::declaration_of<Actor, Handler>, harrier::declaration<What...>>;
using bank::inner::account;
using harrier::reads;
using harrier::sends;
using harrier::writes;
static_assert(is_declared<account, harrier::overload<bank::money>(&account::pay), writes<&account::balance>, sends<>>);
static_assert(is_declared<account, &account::look_up, reads<&account::balance>,
                          sends<harrier::overload<bank::money>(&account::pay)>>);
static_assert(is_declared<account, &account::copy, sends<>>);
static_assert(is_declared<account::card, &account::card::use, writes<&account::card::uses>, sends<>>);
static_assert(is_declared<hidden, &hidden::set, writes<&hidden::value>, sends<>>);
static_assert(is_declared<with_private, &with_private::look, sends<&hidden::set>>);
static_assert(is_declared<with_private, &with_private::hand_on, reads<>>);
static_assert(is_declared<declared_already, &declared_already::outside, writes<&declared_already::a>>);
)");

  EXPECT_EQ(complaints(source_, check), "");
}

TEST_F(Declarations, AreTheSameWhenTheyAreWrittenAgain) {
  EXPECT_EQ(to_header(analysed(source_.file(), source_.beside("declarations.hpp")), source_.file()), header_);
}

TEST_F(Declarations, SayWhatIsLeftOutAndWhy) {
  for (const auto* why :
       {"account::copy: the whole object is assigned (program.cpp:", "generic<int>::set: generic is a class template (",
        "with_private::look: field value_ is private (",
        "with_private::hand_on: it sends what cannot be named: secret is", "with_private::secret: secret is private (",
        "twins::get(): another get has the same parameters (", "declared_already::beside: it has a declaration (",
        "declared_already::outside: it has a declaration (", "driver::local::set: local is a local class ("})
    EXPECT_THAT(header_, HasSubstr(why));
}

}  // namespace
}  // namespace harrier
