//===- CapturesTest.cpp - Graphs while they are captured ------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DriverAPIHarness.h"

#include <algorithm>

namespace {
class CapturesTest : public DriverAPITest {
protected:
  void SetUp() override {
    DriverAPITest::SetUp();
    for (CUstream *stream : {&first, &second})
      ASSERT_OK(cuStreamCreate(stream, CU_STREAM_NON_BLOCKING));
    words = upload(std::vector<unsigned>(32));
  }
  void TearDown() override {
    for (CUstream stream : {first, second})
      EXPECT_OK(cuStreamDestroy(stream));
    DriverAPITest::TearDown();
  }

  struct Info {
    CUstreamCaptureStatus status = CU_STREAM_CAPTURE_STATUS_INVALIDATED;
    cuuint64_t id = 0;
    CUgraph graph = nullptr;
    std::vector<CUgraphNode> after;
  };
  static Info infoOf(CUstream stream) {
    Info info;
    const CUgraphNode *nodes = nullptr;
    const CUgraphEdgeData *edges = nullptr;
    size_t count = 0;
    EXPECT_OK(cuStreamGetCaptureInfo_v3(stream, &info.status, &info.id,
                                        &info.graph, &nodes, &edges, &count));
    EXPECT_EQ(edges, nullptr);
    info.after.assign(nodes, nodes + count);
    return info;
  }
  static size_t numNodes(CUgraph graph) {
    size_t count = 0;
    EXPECT_OK(cuGraphGetNodes(graph, nullptr, &count));
    return count;
  }
  void fill(CUstream stream, unsigned place, unsigned value) {
    EXPECT_OK(cuMemsetD32Async(words + 4 * place, value, 1, stream));
  }
  void run(CUgraph graph) {
    CUgraphExec exec;
    ASSERT_OK(cuGraphInstantiate(&exec, graph, 0));
    EXPECT_OK(cuGraphLaunch(exec, first));
    EXPECT_OK(cuStreamSynchronize(first));
    EXPECT_OK(cuGraphExecDestroy(exec));
  }

  CUstream first = nullptr, second = nullptr;
  CUdeviceptr words = 0;
};
} // namespace

TEST_F(CapturesTest, TheGraphSoFar) {
  EXPECT_EQ(infoOf(first).status, CU_STREAM_CAPTURE_STATUS_NONE);
  ASSERT_OK(cuStreamBeginCapture(first, CU_STREAM_CAPTURE_MODE_RELAXED));
  Info info = infoOf(first);
  EXPECT_EQ(info.status, CU_STREAM_CAPTURE_STATUS_ACTIVE);
  EXPECT_TRUE(info.after.empty());
  EXPECT_EQ(numNodes(info.graph), 0u);
  fill(first, 0, 1);
  Info later = infoOf(first);
  EXPECT_EQ(later.graph, info.graph);
  EXPECT_EQ(later.id, info.id);
  ASSERT_EQ(later.after.size(), 1u);
  CUgraphNodeType type;
  EXPECT_OK(cuGraphNodeGetType(later.after[0], &type));
  EXPECT_EQ(type, CU_GRAPH_NODE_TYPE_MEMSET);
  EXPECT_EQ(numNodes(info.graph), 1u);
  CUgraph graph;
  EXPECT_OK(cuStreamEndCapture(first, &graph));
  EXPECT_EQ(graph, info.graph);
  run(graph);
  EXPECT_EQ(download(words, 1)[0], 1u);
  EXPECT_OK(cuGraphDestroy(graph));
}

/// Of a stream that waits for an event of another one.
TEST_F(CapturesTest, WhatTheNextWorkComesAfter) {
  CUevent fork, join;
  ASSERT_OK(cuEventCreate(&fork, 0));
  ASSERT_OK(cuEventCreate(&join, 0));
  ASSERT_OK(cuStreamBeginCapture(first, CU_STREAM_CAPTURE_MODE_GLOBAL));
  fill(first, 0, 1);
  EXPECT_OK(cuEventRecord(fork, first));
  EXPECT_OK(cuStreamWaitEvent(second, fork, 0));
  EXPECT_EQ(infoOf(second).after, infoOf(first).after);
  fill(first, 1, 2);
  fill(second, 2, 3);
  EXPECT_OK(cuEventRecord(join, second));
  EXPECT_OK(cuStreamWaitEvent(first, join, 0));
  std::vector<CUgraphNode> after = infoOf(first).after;
  EXPECT_EQ(after.size(), 2u);
  EXPECT_NE(std::find(after.begin(), after.end(), infoOf(second).after[0]),
            after.end());
  CUgraph graph;
  EXPECT_OK(cuStreamEndCapture(first, &graph));
  run(graph);
  EXPECT_EQ(download(words, 3), countFrom(1, 3));
  EXPECT_OK(cuGraphDestroy(graph));
  EXPECT_OK(cuEventDestroy(fork));
  EXPECT_OK(cuEventDestroy(join));
}

/// Programs put nodes of their own into what is captured.
TEST_F(CapturesTest, NodesOfThePrograms) {
  ASSERT_OK(cuStreamBeginCapture(first, CU_STREAM_CAPTURE_MODE_RELAXED));
  fill(first, 0, 1);
  Info info = infoOf(first);
  CUDA_MEMSET_NODE_PARAMS params = {words, 0, 7, 4, 2, 1};
  CUgraphNode node;
  EXPECT_OK(cuGraphAddMemsetNode(&node, info.graph, info.after.data(), 1,
                                 &params, primary));
  EXPECT_OK(cuStreamUpdateCaptureDependencies(
      first, &node, nullptr, 1, CU_STREAM_SET_CAPTURE_DEPENDENCIES));
  EXPECT_EQ(infoOf(first).after, std::vector<CUgraphNode>{node});
  fill(first, 1, 8);
  EXPECT_OK(cuStreamUpdateCaptureDependencies(
      first, &node, nullptr, 1, CU_STREAM_ADD_CAPTURE_DEPENDENCIES));
  EXPECT_EQ(infoOf(first).after.size(), 2u);
  CUgraphNode foreign = reinterpret_cast<CUgraphNode>(&params);
  EXPECT_EQ(
      cuStreamUpdateCaptureDependencies(first, &foreign, nullptr, 1,
                                        CU_STREAM_ADD_CAPTURE_DEPENDENCIES),
      CUDA_ERROR_INVALID_VALUE);
  CUgraph graph;
  EXPECT_OK(cuStreamEndCapture(first, &graph));
  run(graph);
  EXPECT_EQ(download(words, 2), (std::vector<unsigned>{7, 8}));
  EXPECT_OK(cuGraphDestroy(graph));
  EXPECT_EQ(cuStreamUpdateCaptureDependencies(first, nullptr, nullptr, 0, 0),
            CUDA_ERROR_ILLEGAL_STATE);
}

TEST_F(CapturesTest, IntoAGraphThatThereIs) {
  CUgraph graph, same;
  ASSERT_OK(cuGraphCreate(&graph, 0));
  CUDA_MEMSET_NODE_PARAMS params = {words, 0, 7, 4, 2, 1};
  CUgraphNode node;
  EXPECT_OK(cuGraphAddMemsetNode(&node, graph, nullptr, 0, &params, primary));
  ASSERT_OK(cuStreamBeginCaptureToGraph(first, graph, &node, nullptr, 1,
                                        CU_STREAM_CAPTURE_MODE_RELAXED));
  EXPECT_EQ(infoOf(first).graph, graph);
  fill(first, 1, 8);
  EXPECT_OK(cuStreamEndCapture(first, &same));
  EXPECT_EQ(same, graph);
  EXPECT_EQ(numNodes(graph), 2u);
  run(graph);
  EXPECT_EQ(download(words, 2), (std::vector<unsigned>{7, 8}));
  EXPECT_OK(cuGraphDestroy(graph));
}

/// What comes of a capture that failed is nothing.
TEST_F(CapturesTest, NoGraphOfAFailure) {
  ASSERT_OK(cuStreamBeginCapture(first, CU_STREAM_CAPTURE_MODE_RELAXED));
  CUgraph graph = infoOf(first).graph;
  EXPECT_EQ(cuStreamSynchronize(first), CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED);
  EXPECT_EQ(infoOf(first).status, CU_STREAM_CAPTURE_STATUS_INVALIDATED);
  CUgraph none;
  EXPECT_EQ(cuStreamEndCapture(first, &none),
            CUDA_ERROR_STREAM_CAPTURE_INVALIDATED);
  EXPECT_EQ(none, nullptr);
  EXPECT_EQ(cuGraphDestroy(graph), CUDA_ERROR_INVALID_VALUE);
}

//===----------------------------------------------------------------------===//
// User objects
//===----------------------------------------------------------------------===//

namespace {
struct Counted {
  int destroyed = 0;
  static void destroy(void *pointer) {
    ++static_cast<Counted *>(pointer)->destroyed;
  }
  CUuserObject make(unsigned count) {
    CUuserObject object = nullptr;
    EXPECT_OK(cuUserObjectCreate(&object, this, destroy, count,
                                 CU_USER_OBJECT_NO_DESTRUCTOR_SYNC));
    return object;
  }
};
} // namespace

TEST_F(CapturesTest, ObjectsAreCounted) {
  Counted counted;
  CUuserObject object = counted.make(2);
  EXPECT_OK(cuUserObjectRetain(object, 3));
  EXPECT_OK(cuUserObjectRelease(object, 4));
  EXPECT_EQ(counted.destroyed, 0);
  EXPECT_EQ(cuUserObjectRelease(object, 2), CUDA_ERROR_INVALID_VALUE);
  EXPECT_OK(cuUserObjectRelease(object, 1));
  EXPECT_EQ(counted.destroyed, 1);
  EXPECT_EQ(cuUserObjectRelease(object, 1), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cuUserObjectCreate(&object, &counted, Counted::destroy, 0,
                               CU_USER_OBJECT_NO_DESTRUCTOR_SYNC),
            CUDA_ERROR_INVALID_VALUE);
}

/// The graph, its copy and what is made of them to be launched.
TEST_F(CapturesTest, GraphsKeepObjects) {
  Counted counted;
  CUuserObject object = counted.make(1);
  CUgraph graph, copy;
  CUgraphExec exec;
  ASSERT_OK(cuGraphCreate(&graph, 0));
  EXPECT_OK(
      cuGraphRetainUserObject(graph, object, 1, CU_GRAPH_USER_OBJECT_MOVE));
  EXPECT_OK(cuGraphRetainUserObject(graph, object, 2, 0));
  EXPECT_OK(cuGraphReleaseUserObject(graph, object, 2));
  EXPECT_EQ(cuGraphReleaseUserObject(graph, object, 2),
            CUDA_ERROR_INVALID_VALUE);
  EXPECT_OK(cuGraphClone(&copy, graph));
  EXPECT_OK(cuGraphInstantiate(&exec, copy, 0));
  EXPECT_OK(cuGraphDestroy(graph));
  EXPECT_OK(cuGraphDestroy(copy));
  EXPECT_EQ(counted.destroyed, 0);
  EXPECT_OK(cuGraphExecDestroy(exec));
  EXPECT_EQ(counted.destroyed, 1);
}

TEST_F(CapturesTest, CapturedGraphsKeepObjects) {
  Counted counted;
  ASSERT_OK(cuStreamBeginCapture(first, CU_STREAM_CAPTURE_MODE_RELAXED));
  EXPECT_OK(cuGraphRetainUserObject(infoOf(first).graph, counted.make(1), 1,
                                    CU_GRAPH_USER_OBJECT_MOVE));
  CUgraph graph;
  EXPECT_OK(cuStreamEndCapture(first, &graph));
  EXPECT_EQ(counted.destroyed, 0);
  EXPECT_OK(cuGraphDestroy(graph));
  EXPECT_EQ(counted.destroyed, 1);
}
