//===- LaunchesTest.cpp - Launches with attributes, streams' waits --------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DriverAPIHarness.h"

#include <atomic>

namespace {
class LaunchesTest : public DriverAPITest {
protected:
  void SetUp() override {
    DriverAPITest::SetUp();
    array = upload(countFrom(0, 16));
    add = kernel("add");
  }
  CUresult launch(std::vector<CUlaunchAttribute> attributes) {
    CUlaunchConfig config = {};
    config.gridDimX = 2;
    config.blockDimX = 8;
    config.gridDimY = config.gridDimZ = config.blockDimY = config.blockDimZ = 1;
    config.attrs = attributes.data();
    config.numAttrs = static_cast<unsigned>(attributes.size());
    unsigned number = 1;
    void *params[] = {&array, &array, &number};
    return cuLaunchKernelEx(&config, add, params, nullptr);
  }
  static CUlaunchAttribute attribute(CUlaunchAttributeID id) {
    CUlaunchAttribute result = {};
    result.id = id;
    return result;
  }

  CUdeviceptr array = 0;
  CUfunction add = nullptr;
};
} // namespace

/// The emulated devices are of compute capability 9.0.
TEST_F(LaunchesTest, TakesAttributes) {
  CUlaunchAttribute cluster = attribute(CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION);
  cluster.value.clusterDim = {1, 1, 1};
  CUlaunchAttribute together = attribute(CU_LAUNCH_ATTRIBUTE_COOPERATIVE);
  together.value.cooperative = 1;
  CUlaunchAttribute priority = attribute(CU_LAUNCH_ATTRIBUTE_PRIORITY);
  priority.value.priority = -1;
  CUlaunchAttribute overlap =
      attribute(CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION);
  overlap.value.programmaticStreamSerializationAllowed = 1;
  EXPECT_OK(launch({}));
  EXPECT_OK(launch({cluster, priority, overlap}));
  EXPECT_OK(launch({together}));
  EXPECT_OK(cuCtxSynchronize());
  EXPECT_EQ(download(array, 16), countFrom(3, 16));
  cluster.value.clusterDim = {3, 1, 1};
  EXPECT_EQ(launch({cluster}), CUDA_ERROR_INVALID_VALUE);
  cluster.value.clusterDim = {2, 1, 1};
  EXPECT_EQ(launch({cluster}), CUDA_ERROR_NOT_SUPPORTED);
  EXPECT_EQ(launch({attribute(CUlaunchAttributeID(25))}),
            CUDA_ERROR_NOT_SUPPORTED);
}

TEST_F(LaunchesTest, RecordsAnEventAfterTheKernel) {
  CUlaunchAttribute done =
      attribute(CU_LAUNCH_ATTRIBUTE_LAUNCH_COMPLETION_EVENT);
  EXPECT_OK(cuEventCreate(&done.value.launchCompletionEvent.event,
                          CU_EVENT_DISABLE_TIMING));
  EXPECT_OK(launch({done}));
  EXPECT_OK(cuEventSynchronize(done.value.launchCompletionEvent.event));
  EXPECT_EQ(download(array, 16), countFrom(1, 16));
}

TEST_F(LaunchesTest, StreamsWaitForWords) {
  CUstream first, second;
  ASSERT_OK(cuStreamCreateWithPriority(&first, CU_STREAM_NON_BLOCKING, -3));
  ASSERT_OK(cuStreamCreateWithPriority(&second, CU_STREAM_NON_BLOCKING, 7));
  int priority = 9;
  EXPECT_OK(cuStreamGetPriority(first, &priority));
  EXPECT_EQ(priority, -3);
  EXPECT_OK(cuStreamGetPriority(second, &priority));
  EXPECT_EQ(priority, 0);
  CUdeviceptr flag = upload({0, 0});
  EXPECT_OK(cuStreamWaitValue32(first, flag, 5, CU_STREAM_WAIT_VALUE_GEQ));
  EXPECT_OK(launchAdd(add, array, array, 1, 16, first));
  EXPECT_EQ(cuStreamQuery(first), CUDA_ERROR_NOT_READY);
  EXPECT_OK(launchAdd(add, array, array, 10, 16, second));
  EXPECT_OK(cuStreamSynchronize(second));
  EXPECT_EQ(download(array, 1).front(), 10u);
  EXPECT_OK(cuStreamWriteValue32(second, flag, 6, 0));
  EXPECT_OK(cuStreamSynchronize(first));
  EXPECT_EQ(download(array, 16), countFrom(11, 16));
  EXPECT_EQ(cuStreamWriteValue32(second, flag + 2, 6, 0),
            CUDA_ERROR_INVALID_VALUE);
  CUstreamBatchMemOpParams operations[2] = {};
  operations[0].operation = CU_STREAM_MEM_OP_WRITE_VALUE_64;
  operations[0].writeValue.address = flag;
  operations[0].writeValue.value64 = 1ull << 33;
  operations[1].operation = CU_STREAM_MEM_OP_WAIT_VALUE_64;
  operations[1].waitValue.address = flag;
  operations[1].waitValue.value64 = 1ull << 33;
  operations[1].waitValue.flags = CU_STREAM_WAIT_VALUE_AND;
  EXPECT_OK(cuStreamBatchMemOp(first, 2, operations, 0));
  EXPECT_OK(cuStreamSynchronize(first));
  EXPECT_EQ(download(flag, 2), (std::vector<unsigned>{0, 2}));
}

TEST_F(LaunchesTest, CallsBack) {
  struct Seen {
    CUstream stream;
    CUresult status;
    std::atomic<int> calls{0};
  } seen;
  CUstream stream;
  ASSERT_OK(cuStreamCreate(&stream, 0));
  auto callback = [](CUstream stream, CUresult status, void *data) {
    auto &seen = *static_cast<Seen *>(data);
    seen.stream = stream;
    seen.status = status;
    ++seen.calls;
  };
  EXPECT_OK(cuStreamAddCallback(stream, callback, &seen, 0));
  EXPECT_OK(cuStreamSynchronize(stream));
  EXPECT_EQ(seen.calls, 1);
  EXPECT_EQ(seen.stream, stream);
  EXPECT_EQ(seen.status, CUDA_SUCCESS);
  // The kernel must not fail before the callback is enqueued after it.
  CUstream other;
  ASSERT_OK(cuStreamCreate(&other, CU_STREAM_NON_BLOCKING));
  CUdeviceptr flag = upload({0});
  EXPECT_OK(cuStreamWaitValue32(stream, flag, 1, CU_STREAM_WAIT_VALUE_EQ));
  EXPECT_OK(cuLaunchKernel(kernel("fail"), 1, 1, 1, 1, 1, 1, 0, stream, nullptr,
                           nullptr));
  EXPECT_OK(cuStreamAddCallback(stream, callback, &seen, 0));
  EXPECT_OK(cuStreamWriteValue32(other, flag, 1, 0));
  EXPECT_EQ(cuStreamSynchronize(stream), CUDA_ERROR_ILLEGAL_ADDRESS);
  EXPECT_EQ(seen.calls, 2);
  EXPECT_EQ(seen.status, CUDA_ERROR_ILLEGAL_ADDRESS);
}

/// Who sees that the last event has come also sees that the stream is idle.
TEST_F(LaunchesTest, StreamsAgreeWithEvents) {
  CUstream stream;
  CUevent event;
  ASSERT_OK(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
  ASSERT_OK(cuEventCreate(&event, 0));
  CUdeviceptr words = upload(std::vector<unsigned>(1024));
  for (unsigned i = 0; i < 3000; ++i) {
    ASSERT_OK(cuMemsetD32Async(words, i, 1024, stream));
    ASSERT_OK(cuEventRecord(event, stream));
    if (i % 2 == 0)
      ASSERT_OK(cuEventSynchronize(event));
    while (cuEventQuery(event) == CUDA_ERROR_NOT_READY)
      ;
    ASSERT_OK(cuStreamQuery(stream));
    ASSERT_OK(cuEventQuery(event));
  }
  EXPECT_OK(cuEventDestroy(event));
  EXPECT_OK(cuStreamDestroy(stream));
}
