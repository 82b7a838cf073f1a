//===- ProcessorTest.cpp - Which host code is chosen ----------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "hetero/Runtime/HeteroRuntime.h"

#include <gtest/gtest.h>

#include <string>

namespace {

constexpr int32_t kBaseline = 1 << HETERO_CPU_BASELINE;

TEST(ProcessorTest, RunsTheBaselineEverywhere) {
  int32_t level = -1;
  ASSERT_EQ(heteroChooseProcessor(kBaseline, &level), HETERO_OK);
  EXPECT_EQ(level, HETERO_CPU_BASELINE);
}

TEST(ProcessorTest, TakesTheBestThatThereIs) {
  int32_t best = -1, level = -1;
  ASSERT_EQ(heteroChooseProcessor(0xff, &best), HETERO_OK);
  // One that is not offered is not chosen, but the next.
  ASSERT_EQ(heteroChooseProcessor((0xff & ~(1 << best)) | kBaseline, &level),
            HETERO_OK);
  EXPECT_EQ(level, best == HETERO_CPU_BASELINE ? best : best - 1);
}

TEST(ProcessorTest, RefusesAProgramWithoutCodeForIt) {
  int32_t level = -1;
  // No processor has a level that does not exist.
  EXPECT_EQ(heteroChooseProcessor(1 << 30, &level), HETERO_ERROR_PROGRAM);
  EXPECT_EQ(level, -1);
  EXPECT_NE(std::string(heteroLastError()).find("--processors=all"),
            std::string::npos);
}

} // namespace
