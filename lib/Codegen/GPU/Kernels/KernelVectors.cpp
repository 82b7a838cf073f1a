//===- KernelVectors.cpp - Several elements per access --------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Elements next to each other are accessed as vectors of up to 16 bytes:
//
//   8 elements of f32 from %p: llvm.load %p, llvm.load %p + 16
//                              {alignment = 16} : vector<4xf32>
//
//===----------------------------------------------------------------------===//

#include "KernelVectors.h"

#include "ElementStorage.h"
#include "KernelOperands.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace mlir::hetero;

/// Complex numbers are two elements of their parts' type.
static Type getPart(Type storage) {
  auto pair = dyn_cast<VectorType>(storage);
  return pair ? pair.getElementType() : storage;
}

static int64_t getBytes(Type type) {
  auto pair = dyn_cast<VectorType>(type);
  int64_t parts = pair ? pair.getNumElements() : 1;
  return parts * getPart(type).getIntOrFloatBitWidth() / 8;
}

/// Vectors start at multiples of their bytes.
static unsigned getAlignment(VectorType type) {
  return type.getNumElements() * getBytes(type.getElementType());
}

/// Calls `access` with the address, the type and the first element of each
/// vector of `count` elements at `address`.
static void
forEachVector(OpBuilder &builder, Location loc, Value address, Type type,
              int64_t count,
              llvm::function_ref<void(Value, VectorType, int64_t)> access) {
  int64_t length = std::min(count, kVectorBytes / getBytes(type));
  auto vector = VectorType::get(length, type);
  for (int64_t first = 0; first < count; first += length) {
    Value start = address;
    if (first != 0)
      start = LLVM::GEPOp::create(
          builder, loc, address.getType(), type, address,
          ArrayRef<LLVM::GEPArg>{static_cast<int32_t>(first)});
    access(start, vector, first);
  }
}

static Value createPosition(OpBuilder &builder, Location loc, int64_t value) {
  return LLVM::ConstantOp::create(builder, loc, builder.getI64Type(),
                                  builder.getI64IntegerAttr(value));
}

SmallVector<Value> mlir::hetero::loadElements(KernelBuilder &kernel,
                                              OpOperand &operand,
                                              ValueRange loops, int64_t count) {
  OpBuilder &builder = kernel.getBuilder();
  Location loc = kernel.getLoc();
  const KernelBuffer &buffer = *kernel.findBuffer(operand.get());
  Value address = getElementAddress(kernel, buffer,
                                    applyIndexingMap(kernel, operand, loops));
  Type type = buffer.type.getElementType();
  Type storage = getStorageType(type), part = getPart(storage);
  int64_t parts = getBytes(storage) / getBytes(part);
  SmallVector<Value> values;
  forEachVector(builder, loc, address, part, count * parts,
                [&](Value start, VectorType type, int64_t) {
                  Value vector = LLVM::LoadOp::create(builder, loc, type, start,
                                                      getAlignment(type));
                  for (int64_t i = 0; i < type.getNumElements(); ++i)
                    values.push_back(LLVM::ExtractElementOp::create(
                        builder, loc, vector, createPosition(builder, loc, i)));
                });
  SmallVector<Value> elements;
  for (int64_t i = 0; i < count; ++i) {
    Value element = values[i];
    if (parts > 1)
      element = vector::FromElementsOp::create(
          builder, loc, storage, ArrayRef(values).slice(i * parts, parts));
    elements.push_back(fromStorage(builder, loc, type, element));
  }
  return elements;
}

void mlir::hetero::storeElements(KernelBuilder &kernel, OpOperand &operand,
                                 ValueRange loops, ValueRange values) {
  OpBuilder &builder = kernel.getBuilder();
  Location loc = kernel.getLoc();
  const KernelBuffer &buffer = *kernel.findBuffer(operand.get());
  Value address = getElementAddress(kernel, buffer,
                                    applyIndexingMap(kernel, operand, loops));
  Type element = buffer.type.getElementType();
  Type storage = getStorageType(element);
  SmallVector<Value> parts;
  for (Value value : values) {
    Value stored = toStorage(builder, loc, element, value);
    if (!isa<VectorType>(storage)) {
      parts.push_back(stored);
      continue;
    }
    for (int64_t i = 0, e = cast<VectorType>(storage).getNumElements(); i < e;
         ++i)
      parts.push_back(vector::ExtractOp::create(builder, loc, stored, i));
  }
  forEachVector(builder, loc, address, getPart(storage), parts.size(),
                [&](Value start, VectorType type, int64_t first) {
                  Value vector = LLVM::PoisonOp::create(builder, loc, type);
                  for (int64_t i = 0; i < type.getNumElements(); ++i)
                    vector = LLVM::InsertElementOp::create(
                        builder, loc, vector, parts[first + i],
                        createPosition(builder, loc, i));
                  LLVM::StoreOp::create(builder, loc, vector, start,
                                        getAlignment(type));
                });
}

Value mlir::hetero::getMisalignment(KernelBuilder &kernel, OpOperand &operand,
                                    ArrayRef<unsigned> inner) {
  OpBuilder &builder = kernel.getBuilder();
  Location loc = kernel.getLoc();
  const KernelBuffer &buffer = *kernel.findBuffer(operand.get());
  auto op = cast<linalg::LinalgOp>(operand.getOwner());
  int64_t bytes = getBytes(getStorageType(buffer.type.getElementType()));
  Value rests = LLVM::PtrToIntOp::create(builder, loc, builder.getI64Type(),
                                         buffer.pointer);
  AffineMap map = op.getMatchingIndexingMap(&operand);
  SmallVector<int64_t> sizes = op.getStaticLoopRanges();
  for (auto [result, stride] :
       llvm::zip_equal(map.getResults(), buffer.strides)) {
    auto dim = dyn_cast<AffineDimExpr>(result);
    bool isFirst = dim && sizes[dim.getPosition()] == 1;
    AffineExpr place = result;
    bool isInner = llvm::any_of(
        inner, [&](unsigned loop) { return place.isFunctionOfDim(loop); });
    if (isInner || isFirst)
      continue;
    Value distance = builder.createOrFold<arith::MulIOp>(
        loc, stride, kernel.constant(bytes));
    rests = builder.createOrFold<arith::OrIOp>(
        loc, rests,
        builder.createOrFold<arith::IndexCastOp>(loc, builder.getI64Type(),
                                                 distance));
  }
  return rests;
}
