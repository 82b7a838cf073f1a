//===- TMTensorDialect.cpp - The dialect tm_tensor ------------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "hetero/Dialect/TMTensor/IR/TMTensorDialect.h"

#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/SmallSet.h"
#include <map>

using namespace mlir;
using namespace mlir::hetero;
using namespace mlir::hetero::tm_tensor;

#include "hetero/Dialect/TMTensor/IR/TMTensorDialect.cpp.inc"

void TMTensorDialect::initialize() {
  addOperations<
#define GET_OP_LIST
#include "hetero/Dialect/TMTensor/IR/TMTensorOps.cpp.inc"
      >();
}

//===----------------------------------------------------------------------===//
// What the verifiers share
//===----------------------------------------------------------------------===//

static RankedTensorType getTensor(Value value) {
  return cast<RankedTensorType>(value.getType());
}

static LogicalResult verifyCounts(Operation *op, ValueRange inputs,
                                  unsigned least, unsigned most,
                                  ValueRange outputs, unsigned count) {
  if (inputs.size() < least || inputs.size() > most)
    return op->emitOpError("expected ")
           << least << (most > least ? " or " + std::to_string(most) : "")
           << " tensors in ins, got " << inputs.size();
  if (outputs.size() != count)
    return op->emitOpError("expected ")
           << count << " tensors in outs, got " << outputs.size();
  return success();
}

static LogicalResult verifyDimension(Operation *op, int64_t dimension,
                                     int64_t rank) {
  if (dimension >= 0 && dimension < rank)
    return success();
  return op->emitOpError("expected a dimension from 0 to ")
         << rank - 1 << ", got " << dimension;
}

static bool isSameSize(int64_t a, int64_t b) {
  return a == b || ShapedType::isDynamic(a) || ShapedType::isDynamic(b);
}

/// The sizes of two tensors, except along `except`.
static LogicalResult verifySizes(Operation *op, StringRef what, Value a,
                                 Value b, int64_t except = -1) {
  ArrayRef<int64_t> left = getTensor(a).getShape(),
                    right = getTensor(b).getShape();
  bool isSame = left.size() == right.size();
  for (size_t dim = 0; isSame && dim < left.size(); ++dim)
    isSame = static_cast<int64_t>(dim) == except ||
             isSameSize(left[dim], right[dim]);
  if (isSame)
    return success();
  return op->emitOpError("expected ") << what << " to have fitting sizes, got "
                                      << a.getType() << " and " << b.getType();
}

static LogicalResult verifyElements(Operation *op, StringRef what, Value a,
                                    Value b) {
  if (getElementTypeOrSelf(a) == getElementTypeOrSelf(b))
    return success();
  return op->emitOpError("expected ")
         << what << " to have the same element type, got " << a.getType()
         << " and " << b.getType();
}

/// The arguments of the region, and the one value that it yields.
static LogicalResult verifyRegion(Operation *op, ArrayRef<Type> arguments,
                                  Type yielded) {
  Block &body = op->getRegion(0).front();
  if (body.getNumArguments() != arguments.size())
    return op->emitOpError("expected a region of ")
           << arguments.size() << " arguments, got " << body.getNumArguments();
  for (auto [index, type] : llvm::enumerate(arguments))
    if (body.getArgument(index).getType() != type)
      return op->emitOpError("expected argument ")
             << index << " of the region to be " << type << ", got "
             << body.getArgument(index).getType();
  Operation *yield = body.getTerminator();
  if (yield->getNumOperands() == 1 && yield->getOperand(0).getType() == yielded)
    return success();
  return yield->emitOpError("expected one value of type ")
         << yielded << ", got (" << yield->getOperandTypes() << ")";
}

//===----------------------------------------------------------------------===//
// Operations
//===----------------------------------------------------------------------===//

LogicalResult ScanOp::verify() {
  if (failed(verifyCounts(*this, getInputs(), 1, 1, getOutputs(), 2)))
    return failure();
  Value input = getInputs()[0], output = getOutputs()[0],
        accumulator = getOutputs()[1];
  RankedTensorType type = getTensor(input);
  int64_t dimension = getDimension();
  if (failed(verifyDimension(*this, dimension, type.getRank())) ||
      failed(verifyElements(*this, "input and output", input, output)) ||
      failed(
          verifyElements(*this, "input and accumulator", input, accumulator)) ||
      failed(verifySizes(*this, "input and output", input, output)))
    return failure();
  SmallVector<int64_t> sizes(type.getShape());
  sizes.erase(sizes.begin() + dimension);
  ArrayRef<int64_t> shape = getTensor(accumulator).getShape();
  if (sizes.size() != shape.size() ||
      !llvm::all_of(llvm::zip(sizes, shape), [](auto pair) {
        return isSameSize(std::get<0>(pair), std::get<1>(pair));
      }))
    return emitOpError("expected an accumulator with the input's sizes except "
                       "that of dimension ")
           << dimension << ", got " << accumulator.getType();
  Type element = type.getElementType();
  return verifyRegion(*this, {element, element}, element);
}

/// Sizes of updates, which end with those of the destination.
static LogicalResult verifyUpdates(ScatterOp op) {
  RankedTensorType updates = getTensor(op.getInputs()[0]),
                   original = getTensor(op.getOutputs()[0]);
  int64_t depth = op.getDimensionMap().size();
  int64_t rank = updates.getRank() - 1;
  if (rank < 0 || rank > original.getRank() ||
      rank + depth < original.getRank())
    return op.emitOpError("expected updates and indices to cover ")
           << original << ", got updates of type " << updates;
  for (int64_t dim = 0; dim < rank; ++dim) {
    int64_t size = updates.getDimSize(dim + 1),
            whole = original.getDimSize(original.getRank() - rank + dim);
    if (!isSameSize(size, whole) && size > whole)
      return op.emitOpError("expected updates of at most ")
             << whole << " elements along dimension " << dim + 1 << ", got "
             << size;
  }
  return success();
}

bool ScanOp::isBodySpeculatable() {
  return llvm::all_of(getRegion().front(),
                      [](Operation &inner) { return isSpeculatable(&inner); });
}

LogicalResult ScatterOp::verify() {
  if (failed(verifyCounts(*this, getInputs(), 2, 2, getOutputs(), 1)))
    return failure();
  RankedTensorType indices = getTensor(getInputs()[1]);
  if (indices.getRank() != 2 || indices.isDynamicDim(1) ||
      !isa<IntegerType, IndexType>(indices.getElementType()))
    return emitOpError("expected indices to be integers in two dimensions, the "
                       "second of a static size, got ")
           << indices;
  if (static_cast<int64_t>(getDimensionMap().size()) != indices.getDimSize(1))
    return emitOpError("expected a dimension_map of ")
           << indices.getDimSize(1) << " entries, got "
           << getDimensionMap().size();
  RankedTensorType original = getTensor(getOutputs()[0]);
  llvm::SmallSet<int64_t, 4> seen;
  for (int64_t dim : getDimensionMap())
    if (dim < 0 || dim >= original.getRank() || !seen.insert(dim).second)
      return emitOpError("expected different dimensions of ")
             << original << " in dimension_map, got " << dim;
  if (failed(verifyUpdates(*this)) ||
      failed(verifyElements(*this, "updates and destination", getInputs()[0],
                            getOutputs()[0])))
    return failure();
  if (!isSameSize(getTensor(getInputs()[0]).getDimSize(0),
                  indices.getDimSize(0)))
    return emitOpError("expected as many updates as rows of indices, got ")
           << getInputs()[0].getType() << " and " << indices;
  Type element = original.getElementType();
  return verifyRegion(*this, {element, element}, element);
}

LogicalResult SortOp::verify() {
  if (!getInputs().empty())
    return emitOpError("expected no tensors in ins, got ")
           << getInputs().size();
  if (getOutputs().empty())
    return emitOpError("expected a tensor in outs");
  SmallVector<Type> arguments;
  for (Value output : getOutputs()) {
    if (failed(verifySizes(*this, "tensors that are sorted together",
                           getOutputs()[0], output)))
      return failure();
    arguments.append(2, getTensor(output).getElementType());
  }
  if (failed(verifyDimension(*this, getDimension(),
                             getTensor(getOutputs()[0]).getRank())))
    return failure();
  return verifyRegion(*this, arguments, IntegerType::get(getContext(), 1));
}

LogicalResult TopkOp::verify() {
  if (failed(verifyCounts(*this, getInputs(), 1, 2, getOutputs(), 2)))
    return failure();
  Value values = getInputs()[0], kept = getOutputs()[0],
        places = getOutputs()[1];
  int64_t dimension = getDimension();
  if (failed(verifyDimension(*this, dimension, getTensor(values).getRank())) ||
      failed(verifyElements(*this, "values", values, kept)) ||
      failed(verifySizes(*this, "input and output", values, kept, dimension)) ||
      failed(verifySizes(*this, "values and indices", kept, places)))
    return failure();
  if (!isa<IntegerType>(getElementTypeOrSelf(places)))
    return emitOpError("expected indices to be integers, got ")
           << places.getType();
  if (getInputs().size() == 2 &&
      (failed(verifyElements(*this, "indices", getInputs()[1], places)) ||
       failed(
           verifySizes(*this, "values and indices", values, getInputs()[1]))))
    return failure();
  Type element = getElementTypeOrSelf(values);
  return verifyRegion(*this, {element, element},
                      IntegerType::get(getContext(), 1));
}

/// C3: each tensor is the batch and two sizes, which have letters.
static LogicalResult verifyLetters(AttentionOp op) {
  SmallVector<std::pair<Value, StringRef>> tensors = {
      {op.getInputs()[0], "MK"},
      {op.getInputs()[1], "NK"},
      {op.getInputs()[2], "NL"},
      {op.getOutputs()[0], "ML"}};
  if (op.getInputs().size() == 4)
    tensors.push_back({op.getInputs()[3], "MN"});
  int64_t batch = getTensor(op.getInputs()[0]).getRank() - 2;
  std::map<int64_t, int64_t> known;
  for (auto [tensor, letters] : tensors)
    for (auto [dim, size] : llvm::enumerate(getTensor(tensor).getShape())) {
      int64_t key = static_cast<int64_t>(dim) < batch
                        ? static_cast<int64_t>(dim)
                        : -int64_t(letters[dim - batch]);
      if (ShapedType::isDynamic(size))
        continue;
      auto [it, isNew] = known.try_emplace(key, size);
      if (!isNew && it->second != size)
        return op.emitOpError("expected dimension ")
               << dim << " of " << tensor.getType() << " to be " << it->second
               << ", as in another operand";
    }
  return success();
}

LogicalResult AttentionOp::verify() {
  if (failed(verifyCounts(*this, getInputs(), 3, 4, getOutputs(), 1)))
    return failure();
  RankedTensorType query = getTensor(getInputs()[0]);
  Type element = query.getElementType();
  if (query.getRank() < 2 || !isa<FloatType>(element))
    return emitOpError("expected queries to be floats in two dimensions or "
                       "more, got ")
           << query;
  for (Value value : getOperands()) {
    bool isMask = getInputs().size() == 4 && value == getInputs()[3];
    if (getTensor(value).getRank() != query.getRank())
      return emitOpError("expected a tensor of rank ")
             << query.getRank() << ", got " << value.getType();
    Type own = getElementTypeOrSelf(value);
    if (own != element && !(isMask && own.isInteger(1)))
      return emitOpError("expected elements of type ")
             << element << ", got " << value.getType();
  }
  return verifyLetters(*this);
}

#define GET_OP_CLASSES
#include "hetero/Dialect/TMTensor/IR/TMTensorOps.cpp.inc"
