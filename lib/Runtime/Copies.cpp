//===- Copies.cpp - Copies from, to and between devices -------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What crosses between the host and a device passes through staging memory.
// Rows cross in one transfer: they have no gaps in staging memory, and the
// driver's 2-D copy takes care of those on the device. Contiguous memory is one
// row.
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

/// Describes a copy by its bytes.
static auto inBytes(int64_t bytes) {
  return [bytes] { return std::to_string(bytes) + " bytes"; };
}

static auto inRows(Rows rows) {
  return [rows] {
    return rows.count == 1 ? inBytes(rows.width)()
                           : std::to_string(rows.count) + " rows of " +
                                 inBytes(rows.width)();
  };
}

/// Whether a driver takes rows with this pitch.
static bool isPitch(int64_t pitch, int64_t width) {
  return pitch >= width && pitch <= kMostPitch;
}

/// What staging memory takes at once: some rows, or a part of the only one.
static Rows takePart(Rows rows) {
  constexpr int64_t kMost = Device::kStagingLimit / 2;
  if (rows.count == 1)
    rows.width = std::min(rows.width, kMost);
  else
    rows.count = std::min(rows.count, std::max<int64_t>(1, kMost / rows.width));
  return rows;
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

HeteroStatus Device::copyStaged(int32_t unit, bool isIn, void *to,
                                const void *from, Rows rows, const char *name) {
  std::lock_guard<std::recursive_mutex> lock(mutex);
  HeteroStatus status = makeCurrent();
  char *source = static_cast<char *>(const_cast<void *>(from));
  char *target = static_cast<char *>(to);
  while (status == HETERO_OK && rows.bytes() > 0) {
    Rows part = takePart(rows);
    // Without gaps in staging memory.
    (isIn ? part.toPitch : part.fromPitch) = part.width;
    Staging staging;
    status = takeStaging(part.bytes(), &staging);
    if (status != HETERO_OK)
      break;
    if (isIn)
      copyRowsOnHost(staging.memory, source, part);
    status = moveStaged(unit, staging, isIn ? target : source,
                        isIn ? rows.toPitch : rows.fromPitch, part, isIn, name);
    if (!isIn) {
      std::lock_guard<std::mutex> pendingLock(pendingMutex);
      pending.push_back({staging, target, part});
    }
    bool isOneRow = rows.count == 1;
    source += isOneRow ? part.width : part.count * rows.fromPitch;
    target += isOneRow ? part.width : part.count * rows.toPitch;
    (isOneRow ? rows.width : rows.count) -= isOneRow ? part.width : part.count;
  }
  return status;
}

HeteroStatus Device::copyWithin(int32_t unit, void *to, const void *from,
                                int64_t bytes, const char *name) {
  std::lock_guard<std::recursive_mutex> lock(mutex);
  cuda::Stream stream;
  HeteroStatus status = getStream(unit, &stream);
  if (status != HETERO_OK)
    return status;
  TraceOperation copy{name, unit, TraceRow::Work, bytes, id, id};
  cuda::Result result = trace.run(driver.functions, stream, copy, [&] {
    return driver.functions.memcpyDtoDAsync(address(to), address(from), bytes,
                                            stream);
  });
  return check(result, "cuMemcpyDtoDAsync", inBytes(bytes), unit);
}

HeteroStatus Device::copyFrom(int32_t unit, Device &source, int32_t sourceUnit,
                              void *to, const void *from, int64_t bytes,
                              const char *name) {
  std::scoped_lock lock(mutex, source.mutex);
  const cuda::Functions &cu = driver.functions;
  cuda::Stream stream, sourceStream;
  HeteroStatus status = source.getStream(sourceUnit, &sourceStream);
  if (status == HETERO_OK)
    status = getStream(unit, &stream);
  if (status == HETERO_OK)
    status = orderStreams(stream, source, sourceStream);
  auto enqueue = [&] {
    return cu.memcpyPeerAsync(address(to), context, address(from),
                              source.context, bytes, stream);
  };
  TraceOperation copy{name,      unit, TraceRow::CopyIn, bytes,
                      source.id, id,   sourceUnit};
  if (status == HETERO_OK)
    status = check(
        trace.run(cu, stream, copy, enqueue), "cuMemcpyPeerAsync",
        [&] { return inBytes(bytes)() + " from " + deviceName(source.id); },
        unit);
  // The source's memory may be reused only after the copy.
  if (status == HETERO_OK)
    status = source.orderStreams(sourceStream, *this, stream);
  return status;
}

HeteroStatus hetero::runtime::copyBetween(int32_t toId, void *to,
                                          int32_t fromId, const void *from,
                                          int64_t bytes, const char *name) {
  if (bytes == 0)
    return HETERO_OK;
  if (toId == HETERO_HOST && fromId == HETERO_HOST) {
    std::memmove(to, from, bytes);
    return HETERO_OK;
  }
  Device *target = nullptr, *source = nullptr;
  if (toId != HETERO_HOST)
    if (HeteroStatus status = getDevice(deviceOf(toId), &target))
      return status;
  if (fromId != HETERO_HOST)
    if (HeteroStatus status = getDevice(deviceOf(fromId), &source))
      return status;
  if (!source)
    return target->copyStaged(unitOf(toId), /*isIn=*/true, to, from,
                              Rows::contiguous(bytes), name);
  if (!target)
    return source->copyStaged(unitOf(fromId), /*isIn=*/false, to, from,
                              Rows::contiguous(bytes), name);
  if (source == target)
    return target->copyWithin(unitOf(toId), to, from, bytes, name);
  return target->copyFrom(unitOf(toId), *source, unitOf(fromId), to, from,
                          bytes, name);
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
  bool isIn = isFromHost && isPitch(rows.toPitch, rows.width);
  if (areShort && (isIn || (isToHost && isPitch(rows.fromPitch, rows.width)))) {
    int32_t remote = isIn ? toId : fromId;
    Device *device;
    HeteroStatus status = getDevice(deviceOf(remote), &device);
    return status == HETERO_OK
               ? device->copyStaged(unitOf(remote), isIn, to, from, rows, name)
               : status;
  }
  return copyEachRow(toId, to, fromId, from, rows, name);
}

HeteroStatus heteroCopy(int32_t toDevice, void *to, int32_t fromDevice,
                        const void *from, int64_t bytes, const char *name) {
  endHostRegion();
  useInFrame(deviceOf(toDevice));
  useInFrame(deviceOf(fromDevice));
  HeteroStatus status =
      copyBetween(toDevice, to, fromDevice, from, bytes, name);
  if (status == HETERO_OK)
    countCopy(name, deviceOf(fromDevice), deviceOf(toDevice), bytes);
  return status;
}

HeteroStatus heteroCopyRows(int32_t toDevice, void *to, int64_t toPitch,
                            int32_t fromDevice, const void *from,
                            int64_t fromPitch, int64_t width, int64_t rows,
                            const char *name) {
  endHostRegion();
  useInFrame(deviceOf(toDevice));
  useInFrame(deviceOf(fromDevice));
  HeteroStatus status = copyRowsBetween(
      toDevice, to, fromDevice, from, {width, rows, toPitch, fromPitch}, name);
  if (status == HETERO_OK)
    countCopy(name, deviceOf(fromDevice), deviceOf(toDevice), width * rows);
  return status;
}
