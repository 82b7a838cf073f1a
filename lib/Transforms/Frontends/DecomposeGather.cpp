//===- DecomposeGather.cpp - tensor.gather as a linalg.generic ------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   %0 = tensor.gather %t[%i] gather_dims([0])
//       : (tensor<10x4xf32>, tensor<3x1xindex>) -> tensor<3x4xf32>
//
// becomes, with the coordinates of the places as inputs,
//
//   %1 = tensor.extract_slice %i[0, 0] [3, 1] [1, 1] ... to tensor<3xindex>
//   %0 = linalg.generic ... ins(%1) outs(%empty) {
//   ^bb0(%place: index, ...):
//     %column = linalg.index 1
//     %2 = tensor.extract %t[%place, %column]
//     linalg.yield %2
//   }
//
//===----------------------------------------------------------------------===//

#include "DecomposeGather.h"

#include "hetero/Transforms/Checks/SizeChecks.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/PatternMatch.h"

using namespace mlir;
using namespace mlir::hetero;

/// One tensor for each gathered dimension: the coordinates along it.
static SmallVector<Value> splitCoordinates(OpBuilder &builder, Location loc,
                                           Value indices, int64_t count) {
  auto type = cast<RankedTensorType>(indices.getType());
  SmallVector<OpFoldResult> sizes =
      tensor::getMixedSizes(builder, loc, indices);
  sizes.back() = builder.getIndexAttr(1);
  SmallVector<OpFoldResult> strides(sizes.size(), builder.getIndexAttr(1));
  auto part =
      RankedTensorType::get(type.getShape().drop_back(), type.getElementType());
  SmallVector<Value> coordinates;
  for (int64_t index = 0; index < count; ++index) {
    SmallVector<OpFoldResult> offsets(sizes.size(), builder.getIndexAttr(0));
    offsets.back() = builder.getIndexAttr(index);
    coordinates.push_back(tensor::ExtractSliceOp::create(
        builder, loc, part, indices, offsets, sizes, strides));
  }
  return coordinates;
}

namespace {
/// How the dimensions of a gather's result relate to those of its source.
struct GatherDims {
  explicit GatherDims(tensor::GatherOp op)
      : batch(op.getIndicesType().getRank() - 1), gathered(op.getGatherDims()),
        keepsUnits(op.getResultType().getRank() ==
                   batch + op.getSourceType().getRank()) {
    int64_t next = batch;
    for (int64_t dim = 0; dim < op.getSourceType().getRank(); ++dim)
      results.push_back(isGathered(dim) && !keepsUnits ? -1 : next++);
  }

  bool isGathered(int64_t dim) const {
    return llvm::is_contained(gathered, dim);
  }

  /// The dimensions that the places have.
  int64_t batch;
  ArrayRef<int64_t> gathered;
  /// Whether gathered dimensions stay, with one element.
  bool keepsUnits;
  /// For each dimension of the source that of the result, or -1.
  SmallVector<int64_t> results;
};
} // namespace

static Value createResult(OpBuilder &builder, tensor::GatherOp op,
                          const GatherDims &dims) {
  Location loc = op.getLoc();
  RankedTensorType type = op.getResultType();
  SmallVector<Value> sizes;
  for (int64_t dim = 0; dim < type.getRank(); ++dim) {
    if (!type.isDynamicDim(dim))
      continue;
    bool isBatch = dim < dims.batch;
    int64_t from =
        isBatch ? dim : llvm::find(dims.results, dim) - dims.results.begin();
    sizes.push_back(tensor::DimOp::create(
        builder, loc, isBatch ? op.getIndices() : op.getSource(), from));
  }
  return tensor::EmptyOp::create(builder, loc, type, sizes);
}

void mlir::hetero::decomposeGather(RewriterBase &rewriter,
                                   tensor::GatherOp op) {
  Location loc = op.getLoc();
  GatherDims dims(op);
  int64_t rank = op.getResultType().getRank();
  SmallVector<Value> coordinates =
      splitCoordinates(rewriter, loc, op.getIndices(), dims.gathered.size());
  Value init = createResult(rewriter, op, dims);
  AffineMap all = rewriter.getMultiDimIdentityMap(rank);
  SmallVector<AffineMap> maps(coordinates.size(),
                              all.getMajorSubMap(dims.batch));
  maps.push_back(all);
  auto buildBody = [&](OpBuilder &builder, Location, ValueRange arguments) {
    SmallVector<Value> place;
    for (auto [dim, result] : llvm::enumerate(dims.results)) {
      const int64_t *found = llvm::find(dims.gathered, int64_t(dim));
      place.push_back(
          found != dims.gathered.end()
              ? getValueOrCreateCastToIndexLike(
                    builder, loc, builder.getIndexType(),
                    arguments[found - dims.gathered.begin()])
              : linalg::IndexOp::create(builder, loc, result).getResult());
    }
    auto element =
        tensor::ExtractOp::create(builder, loc, op.getSource(), place);
    setDescribedName(element, op->getName());
    linalg::YieldOp::create(builder, loc, element.getResult());
  };
  rewriter.replaceOpWithNewOp<linalg::GenericOp>(
      op, op.getResultType(), coordinates, init, maps,
      SmallVector<utils::IteratorType>(rank, utils::IteratorType::parallel),
      buildBody);
}
