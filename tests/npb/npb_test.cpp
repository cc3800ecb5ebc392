#include <gtest/gtest.h>

#include "cg.hpp"
#include "cg_checked_2.hpp"
#include "cg_strict_2.hpp"
#include "ft.hpp"
#include "ft_checked_2.hpp"
#include "ft_strict_2.hpp"
#include "is.hpp"
#include "is_checked_2.hpp"
#include "is_strict_2.hpp"
#include "mg.hpp"
#include "mg_checked_2.hpp"
#include "mg_strict_2.hpp"
#include "queues.hpp"
#include "team.hpp"

namespace npb {
namespace {

template <class Kernel, class StrictModule, class CheckedModule>
struct kernel_and_modules {
  using kernel = Kernel;
  using strict = StrictModule;
  using checked = CheckedModule;
};

template <class Types>
class Kernel : public ::testing::Test {};

using kernels = ::testing::Types<kernel_and_modules<cg, cg_strict_2::cg, cg_checked_2::cg>,
                                 kernel_and_modules<ft, ft_strict_2::ft, ft_checked_2::ft>,
                                 kernel_and_modules<is, is_strict_2::is, is_checked_2::is>,
                                 kernel_and_modules<mg, mg_strict_2::mg, mg_checked_2::mg>>;
TYPED_TEST_SUITE(Kernel, kernels);

::testing::AssertionResult agrees(const outcome& result) {
  return (result.verified ? ::testing::AssertionSuccess() : ::testing::AssertionFailure()) << result.computed;
}

TYPED_TEST(Kernel, ComputesThePublishedValuesOverAStrictModule) {
  typename TypeParam::kernel kernel(size_class::s, 2);

  EXPECT_TRUE(agrees((over_module<typename TypeParam::strict>(kernel, 2))));
}

TYPED_TEST(Kernel, ComputesThePublishedValuesOverALiberalCheckedModule) {
  typename TypeParam::kernel kernel(size_class::s, 2);

  EXPECT_TRUE(agrees((over_module<typename TypeParam::checked>(kernel, 2))));
}

TYPED_TEST(Kernel, ComputesThePublishedValuesOverQueuesWithAnyNumberOfWorkers) {
  for (const std::size_t workers : {1U, 3U, 4U, 8U}) {
    typename TypeParam::kernel kernel(size_class::s, workers);

    EXPECT_TRUE(agrees(over_queues(kernel, workers))) << workers << " workers";
  }
}

TYPED_TEST(Kernel, ComputesTheSameWhenItIsRunAgain) {
  typename TypeParam::kernel kernel(size_class::s, 2);

  EXPECT_EQ(over_queues(kernel, 2).computed, over_queues(kernel, 2).computed);
}

// A worker that never did its part would go unnoticed if the values were not looked at.
TYPED_TEST(Kernel, IsNotVerifiedWhenAWorkerIsMissing) {
  typename TypeParam::kernel kernel(size_class::s, 3);

  EXPECT_FALSE(agrees(over_queues(kernel, 2)));
}

TEST(Generator, GivesTheNumbersOfTheBenchmarks) {
  generator random;

  EXPECT_EQ(random.next(), 55909509111989 * 0x1p-46);
}

TEST(Share, CoversEverythingOnceWithMoreWorkersThanThings) {
  std::size_t next = 0;
  for (std::size_t worker = 0; worker < 8; ++worker) {
    EXPECT_EQ(share(3, worker, 8).first, next);
    next = share(3, worker, 8).last;
  }
  EXPECT_EQ(next, 3U);
}

}  // namespace
}  // namespace npb
