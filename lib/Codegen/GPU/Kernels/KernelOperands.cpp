//===- KernelOperands.cpp - Elements and bodies inside a kernel -----------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelOperands.h"

#include "Codegen/Arithmetic/WidenSums.h"
#include "Codegen/GPU/Plan/LoopSteps.h"
#include "ElementStorage.h"
#include "mlir/Dialect/Affine/Utils.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace mlir::hetero;

static AffineMap getMap(OpOperand &operand) {
  return cast<linalg::LinalgOp>(operand.getOwner())
      .getMatchingIndexingMap(&operand);
}

//===----------------------------------------------------------------------===//
// Addresses
//===----------------------------------------------------------------------===//

/// The address of the element at a linear position.
static Value offsetAddress(KernelBuilder &kernel, const KernelBuffer &buffer,
                           Value elements) {
  OpBuilder &builder = kernel.getBuilder();
  Location loc = kernel.getLoc();
  Value offset =
      arith::IndexCastOp::create(builder, loc, builder.getI64Type(), elements);
  return LLVM::GEPOp::create(builder, loc, buffer.pointer.getType(),
                             getStorageType(buffer.type.getElementType()),
                             buffer.pointer, ArrayRef<LLVM::GEPArg>{offset});
}

Value mlir::hetero::getElementAddress(KernelBuilder &kernel,
                                      const KernelBuffer &buffer,
                                      ValueRange position) {
  OpBuilder &builder = kernel.getBuilder();
  Location loc = kernel.getLoc();
  // Folded, so that strides that are not needed are not passed either.
  Value linear = kernel.constant(0);
  for (auto [index, stride] : llvm::zip(position, buffer.strides)) {
    Value step = builder.createOrFold<arith::MulIOp>(loc, index, stride);
    linear = builder.createOrFold<arith::AddIOp>(loc, linear, step);
  }
  return offsetAddress(kernel, buffer, linear);
}

SmallVector<Value> mlir::hetero::applyIndexingMap(KernelBuilder &kernel,
                                                  OpOperand &operand,
                                                  ValueRange loops) {
  SmallVector<Value> position;
  for (AffineExpr expression : getMap(operand).getResults())
    position.push_back(affine::expandAffineExpr(
        kernel.getBuilder(), kernel.getLoc(), expression, loops, {}));
  return position;
}

Value mlir::hetero::getAddress(KernelBuilder &kernel, OpOperand &operand,
                               Value elements) {
  return offsetAddress(kernel, *kernel.findBuffer(operand.get()), elements);
}

Value mlir::hetero::getStep(KernelBuilder &kernel, OpOperand &operand,
                            unsigned loop) {
  OpBuilder &builder = kernel.getBuilder();
  Location loc = kernel.getLoc();
  Value step = kernel.constant(0);
  AffineMap map = getMap(operand);
  for (auto [result, stride] : llvm::zip_equal(
           map.getResults(), kernel.findBuffer(operand.get())->strides)) {
    Value part = builder.createOrFold<arith::MulIOp>(
        loc, stride, kernel.constant(*getCoefficient(map, result, loop)));
    step = builder.createOrFold<arith::AddIOp>(loc, step, part);
  }
  return step;
}

//===----------------------------------------------------------------------===//
// Elements
//===----------------------------------------------------------------------===//

Type mlir::hetero::getBodyType(OpOperand &operand) {
  return cast<linalg::LinalgOp>(operand.getOwner())
      .getMatchingBlockArgument(&operand)
      .getType();
}

static Value loadElement(KernelBuilder &kernel, const KernelBuffer &buffer,
                         ValueRange position) {
  OpBuilder &builder = kernel.getBuilder();
  Location loc = kernel.getLoc();
  Type element = buffer.type.getElementType();
  Value address = getElementAddress(kernel, buffer, position);
  return fromStorage(
      builder, loc, element,
      LLVM::LoadOp::create(builder, loc, getStorageType(element), address));
}

Value mlir::hetero::loadOperand(KernelBuilder &kernel, OpOperand &operand,
                                ValueRange loops) {
  const KernelBuffer *buffer = kernel.findBuffer(operand.get());
  if (!buffer)
    return kernel.getScalars().lookup(operand.get());
  Value value =
      loadElement(kernel, *buffer, applyIndexingMap(kernel, operand, loops));
  Type type = getBodyType(operand);
  return isa<FloatType>(type)
             ? convertFloat(kernel.getBuilder(), kernel.getLoc(), value, type)
             : value;
}

void mlir::hetero::storeOperand(KernelBuilder &kernel, OpOperand &operand,
                                ValueRange loops, Value value) {
  OpBuilder &builder = kernel.getBuilder();
  Location loc = kernel.getLoc();
  const KernelBuffer &buffer = *kernel.findBuffer(operand.get());
  SmallVector<Value> position = applyIndexingMap(kernel, operand, loops);
  Value stored = toStorage(builder, loc, buffer.type.getElementType(), value);
  LLVM::StoreOp::create(builder, loc, stored,
                        getElementAddress(kernel, buffer, position));
}

Value mlir::hetero::createZero(KernelBuilder &kernel, Type type) {
  OpBuilder &builder = kernel.getBuilder();
  Location loc = kernel.getLoc();
  auto complex = dyn_cast<ComplexType>(type);
  if (!complex)
    return arith::ConstantOp::create(builder, loc, builder.getZeroAttr(type));
  Attribute part = builder.getZeroAttr(complex.getElementType());
  return complex::ConstantOp::create(builder, loc, type,
                                     builder.getArrayAttr({part, part}));
}

//===----------------------------------------------------------------------===//
// Bodies
//===----------------------------------------------------------------------===//

static void cloneBodyOp(KernelBuilder &kernel, Operation &bodyOp,
                        ValueRange loops, IRMapping &mapping) {
  if (auto index = dyn_cast<linalg::IndexOp>(bodyOp)) {
    mapping.map(index.getResult(), loops[index.getDim()]);
    return;
  }
  auto load = dyn_cast<memref::LoadOp>(bodyOp);
  const KernelBuffer *buffer =
      load ? kernel.findBuffer(load.getMemref()) : nullptr;
  if (buffer) {
    SmallVector<Value> position;
    for (Value index : load.getIndices())
      position.push_back(mapping.lookupOrDefault(index));
    mapping.map(load.getResult(), loadElement(kernel, *buffer, position));
    return;
  }
  kernel.getBuilder().clone(bodyOp, mapping);
}

SmallVector<Value> mlir::hetero::cloneBody(KernelBuilder &kernel,
                                           ValueRange arguments,
                                           ValueRange loops) {
  return cloneBodyOf(kernel, kernel.getOp(), arguments, loops);
}

SmallVector<Value> mlir::hetero::cloneBodyOf(KernelBuilder &kernel,
                                             linalg::LinalgOp user,
                                             ValueRange arguments,
                                             ValueRange loops) {
  IRMapping mapping(kernel.getScalars());
  Block *body = user.getBlock();
  mapping.map(body->getArguments(), arguments);
  for (Operation &bodyOp : body->without_terminator())
    cloneBodyOp(kernel, bodyOp, loops, mapping);
  SmallVector<Value> results;
  for (Value value : body->getTerminator()->getOperands())
    results.push_back(mapping.lookupOrDefault(value));
  return results;
}
