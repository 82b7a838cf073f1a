//===- HostTest.cpp - The runtime on the host -----------------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "hetero/Runtime/HeteroRuntime.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <string>
#include <sys/resource.h>
#include <thread>
#include <unistd.h>
#include <vector>

namespace {

std::string hostError() { return heteroLastError(); }

HeteroValue makeTensor(std::vector<float> &data, std::vector<int64_t> sizes) {
  HeteroValue value{};
  value.data = data.data();
  value.type = HETERO_TYPE_F32;
  value.rank = static_cast<int32_t>(sizes.size());
  value.device = HETERO_HOST;
  int64_t stride = 1;
  for (int32_t i = value.rank - 1; i >= 0; --i) {
    value.sizes[i] = sizes[i];
    value.strides[i] = stride;
    stride *= sizes[i];
  }
  return value;
}

/// A memref of two dimensions, as MLIR passes it.
struct Memref {
  float *base, *aligned;
  int64_t offset, sizes[2], strides[2];
};
struct UnrankedMemref {
  int64_t rank;
  void *descriptor;
};
extern "C" void memrefCopy(int64_t, const UnrankedMemref *,
                           const UnrankedMemref *);

// Copies between views touch what they are of, and nothing beside it.
TEST(MemrefCopy, TakesStrides) {
  std::vector<float> from{0, 1, 2, 3, 4, 5, 6, 7}, to(8, 9);
  Memref columns{from.data(), from.data(), 1, {2, 2}, {4, 1}};
  Memref transposed{to.data(), to.data(), 2, {2, 2}, {1, 3}};
  UnrankedMemref source{2, &columns}, target{2, &transposed};
  memrefCopy(sizeof(float), &source, &target);
  EXPECT_EQ(to, (std::vector<float>{9, 9, 1, 5, 9, 2, 6, 9}));
  columns.sizes[1] = 0;
  to.assign(8, 9);
  memrefCopy(sizeof(float), &source, &target);
  EXPECT_EQ(to, std::vector<float>(8, 9));
}

// Rows that follow each other are one piece.
TEST(MemrefCopy, TakesContiguousParts) {
  std::vector<float> from{0, 1, 2, 3, 4, 5, 6, 7}, to(8, 9);
  Memref rows{from.data(), from.data(), 2, {2, 2}, {2, 1}};
  Memref other{to.data(), to.data(), 0, {2, 2}, {2, 1}};
  UnrankedMemref source{2, &rows}, target{2, &other};
  memrefCopy(sizeof(float), &source, &target);
  EXPECT_EQ(to, (std::vector<float>{2, 3, 4, 5, 9, 9, 9, 9}));
}

TEST(Frame, FreesWhatItHolds) {
  ASSERT_EQ(heteroFrameBegin("f"), HETERO_OK);
  void *kept = nullptr, *freed = nullptr;
  ASSERT_EQ(heteroAlloc(HETERO_HOST, 100, 64, &kept), HETERO_OK);
  ASSERT_EQ(heteroAlloc(HETERO_HOST, 0, 64, &freed), HETERO_OK);
  EXPECT_EQ(reinterpret_cast<uintptr_t>(kept) % 64, 0u);
  EXPECT_EQ(heteroFree(HETERO_HOST, freed), HETERO_OK);
  EXPECT_EQ(heteroFree(HETERO_HOST, freed), HETERO_ERROR_PROGRAM);
  heteroResetReport();
  EXPECT_EQ(heteroFrameEnd(HETERO_OK), HETERO_OK);
  char *report = heteroReport();
  EXPECT_NE(std::string(report).find("\"leftover_bytes\": 100"),
            std::string::npos);
  heteroFreeString(report);
}

// A region lasts until something else begins, whatever it allocates on the way.
TEST(Report, HasTheTimesOfHostRegionsWhileItMeasures) {
  auto countTimes = [] {
    char *text = heteroReport();
    std::string report = text;
    heteroFreeString(text);
    unsigned count = 0;
    for (size_t at = 0; (at = report.find("\"seconds\"", at)) != report.npos;
         ++at)
      ++count;
    return count;
  };
  heteroResetReport();
  ASSERT_EQ(heteroFrameBegin("f"), HETERO_OK);
  EXPECT_EQ(heteroHostRegion("unmeasured"), HETERO_OK);
  EXPECT_EQ(heteroMeasure(1), HETERO_OK);
  EXPECT_EQ(heteroHostRegion("first"), HETERO_OK);
  EXPECT_EQ(countTimes(), 0u);
  EXPECT_EQ(heteroHostRegion("second"), HETERO_OK);
  EXPECT_EQ(countTimes(), 1u);
  EXPECT_EQ(heteroHostRegion("first"), HETERO_OK);
  EXPECT_EQ(heteroMeasure(0), HETERO_OK);
  EXPECT_EQ(heteroFrameEnd(HETERO_OK), HETERO_OK);
  EXPECT_EQ(countTimes(), 2u);
  heteroResetReport();
  EXPECT_EQ(countTimes(), 0u);
}

// Other modes are errors; without an emulated driver the clock is the host's,
// and moves.
TEST(Report, HasModesToMeasureAndAClock) {
  EXPECT_EQ(heteroMeasure(3), HETERO_ERROR_INVALID_ARGUMENT);
  EXPECT_NE(std::string(heteroLastError()).find("HETERO_MEASURE_*"),
            std::string::npos);
  int64_t start = heteroClock();
  std::this_thread::sleep_for(std::chrono::milliseconds(5));
  EXPECT_GE(heteroClock() - start, 5000000);
  // Whole calls leave the report without times.
  heteroResetReport();
  EXPECT_EQ(heteroMeasure(HETERO_MEASURE_CALLS), HETERO_OK);
  ASSERT_EQ(heteroFrameBegin("f"), HETERO_OK);
  EXPECT_EQ(heteroHostRegion("region"), HETERO_OK);
  EXPECT_EQ(heteroHostRegionEnd(), HETERO_OK);
  EXPECT_EQ(heteroFrameEnd(HETERO_OK), HETERO_OK);
  EXPECT_EQ(heteroMeasure(HETERO_MEASURE_NOTHING), HETERO_OK);
  char *report = heteroReport();
  EXPECT_EQ(std::string(report).find("\"seconds\""), std::string::npos);
  heteroFreeString(report);
  EXPECT_GE(heteroThreadCount(), 1);
}

static std::string takeReport() {
  char *text = heteroReport();
  std::string report = text;
  heteroFreeString(text);
  return report;
}

// What a region does before its first mark is the marked work's; another region
// has none of these names, and measuring anew forgets all.
TEST(Report, DividesMeasuredRegionsByNodes) {
  heteroResetReport();
  EXPECT_EQ(heteroMeasure(1), HETERO_OK);
  ASSERT_EQ(heteroFrameBegin("f"), HETERO_OK);
  EXPECT_EQ(heteroHostRegion("marked"), HETERO_OK);
  EXPECT_EQ(heteroNode("Conv/a\nRelu/\"b\""), HETERO_OK);
  EXPECT_EQ(heteroNode("Add/c"), HETERO_OK);
  EXPECT_EQ(heteroHostRegionEnd(), HETERO_OK);
  EXPECT_EQ(heteroHostRegion("plain"), HETERO_OK);
  EXPECT_EQ(heteroHostRegionEnd(), HETERO_OK);
  EXPECT_EQ(heteroFrameEnd(HETERO_OK), HETERO_OK);
  std::string report = takeReport();
  size_t first = report.find("\"measured\": 1, \"parts\": [{\"nodes\": "
                             "[\"Conv/a\", \"Relu/\\\"b\\\"\"], \"seconds\": ");
  ASSERT_NE(first, report.npos) << report;
  EXPECT_NE(report.find("}, {\"nodes\": [\"Add/c\"], \"seconds\": ", first),
            report.npos)
      << report;
  EXPECT_EQ(report.find("\"parts\"", first + 20), report.npos) << report;
  EXPECT_EQ(heteroMeasure(1), HETERO_OK);
  EXPECT_EQ(heteroMeasure(0), HETERO_OK);
  EXPECT_EQ(takeReport().find("\"seconds\""), report.npos);
  heteroResetReport();
}

/// The only `seconds` of the report.
static double readSeconds() {
  char *text = heteroReport();
  std::string report = text;
  heteroFreeString(text);
  size_t at = report.find("\"seconds\": ");
  return at == report.npos ? -1 : std::stod(report.substr(at + 11));
}

// What comes after the end is no part of a region.
TEST(Report, HasNoTimeAfterTheEndOfAHostRegion) {
  using Clock = std::chrono::steady_clock;
  heteroResetReport();
  ASSERT_EQ(heteroFrameBegin("f"), HETERO_OK);
  EXPECT_EQ(heteroMeasure(1), HETERO_OK);
  Clock::time_point begin = Clock::now();
  EXPECT_EQ(heteroHostRegion("region"), HETERO_OK);
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  EXPECT_EQ(heteroWait(HETERO_HOST), HETERO_OK);
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  EXPECT_EQ(heteroHostRegionEnd(), HETERO_OK);
  double most = std::chrono::duration<double>(Clock::now() - begin).count();
  std::this_thread::sleep_for(std::chrono::milliseconds(100));
  EXPECT_EQ(heteroMeasure(0), HETERO_OK);
  EXPECT_EQ(heteroFrameEnd(HETERO_OK), HETERO_OK);
  // Both parts around the wait, by the same clock.
  EXPECT_GE(readSeconds(), 0.04);
  EXPECT_LE(readSeconds(), most);
  heteroResetReport();
}

TEST(Frame, PassesTheStatusThrough) {
  ASSERT_EQ(heteroFrameBegin("f"), HETERO_OK);
  EXPECT_EQ(heteroAssert(0, "sizes differ"), HETERO_ERROR_PROGRAM);
  EXPECT_EQ(heteroFrameEnd(HETERO_ERROR_PROGRAM), HETERO_ERROR_PROGRAM);
  EXPECT_EQ(hostError(), "sizes differ");
}

TEST(Frame, IsNeeded) {
  void *pointer;
  EXPECT_EQ(heteroAlloc(HETERO_HOST, 1, 64, &pointer), HETERO_ERROR_PROGRAM);
  EXPECT_NE(hostError().find("heteroFrameBegin"), std::string::npos);
}

TEST(Frame, RefusesNegativeSizes) {
  ASSERT_EQ(heteroFrameBegin("f"), HETERO_OK);
  void *pointer;
  EXPECT_EQ(heteroAlloc(HETERO_HOST, -1, 64, &pointer),
            HETERO_ERROR_INVALID_ARGUMENT);
  EXPECT_EQ(heteroFrameEnd(HETERO_OK), HETERO_OK);
}

TEST(Values, ResultsOutliveTheFrame) {
  ASSERT_EQ(heteroFrameBegin("f"), HETERO_OK);
  HeteroValue value{};
  value.device = HETERO_HOST;
  ASSERT_EQ(heteroAlloc(HETERO_HOST, 16, 64, &value.allocation), HETERO_OK);
  ASSERT_EQ(heteroDetach(HETERO_HOST, value.allocation), HETERO_OK);
  ASSERT_EQ(heteroFrameEnd(HETERO_OK), HETERO_OK);
  std::memset(value.allocation, 1, 16);
  void *allocation = value.allocation;
  EXPECT_EQ(heteroReleaseValue(&value), HETERO_OK);
  EXPECT_EQ(value.allocation, nullptr);
  value.allocation = allocation;
  EXPECT_EQ(heteroReleaseValue(&value), HETERO_ERROR_INVALID_ARGUMENT);
}

TEST(Values, ResultsOfOneBufferAreReleasedEach) {
  ASSERT_EQ(heteroFrameBegin("f"), HETERO_OK);
  void *buffer;
  ASSERT_EQ(heteroAlloc(HETERO_HOST, 16, 64, &buffer), HETERO_OK);
  std::memset(buffer, 1, 16);
  HeteroValue results[2] = {};
  for (int32_t i : {0, 1}) {
    results[i].type = HETERO_TYPE_F32;
    results[i].rank = 1;
    results[i].device = HETERO_HOST;
    results[i].sizes[0] = 4;
    results[i].strides[0] = 1;
    results[i].data = buffer;
    ASSERT_EQ(heteroDetachResult(results, i, buffer), HETERO_OK);
  }
  ASSERT_EQ(heteroFrameEnd(HETERO_OK), HETERO_OK);
  EXPECT_NE(results[0].allocation, results[1].allocation);
  EXPECT_EQ(std::memcmp(results[0].data, results[1].data, 16), 0);
  for (HeteroValue &result : results)
    EXPECT_EQ(heteroReleaseValue(&result), HETERO_OK);
}

TEST(Values, ArgumentsAreChecked) {
  std::vector<float> data(35);
  HeteroValue value = makeTensor(data, {5, 7});
  const int64_t exact[] = {5, 7}, dynamic[] = {HETERO_DYNAMIC, 7};
  auto check = [&](int32_t type, int32_t rank, const int64_t *sizes) {
    return heteroCheckArgument(&value, 0, type, rank, sizes, HETERO_HOST);
  };
  EXPECT_EQ(check(HETERO_TYPE_F32, 2, exact), HETERO_OK);
  EXPECT_EQ(check(HETERO_TYPE_F32, 2, dynamic), HETERO_OK);
  EXPECT_EQ(check(HETERO_TYPE_F64, 2, exact), HETERO_ERROR_INVALID_ARGUMENT);
  EXPECT_NE(hostError().find("expected tensor<5x7xf64>, got tensor<5x7xf32>"),
            std::string::npos);
  value.strides[0] = 8;
  EXPECT_EQ(check(HETERO_TYPE_F32, 2, exact), HETERO_ERROR_INVALID_ARGUMENT);
  value = makeTensor(data, {5, 0});
  value.strides[0] = 3;
  value.data = nullptr;
  const int64_t empty[] = {5, 0};
  EXPECT_EQ(check(HETERO_TYPE_F32, 2, empty), HETERO_OK);
}

TEST(Values, CopiesRefuseBadSizes) {
  std::vector<float> data(4);
  HeteroValue value = makeTensor(data, {4});
  value.sizes[0] = -4;
  EXPECT_EQ(heteroCopyValue(&value, &value), HETERO_ERROR_INVALID_ARGUMENT);
}

TEST(Values, CountsAreChecked) {
  EXPECT_EQ(heteroCheckCounts(2, 2, 1, 1), HETERO_OK);
  EXPECT_EQ(heteroCheckCounts(1, 2, 1, 1), HETERO_ERROR_INVALID_ARGUMENT);
}

TEST(ParallelFor, CoversTheRangeOnce) {
  std::vector<std::atomic<int>> seen(10007);
  auto body = [](void *closure, int64_t begin, int64_t end) -> HeteroStatus {
    auto &all = *static_cast<std::vector<std::atomic<int>> *>(closure);
    for (int64_t i = begin; i < end; ++i)
      ++all[i];
    return HETERO_OK;
  };
  ASSERT_EQ(heteroParallelFor(seen.size(), 16, body, &seen), HETERO_OK);
  for (auto &count : seen)
    ASSERT_EQ(count, 1);
  EXPECT_EQ(heteroParallelFor(0, 1, body, &seen), HETERO_OK);
}

TEST(ParallelFor, ReportsAFailure) {
  auto body = [](void *, int64_t begin, int64_t end) -> HeteroStatus {
    if (begin <= 500 && 500 < end)
      return heteroAssert(0, "element 500");
    return HETERO_OK;
  };
  EXPECT_EQ(heteroParallelFor(1000, 1, body, nullptr), HETERO_ERROR_PROGRAM);
  EXPECT_EQ(hostError(), "element 500");
}

TEST(ParallelFor, WorkersAllocateInTheFrame) {
  ASSERT_EQ(heteroFrameBegin("f"), HETERO_OK);
  auto body = [](void *, int64_t begin, int64_t end) -> HeteroStatus {
    for (int64_t i = begin; i < end; ++i) {
      void *pointer;
      if (HeteroStatus status = heteroAlloc(HETERO_HOST, 64, 64, &pointer))
        return status;
      std::memset(pointer, 0, 64);
      if (i % 2)
        if (HeteroStatus status = heteroFree(HETERO_HOST, pointer))
          return status;
    }
    return HETERO_OK;
  };
  EXPECT_EQ(heteroParallelFor(200, 1, body, nullptr), HETERO_OK);
  EXPECT_EQ(heteroFrameEnd(HETERO_OK), HETERO_OK);
}

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define HETERO_SANITIZED
#endif
#endif

#ifndef HETERO_SANITIZED // their shadow memory is above any limit
/// Exits with 0 if a loop runs although its threads' stacks do not fit.
void loopWithLittleMemory() {
  alarm(60); // a hang is a failure
  setenv("HETERO_NUM_THREADS", "1024", /*overwrite=*/1);
  long pages = 0;
  std::ifstream("/proc/self/statm") >> pages;
  rlim_t limit = pages * sysconf(_SC_PAGESIZE) + (rlim_t(64) << 20);
  rlimit sizes = {limit, limit};
  setrlimit(RLIMIT_AS, &sizes);
  static std::atomic<int64_t> sum{0};
  auto body = [](void *, int64_t begin, int64_t end) -> HeteroStatus {
    sum += end - begin;
    return HETERO_OK;
  };
  HeteroStatus status = heteroParallelFor(5000, 1, body, nullptr);
  std::_Exit(status == HETERO_OK && sum == 5000 ? 0 : 1);
}

TEST(ParallelForDeathTest, RunsOnTheThreadsThereAre) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(loopWithLittleMemory(), ::testing::ExitedWithCode(0), "");
}
#endif

/// A value of the runtime with four elements.
HeteroValue allocateTensor() {
  std::vector<float> none;
  HeteroValue value = makeTensor(none, {4});
  EXPECT_EQ(heteroAllocateValue(&value, HETERO_HOST), HETERO_OK);
  return value;
}

// The frame frees what a call has taken over, also when the call fails.
TEST(Donation, GoesToTheFrame) {
  for (HeteroStatus status : {HETERO_OK, HETERO_ERROR_PROGRAM}) {
    HeteroValue argument = allocateTensor();
    ASSERT_EQ(heteroFrameBegin("test"), HETERO_OK);
    EXPECT_EQ(heteroDonate(&argument, 1, 0), HETERO_OK) << hostError();
    EXPECT_EQ(argument.data, nullptr);
    EXPECT_EQ(argument.allocation, nullptr);
    EXPECT_EQ(heteroFrameEnd(status), status);
    EXPECT_EQ(heteroReleaseValue(&argument), HETERO_OK);
  }
}

TEST(Donation, ComesBackAsAResult) {
  HeteroValue argument = allocateTensor();
  void *memory = argument.data;
  ASSERT_EQ(heteroFrameBegin("test"), HETERO_OK);
  ASSERT_EQ(heteroDonate(&argument, 1, 0), HETERO_OK) << hostError();
  EXPECT_EQ(heteroDetach(HETERO_HOST, memory), HETERO_OK) << hostError();
  EXPECT_EQ(heteroFrameEnd(HETERO_OK), HETERO_OK);
  argument.data = argument.allocation = memory;
  EXPECT_EQ(heteroReleaseValue(&argument), HETERO_OK) << hostError();
}

TEST(Donation, RefusesWhatTheCallerDoesNotOwnAlone) {
  std::vector<float> data(4);
  HeteroValue own = allocateTensor();
  HeteroValue arguments[] = {makeTensor(data, {4}), own, own};
  ASSERT_EQ(heteroFrameBegin("test"), HETERO_OK);
  EXPECT_EQ(heteroDonate(arguments, 3, 0), HETERO_ERROR_INVALID_ARGUMENT);
  EXPECT_NE(hostError().find("argument 0 is donated, but does not own"),
            std::string::npos);
  EXPECT_EQ(heteroDonate(arguments, 3, 1), HETERO_ERROR_INVALID_ARGUMENT);
  EXPECT_NE(hostError().find("argument 2 has the same memory"),
            std::string::npos);
  EXPECT_EQ(heteroFrameEnd(HETERO_OK), HETERO_OK);
  EXPECT_EQ(heteroReleaseValue(&own), HETERO_OK) << hostError();
}

} // namespace
