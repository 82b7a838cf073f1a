//===- Transfers.cpp - Copies ---------------------------------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Emulator/Driver/Memory/Transfers.h"
#include "Emulator/Driver/Errors.h"
#include "Emulator/Driver/Graphs/Capture.h"
#include "Emulator/Driver/Graphs/Graph.h"
#include "Emulator/Driver/Graphs/GraphMemory.h"
#include "Emulator/Driver/Log.h"
#include "Emulator/Driver/State/Context.h"
#include "Emulator/Driver/State/Device.h"
#include "Emulator/Driver/State/Driver.h"
#include "Emulator/Driver/Streams/Stream.h"

#include <cstring>

using namespace hetero::emulator;
using namespace hetero;

using cuda::DevicePointer;

//===----------------------------------------------------------------------===//
// Copies
//===----------------------------------------------------------------------===//

bool End::isAbsentOfGraph(Extent extent) const {
  return device && !host(extent) &&
         isOfGraph(address, reach(extent), /*isNow=*/false);
}

bool End::isWritable(Extent extent, bool isNow) const {
  return isValid(extent, isNow) &&
         (!device || !host(extent) ||
          device->memory.isWritable(address, reach(extent)));
}

bool End::isValid(Extent extent, bool isNow) const {
  uint64_t before, all;
  if (__builtin_mul_overflow(extent.rows - 1, pitch, &before) ||
      __builtin_add_overflow(before, extent.width, &all) ||
      address > UINT64_MAX - all)
    return false;
  if (!device)
    return address != 0;
  return host(extent) || isOfGraph(address, reach(extent), isNow);
}

namespace {
End hostEnd(const void *pointer, uint64_t pitch = 0) {
  return {nullptr, reinterpret_cast<uint64_t>(pointer), pitch};
}

/// A device's address; on no device, the range is found invalid.
End anyEnd(DevicePointer address, uint64_t pitch = 0) {
  return {getDriver()->deviceOf(address), address, pitch};
}
} // namespace

static void logCopyOf(const End &to, const End &from, uint64_t bytes) {
  if (to.device && from.device && to.device != from.device)
    logCopy("p2p", to.device->ordinal, bytes, from.device->ordinal);
  else if (to.device)
    logCopy(from.device ? "d2d" : "h2d", to.device->ordinal, bytes);
  else if (from.device)
    logCopy("d2h", from.device->ordinal, bytes);
}

static Work describeCopy(const End &to, const End &from, Extent extent) {
  Work work;
  work.name = "copy";
  work.bytes = extent.bytes();
  if (!to.device && !from.device)
    return work;
  work.device = (to.device ? to.device : from.device)->ordinal;
  work.source = (from.device ? from.device : to.device)->ordinal;
  work.kind = !to.device                 ? Work::CopyOut
              : !from.device             ? Work::CopyIn
              : to.device != from.device ? Work::CopyPeer
                                         : Work::Local;
  if (work.kind == Work::Local) // Reads and writes.
    work.bytes *= 2;
  work.read = {from.address, from.address + extent.width};
  work.written = {to.address, to.address + extent.width};
  work.rows = extent.rows;
  work.readPitch = from.pitch;
  work.writtenPitch = to.pitch;
  return work;
}

/// A copy of bytes that nothing has written writes nothing either.
static void copyFlags(const End &to, const End &from, uint64_t row,
                      uint64_t bytes) {
  if (!to.device)
    return;
  uint64_t target = to.address + row * to.pitch;
  uint64_t source = from.address + row * from.pitch;
  uint8_t *flags = to.device->memory.writtenFlags(target, bytes);
  const uint8_t *sources =
      from.device ? from.device->memory.writtenFlags(source, bytes) : nullptr;
  if (!sources)
    return to.device->memory.noteWritten(target, bytes);
  for (uint64_t i = 0; flags && i < bytes; ++i)
    __atomic_store_n(&flags[i], __atomic_load_n(&sources[i], __ATOMIC_RELAXED),
                     __ATOMIC_RELAXED);
}

/// Copies now, in a stream's thread. Memory that is freed meanwhile stays.
static void copyNow(const End &to, const End &from, Extent extent) {
  for (Device *device : {to.device, from.device})
    if (device)
      device->memory.kernelBegins();
  uint8_t *target = to.host(extent), *source = from.host(extent);
  if (target && source)
    for (uint64_t row = 0; row < extent.rows; ++row) {
      std::memmove(target + row * to.pitch, source + row * from.pitch,
                   extent.width);
      copyFlags(to, from, row, extent.width);
    }
  for (Device *device : {to.device, from.device})
    if (device)
      device->memory.kernelEnds();
}

/// The fault of a copy or a fill that is made to fail: on hardware an error of
/// its memory, found while it runs.
void hetero::emulator::failTransfer(Context &context, const char *what,
                                    uint64_t bytes, const std::string &why) {
  context.setFault(
      {cuda::kEccUncorrectable,
       std::string(what) + " of " + std::to_string(bytes) + " bytes on gpu:" +
           std::to_string(context.device.ordinal) + " fails (" + why + ")"});
}

void hetero::emulator::failOutside(Context &context, const char *what,
                                   uint64_t bytes) {
  context.reportFault(
      {cuda::kIllegalAddress,
       std::string(what) + " of " + std::to_string(bytes) +
           " bytes on gpu:" + std::to_string(context.device.ordinal) +
           " reaches memory of a graph that is not there when it runs"});
}

static bool isPageable(const End &end, Extent extent) {
  return !end.device &&
         !getDriver()->isPinned(reinterpret_cast<void *>(end.address),
                                end.reach(extent));
}

/// Gives a copy to the stream; `isStaged` if it is to read the host now.
static void issueCopy(const std::shared_ptr<Stream> &stream, End to, End from,
                      Extent extent, bool isStaged) {
  uint64_t bytes = extent.bytes();
  logCopyOf(to, from, bytes);
  Context &context = stream->context;
  Work work = describeCopy(to, from, extent);
  if (std::string why = countCall(CallClass::Copy); !why.empty())
    return context.submit(stream, work, [&context, bytes, why] {
      failTransfer(context, "a copy", bytes, why);
    });
  auto run = [&context, bytes](End to, End from, Extent extent) {
    for (const End &end : {to, from})
      if (end.isAbsentOfGraph(extent))
        return failOutside(context, "a copy", bytes);
    copyNow(to, from, extent);
  };
  if (!isStaged)
    return context.submit(stream, work, [=] { run(to, from, extent); });
  work.read = {}; // It is read before the call returns.
  const uint8_t *source = from.host(extent);
  auto staged = std::make_shared<std::vector<uint8_t>>(
      source, source + from.reach(extent));
  context.submit(stream, work,
                 [=] { run(to, hostEnd(staged->data(), from.pitch), extent); });
}

static Copy3D::Side sideOf(const End &end) {
  Copy3D::Side side = {};
  side.type = end.device ? cuda::kMemoryDevice : cuda::kMemoryHost;
  side.host = end.device ? nullptr : reinterpret_cast<void *>(end.address);
  side.device = end.device ? end.address : 0;
  side.pitch = end.pitch;
  return side;
}

/// The copy as the node of a graph shows it.
static Copy3D boxOf(const End &to, const End &from, Extent extent) {
  return {sideOf(from), sideOf(to), extent.width, extent.rows, 1};
}

/// Enqueues a copy. Like a GPU's driver it reads pageable host memory before
/// it returns, and has written it when it returns; not so in a graph.
static cuda::Result copy(End to, End from, Extent extent, cuda::Stream handle,
                         bool isAsync) {
  std::shared_ptr<Stream> stream;
  if (cuda::Result error = getStream(handle, stream))
    return error;
  if (!isAsync)
    if (cuda::Result error = Capture::checkUnsafeCall())
      return error;
  if (extent.bytes() == 0)
    return cuda::kSuccess;
  bool isCaptured = getLane(*stream) != nullptr;
  if (!to.isWritable(extent, !isCaptured) || !from.isValid(extent, !isCaptured))
    return cuda::kInvalidValue;
  if (isCaptured)
    return issueOrCapture(stream, NodeKind::Copy, issueOf({{to, from, extent}}),
                          boxOf(to, from, extent));
  bool waits = !isAsync || isPageable(to, extent);
  issueCopy(stream, to, from, extent, !waits && isPageable(from, extent));
  if (!waits)
    return cuda::kSuccess;
  stream->context.synchronize(*stream);
  return stream->context.fault();
}

/// A device pointer's end; kInvalidValue when it is not one.
static cuda::Result copyDevice(End to, End from, bool needTo, bool needFrom,
                               size_t bytes, cuda::Stream stream,
                               bool isAsync) {
  if (!getDriver())
    return cuda::kNotInitialized;
  // Kernels and the host share some memory, which is both.
  auto isDevices = [&](const End &end) {
    return end.device ||
           getDriver()->isPinned(reinterpret_cast<void *>(end.address), bytes);
  };
  if (bytes > 0 &&
      ((needTo && !isDevices(to)) || (needFrom && !isDevices(from))))
    return cuda::kInvalidValue;
  return copy(to, from, {bytes}, stream, isAsync);
}

HETERO_CUDA_API cuMemcpyHtoDAsync_v2(DevicePointer to, const void *from,
                                     size_t bytes, cuda::Stream stream) {
  if (!getDriver())
    return cuda::kNotInitialized;
  return copyDevice(anyEnd(to), hostEnd(from), true, false, bytes, stream,
                    true);
}

HETERO_CUDA_API cuMemcpyDtoHAsync_v2(void *to, DevicePointer from, size_t bytes,
                                     cuda::Stream stream) {
  if (!getDriver())
    return cuda::kNotInitialized;
  return copyDevice(hostEnd(to), anyEnd(from), false, true, bytes, stream,
                    true);
}

HETERO_CUDA_API cuMemcpyDtoDAsync_v2(DevicePointer to, DevicePointer from,
                                     size_t bytes, cuda::Stream stream) {
  if (!getDriver())
    return cuda::kNotInitialized;
  return copyDevice(anyEnd(to), anyEnd(from), true, true, bytes, stream, true);
}

HETERO_CUDA_API cuMemcpyHtoD_v2(DevicePointer to, const void *from,
                                size_t bytes) {
  if (!getDriver())
    return cuda::kNotInitialized;
  return copyDevice(anyEnd(to), hostEnd(from), true, false, bytes, nullptr,
                    false);
}

HETERO_CUDA_API cuMemcpyDtoH_v2(void *to, DevicePointer from, size_t bytes) {
  if (!getDriver())
    return cuda::kNotInitialized;
  return copyDevice(hostEnd(to), anyEnd(from), false, true, bytes, nullptr,
                    false);
}

HETERO_CUDA_API cuMemcpyDtoD_v2(DevicePointer to, DevicePointer from,
                                size_t bytes) {
  if (!getDriver())
    return cuda::kNotInitialized;
  return copyDevice(anyEnd(to), anyEnd(from), true, true, bytes, nullptr,
                    false);
}

/// Each end may be anywhere: addresses tell.
HETERO_CUDA_API cuMemcpyAsync(DevicePointer to, DevicePointer from,
                              size_t bytes, cuda::Stream stream) {
  if (!getDriver())
    return cuda::kNotInitialized;
  return copyDevice(anyEnd(to), anyEnd(from), false, false, bytes, stream,
                    true);
}

HETERO_CUDA_API cuMemcpy(DevicePointer to, DevicePointer from, size_t bytes) {
  if (!getDriver())
    return cuda::kNotInitialized;
  return copyDevice(anyEnd(to), anyEnd(from), false, false, bytes, nullptr,
                    false);
}

/// True when the context is that of the device that the address lies on.
static bool isOn(DevicePointer address, cuda::Context context) {
  auto *owner = reinterpret_cast<Context *>(context);
  return getDriver()->isContext(owner) &&
         getDriver()->deviceOf(address) == &owner->device;
}

static cuda::Result copyPeer(DevicePointer to, cuda::Context toContext,
                             DevicePointer from, cuda::Context fromContext,
                             size_t bytes, cuda::Stream stream, bool isAsync) {
  if (!getDriver())
    return cuda::kNotInitialized;
  if (!isOn(to, toContext) || !isOn(from, fromContext))
    return cuda::kInvalidValue;
  return copyDevice(anyEnd(to), anyEnd(from), true, true, bytes, stream,
                    isAsync);
}

HETERO_CUDA_API cuMemcpyPeerAsync(DevicePointer to, cuda::Context toContext,
                                  DevicePointer from, cuda::Context fromContext,
                                  size_t bytes, cuda::Stream stream) {
  return copyPeer(to, toContext, from, fromContext, bytes, stream, true);
}

HETERO_CUDA_API cuMemcpyPeer(DevicePointer to, cuda::Context toContext,
                             DevicePointer from, cuda::Context fromContext,
                             size_t bytes) {
  return copyPeer(to, toContext, from, fromContext, bytes, nullptr, false);
}

//===----------------------------------------------------------------------===//
// Copies of rows and boxes
//===----------------------------------------------------------------------===//

/// One end of a copy of boxes; kInvalidValue for what is no end, or an array.
static cuda::Result findEnd(const Copy3D::Side &side, const Copy3D &box,
                            End &end) {
  size_t least, row, offset;
  if (__builtin_add_overflow(side.x, box.width, &least))
    return cuda::kInvalidValue;
  bool hasRows = box.height > 1 || box.depth > 1;
  if ((hasRows && side.pitch < least) ||
      (box.depth > 1 && side.height < side.y + box.height) ||
      __builtin_mul_overflow(side.z, side.height, &row) ||
      __builtin_add_overflow(row, side.y, &row) ||
      __builtin_mul_overflow(row, side.pitch, &offset) ||
      __builtin_add_overflow(offset, side.x, &offset))
    return cuda::kInvalidValue;
  if (side.type == cuda::kMemoryHost)
    end = hostEnd(static_cast<const uint8_t *>(side.host) + offset, side.pitch);
  else if (side.type == cuda::kMemoryDevice ||
           side.type == cuda::kMemoryUnified)
    end = anyEnd(side.device + offset, side.pitch);
  else
    return cuda::kInvalidValue;
  bool isDevices = end.device || getDriver()->isPinned(
                                     reinterpret_cast<void *>(end.address), 1);
  return side.type == cuda::kMemoryDevice && !isDevices ? cuda::kInvalidValue
                                                        : cuda::kSuccess;
}

/// Rows of a box, slice by slice, or in one part if they are evenly apart.
cuda::Result hetero::emulator::planCopy(const Copy3D &box,
                                        std::vector<CopyPart> &parts) {
  if (box.width == 0 || box.height == 0 || box.depth == 0)
    return cuda::kSuccess;
  CopyPart part;
  if (cuda::Result error = findEnd(box.to, box, part.to))
    return error;
  if (cuda::Result error = findEnd(box.from, box, part.from))
    return error;
  bool isEven = box.depth == 1 ||
                (box.to.height == box.height && box.from.height == box.height);
  uint64_t slices = isEven ? 1 : box.depth, rows;
  if (__builtin_mul_overflow(box.height, isEven ? box.depth : 1, &rows) ||
      slices > UINT32_MAX)
    return cuda::kInvalidValue;
  part.extent = {box.width, rows};
  for (uint64_t slice = 0; slice < slices; ++slice) {
    if (!part.to.isWritable(part.extent) || !part.from.isValid(part.extent))
      return cuda::kInvalidValue;
    parts.push_back(part);
    part.to.address += box.to.pitch * box.to.height;
    part.from.address += box.from.pitch * box.from.height;
  }
  return cuda::kSuccess;
}

IssueWork hetero::emulator::issueOf(std::vector<CopyPart> parts) {
  return [parts = std::move(parts)](const std::shared_ptr<Stream> &stream) {
    for (const CopyPart &part : parts)
      issueCopy(stream, part.to, part.from, part.extent, /*isStaged=*/false);
  };
}

static cuda::Result copyBox(const Copy3D *box, cuda::Stream stream,
                            bool isAsync) {
  if (!getDriver())
    return cuda::kNotInitialized;
  if (!box)
    return cuda::kInvalidValue;
  std::vector<CopyPart> parts;
  if (cuda::Result error = planCopy(*box, parts))
    return error;
  for (const CopyPart &part : parts)
    if (cuda::Result error =
            copy(part.to, part.from, part.extent, stream, isAsync))
      return error;
  return cuda::kSuccess;
}

static cuda::Result copyRows(const cuda::Copy2D *rows, cuda::Stream stream,
                             bool isAsync) {
  if (!rows)
    return getDriver() ? cuda::kInvalidValue : cuda::kNotInitialized;
  Copy3D box = {{rows->fromX, rows->fromY, 0, 0, rows->fromType, rows->fromHost,
                 rows->fromDevice, rows->fromArray, nullptr, rows->fromPitch,
                 0},
                {rows->toX, rows->toY, 0, 0, rows->toType, rows->toHost,
                 rows->toDevice, rows->toArray, nullptr, rows->toPitch, 0},
                rows->width,
                rows->height,
                1};
  return copyBox(&box, stream, isAsync);
}

HETERO_CUDA_API cuMemcpy2DAsync_v2(const cuda::Copy2D *rows,
                                   cuda::Stream stream) {
  return copyRows(rows, stream, true);
}

HETERO_CUDA_API cuMemcpy2D_v2(const cuda::Copy2D *rows) {
  return copyRows(rows, nullptr, false);
}

/// Every pitch is as good as another.
HETERO_CUDA_API cuMemcpy2DUnaligned_v2(const cuda::Copy2D *rows) {
  return copyRows(rows, nullptr, false);
}

HETERO_CUDA_API cuMemcpy3DAsync_v2(const Copy3D *box, cuda::Stream stream) {
  return copyBox(box, stream, true);
}

HETERO_CUDA_API cuMemcpy3D_v2(const Copy3D *box) {
  return copyBox(box, nullptr, false);
}

/// Whether memory of a device lies where the box says.
static bool isOn(const Copy3D::Side &side) {
  return side.type != cuda::kMemoryDevice || isOn(side.device, side.context);
}

static cuda::Result copyBoxOfPeers(const Copy3D *box, cuda::Stream stream,
                                   bool isAsync) {
  if (getDriver() && box && !(isOn(box->to) && isOn(box->from)))
    return cuda::kInvalidValue;
  return copyBox(box, stream, isAsync);
}

HETERO_CUDA_API cuMemcpy3DPeerAsync(const Copy3D *box, cuda::Stream stream) {
  return copyBoxOfPeers(box, stream, true);
}

HETERO_CUDA_API cuMemcpy3DPeer(const Copy3D *box) {
  return copyBoxOfPeers(box, nullptr, false);
}
