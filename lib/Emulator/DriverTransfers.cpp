//===- DriverTransfers.cpp - Copies and fills -----------------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Device.h"
#include "Log.h"

#include <cstdlib>
#include <cstring>

using namespace hetero::emulator;
using namespace hetero;

using cuda::DevicePointer;

//===----------------------------------------------------------------------===//
// Copies
//===----------------------------------------------------------------------===//

namespace {
/// What is copied: bytes in one piece, or rows of them.
struct Extent {
  uint64_t width, rows = 1;

  uint64_t bytes() const { return width * rows; }
};

/// An end of a copy: memory of a device, or of the host (device null), with the
/// distance of rows.
struct End {
  Device *device;
  uint64_t address, pitch = 0;

  /// From the first byte to the last.
  uint64_t reach(Extent extent) const {
    return (extent.rows - 1) * pitch + extent.width;
  }
  uint8_t *host(Extent extent) const {
    return device ? device->memory.translate(address, reach(extent))
                  : reinterpret_cast<uint8_t *>(address);
  }
  bool isValid(Extent extent) const {
    return device ? host(extent) != nullptr : address != 0;
  }
};

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
static void failTransfer(Context &context, const char *what, uint64_t bytes,
                         const std::string &why) {
  context.setFault(
      {cuda::kEccUncorrectable,
       std::string(what) + " of " + std::to_string(bytes) + " bytes on gpu:" +
           std::to_string(context.device.ordinal) + " fails (" + why + ")"});
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
  if (!isStaged)
    return context.submit(stream, work,
                          [to, from, extent] { copyNow(to, from, extent); });
  work.read = {}; // It is read before the call returns.
  const uint8_t *source = from.host(extent);
  auto staged = std::make_shared<std::vector<uint8_t>>(
      source, source + from.reach(extent));
  context.submit(stream, work, [=] {
    copyNow(to, hostEnd(staged->data(), from.pitch), extent);
  });
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
  if (!to.isValid(extent) || !from.isValid(extent))
    return cuda::kInvalidValue;
  if (std::shared_ptr<CaptureLane> lane = getLane(*stream))
    return lane->capture->add(lane->index, NodeKind::Copy,
                              [=](const std::shared_ptr<Stream> &stream) {
                                issueCopy(stream, to, from, extent,
                                          /*isStaged=*/false);
                              });
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
// Copies of rows
//===----------------------------------------------------------------------===//

/// One end of a 2-D copy; kInvalidValue for what is no end, or an array.
static cuda::Result findEnd(cuda::MemoryType type, const void *host,
                            DevicePointer address, size_t x, size_t y,
                            size_t pitch, Extent extent, End &end) {
  if (extent.rows > 1 && pitch < x + extent.width)
    return cuda::kInvalidValue;
  size_t offset = y * pitch + x;
  if (type == cuda::kMemoryHost)
    end = hostEnd(static_cast<const uint8_t *>(host) + offset, pitch);
  else if (type == cuda::kMemoryDevice || type == cuda::kMemoryUnified)
    end = anyEnd(address + offset, pitch);
  else
    return cuda::kInvalidValue;
  return type == cuda::kMemoryDevice && !end.device ? cuda::kInvalidValue
                                                    : cuda::kSuccess;
}

static cuda::Result copyRows(const cuda::Copy2D *rows, cuda::Stream stream,
                             bool isAsync) {
  if (!getDriver())
    return cuda::kNotInitialized;
  if (!rows)
    return cuda::kInvalidValue;
  Extent extent = {rows->width, rows->height};
  if (extent.bytes() == 0)
    return cuda::kSuccess;
  End to, from;
  cuda::Result error = findEnd(rows->toType, rows->toHost, rows->toDevice,
                               rows->toX, rows->toY, rows->toPitch, extent, to);
  if (error == cuda::kSuccess)
    error = findEnd(rows->fromType, rows->fromHost, rows->fromDevice,
                    rows->fromX, rows->fromY, rows->fromPitch, extent, from);
  return error == cuda::kSuccess ? copy(to, from, extent, stream, isAsync)
                                 : error;
}

HETERO_CUDA_API cuMemcpy2DAsync_v2(const cuda::Copy2D *rows,
                                   cuda::Stream stream) {
  return copyRows(rows, stream, true);
}

HETERO_CUDA_API cuMemcpy2D_v2(const cuda::Copy2D *rows) {
  return copyRows(rows, nullptr, false);
}

//===----------------------------------------------------------------------===//
// Fills
//===----------------------------------------------------------------------===//

namespace {
/// Elements of a row, and rows that lie `pitch` bytes apart.
struct FillShape {
  size_t width, rows = 1, pitch = 0;
};
} // namespace

template <typename Element>
static void issueFill(const std::shared_ptr<Stream> &stream, Device &device,
                      DevicePointer address, Element value, FillShape shape) {
  uint64_t ofRow = shape.width * sizeof(Element);
  std::string why = countCall(CallClass::Copy);
  Work work;
  work.kind = Work::Local;
  work.name = "fill";
  work.written = {address, address + ofRow};
  work.rows = shape.rows;
  work.writtenPitch = shape.pitch;
  work.bytes = ofRow * shape.rows;
  work.device = device.ordinal;
  stream->context.submit(stream, work, [=, &device] {
    if (!why.empty())
      return failTransfer(stream->context, "a fill", ofRow * shape.rows, why);
    device.memory.kernelBegins();
    for (size_t row = 0; row < shape.rows; ++row) {
      DevicePointer begin = address + row * shape.pitch;
      if (uint8_t *host = device.memory.translate(begin, ofRow))
        std::fill_n(reinterpret_cast<Element *>(host), shape.width, value);
      device.memory.noteWritten(begin, ofRow);
    }
    device.memory.kernelEnds();
  });
}

/// Whether the rows lie within an allocation, with elements where they may.
template <typename Element>
static bool isValidFill(Device *device, DevicePointer address,
                        FillShape shape) {
  size_t ofRow, before, all;
  if (__builtin_mul_overflow(shape.width, sizeof(Element), &ofRow) ||
      __builtin_mul_overflow(shape.rows - 1, shape.pitch, &before) ||
      __builtin_add_overflow(before, ofRow, &all))
    return false;
  bool isAligned = address % sizeof(Element) == 0 &&
                   (shape.rows == 1 || (shape.pitch % sizeof(Element) == 0 &&
                                        shape.pitch >= ofRow));
  return isAligned && device && device->memory.translate(address, all);
}

template <typename Element>
static cuda::Result fill(DevicePointer address, Element value, FillShape shape,
                         cuda::Stream handle, bool isAsync) {
  std::shared_ptr<Stream> stream;
  if (cuda::Result error = getStream(handle, stream))
    return error;
  if (!isAsync)
    if (cuda::Result error = Capture::checkUnsafeCall())
      return error;
  if (shape.width == 0 || shape.rows == 0)
    return address % sizeof(Element) == 0 ? cuda::kSuccess
                                          : cuda::kInvalidValue;
  Device *device = getDriver()->deviceOf(address);
  if (!device) // Memory of the host that kernels reach.
    device = &stream->context.device;
  if (!isValidFill<Element>(device, address, shape))
    return cuda::kInvalidValue;
  cuda::Result result = issueOrCapture(
      stream, NodeKind::Fill, [=](const std::shared_ptr<Stream> &stream) {
        issueFill(stream, *device, address, value, shape);
      });
  if (isAsync || result != cuda::kSuccess)
    return result;
  stream->context.synchronize(*stream);
  return stream->context.fault();
}

HETERO_CUDA_API cuMemsetD8Async(DevicePointer address, unsigned char value,
                                size_t count, cuda::Stream stream) {
  return fill<uint8_t>(address, value, {count}, stream, true);
}
HETERO_CUDA_API cuMemsetD16Async(DevicePointer address, unsigned short value,
                                 size_t count, cuda::Stream stream) {
  return fill<uint16_t>(address, value, {count}, stream, true);
}
HETERO_CUDA_API cuMemsetD32Async(DevicePointer address, unsigned value,
                                 size_t count, cuda::Stream stream) {
  return fill<uint32_t>(address, value, {count}, stream, true);
}
HETERO_CUDA_API cuMemsetD8_v2(DevicePointer address, unsigned char value,
                              size_t count) {
  return fill<uint8_t>(address, value, {count}, nullptr, false);
}
HETERO_CUDA_API cuMemsetD16_v2(DevicePointer address, unsigned short value,
                               size_t count) {
  return fill<uint16_t>(address, value, {count}, nullptr, false);
}
HETERO_CUDA_API cuMemsetD32_v2(DevicePointer address, unsigned value,
                               size_t count) {
  return fill<uint32_t>(address, value, {count}, nullptr, false);
}
HETERO_CUDA_API cuMemsetD2D8Async(DevicePointer address, size_t pitch,
                                  unsigned char value, size_t width,
                                  size_t rows, cuda::Stream stream) {
  return fill<uint8_t>(address, value, {width, rows, pitch}, stream, true);
}
HETERO_CUDA_API cuMemsetD2D8_v2(DevicePointer address, size_t pitch,
                                unsigned char value, size_t width,
                                size_t rows) {
  return fill<uint8_t>(address, value, {width, rows, pitch}, nullptr, false);
}
HETERO_CUDA_API cuMemsetD2D16Async(DevicePointer address, size_t pitch,
                                   unsigned short value, size_t width,
                                   size_t rows, cuda::Stream stream) {
  return fill<uint16_t>(address, value, {width, rows, pitch}, stream, true);
}
HETERO_CUDA_API cuMemsetD2D16_v2(DevicePointer address, size_t pitch,
                                 unsigned short value, size_t width,
                                 size_t rows) {
  return fill<uint16_t>(address, value, {width, rows, pitch}, nullptr, false);
}
HETERO_CUDA_API cuMemsetD2D32Async(DevicePointer address, size_t pitch,
                                   unsigned value, size_t width, size_t rows,
                                   cuda::Stream stream) {
  return fill<uint32_t>(address, value, {width, rows, pitch}, stream, true);
}
HETERO_CUDA_API cuMemsetD2D32_v2(DevicePointer address, size_t pitch,
                                 unsigned value, size_t width, size_t rows) {
  return fill<uint32_t>(address, value, {width, rows, pitch}, nullptr, false);
}
