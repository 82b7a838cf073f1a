//===- FoldScales.cpp - Folds batch norm into weights ---------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   %0 = conv(%x, %w)
//   %1 = (%0 - %mean) * rsqrt(%variance + eps) * %gamma + %beta
// becomes
//   %0 = conv(%x, %scaled)      constants: w * gamma / sqrt(variance + eps)
//   %1 = %0 + %shift            and beta - mean * gamma / sqrt(variance + eps)
//
// as every runtime for networks does it (torch.nn.utils.fusion, the fusions of
// ONNX Runtime). The addition stays where batch norm stood, with its name and
// its device, and becomes an epilogue of the product.
//
// Weights of f16 and bf16 stay as they are, since what they lose by rounding is
// not known: the scale stays with the shift, and both are applied to the sums
// in f32 before these are rounded.
//
//===----------------------------------------------------------------------===//

#include "ChannelTerms.h"
#include "ConstantElements.h"
#include "JoinedOperations.h"
#include "Products.h"
#include "hetero/Analysis/Placement/PlacementQueries.h"
#include "hetero/Dialect/Hetero/IR/SummaryRemark.h"
#include "hetero/Transforms/Passes.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/Remarks.h"
#include <cmath>

namespace mlir::hetero {
#define GEN_PASS_DEF_FOLDSCALESPASS
#include "hetero/Transforms/Passes.h.inc"
} // namespace mlir::hetero

using namespace mlir;
using namespace mlir::hetero;

//===----------------------------------------------------------------------===//
// Products
//===----------------------------------------------------------------------===//

/// The dimensions of the result along which the weights differ.
static Channels getChannels(linalg::LinalgOp op, OpOperand *weights) {
  Channels channels;
  AffineMap filter = op.getMatchingIndexingMap(weights);
  AffineMap result = op.getMatchingIndexingMap(op.getDpsInitOperand(0));
  auto type = cast<RankedTensorType>(op->getResult(0).getType());
  for (auto [dim, expr] : llvm::enumerate(result.getResults())) {
    if (!filter.getResultPosition(expr) || type.isDynamicDim(dim))
      continue;
    channels.dims.push_back(dim);
    channels.sizes.push_back(type.getDimSize(dim));
    channels.count *= type.getDimSize(dim);
  }
  return channels;
}

/// The operand that is constant, with channels to scale; null for none.
static OpOperand *findWeights(linalg::LinalgOp op) {
  // Filters and the matrices of layers are second.
  SmallVector<OpOperand *> inputs = op.getDpsInputOperands();
  for (OpOperand *input : llvm::reverse(inputs)) {
    std::optional<ConstantElements> elements =
        ConstantElements::get(input->get());
    if (elements && mayJoin(elements->getOp(), getDevice(op)) &&
        !getChannels(op, input).dims.empty())
      return input;
  }
  return nullptr;
}

//===----------------------------------------------------------------------===//
// What follows a product
//===----------------------------------------------------------------------===//

/// Through a view that makes one dimension of several.
static ChannelLayout follow(const ChannelLayout &layout,
                            tensor::CollapseShapeOp op) {
  ChannelLayout result;
  for (ArrayRef<int64_t> group : op.getReassociationIndices()) {
    std::optional<SmallVector<int64_t>> dims = SmallVector<int64_t>();
    for (int64_t dim : group) {
      if (!layout[dim])
        dims.reset();
      if (dims)
        llvm::append_range(*dims, *layout[dim]);
    }
    result.push_back(dims);
  }
  return result;
}

/// Through a view that adds dimensions of size 1. Where it divides one, the
/// parts are not known.
static ChannelLayout follow(const ChannelLayout &layout,
                            tensor::ExpandShapeOp op) {
  ArrayRef<int64_t> shape = op.getResultType().getShape();
  ChannelLayout result(shape.size(), SmallVector<int64_t>());
  for (auto [from, group] : llvm::enumerate(op.getReassociationIndices())) {
    bool isDivided =
        llvm::count_if(group, [&](int64_t dim) { return shape[dim] != 1; }) > 1;
    for (int64_t dim : group)
      if (shape[dim] != 1)
        result[dim] = isDivided ? std::nullopt : layout[from];
  }
  return result;
}

/// True if a constant that follows some of the loops can tell all channels from
/// each other.
static bool tellsChannels(const ChannelLayout &layout,
                          const Channels &channels) {
  SmallVector<bool> isTold(channels.dims.size(), false);
  for (const std::optional<SmallVector<int64_t>> &made : layout) {
    auto isChannel = [&](int64_t dim) { return channels.find(dim) >= 0; };
    if (!made || !llvm::all_of(*made, isChannel))
      continue;
    for (int64_t dim : *made)
      isTold[channels.find(dim)] = true;
  }
  return llvm::all_of_zip(isTold, channels.sizes, [](bool told, int64_t size) {
    return told || size == 1;
  });
}

/// A layout of its own for each dimension.
static ChannelLayout getIdentityLayout(Value value) {
  ChannelLayout layout;
  for (int64_t dim :
       llvm::seq(cast<RankedTensorType>(value.getType()).getRank()))
    layout.push_back(SmallVector<int64_t>{dim});
  return layout;
}

static bool isAll(const ChannelNumbers &numbers, double value) {
  return llvm::all_of(numbers, [&](double number) { return number == value; });
}

namespace {
/// A product and the operations after it that scale and shift its channels.
class ScaledProduct {
public:
  ScaledProduct(linalg::LinalgOp product, OpOperand *weights)
      : product(product), weights(weights), device(getDevice(product)),
        channels(getChannels(product, weights)) {}

  /// Finds what can be folded. If nothing can, `reason` says why, or is empty
  /// where there is nothing to fold.
  bool match(StringRef &reason);
  void fold(RewriterBase &rewriter);
  /// False if the scale stays an operation after the product.
  bool hasScaledWeights() const {
    return getElementTypeOrSelf(weights->get()).isF32();
  }

  /// How many operations are folded, and the last of them.
  size_t getNumLinks() const { return links.size(); }
  Operation *getLast() const { return links.back()->getOwner(); }

private:
  void followUsers();
  bool appendLink(linalg::LinalgOp op, OpOperand &operand,
                  const ChannelLayout &loops);
  bool addBias();
  bool scaleWeights();
  void replaceWeights(RewriterBase &rewriter);
  void replaceBias(RewriterBase &rewriter);
  void replaceLinks(RewriterBase &rewriter, SmallVector<Operation *> &unused);
  Value createTerm(RewriterBase &rewriter, Location loc);
  Value createNumbers(OpBuilder &builder, Location loc,
                      const ChannelNumbers &numbers, AffineMap &map);

  bool isJoined(Operation *op) const { return mayJoin(op, device); }

  linalg::LinalgOp product;
  OpOperand *weights;
  DeviceAttr device;
  Channels channels;
  /// The operands of the operations that are scaled and shifted, and the layout
  /// of the loops of the last one.
  SmallVector<OpOperand *> links;
  ChannelLayout layout;
  /// What all of them do together.
  ChannelTerm term;
  std::vector<float> scaled;
  bool hasBias = false;
};
} // namespace

bool ScaledProduct::appendLink(linalg::LinalgOp op, OpOperand &operand,
                               const ChannelLayout &loops) {
  // The last one stays, as an addition; those before it must not be needed.
  if ((getDevice(op) && device && !isJoined(op)) ||
      (!links.empty() && !isJoined(getLast())) ||
      !tellsChannels(loops, channels))
    return false;
  std::optional<ChannelTerm> next =
      getChannelTerm(op, &operand, channels, loops,
                     [&](Operation *constant) { return isJoined(constant); });
  if (!next)
    return false;
  ChannelTerm both = compose(term, *next);
  if (!both.isFinite())
    return false;
  term = std::move(both);
  links.push_back(&operand);
  layout = loops;
  return true;
}

/// The use of a value by the only operation that reads it; null if there are
/// several. It may be the destination of that operation too.
static OpOperand *getOnlyUse(Value value) {
  OpOperand *only = nullptr;
  for (OpOperand &use : value.getUses()) {
    auto op = dyn_cast<linalg::LinalgOp>(use.getOwner());
    if (op && op.isDpsInit(&use) && !op.payloadUsesValueFromOperand(&use) &&
        llvm::is_contained(
            llvm::map_range(op.getDpsInputOperands(),
                            [](OpOperand *o) { return o->get(); }),
            value))
      continue;
    if (only)
      return nullptr;
    only = &use;
  }
  return only;
}

void ScaledProduct::followUsers() {
  Value value = product->getResult(0);
  ChannelLayout current = getIdentityLayout(value);
  while (OpOperand *use = getOnlyUse(value)) {
    Operation *user = use->getOwner();
    auto op = dyn_cast<linalg::LinalgOp>(user);
    // Views of what is rounded would have to be made views of sums.
    if (!op && getElementTypeOrSelf(value) !=
                   getElementTypeOrSelf(product->getResult(0)))
      return;
    if (auto collapse = dyn_cast<tensor::CollapseShapeOp>(user))
      current = follow(current, collapse);
    else if (auto expand = dyn_cast<tensor::ExpandShapeOp>(user))
      current = follow(current, expand);
    else if (!op || !op.isDpsInput(use) || !appendLink(op, *use, current))
      return;
    value = user->getResult(0);
  }
}

/// Counts what sums start from as a shift before all others.
bool ScaledProduct::addBias() {
  Value init = product.getDpsInits()[0];
  ChannelLayout dims = getIdentityLayout(init);
  std::optional<ChannelNumbers> bias = getChannelNumbers(
      init, AffineMap::getMultiDimIdentityMap(dims.size(), init.getContext()),
      channels, dims, [&](Operation *op) { return isJoined(op); });
  if (!bias)
    return false;
  hasBias = !isAll(*bias, 0.0);
  term = compose({{1.0}, std::move(*bias)}, term);
  return true;
}

/// True if all weights are numbers after they have been scaled.
bool ScaledProduct::scaleWeights() {
  ConstantElements elements = *ConstantElements::get(weights->get());
  ArrayRef<int64_t> shape = elements.getType().getShape();
  AffineMap filter = product.getMatchingIndexingMap(weights);
  AffineMap result =
      product.getMatchingIndexingMap(product.getDpsInitOperand(0));
  SmallVector<int64_t> strides = computeStrides(shape);
  SmallVector<int64_t> along, channelStrides = computeStrides(channels.sizes);
  for (int64_t dim : channels.dims)
    along.push_back(*filter.getResultPosition(result.getResult(dim)));
  scaled = elements.getFloats();
  // Neighbours of one channel.
  int64_t run = strides[*llvm::max_element(along)];
  for (int64_t begin = 0; begin < int64_t(scaled.size()); begin += run) {
    int64_t channel = 0;
    for (auto [dim, stride] : llvm::zip(along, channelStrides))
      channel += begin / strides[dim] % shape[dim] * stride;
    double scale = getNumber(term.scale, channel);
    for (int64_t index = begin; index < begin + run; ++index)
      scaled[index] *= scale;
  }
  return llvm::all_of(scaled,
                      [](float number) { return std::isfinite(number); });
}

bool ScaledProduct::match(StringRef &reason) {
  followUsers();
  if (links.empty() || !term.isScaled())
    return false;
  // One operation is what this makes of several.
  if (!hasScaledWeights())
    return links.size() > 1;
  reason = "its sums start from what is not constant";
  if (!addBias())
    return false;
  reason = "nothing would be left that has its annotation";
  if (isAll(term.shift, 0.0) && !isJoined(getLast()))
    return false;
  reason = "scaled weights would not be finite";
  return term.isFinite() && scaleWeights();
}

void ScaledProduct::replaceWeights(RewriterBase &rewriter) {
  Operation *old = weights->get().getDefiningOp();
  rewriter.setInsertionPoint(old);
  auto bytes = ArrayRef(reinterpret_cast<const char *>(scaled.data()),
                        scaled.size() * sizeof(float));
  arith::ConstantOp constant =
      createConstant(rewriter, old->getLoc(),
                     cast<RankedTensorType>(weights->get().getType()), bytes);
  copyAnnotations(old, constant);
  rewriter.modifyOpInPlace(product, [&] { weights->set(constant); });
  term.scale = {1.0};
}

/// Sums start from zero: what they started from is part of the shift.
void ScaledProduct::replaceBias(RewriterBase &rewriter) {
  Value init = product.getDpsInits()[0];
  auto type = cast<RankedTensorType>(init.getType());
  rewriter.setInsertionPoint(product);
  Location loc = init.getLoc();
  Value empty;
  if (auto producer = init.getDefiningOp<linalg::LinalgOp>())
    empty = producer.getDpsInits()[0];
  else
    empty = tensor::EmptyOp::create(rewriter, loc, type.getShape(),
                                    type.getElementType());
  Value zero = arith::ConstantOp::create(
      rewriter, loc, rewriter.getZeroAttr(type.getElementType()));
  auto fill = linalg::FillOp::create(rewriter, loc, zero, empty);
  copyAnnotations(init.getDefiningOp(), fill);
  rewriter.modifyOpInPlace(
      product, [&] { product.setDpsInitOperand(0, fill.getResult(0)); });
}

/// The numbers as a scalar, or as a tensor that follows the loops of the last
/// operation by `map`.
Value ScaledProduct::createNumbers(OpBuilder &builder, Location loc,
                                   const ChannelNumbers &numbers,
                                   AffineMap &map) {
  MLIRContext *context = builder.getContext();
  map = AffineMap::get(layout.size(), 0, context);
  if (isAll(numbers, numbers.front()))
    return arith::ConstantOp::create(builder, loc,
                                     builder.getF32FloatAttr(numbers.front()));
  SmallVector<int64_t> shape, dims;
  SmallVector<AffineExpr> loops;
  for (auto [loop, made] : llvm::enumerate(layout)) {
    if (!made || made->empty() || channels.find(made->front()) < 0)
      continue;
    int64_t size = 1;
    for (int64_t dim : *made)
      size *= channels.sizes[channels.find(dim)];
    llvm::append_range(dims, *made);
    shape.push_back(size);
    loops.push_back(builder.getAffineDimExpr(loop));
  }
  map = AffineMap::get(layout.size(), 0, loops, context);
  std::vector<float> elements(channels.count);
  for (int64_t channel : llvm::seq(channels.count)) {
    int64_t place = 0;
    for (int64_t dim : dims) {
      int64_t position = channels.find(dim);
      place = place * channels.sizes[position] +
              channels.getIndex(channel, position);
    }
    elements[place] = getNumber(numbers, channel);
  }
  return createConstant(
      builder, loc, RankedTensorType::get(shape, builder.getF32Type()),
      ArrayRef(reinterpret_cast<const char *>(elements.data()),
               elements.size() * sizeof(float)));
}

/// What the last operation was given, scaled where the weights are not, and
/// shifted.
Value ScaledProduct::createTerm(RewriterBase &rewriter, Location loc) {
  auto last = cast<linalg::LinalgOp>(getLast());
  bool isScaled = term.isScaled(), isShifted = !isAll(term.shift, 0.0);
  AffineMap all = rewriter.getMultiDimIdentityMap(layout.size());
  SmallVector<Value> inputs = {links.back()->get()};
  SmallVector<AffineMap> maps = {all};
  if (isScaled)
    inputs.push_back(
        createNumbers(rewriter, loc, term.scale, maps.emplace_back()));
  if (isShifted)
    inputs.push_back(
        createNumbers(rewriter, loc, term.shift, maps.emplace_back()));
  maps.push_back(all);
  auto result = linalg::GenericOp::create(
      rewriter, loc, last->getResultTypes(), inputs, last.getDpsInits(), maps,
      SmallVector(layout.size(), utils::IteratorType::parallel),
      [&](OpBuilder &builder, Location loc, ValueRange arguments) {
        Value value = arguments[0];
        if (isScaled)
          value = arith::MulFOp::create(builder, loc, value, arguments[1]);
        if (isShifted)
          value = arith::AddFOp::create(builder, loc, value,
                                        arguments[1 + isScaled]);
        if (Type type = arguments.back().getType(); type != value.getType())
          value = arith::TruncFOp::create(builder, loc, type, value);
        linalg::YieldOp::create(builder, loc, value);
      });
  copyAnnotations(last, result);
  return result.getResult(0);
}

/// Adds to `unused` what may be left without users.
void ScaledProduct::replaceLinks(RewriterBase &rewriter,
                                 SmallVector<Operation *> &unused) {
  SmallVector<Location> locs = {getLast()->getLoc()};
  for (OpOperand *link : links) {
    Operation *op = link->getOwner();
    for (Value operand : op->getOperands())
      unused.push_back(operand.getDefiningOp());
    if (op == getLast())
      break;
    locs.push_back(op->getLoc());
    // What it yields may be no more than the destination of the next one.
    Value init = cast<linalg::LinalgOp>(op).getDpsInits()[0];
    for (OpOperand &use : llvm::make_early_inc_range(op->getUses()))
      if (auto next = dyn_cast<linalg::LinalgOp>(use.getOwner());
          next && next.isDpsInit(&use))
        rewriter.modifyOpInPlace(next, [&] { use.set(init); });
    rewriter.replaceOp(op, link->get());
  }
  Operation *last = getLast();
  rewriter.setInsertionPoint(last);
  if (isAll(term.shift, 0.0) && !term.isScaled() &&
      last->getResult(0).getType() == links.back()->get().getType()) {
    locs.insert(locs.begin(), product->getLoc());
    product->setLoc(rewriter.getFusedLoc(locs));
    rewriter.replaceOp(last, links.back()->get());
  } else {
    rewriter.replaceOp(last, createTerm(rewriter, rewriter.getFusedLoc(locs)));
  }
}

void ScaledProduct::fold(RewriterBase &rewriter) {
  SmallVector<Operation *> unused = {weights->get().getDefiningOp(),
                                     product.getDpsInits()[0].getDefiningOp()};
  if (hasScaledWeights())
    replaceWeights(rewriter);
  if (hasBias)
    replaceBias(rewriter);
  replaceLinks(rewriter, unused);
  // All at once: one may be there twice.
  eraseUnusedProducers(rewriter, unused);
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

static remark::RemarkOpts remarkNamed(StringRef name) {
  return remark::RemarkOpts::name(name).category("hetero-fold-scales");
}

/// Returns how many operations were folded into the weights of the product.
static int64_t foldScales(RewriterBase &rewriter, linalg::LinalgOp op) {
  OpOperand *weights = findWeights(op);
  if (!weights)
    return 0;
  ScaledProduct product(op, weights);
  StringRef reason;
  if (product.match(reason)) {
    remark::passed(product.getLast()->getLoc(), remarkNamed("folded"))
        << remark::add(
               product.hasScaledWeights()
                   ? "{0} operations are part of the weights of {1}"
                   : "{0} operations are one that scales the sums of {1}",
               product.getNumLinks(), describeLocation(op.getLoc()));
    product.fold(rewriter);
    return product.getNumLinks();
  }
  if (!reason.empty())
    remark::missed(product.getLast()->getLoc(), remarkNamed("not folded"))
        << remark::add("{0} keeps its weights", describeLocation(op.getLoc()))
        << remark::reason("{0}", reason);
  return 0;
}

namespace {
struct FoldScalesPass
    : public mlir::hetero::impl::FoldScalesPassBase<FoldScalesPass> {
  using Base::Base;
  void runOnOperation() override {
    ModuleOp module = getOperation();
    if (getPhase(module) > Phase::Annotated)
      return;
    SmallVector<linalg::LinalgOp> products;
    module.walk([&](linalg::LinalgOp op) {
      if (isProduct(op) || isNarrowProduct(op))
        products.push_back(op);
    });
    PinCount pins(module);
    IRRewriter rewriter(&getContext());
    int64_t folded = 0, scaled = 0;
    for (linalg::LinalgOp op : products) {
      int64_t count = foldScales(rewriter, op);
      folded += count;
      scaled += count > 0;
    }
    pins.update();
    remarkSummary(module, getArgument(),
                  {{"folded", folded}, {"products", scaled}});
  }
};
} // namespace
