//===- KeptElements.cpp - Destinations written in part --------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Upstream takes a destination whose block argument has no use for one that is
// overwritten: fusion replaces it by tensor.empty, and bufferization gives the
// result a buffer that nobody filled. That is wrong where the output map does
// not reach every element, which keep their old values:
//
//   linalg.generic {indexing_maps = [(i) -> (i), (i) -> (i, i)]}
//       ins(%x) outs(%y) { ^bb0(%a, %o): linalg.yield %a }
//     ->
//   linalg.generic ... { ^bb0(%a, %o):
//     %i = linalg.index 0
//     %inside = arith.cmpi sge, %i, %c0
//     %r = arith.select %inside, %a, %o
//     linalg.yield %r
//   }
//
// No rewrite of linalg knows that an index is not negative; LLVM does, and
// drops the load. Upstream also says of linalg.map that it never reads its
// destination. It becomes a linalg.generic where it does.
//
//===----------------------------------------------------------------------===//

#include "KeptElements.h"

#include "hetero/Dialect/Hetero/IR/PlacementModels.h"
#include "hetero/Support/Assert.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/PatternMatch.h"

using namespace mlir;
using namespace mlir::hetero;

/// Destinations whose old elements are needed although upstream takes them for
/// overwritten.
static SmallVector<unsigned> findKept(linalg::LinalgOp op) {
  SmallVector<unsigned> kept;
  for (OpOperand &init : op.getDpsInitsMutable())
    if (isa<TensorType>(init.get().getType()) &&
        !op.payloadUsesValueFromOperand(&init) && readsOperand(init))
      kept.push_back(init.getOperandNumber());
  return kept;
}

/// The yielded value, or the old element where the first loop's index is
/// negative, which is never.
static void readInBody(linalg::GenericOp op, unsigned number) {
  Operation *yield = op.getBody()->getTerminator();
  OpOperand &yielded = yield->getOpOperand(number - op.getNumDpsInputs());
  OpBuilder builder(yield);
  Location loc = yield->getLoc();
  Value index = linalg::IndexOp::create(builder, loc, 0);
  Value zero = arith::ConstantIndexOp::create(builder, loc, 0);
  Value inside = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::sge,
                                       index, zero);
  yielded.set(arith::SelectOp::create(builder, loc, inside, yielded.get(),
                                      op.getBody()->getArgument(number)));
}

/// Without loops one element is written, whose place is constant: the operation
/// gets this element alone.
static void writeElement(linalg::GenericOp op, unsigned number) {
  OpBuilder builder(op);
  Location loc = op.getLoc();
  OpOperand &init = op->getOpOperand(number);
  auto type = cast<RankedTensorType>(init.get().getType());
  AffineMap map = op.getMatchingIndexingMap(&init);
  SmallVector<OpFoldResult> offsets,
      ones(type.getRank(), builder.getIndexAttr(1));
  for (AffineExpr expr : map.getResults())
    offsets.push_back(
        builder.getIndexAttr(cast<AffineConstantExpr>(expr).getValue()));
  auto elementType = RankedTensorType::get(
      SmallVector<int64_t>(type.getRank(), 1), type.getElementType());
  Value whole = init.get();
  init.set(tensor::ExtractSliceOp::create(builder, loc, elementType, whole,
                                          offsets, ones, ones));
  SmallVector<Attribute> maps(op.getIndexingMaps().getValue());
  SmallVector<AffineExpr> zeros(type.getRank(),
                                builder.getAffineConstantExpr(0));
  maps[number] =
      AffineMapAttr::get(AffineMap::get(0, 0, zeros, builder.getContext()));
  op.setIndexingMapsAttr(builder.getArrayAttr(maps));
  OpResult result = op.getTiedOpResult(&init);
  result.setType(elementType);
  builder.setInsertionPointAfter(op);
  auto insert = tensor::InsertSliceOp::create(builder, loc, result, whole,
                                              offsets, ones, ones);
  result.replaceAllUsesExcept(insert.getResult(), insert);
}

int64_t mlir::hetero::readKeptElements(ExecuteOp region) {
  SmallVector<linalg::LinalgOp> ops;
  region.getBody().walk([&](linalg::LinalgOp op) { ops.push_back(op); });
  IRRewriter rewriter(region.getContext());
  int64_t count = 0;
  for (linalg::LinalgOp op : ops) {
    SmallVector<unsigned> kept = findKept(op);
    if (kept.empty())
      continue;
    count += kept.size();
    auto generic = dyn_cast<linalg::GenericOp>(op.getOperation());
    if (!generic) {
      rewriter.setInsertionPoint(op);
      FailureOr<linalg::GenericOp> general =
          linalg::generalizeNamedOp(rewriter, op);
      HETERO_ASSERT(succeeded(general), "a named operation has a body");
      generic = *general;
    }
    for (unsigned number : kept) {
      OpOperand &init = generic->getOpOperand(number);
      if (generic.payloadUsesValueFromOperand(&init))
        continue;
      if (generic.getNumLoops() == 0)
        writeElement(generic, number);
      else
        readInBody(generic, number);
    }
  }
  return count;
}
