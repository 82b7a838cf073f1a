//===- IdentityLayouts.cpp - Buffers that are not views -------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Follows tensors to where their memory comes from, and to where it goes,
// through operations that overwrite one of their operands, reshapes, regions
// and structured control flow. Anything else is taken for a view.
//
//===----------------------------------------------------------------------===//

#include "IdentityLayouts.h"

#include "hetero/Dialect/Hetero/IR/HeteroDialect.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Interfaces/SubsetOpInterface.h"

using namespace mlir;
using namespace mlir::hetero;

/// Values that one value becomes, of which more are not followed.
static constexpr size_t kMaxFollowed = 64;

//===----------------------------------------------------------------------===//
// Where memory comes from
//===----------------------------------------------------------------------===//

/// The values whose memory the argument may be. False for a block whose
/// arguments are not known.
static bool getSources(BlockArgument argument, SmallVectorImpl<Value> &from) {
  Operation *parent = argument.getOwner()->getParentOp();
  unsigned index = argument.getArgNumber();
  if (!argument.getOwner()->isEntryBlock())
    return false;
  // Arguments of functions have buffers of their own shape.
  if (isa<FunctionOpInterface>(parent))
    return true;
  if (auto execute = dyn_cast<ExecuteOp>(parent)) {
    from.push_back(execute.getInputs()[index]);
    return true;
  }
  if (auto forall = dyn_cast<scf::ForallOp>(parent)) {
    from.push_back(forall.getTiedOpOperand(argument)->get());
    return true;
  }
  auto loop = dyn_cast<scf::ForOp>(parent);
  if (!loop || index == 0)
    return false;
  from.push_back(loop.getInitArgs()[index - 1]);
  from.push_back(loop.getYieldedValues()[index - 1]);
  return true;
}

/// The values whose memory the result may be, none if it has its own. False if
/// it may be a view.
static bool getSources(OpResult result, SmallVectorImpl<Value> &from) {
  Operation *op = result.getOwner();
  unsigned index = result.getResultNumber();
  if (isa<tensor::EmptyOp, tensor::FromElementsOp, arith::ConstantOp, CopyOp,
          func::CallOp>(op))
    return true;
  if (isa<tensor::ExpandShapeOp, tensor::CollapseShapeOp, tensor::CastOp>(op)) {
    from.push_back(op->getOperand(0));
    return true;
  }
  if (auto destination = dyn_cast<DestinationStyleOpInterface>(op)) {
    from.push_back(destination.getTiedOpOperand(result)->get());
    return true;
  }
  if (auto execute = dyn_cast<ExecuteOp>(op)) {
    from.push_back(execute.getYield().getValues()[index]);
    return true;
  }
  if (auto forall = dyn_cast<scf::ForallOp>(op)) {
    from.push_back(forall.getTiedOpOperand(result)->get());
    return true;
  }
  if (auto loop = dyn_cast<scf::ForOp>(op)) {
    from.push_back(loop.getInitArgs()[index]);
    from.push_back(loop.getYieldedValues()[index]);
    return true;
  }
  auto branch = dyn_cast<scf::IfOp>(op);
  if (!branch)
    return false;
  from.push_back(branch.thenYield().getOperand(index));
  from.push_back(branch.elseYield().getOperand(index));
  return true;
}

/// A loop passes a view only if a view comes into it: what is on the way back
/// to the value itself is taken for whole.
bool IdentityLayouts::isWhole(Value value) {
  llvm::DenseSet<Value> seen;
  SmallVector<Value> worklist = {value};
  while (!worklist.empty()) {
    Value next = worklist.pop_back_val();
    if (!isa<RankedTensorType>(next.getType()) || whole.contains(next) ||
        !seen.insert(next).second)
      continue;
    auto argument = dyn_cast<BlockArgument>(next);
    if (argument ? !getSources(argument, worklist)
                 : !getSources(cast<OpResult>(next), worklist))
      return false;
  }
  whole.insert(seen.begin(), seen.end());
  return true;
}

//===----------------------------------------------------------------------===//
// Where memory goes
//===----------------------------------------------------------------------===//

/// What a terminator passes its operand to.
static void followYield(OpOperand &use, SmallVectorImpl<Value> &to) {
  Operation *parent = use.getOwner()->getParentOp();
  unsigned index = use.getOperandNumber();
  if (index < parent->getNumResults())
    to.push_back(parent->getResult(index));
  if (auto loop = dyn_cast<scf::ForOp>(parent))
    to.push_back(loop.getRegionIterArg(index));
}

/// Adds the values that the used tensor becomes. True if it is inserted, or if
/// control flow passes it that nothing is known of.
static bool follow(OpOperand &use, SmallVectorImpl<Value> &to) {
  Operation *user = use.getOwner();
  if (auto insertion = dyn_cast<SubsetInsertionOpInterface>(user);
      insertion && &insertion.getSourceOperand() == &use)
    return true;
  if (auto destination = dyn_cast<DestinationStyleOpInterface>(user)) {
    if (destination.isDpsInit(&use) && user->getNumResults() != 0)
      to.push_back(destination.getTiedOpResult(&use));
  } else if (isa<tensor::ExpandShapeOp, tensor::CollapseShapeOp,
                 tensor::CastOp>(user)) {
    to.push_back(user->getResult(0));
  } else if (auto execute = dyn_cast<ExecuteOp>(user)) {
    to.push_back(execute.getBodyBlock()->getArgument(use.getOperandNumber()));
  } else if (auto loop = dyn_cast<LoopLikeOpInterface>(user)) {
    if (BlockArgument carried = loop.getTiedLoopRegionIterArg(&use))
      to.push_back(carried);
    if (OpResult result = loop.getTiedLoopResult(&use))
      to.push_back(result);
  } else if (isa<YieldOp, scf::YieldOp>(user)) {
    followYield(use, to);
  } else {
    return isa<RegionBranchOpInterface, BranchOpInterface>(user);
  }
  return false;
}

bool IdentityLayouts::isInserted(Value value) {
  llvm::DenseSet<Value> seen;
  SmallVector<Value> worklist = {value};
  while (!worklist.empty()) {
    Value next = worklist.pop_back_val();
    if (!seen.insert(next).second)
      continue;
    if (seen.size() > kMaxFollowed)
      return true;
    for (OpOperand &use : next.getUses())
      if (follow(use, worklist))
        return true;
  }
  return false;
}
