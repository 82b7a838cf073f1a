//===- CopyRows.cpp - Copies of rows that are a pitch apart ---------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Rows cross between the host and a device in one transfer. Host memory passes
// through staging memory in any case, and has no gaps there; the driver's 2-D
// copy takes care of those on the device.
//
//===----------------------------------------------------------------------===//

#include "Device.h"
#include "Error.h"
#include "Frame.h"
#include "Measure.h"
#include "Report.h"

#include <algorithm>
#include <cstring>

using namespace hetero::runtime;
using namespace hetero;

/// More is refused by drivers (CU_DEVICE_ATTRIBUTE_MAX_PITCH).
static constexpr int64_t kMostPitch = INT32_MAX;

static cuda::DevicePointer address(const void *pointer) {
  return reinterpret_cast<cuda::DevicePointer>(pointer);
}

static auto inRows(Rows rows) {
  return [rows] {
    return std::to_string(rows.count) + " rows of " +
           std::to_string(rows.width) + " bytes";
  };
}

/// Whether a driver takes rows with this pitch.
static bool isPitch(int64_t pitch, int64_t width) {
  return pitch >= width && pitch <= kMostPitch;
}

/// As many rows as staging memory takes at once.
static int64_t countStagedRows(Rows rows) {
  return std::min(rows.count,
                  std::max<int64_t>(1, Device::kStagingLimit / 2 / rows.width));
}

void hetero::runtime::copyRowsOnHost(void *to, const void *from, Rows rows) {
  for (int64_t row = 0; row < rows.count; ++row)
    std::memmove(static_cast<char *>(to) + row * rows.toPitch,
                 static_cast<const char *>(from) + row * rows.fromPitch,
                 rows.width);
}

/// Moves rows between staging memory, where they have no gaps, and the device.
HeteroStatus Device::moveStaged(int32_t unit, const Staging &staging,
                                char *remote, int64_t pitch, Rows rows,
                                bool isIn, const char *name) {
  cuda::Stream stream;
  if (HeteroStatus status = getStream(unit, &stream))
    return status;
  cuda::Copy2D copy = {};
  copy.fromType = isIn ? cuda::kMemoryHost : cuda::kMemoryDevice;
  copy.toType = isIn ? cuda::kMemoryDevice : cuda::kMemoryHost;
  copy.fromHost = copy.toHost = staging.memory;
  copy.fromDevice = copy.toDevice = address(remote);
  copy.fromPitch = isIn ? rows.width : pitch;
  copy.toPitch = isIn ? pitch : rows.width;
  copy.width = rows.width;
  copy.height = rows.count;
  const cuda::Functions &cu = driver.functions;
  bool isPlain = pitch == rows.width || rows.count == 1;
  auto enqueue = [&] {
    if (!isPlain)
      return cu.memcpy2DAsync(&copy, stream);
    return isIn ? cu.memcpyHtoDAsync(address(remote), staging.memory,
                                     rows.bytes(), stream)
                : cu.memcpyDtoHAsync(staging.memory, address(remote),
                                     rows.bytes(), stream);
  };
  TraceOperation operation{name,
                           unit,
                           isIn ? TraceRow::CopyIn : TraceRow::CopyOut,
                           rows.bytes(),
                           isIn ? HETERO_HOST : id,
                           isIn ? id : HETERO_HOST};
  return check(trace.run(cu, stream, operation, enqueue),
               !isPlain ? "cuMemcpy2DAsync"
               : isIn   ? "cuMemcpyHtoDAsync"
                        : "cuMemcpyDtoHAsync",
               inRows(rows), unit);
}

HeteroStatus Device::copyRowsIn(int32_t unit, void *to, const void *from,
                                Rows rows, const char *name) {
  std::lock_guard<std::recursive_mutex> lock(mutex);
  HeteroStatus status = makeCurrent();
  const char *source = static_cast<const char *>(from);
  char *target = static_cast<char *>(to);
  while (status == HETERO_OK && rows.count > 0) {
    Rows part = {rows.width, countStagedRows(rows), rows.width, rows.fromPitch};
    Staging staging;
    status = takeStaging(part.bytes(), &staging);
    if (status != HETERO_OK)
      break;
    copyRowsOnHost(staging.memory, source, part);
    status = moveStaged(unit, staging, target, rows.toPitch, part,
                        /*isIn=*/true, name);
    source += part.count * rows.fromPitch;
    target += part.count * rows.toPitch;
    rows.count -= part.count;
  }
  return status;
}

HeteroStatus Device::copyRowsOut(int32_t unit, void *to, const void *from,
                                 Rows rows, const char *name) {
  std::lock_guard<std::recursive_mutex> lock(mutex);
  HeteroStatus status = makeCurrent();
  char *source = static_cast<char *>(const_cast<void *>(from));
  char *target = static_cast<char *>(to);
  while (status == HETERO_OK && rows.count > 0) {
    Rows part = {rows.width, countStagedRows(rows), rows.toPitch, rows.width};
    Staging staging;
    status = takeStaging(part.bytes(), &staging);
    if (status != HETERO_OK)
      break;
    status = moveStaged(unit, staging, source, rows.fromPitch, part,
                        /*isIn=*/false, name);
    {
      std::lock_guard<std::mutex> pendingLock(pendingMutex);
      pending.push_back({staging, target, part});
    }
    source += part.count * rows.fromPitch;
    target += part.count * rows.toPitch;
    rows.count -= part.count;
  }
  return status;
}

/// One copy per row, for ends that no 2-D copy takes.
static HeteroStatus copyEachRow(int32_t toId, void *to, int32_t fromId,
                                const void *from, Rows rows, const char *name) {
  HeteroStatus status = HETERO_OK;
  for (int64_t row = 0; row < rows.count && status == HETERO_OK; ++row)
    status =
        copyBetween(toId, static_cast<char *>(to) + row * rows.toPitch, fromId,
                    static_cast<const char *>(from) + row * rows.fromPitch,
                    rows.width, name);
  return status;
}

HeteroStatus hetero::runtime::copyRowsBetween(int32_t toId, void *to,
                                              int32_t fromId, const void *from,
                                              Rows rows, const char *name) {
  if (rows.bytes() == 0)
    return HETERO_OK;
  bool isFromHost = fromId == HETERO_HOST, isToHost = toId == HETERO_HOST;
  if (isFromHost && isToHost) {
    copyRowsOnHost(to, from, rows);
    return HETERO_OK;
  }
  // Long rows are as good one by one, and need no more staging memory.
  bool areShort = rows.width <= Device::kStagingLimit / 2;
  Device *device;
  if (isFromHost && areShort && isPitch(rows.toPitch, rows.width)) {
    HeteroStatus status = getDevice(deviceOf(toId), &device);
    return status == HETERO_OK
               ? device->copyRowsIn(unitOf(toId), to, from, rows, name)
               : status;
  }
  if (isToHost && areShort && isPitch(rows.fromPitch, rows.width)) {
    HeteroStatus status = getDevice(deviceOf(fromId), &device);
    return status == HETERO_OK
               ? device->copyRowsOut(unitOf(fromId), to, from, rows, name)
               : status;
  }
  return copyEachRow(toId, to, fromId, from, rows, name);
}

HeteroStatus heteroCopyRows(int32_t toDevice, void *to, int64_t toPitch,
                            int32_t fromDevice, const void *from,
                            int64_t fromPitch, int64_t width, int64_t rows,
                            const char *name) {
  endHostRegion();
  for (int32_t device : {toDevice, fromDevice})
    if (Frame *frame = currentFrame(); frame && device != HETERO_HOST)
      frame->use(deviceOf(device));
  HeteroStatus status = copyRowsBetween(
      toDevice, to, fromDevice, from, {width, rows, toPitch, fromPitch}, name);
  if (status == HETERO_OK)
    countCopy(name, deviceOf(fromDevice), deviceOf(toDevice), width * rows);
  return status;
}
