// Engines and orderings are named by words, and a word that names none is refused where it is written.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include <harrier/core/error.hpp>
#include <harrier/harrier.hpp>

#include "../../src/explore/option_words.hpp"

namespace harrier {
namespace {

using testing::HasSubstr;
using testing::StartsWith;
using testing::ThrowsMessage;

TEST(AnEngine, IsOneThatThereIs) {
  options how;
  EXPECT_TRUE(how.search.engine.is_automatic());
  for (const auto& name : engine_names()) {
    how.search.engine = name;
    EXPECT_EQ(how.search.engine.name(), name);
    EXPECT_EQ(how.search.engine.is_automatic(), name == "auto");
  }
  EXPECT_THAT([&] { how.search.engine = "optimall"; },
              ThrowsMessage<error>(StartsWith("unknown engine 'optimall'; there are auto, optimal, ")));
  EXPECT_EQ(how.search.engine, engine_names().back()) << "what it was before is kept";
}

TEST(AnEngine, KeepsItsNameWhereTheWordIsGone) {
  options how;
  {
    const std::string word = "transdpor-as-measured";
    how.search.engine = word;
  }
  EXPECT_EQ(how.search.engine.name(), "transdpor-as-measured");
}

TEST(AnOrdering, IsOneThatThereIs) {
  options how;
  EXPECT_EQ(how.search.ordering.name(), "fifo");
  for (const auto& name : ordering_names()) {
    how.search.ordering = name;
    EXPECT_EQ(how.search.ordering.name(), name);
  }
  EXPECT_THAT([&] { how.search.ordering = "random"; },
              ThrowsMessage<error>(StartsWith("unknown ordering 'random'; there are fifo, eca, ")));
}

/// What is left open may be written in more than one way, so not every option is read again from what is written.
TEST(AnOptionInWords, IsWrittenAsItIsRead) {
  for (const auto& option : options_in_words()) {
    if (option.subject.empty()) continue;
    const auto word = option.takes == "N"                           ? "7"
                      : option.takes.find('|') != std::string::npos ? option.takes.substr(0, option.takes.find('|'))
                      : option.is_yes_or_no                         ? "on"
                                                                    : "word";
    options how;
    option.read(how, word);
    EXPECT_EQ(option.written(how), word) << option.name;
  }
}

TEST(AnOptionInWords, SuggestsTheWordThatWasMeant) {
  for (const auto& option : options_in_words()) {
    if (option.name != "engine") continue;
    options how;
    EXPECT_THAT([&] { read_option(option, "--engine optimall", "optimall", how); },
                ThrowsMessage<error>(HasSubstr("did you mean 'optimal'?")));
  }
}

}  // namespace
}  // namespace harrier
