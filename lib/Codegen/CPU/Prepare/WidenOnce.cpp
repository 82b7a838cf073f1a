//===- WidenOnce.cpp - Elements that are converted once -------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   %r = generic { extf %x * extf %y + %old } ins(%a, %b : f16, f16)
// becomes
//   %w = generic { extf } ins(%a : f16) outs(%empty : f32)
//   %r = generic { %x * extf %y + %old } ins(%w, %b : f32, f16)
//
// Vectors of %b are converted when they are loaded, which one instruction does.
// An element of %a is broadcast: its conversion takes more instructions than
// the multiplications of a step, and all vectors of a row would repeat it, and
// all windows that the element is in. The border of an image stays a pad:
//
//   conv(pad(%a)) -> conv(pad(generic { extf } ins(%a)))
//
//===----------------------------------------------------------------------===//

#include "WidenOnce.h"

#include "Codegen/Arithmetic/WidenSums.h"
#include "Codegen/Match/MultiplyAdd.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/PatternMatch.h"

using namespace mlir;
using namespace mlir::hetero;

/// Fewer uses of an element are not worth a pass over all.
static constexpr int64_t kMinUses = 64;

/// How often each element of an operand is multiplied, as far as it is known:
/// for each step of the loops that it does not follow, and for each of the
/// windows that it is in.
static int64_t countUses(linalg::GenericOp op, OpOperand *operand) {
  AffineMap map = op.getMatchingIndexingMap(operand);
  SmallVector<int64_t> sizes = op.getStaticLoopRanges();
  auto type = cast<RankedTensorType>(operand->get().getType());
  double uses = 1;
  for (auto [loop, size] : llvm::enumerate(sizes))
    if (!map.isFunctionOfDim(loop) && !ShapedType::isDynamic(size))
      uses *= size;
  for (auto [dim, expr] : llvm::enumerate(map.getResults())) {
    int64_t elements = type.getDimSize(dim);
    if (isa<AffineDimExpr>(expr) || elements <= 0)
      continue;
    double steps = 1;
    for (auto [loop, size] : llvm::enumerate(sizes))
      if (expr.isFunctionOfDim(loop))
        steps *= ShapedType::isDynamic(size) ? 1 : size;
    uses *= steps / elements;
  }
  return std::min<double>(uses, kMinUses);
}

/// True for an operand of f16 that does not follow the last dimension of the
/// result, along which vectors are, and that the body only converts.
static bool isBroadcast(linalg::GenericOp op, OpOperand *operand) {
  AffineMap result = op.getMatchingIndexingMap(op.getDpsInitOperand(0));
  auto type = dyn_cast<RankedTensorType>(operand->get().getType());
  auto last = result.getNumResults() == 0
                  ? AffineDimExpr(nullptr)
                  : dyn_cast<AffineDimExpr>(result.getResults().back());
  if (!type || !type.getElementType().isF16() || !last ||
      op.getMatchingIndexingMap(operand).isFunctionOfDim(last.getPosition()))
    return false;
  return llvm::all_of(
      op.getMatchingBlockArgument(operand).getUsers(), [](Operation *user) {
        return isa<arith::ExtFOp>(user) && user->getResult(0).getType().isF32();
      });
}

namespace {
/// Makes tensors of f32 of others, each once.
class Widener {
public:
  explicit Widener(RewriterBase &rewriter) : rewriter(rewriter) {}

  Value widen(Value tensor);

private:
  Value convert(Value tensor);
  Value widenPad(tensor::PadOp pad);

  RewriterBase &rewriter;
  llvm::DenseMap<Value, Value> known;
};
} // namespace

/// The tensor as one of f32.
Value Widener::widen(Value tensor) {
  if (Value wide = known.lookup(tensor))
    return wide;
  auto pad = tensor.getDefiningOp<tensor::PadOp>();
  Value wide =
      pad && pad.getConstantPaddingValue() ? widenPad(pad) : convert(tensor);
  return known[tensor] = wide;
}

Value Widener::convert(Value tensor) {
  rewriter.setInsertionPointAfterValue(tensor);
  Value empty = tensor::EmptyOp::create(
      rewriter, tensor.getLoc(),
      tensor::getMixedSizes(rewriter, tensor.getLoc(), tensor),
      rewriter.getF32Type());
  return convertElements(rewriter, tensor.getLoc(), tensor, empty);
}

/// A border stays one, of which the convolution then reads nothing.
Value Widener::widenPad(tensor::PadOp pad) {
  Value source = widen(pad.getSource());
  rewriter.setInsertionPoint(pad);
  Value border = pad.getConstantPaddingValue();
  if (border.getParentRegion() == &pad.getRegion())
    border = rewriter.clone(*border.getDefiningOp())->getResult(0);
  border = convertFloat(rewriter, pad.getLoc(), border, rewriter.getF32Type());
  auto type = pad.getResultType().clone(rewriter.getF32Type());
  auto wide = tensor::PadOp::create(rewriter, pad.getLoc(), type, source,
                                    pad.getMixedLowPad(), pad.getMixedHighPad(),
                                    border);
  wide->setDiscardableAttrs(pad->getDiscardableAttrDictionary());
  return wide;
}

/// Gives the operation the tensor in the place of the operand.
static void takeWide(RewriterBase &rewriter, linalg::GenericOp op,
                     OpOperand *operand, Value wide) {
  BlockArgument element = op.getMatchingBlockArgument(operand);
  rewriter.modifyOpInPlace(op, [&] {
    operand->set(wide);
    element.setType(rewriter.getF32Type());
    for (Operation *user : llvm::make_early_inc_range(element.getUsers()))
      rewriter.replaceOp(user, element);
  });
}

LogicalResult mlir::hetero::widenOnce(Operation *root) {
  SmallVector<linalg::GenericOp> products;
  root->walk([&](linalg::GenericOp op) {
    if (op.getNumReductionLoops() != 0 && op.getNumDpsInits() == 1 &&
        op.hasPureTensorSemantics() && multipliesAndAdds(op))
      products.push_back(op);
  });
  IRRewriter rewriter(root->getContext());
  Widener widener(rewriter);
  for (linalg::GenericOp op : products)
    for (OpOperand *operand : op.getDpsInputOperands()) {
      if (!isBroadcast(op, operand) || countUses(op, operand) < kMinUses)
        continue;
      takeWide(rewriter, op, operand, widener.widen(operand->get()));
    }
  return success();
}
