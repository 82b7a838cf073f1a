//===- AssertTest.cpp - Assertions stop the process -----------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "hetero/Support/Assert.h"

#include "gtest/gtest.h"

namespace {

TEST(AssertTest, PassesWhereItHolds) {
  int evaluations = 0;
  HETERO_ASSERT(++evaluations == 1, "evaluated once");
  EXPECT_EQ(evaluations, 1);
}

TEST(AssertDeathTest, NamesThePlaceAndTheReason) {
  EXPECT_DEATH(HETERO_ASSERT(1 + 1 == 3, "sums are right"),
               "AssertTest.cpp:[0-9]+: assertion failed: sums are right "
               "\\(1 \\+ 1 == 3\\)");
}

} // namespace
