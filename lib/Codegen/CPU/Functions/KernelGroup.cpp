//===- KernelGroup.cpp - Operations that are generated together -----------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   %f = linalg.generic {zero} outs(%e)                    // member
//   %p = linalg.generic {product} ins(%x, %w) outs(%f)     // member
//   %r = linalg.generic {bias} ins(%p, %b) outs(%d)        // root
//
// is, as a function,
//
//   func.func private @kernel(%x, %w, %b, %d) attributes {hetero.kernel} {
//     ...
//     return %r
//   }
//
// Numbers that are constant belong to it, for code is made for them. Tensors
// that are constant are arguments, unless they are small or all the same.
//
//===----------------------------------------------------------------------===//

#include "KernelGroup.h"

#include "Codegen/CPU/Plan/ConstantPanels.h"
#include "Codegen/CPU/Plan/Epilogue.h"
#include "Codegen/CPU/Prepare/Borders.h"
#include "Codegen/Common/SourceLocations.h"
#include "Codegen/Match/FillValue.h"
#include "IdentityLayouts.h"
#include "hetero/Codegen/CPU/Target/Processor.h"
#include "hetero/Dialect/Hetero/IR/AttributeNames.h"
#include "hetero/Dialect/Hetero/IR/HeteroKernelOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Transforms/RegionUtils.h"

using namespace mlir;
using namespace mlir::hetero;

/// Constants of fewer elements are part of a kernel, which may fold them.
static constexpr int64_t kMinConstantElements = 64;
/// Operations below which a call costs more than code of its own.
static constexpr int64_t kMinCallWork = 4096;

//===----------------------------------------------------------------------===//
// Finding groups
//===----------------------------------------------------------------------===//

/// Adds the fills that a sum starts from, which the vectorizer takes in.
static void addFills(linalg::GenericOp op, KernelGroup &group) {
  if (op.getNumReductionLoops() == 0)
    return;
  for (Value init : op.getDpsInits()) {
    auto fill = init.getDefiningOp<linalg::GenericOp>();
    if (fill && fill->getNumResults() == 1 && init.hasOneUse() &&
        fill->getBlock() == op->getBlock() && getFillValue(fill, 0))
      group.members.push_back(fill);
  }
}

static KernelGroup makeGroup(Operation *root, const CPUTarget &target) {
  KernelGroup group;
  group.members.push_back(root);
  auto op = dyn_cast<linalg::GenericOp>(root);
  if (!op)
    return group;
  addFills(op, group);
  if (std::optional<Epilogue> epilogue = findEpilogue(op, target)) {
    group.members.push_back(epilogue->contraction);
    addFills(epilogue->contraction, group);
  }
  llvm::sort(group.members, [](Operation *first, Operation *second) {
    return first->isBeforeInBlock(second);
  });
  return group;
}

SmallVector<KernelGroup> mlir::hetero::findKernelGroups(Operation *region) {
  SmallVector<Operation *> ops;
  region->walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (!isa<scf::ForallOp, linalg::GenericOp>(op))
      return WalkResult::advance();
    ops.push_back(op);
    return WalkResult::skip();
  });
  CPUTarget target = CPUTarget::get(region);
  SmallVector<KernelGroup> groups;
  llvm::SmallPtrSet<Operation *, 16> taken;
  for (Operation *op : llvm::reverse(ops)) {
    if (taken.contains(op) || op->use_empty())
      continue;
    groups.push_back(makeGroup(op, target));
    taken.insert_range(groups.back().members);
  }
  return groups;
}

/// Loops over tiles have work for several threads.
bool mlir::hetero::isWorthCall(const KernelGroup &group) {
  int64_t work = 0;
  for (Operation *member : group.members) {
    auto op = dyn_cast<linalg::GenericOp>(member);
    if (!op)
      return true;
    int64_t iterations = llvm::range_size(op.getBody()->without_terminator());
    for (int64_t size : op.getStaticLoopRanges())
      if (ShapedType::isDynamic(size) ||
          llvm::MulOverflow(iterations, size, iterations))
        return true;
    work = std::max(work, iterations);
  }
  return work >= kMinCallWork;
}

//===----------------------------------------------------------------------===//
// Operands
//===----------------------------------------------------------------------===//

static bool isMember(const KernelGroup &group, Operation *op) {
  return llvm::any_of(
      group.members, [&](Operation *member) { return member->isAncestor(op); });
}

/// What the root's result overwrites, after the members that do so before.
static Value findDestination(const KernelGroup &group, OpResult result) {
  if (auto forall = dyn_cast<scf::ForallOp>(result.getOwner()))
    return forall.getTiedOpOperand(result)->get();
  Value value = result;
  for (Operation *op = value.getDefiningOp(); op && isMember(group, op);
       op = value.getDefiningOp())
    value = cast<linalg::GenericOp>(op)
                .getTiedOpOperand(cast<OpResult>(value))
                ->get();
  return value;
}

/// True for a constant that code is made for.
static bool isOwnConstant(Operation *op) {
  if (!op->hasTrait<OpTrait::ConstantLike>())
    return false;
  auto type = dyn_cast<RankedTensorType>(op->getResult(0).getType());
  auto constant = dyn_cast<arith::ConstantOp>(op);
  if (!type || !constant)
    return true;
  auto dense = dyn_cast<DenseElementsAttr>(constant.getValue());
  return (dense && dense.isSplat()) ||
         (type.hasStaticShape() &&
          type.getNumElements() < kMinConstantElements);
}

namespace {
/// Sorts what a group takes from outside.
class OperandFinder {
public:
  OperandFinder(const KernelGroup &group, KernelOperands &operands)
      : group(group), operands(operands) {}

  LogicalResult run(std::string &reason);

private:
  void add(Value value);

  const KernelGroup &group;
  KernelOperands &operands;
  llvm::SetVector<Value> inputs;
  llvm::SetVector<Operation *> own;
};
} // namespace

void OperandFinder::add(Value value) {
  Operation *op = value.getDefiningOp();
  if (llvm::is_contained(operands.outputs, value) || own.contains(op))
    return;
  bool isReshaped =
      isa_and_present<tensor::CollapseShapeOp, tensor::ExpandShapeOp>(op) &&
      findConstant(value);
  if (!op || !(isOwnConstant(op) || isReshaped || isa<tensor::EmptyOp>(op) ||
               hasMarkedBorder(op))) {
    inputs.insert(value);
    return;
  }
  SetVector<Value> used(op->operand_begin(), op->operand_end());
  getUsedValuesDefinedAbove(op->getRegions(), used);
  for (Value operand : used)
    add(operand);
  own.insert(op);
}

LogicalResult OperandFinder::run(std::string &reason) {
  for (OpResult result : group.getRoot()->getResults()) {
    Value destination = findDestination(group, result);
    if (llvm::is_contained(operands.outputs, destination)) {
      reason = "two results overwrite one tensor";
      return failure();
    }
    operands.outputs.push_back(destination);
  }
  for (Operation *member : group.members)
    member->walk<WalkOrder::PreOrder>([&](Operation *op) {
      for (Value operand : op->getOperands()) {
        Operation *owner = operand.getDefiningOp();
        if (!owner)
          owner = operand.getParentBlock()->getParentOp();
        if (!isMember(group, owner))
          add(operand);
      }
    });
  auto isArgument = [](Value value) {
    return isa<RankedTensorType>(value.getType()) ||
           value.getType().isIntOrIndexOrFloat();
  };
  operands.inputs = inputs.takeVector();
  operands.own = own.takeVector();
  if (llvm::all_of(operands.inputs, isArgument))
    return success();
  reason = "it uses a value that is neither a tensor nor a number";
  return failure();
}

FailureOr<KernelOperands>
mlir::hetero::findKernelOperands(const KernelGroup &group,
                                 std::string &reason) {
  KernelOperands operands;
  if (failed(OperandFinder(group, operands).run(reason)))
    return failure();
  return operands;
}

LogicalResult mlir::hetero::checkLayouts(const KernelGroup &group,
                                         const KernelOperands &operands,
                                         IdentityLayouts &layouts,
                                         std::string &reason) {
  auto isWhole = [&](Value value) { return layouts.isWhole(value); };
  if (!llvm::all_of(operands.inputs, isWhole) ||
      !llvm::all_of(operands.outputs, isWhole)) {
    reason = "it uses a part of a tensor";
    return failure();
  }
  if (llvm::any_of(group.getRoot()->getResults(),
                   IdentityLayouts::isInserted)) {
    reason = "its result is a part of a tensor";
    return failure();
  }
  return success();
}

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

/// What says where an operation comes from differs between equal groups.
static void dropOrigins(Operation *root) {
  root->walk([](Operation *op) {
    for (StringRef name : {kDeviceAttrName, kOriginAttrName, kExplainAttrName,
                           kRegionAttrName, kValueAttrName})
      op->removeAttr(name);
  });
}

/// Tells the vectorizer which arguments are constants everywhere.
static void markConstants(func::FuncOp kernel, ArrayRef<Value> inputs) {
  Builder builder(kernel.getContext());
  for (auto [index, input] : llvm::enumerate(inputs))
    if (auto constant = input.getDefiningOp<arith::ConstantOp>())
      if (areWorthPanels(constant))
        kernel.setArgAttr(index, kConstantArgAttrName,
                          builder.getBoolAttr(mayBeTwice(constant)));
}

func::FuncOp mlir::hetero::createKernel(const KernelGroup &group,
                                        const KernelOperands &operands,
                                        StringRef name) {
  Operation *root = group.getRoot();
  SmallVector<Value> arguments = operands.inputs;
  llvm::append_range(arguments, operands.outputs);
  auto type = FunctionType::get(root->getContext(), TypeRange(arguments),
                                root->getResultTypes());
  auto kernel = func::FuncOp::create(root->getLoc(), name, type);
  kernel.setPrivate();
  OpBuilder builder(root->getContext());
  kernel->setAttr(kKernelAttrName, builder.getUnitAttr());
  auto caller = root->getParentOfType<func::FuncOp>();
  if (Attribute processor = caller->getAttr(kProcessorAttrName))
    kernel->setAttr(kProcessorAttrName, processor);
  builder.setInsertionPointToStart(kernel.addEntryBlock());
  IRMapping mapping;
  mapping.map(arguments, kernel.getArguments());
  for (Operation *op : operands.own)
    builder.clone(*op, mapping);
  for (Operation *op : group.members)
    builder.clone(*op, mapping);
  SmallVector<Value> results;
  for (Value result : root->getResults())
    results.push_back(mapping.lookup(result));
  func::ReturnOp::create(builder, root->getLoc(), results);
  dropOrigins(kernel);
  markConstants(kernel, operands.inputs);
  return kernel;
}

InvokeOp mlir::hetero::replaceByCall(RewriterBase &rewriter,
                                     const KernelGroup &group,
                                     const KernelOperands &operands,
                                     func::FuncOp kernel) {
  Operation *root = group.getRoot();
  rewriter.setInsertionPoint(root);
  auto call =
      InvokeOp::create(rewriter, root->getLoc(), root->getResultTypes(),
                       kernel.getName(), operands.inputs, operands.outputs);
  joinLocations(call, group.members);
  rewriter.replaceOp(root, call);
  for (Operation *member : llvm::reverse(ArrayRef(group.members).drop_back()))
    rewriter.eraseOp(member);
  return call;
}
