//===- Fills.cpp - Fills --------------------------------------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Emulator/Driver/Memory/Fills.h"
#include "Emulator/Driver/Errors.h"
#include "Emulator/Driver/Graphs/Capture.h"
#include "Emulator/Driver/Graphs/Graph.h"
#include "Emulator/Driver/Graphs/GraphMemory.h"
#include "Emulator/Driver/Memory/Transfers.h"
#include "Emulator/Driver/State/Context.h"
#include "Emulator/Driver/State/Device.h"
#include "Emulator/Driver/State/Driver.h"
#include "Emulator/Driver/Streams/Stream.h"

#include <algorithm>

using namespace hetero::emulator;
using namespace hetero;

using cuda::DevicePointer;

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
      uint8_t *host = device.memory.translate(begin, ofRow);
      if (host)
        std::fill_n(reinterpret_cast<Element *>(host), shape.width, value);
      else if (isOfGraph(begin, ofRow, /*isNow=*/false))
        failOutside(stream->context, "a fill", ofRow);
      device.memory.noteWritten(begin, ofRow);
    }
    device.memory.kernelEnds();
  });
}

/// Whether the rows lie within an allocation, with elements where they may.
/// Memory of a graph is there later, unless `isNow`.
template <typename Element>
static bool isValidFill(Device *device, DevicePointer address, FillShape shape,
                        bool isNow) {
  size_t ofRow, before, all;
  if (__builtin_mul_overflow(shape.width, sizeof(Element), &ofRow) ||
      __builtin_mul_overflow(shape.rows - 1, shape.pitch, &before) ||
      __builtin_add_overflow(before, ofRow, &all))
    return false;
  bool isAligned = address % sizeof(Element) == 0 &&
                   (shape.rows == 1 || (shape.pitch % sizeof(Element) == 0 &&
                                        shape.pitch >= ofRow));
  return isAligned && device &&
         (device->memory.isWritable(address, all) ||
          isOfGraph(address, all, isNow));
}

/// The work of a fill; none if it has no elements.
template <typename Element>
static cuda::Result plan(Context &context, DevicePointer address, Element value,
                         FillShape shape, bool isNow, IssueWork &issue) {
  if (shape.width == 0 || shape.rows == 0)
    return address % sizeof(Element) == 0 ? cuda::kSuccess
                                          : cuda::kInvalidValue;
  Device *device = getDriver()->deviceOf(address);
  if (!device) // Memory of the host that kernels reach.
    device = &context.device;
  if (!isValidFill<Element>(device, address, shape, isNow))
    return cuda::kInvalidValue;
  issue = [=](const std::shared_ptr<Stream> &stream) {
    issueFill(stream, *device, address, value, shape);
  };
  return cuda::kSuccess;
}

cuda::Result hetero::emulator::planFill(Context &context, const FillBox &box,
                                        IssueWork &issue) {
  FillShape shape = {box.width, box.height, box.pitch};
  switch (box.elementBytes) {
  case 1:
    return plan(context, box.address, uint8_t(box.value), shape,
                /*isNow=*/false, issue);
  case 2:
    return plan(context, box.address, uint16_t(box.value), shape,
                /*isNow=*/false, issue);
  case 4:
    return plan(context, box.address, uint32_t(box.value), shape,
                /*isNow=*/false, issue);
  }
  return cuda::kInvalidValue;
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
  IssueWork issue;
  if (cuda::Result error = plan(stream->context, address, value, shape,
                                !getLane(*stream), issue))
    return error;
  if (!issue)
    return cuda::kSuccess;
  FillBox box = {address,      shape.pitch, value,
                 sizeof value, shape.width, shape.rows};
  cuda::Result result =
      issueOrCapture(stream, NodeKind::Fill, std::move(issue), box);
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
