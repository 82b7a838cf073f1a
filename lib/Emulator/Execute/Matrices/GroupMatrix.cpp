//===- GroupMatrix.cpp - Products of warpgroups ---------------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Emulator/Execute/Matrices/GroupMatrix.h"

#include "Emulator/Execute/Matrices/Matrix.h"

#include <algorithm>
#include <cstring>

using namespace hetero::emulator;
using namespace hetero;

//===----------------------------------------------------------------------===//
// Matrices in shared memory
//===----------------------------------------------------------------------===//

/// Without swizzle, groups of eight chunks of 16 bytes follow one another;
/// `leading` and `stride` are the ways from group to group. With it, eight rows
/// of a span follow one another.
uint64_t SharedMatrix::place(unsigned line, unsigned depth,
                             bool isTransposed) const {
  constexpr unsigned kChunk = 16, kGroup = 8;
  uint64_t span = spanOf(swizzle()), chunks = span / kChunk;
  bool isPlain = swizzle() == Swizzle::None;
  uint64_t offset;
  if (!isTransposed)
    offset = line % kGroup * span + line / kGroup * stride() +
             depth * (isPlain ? leading() : kChunk);
  else if (isPlain)
    offset =
        line * stride() + depth % kGroup * kChunk + depth / kGroup * leading();
  else
    offset = line % chunks * kChunk + line / chunks * leading() +
             depth % kGroup * span + depth / kGroup * stride();
  return swizzled(start() + offset, swizzle());
}

/// What has no base offset begins where the swizzle's pattern does.
void GroupMultiplier::checkMatrix(SharedMatrix matrix) {
  if (matrix.baseOffset() != 0)
    proxy.fail("multiplies a matrix with a base offset, which the emulator "
               "does not support");
  uint64_t span = spanOf(matrix.swizzle());
  if (matrix.start() % (8 * span) / 128 != 0 &&
      matrix.swizzle() != Swizzle::None)
    proxy.fail("multiplies a matrix that begins within the pattern of its "
               "swizzle; let it begin at a multiple of eight rows");
}

//===----------------------------------------------------------------------===//
// Operands
//===----------------------------------------------------------------------===//

namespace {
/// The operands of one warp as numbers; that of A by rows, that of B by depth.
struct Operands {
  float a[GroupMultiplier::kRows][GroupMultiplier::kMostDepth];
  float b[GroupMultiplier::kMostDepth][GroupMultiplier::kMostColumns];
};
} // namespace

/// Too large for the stack of a thread; none gives way while it uses them.
static thread_local Operands operands;

/// Integers of eight bits are exact, too.
static float decode(MatrixElement element, uint32_t bits) {
  if (element == MatrixElement::S8)
    return static_cast<int8_t>(bits);
  if (element == MatrixElement::U8)
    return static_cast<float>(bits & 0xff);
  return static_cast<float>(decodeFloat(element, bits));
}

/// Lines and elements of depth that one chunk holds go to places that lie
/// `lineStep` and `depthStep` apart.
void GroupMultiplier::readMatrix(SharedMatrix matrix, MatrixElement element,
                                 unsigned firstLine, unsigned lines,
                                 bool isTransposed, bool isNegated, float *to,
                                 unsigned lineStep, unsigned depthStep) {
  checkMatrix(matrix);
  constexpr unsigned kChunk = 16;
  unsigned bytes = bitsOf(element) / 8, perChunk = kChunk / bytes;
  unsigned depth = operation.depth();
  unsigned chunks = isTransposed ? lines / perChunk : depth / perChunk;
  unsigned others = isTransposed ? depth : lines;
  unsigned firstChunk = isTransposed ? firstLine / perChunk : 0;
  unsigned firstOther = isTransposed ? 0 : firstLine;
  unsigned step = isTransposed ? lineStep : depthStep;
  unsigned otherStep = isTransposed ? depthStep : lineStep;
  for (unsigned other = 0; other < others; ++other)
    for (unsigned i = 0; i < chunks; ++i) {
      unsigned along = firstChunk + i, across = firstOther + other;
      uint64_t place = isTransposed ? matrix.place(along, across, true)
                                    : matrix.place(across, along, false);
      const uint8_t *from = proxy.shared(place, kChunk, /*isStore=*/false);
      for (unsigned j = 0; j < perChunk; ++j) {
        uint32_t bits = 0;
        std::memcpy(&bits, from + j * bytes, bytes);
        float value = decode(element, bits);
        to[other * otherStep + (i * perChunk + j) * step] =
            isNegated ? -value : value;
      }
    }
}

void GroupMultiplier::readA(SharedMatrix matrix, unsigned firstRow) {
  readMatrix(matrix, operation.a, firstRow, kRows, operation.isTransposedA,
             operation.isNegatedA, &operands.a[0][0], kMostDepth, 1);
}

void GroupMultiplier::readB(SharedMatrix matrix) {
  readMatrix(matrix, operation.b, 0, operation.columns, operation.isTransposedB,
             operation.isNegatedB, &operands.b[0][0], 1, kMostColumns);
}

/// As of mma: registers of a lane are of rows g and g + 8, twice.
void GroupMultiplier::readA(uint64_t *const (&lanes)[kLanes]) {
  unsigned bits = bitsOf(operation.a), perRegister = 32 / bits;
  for (unsigned lane = 0; lane < kLanes; ++lane)
    for (unsigned i = 0; i < 4; ++i)
      for (unsigned j = 0; j < perRegister; ++j) {
        unsigned row = lane / 4 + i % 2 * 8;
        unsigned depth = (i / 2 * 4 + lane % 4) * perRegister + j;
        auto word = static_cast<uint32_t>(lanes[lane][i] >> j * bits);
        if (bits < 32)
          word &= (1u << bits) - 1;
        float value = decode(operation.a, word);
        operands.a[row][depth] = operation.isNegatedA ? -value : value;
      }
}

//===----------------------------------------------------------------------===//
// Products
//===----------------------------------------------------------------------===//

namespace {
/// Where the lanes of a warp have an element of D.
struct Place {
  unsigned lane, index, shift;

  Place(unsigned row, unsigned column, MatrixElement element)
      : lane(row % 8 * 4 + column % 8 / 2),
        index(column / 8 * 4 + row / 8 * 2 + column % 2), shift(0) {
    if (bitsOf(element) != 16)
      return;
    shift = index % 2 * 16;
    index /= 2;
  }
};
} // namespace

template <typename Number>
static Number decodeSum(MatrixElement element, uint64_t word) {
  if constexpr (std::is_integral_v<Number>)
    return static_cast<int32_t>(word);
  else
    return decodeFloat(element,
                       element == MatrixElement::F16 ? word & 0xffff : word);
}

template <typename Number>
static uint64_t encodeSum(const GroupMultiply &operation, Number sum) {
  if constexpr (!std::is_integral_v<Number>)
    return encodeFloat(operation.d, sum);
  else if (operation.saturates)
    return static_cast<uint32_t>(std::clamp<Number>(sum, INT32_MIN, INT32_MAX));
  else
    return static_cast<uint32_t>(sum);
}

/// Adds in a wider type and rounds once.
template <typename Number>
void GroupMultiplier::multiplyRows(uint64_t *const (&lanes)[kLanes]) {
  unsigned columns = operation.columns, depth = operation.depth();
  uint64_t kept = bitsOf(operation.d) == 16 ? 0xffff : 0xffffffff;
  for (unsigned row = 0; row < kRows; ++row) {
    Number sums[kMostColumns] = {};
    for (unsigned k = 0; k < depth; ++k) {
      Number left = static_cast<Number>(operands.a[row][k]);
      for (unsigned column = 0; column < columns; ++column)
        sums[column] += left * static_cast<Number>(operands.b[k][column]);
    }
    for (unsigned column = 0; column < columns; ++column) {
      Place place(row, column, operation.d);
      uint64_t &word = lanes[place.lane][place.index];
      Number sum = sums[column];
      if (addsD)
        sum += decodeSum<Number>(operation.d, word >> place.shift);
      word &= ~(kept << place.shift);
      word |= encodeSum(operation, sum) << place.shift;
    }
  }
}

void GroupMultiplier::multiply(uint64_t *const (&lanes)[kLanes]) {
  if (isInteger(operation.a))
    multiplyRows<int64_t>(lanes);
  else
    multiplyRows<double>(lanes);
}

//===----------------------------------------------------------------------===//
// Warps
//===----------------------------------------------------------------------===//

namespace {
/// What a lane brings to its warp.
struct LaneOperands {
  uint64_t *a, *d;
  uint64_t descriptorA, descriptorB;
  uint32_t addsD;

  bool goesWith(const LaneOperands &other) const {
    return descriptorA == other.descriptorA &&
           descriptorB == other.descriptorB && addsD == other.addsD;
  }
};
} // namespace

static const LaneOperands &operandsOf(const PTXThread &thread, unsigned lane) {
  return *reinterpret_cast<const LaneOperands *>(thread.lanes[lane]);
}

/// The first lane computes for all, whose registers are on their stacks.
static void multiplyForWarp(PTXThread &thread, const GroupMultiply &operation) {
  ThreadContext *context = &thread.context;
  AsyncProxy proxy(context, AsyncProxy::Product, operation.line);
  const LaneOperands &own = operandsOf(thread, context->laneid);
  uint64_t *a[GroupMultiplier::kLanes], *d[GroupMultiplier::kLanes];
  for (unsigned lane = 0; lane < GroupMultiplier::kLanes; ++lane) {
    const LaneOperands &other = operandsOf(thread, lane);
    if (!own.goesWith(other))
      proxy.fail("brings other descriptors to a product than the rest of its "
                 "warp");
    a[lane] = other.a;
    d[lane] = other.d;
  }
  GroupMultiplier multiplier(proxy, operation, own.addsD != 0);
  if (operation.hasRegistersOfA)
    multiplier.readA(a);
  else
    multiplier.readA({own.descriptorA},
                     context->warpid % 4 * GroupMultiplier::kRows);
  multiplier.readB({own.descriptorB});
  multiplier.multiply(d);
}

/// A warpgroup is four warps whose first one's number is a multiple of four.
static bool hasWarpgroup(const ThreadContext *context) {
  uint32_t threads = context->ntid[0] * context->ntid[1] * context->ntid[2];
  return threads >= (context->warpid / 4 + 1) * 4 * kWarpSize;
}

void heteroEmuGroupMultiply(ThreadContext *context,
                            const GroupMultiply *operation,
                            uint64_t *registersOfA, uint64_t a, uint64_t b,
                            uint32_t addsD, uint64_t *d) {
  PTXThread &own = threadOf(context);
  if (!hasWarpgroup(context)) {
    own.block->reportMeeting(own, "takes part in an operation of a warpgroup, "
                                  "but its block has not all of its 4 warps");
    own.block->leave(own);
  }
  LaneOperands lane = {registersOfA, d, a, b, addsD};
  PTXThread &thread =
      meetAll(context, kWarpGroupMultiply, reinterpret_cast<uint64_t>(&lane));
  if (context->laneid == 0)
    multiplyForWarp(thread, *operation);
  meetAll(context, kWarpGroupMultiply, 0);
}
