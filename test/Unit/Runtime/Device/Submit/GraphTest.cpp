//===- GraphTest.cpp - Sequences that become graphs -----------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What compiled code calls for one entry point, again and again, on the
// emulator, which checks that something orders every two accesses that
// conflict: the same numbers with graphs and without, and fewer calls.
//
//===----------------------------------------------------------------------===//

#include "hetero/Emulator/EmulatorControl.h"
#include "hetero/Runtime/HeteroRuntime.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <cstring>
#include <string>
#include <thread>
#include <vector>

namespace {

/// y[i] = x[i] + n, in one block.
const char kCode[] = R"(.version 7.0
.target sm_80
.address_size 64
.visible .entry add(.param .u64 x, .param .u64 y, .param .u32 n) {
  .reg .b64 %a<5>;
  .reg .b32 %r<5>;
  ld.param.u64 %a1, [x];
  ld.param.u64 %a2, [y];
  ld.param.u32 %r1, [n];
  mov.u32 %r2, %tid.x;
  mul.wide.u32 %a3, %r2, 4;
  add.u64 %a1, %a1, %a3;
  add.u64 %a2, %a2, %a3;
  ld.global.u32 %r3, [%a1];
  add.u32 %r3, %r3, %r1;
  st.global.u32 [%a2], %r3;
  ret;
}
)";

constexpr int64_t kCount = 64, kBytes = 4 * kCount;

/// The numbers of a report: what stands after the name.
int64_t readReport(const char *name) {
  char *report = heteroReport();
  const char *place = std::strstr(report, name);
  int64_t number = place ? std::atoll(place + std::strlen(name) + 3) : -1;
  heteroFreeString(report);
  return number;
}

/// A program on two units of gpu:0 and on gpu:1. `step` chooses what the last
/// kernel adds.
struct Program {
  HeteroCode code = {kCode, sizeof kCode, HETERO_CODE_PTX, 8, 0, 0};
  HeteroImage image = {"add", &code, 1, 0};
  HeteroStatus status = HETERO_OK;
  std::vector<int32_t> output = std::vector<int32_t>(kCount);

  /// As compiled code: nothing more is called after a failure.
  template <typename... Parameters, typename... Arguments>
  void then(HeteroStatus (*function)(Parameters...), Arguments... arguments) {
    if (status == HETERO_OK)
      status = function(arguments...);
  }

  void launch(int32_t unit, void *x, void *y, int32_t n) {
    void *arguments[] = {&x, &y, &n};
    then(heteroLaunch, unit, &image, "add", 1, 1, 1, kCount, 1, 1, 0, arguments,
         3);
  }

  /// Adds 10 on gpu:0 and `step` on the other unit, then 1 on gpu:1.
  HeteroStatus call(int32_t first, int32_t step) {
    constexpr int32_t kUnit = HETERO_UNIT(0, 1);
    std::vector<int32_t> input(kCount);
    for (int64_t i = 0; i < kCount; ++i)
      input[i] = first + static_cast<int32_t>(i);
    void *x = nullptr, *y = nullptr;
    status = heteroFrameBegin("main");
    then(heteroAlloc, 0, 4 * kBytes, 64, &x);
    then(heteroAlloc, 1, 2 * kBytes, 64, &y);
    if (status != HETERO_OK)
      return heteroFrameEnd(status);
    auto *a = static_cast<char *>(x), *b = static_cast<char *>(y);
    then(heteroCopy, 0, a, HETERO_HOST, input.data(), kBytes, "x");
    launch(0, a, a + kBytes, 10);
    then(heteroOrder, kUnit, 0);
    launch(kUnit, a + kBytes, a + 2 * kBytes, step);
    then(heteroOrder, 0, kUnit);
    then(heteroCopy, 1, b, 0, a + 2 * kBytes, kBytes, "z");
    launch(1, b, b + kBytes, 1);
    then(heteroCopy, HETERO_HOST, output.data(), 1, b + kBytes, kBytes, "y");
    then(heteroWait, 1);
    then(heteroFree, 0, x);
    then(heteroFree, 1, y);
    return heteroFrameEnd(status);
  }

  void expect(int32_t first, int32_t step) {
    ASSERT_EQ(call(first, step), HETERO_OK) << heteroLastError();
    for (int64_t i = 0; i < kCount; ++i)
      EXPECT_EQ(output[i], first + i + step + 11);
  }
};

class RuntimeGraphs : public ::testing::Test {
protected:
  static void SetUpTestSuite() {
    setenv("HETERO_CUDA_DRIVER", "emulator", /*overwrite=*/1);
    setenv("HETERO_EMULATOR", "devices=2,memory=64MiB,check=races",
           /*overwrite=*/1);
  }
  void SetUp() override {
    heteroResetReport();
    heteroEmulatorFail(nullptr);
  }
  void TearDown() override {
    EXPECT_EQ(heteroUseGraphs(1), HETERO_OK);
    EXPECT_EQ(heteroReset(), HETERO_OK);
    EXPECT_EQ(heteroEmulatorLive(nullptr), 0u);
    EXPECT_EQ(heteroEmulatorRaces(), 0u);
  }

  /// Calls of the driver that concern a context or a stream.
  uint64_t countCalls(Program &program, int32_t first, int32_t step = 5) {
    uint64_t before = heteroEmulatorCalls("device-lost");
    program.expect(first, step);
    return heteroEmulatorCalls("device-lost") - before;
  }

  Program program;
};

TEST_F(RuntimeGraphs, AreLaunchedFromTheThirdCall) {
  std::vector<uint64_t> calls;
  for (int32_t i = 0; i < 10; ++i)
    calls.push_back(countCalls(program, i));
  EXPECT_EQ(readReport("instantiated"), 1);
  EXPECT_EQ(readReport("operations"), 6);
  EXPECT_EQ(readReport("launched"), 8);
  for (size_t i = 3; i < calls.size(); ++i)
    EXPECT_EQ(calls[i], calls[2]);
  heteroUseGraphs(0);
  EXPECT_LT(2 * calls[2], countCalls(program, 3));
  EXPECT_EQ(readReport("launched"), 8);
}

TEST_F(RuntimeGraphs, EachWayHasItsGraph) {
  for (int32_t i = 0; i < 12; ++i)
    program.expect(i, i % 3);
  EXPECT_EQ(readReport("instantiated"), 3);
  EXPECT_EQ(readReport("launched"), 6);
  // Held until it differs.
  program.expect(1, 17);
  EXPECT_EQ(readReport("launched"), 6);
  program.expect(2, 1);
  EXPECT_EQ(readReport("launched"), 7);
}

TEST_F(RuntimeGraphs, OutliveNoReset) {
  for (int round = 0; round < 3; ++round) {
    for (int32_t i = 0; i < 4; ++i)
      program.expect(i, 5);
    EXPECT_EQ(readReport("launched"), 2 * (round + 1));
    if (round == 0)
      EXPECT_EQ(heteroForget(&program, sizeof program), HETERO_OK);
    else
      EXPECT_EQ(heteroReset(), HETERO_OK);
    EXPECT_EQ(heteroEmulatorLive("graphs"), 0u);
  }
}

TEST_F(RuntimeGraphs, LeaveTracesAsTheyAre) {
  for (int32_t i = 0; i < 3; ++i)
    program.expect(i, 5);
  EXPECT_EQ(heteroTrace(1), HETERO_OK);
  program.expect(4, 5);
  EXPECT_EQ(heteroTrace(0), HETERO_OK);
  char *trace = heteroTraceJSON();
  EXPECT_NE(std::strstr(trace, "\"name\": \"add\""), nullptr);
  heteroFreeString(trace);
  EXPECT_EQ(readReport("launched"), 1);
  program.expect(5, 5);
  EXPECT_EQ(readReport("launched"), 2);
}

TEST_F(RuntimeGraphs, HostWorkIsNotWaitedFor) {
  int32_t input = 7, output = 0;
  for (int call = 0; call < 4; ++call) {
    ASSERT_EQ(heteroFrameBegin("main"), HETERO_OK);
    void *x;
    ASSERT_EQ(heteroAlloc(0, 16, 64, &x), HETERO_OK);
    for (int i = 0; i < 2; ++i)
      ASSERT_EQ(heteroCopy(0, x, HETERO_HOST, &input, 4, "x"), HETERO_OK);
    ASSERT_EQ(heteroHostRegion("host"), HETERO_OK);
    EXPECT_EQ(readReport("launched"), call < 2 ? 0 : 2 * (call - 2) + 1);
    for (int i = 0; i < 2; ++i)
      ASSERT_EQ(heteroCopy(HETERO_HOST, &output, 0, x, 4, "y"), HETERO_OK);
    ASSERT_EQ(heteroWait(0), HETERO_OK);
    EXPECT_EQ(output, input++);
    EXPECT_EQ(heteroFrameEnd(HETERO_OK), HETERO_OK);
  }
}

/// A unit that a graph only lets wait for earlier work of another unit is not
/// done when the graph is.
TEST_F(RuntimeGraphs, EarlierWorkIsNotTakenForDone) {
  constexpr int32_t kCopies = HETERO_UNIT(0, 2), kOther = HETERO_UNIT(0, 1);
  for (int call = 0; call < 6; ++call) {
    program.status = heteroFrameBegin("main");
    void *x = nullptr, *y = nullptr;
    program.then(heteroAlloc, 0, 2 * kBytes, 64, &x);
    program.then(heteroAlloc, 1, 2 * kBytes, 64, &y);
    ASSERT_EQ(program.status, HETERO_OK);
    auto *a = static_cast<char *>(x), *b = static_cast<char *>(y);
    auto *data = program.output.data();
    program.then(heteroCopy, kCopies, a, HETERO_HOST, data, kBytes, "a");
    program.then(heteroCopy, 1, b, HETERO_HOST, data, kBytes, "b");
    program.then(heteroWait, 1);
    program.then(heteroOrder, 0, kCopies);
    for (int i = 0; i < 4; ++i)
      program.launch(1, b, b + kBytes, i);
    program.then(heteroWait, 1);
    program.then(heteroOrder, kOther, 0);
    program.launch(kOther, a, a + kBytes, 1);
    EXPECT_EQ(heteroFrameEnd(program.status), HETERO_OK) << heteroLastError();
  }
  EXPECT_GT(readReport("launched"), 0);
}

/// A thread that uses a device finds all that others gave to it there.
TEST_F(RuntimeGraphs, ThreadsShareDevices) {
  std::vector<Program> programs(4);
  std::vector<std::thread> threads;
  for (Program &mine : programs)
    threads.emplace_back([&mine] {
      for (int32_t i = 0; i < 12; ++i)
        mine.expect(100 * i, i % 2);
    });
  for (std::thread &thread : threads)
    thread.join();
}

TEST_F(RuntimeGraphs, ThreadsFindWhatIsHeld) {
  int32_t input = 1, output = 0;
  for (int call = 0; call < 5; ++call) {
    ASSERT_EQ(heteroFrameBegin("main"), HETERO_OK);
    void *x;
    ASSERT_EQ(heteroAlloc(0, 16, 64, &x), HETERO_OK);
    ASSERT_EQ(heteroCopy(0, x, HETERO_HOST, &input, 4, "x"), HETERO_OK);
    ASSERT_EQ(heteroCopy(HETERO_HOST, &output, 0, x, 4, "y"), HETERO_OK);
    std::thread([] { EXPECT_EQ(heteroWait(0), HETERO_OK); }).join();
    EXPECT_EQ(output, input++);
    EXPECT_EQ(heteroFrameEnd(HETERO_OK), HETERO_OK);
  }
}

/// Every launch, copy and call on a device of several calls fails once.
TEST_F(RuntimeGraphs, FaultsHaveTheirErrors) {
  constexpr int kCalls = 4;
  for (const char *kind : {"alloc", "launch", "copy", "device-lost"}) {
    heteroEmulatorFail(nullptr);
    for (int32_t i = 0; i < kCalls; ++i)
      program.expect(i, 5);
    uint64_t count = heteroEmulatorCalls(kind);
    ASSERT_GT(count, 0u) << kind;
    for (uint64_t n = 1; n <= count; ++n) {
      heteroReset();
      EXPECT_EQ(heteroEmulatorLive(nullptr), 0u) << kind << ":" << n;
      std::string point = std::string(kind) + ":" + std::to_string(n);
      ASSERT_EQ(heteroEmulatorFail(point.c_str()), 0);
      HeteroStatus status = HETERO_OK;
      for (int32_t i = 0; i < kCalls && status == HETERO_OK; ++i)
        status = program.call(i, 5);
      EXPECT_NE(status, HETERO_OK) << point;
      EXPECT_EQ(std::strncmp(heteroLastError(), "cu", 2), 0)
          << point << ": " << heteroLastError();
    }
    heteroEmulatorFail(nullptr);
    heteroReset();
  }
}

} // namespace
