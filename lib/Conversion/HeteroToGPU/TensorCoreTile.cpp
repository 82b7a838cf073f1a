//===- TensorCoreTile.cpp - A tile of an operand in shared memory ---------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Where the operand's chunks are at multiples of 16 bytes, a copy is one
// cp.async, which fills with zeros what does not exist. Else the thread loads
// element by element, all of a chunk at once.
//
//===----------------------------------------------------------------------===//

#include "TensorCoreTile.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"

using namespace mlir;
using namespace mlir::hetero;

/// The place of a chunk in its row. Eight rows one after the other, or eight
/// chunks, are in different banks.
Value TensorCoreTile::swizzle(Value row, Value chunk) {
  Value turn = chunksPerRow() < 8 ? rest(divide(row, 2), 4) : rest(row, 8);
  return exclusiveOr(chunk, turn);
}

//===----------------------------------------------------------------------===//
// From global memory
//===----------------------------------------------------------------------===//

Value TensorCoreTile::lineOffset(Value line) {
  SmallVector<Value> sizes;
  for (ArrayRef<unsigned> group : side.lines)
    sizes.push_back(kernel.importIndex(kernel.countIterations(group)));
  Value offset = batchOffset;
  for (auto [group, part] :
       llvm::zip(side.lines, kernel.delinearize(line, sizes)))
    offset = add(offset, multiply(part, step(group.back())));
  return offset;
}

void TensorCoreTile::placeCopies(Value thread, Value firstLine,
                                 ArrayRef<Value> point) {
  batchOffset = constant(0);
  for (unsigned loop : plan.batch)
    batchOffset = add(batchOffset, multiply(point[loop], step(loop)));
  SmallVector<unsigned> loops;
  for (ArrayRef<unsigned> group : side.lines)
    llvm::append_range(loops, group);
  lineCount = kernel.importIndex(kernel.countIterations(loops));
  depthCount = kernel.importIndex(kernel.countIterations(plan.depth));
  if (side.mayBeAligned)
    aligned = isAligned(kernel.misalignment(*side.operand, innerLoop()));
  row = divide(thread, chunksPerRow());
  chunk = rest(thread, chunksPerRow());
  sharedOffset = add(multiply(row, rowBytes()),
                     multiply(swizzle(row, chunk), kVectorBytes));
  for (int64_t i = 0; i < steps(); ++i) {
    Value line =
        side.alongDepth ? add(row, i * rowsPerStep()) : multiply(chunk, kChunk);
    line = add(firstLine, line);
    offsets.push_back(lineOffset(line));
    limits.push_back(
        side.alongDepth ? select(less(line, lineCount), depthCount, constant(0))
                        : clamp(subtract(lineCount, line), kChunk));
  }
}

/// The offset of a chunk, and how many of its elements exist.
std::pair<Value, Value> TensorCoreTile::locate(int64_t i, Value depth) {
  Value place =
      side.alongDepth ? multiply(chunk, kChunk) : add(row, i * rowsPerStep());
  Value position = add(depth, place);
  Value offset = add(offsets[i], multiply(position, step(plan.depth.back())));
  Value valid = side.alongDepth ? clamp(subtract(limits[i], position), kChunk)
                                : select(less(position, depthCount), limits[i],
                                         constant(0));
  return {offset, valid};
}

void TensorCoreTile::copy(Value shared, ArrayRef<Value> tap, Value depth) {
  Value tapOffset = constant(0);
  for (auto [group, position] : llvm::zip_equal(plan.taps, tap))
    tapOffset = add(tapOffset, multiply(position, step(group.back())));
  auto copyAll = [&](bool asChunks) {
    for (int64_t i = 0; i < steps(); ++i) {
      auto [offset, valid] = locate(i, depth);
      Value target = sharedAddress(
          shared, add(sharedOffset, i * rowsPerStep() * rowBytes()));
      if (asChunks)
        copyChunk(target, add(offset, tapOffset), valid);
      else
        copyElements(target, add(offset, tapOffset), valid);
    }
  };
  if (aligned)
    onlyIf(aligned, [&] { copyAll(true); }, [&] { copyAll(false); });
  else
    copyAll(false);
}

void TensorCoreTile::copyChunk(Value shared, Value offset, Value valid) {
  Value bytes = arith::IndexCastOp::create(builder, loc, builder.getI32Type(),
                                           multiply(valid, 2));
  Value address = kernel.getAddress(*side.operand, offset);
  auto global = LLVM::LLVMPointerType::get(
      builder.getContext(),
      static_cast<unsigned>(NVVM::NVVMMemorySpace::Global));
  Value source = LLVM::AddrSpaceCastOp::create(builder, loc, global, address);
  NVVM::CpAsyncOp::create(
      builder, loc, shared, source, builder.getI32IntegerAttr(kVectorBytes),
      NVVM::LoadCacheModifierKindAttr::get(builder.getContext(),
                                           NVVM::LoadCacheModifierKind::CG),
      bytes);
}

/// Loads elements that do not exist from where the operand starts, so that no
/// load waits for a branch.
void TensorCoreTile::copyElements(Value shared, Value offset, Value valid) {
  unsigned inner = innerLoop();
  Type type = getElementTypeOrSelf(side.operand->get().getType());
  Value zero =
      arith::ConstantOp::create(builder, loc, builder.getZeroAttr(type));
  auto vector = VectorType::get(kChunk, type);
  Value values = LLVM::PoisonOp::create(builder, loc, vector);
  for (int64_t i = 0; i < kChunk; ++i) {
    Value exists = less(constant(i), valid);
    Value place = add(offset, multiply(step(inner), i));
    Value address =
        kernel.getAddress(*side.operand, select(exists, place, constant(0)));
    Value element = LLVM::LoadOp::create(builder, loc, type, address);
    Value position = LLVM::ConstantOp::create(
        builder, loc, builder.getI32Type(), builder.getI32IntegerAttr(i));
    values = LLVM::InsertElementOp::create(
        builder, loc, values, select(exists, element, zero), position);
  }
  LLVM::StoreOp::create(builder, loc, values, shared, kVectorBytes);
}

//===----------------------------------------------------------------------===//
// From shared memory
//===----------------------------------------------------------------------===//

void TensorCoreTile::placeReads(Value lane, Value warpLine, int64_t warpLines) {
  // Lanes 0-7, 8-15, 16-23 and 24-31 give the rows of one matrix each.
  for (int64_t block = 0; block < warpLines / 16; ++block) {
    SmallVector<Value> parts;
    for (int64_t part = 0; part < kTileDepth / kMatrixDepth; ++part) {
      Value half = divide(lane, 16);
      Value readRow, readChunk;
      if (side.alongDepth) {
        readRow = add(add(warpLine, block * 16), rest(lane, 16));
        readChunk = add(half, part * 2);
      } else {
        readRow = add(add(rest(lane, 8), multiply(half, 8)), part * 16);
        readChunk = add(divide(add(warpLine, block * 16), kChunk),
                        rest(divide(lane, 8), 2));
      }
      parts.push_back(add(multiply(readRow, rowBytes()),
                          multiply(swizzle(readRow, readChunk), kVectorBytes)));
    }
    reads.push_back(parts);
  }
}

SmallVector<Value> TensorCoreTile::read(Value shared, int64_t block,
                                        int64_t part) {
  MLIRContext *context = builder.getContext();
  Type i32 = builder.getI32Type();
  Type type = LLVM::LLVMStructType::getLiteral(context, {i32, i32, i32, i32});
  auto matrices = NVVM::LdMatrixOp::create(
      builder, loc, type, sharedAddress(shared, reads[block][part]), 4,
      side.alongDepth ? NVVM::MMALayout::row : NVVM::MMALayout::col,
      NVVM::LdStMatrixShapeAttr::get(context, 8, 8),
      NVVM::LdStMatrixEltType::B16);
  SmallVector<Value> registers;
  for (int64_t i = 0; i < 4; ++i)
    registers.push_back(
        LLVM::ExtractValueOp::create(builder, loc, matrices, i));
  return registers;
}
