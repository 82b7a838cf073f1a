//===- GraphTest.cpp - Captured work, replayed ----------------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../../DriverHarness.h"
#include "../../FakeKernels.h"

#include "hetero/Emulator/EmulatorControl.h"

#include <atomic>
#include <thread>

using namespace hetero;
using namespace hetero::emulator;

namespace {
constexpr int kGlobal = 0, kThreadLocal = 1, kRelaxed = 2;

/// to[i] = from[i] + number.
const bool addedKernels = [] {
  fake::addKernel(
      "addNumber",
      [](ThreadContext *c) {
        uint64_t offset = 4 * (uint64_t(c->ctaid[0]) * c->ntid[0] + c->tid[0]);
        uint32_t word =
            fake::at<uint32_t>(c, fake::param(c, 0) + offset, false);
        fake::at<uint32_t>(c, fake::param(c, 1) + offset) =
            word + static_cast<uint32_t>(fake::param(c, 2));
      },
      3, false);
  return true;
}();

/// Three streams that are captured, arrays of 64 words, and pinned memory for
/// two more. The races between what graphs run are checked.
class GraphTest : public DriverTest {
protected:
  static constexpr size_t kWords = 64, kBytes = 4 * kWords;

  void SetUp() override {
    DriverTest::SetUp();
    for (cuda::Stream &stream : streams)
      ASSERT_OK(cuStreamCreate(&stream, cuda::kStreamNonBlocking));
    for (cuda::DevicePointer &array : arrays) {
      ASSERT_OK(cuMemAlloc_v2(&array, kBytes));
      ASSERT_OK(cuMemsetD32_v2(array, 0, kWords));
    }
    for (uint32_t *&array : host) {
      void *memory;
      ASSERT_OK(cuMemHostAlloc(&memory, kBytes, 0));
      array = static_cast<uint32_t *>(memory);
      std::fill_n(array, kWords, 0);
    }
    add = kernel("addNumber");
    before = heteroEmulatorRaces();
  }
  void TearDown() override {
    for (int device = 0; device < 2; ++device)
      EXPECT_OK(cuDevicePrimaryCtxReset_v2(device));
    DriverTest::TearDown();
  }

  void begin(int stream = 0, int mode = kGlobal) {
    ASSERT_OK(cuStreamBeginCapture_v2(streams[stream], mode));
  }
  cuda::Graph end(int stream = 0) {
    cuda::Graph graph = nullptr;
    EXPECT_OK(cuStreamEndCapture(streams[stream], &graph));
    return graph;
  }
  cuda::GraphExec instantiate(cuda::Graph graph) {
    cuda::GraphExec exec = nullptr;
    EXPECT_OK(cuGraphInstantiateWithFlags(&exec, graph, 0));
    return exec;
  }
  void copyIn(int stream, int array) {
    ASSERT_OK(
        cuMemcpyHtoDAsync_v2(arrays[array], host[0], kBytes, streams[stream]));
  }
  void copyOut(int stream, int array) {
    ASSERT_OK(
        cuMemcpyDtoHAsync_v2(host[1], arrays[array], kBytes, streams[stream]));
  }
  void launch(int stream, int from, int to, uint64_t number) {
    void *params[] = {&arrays[from], &arrays[to], &number};
    ASSERT_OK(cuLaunchKernel(add, kWords / 8, 1, 1, 8, 1, 1, 0, streams[stream],
                             params, nullptr));
  }
  void order(int after, int stream) {
    cuda::Event event;
    ASSERT_OK(cuEventCreate(&event, 0));
    ASSERT_OK(cuEventRecord(event, streams[after]));
    ASSERT_OK(cuStreamWaitEvent(streams[stream], event, 0));
    ASSERT_OK(cuEventDestroy_v2(event));
  }
  /// Runs the graph on the words 10, 11, ...; what comes out of the first.
  uint32_t run(cuda::GraphExec exec) {
    for (size_t i = 0; i < kWords; ++i)
      host[0][i] = static_cast<uint32_t>(10 + i);
    EXPECT_OK(cuGraphLaunch(exec, streams[0]));
    EXPECT_OK(cuStreamSynchronize(streams[0]));
    for (size_t i = 1; i < kWords; ++i)
      EXPECT_EQ(host[1][i], host[1][0] + i);
    return host[1][0];
  }
  size_t numNodes(cuda::Graph graph) {
    size_t count = 0;
    EXPECT_OK(cuGraphGetNodes(graph, nullptr, &count));
    return count;
  }

  cuda::Stream streams[3];
  cuda::DevicePointer arrays[4];
  uint32_t *host[2];
  cuda::Function add;
  uint64_t before;
};
} // namespace

TEST_F(GraphTest, RunsNothingBeforeItIsLaunched) {
  begin();
  copyIn(0, 0);
  launch(0, 0, 1, 5);
  copyOut(0, 1);
  int status = 0;
  EXPECT_OK(cuStreamIsCapturing(streams[0], &status));
  EXPECT_EQ(status, 1);
  cuda::Graph graph = end();
  EXPECT_OK(cuStreamIsCapturing(streams[0], &status));
  EXPECT_EQ(status, 0);
  EXPECT_EQ(numNodes(graph), 3u);
  EXPECT_OK(cuStreamSynchronize(streams[0]));
  EXPECT_EQ(download<uint32_t>(arrays[1], 1).front(), 0u);
  cuda::GraphExec exec = instantiate(graph);
  EXPECT_EQ(heteroEmulatorLive("graphs"), 2u);
  EXPECT_OK(cuGraphDestroy(graph)); // What was instantiated does not need it.
  EXPECT_EQ(run(exec), 15u);
  std::fill_n(host[1], kWords, 0);
  EXPECT_EQ(run(exec), 15u);
  EXPECT_OK(cuGraphExecDestroy(exec));
  EXPECT_EQ(heteroEmulatorLive("graphs"), 0u);
  EXPECT_EQ(heteroEmulatorRaces(), before);
}

/// Both lanes read what the first copies in, and meet at its end.
TEST_F(GraphTest, LanesWaitForEachOther) {
  begin();
  copyIn(0, 0);
  order(0, 1);
  launch(1, 0, 1, 1);
  launch(0, 0, 2, 2);
  order(1, 0);
  launch(0, 1, 3, 3);
  copyOut(0, 3);
  cuda::GraphExec exec = instantiate(end());
  for (int i = 0; i < 20; ++i)
    EXPECT_EQ(run(exec), 14u);
  EXPECT_EQ(download<uint32_t>(arrays[2], 1).front(), 12u);
  EXPECT_EQ(heteroEmulatorRaces(), before);
}

/// The second lane begins before the copy.
TEST_F(GraphTest, AMissingOrderIsARace) {
  begin();
  order(0, 1);
  copyIn(0, 0);
  launch(1, 0, 1, 1);
  order(1, 0);
  cuda::GraphExec exec = instantiate(end());
  EXPECT_OK(cuGraphLaunch(exec, streams[0]));
  EXPECT_EQ(cuStreamSynchronize(streams[0]), cuda::kLaunchFailed);
  EXPECT_EQ(heteroEmulatorRaces(), before + 1);
}

TEST_F(GraphTest, LaunchesOfOneGraphAreInOrder) {
  begin();
  launch(0, 0, 0, 1);
  cuda::GraphExec exec = instantiate(end());
  for (int i = 0; i < 30; ++i)
    EXPECT_OK(cuGraphLaunch(exec, streams[i % 3]));
  EXPECT_OK(cuCtxSynchronize());
  EXPECT_EQ(download<uint32_t>(arrays[0], 1).front(), 30u);
  EXPECT_EQ(heteroEmulatorRaces(), before);
}

TEST_F(GraphTest, FillsAndHostFunctionsAreNodes) {
  static std::atomic<int> calls{0};
  calls = 0;
  begin();
  EXPECT_OK(cuLaunchHostFunc(streams[0], [](void *) { ++calls; }, nullptr));
  EXPECT_OK(cuMemcpyHtoDAsync_v2(arrays[0], host[0], 0, streams[0]));
  cuda::Graph graph = end();
  EXPECT_EQ(numNodes(graph), 1u);
  cuda::GraphNode nodes[3];
  size_t count = 3;
  EXPECT_OK(cuGraphGetNodes(graph, nodes, &count));
  EXPECT_EQ(count, 1u);
  EXPECT_NE(nodes[0], nullptr);
  EXPECT_EQ(nodes[1], nullptr);
  EXPECT_EQ(calls, 0);
  cuda::GraphExec exec = instantiate(graph);
  EXPECT_OK(cuGraphLaunch(exec, nullptr));
  EXPECT_OK(cuGraphLaunch(exec, streams[0]));
  EXPECT_OK(cuCtxSynchronize());
  EXPECT_EQ(calls, 2);
}

TEST_F(GraphTest, UpdatesTakeArgumentsButNoOtherShape) {
  auto capture = [&](uint64_t number, bool isLonger) {
    begin();
    copyIn(0, 0);
    launch(0, 0, 1, number);
    if (isLonger)
      launch(0, 1, 2, 0);
    copyOut(0, 1);
    return end();
  };
  cuda::GraphExec exec = instantiate(capture(1, false));
  struct {
    int result = -1;
    cuda::GraphNode nodes[2];
  } info;
  EXPECT_OK(cuGraphExecUpdate_v2(exec, capture(7, false), &info));
  EXPECT_EQ(info.result, 0);
  EXPECT_EQ(run(exec), 17u);
  EXPECT_EQ(cuGraphExecUpdate_v2(exec, capture(9, true), &info),
            cuda::kGraphExecUpdateFailure);
  EXPECT_NE(info.result, 0);
  EXPECT_EQ(run(exec), 17u);
}

//===----------------------------------------------------------------------===//
// What is refused
//===----------------------------------------------------------------------===//

TEST_F(GraphTest, WaitingEndsACaptureInFailure) {
  begin();
  launch(0, 0, 1, 1);
  EXPECT_EQ(cuStreamSynchronize(streams[0]), cuda::kStreamCaptureUnsupported);
  int status = 0;
  EXPECT_OK(cuStreamIsCapturing(streams[0], &status));
  EXPECT_EQ(status, 2);
  void *params[] = {&arrays[0], &arrays[1], &arrays[2]};
  EXPECT_EQ(
      cuLaunchKernel(add, 1, 1, 1, 1, 1, 1, 0, streams[0], params, nullptr),
      cuda::kStreamCaptureInvalidated);
  cuda::Graph graph;
  EXPECT_EQ(cuStreamEndCapture(streams[0], &graph),
            cuda::kStreamCaptureInvalidated);
  EXPECT_EQ(graph, nullptr);
  // The stream runs again.
  launch(0, 0, 1, 1);
  EXPECT_OK(cuStreamSynchronize(streams[0]));
}

TEST_F(GraphTest, TheModeSaysWhoMayAllocate) {
  cuda::DevicePointer memory = 0;
  cuda::Graph graph;
  for (int mode : {kGlobal, kThreadLocal}) {
    begin(0, mode);
    EXPECT_EQ(cuMemAlloc_v2(&memory, 4), cuda::kStreamCaptureUnsupported);
    EXPECT_EQ(cuStreamEndCapture(streams[0], &graph),
              cuda::kStreamCaptureInvalidated);
  }
  auto allocateElsewhere = [&] {
    cuda::Result result = cuda::kUnknown;
    std::thread([&] {
      cuCtxSetCurrent(context[0]);
      result = cuMemAlloc_v2(&memory, 4);
    }).join();
    return result;
  };
  begin(0, kThreadLocal);
  EXPECT_OK(allocateElsewhere());
  end();
  begin();
  EXPECT_EQ(allocateElsewhere(), cuda::kStreamCaptureUnsupported);
  EXPECT_NE(cuStreamEndCapture(streams[0], &graph), cuda::kSuccess);
  begin(0, kRelaxed);
  EXPECT_OK(cuMemAlloc_v2(&memory, 4));
  end();
  int mode = kRelaxed;
  EXPECT_OK(cuThreadExchangeStreamCaptureMode(&mode));
  EXPECT_EQ(mode, kGlobal);
  begin();
  EXPECT_OK(cuMemAlloc_v2(&memory, 4));
  EXPECT_OK(cuThreadExchangeStreamCaptureMode(&mode));
  end();
  mode = 3;
  EXPECT_EQ(cuThreadExchangeStreamCaptureMode(&mode), cuda::kInvalidValue);
}

TEST_F(GraphTest, EveryLaneMustBeJoined) {
  begin();
  launch(0, 0, 1, 1);
  order(0, 1);
  launch(1, 0, 2, 1);
  cuda::Graph graph;
  EXPECT_EQ(cuStreamEndCapture(streams[1], &graph),
            cuda::kStreamCaptureUnmatched);
  EXPECT_EQ(cuStreamEndCapture(streams[0], &graph),
            cuda::kStreamCaptureUnjoined);
  EXPECT_EQ(cuStreamEndCapture(streams[0], &graph), cuda::kInvalidValue);
}

TEST_F(GraphTest, AThreadEndsItsOwnCaptures) {
  begin();
  cuda::Graph graph;
  cuda::Result result = cuda::kSuccess;
  std::thread([&] { result = cuStreamEndCapture(streams[0], &graph); }).join();
  EXPECT_EQ(result, cuda::kStreamCaptureWrongThread);
  end();
}

TEST_F(GraphTest, EventsDoNotLeadOutOfOrIntoACapture) {
  cuda::Event inside, outside;
  ASSERT_OK(cuEventCreate(&inside, 0));
  ASSERT_OK(cuEventCreate(&outside, 0));
  ASSERT_OK(cuEventRecord(outside, streams[2]));
  begin();
  ASSERT_OK(cuEventRecord(inside, streams[0]));
  EXPECT_EQ(cuEventQuery(inside), cuda::kCapturedEvent);
  EXPECT_EQ(cuEventSynchronize(inside), cuda::kCapturedEvent);
  begin(1);
  EXPECT_EQ(cuStreamWaitEvent(streams[1], inside, 0),
            cuda::kStreamCaptureMerge);
  cuda::Graph graph;
  for (int stream : {0, 1})
    EXPECT_EQ(cuStreamEndCapture(streams[stream], &graph),
              cuda::kStreamCaptureInvalidated);
  begin();
  EXPECT_EQ(cuStreamWaitEvent(streams[0], outside, 0),
            cuda::kStreamCaptureIsolation);
  EXPECT_EQ(cuStreamEndCapture(streams[0], &graph),
            cuda::kStreamCaptureInvalidated);
  EXPECT_EQ(cuStreamWaitEvent(streams[2], inside, 0), cuda::kCapturedEvent);
  ASSERT_OK(cuEventRecord(inside, streams[2]));
  EXPECT_OK(cuEventSynchronize(inside));
}

/// What a graph waits for and records as nodes orders it with other streams.
TEST_F(GraphTest, NodesOfEventsOrderGraphsWithStreams) {
  cuda::Event ready, done;
  ASSERT_OK(cuEventCreate(&ready, 0));
  ASSERT_OK(cuEventCreate(&done, 0));
  EXPECT_EQ(cuEventRecordWithFlags(done, streams[0], 1), cuda::kInvalidValue);
  EXPECT_EQ(cuStreamWaitEvent(streams[0], done, 1), cuda::kInvalidValue);
  EXPECT_EQ(cuEventRecordWithFlags(done, streams[0], 2), cuda::kInvalidValue);
  begin();
  ASSERT_OK(cuStreamWaitEvent(streams[0], ready, cuda::kEventWaitExternal));
  launch(0, 0, 1, 1);
  ASSERT_OK(
      cuEventRecordWithFlags(done, streams[0], cuda::kEventRecordExternal));
  cuda::Graph graph = end();
  EXPECT_EQ(numNodes(graph), 3u);
  cuda::GraphExec exec = instantiate(graph);
  EXPECT_EQ(cuEventQuery(done), cuda::kSuccess);
  for (uint32_t round = 1; round <= 3; ++round) {
    std::fill_n(host[0], kWords, round);
    copyIn(1, 0);
    ASSERT_OK(cuEventRecord(ready, streams[1]));
    ASSERT_OK(cuGraphLaunch(exec, streams[0]));
    ASSERT_OK(cuStreamWaitEvent(streams[2], done, 0));
    copyOut(2, 1);
    ASSERT_OK(cuEventSynchronize(done));
    ASSERT_OK(cuStreamSynchronize(streams[2]));
    EXPECT_EQ(host[1][0], round + 1);
  }
}

TEST_F(GraphTest, ParametersHaveTheirSizes) {
  size_t offset = 1, size = 0;
  EXPECT_OK(cuFuncGetParamInfo(add, 0, &offset, &size));
  EXPECT_EQ(offset, 0u);
  EXPECT_OK(cuFuncGetParamInfo(add, 2, &offset, nullptr));
  EXPECT_EQ(offset, 2 * size);
  EXPECT_EQ(cuFuncGetParamInfo(add, 3, &offset, &size), cuda::kInvalidValue);
  EXPECT_EQ(cuFuncGetParamInfo(add, 0, nullptr, &size), cuda::kInvalidValue);
}

TEST_F(GraphTest, TheDefaultStreamIsNotCaptured) {
  EXPECT_EQ(cuStreamBeginCapture_v2(nullptr, kGlobal),
            cuda::kStreamCaptureUnsupported);
  cuda::Stream blocking;
  ASSERT_OK(cuStreamCreate(&blocking, 0));
  ASSERT_OK(cuStreamBeginCapture_v2(blocking, kRelaxed));
  EXPECT_EQ(cuLaunchHostFunc(
                nullptr, [](void *) {}, nullptr),
            cuda::kStreamCaptureImplicit);
  cuda::Graph graph;
  EXPECT_EQ(cuStreamEndCapture(blocking, &graph),
            cuda::kStreamCaptureInvalidated);
  EXPECT_OK(cuLaunchHostFunc(nullptr, [](void *) {}, nullptr));
}

TEST_F(GraphTest, HandlesAreChecked) {
  begin();
  EXPECT_EQ(cuStreamBeginCapture_v2(streams[0], kGlobal), cuda::kInvalidValue);
  cuda::DevicePointer memory;
  EXPECT_OK(cuMemAllocAsync(&memory, 4, streams[0]));
  cuda::Graph graph = end();
  EXPECT_EQ(cuStreamBeginCapture_v2(streams[0], 3), cuda::kInvalidValue);
  cuda::GraphExec exec = instantiate(graph);
  EXPECT_OK(cuGraphDestroy(graph));
  EXPECT_EQ(cuGraphDestroy(graph), cuda::kInvalidValue);
  EXPECT_EQ(cuGraphInstantiateWithFlags(&exec, graph, 0), cuda::kInvalidValue);
  EXPECT_OK(cuGraphExecDestroy(exec));
  EXPECT_EQ(cuGraphLaunch(exec, streams[0]), cuda::kInvalidValue);
}

TEST_F(GraphTest, AResetEndsCapturesAndGraphs) {
  begin();
  launch(0, 0, 1, 1);
  instantiate(end());
  begin();
  launch(0, 0, 1, 1);
  EXPECT_OK(cuDevicePrimaryCtxReset_v2(0));
  EXPECT_EQ(heteroEmulatorLive("graphs"), 0u);
  cuda::DevicePointer memory;
  EXPECT_OK(cuMemAlloc_v2(&memory, 4));
}
