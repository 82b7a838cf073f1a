//===- PackByIndex.cpp - Packs of tiles whose sizes are not known ---------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Upstream makes an expansion of a pack, which needs static tiles. Any pack is
// also a linalg.generic whose body reads the element that belongs to its place:
//
//   %0 = linalg.pack %a inner_dims_pos = [0] inner_tiles = [%n] into %b
//     ->
//   %0 = linalg.generic ins(%n) outs(%b) {
//     %1 = linalg.index 0 * %n + linalg.index 1
//     tensor.extract %a[%1]
//
//===----------------------------------------------------------------------===//

#include "PackByIndex.h"

#include "hetero/Dialect/Hetero/IR/AttributeNames.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/PatternMatch.h"

using namespace mlir;
using namespace mlir::hetero;

namespace {
/// The dimensions of a pack or unpack.
struct PackDims {
  template <typename OpTy>
  PackDims(OpTy op, int64_t unpackedRank)
      : tiled(op.getInnerDimsPos()), rank(unpackedRank), outer(rank) {
    ArrayRef<int64_t> permutation = op.getOuterDimsPerm();
    for (int64_t position = 0; position < rank; ++position)
      outer[permutation.empty() ? position : permutation[position]] = position;
  }

  /// Which tile a dimension is cut into; none if it is not cut.
  std::optional<int64_t> getTile(int64_t dim) const {
    const int64_t *found = llvm::find(tiled, dim);
    if (found == tiled.end())
      return std::nullopt;
    return found - tiled.begin();
  }

  ArrayRef<int64_t> tiled;
  int64_t rank;
  /// For each unpacked dimension the packed one that counts its tiles.
  SmallVector<int64_t> outer;
};

/// Builds a generic over `destination` whose inputs are scalars.
class ByIndex {
public:
  ByIndex(RewriterBase &rewriter, Operation *op, Value destination,
          ValueRange scalars)
      : rewriter(rewriter), op(op), loc(op->getLoc()), destination(destination),
        scalars(scalars) {}

  void
  replace(function_ref<Value(OpBuilder &, ValueRange scalars, ValueRange place)>
              build) {
    int64_t rank = cast<RankedTensorType>(destination.getType()).getRank();
    SmallVector<AffineMap> maps(scalars.size(),
                                AffineMap::get(rank, 0, rewriter.getContext()));
    maps.push_back(rewriter.getMultiDimIdentityMap(rank));
    rewriter.replaceOpWithNewOp<linalg::GenericOp>(
        op, destination.getType(), scalars, destination, maps,
        SmallVector<utils::IteratorType>(rank, utils::IteratorType::parallel),
        [&](OpBuilder &builder, Location, ValueRange arguments) {
          SmallVector<Value> place;
          for (int64_t dim = 0; dim < rank; ++dim)
            place.push_back(linalg::IndexOp::create(builder, loc, dim));
          Value element =
              build(builder, arguments.take_front(scalars.size()), place);
          linalg::YieldOp::create(builder, loc, element);
        });
  }

private:
  RewriterBase &rewriter;
  Operation *op;
  Location loc;
  Value destination;
  ValueRange scalars;
};
} // namespace

/// Reads an element that is there by construction.
static Value readElement(OpBuilder &builder, Location loc, Value tensor,
                         ValueRange place) {
  auto element = tensor::ExtractOp::create(builder, loc, tensor, place);
  element->setAttr(kInsideAttrName, builder.getUnitAttr());
  return element;
}

void mlir::hetero::packByIndex(RewriterBase &rewriter, linalg::PackOp op) {
  Location loc = op.getLoc();
  auto source = cast<RankedTensorType>(op.getSource().getType());
  PackDims dims(op, source.getRank());
  SmallVector<Value> scalars =
      getValueOrCreateConstantIndexOp(rewriter, loc, op.getMixedTiles());
  size_t numTiles = scalars.size();
  Value padding = op.getPaddingValue();
  if (padding) {
    llvm::append_range(
        scalars, getValueOrCreateConstantIndexOp(
                     rewriter, loc,
                     tensor::getMixedSizes(rewriter, loc, op.getSource())));
    scalars.push_back(padding);
  }
  auto build = [&](OpBuilder &builder, ValueRange numbers, ValueRange place) {
    Value inside, zero;
    SmallVector<Value> from;
    for (int64_t dim = 0; dim < dims.rank; ++dim) {
      Value index = place[dims.outer[dim]];
      std::optional<int64_t> tile = dims.getTile(dim);
      if (tile) {
        index = arith::MulIOp::create(builder, loc, index, numbers[*tile]);
        index = arith::AddIOp::create(builder, loc, index,
                                      place[dims.rank + *tile]);
      }
      if (tile && padding) {
        Value holds =
            arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ult,
                                  index, numbers[numTiles + dim]);
        inside =
            inside
                ? arith::AndIOp::create(builder, loc, inside, holds).getResult()
                : holds;
        zero = arith::ConstantIndexOp::create(builder, loc, 0);
        index = arith::SelectOp::create(builder, loc, holds, index, zero);
      }
      from.push_back(index);
    }
    Value element = readElement(builder, loc, op.getSource(), from);
    return inside ? arith::SelectOp::create(builder, loc, inside, element,
                                            numbers.back())
                        .getResult()
                  : element;
  };
  ByIndex(rewriter, op, op.getDest(), scalars).replace(build);
}

void mlir::hetero::unpackByIndex(RewriterBase &rewriter, linalg::UnPackOp op) {
  Location loc = op.getLoc();
  auto target = cast<RankedTensorType>(op.getDest().getType());
  PackDims dims(op, target.getRank());
  SmallVector<Value> scalars =
      getValueOrCreateConstantIndexOp(rewriter, loc, op.getMixedTiles());
  auto build = [&](OpBuilder &builder, ValueRange numbers, ValueRange place) {
    SmallVector<Value> from(dims.rank + numbers.size());
    for (int64_t dim = 0; dim < dims.rank; ++dim) {
      std::optional<int64_t> tile = dims.getTile(dim);
      Value index = place[dim];
      if (tile) {
        from[dims.rank + *tile] =
            arith::RemUIOp::create(builder, loc, index, numbers[*tile]);
        index = arith::DivUIOp::create(builder, loc, index, numbers[*tile]);
      }
      from[dims.outer[dim]] = index;
    }
    return readElement(builder, loc, op.getSource(), from);
  };
  ByIndex(rewriter, op, op.getDest(), scalars).replace(build);
}
