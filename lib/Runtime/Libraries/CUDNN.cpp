//===- CUDNN.cpp - Handles and errors of cuDNN ----------------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Runtime/Libraries/CUDNN.h"

#include "Runtime/Libraries/Matrices.h"

using namespace hetero;
using namespace hetero::runtime;
using namespace hetero::runtime::cudnn;

static HeteroStatus statusOf(int result) {
  if (result == kHostAllocationFailed || result == kDeviceAllocationFailed)
    return HETERO_ERROR_OUT_OF_MEMORY;
  return result >= kExecutionFailed ? HETERO_ERROR_LAUNCH : HETERO_ERROR_DRIVER;
}

void Calls::failAt(const char *name, int failure) {
  std::string shapes;
  for (int32_t i = 0; i < call.count; ++i)
    shapes += (i == 0                ? "convolution of "
               : i == call.count - 1 ? " into "
                                     : " and ") +
              describeSizes(call.values[i]);
  result = failure;
  status = failLibraryCall(call, {name, functions.getErrorString(failure),
                                  statusOf(failure), shapes});
}

HeteroStatus UnitHandle::open(const LibraryCall &call) {
  HeteroStatus status = HETERO_OK;
#define HETERO_FIND(member, name, result, parameters)                          \
  if (status == HETERO_OK)                                                     \
    status = findFunction(call.library, #name,                                 \
                          reinterpret_cast<void **>(&functions.member));
  HETERO_CUDNN_FUNCTIONS(HETERO_FIND)
#undef HETERO_FIND
  if (status != HETERO_OK)
    return status;
  return Calls(call, functions)
      .run("cudnnCreate", functions.create, &handle)
      .run("cudnnSetStream", functions.setStream, handle, call.stream)
      .status;
}
