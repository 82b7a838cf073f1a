//===- Operation.cpp - Gives operations to streams ------------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Runtime/Device/Submit/Operation.h"

#include "Runtime/Device/Device.h"
#include "Runtime/Device/Memory/SharedMemory.h"
#include "Runtime/Host/Error.h"

#include <cstring>

using namespace hetero::runtime;
using namespace hetero;

void hetero::runtime::copyRowsOnHost(void *to, const void *from, Rows rows) {
  for (int64_t row = 0; row < rows.count; ++row)
    std::memmove(static_cast<char *>(to) + row * rows.toPitch,
                 static_cast<const char *>(from) + row * rows.fromPitch,
                 rows.width);
}

const char *Operation::call() const {
  switch (kind) {
  case Launch:
    return "cuLaunchKernel";
  case Library:
    return "heteroCallDeviceLibrary";
  case CopyIn:
    return rows.isContiguous() ? "cuMemcpyHtoDAsync" : "cuMemcpy2DAsync";
  case CopyOut:
    return rows.isContiguous() ? "cuMemcpyDtoHAsync" : "cuMemcpy2DAsync";
  case CopyWithin:
    return "cuMemcpyDtoDAsync";
  case CopyPeer:
    return "cuMemcpyPeerAsync";
  case Order:
    return "cuStreamWaitEvent";
  }
  return "";
}

/// Rows between staging memory and the device.
static cuda::Copy2D describeRows(const Operation &operation) {
  bool isIn = operation.kind == Operation::CopyIn;
  cuda::Copy2D copy = {};
  copy.fromType = isIn ? cuda::kMemoryHost : cuda::kMemoryDevice;
  copy.toType = isIn ? cuda::kMemoryDevice : cuda::kMemoryHost;
  copy.fromHost = operation.from;
  copy.toHost = operation.to;
  copy.fromDevice = address(operation.from);
  copy.toDevice = address(operation.to);
  copy.fromPitch = operation.rows.fromPitch;
  copy.toPitch = operation.rows.toPitch;
  copy.width = operation.rows.width;
  copy.height = operation.rows.count;
  return copy;
}

cuda::Result hetero::runtime::issue(const Operation &operation,
                                    cuda::Stream stream) {
  const Context &context = operation.device->getContext();
  const cuda::Functions &cu = context.getFunctions();
  const LaunchShape &launch = operation.launch;
  const auto &[gridX, gridY, gridZ] = launch.grid;
  const auto &[blockX, blockY, blockZ] = launch.block;
  cuda::DevicePointer to = address(operation.to),
                      from = address(operation.from);
  int64_t bytes = operation.rows.bytes();
  if ((operation.kind == Operation::CopyIn ||
       operation.kind == Operation::CopyOut) &&
      !operation.rows.isContiguous()) {
    cuda::Copy2D copy = describeRows(operation);
    return cu.memcpy2DAsync(&copy, stream);
  }
  switch (operation.kind) {
  case Operation::Launch:
    return cu.launchKernel(launch.kernel->function, gridX, gridY, gridZ, blockX,
                           blockY, blockZ, launch.sharedBytes, stream,
                           launch.arguments, nullptr);
  case Operation::CopyIn:
    return cu.memcpyHtoDAsync(to, operation.from, bytes, stream);
  case Operation::CopyOut:
    return cu.memcpyDtoHAsync(operation.to, from, bytes, stream);
  case Operation::CopyWithin:
    return cu.memcpyDtoDAsync(to, from, bytes, stream);
  case Operation::CopyPeer:
    // What devices share is memory of no one of them.
    if (isShared(operation.to, 0) || isShared(operation.from, 0))
      return cu.memcpyAsync(to, from, bytes, stream);
    return cu.memcpyPeerAsync(to, context.get(), from,
                              operation.other->getContext().get(), bytes,
                              stream);
  case Operation::Library:
  case Operation::Order:
    break;
  }
  return cuda::kInvalidValue;
}

TraceOperation hetero::runtime::traceOf(const Operation &operation) {
  TraceOperation traced{operation.name, operation.unit};
  if (operation.kind == Operation::Launch ||
      operation.kind == Operation::Library)
    return traced;
  traced.bytes = operation.rows.bytes();
  traced.from = traced.to = operation.device->getId();
  switch (operation.kind) {
  case Operation::CopyIn:
    traced.row = TraceRow::CopyIn;
    traced.from = HETERO_HOST;
    break;
  case Operation::CopyOut:
    traced.row = TraceRow::CopyOut;
    traced.to = HETERO_HOST;
    break;
  case Operation::CopyPeer:
    traced.row = TraceRow::CopyIn;
    traced.from = operation.other->getId();
    traced.fromUnit = operation.otherUnit;
    break;
  default:
    break;
  }
  return traced;
}

std::string hetero::runtime::describe(const Operation &operation) {
  const Rows &rows = operation.rows;
  if (operation.kind == Operation::Launch)
    return std::string("kernel ") + operation.name;
  if (operation.kind == Operation::Order)
    return "";
  std::string text = std::to_string(rows.width) + " bytes";
  if (rows.count > 1)
    text = std::to_string(rows.count) + " rows of " + text;
  if (operation.kind == Operation::CopyPeer)
    text += " from " + deviceName(operation.other->getId());
  return text;
}
