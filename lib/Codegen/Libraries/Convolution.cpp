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

#include "Convolution.h"

#include "Codegen/Match/ConvolutionLoops.h"
#include "Codegen/Match/MultiplyAdd.h"
#include "Epilogue.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace mlir::hetero;

using Window = ConvolutionLoops::Window;

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
  ConvolutionOrders orders = getConvolutionOrders(op, *roles);
  candidate.orders = {orders.image, orders.filter, orders.result};
  setParameters(candidate, *roles, pad);
  if (isConstant(filter))
    candidate.constants = {1};
  absorbEpilogue(candidate);
  return candidate;
}
