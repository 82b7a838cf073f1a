//===- RecognizeAttention.cpp - Finds attention ---------------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   %s = %q times %kt
//   %p = softmax(%s * scale + %mask)
//   %o = %p times %v
// becomes
//   %k = %kt transposed
//   %o = tm_tensor.attention ins(%q, %k, %v, %mask)
//
// The scores have dimensions for the batch, such as images and heads, and then
// rows and columns. A product may have several dimensions of the batch joined,
// or those of one element left out, by views before and after it.
//
//===----------------------------------------------------------------------===//

#include "JoinedOperations.h"
#include "Products.h"
#include "Softmax.h"
#include "hetero/Dialect/Hetero/IR/SummaryRemark.h"
#include "hetero/Dialect/TMTensor/IR/TMTensorDialect.h"
#include "hetero/Transforms/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "mlir/Dialect/Utils/StructuredOpsUtils.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/Remarks.h"
#include "llvm/ADT/SmallPtrSet.h"
#include <cmath>

namespace mlir::hetero {
#define GEN_PASS_DEF_RECOGNIZEATTENTIONPASS
#include "hetero/Transforms/Passes.h.inc"
} // namespace mlir::hetero

using namespace mlir;
using namespace mlir::hetero;

//===----------------------------------------------------------------------===//
// Products
//===----------------------------------------------------------------------===//

namespace {
/// A product of matrices for each element of a batch, beside the scores: its
/// rows, and the columns of its result.
struct BatchProduct {
  linalg::LinalgOp op;
  /// For each dimension of its result, those of the scores that it has been
  /// made of.
  SmallVector<ReassociationIndices> groups;
  /// The loops of the batch, the rows, the columns and what is summed.
  SmallVector<unsigned> batch;
  unsigned row = 0, column = 0, sum = 0;
  OpOperand *left = nullptr, *right = nullptr;
};
} // namespace

/// One dimension for each.
static SmallVector<ReassociationIndices> getSingleGroups(int64_t rank) {
  SmallVector<ReassociationIndices> groups;
  for (int64_t dim : llvm::seq(rank))
    groups.push_back({dim});
  return groups;
}

/// True if what the view joins has nothing of a row or a column of more than
/// one element, and can be divided again: by one size that is not known.
static bool keepsMatrices(ArrayRef<ReassociationIndices> groups,
                          ArrayRef<int64_t> scores) {
  int64_t rank = scores.size();
  if (groups.size() < 2 || groups.back() != ReassociationIndices{rank - 1})
    return false;
  for (const ReassociationIndices &group : groups)
    if (llvm::count_if(group, [&](int64_t dim) {
          return ShapedType::isDynamic(scores[dim]);
        }) > 1)
      return false;
  const ReassociationIndices &rows = groups[groups.size() - 2];
  return llvm::all_of(ArrayRef(rows).drop_back(),
                      [&](int64_t dim) { return scores[dim] == 1; });
}

/// True if the operand follows the loops of the batch and these two, and
/// nothing else.
static bool followsLoops(BatchProduct &product, OpOperand *operand, unsigned a,
                         unsigned b) {
  AffineMap map = product.op.getMatchingIndexingMap(operand);
  auto isOf = [&](AffineExpr expr) {
    unsigned loop = cast<AffineDimExpr>(expr).getPosition();
    return loop == a || loop == b || llvm::is_contained(product.batch, loop);
  };
  return map.isProjectedPermutation() &&
         map.getNumResults() == product.batch.size() + 2 &&
         llvm::all_of(map.getResults(), isOf);
}

/// Whether the operation is a product of a batch whose sums start from 0.
static bool matchProduct(linalg::LinalgOp op, BatchProduct &product) {
  if (!op || !isProduct(op) || op.getNumReductionLoops() != 1 ||
      !isFilledWith(op.getDpsInits()[0], 0.0))
    return false;
  AffineMap result = op.getMatchingIndexingMap(op.getDpsInitOperand(0));
  SmallVector<unsigned> loops, sums;
  for (AffineExpr expr : result.getResults())
    loops.push_back(cast<AffineDimExpr>(expr).getPosition());
  op.getReductionDims(sums);
  if (loops.size() < 2)
    return false;
  product.op = op;
  product.column = loops.pop_back_val();
  product.row = loops.pop_back_val();
  product.batch = loops;
  product.sum = sums[0];
  product.left = op.getDpsInputOperand(0);
  product.right = op.getDpsInputOperand(1);
  if (!followsLoops(product, product.left, product.row, product.sum))
    std::swap(product.left, product.right);
  return followsLoops(product, product.left, product.row, product.sum) &&
         followsLoops(product, product.right, product.column, product.sum);
}

//===----------------------------------------------------------------------===//
// Attention
//===----------------------------------------------------------------------===//

namespace {
/// The operations of one attention.
class Attention {
public:
  /// `last` is the product with the values.
  explicit Attention(linalg::LinalgOp last) : loc(last.getLoc()) {
    second.op = last;
  }
  bool match();
  void replace(RewriterBase &rewriter);

  const Parts &getParts() const { return parts; }

private:
  bool matchWeights();
  bool matchScores(Value scores);
  void matchMask(Value &scores);
  void matchScale(Value &scores);
  bool areAlone() const;
  int64_t getRank() const { return scoreType.getRank(); }

  Value arrange(RewriterBase &rewriter, BatchProduct &product,
                OpOperand *operand, ArrayRef<unsigned> loops);
  Value expand(RewriterBase &rewriter, Value value, ArrayRef<int64_t> shape,
               ArrayRef<ReassociationIndices> groups);
  Value transpose(RewriterBase &rewriter, Value value,
                  ArrayRef<int64_t> permutation);
  Value repeatMask(RewriterBase &rewriter, ArrayRef<OpFoldResult> sizes);
  void replaceResult(RewriterBase &rewriter, Value result);

  BatchProduct first, second;
  RankedTensorType scoreType;
  double scale = 1.0;
  /// What is added to the scores, or null.
  OpOperand *mask = nullptr;
  Parts parts;
  Location loc;
};
} // namespace

/// What the right product multiplies: softmax of scores, maybe through a view.
bool Attention::matchWeights() {
  Value weights = second.left->get();
  if (auto collapse = weights.getDefiningOp<tensor::CollapseShapeOp>()) {
    weights = collapse.getSrc();
    second.groups = collapse.getReassociationIndices();
    parts.insert(collapse);
  }
  scoreType = cast<RankedTensorType>(weights.getType());
  if (second.groups.empty())
    second.groups = getSingleGroups(getRank());
  // Weights are read as they lie.
  AffineMap map = second.op.getMatchingIndexingMap(second.left);
  SmallVector<unsigned> order(second.batch);
  order.append({second.row, second.sum});
  for (auto [expr, loop] : llvm::zip_equal(map.getResults(), order))
    if (cast<AffineDimExpr>(expr).getPosition() != loop)
      return false;
  if (!keepsMatrices(second.groups, scoreType.getShape()))
    return false;
  Value scores = matchSoftmax(weights, parts);
  return scores && matchScores(scores);
}

/// Takes an addition off whose other operand is no larger than the scores.
void Attention::matchMask(Value &scores) {
  auto op = scores.getDefiningOp<linalg::LinalgOp>();
  Operation *add = op ? getOnlyOperation(op) : nullptr;
  if (!isa_and_nonnull<arith::AddFOp>(add))
    return;
  for (unsigned number : {0, 1}) {
    OpOperand *data = getReadOperand(op, add, number);
    OpOperand *other = getReadOperand(op, add, 1 - number);
    if (!data || !other || data->get() == other->get() ||
        !op.getMatchingIndexingMap(data).isIdentity() ||
        !isa<RankedTensorType>(other->get().getType()))
      continue;
    // The sum of two products, for example: the first of them.
    Value rest = data->get();
    double unused = std::exchange(scale, 1.0);
    Parts kept = parts;
    matchScale(rest);
    bool isProductOfBatch = rest.getDefiningOp<tensor::ExpandShapeOp>() ||
                            (rest.getDefiningOp<linalg::LinalgOp>() &&
                             isProduct(rest.getDefiningOp<linalg::LinalgOp>()));
    scale = unused;
    parts = kept;
    if (!isProductOfBatch)
      continue;
    mask = other;
    parts.insert(op);
    scores = data->get();
    return;
  }
}

/// A constant operand of the only operation of a body.
static std::optional<double>
getConstantOperand(linalg::LinalgOp op, Operation *inner, unsigned number) {
  FloatAttr value;
  Value operand = inner->getOperand(number);
  if (OpOperand *read = getReadOperand(op, inner, number)) {
    DenseElementsAttr elements;
    if (matchPattern(read->get(), m_Constant(&elements)) && elements.isSplat())
      return elements.getSplatValue<APFloat>().convertToDouble();
    operand = read->get();
  }
  if (matchPattern(operand, m_Constant(&value)))
    return value.getValueAsDouble();
  return std::nullopt;
}

/// Takes a product or a quotient with a constant off.
void Attention::matchScale(Value &scores) {
  auto op = scores.getDefiningOp<linalg::LinalgOp>();
  Operation *inner = op ? getOnlyOperation(op) : nullptr;
  if (!isa_and_nonnull<arith::MulFOp, arith::DivFOp>(inner))
    return;
  for (unsigned number : {0, 1}) {
    OpOperand *data = getReadOperand(op, inner, number);
    std::optional<double> factor = getConstantOperand(op, inner, 1 - number);
    if (!data || !factor || !op.getMatchingIndexingMap(data).isIdentity() ||
        (number == 1 && isa<arith::DivFOp>(inner)))
      continue;
    scale = isa<arith::DivFOp>(inner) ? 1.0 / *factor : *factor;
    parts.insert(op);
    scores = data->get();
    return;
  }
}

bool Attention::matchScores(Value scores) {
  matchMask(scores);
  matchScale(scores);
  if (auto expand = scores.getDefiningOp<tensor::ExpandShapeOp>()) {
    first.groups = expand.getReassociationIndices();
    scores = expand.getSrc();
    parts.insert(expand);
  } else {
    first.groups = getSingleGroups(getRank());
  }
  auto op = scores.getDefiningOp<linalg::LinalgOp>();
  if (!matchProduct(op, first) ||
      !keepsMatrices(first.groups, scoreType.getShape()))
    return false;
  parts.insert(op);
  return std::isfinite(scale) && scale != 0.0;
}

/// True if nothing else reads what the parts make, and they stand together. A
/// rule for products alone leaves softmax where it would be without them.
bool Attention::areAlone() const {
  DeviceAttr device = getDevice(second.op);
  return llvm::all_of(parts, [&](Operation *part) {
    return mayJoin(part, device) &&
           (!isa<linalg::LinalgOp>(part) || getDevice(part) == device) &&
           part->getBlock() == second.op->getBlock() &&
           llvm::all_of(part->getUsers(), [&](Operation *user) {
             return user == second.op || parts.contains(user);
           });
  });
}

bool Attention::match() {
  return matchProduct(second.op, second) && matchWeights() && areAlone();
}

//===----------------------------------------------------------------------===//
// What replaces it
//===----------------------------------------------------------------------===//

/// A view with the dimensions of the scores; the source of a view that joined
/// them.
Value Attention::expand(RewriterBase &rewriter, Value value,
                        ArrayRef<int64_t> shape,
                        ArrayRef<ReassociationIndices> groups) {
  auto type = cast<RankedTensorType>(value.getType());
  if (type.getRank() == int64_t(shape.size()))
    return value;
  auto wide = RankedTensorType::get(shape, type.getElementType());
  if (auto collapse = value.getDefiningOp<tensor::CollapseShapeOp>())
    if (collapse.getSrcType() == wide &&
        llvm::equal(collapse.getReassociationIndices(), groups))
      return collapse.getSrc();
  return tensor::ExpandShapeOp::create(rewriter, loc, wide, value, groups);
}

Value Attention::transpose(RewriterBase &rewriter, Value value,
                           ArrayRef<int64_t> permutation) {
  SmallVector<int64_t> order(permutation);
  // Two transpositions are one.
  if (auto before = value.getDefiningOp<linalg::TransposeOp>();
      before && mayJoin(before, getDevice(second.op))) {
    order = applyPermutation(before.getPermutation(), permutation);
    value = before.getInput();
  }
  if (isIdentityPermutation(order))
    return value;
  SmallVector<OpFoldResult> sizes = tensor::getMixedSizes(rewriter, loc, value);
  applyPermutationToVector(sizes, order);
  Value empty = tensor::EmptyOp::create(rewriter, loc, sizes,
                                        getElementTypeOrSelf(value.getType()));
  auto moved = linalg::TransposeOp::create(rewriter, loc, value, empty, order);
  copyAnnotations(second.op, moved);
  return moved->getResult(0);
}

/// The operand with the batch of the scores and then the dimensions of these
/// two loops.
Value Attention::arrange(RewriterBase &rewriter, BatchProduct &product,
                         OpOperand *operand, ArrayRef<unsigned> loops) {
  auto type = cast<RankedTensorType>(operand->get().getType());
  AffineMap map = product.op.getMatchingIndexingMap(operand);
  // What each dimension of the operand becomes: dimensions of the batch by
  // their numbers, then the two.
  SmallVector<ReassociationIndices> groups;
  SmallVector<int64_t> roles, shape;
  int64_t batch = getRank() - 2;
  for (auto [dim, expr] : llvm::enumerate(map.getResults())) {
    unsigned loop = cast<AffineDimExpr>(expr).getPosition();
    ReassociationIndices parts;
    auto append = [&](int64_t role, int64_t size) {
      parts.push_back(roles.size());
      roles.push_back(role);
      shape.push_back(size);
    };
    auto it = llvm::find(product.batch, loop);
    if (it != product.batch.end()) {
      for (int64_t made : product.groups[it - product.batch.begin()])
        append(made, scoreType.getDimSize(made));
    } else {
      // Dimensions of one element that the rows have taken up.
      if (loop == loops[0])
        for (int64_t made :
             ArrayRef(product.groups[product.groups.size() - 2]).drop_back())
          append(made, 1);
      append(batch + (loop == loops[0] ? 0 : 1), type.getDimSize(dim));
    }
    groups.push_back(parts);
  }
  Value expanded = expand(rewriter, operand->get(), shape, groups);
  return transpose(rewriter, expanded, invertPermutationVector(roles));
}

/// The mask with an element for each score.
Value Attention::repeatMask(RewriterBase &rewriter,
                            ArrayRef<OpFoldResult> sizes) {
  auto op = cast<linalg::LinalgOp>(mask->getOwner());
  AffineMap map = op.getMatchingIndexingMap(mask);
  if (map.isIdentity())
    return mask->get();
  Value empty = tensor::EmptyOp::create(
      rewriter, loc, sizes, getElementTypeOrSelf(mask->get().getType()));
  auto repeated = linalg::GenericOp::create(
      rewriter, loc, empty.getType(), mask->get(), empty,
      ArrayRef{map, rewriter.getMultiDimIdentityMap(getRank())},
      SmallVector(getRank(), utils::IteratorType::parallel),
      [](OpBuilder &builder, Location loc, ValueRange arguments) {
        linalg::YieldOp::create(builder, loc, arguments[0]);
      });
  copyAnnotations(second.op, repeated);
  return repeated.getResult(0);
}

/// Puts the result where that of the second product was, or a view of it that
/// undoes the views around it.
void Attention::replaceResult(RewriterBase &rewriter, Value result) {
  Value old = second.op->getResult(0);
  if (auto expand = old.hasOneUse() ? dyn_cast<tensor::ExpandShapeOp>(
                                          *old.getUsers().begin())
                                    : tensor::ExpandShapeOp();
      expand && expand.getType() == result.getType() &&
      llvm::equal(expand.getReassociationIndices(), second.groups)) {
    rewriter.replaceOp(expand, result);
    return rewriter.eraseOp(second.op);
  }
  if (int64_t(second.groups.size()) != getRank())
    result =
        tensor::CollapseShapeOp::create(rewriter, loc, result, second.groups);
  // More or less may be known of its sizes.
  if (result.getType() != old.getType())
    result = tensor::CastOp::create(rewriter, loc, old.getType(), result);
  rewriter.replaceOp(second.op, result);
}

void Attention::replace(RewriterBase &rewriter) {
  rewriter.setInsertionPoint(second.op);
  SmallVector<Location> locs = {loc};
  for (Operation *part : parts)
    locs.push_back(part->getLoc());
  loc = rewriter.getFusedLoc(locs);
  Value query = arrange(rewriter, first, first.left, {first.row, first.sum});
  Value key = arrange(rewriter, first, first.right, {first.column, first.sum});
  Value value =
      arrange(rewriter, second, second.right, {second.sum, second.column});
  SmallVector<Value> inputs = {query, key, value};
  SmallVector<OpFoldResult> sizes = tensor::getMixedSizes(rewriter, loc, query);
  if (mask) {
    sizes.back() = tensor::getMixedSize(rewriter, loc, key, getRank() - 2);
    inputs.push_back(repeatMask(rewriter, sizes));
  }
  sizes.back() = tensor::getMixedSize(rewriter, loc, value, getRank() - 1);
  Value empty =
      tensor::EmptyOp::create(rewriter, loc, sizes, scoreType.getElementType());
  auto attention = tm_tensor::AttentionOp::create(
      rewriter, loc, TypeRange(empty.getType()), inputs, ValueRange(empty),
      rewriter.getF64FloatAttr(scale));
  copyAnnotations(second.op, attention);
  SmallVector<Operation *> unused(parts.begin(), parts.end());
  for (OpOperand *operand : {first.left, first.right, second.right})
    unused.push_back(operand->get().getDefiningOp());
  for (linalg::LinalgOp op : {first.op, second.op})
    unused.push_back(op.getDpsInits()[0].getDefiningOp());
  replaceResult(rewriter, attention->getResult(0));
  eraseUnusedProducers(rewriter, unused);
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

namespace {
struct RecognizeAttentionPass
    : public mlir::hetero::impl::RecognizeAttentionPassBase<
          RecognizeAttentionPass> {
  using Base::Base;
  void runOnOperation() override {
    ModuleOp module = getOperation();
    if (getPhase(module) > Phase::Annotated)
      return;
    SmallVector<linalg::LinalgOp> products = collectProducts(module);
    PinCount pins(module);
    IRRewriter rewriter(&getContext());
    llvm::SmallPtrSet<Operation *, 16> replaced;
    int64_t count = 0;
    // The second product before the first, which goes with it.
    for (linalg::LinalgOp op : llvm::reverse(products)) {
      if (replaced.contains(op))
        continue;
      Attention attention(op);
      if (!attention.match())
        continue;
      replaced.insert_range(attention.getParts());
      remark::passed(
          op.getLoc(),
          remark::RemarkOpts::name("recognized").category(getArgument()))
          << remark::add("{0} operations are one attention",
                         attention.getParts().size() + 1);
      attention.replace(rewriter);
      ++count;
    }
    pins.update();
    remarkSummary(module, getArgument(), {{"attention", count}});
  }
};
} // namespace
