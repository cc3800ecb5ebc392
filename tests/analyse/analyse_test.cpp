// What is found in the sources of `cases`, beside each handler of which the comment says what is to be found.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include <harrier/analyse/analyse.hpp>
#include <harrier/core/error.hpp>

#include "sources.hpp"

namespace harrier {
namespace {

using test::analysed;
using test::case_named;
using test::written_source;
using testing::AllOf;
using testing::ElementsAre;
using testing::Field;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;
using testing::UnorderedElementsAreArray;

/// Its library is not one of those that are linked.
class Analyse : public testing::Test {
protected:
  void SetUp() override {
    try {
      static_cast<void>(analysed(written_source("int nothing;").file()));
    } catch (const error& e) {
      GTEST_SKIP() << e.what();
    }
  }
};

TEST_F(Analyse, TellsFieldsThatAreReadFromThoseThatAreWritten) {
  const auto as = test::expected(case_named("fields.cpp"), "=");
  const auto source = analysed(case_named("fields.cpp"));

  EXPECT_THAT(source.errors, IsEmpty());
  EXPECT_THAT(as, SizeIs(testing::Gt(80)));
  EXPECT_THAT(test::fields_of(source, as), UnorderedElementsAreArray(as));
}

TEST_F(Analyse, FindsWritesThatAreEasilyOverlooked) {
  const auto as = test::expected(case_named("hidden_writes.cpp"), "=");
  const auto source = analysed(case_named("hidden_writes.cpp"));

  EXPECT_THAT(source.errors, IsEmpty());
  EXPECT_THAT(as, SizeIs(testing::Gt(80)));
  EXPECT_THAT(test::fields_of(source, as), UnorderedElementsAreArray(as));
}

TEST_F(Analyse, SaysWhyAHandlerMayTouchEveryField) {
  const auto as = test::expected(case_named("any_field.cpp"), "=");
  const auto source = analysed(case_named("any_field.cpp"));

  EXPECT_THAT(source.errors, IsEmpty());
  EXPECT_THAT(test::fields_of(source, as), UnorderedElementsAreArray(as));
}

TEST_F(Analyse, FindsWhatIsSentThroughAllThatIsCalled) {
  const auto as = test::expected(case_named("sends.cpp"), "->");
  const auto source = analysed(case_named("sends.cpp"));

  EXPECT_THAT(source.errors, IsEmpty());
  EXPECT_THAT(test::sends_of(source, as), UnorderedElementsAreArray(as));
}

TEST_F(Analyse, HandsBackTheErrorsOfTheCompilerWithTheirPlaces) {
  const written_source wrong("int f() {\n  return nobody;\n}\n");

  EXPECT_THAT(analysed(wrong.file()).errors,
              ElementsAre(AllOf(Field(&source_remark::where, Field(&source_place::line, 2)),
                                Field(&source_remark::text, HasSubstr("nobody")))));
}

TEST_F(Analyse, IsGivenTheFlagsOfTheCompiler) {
  const written_source source("#ifndef WANTED\n#error not wanted\n#endif\n");

  EXPECT_THAT(analysed(source.file()).errors, SizeIs(1));
  EXPECT_THAT(analyse({source.file(), {"-DWANTED"}}).errors, IsEmpty());
}

TEST_F(Analyse, OfASourceWithoutActorsSaysSo) {
  const written_source source("int main() {}\n");

  EXPECT_EQ(to_text(analysed(source.file())), "no handlers: no message is sent in this file\n");
}

TEST_F(Analyse, RefusesAFileThatIsNotThere) { EXPECT_THROW(static_cast<void>(analysed("/nowhere.cpp")), error); }

}  // namespace
}  // namespace harrier
