//===- GraphsTest.cpp - Graphs made node by node --------------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DriverAPIHarness.h"

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <sstream>

namespace {
/// Two arrays of 16 words, and the kernel that adds a number.
class GraphsTest : public DriverAPITest {
protected:
  void SetUp() override {
    DriverAPITest::SetUp();
    for (CUdeviceptr &array : arrays)
      array = upload(std::vector<unsigned>(16));
    add = kernel("add");
    ASSERT_OK(cuGraphCreate(&graph, 0));
    ASSERT_OK(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
  }

  /// Arguments of the kernel; they are read when the node is added.
  struct Call {
    CUdeviceptr to, from;
    unsigned number;
    void *pointers[3] = {&to, &from, &number};
    CUDA_KERNEL_NODE_PARAMS params = {};

    Call(CUfunction add, CUdeviceptr to, CUdeviceptr from, unsigned number)
        : to(to), from(from), number(number) {
      params.func = add;
      params.gridDimX = 2;
      params.blockDimX = 8;
      params.gridDimY = params.gridDimZ = 1;
      params.blockDimY = params.blockDimZ = 1;
      params.kernelParams = pointers;
    }
  };
  CUgraphNode addKernel(int to, int from, unsigned number,
                        std::vector<CUgraphNode> after) {
    Call call(add, arrays[to], arrays[from], number);
    CUgraphNode node = nullptr;
    EXPECT_OK(cuGraphAddKernelNode(&node, graph, after.data(), after.size(),
                                   &call.params));
    return node;
  }
  CUgraphNode addFill(int array, unsigned value,
                      std::vector<CUgraphNode> after) {
    CUDA_MEMSET_NODE_PARAMS params = {arrays[array], 0, value, 4, 16, 1};
    CUgraphNode node = nullptr;
    EXPECT_OK(cuGraphAddMemsetNode(&node, graph, after.data(), after.size(),
                                   &params, primary));
    return node;
  }
  CUDA_MEMCPY3D copyOut(int array, unsigned *words) {
    CUDA_MEMCPY3D copy = {};
    copy.srcMemoryType = CU_MEMORYTYPE_DEVICE;
    copy.srcDevice = arrays[array];
    copy.dstMemoryType = CU_MEMORYTYPE_HOST;
    copy.dstHost = words;
    copy.WidthInBytes = 64;
    copy.Height = copy.Depth = 1;
    return copy;
  }
  CUgraphExec instantiate() {
    CUgraphExec exec = nullptr;
    EXPECT_OK(cuGraphInstantiate(&exec, graph, 0));
    return exec;
  }
  unsigned run(CUgraphExec exec, int array) {
    EXPECT_OK(cuGraphLaunch(exec, stream));
    EXPECT_OK(cuStreamSynchronize(stream));
    return download(arrays[array], 16)[15];
  }

  CUdeviceptr arrays[2];
  CUfunction add = nullptr;
  CUgraph graph = nullptr;
  CUstream stream = nullptr;
};
} // namespace

TEST_F(GraphsTest, RunsNodesOfEachKind) {
  std::vector<unsigned> words(16);
  int calls = 0;
  CUgraphNode fill = addFill(0, 5, {});
  CUgraphNode first = addKernel(1, 0, 2, {fill}), copy, host, empty;
  CUDA_MEMCPY3D out = copyOut(1, words.data());
  EXPECT_OK(cuGraphAddMemcpyNode(&copy, graph, &first, 1, &out, primary));
  CUDA_HOST_NODE_PARAMS call = {[](void *data) { ++*static_cast<int *>(data); },
                                &calls};
  EXPECT_OK(cuGraphAddHostNode(&host, graph, &copy, 1, &call));
  EXPECT_OK(cuGraphAddEmptyNode(&empty, graph, &host, 1));
  CUgraphExec exec = instantiate();
  EXPECT_EQ(calls, 0);
  EXPECT_EQ(run(exec, 1), 7u);
  EXPECT_EQ(words, std::vector<unsigned>(16, 7));
  EXPECT_EQ(run(exec, 1), 7u);
  EXPECT_EQ(calls, 2);
  CUgraphNodeType type;
  EXPECT_OK(cuGraphNodeGetType(host, &type));
  EXPECT_EQ(type, CU_GRAPH_NODE_TYPE_HOST);
  EXPECT_OK(cuGraphExecDestroy(exec));
  EXPECT_OK(cuGraphDestroy(graph));
  EXPECT_EQ(cuGraphNodeGetType(host, &type), CUDA_ERROR_INVALID_VALUE);
}

/// Four chains of different length meet in one node.
TEST_F(GraphsTest, KeepsTheOrderOfEdges) {
  CUgraphNode root = addFill(0, 1, {}), other = addFill(1, 0, {});
  std::vector<CUgraphNode> ends = {other};
  for (int chain = 0; chain < 4; ++chain) {
    CUgraphNode last = root;
    for (int i = 0; i < chain; ++i)
      EXPECT_OK(cuGraphAddEmptyNode(&last, graph, &last, 1));
    if (last != root)
      ends.push_back(last);
  }
  CUgraphNode join = addKernel(1, 0, 10, ends);
  size_t count = 0;
  EXPECT_OK(cuGraphNodeGetDependencies(join, nullptr, nullptr, &count));
  EXPECT_EQ(count, 4u);
  EXPECT_OK(cuGraphGetRootNodes(graph, nullptr, &count));
  EXPECT_EQ(count, 2u);
  EXPECT_OK(cuGraphGetEdges(graph, nullptr, nullptr, nullptr, &count));
  EXPECT_EQ(count, 6u + 4u);
  EXPECT_OK(cuGraphNodeGetDependentNodes(root, nullptr, nullptr, &count));
  EXPECT_EQ(count, 3u);
  EXPECT_EQ(run(instantiate(), 1), 11u);
}

TEST_F(GraphsTest, EdgesComeAndGo) {
  CUgraphNode fill = addFill(0, 1, {}), first = addKernel(0, 0, 10, {}),
              second = addKernel(1, 0, 100, {});
  CUgraphNode from[] = {fill, first}, to[] = {first, second};
  EXPECT_OK(cuGraphAddDependencies(graph, from, to, nullptr, 2));
  EXPECT_EQ(cuGraphAddDependencies(graph, from, to, nullptr, 1),
            CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(run(instantiate(), 1), 111u);
  // A cycle is none that can run.
  EXPECT_OK(cuGraphAddDependencies(graph, &second, &fill, nullptr, 1));
  CUgraphExec exec;
  EXPECT_EQ(cuGraphInstantiate(&exec, graph, 0), CUDA_ERROR_INVALID_VALUE);
  EXPECT_OK(cuGraphRemoveDependencies(graph, &second, &fill, nullptr, 1));
  EXPECT_EQ(cuGraphRemoveDependencies(graph, &second, &fill, nullptr, 1),
            CUDA_ERROR_INVALID_VALUE);
  EXPECT_OK(cuGraphDestroyNode(first));
  CUgraphNode nodes[3];
  size_t count = 3;
  EXPECT_OK(cuGraphGetNodes(graph, nodes, &count));
  EXPECT_EQ(count, 2u);
  EXPECT_OK(cuGraphAddDependencies(graph, &fill, &second, nullptr, 1));
  EXPECT_EQ(run(instantiate(), 1), 101u);
}

TEST_F(GraphsTest, TakesOtherParameters) {
  CUgraphNode fill = addFill(0, 1, {}), node = addKernel(1, 0, 10, {fill});
  CUgraphExec exec = instantiate();
  CUDA_KERNEL_NODE_PARAMS params;
  EXPECT_OK(cuGraphKernelNodeGetParams(node, &params));
  EXPECT_EQ(params.func, add);
  EXPECT_EQ(params.gridDimX, 2u);
  EXPECT_EQ(*static_cast<CUdeviceptr *>(params.kernelParams[0]), arrays[1]);
  EXPECT_EQ(*static_cast<unsigned *>(params.kernelParams[2]), 10u);
  Call call(add, arrays[1], arrays[0], 20);
  EXPECT_OK(cuGraphExecKernelNodeSetParams(exec, node, &call.params));
  EXPECT_EQ(run(exec, 1), 21u);
  CUDA_MEMSET_NODE_PARAMS other = {arrays[0], 0, 3, 4, 16, 1};
  EXPECT_OK(cuGraphExecMemsetNodeSetParams(exec, fill, &other, primary));
  EXPECT_EQ(run(exec, 1), 23u);
  // The graph is as it was; it gives the exec its parameters back.
  CUgraphExecUpdateResultInfo info;
  EXPECT_OK(cuGraphExecUpdate(exec, graph, &info));
  EXPECT_EQ(run(exec, 1), 11u);
  EXPECT_OK(cuGraphKernelNodeSetParams(node, &call.params));
  EXPECT_EQ(run(instantiate(), 1), 21u);
  EXPECT_OK(cuGraphNodeSetEnabled(exec, fill, 0));
  EXPECT_OK(cuMemsetD32(arrays[0], 100, 16));
  EXPECT_EQ(run(exec, 1), 110u);
  unsigned isEnabled = 1;
  EXPECT_OK(cuGraphNodeGetEnabled(exec, fill, &isEnabled));
  EXPECT_EQ(isEnabled, 0u);
  EXPECT_EQ(cuGraphExecKernelNodeSetParams(exec, fill, &call.params),
            CUDA_ERROR_INVALID_VALUE);
  CUgraphNode more = addFill(0, 1, {node});
  EXPECT_EQ(cuGraphExecUpdate(exec, graph, &info),
            CUDA_ERROR_GRAPH_EXEC_UPDATE_FAILURE);
  EXPECT_EQ(info.result, CU_GRAPH_EXEC_UPDATE_ERROR_TOPOLOGY_CHANGED);
  EXPECT_EQ(info.errorNode, more);
}

TEST_F(GraphsTest, GraphsAreNodes) {
  CUgraph child;
  ASSERT_OK(cuGraphCreate(&child, 0));
  std::swap(graph, child);
  CUgraphNode inner = addKernel(1, 0, 10, {});
  addKernel(1, 1, 100, {inner});
  std::swap(graph, child);
  CUgraphNode fill = addFill(0, 1, {}), part, same;
  EXPECT_OK(cuGraphAddChildGraphNode(&part, graph, &fill, 1, child));
  addKernel(1, 1, 1000, {part});
  // The node has a graph of its own.
  CUgraph embedded;
  EXPECT_OK(cuGraphChildGraphNodeGetGraph(part, &embedded));
  EXPECT_NE(embedded, child);
  EXPECT_OK(cuGraphNodeFindInClone(&same, inner, embedded));
  EXPECT_NE(same, inner);
  CUgraphExec exec = instantiate();
  EXPECT_EQ(run(exec, 1), 1111u);
  Call call(add, arrays[1], arrays[0], 20);
  EXPECT_OK(cuGraphExecKernelNodeSetParams(exec, same, &call.params));
  EXPECT_EQ(run(exec, 1), 1121u);
  EXPECT_OK(cuGraphKernelNodeSetParams(inner, &call.params));
  Call again(add, arrays[1], arrays[0], 30);
  EXPECT_OK(cuGraphKernelNodeSetParams(inner, &again.params));
  EXPECT_OK(cuGraphExecChildGraphNodeSetParams(exec, part, child));
  EXPECT_EQ(run(exec, 1), 1131u);
  EXPECT_OK(cuGraphDestroyNode(inner));
  EXPECT_EQ(cuGraphExecChildGraphNodeSetParams(exec, part, child),
            CUDA_ERROR_INVALID_VALUE);
}

TEST_F(GraphsTest, ClonesAndCapturesHaveNodes) {
  ASSERT_OK(cuStreamBeginCapture(stream, CU_STREAM_CAPTURE_MODE_GLOBAL));
  EXPECT_OK(cuMemsetD32Async(arrays[0], 4, 16, stream));
  EXPECT_OK(launchAdd(add, arrays[1], arrays[0], 2, 16, stream));
  CUstreamCaptureStatus status;
  EXPECT_OK(cuStreamIsCapturing(stream, &status));
  EXPECT_EQ(status, CU_STREAM_CAPTURE_STATUS_ACTIVE);
  EXPECT_OK(cuStreamEndCapture(stream, &graph));
  CUgraphNode nodes[2];
  size_t count = 2;
  EXPECT_OK(cuGraphGetNodes(graph, nodes, &count));
  ASSERT_EQ(count, 2u);
  CUDA_MEMSET_NODE_PARAMS fill;
  EXPECT_OK(cuGraphMemsetNodeGetParams(nodes[0], &fill));
  EXPECT_EQ(fill.value, 4u);
  EXPECT_EQ(fill.width, 16u);
  CUgraph clone;
  EXPECT_OK(cuGraphClone(&clone, graph));
  CUgraphExec exec = instantiate();
  Call call(add, arrays[1], arrays[0], 8);
  EXPECT_OK(cuGraphExecKernelNodeSetParams(exec, nodes[1], &call.params));
  EXPECT_EQ(run(exec, 1), 12u);
  EXPECT_OK(cuGraphDestroy(graph));
  std::swap(graph, clone);
  EXPECT_EQ(run(instantiate(), 1), 6u);
}

TEST_F(GraphsTest, EventsAreNodes) {
  CUevent event;
  ASSERT_OK(cuEventCreate(&event, CU_EVENT_DISABLE_TIMING));
  CUgraphNode fill = addFill(0, 1, {}), record, wait;
  EXPECT_OK(cuGraphAddEventRecordNode(&record, graph, &fill, 1, event));
  CUgraphExec first = instantiate();
  ASSERT_OK(cuGraphCreate(&graph, 0));
  EXPECT_OK(cuGraphAddEventWaitNode(&wait, graph, nullptr, 0, event));
  addKernel(1, 0, 5, {wait});
  CUgraphExec second = instantiate();
  CUevent known;
  EXPECT_OK(cuGraphEventWaitNodeGetEvent(wait, &known));
  EXPECT_EQ(known, event);
  CUstream other;
  ASSERT_OK(cuStreamCreate(&other, CU_STREAM_NON_BLOCKING));
  EXPECT_OK(cuGraphLaunch(first, other));
  EXPECT_EQ(run(second, 1), 6u);
}

TEST_F(GraphsTest, DrawsAPicture) {
  addKernel(1, 0, 5, {addFill(0, 1, {})});
  std::string path = testing::TempDir() + "hetero-graph.dot";
  EXPECT_OK(cuGraphDebugDotPrint(graph, path.c_str(), 0));
  std::ifstream file(path);
  std::stringstream text;
  text << file.rdbuf();
  EXPECT_EQ(text.str(), "digraph {\n  n0 [label=\"fill\"];\n"
                        "  n1 [label=\"kernel add\"];\n  n0 -> n1;\n}\n");
  std::remove(path.c_str());
}

TEST_F(GraphsTest, TakesNodesOfAnyKind) {
  CUgraphNodeParams params = {};
  params.type = CU_GRAPH_NODE_TYPE_MEMSET;
  params.memset.dst = arrays[0];
  params.memset.elementSize = 2;
  params.memset.value = 0x101;
  params.memset.width = 32;
  params.memset.height = 1;
  CUgraphNode node;
  EXPECT_OK(cuGraphAddNode(&node, graph, nullptr, nullptr, 0, &params));
  EXPECT_EQ(run(instantiate(), 0), 0x1010101u);
  params.type = CU_GRAPH_NODE_TYPE_CONDITIONAL;
  EXPECT_EQ(cuGraphAddNode(&node, graph, nullptr, nullptr, 0, &params),
            CUDA_ERROR_NOT_SUPPORTED);
  CUgraphNode foreign = reinterpret_cast<CUgraphNode>(&params);
  EXPECT_EQ(cuGraphAddEmptyNode(&node, graph, &foreign, 1),
            CUDA_ERROR_INVALID_VALUE);
}
