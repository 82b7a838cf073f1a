//===- Epilogue.cpp - Elementwise work on what a product yields -----------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   %c = contraction(%a, %b)
//   %y = max(%c + %bias + %residual, 0)
//
// %y follows %c element by element, so that each register tile of %c can go
// through it before the next, and no pass over memory is needed.
//
//===----------------------------------------------------------------------===//

#include "Epilogue.h"

#include "Access.h"
#include "Codegen/Match/FillValue.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using namespace mlir::hetero;

/// Operations of an epilogue that is repeated for each accumulator: where it
/// could be done on a tile that has been stored, and where the tile has no
/// place.
static constexpr int64_t kMaxInRegisters = 8, kMaxWithoutPlace = 24;

/// The only operand that reads `op`, if there is one.
static OpOperand *findOnlyUse(linalg::GenericOp op) {
  return op->getNumResults() == 1 && op->hasOneUse() ? &*op->use_begin()
                                                     : nullptr;
}

/// For each loop of the contraction the one that follows it.
static SmallVector<std::optional<unsigned>>
followLoops(linalg::GenericOp contraction, OpOperand *operand) {
  auto op = cast<linalg::GenericOp>(operand->getOwner());
  AffineMap from =
      contraction.getMatchingIndexingMap(contraction.getDpsInitOperand(0));
  AffineMap to = op.getMatchingIndexingMap(operand);
  SmallVector<std::optional<unsigned>> loops(contraction.getNumLoops());
  for (auto [source, target] :
       llvm::zip_equal(from.getResults(), to.getResults()))
    loops[cast<AffineDimExpr>(source).getPosition()] =
        cast<AffineDimExpr>(target).getPosition();
  return loops;
}

/// True if a vector along `loop` is one load, or one broadcast, of each operand
/// and one store of the result.
static bool hasWholeVectors(linalg::GenericOp op, unsigned loop) {
  return classifyAccess(op, op.getDpsInitOperand(0), loop) ==
             AccessKind::Contiguous &&
         llvm::all_of(op.getDpsInputOperands(), [&](OpOperand *input) {
           if (!isa<RankedTensorType>(input->get().getType()))
             return true;
           AccessKind kind = classifyAccess(op, input, loop);
           return kind == AccessKind::Contiguous ||
                  kind == AccessKind::Invariant;
         });
}

/// True for what is one instruction.
static bool isSimple(Operation &op) {
  return isa<math::RoundEvenOp, math::FloorOp, math::CeilOp, math::TruncOp,
             math::AbsFOp, math::CopySignOp, math::FmaOp>(op) ||
         !isa<math::MathDialect>(op.getDialect());
}

/// True if the body may be repeated for each accumulator.
static bool isShort(linalg::GenericOp op, bool hasPlace) {
  auto body = op.getBody()->without_terminator();
  // A division takes as long as many other operations, but less than a pass
  // over memory does.
  return llvm::all_of(body, isSimple) &&
         !(hasPlace && llvm::any_of(body, llvm::IsaPred<arith::DivFOp>)) &&
         llvm::range_size(body) <=
             (hasPlace ? kMaxInRegisters : kMaxWithoutPlace);
}

/// The operand of `op` that is the result of a contraction which nothing else
/// reads.
static OpOperand *findContraction(linalg::GenericOp op) {
  for (OpOperand &operand : op->getOpOperands()) {
    auto producer = operand.get().getDefiningOp<linalg::GenericOp>();
    if (producer && producer->getBlock() == op->getBlock() &&
        producer.getNumReductionLoops() != 0 &&
        findOnlyUse(producer) == &operand &&
        op.payloadUsesValueFromOperand(&operand) &&
        op.getMatchingIndexingMap(&operand).isPermutation() &&
        producer.getMatchingIndexingMap(producer.getDpsInitOperand(0))
            .isProjectedPermutation())
      return &operand;
  }
  return nullptr;
}

/// True if sums that are in registers until the epilogue is done with them need
/// nothing of a place of their own, which then there is not: they start from a
/// value, and the epilogue's place is not read.
static bool needsNoPlace(linalg::GenericOp contraction, linalg::GenericOp op) {
  auto start = dyn_cast<OpResult>(contraction.getDpsInits().front());
  auto fill = start ? dyn_cast<linalg::GenericOp>(start.getOwner())
                    : linalg::GenericOp();
  return fill && start.hasOneUse() &&
         getFillValue(fill, start.getResultNumber()) &&
         !op.payloadUsesValueFromOperand(op.getDpsInitOperand(0));
}

std::optional<Epilogue> mlir::hetero::findEpilogue(linalg::GenericOp op,
                                                   const CPUTarget &target) {
  if (op.getNumReductionLoops() != 0 || op.getNumDpsInits() != 1 ||
      !op.hasPureTensorSemantics())
    return std::nullopt;
  OpOperand *operand = findContraction(op);
  std::optional<VectorPlan> own =
      operand ? planVectorLoops(op, target) : std::nullopt;
  // Lanes past the end hold zeros.
  if (!own || own->scalarTail)
    return std::nullopt;
  Epilogue epilogue;
  epilogue.contraction = operand->get().getDefiningOp<linalg::GenericOp>();
  epilogue.operand = operand;
  std::optional<VectorPlan> plan =
      planVectorLoops(epilogue.contraction, target);
  // Sums that are in memory in between are not done there.
  if (!plan || plan->is<LaneSums>() || plan->is<Passes>() || plan->panels.depth)
    return std::nullopt;
  epilogue.plan = *plan;
  epilogue.loops = followLoops(epilogue.contraction, operand);
  // A tile that is stored first needs a place.
  bool hasPlace = op.isDpsInit(operand);
  epilogue.inRegisters = isShort(op, hasPlace);
  if (!hasWholeVectors(op, *epilogue.loops[plan->vectorLoop]) ||
      (!hasPlace &&
       (!epilogue.inRegisters || !needsNoPlace(epilogue.contraction, op))))
    return std::nullopt;
  return epilogue;
}
