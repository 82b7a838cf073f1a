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

using namespace hetero::runtime;
using namespace hetero;

static cuda::DevicePointer address(const void *pointer) {
  return reinterpret_cast<cuda::DevicePointer>(pointer);
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

cuda::Result Device::issue(const Operation &operation, cuda::Stream stream) {
  const cuda::Functions &cu = driver.functions;
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
    return cu.memcpyPeerAsync(to, context, from, operation.other->context,
                              bytes, stream);
  case Operation::Library:
  case Operation::Order:
    break;
  }
  return cuda::kInvalidValue;
}

TraceOperation Device::traceOf(const Operation &operation) const {
  TraceOperation traced{operation.name, operation.unit};
  if (operation.kind == Operation::Launch ||
      operation.kind == Operation::Library)
    return traced;
  traced.bytes = operation.rows.bytes();
  traced.from = traced.to = id;
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
    traced.from = operation.other->id;
    traced.fromUnit = operation.otherUnit;
    break;
  default:
    break;
  }
  return traced;
}

std::string Device::describe(const Operation &operation) const {
  const Rows &rows = operation.rows;
  if (operation.kind == Operation::Launch)
    return std::string("kernel ") + operation.name;
  if (operation.kind == Operation::Order)
    return "";
  std::string text = std::to_string(rows.width) + " bytes";
  if (rows.count > 1)
    text = std::to_string(rows.count) + " rows of " + text;
  if (operation.kind == Operation::CopyPeer)
    text += " from " + deviceName(operation.other->id);
  return text;
}

HeteroStatus Device::submitWork(const Operation &operation,
                                cuda::Stream stream) {
  HeteroStatus status = HETERO_OK;
  cuda::Result result =
      trace.run(driver.functions, stream, traceOf(operation), [&] {
        status = (*operation.work)(stream);
        return status == HETERO_OK ? cuda::kSuccess : cuda::kUnknown;
      });
  return status == HETERO_OK ? check(result, operation.call(), operation.unit)
                             : status;
}

HeteroStatus Device::submitNow(const Operation &operation) {
  if (operation.kind == Operation::Order)
    return order(operation.unit, *operation.other, operation.otherUnit);
  std::lock_guard<std::recursive_mutex> lock(mutex);
  cuda::Stream stream;
  HeteroStatus status = markRetired();
  if (status == HETERO_OK)
    status = getStream(operation.unit, &stream);
  if (status == HETERO_OK && operation.kind == Operation::Library)
    return submitWork(operation, stream);
  if (status == HETERO_OK)
    status = check(
        trace.run(driver.functions, stream, traceOf(operation),
                  [&] { return issue(operation, stream); }),
        operation.call(), [&] { return describe(operation); }, operation.unit);
  keep(operation);
  return status;
}

void Device::drop(const Operation &operation) {
  Operation rest = operation;
  rest.target = nullptr;
  std::lock_guard<std::recursive_mutex> lock(mutex);
  keep(rest);
}

void Device::keep(const Operation &operation) {
  const Staging &staging = operation.staging;
  if (!staging.memory)
    return;
  busyStaging.push_back({operation.unit, staging});
  busyStagingBytes += staging.bytes;
  if (operation.kind != Operation::CopyOut || !operation.target)
    return;
  Rows rows = operation.rows;
  rows.fromPitch = rows.width;
  rows.toPitch = operation.targetPitch;
  std::lock_guard<std::mutex> pendingLock(pendingMutex);
  pending.push_back({operation.unit, staging, operation.target, rows});
}
