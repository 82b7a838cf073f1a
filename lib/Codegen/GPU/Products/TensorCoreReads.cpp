//===- TensorCoreReads.cpp - What a warp reads of a tile ------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A lane's register has 4 bytes of depth of one line. ldmatrix reads that where
// a tile lies along the depth, and transposes elements of 16 bits where it lies
// along the lines. Others are read there as words of four lines, f32 as 16
// bytes:
//
//   lane 4 * g + t reads lines 4 * g ... 4 * g + 3 at depth t
//
// so that line 4 * g + m is line g of the m-th matrix, and of bytes, those of
// four words trade places in four registers. Results are put back in order when
// they are stored.
//
// Where threads multiply, a warp's are 4 by 8: each reads 16 bytes of its
// lines.
//
//===----------------------------------------------------------------------===//

#include "TensorCoreTile.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"

using namespace mlir;
using namespace mlir::hetero;

/// Lines that the lanes of a warp read at once where they are interleaved.
static constexpr int64_t kGroupLines = 32;

int64_t TensorCoreTile::getFirstLine(int64_t matrix) const {
  if (!isInterleaved())
    return matrix * 8;
  return matrix / 4 * kGroupLines + matrix % 4;
}

void TensorCoreTile::placeReads(Value lane, Value warpLine,
                                int64_t warpLineCount) {
  warpLines = warpLineCount;
  if (isInterleaved()) {
    Value line = divide(lane, 4), depth = rest(lane, 4);
    for (int64_t group = 0; group < warpLines / kGroupLines; ++group) {
      Value bytes = multiply(
          add(warpLine, add(multiply(line, 4), constant(group * kGroupLines))),
          plan.bytes);
      // Four bytes of depth, as all accesses of the lane.
      Value readRow = multiply(depth, 4 / plan.bytes);
      Value place = swizzle(readRow, divide(bytes, kVectorBytes));
      reads.push_back({add(
          add(multiply(readRow, rowBytes()), multiply(place, kVectorBytes)),
          rest(bytes, kVectorBytes))});
    }
    return;
  }
  // Lanes 0-7, 8-15, 16-23 and 24-31 give the rows of one matrix each.
  for (int64_t block = 0; block < warpLines / 16; ++block) {
    SmallVector<Value> parts;
    for (int64_t part = 0; part < plan.getTileDepth() / plan.getMatrixDepth();
         ++part) {
      Value half = divide(lane, 16);
      Value readRow, readChunk;
      if (side.alongDepth) {
        readRow = add(add(warpLine, block * 16), rest(lane, 16));
        readChunk = add(half, part * 2);
      } else {
        readRow = add(add(rest(lane, 8), multiply(half, 8)), part * 16);
        readChunk = add(divide(add(warpLine, block * 16), plan.getChunk()),
                        rest(divide(lane, 8), 2));
      }
      parts.push_back(add(multiply(readRow, rowBytes()),
                          multiply(swizzle(readRow, readChunk), kVectorBytes)));
    }
    reads.push_back(parts);
  }
}

SmallVector<Value> TensorCoreTile::loadMatrices(Value address) {
  MLIRContext *context = builder.getContext();
  Type i32 = builder.getI32Type();
  Type type = LLVM::LLVMStructType::getLiteral(context, {i32, i32, i32, i32});
  auto matrices = NVVM::LdMatrixOp::create(
      builder, loc, type, address, 4,
      side.alongDepth ? NVVM::MMALayout::row : NVVM::MMALayout::col,
      NVVM::LdStMatrixShapeAttr::get(context, 8, 8),
      NVVM::LdStMatrixEltType::B16);
  SmallVector<Value> registers;
  for (int64_t i = 0; i < 4; ++i)
    registers.push_back(
        LLVM::ExtractValueOp::create(builder, loc, matrices, i));
  return registers;
}

/// An element as tensor cores take it: f32 is rounded to tf32, to nearest.
Value TensorCoreTile::round(Value value) {
  if (side.element != NVVM::MMATypes::tf32)
    return value;
  Value number =
      LLVM::BitcastOp::create(builder, loc, builder.getF32Type(), value);
  return NVVM::ConvertFloatToTF32Op::create(
      builder, loc, builder.getI32Type(), number, NVVM::FPRoundingMode::RNA,
      NVVM::SaturationMode::NONE, /*relu=*/false);
}

SmallVector<SmallVector<Value>> TensorCoreTile::read(Value shared,
                                                     int64_t part) {
  if (isInterleaved())
    return readInterleaved(shared, part);
  SmallVector<SmallVector<Value>> blocks;
  for (ArrayRef<Value> block : reads) {
    blocks.push_back(loadMatrices(sharedAddress(shared, block[part])));
    for (Value &value : blocks.back())
      value = round(value);
  }
  return blocks;
}

/// The elements of a vector of 16 bytes.
SmallVector<Value> TensorCoreTile::loadWords(Value address, Type type) {
  Value vector = LLVM::LoadOp::create(builder, loc, VectorType::get(4, type),
                                      address, kVectorBytes);
  SmallVector<Value> words;
  for (int64_t i = 0; i < 4; ++i)
    words.push_back(LLVM::ExtractElementOp::create(
        builder, loc, vector,
        arith::ConstantIntOp::create(builder, loc, i, 32)));
  return words;
}

/// From `row` on, the registers of four lines.
SmallVector<Value> TensorCoreTile::readWords(Value shared, int64_t group,
                                             int64_t row) {
  auto locate = [&](int64_t i) {
    return sharedAddress(shared, add(reads[group][0], (row + i) * rowBytes()));
  };
  Type i32 = builder.getI32Type();
  if (plan.bytes == 4)
    return loadWords(locate(0), i32);
  SmallVector<Value> words;
  for (int64_t i = 0; i < 4; ++i)
    words.push_back(LLVM::LoadOp::create(builder, loc, i32, locate(i), 4));
  return transposeBytes(words);
}

/// Byte i of register j becomes byte j of register i.
SmallVector<Value> TensorCoreTile::transposeBytes(ArrayRef<Value> words) {
  auto permute = [&](Value low, Value high, int64_t selector) -> Value {
    Value bytes = arith::ConstantIntOp::create(builder, loc, selector, 32);
    return NVVM::PermuteOp::create(builder, loc, builder.getI32Type(), low,
                                   high, bytes, NVVM::PermuteMode::DEFAULT);
  };
  // A digit per byte: 0-3 of the first word, 4-7 of the second.
  constexpr int64_t kLowBytes = 0x5140, kHighBytes = 0x7362;
  constexpr int64_t kLowHalves = 0x5410, kHighHalves = 0x7632;
  SmallVector<Value> result;
  for (int64_t bytes : {kLowBytes, kHighBytes}) {
    Value first = permute(words[0], words[1], bytes);
    Value second = permute(words[2], words[3], bytes);
    result.push_back(permute(first, second, kLowHalves));
    result.push_back(permute(first, second, kHighHalves));
  }
  return result;
}

SmallVector<SmallVector<Value>> TensorCoreTile::readInterleaved(Value shared,
                                                                int64_t part) {
  SmallVector<SmallVector<Value>> blocks(warpLines / 16, SmallVector<Value>(4));
  int64_t halfDepth = plan.getMatrixDepth() / 2;
  for (int64_t group = 0; group < warpLines / kGroupLines; ++group)
    for (int64_t half = 0; half < 2; ++half) {
      int64_t row = (part * 2 + half) * halfDepth;
      SmallVector<Value> words = readWords(shared, group, row);
      for (int64_t i = 0; i < 4; ++i)
        blocks[group * 2 + i / 2][half * 2 + i % 2] = round(words[i]);
    }
  return blocks;
}

//===----------------------------------------------------------------------===//
// Where threads multiply
//===----------------------------------------------------------------------===//

int64_t TensorCoreTile::getThreadLine(int64_t line, int64_t count) const {
  if (side.alongDepth)
    return line * count;
  return line / 4 * 4 * count + line % 4;
}

void TensorCoreTile::placeThreadReads(Value index, int64_t count,
                                      Value warpLine) {
  threadCount = count;
  for (int64_t i = 0; i < 4; ++i) {
    Value readRow, readChunk;
    if (side.alongDepth) {
      readRow = add(warpLine, index);
      readChunk = constant(i);
    } else {
      readRow = constant(i);
      readChunk = add(divide(warpLine, 4), index);
    }
    threadReads.push_back(
        add(multiply(readRow, rowBytes()),
            multiply(swizzle(readRow, readChunk), kVectorBytes)));
  }
}

/// A line `count` lines below is in another place of its row where four threads
/// share lines, which is that of another chunk; so are the next four lines.
SmallVector<SmallVector<Value>>
TensorCoreTile::readLines(Value shared, int64_t quarter,
                          int64_t linesPerThread) {
  Type f32 = builder.getF32Type();
  bool turns = threadCount == 4;
  SmallVector<SmallVector<Value>> result(
      4, SmallVector<Value>(linesPerThread, Value()));
  auto load = [&](int64_t base, int64_t bytes) {
    return loadWords(sharedAddress(shared, add(threadReads[base], bytes)), f32);
  };
  if (side.alongDepth) {
    for (int64_t line = 0; line < linesPerThread; ++line) {
      int64_t base = turns ? quarter ^ (line % 2 * 2) : quarter;
      SmallVector<Value> words = load(base, line * threadCount * rowBytes());
      for (int64_t depth = 0; depth < 4; ++depth)
        result[depth][line] = words[depth];
    }
    return result;
  }
  for (int64_t depth = 0; depth < 4; ++depth)
    for (int64_t line = 0; line < linesPerThread; line += 4) {
      int64_t base = turns && line != 0 ? depth ^ 2 : depth;
      int64_t across = turns ? 0 : line / 4 * threadCount * kVectorBytes;
      // The base is in row `base`.
      int64_t row = quarter * 4 + depth - base;
      SmallVector<Value> words = load(base, row * rowBytes() + across);
      for (int64_t i = 0; i < 4; ++i)
        result[depth][line + i] = words[i];
    }
  return result;
}
