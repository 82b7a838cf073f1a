//===- MoveChannelsLast.cpp - Puts the channels of images last ------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   %y = conv(%x : tensor<1x64x58x58xf32>, %w : tensor<64x64x3x3xf32>)
//   %z = relu(%y : tensor<1x64x56x56xf32>)
//   %p = pool(%z : tensor<1x64x56x56xf32>)
//
// becomes, where that is faster by estimate,
//
//   %t = transpose(%x) : tensor<1x58x58x64xf32>
//   %y = conv(%t, %v : tensor<3x3x64x64xf32>)
//   %z = relu(%y : tensor<1x56x56x64xf32>)
//   %q = pool(%z : tensor<1x56x56x64xf32>)
//   %p = transpose(%q) : tensor<1x64x28x28xf32>
//
//===----------------------------------------------------------------------===//

#include "MoveChannelsLast.h"

#include "Codegen/CPU/Plan/ConstantPanels.h"
#include "Codegen/Match/ConvolutionLoops.h"
#include "ImageLayouts.h"
#include "LayoutCosts.h"
#include "hetero/Codegen/CPU/Target/CPUTarget.h"
#include "hetero/Codegen/Common/TargetRegistry.h"
#include "hetero/Dialect/Hetero/IR/PlacementModels.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "mlir/IR/Remarks.h"
#include <map>

using namespace mlir;
using namespace mlir::hetero;

/// Positions in a tensor in the order of another.
using Order = SmallVector<int64_t>;

namespace {
/// Rewrites the operations of one block.
class Mover {
public:
  Mover(RewriterBase &rewriter, const ImageLayouts &layouts)
      : rewriter(rewriter), layouts(layouts), images(layouts.getImages()) {}

  void run();
  int64_t countTranspositions() const { return transpositions; }

private:
  Operation *move(Operation *op);
  linalg::GenericOp move(linalg::GenericOp op);
  Value moveFill(linalg::GenericOp op, ArrayRef<int64_t> order);
  Order getOrder(OpOperand &operand) const;
  Value reorder(Value value, ArrayRef<int64_t> order);
  Value getMoved(Value value, ArrayRef<int64_t> order);
  Order getLastOrder(Value value) const;
  Value getLast(Value value);
  void moveDims(Value before);
  Value moveBack(Value before);

  RewriterBase &rewriter;
  const ImageLayouts &layouts;
  const BlockImages &images;
  /// By tensor of the program: the same in other orders. One tensor may be the
  /// filters of convolutions that read them in different orders.
  llvm::DenseMap<Value, std::map<Order, Value>> moved;
  /// What an operation that only reads in another order makes.
  llvm::DenseMap<Value, Value> plain;
  int64_t transpositions = 0;
};
} // namespace

/// The dimensions of a tensor with `dimension` after the others.
static Order putLast(int64_t rank, int64_t dimension) {
  Order order;
  for (int64_t position = 0; position < rank; ++position)
    if (position != dimension)
      order.push_back(position);
  order.push_back(dimension);
  return order;
}

static int64_t getRank(Value value) {
  return cast<RankedTensorType>(value.getType()).getRank();
}

static RankedTensorType permute(Type type, ArrayRef<int64_t> order) {
  auto tensor = cast<RankedTensorType>(type);
  return RankedTensorType::get(applyPermutation(tensor.getShape(), order),
                               tensor.getElementType(), tensor.getEncoding());
}

static AffineMap permute(AffineMap map, ArrayRef<int64_t> order) {
  return AffineMap::get(map.getNumDims(), map.getNumSymbols(),
                        applyPermutation(map.getResults(), order),
                        map.getContext());
}

template <typename T>
static SmallVector<T> permute(const SmallVector<T> &values,
                              ArrayRef<int64_t> order) {
  return applyPermutation(ArrayRef<T>(values), order);
}

/// The loops in the order in which the result, then what is read, has them.
static SmallVector<unsigned> orderLoops(linalg::GenericOp op) {
  llvm::SetVector<unsigned> loops;
  auto append = [&](AffineMap map) {
    for (AffineExpr result : map.getResults())
      result.walk([&](AffineExpr expr) {
        if (auto loop = dyn_cast<AffineDimExpr>(expr))
          loops.insert(loop.getPosition());
      });
  };
  append(op.getIndexingMapsArray()[op.getNumDpsInputs()]);
  for (AffineMap map : op.getIndexingMapsArray())
    append(map);
  for (unsigned loop = 0; loop < op.getNumLoops(); ++loop)
    loops.insert(loop);
  return loops.takeVector();
}

//===----------------------------------------------------------------------===//
// Values in another order
//===----------------------------------------------------------------------===//

/// Copies the elements of a tensor of this shape.
static SmallVector<char> permute(ArrayRef<char> elements,
                                 ArrayRef<int64_t> shape,
                                 ArrayRef<int64_t> order, int64_t bytes) {
  SmallVector<int64_t> strides = permute(computeStrides(shape), order);
  SmallVector<int64_t> sizes = applyPermutation(shape, order);
  SmallVector<int64_t> place(shape.size(), 0);
  SmallVector<char> result(elements.size());
  int64_t from = 0;
  for (size_t to = 0; to < result.size(); to += bytes) {
    std::memcpy(result.data() + to, elements.data() + from * bytes, bytes);
    for (int64_t dim = shape.size() - 1; dim >= 0; --dim) {
      from += strides[dim];
      if (++place[dim] < sizes[dim])
        break;
      from -= strides[dim] * sizes[dim];
      place[dim] = 0;
    }
  }
  return result;
}

/// A constant in another order, made by the compiler; null where it cannot.
static Value reorderConstant(OpBuilder &builder, arith::ConstantOp constant,
                             ArrayRef<int64_t> order) {
  auto type = dyn_cast<RankedTensorType>(constant.getType());
  if (!type)
    return {};
  RankedTensorType to = permute(type, order);
  TypedAttr value;
  if (auto splat = dyn_cast<SplatElementsAttr>(constant.getValue())) {
    value = splat.resizeSplat(to);
  } else {
    Type element = type.getElementType();
    ArrayRef<char> elements = getConstantElements(constant);
    if (elements.empty() || !element.isIntOrFloat() ||
        element.getIntOrFloatBitWidth() % 8 != 0)
      return {};
    SmallVector<char> reordered =
        permute(elements, type.getShape(), order, getElementBytes(element));
    if (isa<DenseResourceElementsAttr>(constant.getValue()))
      value = DenseResourceElementsAttr::get(
          to, "reordered",
          HeapAsmResourceBlob::allocateAndCopyWithAlign(reordered,
                                                        /*align=*/64));
    else
      value = DenseElementsAttr::getFromRawBuffer(to, reordered);
  }
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointAfter(constant);
  return arith::ConstantOp::create(builder, constant.getLoc(), value);
}

/// A copy in another order, where the rewriter stands. Like a transposition of
/// the program after decomposition.
static Value transpose(OpBuilder &builder, Location loc, Value value,
                       ArrayRef<int64_t> order) {
  SmallVector<OpFoldResult> sizes =
      permute(tensor::getMixedSizes(builder, loc, value), order);
  Value empty = tensor::EmptyOp::create(
      builder, loc, sizes,
      cast<RankedTensorType>(value.getType()).getElementType());
  MLIRContext *context = builder.getContext();
  AffineMap reads = inversePermutation(AffineMap::getPermutationMap(
      SmallVector<unsigned>(order.begin(), order.end()), context));
  AffineMap writes = builder.getMultiDimIdentityMap(order.size());
  SmallVector<utils::IteratorType> iterators(order.size(),
                                             utils::IteratorType::parallel);
  return linalg::GenericOp::create(
             builder, loc, empty.getType(), value, empty,
             ArrayRef{reads, writes}, iterators,
             [](OpBuilder &inner, Location place, ValueRange arguments) {
               linalg::YieldOp::create(inner, place, arguments[0]);
             })
      .getResult(0);
}

/// A value that nothing has made in this order yet.
Value Mover::reorder(Value value, ArrayRef<int64_t> order) {
  if (auto constant = value.getDefiningOp<arith::ConstantOp>())
    if (Value reordered = reorderConstant(rewriter, constant, order))
      return reordered;
  if (auto empty = value.getDefiningOp<tensor::EmptyOp>())
    return tensor::EmptyOp::create(rewriter, empty.getLoc(),
                                   permute(empty.getMixedSizes(), order),
                                   empty.getType().getElementType());
  if (hasAnyOrder(value))
    return moveFill(value.getDefiningOp<linalg::GenericOp>(), order);
  ++transpositions;
  return transpose(rewriter, value.getLoc(), value, order);
}

/// The same fill of a tensor in another order.
Value Mover::moveFill(linalg::GenericOp op, ArrayRef<int64_t> order) {
  Value init = reorder(op.getDpsInits()[0], order);
  auto fill = cast<linalg::GenericOp>(rewriter.clone(*op));
  fill.getDpsInitsMutable()[0].set(init);
  fill.getResult(0).setType(cast<RankedTensorType>(init.getType()));
  SmallVector<AffineMap> maps = fill.getIndexingMapsArray();
  maps.back() = permute(maps.back(), order);
  fill.setIndexingMapsAttr(rewriter.getAffineMapArrayAttr(maps));
  return linalg::interchangeGenericOp(rewriter, fill, orderLoops(fill))
      ->getResult(0);
}

Value Mover::getMoved(Value value, ArrayRef<int64_t> order) {
  if (Value made = plain.lookup(value))
    value = made;
  if (isIdentityPermutation(order))
    return value;
  // A fill belongs to what overwrites it.
  if (hasAnyOrder(value))
    return reorder(value, order);
  Value &known = moved[value][Order(order)];
  if (!known)
    known = reorder(value, order);
  return known;
}

/// The order of an image with its channels last; that of the program where a
/// value has no channels, as the sums of an image over its pixels may.
Order Mover::getLastOrder(Value value) const {
  if (std::optional<unsigned> channels = images.getChannels(value))
    return putLast(getRank(value), *channels);
  return llvm::to_vector(llvm::seq<int64_t>(getRank(value)));
}

/// The image with its channels last, of an operation that makes it so.
Value Mover::getLast(Value value) {
  return moved[value].at(getLastOrder(value));
}

/// What asks for sizes of a result asks what takes its place.
void Mover::moveDims(Value before) {
  if (plain.contains(before))
    return;
  Value image = getLast(before);
  Order order = getLastOrder(before);
  for (Operation *user : llvm::make_early_inc_range(before.getUsers())) {
    auto dim = dyn_cast<tensor::DimOp>(user);
    if (!dim || !dim.getConstantIndex())
      continue;
    rewriter.setInsertionPoint(dim);
    int64_t position =
        llvm::find(order, *dim.getConstantIndex()) - order.begin();
    rewriter.replaceOpWithNewOp<tensor::DimOp>(dim, image, position);
  }
}

/// In the order of the program what takes the place of a result.
Value Mover::moveBack(Value before) {
  if (Value made = plain.lookup(before))
    return made;
  Value image = getLast(before);
  Order order = invertPermutationVector(getLastOrder(before));
  ++transpositions;
  rewriter.setInsertionPointAfterValue(image);
  return transpose(rewriter, before.getLoc(), image, order);
}

//===----------------------------------------------------------------------===//
// Operations in another order
//===----------------------------------------------------------------------===//

/// The order of filters whose loop is that of vectors.
static Order orderFilters(linalg::GenericOp op) {
  ConvolutionLoops loops = *matchConvolutionLoops(op);
  AffineMap map = op.getIndexingMapsArray()[1];
  Order order;
  for (const auto &window : loops.windows)
    order.push_back(findDimension(map, window.tap));
  order.push_back(findDimension(map, loops.channel));
  order.push_back(findDimension(map, loops.filter));
  return order;
}

/// The order of the operand of an operation that is moved.
Order Mover::getOrder(OpOperand &operand) const {
  Operation *owner = operand.getOwner();
  int64_t rank = getRank(operand.get());
  auto op = dyn_cast<linalg::GenericOp>(owner);
  bool isInit = op && op.isDpsInit(&operand);
  bool isLast = isInit ? layouts.makesLast(owner) : layouts.readsLast(owner);
  std::optional<unsigned> channels =
      images.getChannels(isInit ? op.getTiedOpResult(&operand) : operand.get());
  if (operand.getOperandNumber() == 1 &&
      images.getRole(owner) == ImageRole::Convolution) {
    if (layouts.makesLast(owner))
      return orderFilters(op);
    isLast = false;
  }
  // Without channels, as a scalar is, there is nothing to put last.
  if (!isLast || !channels)
    return llvm::to_vector(llvm::seq<int64_t>(rank));
  return putLast(rank, *channels);
}

linalg::GenericOp Mover::move(linalg::GenericOp op) {
  SmallVector<Value> inputs, inits;
  SmallVector<AffineMap> maps;
  for (OpOperand &operand : op->getOpOperands()) {
    Value value = operand.get();
    AffineMap map = op.getMatchingIndexingMap(&operand);
    if (isa<RankedTensorType>(value.getType())) {
      Order order = getOrder(operand);
      value = getMoved(value, order);
      map = permute(map, order);
    }
    (op.isDpsInit(&operand) ? inits : inputs).push_back(value);
    maps.push_back(map);
  }
  auto moved = linalg::GenericOp::create(
      rewriter, op.getLoc(), TypeRange(ValueRange(inits)), inputs, inits, maps,
      op.getIteratorTypesArray(), /*bodyBuild=*/nullptr,
      op->getDiscardableAttrDictionary().getValue());
  rewriter.cloneRegionBefore(op.getRegion(), moved.getRegion(),
                             moved.getRegion().end());
  return *linalg::interchangeGenericOp(rewriter, moved, orderLoops(moved));
}

/// The operation with its images in their orders.
Operation *Mover::move(Operation *op) {
  if (auto generic = dyn_cast<linalg::GenericOp>(op))
    return move(generic);
  unsigned channels = *images.getChannels(op->getResult(0));
  Order order = putLast(getRank(op->getResult(0)), channels);
  Location loc = op->getLoc();
  if (auto pad = dyn_cast<tensor::PadOp>(op)) {
    Value source = getMoved(pad.getSource(), order);
    return tensor::PadOp::create(rewriter, loc, permute(pad.getType(), order),
                                 source, permute(pad.getMixedLowPad(), order),
                                 permute(pad.getMixedHighPad(), order),
                                 pad.getConstantPaddingValue());
  }
  if (auto insert = dyn_cast<tensor::InsertSliceOp>(op)) {
    Value source = getMoved(insert.getSource(), order);
    Value dest = getMoved(insert.getDest(), order);
    return tensor::InsertSliceOp::create(
        rewriter, loc, source, dest, permute(insert.getMixedOffsets(), order),
        permute(insert.getMixedSizes(), order),
        permute(insert.getMixedStrides(), order));
  }
  auto extract = cast<tensor::ExtractSliceOp>(op);
  Value source = getMoved(extract.getSource(), order);
  return tensor::ExtractSliceOp::create(
      rewriter, loc, permute(extract.getType(), order), source,
      permute(extract.getMixedOffsets(), order),
      permute(extract.getMixedSizes(), order),
      permute(extract.getMixedStrides(), order));
}

void Mover::run() {
  SmallVector<Operation *> ops = layouts.getMoved();
  for (Operation *op : ops) {
    rewriter.setInsertionPoint(op);
    Operation *made = move(op);
    for (auto [before, after] :
         llvm::zip_equal(op->getResults(), made->getResults())) {
      Order order = getLastOrder(before);
      if (layouts.makesLast(op) && !isIdentityPermutation(order))
        moved[before][order] = after;
      else
        plain[before] = after;
    }
  }
  // From the last on, so that only others read what is left.
  for (Operation *op : llvm::reverse(ops)) {
    for (Value result : op->getResults()) {
      moveDims(result);
      if (!result.use_empty())
        rewriter.replaceAllUsesWith(result, moveBack(result));
    }
    rewriter.eraseOp(op);
  }
}

//===----------------------------------------------------------------------===//
// Regions
//===----------------------------------------------------------------------===//

/// The blocks of operations on tensors.
static llvm::SetVector<Block *> findBlocks(Operation *root) {
  llvm::SetVector<Block *> blocks;
  root->walk([&](linalg::GenericOp op) { blocks.insert(op->getBlock()); });
  return blocks;
}

static bool isWinograd(Operation *root) {
  auto region = dyn_cast<ExecuteOp>(root);
  return region && region.getDevice().getCodegen() == kWinogradCodegen;
}

static void move(Block &block, const CPUTarget &target) {
  Operation *parent = block.getParentOp();
  ImageLayouts layouts(block, target);
  size_t operations = layouts.getMoved().size();
  if (operations == 0)
    return;
  double share = estimateCycles(block, layouts, target) /
                 estimateCycles(block, layouts.getPlain(), target);
  IRRewriter rewriter(parent->getContext());
  Mover mover(rewriter, layouts);
  mover.run();
  auto options =
      remark::RemarkOpts::name("channels-last").category("hetero-codegen");
  remark::passed(parent->getLoc(), options)
      << remark::add("{0} operations have the channels of images last, {1} "
                     "images are transposed",
                     operations, mover.countTranspositions())
      << remark::reason("{0:f2} of the time of what depends on it, by estimate",
                        share);
}

LogicalResult mlir::hetero::moveChannelsLast(Operation *root) {
  // Winograd's transforms read rows of pixels and make channels last.
  if (isWinograd(root))
    return success();
  CPUTarget target = CPUTarget::get(root);
  for (Block *block : findBlocks(root))
    move(*block, target);
  return success();
}

void mlir::hetero::moveChannelsAnywhere(Operation *root,
                                        llvm::function_ref<bool()> choose) {
  IRRewriter rewriter(root->getContext());
  for (Block *block : findBlocks(root))
    Mover(rewriter, ImageLayouts(*block, choose)).run();
}
