//===- FuseKernels.cpp - What a product's kernel does besides -------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   fill(%c)
//   %c += %a * %b          one kernel: %c = max(%a * %b + %bias, 0),
//   %c = max(%c + %bias, 0)            which reads no %c and writes it once
//
// Between the fill and the product may stand what leaves the result alone; the
// fill is only done later. The product may not be done later than an order
// between streams, which may protect its operands: nothing but allocations and
// operations without effects may stand between it and the epilogue.
//
//===----------------------------------------------------------------------===//

#include "FuseKernels.h"
#include "ArenaRanges.h"

#include "Codegen/Common/KernelParameters.h"
#include "Codegen/Match/FillValue.h"
#include "hetero/Dialect/Hetero/IR/HeteroDialect.h"
#include "hetero/Dialect/Hetero/IR/PlacementModels.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Interfaces/CallInterfaces.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

using namespace mlir;
using namespace mlir::hetero;

bool mlir::hetero::isTransparent(Operation *op) {
  return isa<memref::AllocOp>(op) || isMemoryEffectFree(op);
}

Value mlir::hetero::getFiller(linalg::LinalgOp op) {
  bool takesIt = op.getNumDpsInputs() != 0 && !isa<linalg::FillOp>(*op);
  return takesIt ? Value() : getFillValue(op, 0);
}

/// The buffer that a memref is a view of.
static Value getBase(Value memref) {
  while (auto view = memref.getDefiningOp<ViewLikeOpInterface>())
    memref = view.getViewSource();
  return memref;
}

/// The part of an arena that a buffer is, if it is one.
static memref::ViewOp getPart(Value memref) {
  auto view = memref.getDefiningOp<memref::ViewOp>();
  return view && view.getSource().getDefiningOp<memref::AllocOp>()
             ? view
             : memref::ViewOp();
}

/// Two allocations share no byte, nor do one and something that was there
/// before it, nor parts of an arena.
bool mlir::hetero::isDistinct(Value a, Value b) {
  Value x = getBase(a), y = getBase(b);
  if (x != y)
    return x.getDefiningOp<memref::AllocOp>() ||
           y.getDefiningOp<memref::AllocOp>();
  memref::ViewOp first = getPart(a), second = getPart(b);
  return first && second && areApart(first, second);
}

/// True if `op` computes each element of `buffer` from the same one and from
/// other buffers.
static bool isEpilogue(linalg::LinalgOp op, Value buffer) {
  OpOperand &init = *op.getDpsInitOperand(0);
  if (op.getNumReductionLoops() != 0 || init.get() != buffer ||
      !op.getMatchingIndexingMap(&init).isIdentity())
    return false;
  bool reads = op.payloadUsesValueFromOperand(&init);
  for (OpOperand *input : op.getDpsInputOperands()) {
    if (!isa<MemRefType>(input->get().getType()))
      continue;
    bool isSame =
        input->get() == buffer && op.getMatchingIndexingMap(input).isIdentity();
    if (!isSame && !isDistinct(input->get(), buffer))
      return false;
    reads |= isSame;
  }
  return reads &&
         !op.getBlock()
              ->walk([](memref::LoadOp) { return WalkResult::interrupt(); })
              .wasInterrupted();
}

/// True for what certainly does not access `buffer`.
static bool leavesAlone(Operation *op, Value buffer) {
  if (isTransparent(op))
    return true;
  if (isa<CallOpInterface>(op) ||
      (op->getNumRegions() != 0 && !isa<linalg::LinalgOp>(op)))
    return false;
  return llvm::all_of(op->getOperands(), [&](Value value) {
    return !isa<BaseMemRefType>(value.getType()) || isDistinct(value, buffer);
  });
}

linalg::LinalgOp mlir::hetero::findFill(linalg::LinalgOp product,
                                        Value buffer) {
  Operation *other = product->getPrevNode();
  while (other && leavesAlone(other, buffer))
    other = other->getPrevNode();
  auto fill = dyn_cast_or_null<linalg::LinalgOp>(other);
  if (!fill || fill.getNumDpsInits() != 1 ||
      fill.getDpsInits().front() != buffer || !getFiller(fill))
    return nullptr;
  return fill;
}

void mlir::hetero::fillInsteadOfCopy(linalg::CopyOp copy) {
  Value source = copy.getInputs().front();
  linalg::LinalgOp fill = findFill(copy, source);
  if (!fill || getElementTypeOrSelf(source.getType()) !=
                   getElementTypeOrSelf(copy.getOutputs().front().getType()))
    return;
  OpBuilder builder(copy);
  auto own = linalg::FillOp::create(
      builder, copy.getLoc(), ValueRange(getFiller(fill)), copy.getOutputs());
  for (StringRef name : {kDeviceAttrName, kRegionAttrName})
    if (Attribute value =
            copy->getAttr(name) ? copy->getAttr(name) : fill->getAttr(name))
      own->setAttr(name, value);
  copy.erase();
}

static linalg::LinalgOp findEpilogue(linalg::LinalgOp product, Value buffer) {
  Operation *other = product->getNextNode();
  while (other && isTransparent(other))
    other = other->getNextNode();
  auto epilogue = dyn_cast_or_null<linalg::LinalgOp>(other);
  if (!epilogue || epilogue.getNumDpsInits() != 1 ||
      getDevice(epilogue) != getDevice(product) ||
      countParameterBytes({product, epilogue}) > kParameterBytes ||
      !isEpilogue(epilogue, buffer))
    return nullptr;
  return epilogue;
}

ProductFusion mlir::hetero::findProductFusion(linalg::LinalgOp product) {
  ProductFusion fusion;
  Value buffer = product.getDpsInits().front();
  fusion.fill = findFill(product, buffer);
  if (fusion.fill)
    fusion.filler = getFiller(fusion.fill);
  fusion.epilogue = findEpilogue(product, buffer);
  return fusion;
}
