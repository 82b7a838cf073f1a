//===- RankClockTest.cpp - Ranks on the emulator's virtual clock ----------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "hetero/Emulator/EmulatorControl.h"
#include "hetero/Runtime/HeteroNodes.h"
#include "hetero/Runtime/HeteroRequests.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

namespace {
/// One driver for the process; a rank's gpus are its own.
class Emulator : public testing::Environment {
public:
  void SetUp() override {
    setenv("HETERO_CUDA_DRIVER", "emulator", /*overwrite=*/1);
    setenv("HETERO_EMULATOR", "clock=virtual,devices=4", /*overwrite=*/1);
  }
};
const auto *const kEmulator =
    testing::AddGlobalTestEnvironment(new Emulator); // GoogleTest deletes it.

#define HETERO_TRY(call)                                                       \
  do {                                                                         \
    if (HeteroStatus failed = (call))                                          \
      return failed;                                                           \
  } while (false)

/// What the ranks of a test know.
struct Context {
  HeteroStatus (*body)(Context &, int32_t rank);
  /// Of each rank's host at the end.
  uint64_t times[4] = {};
  std::vector<int64_t> answers;

  HeteroStatus run(int32_t count, HeteroRankOptions options) {
    static const int32_t kFirst[] = {0, 1, 2, 3};
    options.firstDevices = kFirst;
    options.timeoutSeconds = 10;
    return heteroRunRanks(
        count, &options,
        [](void *context, int32_t rank) {
          auto &self = *static_cast<Context *>(context);
          heteroFrameBegin("test");
          HeteroStatus status = heteroFrameEnd(self.body(self, rank));
          self.times[rank] = heteroEmulatorHostTime();
          return status;
        },
        this);
  }
};

class RankClock : public testing::Test {
protected:
  void SetUp() override {
    int32_t count = 0;
    ASSERT_EQ(heteroDeviceCount(&count), HETERO_OK) << heteroLastError();
    heteroEmulatorRestartClock();
    const char *names[] = {"work"};
    uint64_t picoseconds[] = {3000000};
    heteroSetHostTimes(names, picoseconds, 1);
  }
  void TearDown() override { heteroSetHostTimes(nullptr, nullptr, 0); }
};

HeteroStatus work() {
  HETERO_TRY(heteroHostRegion("work"));
  return heteroHostRegionEnd();
}

/// Two messages of 1,000 bytes, at 3 us, of which the receiver awaits the
/// second only.
HeteroStatus sendTwo(Context &, int32_t rank) {
  void *first, *second;
  HETERO_TRY(heteroAlloc(HETERO_HOST, 1000, 64, &first));
  HETERO_TRY(heteroAlloc(HETERO_HOST, 1000, 64, &second));
  if (rank == 1) {
    HETERO_TRY(heteroReceive(0, 1, first, 1000, "%a of @main"));
    HETERO_TRY(heteroReceive(0, 2, second, 1000, "%b of @main"));
    HETERO_TRY(heteroAwaitTransfer(2, second));
    return heteroAwaitTransfer(1, first);
  }
  HETERO_TRY(work());
  HETERO_TRY(heteroSend(1, 1, first, 1000, "%a of @main"));
  HETERO_TRY(heteroSend(1, 2, second, 1000, "%b of @main"));
  HETERO_TRY(heteroAwaitTransfer(1, first));
  return heteroAwaitTransfer(2, second);
}

/// 1 us each on the link, one after the other, and 2 us until they arrive,
/// whatever threads do.
TEST_F(RankClock, MessagesTakeTheTimeOfTheirLink) {
  HeteroNodeLink link = {1e9, 2e-6};
  HeteroNodeLink links[] = {link, link, link, link};
  for (uint64_t seed = 0; seed < 4; ++seed) {
    heteroEmulatorRestartClock();
    Context context = {sendTwo, {}, {}};
    HeteroRankOptions options = {};
    options.links = links;
    options.seed = seed;
    options.longestDelaySeconds = seed * 1e-3;
    ASSERT_EQ(context.run(2, options), HETERO_OK) << heteroLastError();
    EXPECT_EQ(context.times[0], 5000000u);
    EXPECT_EQ(context.times[1], 7000000u);
  }
}

/// A host that is late anyway does not wait.
TEST_F(RankClock, WhatHasComeCostsNothing) {
  Context context = {
      [](Context &, int32_t rank) -> HeteroStatus {
        void *data;
        HETERO_TRY(heteroAlloc(HETERO_HOST, 1000, 64, &data));
        if (rank == 0) {
          HETERO_TRY(heteroSend(1, 1, data, 1000, "%a of @main"));
          return heteroAwaitTransfer(1, data);
        }
        HETERO_TRY(heteroReceive(0, 1, data, 1000, "%a of @main"));
        for (int i = 0; i < 5; ++i)
          HETERO_TRY(work());
        return heteroAwaitTransfer(1, data);
      },
      {},
      {}};
  ASSERT_EQ(context.run(2, {}), HETERO_OK) << heteroLastError();
  EXPECT_EQ(context.times[0], 100000u);
  EXPECT_EQ(context.times[1], 15000000u);
}

/// gpu:0 of rank 1 is the machine's gpu:1, and the report has both.
TEST_F(RankClock, EachRankHasItsOwnDevices) {
  heteroResetReport();
  Context context = {[](Context &, int32_t rank) -> HeteroStatus {
                       int64_t number = 7 + rank, answer = 0;
                       void *device;
                       HETERO_TRY(heteroAlloc(0, sizeof number, 64, &device));
                       HETERO_TRY(heteroCopy(0, device, HETERO_HOST, &number,
                                             sizeof number, "%n of @main"));
                       HETERO_TRY(heteroCopy(HETERO_HOST, &answer, 0, device,
                                             sizeof number, "%m of @main"));
                       HETERO_TRY(heteroWait(0));
                       EXPECT_EQ(answer, number);
                       return heteroFree(0, device);
                     },
                     {},
                     {}};
  ASSERT_EQ(context.run(2, {}), HETERO_OK) << heteroLastError();
  char *report = heteroReport();
  for (const char *part :
       {"\"value\": \"%n of @main\", \"from\": \"cpu:0\", \"to\": \"gpu:0\"",
        "\"value\": \"%n of @main\", \"from\": \"cpu:0\", \"to\": \"gpu:0@1\"",
        "\"device\": \"gpu:0@1\", \"peak_bytes\": 8"})
    EXPECT_NE(std::strstr(report, part), nullptr) << part << "\n" << report;
  heteroFreeString(report);
  // A rank's device that is not there is named as it is in the program.
  EXPECT_EQ(Context({[](Context &, int32_t rank) -> HeteroStatus {
                       void *device;
                       return rank == 1 ? heteroAlloc(3, 8, 64, &device)
                                        : HETERO_OK;
                     },
                     {},
                     {}})
                .run(2, {}),
            HETERO_ERROR_NO_DEVICE);
  EXPECT_EQ(
      std::string(heteroLastError())
          .find("rank 1: the program needs gpu:3@1, the machine's gpu:4, but"),
      0u)
      << heteroLastError();
}

/// The report has bytes of transfers, once.
TEST_F(RankClock, ReportsTransfers) {
  heteroResetReport();
  Context context = {sendTwo, {}, {}};
  ASSERT_EQ(context.run(2, {}), HETERO_OK) << heteroLastError();
  char *report = heteroReport();
  EXPECT_NE(std::strstr(report, "{\"value\": \"%a of @main\", \"from\": "
                                "\"cpu:0\", \"to\": \"cpu:0@1\", \"bytes\": "
                                "1000, \"count\": 1}"),
            nullptr)
      << report;
  heteroFreeString(report);
}

/// A trace has the waits, on the clock of the rank.
TEST_F(RankClock, TracesWaits) {
  Context context = {sendTwo, {}, {}};
  heteroTrace(1);
  ASSERT_EQ(context.run(2, {}), HETERO_OK) << heteroLastError();
  heteroTrace(0);
  char *trace = heteroTraceJSON();
  const char *span = std::strstr(
      trace, "\"name\": \"wait for '%b of @main' from rank 0\", \"cat\": "
             "\"transfer\"");
  ASSERT_NE(span, nullptr) << trace;
  // From 0 on: 3 us of work, twice 100 ns on the link, and 5 us.
  EXPECT_EQ(std::string(std::strstr(span, "\"ts\"")).substr(0, 25),
            "\"ts\": 0.000, \"dur\": 8.200")
      << span;
  heteroFreeString(trace);
}

//===----------------------------------------------------------------------===//
// Requests
//===----------------------------------------------------------------------===//

/// Rank 0 sends its argument and returns what comes back: one more, which rank
/// 1 has computed on its gpu's clock.
HeteroStatus exchange(const HeteroValue *arguments, HeteroValue *results) {
  void *memory;
  HETERO_TRY(heteroAlloc(HETERO_HOST, 16, 64, &memory));
  auto *question = static_cast<uint64_t *>(memory), *answer = question + 1;
  if (heteroNodeRank() == 0) {
    *question = arguments[0].scalar;
    HETERO_TRY(heteroSend(1, 1, question, 8, "%x of @main"));
    HETERO_TRY(heteroReceive(1, 2, answer, 8, "%y of @main"));
    HETERO_TRY(heteroAwaitTransfer(2, answer));
    results[0].rank = HETERO_SCALAR;
    results[0].scalar = *answer;
    return heteroAwaitTransfer(1, question);
  }
  HETERO_TRY(heteroReceive(0, 1, question, 8, "%x of @main"));
  HETERO_TRY(heteroAwaitTransfer(1, question));
  HETERO_TRY(work());
  *answer = *question + 1;
  HETERO_TRY(heteroSend(0, 2, answer, 8, "%y of @main"));
  return heteroAwaitTransfer(2, answer);
}

HeteroStatus addOne(const HeteroValue *arguments, int32_t numArguments,
                    HeteroValue *results, int32_t) {
  if (numArguments == HETERO_INITIALIZE)
    return HETERO_OK;
  HETERO_TRY(heteroFrameBegin("main"));
  return heteroFrameEnd(exchange(arguments, results));
}

/// Both ranks serve the same requests, several at once, on a link whose delays
/// differ from message to message.
HeteroStatus serve(Context &context, int32_t rank) {
  HeteroRequests requests = {};
  requests.count = 40;
  requests.inFlight = 3;
  requests.numArguments = requests.numResults = rank == 0 ? 1 : 0;
  requests.context = &context;
  requests.begin = [](void *, int64_t request,
                      HeteroValue *arguments) -> HeteroStatus {
    if (heteroNodeRank() == 0)
      arguments[0].scalar = 100 * request;
    return HETERO_OK;
  };
  requests.end = [](void *context, int64_t, HeteroValue *,
                    HeteroValue *results) -> HeteroStatus {
    if (heteroNodeRank() == 0 && results)
      static_cast<Context *>(context)->answers.push_back(results[0].scalar);
    return HETERO_OK;
  };
  return heteroServeRequests(addOne, &requests);
}

TEST_F(RankClock, RequestsUnderWayAtOnceKeepApart) {
  for (uint64_t seed = 0; seed < 3; ++seed) {
    Context context = {serve, {}, {}};
    HeteroRankOptions options = {};
    options.seed = seed;
    options.longestDelaySeconds = 1e-3;
    ASSERT_EQ(context.run(2, options), HETERO_OK) << heteroLastError();
    ASSERT_EQ(context.answers.size(), 40u);
    for (int64_t i = 0; i < 40; ++i)
      EXPECT_EQ(context.answers[i], 100 * i + 1);
  }
}
} // namespace
