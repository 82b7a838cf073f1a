//===- ConvolutionLoops.cpp - The loops of a convolution ------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ConvolutionLoops.h"

#include "mlir/IR/AffineExprVisitor.h"

using namespace mlir;
using namespace mlir::hetero;

using Window = ConvolutionLoops::Window;

namespace {
/// The terms `loop * factor` of a sum.
struct Terms : AffineExprVisitor<Terms, LogicalResult> {
  SmallVector<std::pair<int64_t, int64_t>> found;

  LogicalResult visitDimExpr(AffineDimExpr expr) {
    found.push_back({expr.getPosition(), 1});
    return success();
  }
  LogicalResult visitAddExpr(AffineBinaryOpExpr expr) {
    return success(succeeded(visit(expr.getLHS())) &&
                   succeeded(visit(expr.getRHS())));
  }
  LogicalResult visitMulExpr(AffineBinaryOpExpr expr) {
    auto loop = dyn_cast<AffineDimExpr>(expr.getLHS());
    auto factor = dyn_cast<AffineConstantExpr>(expr.getRHS());
    if (!loop || !factor || factor.getValue() < 1)
      return failure();
    found.push_back({loop.getPosition(), factor.getValue()});
    return success();
  }
  LogicalResult visitExpr(AffineExpr) { return failure(); }
  LogicalResult visitModExpr(AffineBinaryOpExpr) { return failure(); }
  LogicalResult visitCeilDivExpr(AffineBinaryOpExpr) { return failure(); }
  LogicalResult visitFloorDivExpr(AffineBinaryOpExpr) { return failure(); }
  LogicalResult visitConstantExpr(AffineConstantExpr) { return failure(); }
  LogicalResult visitSymbolExpr(AffineSymbolExpr) { return failure(); }
};
} // namespace

/// The window that a dimension of the input is read in, if it is one.
static std::optional<Window> matchWindow(AffineExpr expr, int64_t dimension,
                                         AffineMap filter, AffineMap result) {
  Terms terms;
  if (failed(terms.visit(expr)) || terms.found.size() != 2)
    return std::nullopt;
  if (findDimension(filter, terms.found[0].first) >= 0)
    std::swap(terms.found[0], terms.found[1]);
  auto [row, stride] = terms.found[0];
  auto [tap, dilation] = terms.found[1];
  if (findDimension(filter, tap) < 0 || findDimension(result, tap) >= 0 ||
      findDimension(result, row) < 0 || findDimension(filter, row) >= 0)
    return std::nullopt;
  return Window{row, tap, stride, dilation, dimension};
}

/// False if there is another loop in this role.
static bool setRole(int64_t &role, int64_t loop) {
  return role < 0 && (role = loop) >= 0;
}

static bool areTensors(linalg::GenericOp op) {
  return llvm::all_of(op->getOperandTypes(), llvm::IsaPred<RankedTensorType>);
}

std::optional<ConvolutionLoops>
mlir::hetero::matchConvolutionLoops(linalg::GenericOp op) {
  if (op.getNumDpsInputs() != 2 || op.getNumDpsInits() != 1 || !areTensors(op))
    return std::nullopt;
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  AffineMap input = maps[0], filter = maps[1], result = maps[2];
  if (!filter.isProjectedPermutation() || !result.isProjectedPermutation())
    return std::nullopt;
  ConvolutionLoops roles;
  llvm::SmallBitVector windowed(op.getNumLoops());
  for (auto [dimension, expr] : llvm::enumerate(input.getResults())) {
    if (isa<AffineDimExpr>(expr))
      continue;
    std::optional<Window> window = matchWindow(expr, dimension, filter, result);
    if (!window || windowed.test(window->row) || windowed.test(window->tap))
      return std::nullopt;
    windowed.set(window->row);
    windowed.set(window->tap);
    roles.windows.push_back(*window);
  }
  for (unsigned loop = 0; loop < op.getNumLoops(); ++loop) {
    if (windowed.test(loop))
      continue;
    bool reads = findDimension(input, loop) >= 0;
    bool weighs = findDimension(filter, loop) >= 0;
    bool writes = findDimension(result, loop) >= 0;
    int64_t *role = reads && weighs && writes ? &roles.group
                    : reads && writes         ? &roles.image
                    : reads && weighs         ? &roles.channel
                    : weighs && writes        ? &roles.filter
                                              : nullptr;
    if (!role || !setRole(*role, loop))
      return std::nullopt;
  }
  bool isSound = roles.group < 0 ? roles.channel >= 0 && roles.filter >= 0
                                 : roles.channel < 0 && roles.filter < 0;
  if (!isSound || roles.windows.empty() || roles.windows.size() > 3)
    return std::nullopt;
  return roles;
}

int64_t mlir::hetero::findDimension(AffineMap map, int64_t loop) {
  for (auto [dim, result] : llvm::enumerate(map.getResults()))
    if (loop >= 0 && result == getAffineDimExpr(loop, map.getContext()))
      return dim;
  return -1;
}

ConvolutionOrders
mlir::hetero::getConvolutionOrders(linalg::GenericOp op,
                                   const ConvolutionLoops &loops) {
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  bool isGrouped = loops.group >= 0;
  int64_t channel = isGrouped ? loops.group : loops.channel;
  int64_t filter = isGrouped ? loops.group : loops.filter;
  ConvolutionOrders orders;
  orders.image = {findDimension(maps[0], loops.image),
                  findDimension(maps[0], channel)};
  orders.filter = {findDimension(maps[1], filter),
                   isGrouped ? -1 : findDimension(maps[1], channel)};
  orders.result = {findDimension(maps[2], loops.image),
                   findDimension(maps[2], filter)};
  for (const Window &window : loops.windows) {
    orders.image.push_back(window.dimension);
    orders.filter.push_back(findDimension(maps[1], window.tap));
    orders.result.push_back(findDimension(maps[2], window.row));
  }
  return orders;
}
