//===- BulkCopy.cpp - Copies of lines and boxes by the device -------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Emulator/Execute/Async/AsyncProxy.h"
#include "Emulator/Execute/Async/TensorMap.h"

#include <algorithm>
#include <cstring>

using namespace hetero::emulator;
using namespace hetero;

void heteroEmuBulkCopy(ThreadContext *context, uint32_t isStore,
                       uint64_t global, uint64_t shared, uint32_t bytes,
                       uint64_t barrier, uint32_t line) {
  AsyncProxy proxy(context, AsyncProxy::Copy, line);
  constexpr uint32_t kUnit = 16;
  proxy.checkAlignment("global address", global, kUnit);
  proxy.checkAlignment("shared address", shared, kUnit);
  proxy.checkAlignment("size", bytes, kUnit);
  uint8_t *inShared = proxy.shared(shared, bytes, !isStore);
  uint8_t *inGlobal = proxy.global(global, bytes, isStore != 0);
  if (isStore) {
    std::memcpy(inGlobal, inShared, bytes);
    return;
  }
  std::memcpy(inShared, inGlobal, bytes);
  proxy.complete(barrier, bytes);
}

//===----------------------------------------------------------------------===//
// Boxes of tensors
//===----------------------------------------------------------------------===//

namespace {
/// A box of a tensor on its way. Rows are elements along the first dimension;
/// in shared memory they follow one another, each in a span of the swizzle.
class BoxCopy {
public:
  BoxCopy(AsyncProxy &proxy, const TensorMap &map, const int32_t *coordinates,
          uint64_t shared)
      : proxy(proxy), map(map), coordinates(coordinates), shared(shared),
        rowBytes(count(0) * bytesOf(map.type)),
        pitch(map.swizzle == 0 ? rowBytes : spanOf(map.swizzleMode())) {}

  void run(bool isStore);

  uint32_t numRows() const {
    uint32_t rows = 1;
    for (uint32_t i = 1; i < map.rank; ++i)
      rows *= count(i);
    return rows;
  }
  uint64_t bytes() const { return uint64_t(numRows()) * rowBytes; }

private:
  static constexpr uint32_t kMostRowBytes = 256 * 8, kChunk = 16;

  /// Elements of the box along a dimension. The first one has no steps.
  uint32_t count(uint32_t i) const {
    uint32_t step = i ? map.steps[i] : 1;
    return (map.box[i] + step - 1) / step;
  }
  bool placeRow(uint32_t row, uint64_t &address) const;
  void load(uint64_t row, uint64_t address, bool exists);
  void store(uint64_t row, uint64_t address);
  uint8_t *chunk(uint64_t row, uint32_t at) const {
    return proxy.context->shared +
           swizzled(shared + row * pitch + at, map.swizzleMode());
  }

  AsyncProxy &proxy;
  const TensorMap &map;
  const int32_t *coordinates;
  uint64_t shared;
  uint32_t rowBytes, pitch;
  /// Of a row, the elements [first, end) exist.
  int64_t first = 0, end = 0;
};
} // namespace

/// Where the row begins; false if it lies outside of the tensor.
bool BoxCopy::placeRow(uint32_t row, uint64_t &address) const {
  address = map.address;
  for (uint32_t i = 1; i < map.rank; ++i) {
    int64_t at = coordinates[i] + int64_t(row % count(i)) * map.steps[i];
    row /= count(i);
    if (at < 0 || at > map.last[i])
      return false;
    address += at * map.strides[i - 1];
  }
  return true;
}

void BoxCopy::load(uint64_t row, uint64_t address, bool exists) {
  uint8_t elements[kMostRowBytes] = {};
  uint32_t size = bytesOf(map.type);
  if (map.fillsNaN) { // All ones but for the sign.
    std::fill(elements, elements + rowBytes, 0xff);
    for (uint32_t at = size - 1; at < rowBytes; at += size)
      elements[at] = 0x7f;
  }
  if (exists && first < end) {
    uint64_t bytes = (end - first) * size;
    std::memcpy(
        elements + first * size,
        proxy.global(address + (coordinates[0] + first) * size, bytes, false),
        bytes);
  }
  for (uint32_t at = 0; at < rowBytes; at += kChunk)
    std::memcpy(chunk(row, at), elements + at, kChunk);
}

void BoxCopy::store(uint64_t row, uint64_t address) {
  if (first >= end)
    return;
  uint8_t elements[kMostRowBytes];
  uint32_t size = bytesOf(map.type);
  for (uint32_t at = 0; at < rowBytes; at += kChunk)
    std::memcpy(elements + at, chunk(row, at), kChunk);
  uint64_t bytes = (end - first) * size;
  std::memcpy(
      proxy.global(address + (coordinates[0] + first) * size, bytes, true),
      elements + first * size, bytes);
}

void BoxCopy::run(bool isStore) {
  first = std::max<int64_t>(0, -int64_t(coordinates[0]));
  end = std::min<int64_t>(count(0), int64_t(map.last[0]) + 1 - coordinates[0]);
  uint32_t rows = numRows();
  proxy.shared(shared, uint64_t(rows) * pitch, !isStore);
  for (uint32_t row = 0; row < rows; ++row) {
    uint64_t address;
    bool exists = placeRow(row, address);
    if (!isStore)
      load(row, address, exists);
    else if (exists)
      store(row, address);
  }
}

void heteroEmuTensorCopy(ThreadContext *context, uint32_t isStore, uint64_t map,
                         uint32_t rank, const int32_t *coordinates,
                         uint64_t shared, uint64_t barrier, uint32_t line) {
  AsyncProxy proxy(context, AsyncProxy::Copy, line);
  constexpr uint32_t kMapAlignment = sizeof(TensorMap) / 2;
  proxy.checkAlignment("tensor map's address", map, kMapAlignment);
  TensorMap tensor = readTensorMap(context, map, line);
  if (const char *problem = tensor.problem())
    proxy.fail(problem);
  if (tensor.rank != rank)
    proxy.fail("copies a box whose dimensions are not as many as those of its "
               "tensor map");
  constexpr uint32_t kAlignment = 128;
  proxy.checkAlignment("shared address", shared, kAlignment);
  BoxCopy copy(proxy, tensor, coordinates, shared);
  copy.run(isStore != 0);
  if (!isStore)
    proxy.complete(barrier, copy.bytes());
}
