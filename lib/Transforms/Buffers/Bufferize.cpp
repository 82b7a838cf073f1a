//===- Bufferize.cpp - Turns tensors into memrefs of a device -------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Dissolves regions and bufferizes the module. A region's device is written
// into the types of its body first, so that One-Shot Bufferize, which takes the
// memory space from the encoding, gives the body's allocations the memory of
// the region's device:
//
//   %r = hetero.execute "f_1" on gpu:0 (%a = %x : tensor<4xf32, gpu:0>) ... {
//     %0 = linalg.exp ins(%a : tensor<4xf32>) outs(...)
//     hetero.yield %0
//   }
//     ->
//   %m = memref.alloc() : memref<4xf32, gpu:0>
//   linalg.exp ins(%x : memref<4xf32, gpu:0>) outs(%m : memref<4xf32, gpu:0>)
//
// A copy between devices that address the same memory may be another name of
// the buffer (UnifiedCopies.cpp). What several copies lead over one link
// crosses it once (SharedRoutes.cpp).
//
//===----------------------------------------------------------------------===//

#include "Buffers.h"
#include "DeepNests.h"
#include "EmptyTensors.h"
#include "SharedBuffers.h"
#include "SharedRoutes.h"
#include "StateBuffers.h"
#include "UnifiedCopies.h"
#include "hetero/Dialect/Hetero/IR/DeviceKind.h"
#include "hetero/Dialect/Hetero/IR/HeteroBufferOps.h"
#include "hetero/Dialect/Hetero/IR/HeteroKernelOps.h"
#include "hetero/Dialect/Hetero/IR/SummaryRemark.h"
#include "hetero/Transforms/Passes.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Bufferization/Transforms/OneShotAnalysis.h"
#include "mlir/Dialect/Bufferization/Transforms/OneShotModuleBufferize.h"
#include "mlir/Dialect/Bufferization/Transforms/Passes.h"
#include "mlir/Dialect/Bufferization/Transforms/Transforms.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "mlir/Transforms/Passes.h"

namespace mlir::hetero {
#define GEN_PASS_DEF_BUFFERIZEPASS
#include "hetero/Transforms/Passes.h.inc"
} // namespace mlir::hetero

using namespace mlir;
using namespace mlir::hetero;

//===----------------------------------------------------------------------===//
// Dissolving regions
//===----------------------------------------------------------------------===//

/// Writes the device into the tensor types of one operation of a region's body.
static LogicalResult retypeOp(Operation *op, DeviceAttr device) {
  for (Value result : op->getResults())
    result.setType(withDevice(result.getType(), device));
  for (Region &region : op->getRegions())
    for (Block &block : region)
      for (BlockArgument argument : block.getArguments())
        argument.setType(withDevice(argument.getType(), device));
  if (auto toBuffer = dyn_cast<bufferization::ToBufferOp>(op)) {
    Value buffer = toBuffer->getResult(0);
    if (auto type = dyn_cast<MemRefType>(buffer.getType()))
      buffer.setType(MemRefType(
          MemRefType::Builder(type).setMemorySpace(device.getBare())));
  }
  if (auto constant = dyn_cast<arith::ConstantOp>(op))
    if (auto type = dyn_cast<RankedTensorType>(constant.getType())) {
      Attribute value = retypeElements(constant.getValue(), type);
      if (!value)
        return op->emitOpError("cannot hold its elements on ")
               << device.str() << "; use a dense or a dense resource constant";
      constant.setValueAttr(cast<TypedAttr>(value));
    }
  return success();
}

/// Replaces a region by its body, in place.
static LogicalResult dissolve(ExecuteOp execute) {
  DeviceAttr device = execute.getDevice();
  OpBuilder builder(execute);
  if (isHostAccessible(device))
    HostRegionOp::create(builder, execute.getLoc(), execute.getNameAttr(),
                         device.isHost() ? DeviceAttr() : device.getBare());
  if (!device.isHost()) {
    LogicalResult result = success();
    execute.getBody().walk([&](Operation *op) {
      if (failed(retypeOp(op, device)))
        result = failure();
      setDevice(op, device);
      op->setAttr(kRegionAttrName, execute.getNameAttr());
    });
    if (failed(result))
      return failure();
  }
  if (isHostAccessible(device)) {
    builder.setInsertionPointAfter(execute);
    EndHostRegionOp::create(builder, execute.getLoc());
  }
  Block *body = execute.getBodyBlock();
  for (auto [argument, input] :
       llvm::zip(body->getArguments(), execute.getInputs()))
    argument.replaceAllUsesWith(input);
  YieldOp yield = execute.getYield();
  execute->replaceAllUsesWith(yield.getValues());
  yield->erase();
  execute->getBlock()->getOperations().splice(execute->getIterator(),
                                              body->getOperations());
  execute->erase();
  return success();
}

/// Upstream's inference of static sizes writes them into the type of an
/// expansion only; on buffers the operands must say the same.
static void repeatSizesOfTypes(ModuleOp module) {
  SmallVector<tensor::ExpandShapeOp> ops;
  module.walk([&](tensor::ExpandShapeOp op) { ops.push_back(op); });
  for (tensor::ExpandShapeOp op : ops) {
    OpBuilder builder(op);
    RankedTensorType type = op.getResultType();
    SmallVector<OpFoldResult> shape = op.getMixedOutputShape();
    for (auto [dim, size] : llvm::enumerate(type.getShape()))
      if (!ShapedType::isDynamic(size))
        shape[dim] = builder.getIndexAttr(size);
    if (shape == op.getMixedOutputShape())
      continue;
    auto expand =
        tensor::ExpandShapeOp::create(builder, op.getLoc(), type, op.getSrc(),
                                      op.getReassociationIndices(), shape);
    expand->setDiscardableAttrs(op->getDiscardableAttrDictionary());
    op.replaceAllUsesWith(expand.getResult());
    op.erase();
  }
}

/// Returns how many regions there were.
static FailureOr<int64_t> dissolveRegions(ModuleOp module) {
  SmallVector<ExecuteOp> regions;
  module.walk([&](ExecuteOp op) { regions.push_back(op); });
  for (ExecuteOp op : regions)
    if (failed(dissolve(op)))
      return failure();
  return static_cast<int64_t>(regions.size());
}

//===----------------------------------------------------------------------===//
// Bufferizing
//===----------------------------------------------------------------------===//

/// Bufferization converts what one edge between two blocks passes on. Where
/// there are several, each that passes tensors gets a block with a cf.br.
static void splitEdges(BranchOpInterface branch) {
  OpBuilder builder(branch);
  for (unsigned i = 0, e = branch->getNumSuccessors(); i != e; ++i) {
    SuccessorOperands operands = branch.getSuccessorOperands(i);
    OperandRange forwarded = operands.getForwardedOperands();
    Block *target = branch->getSuccessor(i);
    if (operands.getProducedOperandCount() != 0 ||
        llvm::none_of(forwarded.getTypes(), llvm::IsaPred<TensorType>))
      continue;
    Block *edge = builder.createBlock(target);
    cf::BranchOp::create(builder, branch.getLoc(), target, forwarded);
    branch->setSuccessor(edge, i);
    operands.erase(0, operands.size());
  }
}

static void splitEdges(ModuleOp module) {
  SmallVector<BranchOpInterface> branches;
  module.walk([&](BranchOpInterface op) {
    llvm::SmallPtrSet<Block *, 2> targets;
    for (Block *target : op->getSuccessors())
      if (!targets.insert(target).second) {
        branches.push_back(op);
        return;
      }
  });
  for (BranchOpInterface op : branches)
    splitEdges(op);
}

/// A caller owns its arguments: entry points must not write to them, unless
/// they are donated, and a kernel writes to its destinations only, which are
/// its last arguments.
static void protectArguments(ModuleOp module) {
  module.walk([](func::FuncOp func) {
    bool isKernel = func->hasAttr(kKernelAttrName);
    if (!func.isPublic() && !isKernel)
      return;
    unsigned inputs = func.getNumArguments() - func.getNumResults();
    for (unsigned i = 0; i < func.getNumArguments(); ++i)
      if (isa<TensorType>(func.getArgument(i).getType())) {
        bool isWritable = isKernel ? i >= inputs : isDonated(func, i);
        func.setArgAttr(i,
                        bufferization::BufferizationDialect::kWritableAttrName,
                        BoolAttr::get(func.getContext(), isWritable));
      }
  });
}

/// A kernel's results are in its destinations, and need not be returned.
static void dropKernelResults(func::FuncOp kernel) {
  Operation *terminator = kernel.getBody().front().getTerminator();
  OpBuilder builder(terminator);
  unsigned inputs = kernel.getNumArguments() - kernel.getNumResults();
  for (auto [index, result] : llvm::enumerate(terminator->getOperands())) {
    Value destination = kernel.getArgument(inputs + index);
    if (result != destination)
      memref::CopyOp::create(builder, kernel.getLoc(), result, destination);
  }
  terminator->setOperands({});
  (void)kernel.eraseResults(llvm::BitVector(kernel.getNumResults(), true));
}

static void dropKernelResults(ModuleOp module) {
  for (auto function : module.getOps<func::FuncOp>())
    if (function->hasAttr(kKernelAttrName))
      dropKernelResults(function);
}

/// Makes donated arguments the function's own. Fails on a function that another
/// one calls: that one would go on to own what it passes.
static LogicalResult adoptArguments(ModuleOp module) {
  for (auto func : module.getOps<func::FuncOp>()) {
    if (func.isExternal())
      continue;
    auto builder = OpBuilder::atBlockBegin(&func.getBody().front());
    for (unsigned i = 0; i < func.getNumArguments(); ++i) {
      if (!isDonated(func, i))
        continue;
      std::optional<SymbolTable::UseRange> uses = func.getSymbolUses(module);
      if (uses && !uses->empty())
        return func.emitError("expected no call of @")
               << func.getName() << " in the module, whose argument " << i
               << " is donated; call a private function that both share";
      Value argument = func.getArgument(i);
      auto adopt =
          AdoptOp::create(builder, func.getLoc(), argument.getType(), argument);
      argument.replaceAllUsesExcept(adopt, adopt);
    }
  }
  return success();
}

static bufferization::OneShotBufferizationOptions getOptions() {
  bufferization::OneShotBufferizationOptions options;
  options.bufferizeFunctionBoundaries = true;
  options.allowReturnAllocsFromLoops = true;
  options.setFunctionBoundaryTypeConversion(
      bufferization::LayoutMapOption::IdentityLayoutMap);
  options.defaultMemorySpaceFn =
      [](TensorType type) -> std::optional<Attribute> {
    auto ranked = dyn_cast<RankedTensorType>(type);
    return ranked ? ranked.getEncoding() : Attribute();
  };
  options.functionArgTypeConverterFn =
      [](bufferization::TensorLikeType type, Attribute, func::FuncOp,
         const bufferization::BufferizationOptions &)
      -> bufferization::BufferLikeType {
    auto tensor = cast<TensorType>(static_cast<Type>(type));
    auto ranked = dyn_cast<RankedTensorType>(tensor);
    return cast<bufferization::BufferLikeType>(
        static_cast<Type>(bufferization::getMemRefTypeWithStaticIdentityLayout(
            tensor, ranked ? ranked.getEncoding() : Attribute())));
  };
  return options;
}

/// True if the cast says of a buffer that its rows follow each other, though
/// only the run knows whether they do: one size decides it, and the verifier
/// lets dynamic strides pass.
static bool isCastOfRows(memref::CastOp cast) {
  auto source = dyn_cast<MemRefType>(cast.getSource().getType());
  auto target = dyn_cast<MemRefType>(cast.getType());
  return source && target && target.getLayout().isIdentity() &&
         !source.getLayout().isIdentity() && target.getRank() > 1 &&
         llvm::any_of(target.getShape().drop_front(), ShapedType::isDynamic);
}

/// Copies views where buffers without gaps are expected, such as a slice that
/// is returned.
static void copyViews(ModuleOp module) {
  module.walk([](memref::CastOp cast) {
    if (!isCastOfRows(cast))
      return;
    OpBuilder builder(cast);
    cast.replaceAllUsesWith(copyBuffer(builder, cast.getLoc(), cast.getSource(),
                                       llvm::cast<MemRefType>(cast.getType())));
    cast.erase();
  });
}

/// True if the cast tells sizes that its source does not, of a buffer that is
/// copied. Folding takes such a cast away from the copy. Where its source gets
/// other sizes, which code that is never reached may say, the copy is invalid.
static bool isNarrowedCopy(memref::CastOp cast) {
  auto source = dyn_cast<MemRefType>(cast.getSource().getType());
  auto target = dyn_cast<MemRefType>(cast.getType());
  return source && target &&
         llvm::any_of(cast->getUsers(), llvm::IsaPred<memref::CopyOp>) &&
         llvm::any_of(llvm::seq(source.getRank()), [&](int64_t axis) {
           return source.isDynamicDim(axis) && !target.isDynamicDim(axis);
         });
}

/// Makes views, which no copy looks through, of casts that tell sizes.
static void keepNarrowedCopies(ModuleOp module) {
  module.walk([](memref::CastOp cast) {
    if (!isNarrowedCopy(cast))
      return;
    OpBuilder builder(cast);
    auto target = llvm::cast<MemRefType>(cast.getType());
    auto source = memref::ExtractStridedMetadataOp::create(
        builder, cast.getLoc(), cast.getSource());
    auto mix = [&](int64_t known, Value value) -> OpFoldResult {
      return ShapedType::isDynamic(known)
                 ? OpFoldResult(value)
                 : OpFoldResult(builder.getIndexAttr(known));
    };
    auto [strides, offset] = target.getStridesAndOffset();
    Value view = memref::ReinterpretCastOp::create(
        builder, cast.getLoc(), target, cast.getSource(),
        mix(offset, source.getOffset()),
        llvm::map_to_vector(
            llvm::zip_equal(target.getShape(), source.getSizes()),
            [&](auto pair) { return std::apply(mix, pair); }),
        llvm::map_to_vector(llvm::zip_equal(strides, source.getStrides()),
                            [&](auto pair) { return std::apply(mix, pair); }));
    cast.replaceAllUsesWith(view);
    cast.erase();
  });
}

//===----------------------------------------------------------------------===//
// Writes of vectors
//===----------------------------------------------------------------------===//

/// True if the write leaves elements of the tensor as they are.
static bool isPartial(vector::TransferWriteOp op) {
  auto tensor = cast<RankedTensorType>(op.getShapedType());
  VectorType vector = op.getVectorType();
  return op.getMask() || vector.getRank() != tensor.getRank() ||
         !op.getPermutationMap().isIdentity() ||
         !llvm::equal(vector.getShape(), tensor.getShape());
}

/// Upstream's analysis takes every write of a vector whose place is zero in all
/// dimensions for one of all elements, and does not copy those that it leaves
/// alone. It does not see that a sum is zero. Returns these sums.
static SmallVector<arith::AddIOp> hideZeros(ModuleOp module) {
  SmallVector<arith::AddIOp> sums;
  module.walk([&](vector::TransferWriteOp op) {
    if (!isa<RankedTensorType>(op.getShapedType()) || op.getIndices().empty() ||
        !isPartial(op) || !llvm::all_of(op.getIndices(), isZeroInteger))
      return;
    OpBuilder builder(op);
    Value zero = op.getIndices().front();
    sums.push_back(arith::AddIOp::create(builder, op.getLoc(), zero, zero));
    op.getIndicesMutable()[0].set(sums.back());
  });
  return sums;
}

/// A loop that passes its buffer as it is need not carry it: what it writes
/// is then known by name.
static LogicalResult dropCarriedBuffers(ModuleOp module) {
  SmallVector<Operation *> loops;
  module.walk([&](scf::ForOp loop) {
    if (llvm::any_of(loop.getResultTypes(), llvm::IsaPred<BaseMemRefType>))
      loops.push_back(loop);
  });
  RewritePatternSet patterns(module.getContext());
  scf::ForOp::getCanonicalizationPatterns(patterns, module.getContext());
  GreedyRewriteConfig config;
  config.setStrictness(GreedyRewriteStrictness::ExistingAndNewOps);
  return applyOpPatternsGreedily(loops, std::move(patterns), config);
}

/// What is stored in state may be there already.
static void dropCopiesToThemselves(ModuleOp module) {
  SmallVector<memref::CopyOp> copies;
  module.walk([&](memref::CopyOp op) {
    if (op.getSource() == op.getTarget())
      copies.push_back(op);
  });
  for (memref::CopyOp op : copies)
    op.erase();
}

namespace {
struct BufferizePass
    : public mlir::hetero::impl::BufferizePassBase<BufferizePass> {
  using Base::Base;

  void runOnOperation() override {
    ModuleOp module = getOperation();
    if (getPhase(module) >= Phase::Bufferized)
      return;
    FailureOr<int64_t> regions = dissolveRegions(module);
    if (failed(regions))
      return signalPassFailure();
    int64_t routes = shareRoutes(module);
    markUnifiedCopies(module);
    if (failed(putStateInBuffers(module)))
      return signalPassFailure();
    repeatSizesOfTypes(module);
    protectArguments(module);
    separateFills(module);
    separateEmptyTensors(module);
    if (failed(prepare(module)))
      return signalPassFailure();
    splitEdges(module); // Last, since what runs before may join them again.
    if (failed(bufferize(module)) || failed(adoptArguments(module)))
      return signalPassFailure();
    bufferization::removeBufferizationAttributesInModule(module);
    if (failed(dropCarriedBuffers(module)))
      return signalPassFailure();
    dropCopiesToThemselves(module);
    separateSharedConstants(module);
    // After it, since a loop may have passed what is returned.
    dropKernelResults(module);
    setPhase(module, Phase::Bufferized);
    remarkSummary(module, getArgument(),
                  {{"regions", *regions},
                   {"buffers", countOperations<memref::AllocOp>},
                   {"copies", countOperations<memref::CopyOp>},
                   {"shared", countOperations<memref::MemorySpaceCastOp>},
                   {"routes", routes}});
  }

  /// Empty tensors become the buffers they are inserted into, or allocations.
  LogicalResult prepare(ModuleOp module) {
    if (failed(eliminateEmptyTensors(module)))
      return failure();
    OpPassManager allocate(ModuleOp::getOperationName());
    allocate.addPass(bufferization::createEmptyTensorToAllocTensorPass());
    return runPipeline(allocate, module);
  }

  LogicalResult bufferize(ModuleOp module) {
    SmallVector<arith::AddIOp> sums = hideZeros(module);
    llvm::append_range(sums, hideTripCounts(module));
    if (failed(keepConflicts(module, getOptions())))
      return failure();
    bufferization::BufferizationState state;
    bufferization::OneShotBufferizationOptions options = getOptions();
    if (failed(insertCopies(module, options, state)) ||
        failed(bufferization::bufferizeModuleOp(module, options, state)))
      return failure();
    copyViews(module);
    keepNarrowedCopies(module);
    showFirst(sums);
    return success();
  }
};
} // namespace
