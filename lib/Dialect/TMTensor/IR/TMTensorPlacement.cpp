//===- TMTensorPlacement.cpp - Where tm_tensor runs and what it costs -----===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "hetero/Dialect/Hetero/IR/PlacementModels.h"
#include "hetero/Dialect/Hetero/IR/TensorSizes.h"
#include "hetero/Dialect/TMTensor/IR/TMTensorDialect.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::hetero;
using namespace mlir::hetero::tm_tensor;

/// Loops over single elements are host code.
static LogicalResult runsOnHost(Operation *op, StringRef kind,
                                std::string &reason) {
  if (kind == kHostKind)
    return success();
  reason = (op->getName().getStringRef() + " has no " + kind + " kernel").str();
  return failure();
}

/// Operations of the region for each of `count` elements, and all tensors.
static PlacementCost getCost(PlacementOpInterface op, int64_t count,
                             TensorSizes &sizes) {
  int64_t steps = 1;
  for (Region &region : op->getRegions())
    steps = region.front().getOperations().size();
  PlacementCost cost = {multiplySizes(count, steps), 0};
  for (OpOperand &operand : op->getOpOperands())
    if (op.readsOperand(operand.getOperandNumber()))
      cost.bytes = addSizes(cost.bytes, sizes.getBytes(operand.get()));
  for (Value result : op->getResults())
    cost.bytes = addSizes(cost.bytes, sizes.getBytes(result));
  return cost;
}

static int64_t getLogarithm(int64_t size) {
  return llvm::Log2_64_Ceil(std::max<int64_t>(size, 2));
}

//===----------------------------------------------------------------------===//
// Operations
//===----------------------------------------------------------------------===//

/// One thread runs along each row, if there are enough rows for threads. What
/// may fail is not tried beside the elements that are combined.
LogicalResult ScanOp::canRunOn(StringRef kind, std::string &reason) {
  int64_t rows = 1;
  for (int64_t size :
       cast<RankedTensorType>(getOutputs()[1].getType()).getShape())
    rows = multiplySizes(rows, ShapedType::isDynamic(size) ? INT64_MAX : size);
  bool isSafe = isBodySpeculatable();
  if (kind == kHostKind || (isSafe && rows >= kFewestScanRows))
    return success();
  reason = ("tm_tensor.scan has no " + kind + " kernel " +
            (isSafe ? "for fewer rows than " + Twine(kFewestScanRows)
                    : Twine("whose body may fail")))
               .str();
  return failure();
}
PlacementCost ScanOp::getPlacementCost(TensorSizes &sizes) {
  return getCost(*this, sizes.getNumElements(getInputs()[0]), sizes);
}
/// All of the first destination is written.
bool ScanOp::readsOperand(unsigned index) { return index != 1; }

LogicalResult ScatterOp::canRunOn(StringRef kind, std::string &reason) {
  return runsOnHost(*this, kind, reason);
}
PlacementCost ScatterOp::getPlacementCost(TensorSizes &sizes) {
  return getCost(*this, sizes.getNumElements(getInputs()[0]), sizes);
}
bool ScatterOp::readsOperand(unsigned) { return true; }

LogicalResult SortOp::canRunOn(StringRef kind, std::string &reason) {
  return runsOnHost(*this, kind, reason);
}
PlacementCost SortOp::getPlacementCost(TensorSizes &sizes) {
  Value sorted = getOutputs()[0];
  int64_t passes = getLogarithm(sizes.getDimSize(sorted, getDimension()));
  return getCost(*this, multiplySizes(passes, sizes.getNumElements(sorted)),
                 sizes);
}
bool SortOp::readsOperand(unsigned) { return true; }

LogicalResult TopkOp::canRunOn(StringRef kind, std::string &reason) {
  return runsOnHost(*this, kind, reason);
}
PlacementCost TopkOp::getPlacementCost(TensorSizes &sizes) {
  int64_t passes =
      getLogarithm(sizes.getDimSize(getOutputs()[0], getDimension()));
  return getCost(*this,
                 multiplySizes(passes, sizes.getNumElements(getInputs()[0])),
                 sizes);
}
bool TopkOp::readsOperand(unsigned) { return true; }

LogicalResult AttentionOp::canRunOn(StringRef, std::string &) {
  return success();
}
/// Two products, and a softmax of the scores.
PlacementCost AttentionOp::getPlacementCost(TensorSizes &sizes) {
  Value query = getInputs()[0], value = getInputs()[2];
  int64_t rank = cast<RankedTensorType>(query.getType()).getRank();
  int64_t keys = sizes.getDimSize(value, rank - 2);
  int64_t queries = sizes.getNumElements(query) /
                    std::max<int64_t>(1, sizes.getDimSize(query, rank - 1));
  int64_t perScore = 2 * (sizes.getDimSize(query, rank - 1) +
                          sizes.getDimSize(value, rank - 1)) +
                     6;
  return getCost(*this, multiplySizes(multiplySizes(queries, keys), perScore),
                 sizes);
}
bool AttentionOp::readsOperand(unsigned index) {
  return index < getInputs().size();
}
