//===- RequestsTest.cpp - Calls that are under way together ---------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "hetero/Runtime/HeteroRequests.h"

#include <gtest/gtest.h>

#include <atomic>
#include <cstdlib>
#include <string>
#include <vector>

namespace {

class Requests : public ::testing::Test {
protected:
  static void SetUpTestSuite() {
    setenv("HETERO_CUDA_DRIVER", "emulator", /*overwrite=*/1);
    setenv("HETERO_EMULATOR", "devices=2,memory=64MiB", /*overwrite=*/1);
  }
  void SetUp() override { heteroResetReport(); }
  void TearDown() override { EXPECT_EQ(heteroReset(), HETERO_OK); }
};

std::string report() {
  char *text = heteroReport();
  std::string result = text ? text : "";
  heteroFreeString(text);
  return result;
}

HeteroValue makeScalar(uint64_t bits) {
  HeteroValue value = {};
  value.type = HETERO_TYPE_I64;
  value.rank = HETERO_SCALAR;
  value.scalar = bits;
  return value;
}

/// What programs below get and return.
std::vector<HeteroValue> makeScalars(int64_t count) {
  std::vector<HeteroValue> values;
  for (int64_t i = 0; i < count; ++i)
    values.push_back(makeScalar(100 + i));
  return values;
}

/// Sends numbers made of the argument over both gpus, in two units of the
/// second, and returns their sum.
HeteroStatus sumOverDevices(int64_t bytes, int64_t first, int64_t &sum) {
  std::vector<int64_t> there(bytes / sizeof(int64_t)), back(there.size());
  for (size_t i = 0; i < there.size(); ++i)
    there[i] = first + static_cast<int64_t>(i);
  void *a = nullptr, *b = nullptr;
  HeteroStatus status = heteroAlloc(0, bytes, 64, &a);
  if (status == HETERO_OK)
    status = heteroAlloc(1, bytes, 64, &b);
  if (status == HETERO_OK)
    status = heteroCopy(0, a, HETERO_HOST, there.data(), bytes, "in");
  if (status == HETERO_OK)
    status = heteroCopy(HETERO_UNIT(1, 1), b, 0, a, bytes, "on");
  if (status == HETERO_OK)
    status = heteroFree(0, a);
  if (status == HETERO_OK)
    status = heteroOrder(1, HETERO_UNIT(1, 1));
  if (status == HETERO_OK)
    status = heteroCopy(HETERO_HOST, back.data(), 1, b, bytes, "out");
  if (status == HETERO_OK)
    status = heteroWaitUnit(1);
  for (int64_t number : back)
    sum += number;
  return status;
}

HeteroStatus runPipeline(const HeteroValue *arguments, int32_t numArguments,
                         HeteroValue *results, int32_t) {
  if (numArguments == HETERO_INITIALIZE)
    return HETERO_OK;
  heteroFrameBegin("pipeline");
  int64_t sum = 0;
  HeteroStatus status =
      sumOverDevices(8000, static_cast<int64_t>(arguments[0].scalar), sum);
  results[0] = makeScalar(static_cast<uint64_t>(sum));
  return heteroFrameEnd(status);
}

TEST_F(Requests, EachGetsItsOwnNumbers) {
  constexpr int64_t kCount = 60;
  std::vector<HeteroValue> arguments = makeScalars(kCount), results(kCount);
  for (int32_t inFlight : {1, 3, 8, 0}) {
    ASSERT_EQ(heteroCallMany(runPipeline, arguments.data(), 1, results.data(),
                             1, kCount, inFlight),
              HETERO_OK)
        << heteroLastError();
    for (int64_t i = 0; i < kCount; ++i)
      EXPECT_EQ(results[i].scalar,
                static_cast<uint64_t>(1000 * (100 + i) + 999 * 500));
  }
  EXPECT_NE(report().find("\"requests\": {\"count\": 60, \"in_flight\": 4"),
            std::string::npos)
      << report();
}

/// Requests are over in their order, one at a time.
struct Order {
  int64_t last = -1, failed = 0;
  std::atomic<int64_t> begun{0};
};

HeteroStatus begin(void *context, int64_t request, HeteroValue *arguments) {
  ++static_cast<Order *>(context)->begun;
  arguments[0] = makeScalar(request);
  return HETERO_OK;
}

HeteroStatus end(void *context, int64_t request, HeteroValue *arguments,
                 HeteroValue *results) {
  auto &order = *static_cast<Order *>(context);
  EXPECT_EQ(request, order.last + 1);
  EXPECT_EQ(arguments[0].scalar, static_cast<uint64_t>(request));
  order.last = request;
  order.failed += results == nullptr;
  return HETERO_OK;
}

HeteroRequests makeRequests(Order &order, int64_t count, int32_t inFlight) {
  return {count, inFlight, 1, 1, 0, &order, begin, end};
}

TEST_F(Requests, AreOverInOrder) {
  Order order;
  HeteroRequests requests = makeRequests(order, 50, 6);
  EXPECT_EQ(heteroServeRequests(runPipeline, &requests), HETERO_OK);
  EXPECT_EQ(order.last, 49);
  EXPECT_EQ(order.failed, 0);
}

HeteroStatus failAtSeven(const HeteroValue *arguments, int32_t numArguments,
                         HeteroValue *results, int32_t numResults) {
  HeteroStatus status =
      runPipeline(arguments, numArguments, results, numResults);
  if (numArguments == HETERO_INITIALIZE || arguments[0].scalar < 7)
    return status;
  return heteroAssert(0, "it is seven or more");
}

TEST_F(Requests, TheFirstThatFailsIsNamed) {
  Order order;
  HeteroRequests requests = makeRequests(order, 1000, 4);
  EXPECT_EQ(heteroServeRequests(failAtSeven, &requests), HETERO_ERROR_PROGRAM);
  EXPECT_STREQ(heteroLastError(), "request 7: it is seven or more");
  // Those that had begun are over, too, and no more.
  EXPECT_EQ(order.last + 1, order.begun);
  EXPECT_EQ(order.failed, order.begun - 7);
  EXPECT_LE(order.begun, 7 + 4);
}

/// More than half of the memory of a device.
HeteroStatus takeMemory(const HeteroValue *arguments, int32_t numArguments,
                        HeteroValue *results, int32_t) {
  if (numArguments == HETERO_INITIALIZE)
    return HETERO_OK;
  heteroFrameBegin("memory");
  int64_t sum = 0;
  HeteroStatus status =
      sumOverDevices(40 << 20, static_cast<int64_t>(arguments[0].scalar), sum);
  results[0] = makeScalar(status == HETERO_OK);
  return heteroFrameEnd(status);
}

TEST_F(Requests, WaitForTheMemoryOfOthers) {
  std::vector<HeteroValue> arguments = makeScalars(6), results(6);
  ASSERT_EQ(
      heteroCallMany(takeMemory, arguments.data(), 1, results.data(), 1, 6, 3),
      HETERO_OK)
      << heteroLastError();
  for (const HeteroValue &result : results)
    EXPECT_EQ(result.scalar, 1u);
}

HeteroStatus takeTooMuch(const HeteroValue *, int32_t numArguments,
                         HeteroValue *, int32_t) {
  if (numArguments == HETERO_INITIALIZE)
    return HETERO_OK;
  heteroFrameBegin("memory");
  void *pointer = nullptr;
  return heteroFrameEnd(heteroAlloc(0, 100 << 20, 64, &pointer));
}

TEST_F(Requests, MemoryThatNobodyHas) {
  std::vector<HeteroValue> arguments = makeScalars(6), results(6);
  EXPECT_EQ(
      heteroCallMany(takeTooMuch, arguments.data(), 1, results.data(), 1, 6, 3),
      HETERO_ERROR_OUT_OF_MEMORY);
  EXPECT_EQ(std::string(heteroLastError()).rfind("request 0: cuMemAlloc", 0),
            0u)
      << heteroLastError();
}

int64_t state = 0;

HeteroStatus addToState(const HeteroValue *, int32_t numArguments,
                        HeteroValue *results, int32_t) {
  if (numArguments == HETERO_INITIALIZE)
    return HETERO_OK;
  heteroFrameBegin("state");
  HeteroStatus status = heteroHoldState(&state);
  int64_t before = state, sum = 0;
  if (status == HETERO_OK)
    status = sumOverDevices(800, before, sum);
  state = before + 1;
  results[0] = makeScalar(static_cast<uint64_t>(state));
  return heteroFrameEnd(status);
}

TEST_F(Requests, StateOrdersThem) {
  std::vector<HeteroValue> arguments = makeScalars(20), results(20);
  ASSERT_EQ(
      heteroCallMany(addToState, arguments.data(), 1, results.data(), 1, 20, 4),
      HETERO_OK)
      << heteroLastError();
  for (size_t i = 0; i < results.size(); ++i)
    EXPECT_EQ(results[i].scalar, i + 1);
  EXPECT_NE(report().find("\"ordered_by_state\": true"), std::string::npos);
}

/// Results on a device are the caller's, whatever the thread that made them.
HeteroStatus returnValue(const HeteroValue *arguments, int32_t numArguments,
                         HeteroValue *results, int32_t) {
  if (numArguments == HETERO_INITIALIZE)
    return HETERO_OK;
  heteroFrameBegin("value");
  HeteroValue &result = results[0];
  result.type = HETERO_TYPE_I64;
  result.rank = 1;
  result.sizes[0] = result.strides[0] = 1;
  void *memory = nullptr;
  HeteroStatus status = heteroAlloc(0, 8, 64, &memory);
  if (status == HETERO_OK)
    status = heteroCopy(0, memory, HETERO_HOST, &arguments[0].scalar, 8, "x");
  result.data = memory;
  result.device = 0;
  if (status == HETERO_OK)
    status = heteroDetachResult(results, 0, memory);
  return heteroFrameEnd(status);
}

TEST_F(Requests, ResultsOnDevices) {
  std::vector<HeteroValue> arguments = makeScalars(16), results(16);
  ASSERT_EQ(heteroCallMany(returnValue, arguments.data(), 1, results.data(), 1,
                           16, 4),
            HETERO_OK)
      << heteroLastError();
  for (size_t i = 0; i < results.size(); ++i) {
    int64_t number = 0;
    HeteroValue copy = results[i];
    copy.data = &number;
    copy.allocation = nullptr;
    copy.device = HETERO_HOST;
    ASSERT_EQ(heteroCopyValue(&copy, &results[i]), HETERO_OK);
    EXPECT_EQ(number, static_cast<int64_t>(100 + i));
    EXPECT_EQ(heteroReleaseValue(&results[i]), HETERO_OK);
  }
}

TEST_F(Requests, NumbersThatMakeNoSense) {
  HeteroValue argument = makeScalar(1), result = {};
  auto call = [&](int64_t count, int32_t inFlight) {
    return heteroCallMany(runPipeline, &argument, 1, &result, 1, count,
                          inFlight);
  };
  EXPECT_EQ(call(0, 1), HETERO_ERROR_INVALID_ARGUMENT);
  EXPECT_STREQ(heteroLastError(),
               "expected at least one request, got 0; pass one or more");
  EXPECT_EQ(call(1, -1), HETERO_ERROR_INVALID_ARGUMENT);
  EXPECT_EQ(call(1, 1025), HETERO_ERROR_INVALID_ARGUMENT);
  EXPECT_STREQ(heteroLastError(), "expected 0 to 1024 requests under way at "
                                  "once, got 1025; pass 0 for the default");
}

} // namespace
