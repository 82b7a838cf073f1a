//===- Convolution.cpp - Convolutions as calls of a library ---------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Whatever it was written as, a convolution multiplies an element of its input
// at `row * stride + i * dilation` by one of its filter at `i`. The loops say
// by where they occur what they are:
//
//                 input    filter    result
//   image         yes                yes
//   channel       yes      yes
//   filter                 yes       yes
//   row, i        in one   i         row
//
// A loop in all three makes the convolution one of each channel on its own.
//
//===----------------------------------------------------------------------===//

#include "Candidate.h"

#include "mlir/Dialect/Linalg/IR/LinalgInterfaces.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/AffineExprVisitor.h"
#include "mlir/IR/Matchers.h"

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

/// The pad with zeros around the image that the input is, if it is one. Its low
/// borders become padding of the windows; the high ones follow from the sizes.
static tensor::PadOp findPad(Value input, const ConvolutionLoops &roles) {
  auto pad = input.getDefiningOp<tensor::PadOp>();
  if (!pad)
    return {};
  Value border = pad.getConstantPaddingValue();
  if (!border || !matchPattern(border, m_AnyZeroFloat()))
    return {};
  auto [low, high] = std::pair(pad.getStaticLow(), pad.getStaticHigh());
  for (int64_t dim = 0; dim < pad.getType().getRank(); ++dim) {
    bool isRow = llvm::any_of(roles.windows, [&](const Window &window) {
      return window.dimension == dim;
    });
    if (ShapedType::isDynamic(low[dim]) || low[dim] < 0 ||
        ShapedType::isDynamic(high[dim]) || high[dim] < 0 ||
        (!isRow && (low[dim] != 0 || high[dim] != 0)))
      return {};
  }
  return pad;
}

/// The dimensions of each operand as image, channel or filter, and rows.
static void setOrders(Candidate &candidate, linalg::GenericOp op,
                      const ConvolutionLoops &roles) {
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  int64_t group = roles.group;
  int64_t first[] = {roles.image, group < 0 ? roles.filter : group,
                     roles.image};
  int64_t second[] = {group < 0 ? roles.channel : group,
                      group < 0 ? roles.channel : -1,
                      group < 0 ? roles.filter : group};
  for (int i = 0; i < 3; ++i) {
    SmallVector<int64_t> &order = candidate.orders.emplace_back();
    order.push_back(findDimension(maps[i], first[i]));
    order.push_back(findDimension(maps[i], second[i]));
    for (const Window &window : roles.windows)
      order.push_back(i == 0   ? window.dimension
                      : i == 1 ? findDimension(maps[i], window.tap)
                               : findDimension(maps[i], window.row));
  }
}

/// Grouped or not, without ReLU, strides, dilations and low padding.
static void setParameters(Candidate &candidate, const ConvolutionLoops &roles,
                          tensor::PadOp pad) {
  candidate.parameters = {roles.group >= 0, 0};
  for (const Window &window : roles.windows)
    candidate.parameters.push_back(window.stride);
  for (const Window &window : roles.windows)
    candidate.parameters.push_back(window.dilation);
  for (const Window &window : roles.windows)
    candidate.parameters.push_back(pad ? pad.getStaticLow()[window.dimension]
                                       : 0);
}

std::optional<Candidate> mlir::hetero::matchConvolution(linalg::GenericOp op) {
  std::optional<ConvolutionLoops> roles = matchConvolutionLoops(op);
  if (!roles || !multipliesAndAdds(op))
    return std::nullopt;
  Candidate candidate;
  candidate.function = "convolution";
  Value source = op.getDpsInputs()[0], filter = op.getDpsInputs()[1];
  tensor::PadOp pad = findPad(source, *roles);
  if (pad) {
    candidate.ops.push_back(pad);
    source = pad.getSource();
  }
  candidate.inputs = {source, filter};
  setInit(candidate, op);
  setOrders(candidate, op, *roles);
  setParameters(candidate, *roles, pad);
  if (isConstant(filter))
    candidate.constants = {1};
  absorbEpilogue(candidate);
  return candidate;
}
