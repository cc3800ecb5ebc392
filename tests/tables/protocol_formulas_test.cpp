// The formulas about protocols, in builds that have the floor protocol.
#include <gmock/gmock.h>

#include <set>
#include <string>

#include <bench/tables/protocol_formulas.hpp>

namespace harrier::tables {
namespace {

using testing::Each;
using testing::ElementsAre;
using testing::SizeIs;
using testing::Truly;

// Table 10.1 on our own definitions; the other formulas on those published, where they are at hand.
TEST(ProtocolFormulas, ComeOutAsPublished) {
  const auto table = run_protocol_formulas(HARRIER_PROTOCOLS, HARRIER_PUBLISHED_PROTOCOLS);

  EXPECT_THAT(table.topologies, SizeIs(36));
  EXPECT_THAT(table.topologies, Each(Truly([](const auto& c) { return c.ours == c.published; })));
  EXPECT_THAT(table.rows, Each(Truly([](const auto& r) { return r.run == r.as_expected; })));
}

TEST(ProtocolFormulas, HaveARowForEachTableAndFigureOfChaptersTenAndEleven) {
  std::set<std::string> places;
  for (const auto& r : run_protocol_formulas(HARRIER_PROTOCOLS, "nowhere").rows) {
    places.insert(r.place);
    EXPECT_TRUE(r.run != 0 || !r.remark.empty()) << r.place << ' ' << r.what;
  }

  EXPECT_THAT(places, ElementsAre("Figure 11.1", "Figure 11.2", "Figure 11.3", "Figure 11.4", "Section 10.2",
                                  "Section 10.3", "Table 10.1", "Table 11.1", "Table 11.2"));
}
}  // namespace
}  // namespace harrier::tables
