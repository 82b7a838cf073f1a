//===- ConvertElementwiseToLinalg.cpp - Elementwise operations to linalg --===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Brings the module into a form whose tensor types may carry devices:
//
//   %1 = arith.addf %a, %b {hetero.device = #hetero.device<gpu:0>} :
//   tensor<4xf32>
// becomes
//   %0 = tensor.empty() {hetero.device = #hetero.device<gpu:0>} : tensor<4xf32>
//   %1 = linalg.generic ... ins(%a, %b) outs(%0)
//          attrs = {hetero.device = #hetero.device<gpu:0>} { arith.addf ... }
//
// One walk, no folding and no removal of dead code: an annotated operation must
// not vanish before it is placed.
//
//===----------------------------------------------------------------------===//

#include "DecomposeGather.h"
#include "PackByIndex.h"
#include "hetero/Transforms/Checks/SizeChecks.h"

#include "hetero/Analysis/Placement/PlacementQueries.h"
#include "hetero/Dialect/Hetero/IR/SummaryRemark.h"
#include "hetero/Transforms/Passes.h"

#include "hetero/Dialect/Hetero/IR/HeteroDialect.h"
#include "hetero/Dialect/Hetero/IR/PlacementModels.h"
#include "hetero/Transforms/Checks/GuardArcTangents.h"
#include "hetero/Transforms/Frontends/DecomposePad.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StructuredOpsUtils.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"

namespace mlir::hetero {
#define GEN_PASS_DEF_CONVERTELEMENTWISETOLINALGPASS
#include "hetero/Transforms/Passes.h.inc"
} // namespace mlir::hetero

using namespace mlir;
using namespace mlir::hetero;

//===----------------------------------------------------------------------===//
// Elementwise operations
//===----------------------------------------------------------------------===//

static bool isPlainTensor(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  return tensor && !tensor.getEncoding();
}

/// True for elementwise operations of other dialects on ranked tensors.
static bool isElementwiseOnTensors(Operation *op) {
  auto isScalarOrTensor = [](Type type) {
    return !isa<ShapedType>(type) || isPlainTensor(type);
  };
  return OpTrait::hasElementwiseMappableTraits(op) &&
         op->getNumResults() == 1 && op->getNumRegions() == 0 &&
         isPlainTensor(op->getResult(0).getType()) &&
         llvm::all_of(op->getOperandTypes(), isScalarOrTensor);
}

/// The sizes of a tensor's dynamic dimensions.
static SmallVector<Value> getDynamicSizes(OpBuilder &builder, Location loc,
                                          Value tensor) {
  SmallVector<Value> sizes;
  auto type = cast<RankedTensorType>(tensor.getType());
  for (auto [index, size] : llvm::enumerate(type.getShape()))
    if (ShapedType::isDynamic(size))
      sizes.push_back(tensor::DimOp::create(builder, loc, tensor, index));
  return sizes;
}

/// A splat constant goes into the body, where it costs no memory.
static TypedAttr getSplat(Value value) {
  DenseElementsAttr elements;
  if (!matchPattern(value, m_Constant(&elements)) || !elements.isSplat() ||
      getDevice(value.getDefiningOp()))
    return {};
  return dyn_cast<TypedAttr>(elements.getSplatValue<Attribute>());
}

/// linalg.generic with the operation on scalars as its body.
static LogicalResult convertElementwise(RewriterBase &rewriter, Operation *op) {
  Location loc = op->getLoc();
  auto type = cast<RankedTensorType>(op->getResult(0).getType());
  int64_t rank = type.getRank();
  AffineMap identity = rewriter.getMultiDimIdentityMap(rank);
  AffineMap scalar = AffineMap::get(rank, 0, rewriter.getContext());

  SmallVector<Value> inputs;
  SmallVector<AffineMap> maps;
  Value shaped;
  for (Value operand : op->getOperands()) {
    bool isTensor = isa<RankedTensorType>(operand.getType());
    if (isTensor)
      shaped = operand;
    if (isTensor && getSplat(operand))
      continue;
    inputs.push_back(operand);
    maps.push_back(isTensor ? identity : scalar);
  }
  if (!shaped)
    return rewriter.notifyMatchFailure(op, "no tensor among its operands");
  maps.push_back(identity);

  Value init = tensor::EmptyOp::create(rewriter, loc, type,
                                       getDynamicSizes(rewriter, loc, shaped));
  SmallVector<utils::IteratorType> iterators(rank,
                                             utils::IteratorType::parallel);
  auto buildBody = [&](OpBuilder &builder, Location, ValueRange arguments) {
    SmallVector<Value> scalars;
    for (Value operand : op->getOperands()) {
      if (TypedAttr splat = getSplat(operand))
        scalars.push_back(arith::ConstantOp::create(builder, loc, splat));
      else
        scalars.push_back(arguments.front()),
            arguments = arguments.drop_front();
    }
    SmallVector<NamedAttribute> attrs;
    for (NamedAttribute attr : op->getAttrs())
      if (!llvm::is_contained(kAnnotationNames, attr.getName().getValue()))
        attrs.push_back(attr);
    Operation *inner = builder.create(loc, op->getName().getIdentifier(),
                                      scalars, type.getElementType(), attrs);
    linalg::YieldOp::create(builder, loc, inner->getResults());
  };
  rewriter.replaceOpWithNewOp<linalg::GenericOp>(op, type, inputs, init, maps,
                                                 iterators, buildBody);
  return success();
}

//===----------------------------------------------------------------------===//
// Operations whose types cannot carry a device
//===----------------------------------------------------------------------===//

/// tensor.splat becomes linalg.fill.
static LogicalResult convertSplat(RewriterBase &rewriter, tensor::SplatOp op) {
  Value init = tensor::EmptyOp::create(rewriter, op.getLoc(), op.getType(),
                                       op.getDynamicSizes());
  rewriter.replaceOpWithNewOp<linalg::FillOp>(op, op.getInput(), init);
  return success();
}

/// Parts without elements are left out: no place is inside of a dimension that
/// has no elements, which insertions check.
static LogicalResult convertConcat(RewriterBase &rewriter,
                                   tensor::ConcatOp op) {
  insertSizeChecks(op);
  auto hasElements = [](Value part) {
    return !llvm::is_contained(
        cast<RankedTensorType>(part.getType()).getShape(), 0);
  };
  SmallVector<Value> parts =
      llvm::to_vector(llvm::make_filter_range(op.getInputs(), hasElements));
  RankedTensorType type = op.getResultType();
  if (parts.empty() || llvm::is_contained(type.getShape(), 0)) {
    ReifiedRankedShapedTypeDims sizes;
    if (failed(reifyResultShapes(rewriter, op, sizes)))
      return failure();
    rewriter.replaceOpWithNewOp<tensor::EmptyOp>(op, sizes[0],
                                                 type.getElementType());
    return success();
  }
  if (parts.size() == 1 && parts.front().getType() == type)
    return rewriter.replaceOp(op, parts.front()), success();
  if (parts.size() != op.getInputs().size())
    op = rewriter.replaceOpWithNewOp<tensor::ConcatOp>(op, type, op.getDim(),
                                                       parts);
  FailureOr<SmallVector<Value>> values = op.decomposeOperation(rewriter);
  if (failed(values))
    return failure();
  rewriter.replaceOp(op, *values);
  return success();
}

/// Views and transpositions where tiles are static, else element by element.
template <typename OpTy, typename Lower>
static LogicalResult convertPack(RewriterBase &rewriter, OpTy op, Lower lower,
                                 void (*byIndex)(RewriterBase &, OpTy)) {
  if (!op.hasPureTensorSemantics())
    return rewriter.notifyMatchFailure(op, "works on memrefs");
  insertSizeChecks(op);
  if (llvm::any_of(op.getStaticTiles(), ShapedType::isDynamic)) {
    byIndex(rewriter, op);
    return success();
  }
  return success(succeeded(lower(rewriter, op, true)));
}

/// Rewrites one operation; failure leaves it alone.
static LogicalResult convert(RewriterBase &rewriter, Operation *op) {
  if (isElementwiseOnTensors(op))
    return convertElementwise(rewriter, op);
  if (auto splat = dyn_cast<tensor::SplatOp>(op))
    return convertSplat(rewriter, splat);
  if (auto concat = dyn_cast<tensor::ConcatOp>(op))
    return convertConcat(rewriter, concat);
  if (auto generate = dyn_cast<tensor::GenerateOp>(op))
    return success(succeeded(
        linalg::rewriteInDestinationPassingStyle(rewriter, generate)));
  if (auto pad = dyn_cast<tensor::PadOp>(op)) {
    // The insertion would name itself.
    insertSizeChecks(pad);
    decomposePad(rewriter, pad);
    return success();
  }
  if (auto gather = dyn_cast<tensor::GatherOp>(op)) {
    decomposeGather(rewriter, gather);
    return success();
  }
  if (auto pack = dyn_cast<linalg::PackOp>(op))
    return convertPack(rewriter, pack, linalg::lowerPack, packByIndex);
  if (auto unpack = dyn_cast<linalg::UnPackOp>(op))
    return convertPack(rewriter, unpack, linalg::lowerUnPack, unpackByIndex);
  return failure();
}

namespace {
/// Remembers what a conversion creates, to annotate it like the original.
struct CreatedOps : public RewriterBase::Listener {
  void notifyOperationInserted(Operation *op,
                               OpBuilder::InsertPoint previous) override {
    if (!previous.isSet())
      created.push_back(op);
  }
  void notifyOperationErased(Operation *op) override {
    llvm::erase(created, op);
  }
  SmallVector<Operation *> created;
};
} // namespace

/// What says where an operation stands.
static SmallVector<NamedAttribute> getAnnotations(Operation *op) {
  SmallVector<NamedAttribute> annotations;
  for (StringRef name : kAnnotationNames)
    if (Attribute attr = op->getAttr(name);
        attr && (name != kOriginAttrName || getDevice(op)))
      annotations.emplace_back(StringAttr::get(op->getContext(), name), attr);
  return annotations;
}

/// Puts the annotations of the original on what replaces it.
static void annotate(ArrayRef<Operation *> created, Block *block,
                     ArrayRef<NamedAttribute> annotations) {
  for (Operation *op : created)
    if (op->getBlock() == block && isPlaceable(op))
      for (NamedAttribute attr : annotations)
        op->setAttr(attr.getName(), attr.getValue());
}

/// Returns how many operations were replaced.
static int64_t convertOperation(IRRewriter &rewriter, CreatedOps &listener,
                                Operation *op) {
  SmallVector<NamedAttribute> annotations = getAnnotations(op);
  Block *block = op->getBlock();
  listener.created.clear();
  rewriter.setInsertionPoint(op);
  if (failed(convert(rewriter, op)))
    return 0;
  int64_t count = 1;
  // What a conversion makes may itself need one (a pack makes a pad).
  SmallVector<Operation *> created = listener.created;
  annotate(created, block, annotations);
  for (Operation *next : created)
    if (next->getBlock() == block)
      count += convertOperation(rewriter, listener, next);
  return count;
}

/// Erases splat constants whose value went into a body.
static void eraseUnusedConstants(IRRewriter &rewriter,
                                 ArrayRef<Operation *> constants) {
  for (Operation *op : constants)
    if (op->use_empty())
      rewriter.eraseOp(op);
}

namespace {
struct ConvertElementwiseToLinalgPass
    : public mlir::hetero::impl::ConvertElementwiseToLinalgPassBase<
          ConvertElementwiseToLinalgPass> {
  using Base::Base;
  void runOnOperation() override {
    SmallVector<Operation *> ops, constants;
    walkPlacedOperations(getOperation(), [&](Operation *op) {
      if (op->hasTrait<OpTrait::ConstantLike>() && !op->use_empty() &&
          !getDevice(op))
        constants.push_back(op);
      else
        ops.push_back(op);
    });
    CreatedOps listener;
    IRRewriter rewriter(&getContext(), &listener);
    int64_t count = 0;
    for (Operation *op : ops)
      count += convertOperation(rewriter, listener, op);
    eraseUnusedConstants(rewriter, constants);
    guardArcTangents(getOperation());
    remarkSummary(getOperation(), getArgument(), {{"converted", count}});
  }
};
} // namespace
