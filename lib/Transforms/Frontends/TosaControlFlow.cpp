//===- TosaControlFlow.cpp - Types of TOSA's control flow -----------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// TOSA lets what enters a branch, a loop or a variable know more or less of
// its sizes than what leaves it. First, all that follows from the program is
// inferred; then there are casts where types still differ:
//
//   %0 = tosa.cond_if %p : tensor<1xi1> -> tensor<?xf32> {
//     tosa.yield %a : tensor<4xf32>
//     ->
//   %q = tensor.collapse_shape %p [] : tensor<1xi1> into tensor<i1>
//   %0 = tosa.cond_if %q : tensor<i1> -> tensor<?xf32> {
//     %1 = tensor.cast %a : tensor<4xf32> to tensor<?xf32>
//     tosa.yield %1 : tensor<?xf32>
//
//===----------------------------------------------------------------------===//

#include "TosaControlFlow.h"

#include "TosaSizes.h"
#include "hetero/Transforms/Frontends/LowerTosa.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Tosa/IR/TosaOps.h"
#include "mlir/IR/SymbolTable.h"

using namespace mlir;
using namespace mlir::hetero;

//===----------------------------------------------------------------------===//
// Inference
//===----------------------------------------------------------------------===//

static bool isUnknown(Type type) {
  auto tensor = dyn_cast<TensorType>(type);
  return tensor && !tensor.hasStaticShape();
}

/// True if the sizes of what an operation of TOSA makes are not all known.
static bool hasUnknownSizes(ModuleOp module) {
  return module
      .walk([](Operation *op) {
        bool isFound = isa_and_present<tosa::TosaDialect>(op->getDialect()) &&
                       llvm::any_of(op->getResultTypes(), isUnknown);
        return isFound ? WalkResult::interrupt() : WalkResult::advance();
      })
      .wasInterrupted();
}

/// True if nothing in the program tells the rank of a tensor: it comes from an
/// argument, or from what is not TOSA's, whose ranks are inferred.
static bool hasUnknownRank(Value tensor) {
  SmallVector<Value> worklist{tensor};
  llvm::SmallPtrSet<Operation *, 8> seen;
  while (!worklist.empty()) {
    Value value = worklist.pop_back_val();
    if (!isa<UnrankedTensorType>(value.getType()))
      continue;
    Operation *op = value.getDefiningOp();
    if (!op || !isa_and_present<tosa::TosaDialect>(op->getDialect()))
      return true;
    if (seen.insert(op).second)
      llvm::append_range(worklist, op->getOperands());
  }
  return false;
}

/// Upstream's inference looks at the sizes of what is pooled, also where there
/// are none.
static LogicalResult checkPools(ModuleOp module) {
  WalkResult walk = module.walk([](Operation *op) {
    if (!isa<tosa::AvgPool2dOp, tosa::MaxPool2dOp>(op) ||
        !hasUnknownRank(op->getOperand(0)))
      return WalkResult::advance();
    op->emitOpError("has an input whose rank is not known; cast it with "
                    "tensor.cast");
    return WalkResult::interrupt();
  });
  return failure(walk.wasInterrupted());
}

/// Upstream's inference puts a cast after what makes a value whose users are
/// not TOSA's, and arguments of blocks are made by nothing.
static void shieldArguments(Operation *op) {
  for (Region &region : op->getRegions()) {
    OpBuilder builder = OpBuilder::atBlockBegin(&region.front());
    for (BlockArgument argument : region.getArguments()) {
      auto isForeign = [](OpOperand &use) {
        return !isa_and_present<tosa::TosaDialect>(
            use.getOwner()->getDialect());
      };
      if (!isUnknown(argument.getType()) ||
          llvm::none_of(argument.getUses(), isForeign))
        continue;
      Value same = tosa::IdentityOp::create(builder, argument.getLoc(),
                                            argument.getType(), argument);
      argument.replaceUsesWithIf(same, isForeign);
    }
  }
}

//===----------------------------------------------------------------------===//
// Casts
//===----------------------------------------------------------------------===//

/// What two types of a value have in common.
static Type generalize(Type type, Type other) {
  auto a = dyn_cast<RankedTensorType>(type);
  auto b = dyn_cast<RankedTensorType>(other);
  Type element = getElementTypeOrSelf(type);
  if (!a || !b || a.getRank() != b.getRank())
    return UnrankedTensorType::get(element);
  SmallVector<int64_t> shape(a.getShape());
  for (auto [size, otherSize] : llvm::zip_equal(shape, b.getShape()))
    if (size != otherSize)
      size = ShapedType::kDynamic;
  return a.clone(shape);
}

static Operation *getEnd(Region &region) {
  return region.front().getTerminator();
}

/// Casts operands of the operation, from the one numbered `first` on.
static void castOperands(Operation *op, unsigned first, TypeRange types) {
  OpBuilder builder(op);
  for (auto [index, type] : llvm::enumerate(types))
    op->setOperand(first + index,
                   castTo(builder, op->getOperand(first + index), type));
}

/// A condition is one element, of any rank.
static LogicalResult makeScalar(Operation *op, OpOperand &condition) {
  Value value = condition.get();
  auto type = dyn_cast<RankedTensorType>(value.getType());
  if (!type)
    return op->emitOpError("has a condition without a rank; give it the type "
                           "tensor<i1>");
  if (type.getRank() == 0)
    return success();
  OpBuilder builder(condition.getOwner());
  Type one = type.clone(SmallVector<int64_t>(type.getRank(), 1));
  condition.set(tensor::CollapseShapeOp::create(
      builder, value.getLoc(), type.clone(ArrayRef<int64_t>()),
      castTo(builder, value, one), ArrayRef<ReassociationIndices>()));
  return success();
}

static LogicalResult complete(tosa::IfOp op) {
  for (Region *region : {&op.getThenGraph(), &op.getElseGraph()}) {
    for (auto [argument, input] :
         llvm::zip_equal(region->getArguments(), op.getInputList()))
      changeType(argument, input.getType());
    castOperands(getEnd(*region), 0, op.getResultTypes());
  }
  return makeScalar(op, op.getConditionMutable());
}

static LogicalResult complete(tosa::WhileOp op) {
  Operation *bodyEnd = getEnd(op.getBodyGraph());
  SmallVector<Type> types;
  for (unsigned index : llvm::seq(op.getNumResults())) {
    Type type = op.getResult(index).getType();
    for (Value value : {op.getOperand(index), bodyEnd->getOperand(index),
                        Value(op.getBodyGraph().getArgument(index)),
                        Value(op.getCondGraph().getArgument(index))})
      type = generalize(type, value.getType());
    types.push_back(type);
  }
  castOperands(op, 0, types);
  castOperands(bodyEnd, 0, types);
  for (auto [index, type] : llvm::enumerate(types))
    for (Value value : {Value(op.getResult(index)),
                        Value(op.getBodyGraph().getArgument(index)),
                        Value(op.getCondGraph().getArgument(index))})
      changeType(value, type);
  return makeScalar(op, getEnd(op.getCondGraph())->getOpOperand(0));
}

//===----------------------------------------------------------------------===//
// Variables
//===----------------------------------------------------------------------===//

/// What is read from the variable or written to it.
static Value getAccessed(Operation *access) {
  return isa<tosa::VariableReadOp>(access) ? access->getResult(0)
                                           : access->getOperand(0);
}

/// The sizes that the variable and all who use it know.
static FailureOr<SmallVector<int64_t>>
findSizes(tosa::VariableOp variable, ArrayRef<Operation *> accesses) {
  SmallVector<int64_t> sizes(tosa::getVariableType(variable).getShape());
  for (Operation *access : accesses) {
    auto type = dyn_cast<RankedTensorType>(getAccessed(access).getType());
    if (!type)
      continue;
    for (auto [size, known] : llvm::zip_equal(sizes, type.getShape())) {
      if (ShapedType::isStatic(size) && ShapedType::isStatic(known) &&
          size != known)
        return access->emitOpError("knows the variable with a size of ")
               << known << ", others with " << size
               << "; its memory has one size, use one variable for each";
      if (ShapedType::isStatic(known))
        size = known;
    }
  }
  if (llvm::any_of(sizes, ShapedType::isDynamic))
    return variable.emitOpError("has sizes that neither its type nor what "
                                "reads and writes it says; state needs memory "
                                "of a known size");
  return sizes;
}

static LogicalResult complete(tosa::VariableOp variable,
                              ArrayRef<Operation *> accesses) {
  FailureOr<SmallVector<int64_t>> sizes = findSizes(variable, accesses);
  if (failed(sizes))
    return failure();
  Builder builder(variable.getContext());
  if (!sizes->empty())
    variable.setVarShapeAttr(builder.getIndexTensorAttr(*sizes));
  Type type = tosa::getVariableType(variable);
  for (Operation *access : accesses) {
    if (isa<tosa::VariableReadOp>(access))
      changeType(access->getResult(0), type);
    else
      castOperands(access, 0, type);
  }
  return success();
}

static LogicalResult completeVariables(ModuleOp module) {
  llvm::MapVector<Operation *, SmallVector<Operation *>> accesses;
  module.walk([&](tosa::VariableOp op) { accesses[op]; });
  SymbolTableCollection symbols;
  module.walk([&](Operation *op) {
    StringAttr name;
    if (auto read = dyn_cast<tosa::VariableReadOp>(op))
      name = read.getNameAttr();
    else if (auto write = dyn_cast<tosa::VariableWriteOp>(op))
      name = write.getNameAttr();
    if (!name)
      return;
    if (Operation *variable = symbols.lookupNearestSymbolFrom(op, name))
      accesses[variable].push_back(op);
  });
  for (auto &[op, users] : accesses)
    if (auto variable = dyn_cast<tosa::VariableOp>(op);
        variable && failed(complete(variable, users)))
      return failure();
  return success();
}

LogicalResult mlir::hetero::completeTosaTypes(ModuleOp module) {
  if (hasUnknownSizes(module)) {
    module.walk([](Operation *op) {
      if (isa<tosa::IfOp, tosa::WhileOp>(op))
        shieldArguments(op);
    });
    if (failed(checkPools(module)) || failed(inferTosaShapes(module)))
      return failure();
  }
  WalkResult walk = module.walk([](Operation *op) {
    LogicalResult result = success();
    if (auto branch = dyn_cast<tosa::IfOp>(op))
      result = complete(branch);
    else if (auto loop = dyn_cast<tosa::WhileOp>(op))
      result = complete(loop);
    return failed(result) ? WalkResult::interrupt() : WalkResult::advance();
  });
  return failure(walk.wasInterrupted() || failed(completeVariables(module)));
}
