//===- GraphMemoryTest.cpp - Memory that graphs allocate ------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DriverAPIHarness.h"

namespace {
class GraphMemoryTest : public DriverAPITest {
protected:
  static constexpr unsigned kCount = 16;

  void SetUp() override {
    DriverAPITest::SetUp();
    ASSERT_OK(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
    add = kernel("add");
    out = upload(std::vector<unsigned>(kCount));
  }
  void TearDown() override {
    EXPECT_OK(cuStreamDestroy(stream));
    DriverAPITest::TearDown();
  }
  static CUDA_MEM_ALLOC_NODE_PARAMS request(size_t bytes) {
    CUDA_MEM_ALLOC_NODE_PARAMS params = {};
    params.poolProps.allocType = CU_MEM_ALLOCATION_TYPE_PINNED;
    params.poolProps.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
    params.bytesize = bytes;
    return params;
  }
  static cuuint64_t usedBytes() {
    cuuint64_t bytes = 1;
    EXPECT_OK(cuDeviceGetGraphMemAttribute(
        0, CU_GRAPH_MEM_ATTR_USED_MEM_CURRENT, &bytes));
    return bytes;
  }
  /// Fills the captured memory with `value` and adds one into `out`.
  void use(CUdeviceptr memory, unsigned value) {
    EXPECT_OK(cuMemsetD32Async(memory, value, kCount, stream));
    EXPECT_OK(launchAdd(add, out, memory, 1, kCount, stream));
  }
  CUgraph endCapture() {
    CUgraph graph = nullptr;
    EXPECT_OK(cuStreamEndCapture(stream, &graph));
    return graph;
  }

  CUstream stream = nullptr;
  CUfunction add = nullptr;
  CUdeviceptr out = 0;
};
} // namespace

// What a captured stream allocates and frees is memory of the graph, in each
// launch at the same address.
TEST_F(GraphMemoryTest, CapturedAllocationsAreNodes) {
  CUdeviceptr memory = 0, found = 0;
  ASSERT_OK(cuStreamBeginCapture(stream, CU_STREAM_CAPTURE_MODE_GLOBAL));
  ASSERT_OK(cuMemAllocAsync(&memory, 4 * kCount, stream));
  use(memory, 6);
  ASSERT_OK(cuMemFreeAsync(memory, stream));
  EXPECT_EQ(cuMemFreeAsync(memory, stream), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cuMemFreeAsync(out, stream), CUDA_ERROR_INVALID_VALUE);
  CUgraph graph = endCapture();
  CUgraphNode nodes[4];
  size_t count = 4;
  ASSERT_OK(cuGraphGetNodes(graph, nodes, &count));
  EXPECT_EQ(count, 4u);
  CUgraphNodeType type;
  EXPECT_OK(cuGraphNodeGetType(nodes[0], &type));
  EXPECT_EQ(type, CU_GRAPH_NODE_TYPE_MEM_ALLOC);
  CUDA_MEM_ALLOC_NODE_PARAMS params;
  EXPECT_OK(cuGraphMemAllocNodeGetParams(nodes[0], &params));
  EXPECT_EQ(params.dptr, memory);
  EXPECT_EQ(params.bytesize, 4u * kCount);
  EXPECT_OK(cuGraphNodeGetType(nodes[3], &type));
  EXPECT_EQ(type, CU_GRAPH_NODE_TYPE_MEM_FREE);
  EXPECT_OK(cuGraphMemFreeNodeGetParams(nodes[3], &found));
  EXPECT_EQ(found, memory);
  // Nothing is there before the launch and after it.
  EXPECT_EQ(cuMemsetD32(memory, 0, 1), CUDA_ERROR_INVALID_VALUE);
  CUgraphExec exec;
  ASSERT_OK(cuGraphInstantiate(&exec, graph, 0));
  for (int launch = 0; launch < 3; ++launch) {
    EXPECT_OK(cuMemsetD32(out, 0, kCount));
    EXPECT_OK(cuGraphLaunch(exec, stream));
    EXPECT_OK(cuStreamSynchronize(stream));
    EXPECT_EQ(download(out, kCount), std::vector<unsigned>(kCount, 7));
    EXPECT_EQ(usedBytes(), 0u);
  }
  EXPECT_EQ(cuMemsetD32(memory, 0, 1), CUDA_ERROR_INVALID_VALUE);
  cuuint64_t high = 0;
  EXPECT_OK(
      cuDeviceGetGraphMemAttribute(0, CU_GRAPH_MEM_ATTR_USED_MEM_HIGH, &high));
  EXPECT_EQ(high, 4u * kCount);
  EXPECT_OK(cuGraphExecDestroy(exec));
  EXPECT_OK(cuGraphDestroy(graph));
}

// Memory that a launch leaves is the program's, which frees it before the next
// one, or lets the launch do so.
TEST_F(GraphMemoryTest, MemoryOutlivesTheLaunch) {
  CUgraph graph;
  CUgraphNode node, fill;
  CUDA_MEM_ALLOC_NODE_PARAMS params = request(4 * kCount);
  ASSERT_OK(cuGraphCreate(&graph, 0));
  ASSERT_OK(cuGraphAddMemAllocNode(&node, graph, nullptr, 0, &params));
  CUDA_MEMSET_NODE_PARAMS values = {params.dptr, 0, 5, 4, kCount, 1};
  ASSERT_OK(cuGraphAddMemsetNode(&fill, graph, &node, 1, &values, primary));
  CUgraphExec exec, second;
  ASSERT_OK(cuGraphInstantiate(&exec, graph, 0));
  EXPECT_EQ(cuGraphInstantiate(&second, graph, 0), CUDA_ERROR_NOT_SUPPORTED);
  EXPECT_OK(cuGraphLaunch(exec, stream));
  EXPECT_EQ(cuGraphLaunch(exec, stream), CUDA_ERROR_INVALID_VALUE);
  // The stream may be yet to allocate it.
  EXPECT_OK(launchAdd(add, out, params.dptr, 1, kCount, stream));
  EXPECT_OK(cuMemFreeAsync(params.dptr, stream));
  EXPECT_OK(cuGraphLaunch(exec, stream));
  EXPECT_OK(cuStreamSynchronize(stream));
  EXPECT_EQ(download(out, kCount), std::vector<unsigned>(kCount, 6));
  EXPECT_EQ(download(params.dptr, kCount), std::vector<unsigned>(kCount, 5));
  EXPECT_EQ(usedBytes(), 4u * kCount);
  EXPECT_OK(cuMemFree(params.dptr));
  EXPECT_EQ(usedBytes(), 0u);
  EXPECT_OK(cuGraphExecDestroy(exec));
  ASSERT_OK(cuGraphInstantiate(
      &exec, graph, CUDA_GRAPH_INSTANTIATE_FLAG_AUTO_FREE_ON_LAUNCH));
  EXPECT_OK(cuGraphLaunch(exec, stream));
  EXPECT_OK(cuGraphLaunch(exec, stream));
  EXPECT_OK(cuStreamSynchronize(stream));
  EXPECT_OK(cuGraphExecDestroy(exec));
  EXPECT_OK(cuGraphDestroy(graph));
  EXPECT_EQ(download(params.dptr, kCount), std::vector<unsigned>(kCount, 5));
  EXPECT_OK(cuMemFree(params.dptr));
}

// A graph frees what another one has allocated; neither can be copied.
TEST_F(GraphMemoryTest, GraphsPassMemoryOn) {
  CUgraph first, second, copy;
  CUgraphNode allocate, free, node;
  CUgraphNodeParams params = {};
  params.type = CU_GRAPH_NODE_TYPE_MEM_ALLOC;
  params.alloc.poolProps = request(0).poolProps;
  params.alloc.bytesize = 64;
  ASSERT_OK(cuGraphCreate(&first, 0));
  ASSERT_OK(cuGraphCreate(&second, 0));
  ASSERT_OK(cuGraphAddNode(&allocate, first, nullptr, nullptr, 0, &params));
  ASSERT_NE(params.alloc.dptr, 0u);
  ASSERT_OK(
      cuGraphAddMemFreeNode(&free, second, nullptr, 0, params.alloc.dptr));
  EXPECT_EQ(cuGraphAddMemFreeNode(&free, second, nullptr, 0, out),
            CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cuGraphClone(&copy, first), CUDA_ERROR_NOT_SUPPORTED);
  EXPECT_EQ(cuGraphAddChildGraphNode(&node, second, nullptr, 0, first),
            CUDA_ERROR_NOT_SUPPORTED);
  EXPECT_EQ(cuGraphDestroyNode(allocate), CUDA_ERROR_NOT_SUPPORTED);
  CUgraphExec execs[2];
  ASSERT_OK(cuGraphInstantiate(&execs[0], first, 0));
  ASSERT_OK(cuGraphInstantiate(&execs[1], second, 0));
  for (int launch = 0; launch < 2; ++launch) {
    EXPECT_OK(cuGraphLaunch(execs[0], stream));
    EXPECT_OK(cuMemsetD8Async(params.alloc.dptr, 1, 64, stream));
    EXPECT_OK(cuGraphLaunch(execs[1], stream));
  }
  EXPECT_OK(cuStreamSynchronize(stream));
  EXPECT_EQ(usedBytes(), 0u);
  for (CUgraphExec exec : execs)
    EXPECT_OK(cuGraphExecDestroy(exec));
  EXPECT_OK(cuGraphDestroy(first));
  EXPECT_OK(cuGraphDestroy(second));
}

// A launch of a graph in a captured stream becomes a part of the captured
// graph.
TEST_F(GraphMemoryTest, LaunchesAreCaptured) {
  CUgraph inner, outer;
  CUgraphExec innerExec, outerExec;
  ASSERT_OK(cuStreamBeginCapture(stream, CU_STREAM_CAPTURE_MODE_GLOBAL));
  EXPECT_OK(launchAdd(add, out, out, 1, kCount, stream));
  EXPECT_OK(launchAdd(add, out, out, 2, kCount, stream));
  inner = endCapture();
  ASSERT_OK(cuGraphInstantiate(&innerExec, inner, 0));
  ASSERT_OK(cuStreamBeginCapture(stream, CU_STREAM_CAPTURE_MODE_GLOBAL));
  EXPECT_OK(cuGraphLaunch(innerExec, stream));
  EXPECT_OK(launchAdd(add, out, out, 10, kCount, stream));
  EXPECT_OK(cuGraphLaunch(innerExec, stream));
  outer = endCapture();
  ASSERT_OK(cuGraphInstantiate(&outerExec, outer, 0));
  EXPECT_OK(cuGraphExecDestroy(innerExec));
  EXPECT_OK(cuGraphDestroy(inner));
  EXPECT_OK(cuGraphLaunch(outerExec, stream));
  EXPECT_OK(cuStreamSynchronize(stream));
  EXPECT_EQ(download(out, kCount), std::vector<unsigned>(kCount, 16));
  EXPECT_OK(cuGraphExecDestroy(outerExec));
  EXPECT_OK(cuGraphDestroy(outer));
}
