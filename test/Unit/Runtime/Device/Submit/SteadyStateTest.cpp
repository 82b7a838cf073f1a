//===- SteadyStateTest.cpp - Calls after the first allocate nothing -------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What compiled code calls for one entry point, again and again: allocations
// are counted at the driver and in malloc.
//
//===----------------------------------------------------------------------===//

#include "../FakeDriver.h"
#include "hetero/Runtime/HeteroRuntime.h"

#include <gtest/gtest.h>

#include <atomic>
#include <cerrno>
#include <cstdlib>

// A sanitizer has an allocator of its own.
#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define HETERO_TEST_OWN_MALLOC 1
#endif
#endif

#ifndef HETERO_FAKE_GRAPHS
#define HETERO_FAKE_GRAPHS 0
#endif

/// Calls until the program is in its steady state: the second one has graphs
/// made of it.
static constexpr int kFirstCalls = HETERO_FAKE_GRAPHS ? 3 : 1;

static std::atomic<int64_t> mallocs{0};

#ifndef HETERO_TEST_OWN_MALLOC
extern "C" {
void *__libc_malloc(size_t);
void *__libc_calloc(size_t, size_t);
void *__libc_realloc(void *, size_t);
void *__libc_memalign(size_t, size_t);

void *malloc(size_t bytes) {
  ++mallocs;
  return __libc_malloc(bytes);
}
void *calloc(size_t count, size_t bytes) {
  ++mallocs;
  return __libc_calloc(count, bytes);
}
void *realloc(void *block, size_t bytes) {
  ++mallocs;
  return __libc_realloc(block, bytes);
}
void *aligned_alloc(size_t alignment, size_t bytes) {
  ++mallocs;
  return __libc_memalign(alignment, bytes);
}
int posix_memalign(void **block, size_t alignment, size_t bytes) {
  ++mallocs;
  *block = __libc_memalign(alignment, bytes);
  return *block ? 0 : ENOMEM;
}
}
#endif

namespace {

const HeteroCode code = {"", 1, HETERO_CODE_PTX, 8, 0, HETERO_REACH_LATER};
const HeteroImage image = {"image of a program", &code, 1, 0};
const char kKernel[] = "a kernel whose name is longer than a short string";

/// One call of an entry point that copies in, computes on a gpu with one or two
/// units, copies out, and returns a host and a device tensor.
HeteroStatus callProgram(bool hasUnits) {
  constexpr int32_t gpu = 0;
  int32_t unit = hasUnits ? HETERO_UNIT(0, 1) : 0;
  static char weights[1 << 16], input[1 << 20];
  static HeteroConstant constant = {weights, sizeof weights, "weights", gpu,
                                    0,       nullptr,        0};
  static HeteroConstant *list[] = {&constant};
  static HeteroConstants constants = {"main", list, 1, 0};
  void *arena, *host, *results[2];
  HeteroStatus status = heteroUpload(&constants);
  if (status == HETERO_OK)
    status = heteroFrameBegin("an entry point with a long name");
  auto then = [&](HeteroStatus next) { status = status ? status : next; };
  then(heteroAlloc(gpu, 3 << 20, 64, &arena));
  then(heteroAlloc(HETERO_HOST, 1 << 20, 64, &host));
  then(heteroAlloc(HETERO_HOST, 12345, 64, &results[0]));
  then(heteroAlloc(gpu, 12345, 64, &results[1]));
  then(heteroCopy(gpu, arena, HETERO_HOST, input, sizeof input, "the input"));
  then(heteroOrder(unit, gpu));
  then(heteroLaunch(unit, &image, kKernel, 1, 1, 1, 32, 1, 1, 0, nullptr, 0));
  then(heteroOrder(gpu, unit));
  then(heteroCopy(HETERO_HOST, host, gpu, arena, 1 << 20, "the output"));
  then(heteroFree(gpu, arena));
  then(heteroWait(gpu));
  then(heteroHostRegion("a region of the host with a long name"));
  then(heteroFree(HETERO_HOST, host));
  then(heteroDetach(HETERO_HOST, results[0]));
  then(heteroDetach(gpu, results[1]));
  status = heteroFrameEnd(status);
  for (int i = 0; i < 2 && status == HETERO_OK; ++i) {
    HeteroValue value = {};
    value.data = value.allocation = results[i];
    value.device = i == 0 ? HETERO_HOST : gpu;
    status = heteroReleaseValue(&value);
  }
  return status;
}

class SteadyState : public ::testing::TestWithParam<bool> {
protected:
  static void SetUpTestSuite() {
    setenv("HETERO_CUDA_DRIVER", HETERO_FAKE_DRIVER, /*overwrite=*/1);
  }
  void TearDown() override { EXPECT_EQ(heteroReset(), HETERO_OK); }
  void callFirst() {
    for (int call = 0; call < kFirstCalls; ++call)
      ASSERT_EQ(callProgram(GetParam()), HETERO_OK) << heteroLastError();
  }
};

TEST_P(SteadyState, CallsAllocateNothingAtTheDriver) {
  FakeDriver &driver = *heteroFakeDriver();
  callFirst();
  int before = driver.allocations, launches = driver.graphLaunches;
  EXPECT_GT(before, 0);
  for (int call = 0; call < 10; ++call)
    ASSERT_EQ(callProgram(GetParam()), HETERO_OK) << heteroLastError();
  EXPECT_EQ(driver.allocations, before);
  EXPECT_EQ(driver.graphLaunches - launches, HETERO_FAKE_GRAPHS ? 10 : 0);
}

TEST_P(SteadyState, CallsAllocateNothingOnTheHost) {
#ifdef HETERO_TEST_OWN_MALLOC
  GTEST_SKIP() << "malloc is the sanitizer's";
#endif
  callFirst();
  int64_t before = mallocs;
  EXPECT_GT(before, 0);
  HeteroStatus status = HETERO_OK;
  for (int call = 0; call < 10; ++call)
    status = status ? status : callProgram(GetParam());
  int64_t after = mallocs;
  EXPECT_EQ(status, HETERO_OK) << heteroLastError();
  EXPECT_EQ(after, before);
}

INSTANTIATE_TEST_SUITE_P(Units, SteadyState, ::testing::Bool());

} // namespace
