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

#include "Runtime/Device/Copies.h"

#include "Runtime/Device/Device.h"
#include "Runtime/Device/Devices.h"
#include "Runtime/Device/Submit/Sequence.h"
#include "Runtime/Host/Error.h"
#include "Runtime/Host/Frame.h"
#include "Runtime/Report/Measure.h"
#include "Runtime/Report/Report.h"

#include <algorithm>
#include <cstring>

using namespace hetero::runtime;
using namespace hetero;

/// More is refused by drivers (CU_DEVICE_ATTRIBUTE_MAX_PITCH).
static constexpr int64_t kMostPitch = INT32_MAX;

/// Whether a driver takes rows with this pitch.
static bool isPitch(int64_t pitch, int64_t width) {
  return pitch >= width && pitch <= kMostPitch;
}

/// What staging memory takes at once: some rows, or a part of the only one.
static Rows takePart(Rows rows) {
  constexpr int64_t kMost = StagingMemory::kLimit / 2;
  if (rows.count == 1)
    rows.width = std::min(rows.width, kMost);
  else
    rows.count = std::min(rows.count, std::max<int64_t>(1, kMost / rows.width));
  return rows;
}

HeteroStatus hetero::runtime::copyStaged(Device &device, int32_t unit,
                                         bool isIn, void *to, const void *from,
                                         Rows rows, const char *name) {
  char *source = static_cast<char *>(const_cast<void *>(from));
  char *target = static_cast<char *>(to);
  HeteroStatus status = HETERO_OK;
  while (status == HETERO_OK && rows.bytes() > 0) {
    Operation copy{isIn ? Operation::CopyIn : Operation::CopyOut, &device, unit,
                   name};
    Rows part = copy.rows = takePart(rows);
    if (isIn)
      status = announceHostWork(part.bytes());
    if (status == HETERO_OK && currentLane() &&
        device.isStagingFull(part.bytes()))
      status = waitForDevice(device.getId());
    if (status == HETERO_OK)
      status = device.takeStaging(part.bytes(), unit, &copy.staging);
    if (status != HETERO_OK)
      break;
    // Without gaps in staging memory.
    (isIn ? copy.rows.fromPitch : copy.rows.toPitch) = part.width;
    (isIn ? part.toPitch : part.fromPitch) = part.width;
    copy.to = isIn ? target : copy.staging.memory;
    copy.from = isIn ? copy.staging.memory : source;
    copy.target = target;
    copy.targetPitch = rows.toPitch;
    if (isIn) {
      HostSpan span("staging", device.getId(),
                    [&] { return std::string(name); });
      copyRowsOnHost(copy.staging.memory, source, part);
    }
    status = submit(copy);
    bool isOneRow = rows.count == 1;
    source += isOneRow ? part.width : part.count * rows.fromPitch;
    target += isOneRow ? part.width : part.count * rows.toPitch;
    (isOneRow ? rows.width : rows.count) -= isOneRow ? part.width : part.count;
  }
  return status;
}

/// Copies between two gpus, after what both streams have got; what the
/// source's gets comes after it, because it may use the memory again.
static HeteroStatus copyPeer(Device &target, int32_t unit, Device &source,
                             int32_t sourceUnit, Operation copy) {
  HeteroStatus status = submit(orderOf(target, unit, source, sourceUnit));
  copy.kind = Operation::CopyPeer;
  copy.other = &source;
  copy.otherUnit = sourceUnit;
  if (status == HETERO_OK)
    status = submit(copy);
  return status == HETERO_OK ? submit(orderOf(source, sourceUnit, target, unit))
                             : status;
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
    return copyStaged(*target, streamOf(toId), /*isIn=*/true, to, from,
                      Rows::contiguous(bytes), name);
  if (!target)
    return copyStaged(*source, streamOf(fromId), /*isIn=*/false, to, from,
                      Rows::contiguous(bytes), name);
  Operation copy{Operation::CopyWithin, target, streamOf(toId), name};
  copy.to = to;
  copy.from = from;
  copy.rows = Rows::contiguous(bytes);
  return source == target ? submit(copy)
                          : copyPeer(*target, streamOf(toId), *source,
                                     streamOf(fromId), copy);
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
  bool areShort = rows.width <= StagingMemory::kLimit / 2;
  bool isIn = isFromHost && isPitch(rows.toPitch, rows.width);
  if (areShort && (isIn || (isToHost && isPitch(rows.fromPitch, rows.width)))) {
    int32_t remote = isIn ? toId : fromId;
    Device *device;
    HeteroStatus status = getDevice(deviceOf(remote), &device);
    return status == HETERO_OK ? copyStaged(*device, streamOf(remote), isIn, to,
                                            from, rows, name)
                               : status;
  }
  return copyEachRow(toId, to, fromId, from, rows, name);
}

HeteroStatus heteroCopy(int32_t toDevice, void *to, int32_t fromDevice,
                        const void *from, int64_t bytes, const char *name) {
  return heteroCopyRows(toDevice, to, bytes, fromDevice, from, bytes, bytes,
                        /*rows=*/1, name);
}

HeteroStatus heteroCopyRows(int32_t toDevice, void *to, int64_t toPitch,
                            int32_t fromDevice, const void *from,
                            int64_t fromPitch, int64_t width, int64_t rows,
                            const char *name) {
  // Whatever else copies has a span of its own.
  HostSpan span("copy", HETERO_HOST, [&] { return std::string(name); });
  if (toDevice != HETERO_HOST || fromDevice != HETERO_HOST)
    span.drop();
  useInFrame(deviceOf(toDevice));
  useInFrame(deviceOf(fromDevice));
  auto copy = [&] {
    return copyRowsBetween(toDevice, to, fromDevice, from,
                           {width, rows, toPitch, fromPitch}, name);
  };
  int32_t source = deviceOf(fromDevice), target = deviceOf(toDevice);
  HeteroStatus status =
      isMeasuring() ? measureCopy(target, source, name, width * rows, copy)
                    : copy();
  if (status == HETERO_OK)
    countCopy(name, source, target, width * rows);
  return status;
}
