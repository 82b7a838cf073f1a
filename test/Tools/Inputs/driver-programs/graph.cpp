//===- graph.cpp - A graph, made node by node, with other arguments -----===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Program.h"

int main(int, char **arguments) {
  constexpr int kSize = 512;
  constexpr size_t kBytes = kSize * sizeof(float);
  CUcontext context;
  CHECK(cuInit(0));
  CHECK(cuCtxCreate(&context, nullptr, 0, 0));
  CUfunction add = load(arguments[1], "add");
  CUdeviceptr a, b, sum;
  for (CUdeviceptr *pointer : {&a, &b, &sum})
    CHECK(cuMemAlloc(pointer, kBytes));
  std::vector<float> values(kSize), result(kSize);
  for (int i = 0; i < kSize; ++i)
    values[i] = float(i);

  CUgraph graph;
  CHECK(cuGraphCreate(&graph, 0));
  CUgraphNode inputs[2], kernel, output;
  CUDA_MEMCPY3D copy = {};
  copy.srcMemoryType = CU_MEMORYTYPE_HOST;
  copy.srcHost = values.data();
  copy.dstMemoryType = CU_MEMORYTYPE_DEVICE;
  copy.dstDevice = a;
  copy.WidthInBytes = kBytes;
  copy.Height = copy.Depth = 1;
  CHECK(cuGraphAddMemcpyNode(&inputs[0], graph, nullptr, 0, &copy, context));
  CUDA_MEMSET_NODE_PARAMS fill = {b, 0, 0x3f800000, 4, kSize, 1}; // 1.0
  CHECK(cuGraphAddMemsetNode(&inputs[1], graph, nullptr, 0, &fill, context));
  int size = kSize;
  void *params[] = {&sum, &a, &b, &size};
  CUDA_KERNEL_NODE_PARAMS launch = {};
  launch.func = add;
  launch.gridDimX = kSize / 128;
  launch.blockDimX = 128;
  launch.gridDimY = launch.gridDimZ = launch.blockDimY = launch.blockDimZ = 1;
  launch.kernelParams = params;
  CHECK(cuGraphAddKernelNode(&kernel, graph, inputs, 2, &launch));
  copy.srcMemoryType = CU_MEMORYTYPE_DEVICE;
  copy.srcDevice = sum;
  copy.dstMemoryType = CU_MEMORYTYPE_HOST;
  copy.dstHost = result.data();
  CHECK(cuGraphAddMemcpyNode(&output, graph, &kernel, 1, &copy, context));

  CUgraphExec exec;
  CUstream stream;
  CHECK(cuGraphInstantiate(&exec, graph, 0));
  CHECK(cuGraphDestroy(graph));
  CHECK(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
  int wrong = 0;
  for (int round = 0; round < 5; ++round) {
    values[0] = float(round);
    CHECK(cuGraphLaunch(exec, stream));
    CHECK(cuStreamSynchronize(stream));
    for (int i = 0; i < kSize; ++i)
      wrong += result[i] != values[i] + 1;
  }
  CHECK(cuGraphExecDestroy(exec));
  CHECK(cuCtxDestroy(context));
  return report("graph", wrong);
}
