//===- TensorCoreTile.cpp - A tile of an operand in shared memory ---------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Where the operand's chunks are at multiples of 16 bytes, a copy is one
// cp.async, which fills with zeros what does not exist. Else elements of four
// bytes have a cp.async each, and a thread loads smaller ones, several at once.
//
//===----------------------------------------------------------------------===//

#include "TensorCoreTile.h"

#include "Codegen/GPU/Kernels/KernelVectors.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"

using namespace mlir;
using namespace mlir::hetero;

/// Elements of a line that are loaded before the first is stored.
static constexpr int64_t kLoadsAtOnce = 8;

/// The place of a chunk in its row. Eight rows one after the other, or eight
/// chunks, are in different banks; of interleaved lines, what the lanes of a
/// warp read at once, which is pairs of chunks in four rows.
Value TensorCoreTile::swizzle(Value row, Value chunk) {
  if (isInterleaved()) {
    Value group = plan.bytes == 4 ? row : divide(row, 4);
    return exclusiveOr(chunk,
                       multiply(rest(group, chunksPerRow() < 8 ? 2 : 4), 2));
  }
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
  if (copiesByLine())
    return placeLine(thread, firstLine);
  if (side.mayBeAligned)
    aligned = isAligned(getMisalignment(kernel, *side.operand, innerLoop()));
  row = divide(thread, chunksPerRow());
  chunk = rest(thread, chunksPerRow());
  sharedOffset = add(multiply(row, rowBytes()),
                     multiply(swizzle(row, chunk), kVectorBytes));
  for (int64_t i = 0; i < steps(); ++i) {
    Value line = side.alongDepth ? add(row, i * rowsPerStep())
                                 : multiply(chunk, plan.getChunk());
    line = add(firstLine, line);
    offsets.push_back(lineOffset(line));
    limits.push_back(
        side.alongDepth ? select(less(line, lineCount), depthCount, constant(0))
                        : clamp(subtract(lineCount, line), plan.getChunk()));
  }
}

/// A thread has one line, of every so many rows.
void TensorCoreTile::placeLine(Value thread, Value firstLine) {
  row = divide(thread, lines);
  chunk = rest(thread, lines);
  Value line = add(firstLine, chunk);
  offsets.push_back(lineOffset(line));
  limits.push_back(select(less(line, lineCount), depthCount, constant(0)));
}

/// The offset of a chunk, and how many of its elements exist.
std::pair<Value, Value> TensorCoreTile::locate(int64_t i, Value depth) {
  Value place = side.alongDepth ? multiply(chunk, plan.getChunk())
                                : add(row, i * rowsPerStep());
  Value position = add(depth, place);
  Value offset = add(offsets[i], multiply(position, step(plan.depth.back())));
  Value valid =
      side.alongDepth
          ? clamp(subtract(limits[i], position), plan.getChunk())
          : select(less(position, depthCount), limits[i], constant(0));
  return {offset, valid};
}

void TensorCoreTile::copy(Value shared, ArrayRef<Value> tap, Value depth) {
  Value tapOffset = constant(0);
  for (auto [group, position] : llvm::zip_equal(plan.taps, tap))
    tapOffset = add(tapOffset, multiply(position, step(group.back())));
  if (copiesByLine())
    return copyLine(shared, depth, tapOffset);
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

/// Copies `most` bytes, of which `bytes` exist.
void TensorCoreTile::copyAsync(Value shared, Value offset, Value bytes,
                               int64_t most) {
  Value size =
      arith::IndexCastOp::create(builder, loc, builder.getI32Type(), bytes);
  Value address = getAddress(kernel, *side.operand, offset);
  auto global = LLVM::LLVMPointerType::get(
      builder.getContext(),
      static_cast<unsigned>(NVVM::NVVMMemorySpace::Global));
  Value source = LLVM::AddrSpaceCastOp::create(builder, loc, global, address);
  auto cache = most == kVectorBytes ? NVVM::LoadCacheModifierKind::CG
                                    : NVVM::LoadCacheModifierKind::CA;
  NVVM::CpAsyncOp::create(
      builder, loc, shared, source, builder.getI32IntegerAttr(most),
      NVVM::LoadCacheModifierKindAttr::get(builder.getContext(), cache), size);
}

void TensorCoreTile::copyChunk(Value shared, Value offset, Value valid) {
  copyAsync(shared, offset, multiply(valid, plan.bytes), kVectorBytes);
}

/// Loads an element that does not exist from where the operand starts, so that
/// no load waits for a branch.
Value TensorCoreTile::loadExisting(Value offset, Value exists) {
  Type type = getElementTypeOrSelf(side.operand->get().getType());
  Value zero =
      arith::ConstantOp::create(builder, loc, builder.getZeroAttr(type));
  Value address =
      getAddress(kernel, *side.operand, select(exists, offset, constant(0)));
  Value element = LLVM::LoadOp::create(builder, loc, type, address);
  return select(exists, element, zero);
}

void TensorCoreTile::copyElements(Value shared, Value offset, Value valid) {
  unsigned inner = innerLoop();
  int64_t count = plan.getChunk();
  auto locateElement = [&](int64_t i) {
    return add(offset, multiply(step(inner), i));
  };
  if (plan.bytes == 4) {
    for (int64_t i = 0; i < count; ++i)
      copyAsync(sharedAddress(shared, constant(i * 4)), locateElement(i),
                select(less(constant(i), valid), constant(4), constant(0)), 4);
    return;
  }
  Type type = getElementTypeOrSelf(side.operand->get().getType());
  auto vector = VectorType::get(count, type);
  Value values = LLVM::PoisonOp::create(builder, loc, vector);
  for (int64_t i = 0; i < count; ++i) {
    Value position = LLVM::ConstantOp::create(
        builder, loc, builder.getI32Type(), builder.getI32IntegerAttr(i));
    values = LLVM::InsertElementOp::create(
        builder, loc, values,
        loadExisting(locateElement(i), less(constant(i), valid)), position);
  }
  LLVM::StoreOp::create(builder, loc, values, shared, kVectorBytes);
}

/// Copies the thread's elements of its line.
void TensorCoreTile::copyLine(Value shared, Value depth, Value tapOffset) {
  int64_t rows = threads / lines, count = plan.getTileDepth() / rows;
  Value inChunk = multiply(rest(chunk, plan.getChunk()), plan.bytes);
  auto locateTarget = [&](Value target) {
    Value place = swizzle(target, divide(chunk, plan.getChunk()));
    return sharedAddress(shared,
                         add(multiply(target, rowBytes()),
                             add(multiply(place, kVectorBytes), inChunk)));
  };
  Value base = add(offsets[0], tapOffset);
  SmallVector<std::pair<Value, Value>> loaded;
  for (int64_t i = 0; i < count; ++i) {
    Value target = add(row, i * rows), position = add(depth, target);
    Value offset = add(base, multiply(position, step(plan.depth.back())));
    Value exists = less(position, limits[0]);
    if (plan.bytes == 4) {
      copyAsync(locateTarget(target), offset,
                select(exists, constant(4), constant(0)), 4);
      continue;
    }
    loaded.emplace_back(target, loadExisting(offset, exists));
    if (loaded.size() < kLoadsAtOnce && i + 1 < count)
      continue;
    for (auto [place, value] : loaded)
      LLVM::StoreOp::create(builder, loc, value, locateTarget(place));
    loaded.clear();
  }
}
