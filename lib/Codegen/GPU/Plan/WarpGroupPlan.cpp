//===- WarpGroupPlan.cpp - How warpgroups multiply ------------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "WarpGroupPlan.h"

#include "LoopSteps.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;
using namespace mlir::hetero;

/// Fewer blocks leave too many multiprocessors idle: smaller tiles are better.
static constexpr int64_t kFewestBlocks = 66;

/// A tensor map has so many dimensions.
static constexpr size_t kMostDims = 5;

/// Elements of 16 bits.
static constexpr int64_t kElementBytes = 2;

//===----------------------------------------------------------------------===//
// The plan
//===----------------------------------------------------------------------===//

/// The blocks of tiles with so many columns; none if it is not known.
static std::optional<int64_t> countBlocks(linalg::LinalgOp op,
                                          const TensorCorePlan &product,
                                          int64_t tileColumns) {
  std::optional<int64_t> rows = countStatically(op, product.rows),
                         columns = countStatically(op, product.columns),
                         batches = countStatically(op, product.batch);
  if (!rows || !columns || !batches)
    return std::nullopt;
  return llvm::divideCeil(*rows, kGroupTileRows) *
         llvm::divideCeil(*columns, tileColumns) * *batches;
}

/// True unless the operand's elements are never at multiples of 16 bytes.
static bool mayBeTensor(const TensorCoreOperand &side) {
  return side.lines.size() == 1 && side.mayBeAligned;
}

std::optional<WarpGroupPlan>
mlir::hetero::planWarpGroups(linalg::LinalgOp op,
                             const TensorCorePlan &product) {
  if (product.bytes != kElementBytes || !product.taps.empty() ||
      !mayBeTensor(product.lhs) || !mayBeTensor(product.rhs))
    return std::nullopt;
  std::optional<int64_t> depth = countStatically(op, product.depth);
  std::optional<int64_t> blocks = countBlocks(op, product, kGroupTileRows);
  if ((depth && *depth < kGroupTileDepth) ||
      (blocks && *blocks < kFewestBlocks))
    return std::nullopt;
  WarpGroupPlan plan;
  plan.product = product;
  SmallVector<int64_t> sizes = op.getStaticLoopRanges();
  for (unsigned loop : product.batch)
    if (sizes[loop] != 1)
      plan.batch.push_back(loop);
  if (plan.batch.size() + 2 > kMostDims)
    return std::nullopt;
  // A wide tile reads less, if there are enough of them.
  std::optional<int64_t> wide = countBlocks(op, product, 2 * kGroupTileRows);
  if (wide && *wide >= 2 * kFewestBlocks)
    plan.tileColumns = 2 * kGroupTileRows;
  return plan;
}

//===----------------------------------------------------------------------===//
// On the host
//===----------------------------------------------------------------------===//

static OpFoldResult multiply(OpBuilder &host, Location loc, OpFoldResult a,
                             OpFoldResult b) {
  AffineExpr x, y;
  bindSymbols(host.getContext(), x, y);
  return affine::makeComposedFoldedAffineApply(host, loc, x * y, {a, b});
}

static OpFoldResult add(OpBuilder &host, Location loc, OpFoldResult a,
                        OpFoldResult b) {
  AffineExpr x, y;
  bindSymbols(host.getContext(), x, y);
  return affine::makeComposedFoldedAffineApply(host, loc, x + y, {a, b});
}

static Value toValue(OpBuilder &host, Location loc, OpFoldResult value) {
  return getValueOrCreateConstantIndexOp(host, loc, value);
}

/// How many iterations loops have, from the operands' sizes.
static OpFoldResult countOnHost(OpBuilder &host, linalg::LinalgOp op,
                                ArrayRef<unsigned> loops) {
  Location loc = op.getLoc();
  SmallVector<OpFoldResult> shapes = op.createFlatListOfOperandDims(host, loc);
  OpFoldResult total = host.getIndexAttr(1);
  for (unsigned loop : loops)
    total = multiply(
        host, loc, total,
        affine::makeComposedFoldedAffineApply(
            host, loc, op.getShapesToLoopsMap().getSubMap({loop}), shapes));
  return total;
}

/// Bytes from one step of the loop to the next.
static OpFoldResult getStrideOnHost(OpBuilder &host, linalg::LinalgOp op,
                                    OpOperand &operand, unsigned loop) {
  Location loc = op.getLoc();
  auto metadata =
      memref::ExtractStridedMetadataOp::create(host, loc, operand.get());
  AffineMap map = op.getMatchingIndexingMap(&operand);
  OpFoldResult total = host.getIndexAttr(0);
  for (auto [result, stride] :
       llvm::zip_equal(map.getResults(), metadata.getConstifiedMixedStrides()))
    if (int64_t coefficient = *getCoefficient(map, result, loop))
      total = add(host, loc, total,
                  multiply(host, loc, stride,
                           host.getIndexAttr(coefficient * kElementBytes)));
  return total;
}

TensorDims mlir::hetero::getTensorDims(OpBuilder &host, linalg::LinalgOp op,
                                       const WarpGroupPlan &plan,
                                       const TensorCoreOperand &side) {
  TensorDims dims;
  ArrayRef<unsigned> inner = side.alongDepth
                                 ? ArrayRef<unsigned>(plan.product.depth)
                                 : ArrayRef<unsigned>(side.lines[0]);
  ArrayRef<unsigned> outer = side.alongDepth
                                 ? ArrayRef<unsigned>(side.lines[0])
                                 : ArrayRef<unsigned>(plan.product.depth);
  SmallVector<ArrayRef<unsigned>> groups = {inner, outer};
  for (const unsigned &loop : plan.batch)
    groups.push_back(loop);
  for (auto [i, group] : llvm::enumerate(groups)) {
    dims.loops.push_back(group.back());
    dims.sizes.push_back(countOnHost(host, op, group));
    if (i > 0)
      dims.strides.push_back(
          getStrideOnHost(host, op, *side.operand, group.back()));
  }
  return dims;
}

/// The bits that must be zero: those of the address and the strides below 16.
static Value getMisalignment(OpBuilder &host, linalg::LinalgOp op,
                             const TensorDims &dims, OpOperand &operand) {
  Location loc = op.getLoc();
  auto metadata =
      memref::ExtractStridedMetadataOp::create(host, loc, operand.get());
  Value bits =
      memref::ExtractAlignedPointerAsIndexOp::create(host, loc, operand.get());
  OpFoldResult offset = multiply(host, loc, metadata.getConstifiedMixedOffset(),
                                 host.getIndexAttr(kElementBytes));
  bits = host.createOrFold<arith::OrIOp>(loc, bits, toValue(host, loc, offset));
  for (OpFoldResult stride : dims.strides)
    if (std::optional<int64_t> known = getConstantIntValue(stride);
        !known || *known % kVectorBytes != 0)
      bits = host.createOrFold<arith::OrIOp>(loc, bits,
                                             toValue(host, loc, stride));
  Value mask = arith::ConstantIndexOp::create(host, loc, kVectorBytes - 1);
  return host.createOrFold<arith::AndIOp>(loc, bits, mask);
}

Value mlir::hetero::createTensorCheck(OpBuilder &host, linalg::LinalgOp op,
                                      const WarpGroupPlan &plan) {
  Location loc = op.getLoc();
  Value zero = arith::ConstantIndexOp::create(host, loc, 0);
  Value isTensor = arith::ConstantIntOp::create(host, loc, 1, 1);
  auto require = [&](arith::CmpIPredicate predicate, Value value) {
    Value holds =
        arith::CmpIOp::create(host, loc, predicate, value, zero).getResult();
    isTensor = host.createOrFold<arith::AndIOp>(loc, isTensor, holds);
  };
  for (const TensorCoreOperand *side : {&plan.product.lhs, &plan.product.rhs}) {
    TensorDims dims = getTensorDims(host, op, plan, *side);
    require(arith::CmpIPredicate::eq,
            getMisalignment(host, op, dims, *side->operand));
    for (OpFoldResult size : dims.sizes)
      if (!getConstantIntValue(size))
        require(arith::CmpIPredicate::sgt, toValue(host, loc, size));
  }
  return isTensor;
}
