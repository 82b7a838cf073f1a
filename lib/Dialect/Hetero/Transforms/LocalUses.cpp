//===- LocalUses.cpp - Uses that share a copy behind a value --------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What is left is for those who place operations one by one, in the order of
// the program: operands of control flow and calls, captures, copies by the
// user, elements, unread destinations, and values that several devices want.
//
//===----------------------------------------------------------------------===//

#include "hetero/Dialect/Hetero/Transforms/LocalUses.h"

#include "hetero/Dialect/Hetero/IR/PlacementModels.h"
#include "hetero/Dialect/Hetero/Transforms/Prefetch.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mlir::hetero;

/// The operation is left that stands where operations are placed.
void LocalUses::leave(Operation *user) {
  while (!constraints.hasPlacedRegions(user->getParentOp()))
    user = user->getParentOp();
  left.insert(user);
}

bool LocalUses::isLocal(OpOperand &use) {
  Operation *user = use.getOwner();
  return user->getBlock() == use.get().getParentBlock() &&
         constraints.getDevice(user) && !isa<CopyOp, tensor::ExtractOp>(user);
}

bool LocalUses::add(OpOperand &use, DeviceAttr actual, SharedUses &shared) {
  if (!actual || !isLocal(use)) {
    leave(use.getOwner());
    return true;
  }
  DeviceAttr wanted = constraints.getOperandDevice(use);
  if (!wanted || wanted == actual)
    return true;
  bool isSame = !shared.device || shared.device == wanted;
  shared.device = wanted;
  shared.uses.push_back(&use);
  return isSame && readsOperand(use);
}

SharedUses LocalUses::collect(Value value) {
  constexpr size_t kAtOnce = 32;
  SharedUses shared{value, {}, {}};
  if (!isa<TensorType>(value.getType()))
    return shared;
  auto type = dyn_cast<RankedTensorType>(value.getType());
  DeviceAttr actual = type ? constraints.getTypeDevice(type) : DeviceAttr();
  bool canShare = true;
  SmallVector<OpOperand *, kAtOnce> next;
  for (auto use = value.use_begin(); use != value.use_end();) {
    for (; use != value.use_end() && next.size() < kAtOnce; ++use)
      next.push_back(&*use);
    if (next.size() == kAtOnce)
      prefetchUsers(next);
    for (OpOperand *operand : next)
      canShare &= add(*operand, actual, shared);
    next.clear();
  }
  Operation *producer = shared.uses.empty() ? nullptr : value.getDefiningOp();
  if (!canShare || (producer && canBeReplicated(producer))) {
    for (OpOperand *use : shared.uses)
      leave(use->getOwner());
    shared.uses.clear();
  }
  // Lists of uses begin with the last.
  std::reverse(shared.uses.begin(), shared.uses.end());
  return shared;
}
