//===- WordNodesTest.cpp - Operations on words as nodes of graphs ---------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DriverAPIHarness.h"

namespace {
class WordNodesTest : public DriverAPITest {
protected:
  static CUstreamBatchMemOpParams write(CUdeviceptr address, unsigned value) {
    CUstreamBatchMemOpParams operation = {};
    operation.operation = CU_STREAM_MEM_OP_WRITE_VALUE_32;
    operation.writeValue.address = address;
    operation.writeValue.value = value;
    return operation;
  }
};
} // namespace

// Writes and waits of a captured stream are nodes, which run in each launch.
TEST_F(WordNodesTest, CapturedOperationsAreNodes) {
  CUstream stream;
  CUgraph graph;
  CUgraphExec exec;
  CUgraphNode nodes[3];
  CUgraphNodeType type;
  size_t count = 3;
  CUdeviceptr words = upload({0, 0, 0});
  ASSERT_OK(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
  ASSERT_OK(cuStreamBeginCapture(stream, CU_STREAM_CAPTURE_MODE_GLOBAL));
  EXPECT_OK(cuStreamWriteValue32(stream, words, 5, 0));
  EXPECT_OK(
      cuStreamWaitValue32(stream, words + 4, 3, CU_STREAM_WAIT_VALUE_GEQ));
  EXPECT_OK(cuStreamWriteValue32(stream, words + 8, 7, 0));
  EXPECT_EQ(cuStreamWriteValue32(stream, words + 2, 7, 0),
            CUDA_ERROR_INVALID_VALUE);
  ASSERT_OK(cuStreamEndCapture(stream, &graph));
  ASSERT_OK(cuGraphGetNodes(graph, nodes, &count));
  EXPECT_EQ(count, 3u);
  EXPECT_OK(cuGraphNodeGetType(nodes[1], &type));
  EXPECT_EQ(type, CU_GRAPH_NODE_TYPE_BATCH_MEM_OP);
  EXPECT_EQ(download(words, 3), std::vector<unsigned>({0, 0, 0}));
  ASSERT_OK(cuGraphInstantiate(&exec, graph, 0));
  EXPECT_OK(cuGraphLaunch(exec, stream));
  EXPECT_EQ(cuStreamQuery(stream), CUDA_ERROR_NOT_READY);
  unsigned reached = 3;
  EXPECT_OK(cuMemcpyHtoD(words + 4, &reached, 4));
  EXPECT_OK(cuStreamSynchronize(stream));
  EXPECT_EQ(download(words, 3), std::vector<unsigned>({5, 3, 7}));
  EXPECT_OK(cuGraphExecDestroy(exec));
  EXPECT_OK(cuGraphDestroy(graph));
  EXPECT_OK(cuStreamDestroy(stream));
}

// A node has the operations that it was given last, in the graph and in what is
// launched.
TEST_F(WordNodesTest, OperationsOfNodesCanBeChanged) {
  CUgraph graph;
  CUgraphExec exec;
  CUgraphNode node;
  CUdeviceptr words = upload({0, 0});
  CUstreamBatchMemOpParams operations[] = {write(words, 1),
                                           write(words + 4, 2)};
  CUDA_BATCH_MEM_OP_NODE_PARAMS params = {primary, 2, operations, 0}, found;
  ASSERT_OK(cuGraphCreate(&graph, 0));
  ASSERT_OK(cuGraphAddBatchMemOpNode(&node, graph, nullptr, 0, &params));
  EXPECT_OK(cuGraphBatchMemOpNodeGetParams(node, &found));
  EXPECT_EQ(found.count, 2u);
  EXPECT_EQ(found.paramArray[1].writeValue.value, 2u);
  ASSERT_OK(cuGraphInstantiate(&exec, graph, 0));
  EXPECT_OK(cuGraphLaunch(exec, nullptr));
  EXPECT_EQ(download(words, 2), std::vector<unsigned>({1, 2}));
  operations[0] = write(words + 4, 9);
  params.count = 1;
  EXPECT_OK(cuGraphExecBatchMemOpNodeSetParams(exec, node, &params));
  EXPECT_OK(cuGraphLaunch(exec, nullptr));
  EXPECT_EQ(download(words, 2), std::vector<unsigned>({1, 9}));
  CUgraphNodeParams any = {};
  any.type = CU_GRAPH_NODE_TYPE_BATCH_MEM_OP;
  any.memOp.ctx = primary;
  any.memOp.count = 1;
  any.memOp.paramArray = operations;
  EXPECT_OK(cuGraphNodeSetParams(node, &any));
  EXPECT_OK(cuGraphBatchMemOpNodeGetParams(node, &found));
  EXPECT_EQ(found.count, 1u);
  EXPECT_OK(cuGraphExecDestroy(exec));
  EXPECT_OK(cuGraphDestroy(graph));
}
