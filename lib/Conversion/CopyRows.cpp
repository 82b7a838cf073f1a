//===- CopyRows.cpp - Strided memory as rows ------------------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CopyRows.h"

#include "hetero/Dialect/Hetero/IR/HeteroDialect.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinOps.h"

using namespace mlir;
using namespace mlir::hetero;

/// Adds the dimensions after one step of which the elements do not go on where
/// those of the step end. False if the type has no strides.
static bool collectGaps(MemRefType type, ArrayRef<int64_t> dims,
                        SmallVectorImpl<int64_t> &gaps) {
  if (type.getLayout().isIdentity())
    return true;
  SmallVector<int64_t> strides;
  int64_t offset;
  if (failed(type.getStridesAndOffset(strides, offset)))
    return false;
  int64_t end = 1;
  for (int64_t dim : llvm::reverse(dims)) {
    int64_t stride = strides[dim], size = type.getDimSize(dim);
    if (ShapedType::isDynamic(end) || stride != end)
      gaps.push_back(dim);
    end = ShapedType::isDynamic(stride) || ShapedType::isDynamic(size)
              ? ShapedType::kDynamic
              : stride * size;
  }
  return true;
}

std::optional<int64_t> mlir::hetero::findCopyRows(MemRefType a, MemRefType b) {
  SmallVector<int64_t> dims, gaps;
  for (int64_t dim = 0; dim < a.getRank(); ++dim)
    if (a.getDimSize(dim) != 1 && b.getDimSize(dim) != 1)
      dims.push_back(dim);
  if (!collectGaps(a, dims, gaps) || !collectGaps(b, dims, gaps))
    return std::nullopt;
  if (gaps.empty())
    return -1;
  return llvm::all_equal(gaps) ? std::optional(gaps.front()) : std::nullopt;
}

void mlir::hetero::noteCopyRows(ModuleOp module) {
  module.walk([](gpu::MemcpyOp op) {
    if (std::optional<int64_t> last = getCopyRows(op))
      op->setAttr(kRowsAttrName,
                  Builder(op.getContext()).getI64IntegerAttr(*last));
  });
}

std::optional<int64_t> mlir::hetero::getCopyRows(gpu::MemcpyOp op) {
  if (auto last = op->getAttrOfType<IntegerAttr>(kRowsAttrName))
    return last.getInt();
  auto source = dyn_cast<MemRefType>(op.getSrc().getType());
  auto target = dyn_cast<MemRefType>(op.getDst().getType());
  return source && target ? findCopyRows(source, target) : std::nullopt;
}
