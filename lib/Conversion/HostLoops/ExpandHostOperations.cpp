//===- ExpandHostOperations.cpp - Expands what would be a library call ----===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   memref.copy %a, %b : memref<4x4xf32, strided<[8, 1]>> to memref<4x4xf32>
//
// becomes a linalg.generic that yields its input, or a loop of copies where
// rows are long, math.exp a polynomial. An
// expansion of one dimension into several dynamic ones becomes a
// memref.reinterpret_cast, a vector.contract of mixed types one of one type, a
// place in a vector that is known at run time one in a vector of one dimension.
//
//===----------------------------------------------------------------------===//

#include "ExpandContractions.h"
#include "ExpandDots.h"
#include "ExpandFunctions.h"
#include "ExpandVectorPositions.h"
#include "hetero/Codegen/Arithmetic/ExpandConversions.h"
#include "hetero/Codegen/Arithmetic/ExpandElementTypes.h"
#include "hetero/Codegen/Arithmetic/ExpandMath.h"
#include "hetero/Conversion/Passes.h"
#include "hetero/Dialect/Hetero/IR/SummaryRemark.h"
#include "mlir/Conversion/MathToLibm/MathToLibm.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Math/Transforms/Passes.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/MemRef/Utils/MemRefUtils.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Dialect/Vector/Transforms/LoweringPatterns.h"
#include "mlir/Transforms/DialectConversion.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace mlir::hetero {
#define GEN_PASS_DEF_EXPANDHOSTOPERATIONSPASS
#include "hetero/Conversion/Passes.h.inc"
} // namespace mlir::hetero

using namespace mlir;
using namespace mlir::hetero;

//===----------------------------------------------------------------------===//
// Copies
//===----------------------------------------------------------------------===//

/// True if upstream's lowering makes one memcpy of a copy from or to it.
static bool isContiguous(MemRefType type) {
  return type.getLayout().isIdentity() ||
         (memref::isStaticShapeAndContiguousRowMajor(type) &&
          type.getNumElements() > 0);
}

/// How many of the inner dimensions have their elements one after the other.
static int64_t countRowDims(MemRefType type) {
  auto [strides, offset] = type.getStridesAndOffset();
  int64_t stride = 1, dim = type.getRank();
  while (dim > 0 && strides[dim - 1] == stride && !type.isDynamicDim(dim - 1))
    stride *= type.getDimSize(--dim);
  return type.getRank() - dim;
}

/// Where the rows of a copy begin, which are long enough for memcpy: at least
/// a vector of any processor. Below it LLVM's vectorizer does better.
static std::optional<int64_t> findRows(MemRefType source, MemRefType target) {
  if (!source.isStrided() || !target.isStrided() ||
      !source.getElementType().isIntOrFloat())
    return std::nullopt;
  int64_t first =
      source.getRank() - std::min(countRowDims(source), countRowDims(target));
  int64_t bits =
      source.getElementTypeBitWidth() *
      ShapedType::getNumElements(source.getShape().drop_front(first));
  constexpr int64_t minBits = 512;
  return bits >= minBits ? std::optional(first) : std::nullopt;
}

/// Copies the dimensions from `first` on, for each step of those before it.
static void copyRows(OpBuilder &builder, memref::CopyOp op, int64_t first) {
  Location loc = op.getLoc();
  Value source = op.getSource(), target = op.getTarget();
  SmallVector<OpFoldResult> sizes = memref::getMixedSizes(builder, loc, source);
  SmallVector<Value> ends = getValueOrCreateConstantIndexOp(
      builder, loc, ArrayRef(sizes).take_front(first));
  SmallVector<Value> zeros(first,
                           arith::ConstantIndexOp::create(builder, loc, 0));
  SmallVector<Value> ones(first,
                          arith::ConstantIndexOp::create(builder, loc, 1));
  scf::buildLoopNest(
      builder, loc, zeros, ends, ones,
      [&](OpBuilder &inner, Location loc, ValueRange steps) {
        SmallVector<OpFoldResult> offsets(sizes.size(), inner.getIndexAttr(0)),
            strides(sizes.size(), inner.getIndexAttr(1)), row = sizes;
        llvm::copy(steps, offsets.begin());
        std::fill_n(row.begin(), first, inner.getIndexAttr(1));
        auto view = [&](Value buffer) {
          return memref::SubViewOp::create(inner, loc, buffer, offsets, row,
                                           strides);
        };
        memref::CopyOp::create(inner, loc, view(source), view(target));
      });
}

namespace {
/// Contiguous copies stay: they become memcpy. So do rows of others; as loops
/// over elements LLVM would vectorize and unroll them into thousands of
/// instructions.
struct ExpandStridedCopy : OpRewritePattern<memref::CopyOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(memref::CopyOp op,
                                PatternRewriter &rewriter) const override {
    auto source = dyn_cast<MemRefType>(op.getSource().getType());
    auto target = dyn_cast<MemRefType>(op.getTarget().getType());
    if (!source || !target)
      return rewriter.notifyMatchFailure(op, "unranked");
    if (isContiguous(source) && isContiguous(target))
      return rewriter.notifyMatchFailure(op, "contiguous");
    if (std::optional<int64_t> first = findRows(source, target)) {
      copyRows(rewriter, op, *first);
      rewriter.eraseOp(op);
      return success();
    }
    AffineMap map = rewriter.getMultiDimIdentityMap(target.getRank());
    SmallVector<utils::IteratorType> iterators(target.getRank(),
                                               utils::IteratorType::parallel);
    rewriter.replaceOpWithNewOp<linalg::GenericOp>(
        op, op.getSource(), op.getTarget(), ArrayRef{map, map}, iterators,
        [](OpBuilder &builder, Location loc, ValueRange arguments) {
          linalg::YieldOp::create(builder, loc, arguments.front());
        });
    return success();
  }
};
} // namespace

//===----------------------------------------------------------------------===//
// Views
//===----------------------------------------------------------------------===//

namespace {
/// Upstream's expand-strided-metadata computes the sizes of an expansion from
/// the size of what is expanded, which it can for one dynamic size of a group
/// only, and divides by the others; it crashes on several, and where one is 0
/// (LLVM 22).
struct ExpandToDynamicSizes : OpRewritePattern<memref::ExpandShapeOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(memref::ExpandShapeOp op,
                                PatternRewriter &rewriter) const override;
};
} // namespace

LogicalResult
ExpandToDynamicSizes::matchAndRewrite(memref::ExpandShapeOp op,
                                      PatternRewriter &rewriter) const {
  MemRefType type = op.getResultType();
  SmallVector<ReassociationIndices> groups = op.getReassociationIndices();
  auto isBeyondUpstream = [&](const ReassociationIndices &group) {
    int64_t dynamic = llvm::count_if(
        group, [&](int64_t dim) { return type.isDynamicDim(dim); });
    return dynamic > 1 || (dynamic == 1 && llvm::any_of(group, [&](int64_t i) {
                             return type.getDimSize(i) == 0;
                           }));
  };
  if (llvm::none_of(groups, isBeyondUpstream))
    return rewriter.notifyMatchFailure(op, "upstream can");
  Location loc = op.getLoc();
  auto [known, knownOffset] = type.getStridesAndOffset();
  auto source =
      memref::ExtractStridedMetadataOp::create(rewriter, loc, op.getSrc());
  SmallVector<OpFoldResult> sizes = op.getMixedOutputShape();
  SmallVector<OpFoldResult> strides(sizes.size());
  for (auto [index, group] : llvm::enumerate(groups)) {
    Value stride = source.getStrides()[index];
    for (int64_t dim : llvm::reverse(group)) {
      strides[dim] = ShapedType::isDynamic(known[dim])
                         ? OpFoldResult(stride)
                         : OpFoldResult(rewriter.getIndexAttr(known[dim]));
      stride = arith::MulIOp::create(
          rewriter, loc, stride,
          getValueOrCreateConstantIndexOp(rewriter, loc, sizes[dim]));
    }
  }
  OpFoldResult offset = ShapedType::isDynamic(knownOffset)
                            ? OpFoldResult(source.getOffset())
                            : OpFoldResult(rewriter.getIndexAttr(knownOffset));
  rewriter.replaceOpWithNewOp<memref::ReinterpretCastOp>(
      op, type, op.getSrc(), offset, sizes, strides);
  return success();
}

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

/// The functions whose approximation is good over the whole range of f32. That
/// of sin and cos loses all digits for large arguments.
static bool isExpanded(StringRef name) {
  return llvm::is_contained(
      {math::ExpOp::getOperationName(), math::ExpM1Op::getOperationName(),
       math::LogOp::getOperationName(), math::Log2Op::getOperationName(),
       math::Log1pOp::getOperationName(), math::TanhOp::getOperationName(),
       math::ErfOp::getOperationName()},
      name);
}

/// Those of them that upstream approximates.
static bool isApproximated(StringRef name) {
  return isExpanded(name) && name != math::ExpOp::getOperationName() &&
         name != math::ErfOp::getOperationName();
}

/// Conversions have no fast-math flags in the llvm dialect, where upstream's
/// lowering would keep them as an attribute of arith.
static void dropFlagsOfConversions(func::FuncOp function) {
  function.walk([](Operation *op) {
    if (auto extend = dyn_cast<arith::ExtFOp>(op))
      extend.removeFastmathAttr();
    else if (auto truncate = dyn_cast<arith::TruncFOp>(op))
      truncate.removeFastmathAttr();
  });
}

/// Expands what has no conversion to the llvm dialect, or one that would call
/// into a library: strided memref.copy, math functions, narrow floats.
static LogicalResult expandHostOperations(ModuleOp module) {
  MLIRContext *context = module.getContext();
  RewritePatternSet patterns(context);
  patterns.add<ExpandStridedCopy, ExpandToDynamicSizes>(context);
  populateMathF32ExpansionPatterns(patterns, isExpanded);
  populateMathPolynomialApproximationPatterns(patterns, isApproximated);
  populateExpandFunctionsPatterns(patterns);
  populateExpandMathPatterns(patterns);
  populateExpandConversionsPatterns(patterns);
  populateExpandContractionsPatterns(patterns);
  populateExpandVectorPositionsPatterns(patterns);
  vector::populateVectorScanLoweringPatterns(patterns);
  FrozenRewritePatternSet frozen(std::move(patterns));
  for (auto function : module.getOps<func::FuncOp>()) {
    if (failed(expandElementTypes(function)) ||
        failed(applyPatternsGreedily(function, frozen)))
      return failure();
    expandDots(function);
    dropFlagsOfConversions(function);
  }
  return success();
}

/// Calls libm for what upstream's lowering would make exp(x) - 1 and log(1 + x)
/// of, whose small results have no digits, nor -0 its sign.
static LogicalResult callExactFunctions(ModuleOp module) {
  RewritePatternSet patterns(module.getContext());
  populateMathToLibmConversionPatterns(patterns);
  ConversionTarget target(*module.getContext());
  target.markUnknownOpDynamicallyLegal([](Operation *) { return true; });
  target.addIllegalOp<math::ExpM1Op, math::Log1pOp>();
  SmallVector<Operation *> functions(module.getOps<func::FuncOp>());
  return applyPartialConversion(functions, target, std::move(patterns));
}

static int64_t countFunctions(ModuleOp module) {
  return countOperations<math::ExpOp, math::ExpM1Op, math::LogOp, math::Log2Op,
                         math::Log1pOp, math::TanhOp, math::ErfOp>(module);
}

namespace {
struct ExpandHostOperationsPass
    : public mlir::hetero::impl::ExpandHostOperationsPassBase<
          ExpandHostOperationsPass> {
  using Base::Base;
  void runOnOperation() override {
    ModuleOp module = getOperation();
    bool wantsSummary = isHeard(remark::analysis(
        module.getLoc(),
        remark::RemarkOpts::name("summary").category(getArgument())));
    auto count = [&](SummaryCount::Counter counter) {
      return wantsSummary ? counter(module) : 0;
    };
    int64_t copies = count(countOperations<memref::CopyOp>);
    int64_t functions = count(countFunctions);
    if (failed(expandHostOperations(module)) ||
        failed(callExactFunctions(module)))
      return signalPassFailure();
    remarkSummary(module, getArgument(),
                  {{"copies", copies - count(countOperations<memref::CopyOp>)},
                   {"functions", functions - count(countFunctions)}});
  }
};
} // namespace
