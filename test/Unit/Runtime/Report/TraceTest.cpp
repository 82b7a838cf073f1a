//===- TraceTest.cpp - Traces on a driver that the test steers ------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../Device/FakeDriver.h"
#include "hetero/Runtime/HeteroRuntime.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <string>

namespace {

class Trace : public ::testing::Test {
protected:
  static void SetUpTestSuite() {
    setenv("HETERO_CUDA_DRIVER", HETERO_FAKE_DRIVER, /*overwrite=*/1);
  }
  void SetUp() override {
    // Longer than the test takes.
    driver.elapsedMilliseconds = 50000;
    heteroResetReport();
  }
  void TearDown() override {
    EXPECT_EQ(heteroTrace(0), HETERO_OK);
    driver.launchResult = 0;
    EXPECT_EQ(heteroReset(), HETERO_OK);
  }

  /// A copy to gpu:0, a kernel on its unit 1, a copy to gpu:1, one back.
  void callProgram() {
    ASSERT_EQ(heteroFrameBegin("test"), HETERO_OK);
    int32_t host[8] = {};
    void *x, *y;
    ASSERT_EQ(heteroAlloc(0, sizeof host, 64, &x), HETERO_OK);
    ASSERT_EQ(heteroAlloc(1, sizeof host, 64, &y), HETERO_OK);
    heteroHostRegion("region");
    heteroHostRegionEnd();
    heteroCopy(0, x, HETERO_HOST, host, sizeof host, "%a of @\"f\"");
    heteroLaunch(HETERO_UNIT(0, 1), &image, "kernel", 1, 1, 1, 32, 1, 1, 0,
                 nullptr, 0);
    heteroCopy(1, y, 0, x, sizeof host, "%b");
    heteroCopy(HETERO_HOST, host, 1, y, sizeof host, "%c");
    heteroWait(1);
    EXPECT_EQ(heteroFrameEnd(HETERO_OK), HETERO_OK) << heteroLastError();
  }

  static std::string take(char *text) {
    std::string result = text;
    heteroFreeString(text);
    return result;
  }

  static unsigned count(const std::string &text, const std::string &part) {
    unsigned number = 0;
    for (size_t at = 0; (at = text.find(part, at)) != text.npos; ++at)
      ++number;
    return number;
  }

  FakeDriver &driver = *heteroFakeDriver();
  HeteroCode code = {"", 1, HETERO_CODE_PTX, 8, 0, HETERO_REACH_LATER};
  HeteroImage image = {"image", &code, 1, 0};
};

TEST_F(Trace, HasEachOperationOnItsRow) {
  ASSERT_EQ(heteroTrace(1), HETERO_OK);
  callProgram();
  std::string trace = take(heteroTraceJSON());
  auto has = [&](const char *text) {
    EXPECT_EQ(count(trace, text), 1u) << text << " in " << trace;
  };
  has(R"("name": "%a of @\"f\"", "cat": "copy", "pid": 2, "tid": 2, )");
  has(R"("name": "kernel", "cat": "kernel", "pid": 2, "tid": 4, )");
  has(R"("name": "%b", "cat": "copy", "pid": 2, "tid": 3, )");
  has(R"("name": "%b", "cat": "copy", "pid": 3, "tid": 2, )");
  has(R"("name": "%c", "cat": "copy", "pid": 3, "tid": 3, )");
  has(R"("name": "region", "cat": "region", "pid": 1, "tid": 1, )");
  has(R"("pid": 2, "tid": 4, "args": {"name": "stream 1"})");
  has(R"("name": "process_name", "pid": 3)");
  EXPECT_EQ(count(trace, R"("bytes": 32, "from")"), 4u);
  // Each device gets 32 bytes and gives them back.
  EXPECT_EQ(count(trace, R"("ph": "C", "name": "memory", "pid": 2)"), 2u);
  EXPECT_EQ(count(trace, R"("args": {"bytes": 32}})"), 2u);
  EXPECT_EQ(count(trace, R"("args": {"bytes": 0}})"), 2u);
  EXPECT_EQ(count(trace, R"("dur": 50000000.000)"), 5u);
  // Of the program, and of the end of the frame for two devices.
  EXPECT_EQ(count(trace, R"("cat": "wait")"), 3u);
  // The host moves what comes and what goes, and loads the kernel.
  has(R"("name": "%a of @\"f\"", "cat": "staging", "pid": 1, "tid": 1, )");
  has(R"("name": "%c", "cat": "staging", "pid": 1, "tid": 1, )");
  has(R"("name": "load kernel", "cat": "load", "pid": 1, "tid": 1, )");
  std::string report = take(heteroReport());
  EXPECT_EQ(count(report, R"("busy_seconds": 5.000000000e+01)"), 1u) << report;
  EXPECT_EQ(count(report, R"(, "seconds": 5.000000000e+01)"), 3u) << report;
  EXPECT_EQ(count(report, R"("wait_seconds": )"), 2u) << report;
}

TEST_F(Trace, HasNothingBeforeAndAfter) {
  callProgram();
  ASSERT_EQ(heteroTrace(1), HETERO_OK);
  EXPECT_EQ(count(take(heteroTraceJSON()), R"("ph")"), 0u);
  EXPECT_EQ(heteroTrace(0), HETERO_OK);
  int events = driver.events;
  callProgram();
  EXPECT_EQ(count(take(heteroTraceJSON()), R"("ph")"), 0u);
  // Those that order streams give back what they take.
  EXPECT_EQ(driver.events, events);
}

TEST_F(Trace, UsesItsEventsAgain) {
  ASSERT_EQ(heteroTrace(1), HETERO_OK);
  callProgram();
  int events = driver.events;
  callProgram();
  EXPECT_EQ(driver.events, events);
  EXPECT_EQ(count(take(heteroTraceJSON()), R"("cat": "kernel")"), 2u);
  // A new trace begins empty.
  ASSERT_EQ(heteroTrace(1), HETERO_OK);
  EXPECT_EQ(count(take(heteroTraceJSON()), R"("ph")"), 0u);
}

// A kernel that was refused has no time, and those before keep theirs.
TEST_F(Trace, LeavesOutWhatFailed) {
  ASSERT_EQ(heteroTrace(1), HETERO_OK);
  callProgram();
  ASSERT_EQ(heteroFrameBegin("test"), HETERO_OK);
  driver.launchResult = 701; // CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES
  HeteroStatus status =
      heteroLaunch(0, &image, "kernel", 1, 1, 1, 32, 1, 1, 0, nullptr, 0);
  EXPECT_EQ(status, HETERO_ERROR_LAUNCH);
  EXPECT_EQ(heteroFrameEnd(status), HETERO_ERROR_LAUNCH);
  EXPECT_EQ(heteroReset(), HETERO_OK);
  EXPECT_EQ(count(take(heteroTraceJSON()), R"("cat": "kernel")"), 1u);
}

} // namespace
