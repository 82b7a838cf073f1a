//===- MaskedStores.cpp - Masked stores that LLVM compiles right ----------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "hetero/Support/MaskedStores.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"

using namespace llvm;

/// The lanes that a mask keeps; empty if the compiler does not know.
static SmallVector<bool> getLanes(Value *mask, unsigned count) {
  SmallVector<bool> lanes;
  auto *constant = dyn_cast<Constant>(mask);
  for (unsigned lane = 0; constant && lane < count; ++lane) {
    Constant *bit = constant->getAggregateElement(lane);
    if (!bit)
      return {};
    lanes.push_back(bit->isOneValue());
  }
  return lanes;
}

/// Takes the lanes out of `lanes` whose neighbor in a pair of lanes is not
/// kept. A part of 2, 4, 8, ... lanes that keeps exactly one has such a pair.
static SmallVector<unsigned> takeSingleLanes(MutableArrayRef<bool> lanes) {
  SmallVector<unsigned> single;
  for (unsigned lane = 0; lane < lanes.size(); ++lane) {
    unsigned neighbor = lane ^ 1;
    if (lanes[lane] && (neighbor >= lanes.size() || !lanes[neighbor]))
      single.push_back(lane);
  }
  for (unsigned lane : single)
    lanes[lane] = false;
  return single;
}

static void storeSingleLanesAlone(IntrinsicInst &store) {
  Value *value = store.getArgOperand(0), *pointer = store.getArgOperand(1);
  auto *type = dyn_cast<FixedVectorType>(value->getType());
  const DataLayout &layout = store.getDataLayout();
  if (!type || !type->getElementType()->isIntegerTy() ||
      layout.getTypeAllocSizeInBits(type->getElementType()) !=
          layout.getTypeSizeInBits(type->getElementType()))
    return;
  SmallVector<bool> lanes =
      getLanes(store.getArgOperand(2), type->getNumElements());
  SmallVector<unsigned> single = takeSingleLanes(lanes);
  if (single.empty())
    return;
  IRBuilder<> builder(&store);
  Align whole = store.getParamAlign(1).valueOrOne();
  uint64_t bytes = layout.getTypeStoreSize(type->getElementType());
  for (unsigned lane : single)
    builder
        .CreateAlignedStore(
            builder.CreateExtractElement(value, lane),
            builder.CreateConstGEP1_64(type->getElementType(), pointer, lane),
            commonAlignment(whole, lane * bytes))
        ->setAAMetadata(store.getAAMetadata());
  if (llvm::is_contained(lanes, true)) {
    SmallVector<Constant *> mask;
    for (bool lane : lanes)
      mask.push_back(builder.getInt1(lane));
    builder.CreateMaskedStore(value, pointer, whole, ConstantVector::get(mask))
        ->setAAMetadata(store.getAAMetadata());
  }
  store.eraseFromParent();
}

void mlir::hetero::storeSingleLanesAlone(Module &module) {
  for (Function &function : module)
    for (Instruction &inst : make_early_inc_range(instructions(function)))
      if (auto *call = dyn_cast<IntrinsicInst>(&inst);
          call && call->getIntrinsicID() == Intrinsic::masked_store)
        ::storeSingleLanesAlone(*call);
}
