//===- TensorMap.cpp - What describes a tensor to its copies --------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Emulator/Execute/Async/TensorMap.h"

#include "Emulator/ABI/ExecutorCallbacks.h"

#include <cstring>

using namespace hetero::emulator;

static constexpr uint32_t kHalf = sizeof(TensorMap) / 2;

const char *TensorMap::problem() const {
  constexpr uint64_t kUnit = 16;
  if (magic != kMagic)
    return "uses a tensor map that cuTensorMapEncodeTiled has not made";
  if (rank == 0 || rank > kMostRank)
    return "uses a tensor map that has not 1 to 5 dimensions";
  if (interleave != 0)
    return "uses a tensor map with interleaved dimensions, which is not "
           "supported";
  if (swizzleMode() > Swizzle::Span128 || atomicity != 0)
    return "uses a tensor map that swizzles chunks of more than 16 bytes, "
           "which is not supported";
  if (type >= kFlushingFloat32)
    return "uses a tensor map whose elements are packed or rounded, which is "
           "not supported";
  if (fillsNaN > 1 || (fillsNaN && !isFloat(type)))
    return "uses a tensor map that fills integers with NaN";
  for (uint32_t i = 0; i < rank; ++i)
    if (box[i] == 0 || box[i] > 256 || steps[i] == 0 || steps[i] > 8)
      return "uses a tensor map whose box or steps are 0 or too large";
  for (uint32_t i = 0; i + 1 < rank; ++i)
    if (strides[i] % kUnit != 0)
      return "uses a tensor map whose strides are not multiples of 16 bytes";
  uint64_t row = uint64_t(box[0]) * bytesOf(type);
  if (address % kUnit != 0 || row % kUnit != 0)
    return "uses a tensor map whose address or rows are not multiples of 16 "
           "bytes";
  if (swizzle != 0 && row > spanOf(swizzleMode()))
    return "uses a tensor map whose rows are longer than its swizzle";
  return nullptr;
}

//===----------------------------------------------------------------------===//
// Changes by kernels
//===----------------------------------------------------------------------===//

/// The host memory of a half of the map at a generic address.
static uint8_t *halfOf(ThreadContext *context, uint64_t map, uint32_t half,
                       uint32_t kind, uint32_t line) {
  AccessWindow window;
  return heteroEmuTranslate(context, map + half * kHalf, kHalf, kind, line,
                            &window);
}

TensorMap hetero::emulator::readTensorMap(ThreadContext *context,
                                          uint64_t address, uint32_t line) {
  TensorMap map;
  for (uint32_t i = 0; i < 2; ++i)
    std::memcpy(reinterpret_cast<uint8_t *>(&map) + i * kHalf,
                halfOf(context, address, i, /*kind=*/0, line), kHalf);
  return map;
}

static void writeTensorMap(ThreadContext *context, uint64_t address,
                           const TensorMap &map, uint32_t line) {
  for (uint32_t i = 0; i < 2; ++i)
    std::memcpy(halfOf(context, address, i, kWrites, line),
                reinterpret_cast<const uint8_t *>(&map) + i * kHalf, kHalf);
}

/// What an element type of tensormap.replace is to the driver.
static uint8_t typeOf(uint64_t code) {
  constexpr uint8_t kTypes[] = {0,
                                1,
                                2,
                                3,
                                4,
                                5,
                                kFloat16,
                                kFloat32,
                                kFlushingFloat32,
                                kFloat64,
                                kBFloat16,
                                kTFloat32,
                                kTFloat32 + 1,
                                kPacked8,
                                kPacked16,
                                kPackedSixes};
  return code < sizeof kTypes ? kTypes[code] : 0xff;
}

/// Numbers that are too large for their field are found in the copy.
template <typename Field> static void set(Field &field, uint64_t value) {
  constexpr auto kMost = static_cast<Field>(~Field(0));
  field = value > kMost ? kMost : static_cast<Field>(value);
}

static void replace(TensorMap &map, uint32_t field, uint32_t ordinal,
                    uint64_t value) {
  // A map may be made of zeros and nothing else.
  map.magic = TensorMap::kMagic;
  switch (static_cast<MapField>(field)) {
  case kMapAddress:
    map.address = value;
    break;
  case kMapRank:
    set(map.rank, value + 1);
    break;
  case kMapBox:
    set(map.box[ordinal], value);
    break;
  case kMapSize:
    map.last[ordinal] = static_cast<uint32_t>(value - 1);
    break;
  case kMapStride:
    map.strides[ordinal] = value;
    break;
  case kMapStep:
    set(map.steps[ordinal], value);
    break;
  case kMapType:
    map.type = typeOf(value);
    break;
  case kMapInterleave:
    set(map.interleave, value);
    break;
  case kMapSwizzle:
    set(map.swizzle, value);
    break;
  case kMapAtomicity:
    set(map.atomicity, value);
    break;
  case kMapFill:
    set(map.fillsNaN, value);
    break;
  }
}

void heteroEmuReplaceMap(ThreadContext *context, uint64_t map, uint32_t field,
                         uint32_t ordinal, uint64_t value, uint32_t line) {
  TensorMap tensor = readTensorMap(context, map, line);
  replace(tensor, field, ordinal, value);
  writeTensorMap(context, map, tensor, line);
}

void heteroEmuCopyMap(ThreadContext *context, uint64_t to, uint64_t from,
                      uint32_t line) {
  writeTensorMap(context, to, readTensorMap(context, from, line), line);
}
