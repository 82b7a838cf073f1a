//===- FakeGraphs.cpp - Graphs of a driver that does as a test says -------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What drivers with graphs have and FakeDriver.cpp has not. Work is done when
// it is captured, and a launch does nothing but count itself.
//
//===----------------------------------------------------------------------===//

#include "FakeDriver.h"
#include "hetero/Runtime/CudaDriver.h"

using namespace hetero::cuda;

#define FAKE_API extern "C" __attribute__((visibility("default"))) Result

FAKE_API cuStreamBeginCapture_v2(Stream, int) { return kSuccess; }
FAKE_API cuStreamEndCapture(Stream, Graph *graph) {
  *graph = reinterpret_cast<Graph>(heteroFakeDriver());
  return kSuccess;
}
FAKE_API cuGraphInstantiateWithFlags(GraphExec *exec, Graph,
                                     unsigned long long) {
  *exec = reinterpret_cast<GraphExec>(heteroFakeDriver());
  return kSuccess;
}
FAKE_API cuGraphDestroy(Graph) { return kSuccess; }
FAKE_API cuGraphExecDestroy(GraphExec) { return kSuccess; }
FAKE_API cuGraphLaunch(GraphExec, Stream) {
  FakeDriver &driver = *heteroFakeDriver();
  ++driver.graphLaunches;
  return driver.launchResult;
}
FAKE_API cuEventRecordWithFlags(Event, Stream, unsigned) { return kSuccess; }
FAKE_API cuFuncGetParamInfo(Function, size_t, size_t *, size_t *) {
  return kInvalidValue;
}
