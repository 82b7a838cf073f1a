//===- ChannelTerms.cpp - x * scale + shift of each channel ---------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ChannelTerms.h"

#include "ConstantElements.h"
#include "ReadThrough.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "mlir/IR/Matchers.h"
#include <cmath>

using namespace mlir;
using namespace mlir::hetero;

int64_t Channels::find(int64_t dim) const {
  auto it = llvm::find(dims, dim);
  return it == dims.end() ? -1 : it - dims.begin();
}

int64_t Channels::getIndex(int64_t channel, int64_t position) const {
  int64_t stride = 1;
  for (int64_t size : ArrayRef(sizes).drop_front(position + 1))
    stride *= size;
  return channel / stride % sizes[position];
}

//===----------------------------------------------------------------------===//
// Constants
//===----------------------------------------------------------------------===//

static bool isTermType(Type type) {
  return isa<Float32Type, Float16Type, BFloat16Type>(type);
}

/// A number as a constant, whatever holds it.
static std::optional<double> getScalar(Value value) {
  FloatAttr attr;
  if (!matchPattern(value, m_Constant(&attr)))
    return std::nullopt;
  return attr.getValueAsDouble();
}

namespace {
/// A dimension of a constant: how far apart its elements are, and the
/// dimensions of the product that say which of them is meant.
struct ConstantDim {
  int64_t stride;
  ArrayRef<int64_t> dims;
};
} // namespace

/// How the places of channels lie in a constant; none if it differs within a
/// channel.
static std::optional<SmallVector<ConstantDim>>
getConstantDims(RankedTensorType type, AffineMap map, const Channels &channels,
                const ChannelLayout &layout) {
  SmallVector<ConstantDim> dims;
  SmallVector<int64_t> strides = computeStrides(type.getShape());
  for (auto [dim, expr] : llvm::enumerate(map.getResults())) {
    if (type.getDimSize(dim) == 1)
      continue;
    auto loop = dyn_cast<AffineDimExpr>(expr);
    if (!loop || !layout[loop.getPosition()])
      return std::nullopt;
    ArrayRef<int64_t> made = *layout[loop.getPosition()];
    if (llvm::any_of(made, [&](int64_t d) { return channels.find(d) < 0; }))
      return std::nullopt;
    dims.push_back({strides[dim], made});
  }
  return dims;
}

static int64_t getOffset(ArrayRef<ConstantDim> dims, const Channels &channels,
                         int64_t channel) {
  int64_t offset = 0;
  for (const ConstantDim &dim : dims) {
    int64_t index = 0;
    for (int64_t d : dim.dims) {
      int64_t position = channels.find(d);
      index = index * channels.sizes[position] +
              channels.getIndex(channel, position);
    }
    offset += index * dim.stride;
  }
  return offset;
}

std::optional<ChannelNumbers> mlir::hetero::getChannelNumbers(
    Value tensor, AffineMap map, const Channels &channels,
    const ChannelLayout &layout,
    llvm::function_ref<bool(Operation *)> isJoined) {
  ReadTensor read = readThrough(tensor, map, isJoined);
  if (Value scalar = getSplatScalar(read.source)) {
    std::optional<double> number = getScalar(scalar);
    if (!number || !isJoined(read.source.getDefiningOp()))
      return std::nullopt;
    return ChannelNumbers{*number};
  }
  std::optional<ConstantElements> elements = ConstantElements::get(read.source);
  if (!elements || !isTermType(elements->getType().getElementType()) ||
      !isJoined(elements->getOp()) || elements->getType().getNumElements() == 0)
    return std::nullopt;
  if (elements->isSplat())
    return ChannelNumbers{elements->getFloat(0)};
  std::optional<SmallVector<ConstantDim>> dims =
      getConstantDims(elements->getType(), read.map, channels, layout);
  if (!dims)
    return std::nullopt;
  if (dims->empty())
    return ChannelNumbers{elements->getFloat(0)};
  ChannelNumbers numbers(channels.count);
  for (int64_t channel = 0; channel < channels.count; ++channel)
    numbers[channel] = elements->getFloat(getOffset(*dims, channels, channel));
  return numbers;
}

//===----------------------------------------------------------------------===//
// Terms
//===----------------------------------------------------------------------===//

bool ChannelTerm::isConstant() const {
  return llvm::all_of(scale, [](double number) { return number == 0.0; });
}

bool ChannelTerm::isScaled() const {
  return llvm::any_of(scale, [](double number) { return number != 1.0; });
}

bool ChannelTerm::isFinite() const {
  auto fits = [](double number) { return std::isfinite(float(number)); };
  return llvm::all_of(scale, fits) && llvm::all_of(shift, fits);
}

/// Combines numbers channel by channel.
template <typename Function>
static ChannelNumbers combine(const ChannelNumbers &a, const ChannelNumbers &b,
                              Function function) {
  ChannelNumbers result(std::max(a.size(), b.size()));
  for (auto [channel, number] : llvm::enumerate(result))
    number = function(getNumber(a, channel), getNumber(b, channel));
  return result;
}

static ChannelNumbers multiply(const ChannelNumbers &a,
                               const ChannelNumbers &b) {
  return combine(a, b, std::multiplies<double>());
}

static ChannelNumbers divide(const ChannelNumbers &a, const ChannelNumbers &b) {
  return combine(a, b, std::divides<double>());
}

static ChannelTerm scaleBy(const ChannelTerm &term,
                           const ChannelNumbers &factor) {
  return {multiply(term.scale, factor), multiply(term.shift, factor)};
}

ChannelTerm mlir::hetero::compose(const ChannelTerm &first,
                                  const ChannelTerm &second) {
  ChannelTerm result = scaleBy(first, second.scale);
  result.shift = combine(result.shift, second.shift, std::plus<double>());
  return result;
}

namespace {
/// Follows a body of floats from its arguments to what it yields.
class BodyTerms {
public:
  std::optional<ChannelTerm> get(Value value) const;
  void set(Value value, ChannelTerm term) { terms[value] = std::move(term); }
  /// Notes what the operation computes, if it is a term.
  void visit(Operation &op);

private:
  std::optional<ChannelTerm> compute(Operation &op) const;
  static std::optional<ChannelTerm> computeUnary(Operation &op,
                                                 const ChannelTerm &a);
  static std::optional<ChannelTerm>
  computeBinary(Operation &op, const ChannelTerm &a, const ChannelTerm &b);

  DenseMap<Value, ChannelTerm> terms;
};
} // namespace

std::optional<ChannelTerm> BodyTerms::get(Value value) const {
  auto it = terms.find(value);
  if (it != terms.end())
    return it->second;
  if (std::optional<double> number = getScalar(value))
    return ChannelTerm::constant({*number});
  return std::nullopt;
}

std::optional<ChannelTerm> BodyTerms::computeUnary(Operation &op,
                                                   const ChannelTerm &a) {
  if (isa<arith::NegFOp>(op))
    return scaleBy(a, {-1.0});
  if (isa<arith::ExtFOp, arith::TruncFOp>(op))
    return a;
  if (!a.isConstant())
    return std::nullopt;
  ChannelNumbers numbers = a.shift;
  if (isa<math::SqrtOp>(op))
    llvm::for_each(numbers, [](double &x) { x = std::sqrt(x); });
  else if (isa<math::RsqrtOp>(op))
    llvm::for_each(numbers, [](double &x) { x = 1.0 / std::sqrt(x); });
  else
    return std::nullopt;
  return ChannelTerm::constant(numbers);
}

std::optional<ChannelTerm> BodyTerms::computeBinary(Operation &op,
                                                    const ChannelTerm &a,
                                                    const ChannelTerm &b) {
  auto add = [](const ChannelTerm &a, const ChannelTerm &b) {
    return ChannelTerm{combine(a.scale, b.scale, std::plus<double>()),
                       combine(a.shift, b.shift, std::plus<double>())};
  };
  // Of two that depend on data, a difference or a sum is no usual folding.
  if (!a.isConstant() && !b.isConstant())
    return std::nullopt;
  if (isa<arith::AddFOp>(op))
    return add(a, b);
  if (isa<arith::SubFOp>(op))
    return add(a, scaleBy(b, {-1.0}));
  if (isa<arith::MulFOp>(op))
    return a.isConstant() ? scaleBy(b, a.shift) : scaleBy(a, b.shift);
  if (isa<arith::DivFOp>(op) && b.isConstant())
    return ChannelTerm{divide(a.scale, b.shift), divide(a.shift, b.shift)};
  return std::nullopt;
}

std::optional<ChannelTerm> BodyTerms::compute(Operation &op) const {
  if (op.getNumResults() != 1 || !isTermType(op.getResult(0).getType()) ||
      op.getNumOperands() == 0 || op.getNumOperands() > 2)
    return std::nullopt;
  std::optional<ChannelTerm> a = get(op.getOperand(0));
  if (!a)
    return std::nullopt;
  if (op.getNumOperands() == 1)
    return computeUnary(op, *a);
  std::optional<ChannelTerm> b = get(op.getOperand(1));
  return b ? computeBinary(op, *a, *b) : std::nullopt;
}

void BodyTerms::visit(Operation &op) {
  if (std::optional<ChannelTerm> term = compute(op))
    set(op.getResult(0), std::move(*term));
}

/// True for one result at every place of the loops, and data that is read at
/// the same place.
static bool isElementwise(linalg::LinalgOp op, OpOperand *data) {
  if (!op.hasPureTensorSemantics() || op.getNumDpsInits() != 1 ||
      op.getNumReductionLoops() != 0)
    return false;
  OpOperand *init = op.getDpsInitOperand(0);
  return op.getMatchingIndexingMap(init).isIdentity() &&
         op.getMatchingIndexingMap(data).isIdentity() &&
         !op.payloadUsesValueFromOperand(init) &&
         cast<ShapedType>(init->get().getType()).getShape() ==
             cast<ShapedType>(data->get().getType()).getShape() &&
         isTermType(getElementTypeOrSelf(init->get())) &&
         isTermType(getElementTypeOrSelf(data->get()));
}

std::optional<ChannelTerm>
mlir::hetero::getChannelTerm(linalg::LinalgOp op, OpOperand *data,
                             const Channels &channels,
                             const ChannelLayout &layout,
                             llvm::function_ref<bool(Operation *)> isJoined) {
  if (!isElementwise(op, data))
    return std::nullopt;
  BodyTerms terms;
  for (OpOperand *input : op.getDpsInputOperands()) {
    Value argument = op.getMatchingBlockArgument(input);
    if (input == data) {
      terms.set(argument, ChannelTerm());
    } else if (std::optional<double> number = getScalar(input->get())) {
      terms.set(argument, ChannelTerm::constant({*number}));
    } else if (std::optional<ChannelNumbers> numbers = getChannelNumbers(
                   input->get(), op.getMatchingIndexingMap(input), channels,
                   layout, isJoined)) {
      terms.set(argument, ChannelTerm::constant(std::move(*numbers)));
    }
  }
  for (Operation &inner : op.getBlock()->without_terminator())
    terms.visit(inner);
  std::optional<ChannelTerm> term =
      terms.get(op.getBlock()->getTerminator()->getOperand(0));
  return term && term->isFinite() && !term->isConstant() ? term : std::nullopt;
}
