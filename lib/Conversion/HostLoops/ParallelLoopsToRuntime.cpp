//===- ParallelLoopsToRuntime.cpp - Parallel loops to calls ---------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   scf.forall (%i, %j) in (%m, %n) { BODY(%i, %j, %memref) }
//
// becomes
//
//   store %memref, %m, %n into %closure
//   llvm.call @heteroParallelFor(%m * %n, %grain, @main_loop_0, %closure)
//
//   func.func private @main_loop_0(%closure, %begin, %end) -> i32 {
//     load %memref, %m, %n from %closure
//     scf.for %linear = %begin to %end { BODY(%linear / %n, %linear % %n) }
//   }
//
//===----------------------------------------------------------------------===//

#include "Conversion/RuntimeABI/RuntimeFunctions.h"
#include "hetero/Codegen/CPU/Target/Processor.h"
#include "hetero/Conversion/Passes.h"
#include "hetero/Dialect/Hetero/IR/AttributeNames.h"
#include "hetero/Dialect/Hetero/IR/SummaryRemark.h"
#include "mlir/Conversion/LLVMCommon/TypeConverter.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/SCF/Transforms/Transforms.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Transforms/RegionUtils.h"

namespace mlir::hetero {
#define GEN_PASS_DEF_CONVERTPARALLELLOOPSTORUNTIMEPASS
#include "hetero/Conversion/Passes.h.inc"
} // namespace mlir::hetero

using namespace mlir;
using namespace mlir::hetero;

static constexpr llvm::StringLiteral kParallelFor = "heteroParallelFor";
/// Temporaries of a loop body up to this size, all together, live on the stack
/// of the thread that needs them.
static constexpr int64_t kMaxStackBytes = 256 * 1024;

namespace {
/// The iteration space and body of a parallel loop of either dialect op.
struct ParallelLoop {
  Operation *op;
  SmallVector<Value> lower, upper, step;
  SmallVector<BlockArgument> indices;
  Region *body;
};

/// What outlineParallelLoops changed.
struct ParallelLoopCounts {
  /// Loops that became bodies, and loops in those that became serial.
  int64_t outlined = 0, serialized = 0;
  /// Buffers of an iteration that moved to the stack.
  int64_t temporaries = 0;
};

/// Outlines the parallel loops of one module.
class Outliner {
public:
  explicit Outliner(ModuleOp module)
      : module(module), symbols(module), rewriter(module.getContext()),
        types(module.getContext()) {}
  void run(ParallelLoopCounts &counts);

private:
  ParallelLoop read(Operation *op);
  Value getCount(const ParallelLoop &loop, unsigned position);
  void outline(Operation *op);
  SmallVector<Value> capture(Region &body, SmallVector<Operation *> &constants);
  Value pack(ArrayRef<Value> values, LLVM::LLVMStructType type, Location loc,
             func::FuncOp caller);
  func::FuncOp createBody(const ParallelLoop &loop, func::FuncOp caller,
                          ArrayRef<Value> captured, ArrayRef<Value> counts,
                          ArrayRef<Operation *> constants,
                          LLVM::LLVMStructType closureType);
  void fillBody(func::FuncOp body, const ParallelLoop &loop,
                ArrayRef<Value> counts, IRMapping &mapping);

  ModuleOp module;
  SymbolTable symbols;
  IRRewriter rewriter;
  LLVMTypeConverter types;
};
} // namespace

/// The bounds of a loop, as values before it.
ParallelLoop Outliner::read(Operation *op) {
  ParallelLoop loop;
  loop.op = op;
  loop.body = &op->getRegion(0);
  rewriter.setInsertionPoint(op);
  if (auto parallel = dyn_cast<scf::ParallelOp>(op)) {
    loop.lower = parallel.getLowerBound();
    loop.upper = parallel.getUpperBound();
    loop.step = parallel.getStep();
    loop.indices =
        llvm::to_vector_of<BlockArgument>(parallel.getBody()->getArguments());
    return loop;
  }
  auto forall = cast<scf::ForallOp>(op);
  auto materialize = [&](ArrayRef<OpFoldResult> values) {
    return getValueOrCreateConstantIndexOp(rewriter, op->getLoc(), values);
  };
  loop.lower = materialize(forall.getMixedLowerBound());
  loop.upper = materialize(forall.getMixedUpperBound());
  loop.step = materialize(forall.getMixedStep());
  loop.indices = llvm::to_vector_of<BlockArgument>(
      forall.getBody()->getArguments().take_front(forall.getRank()));
  return loop;
}

/// Number of iterations of one dimension: ceil((upper - lower) / step), not
/// negative.
Value Outliner::getCount(const ParallelLoop &loop, unsigned position) {
  Location loc = loop.op->getLoc();
  AffineExpr lower = rewriter.getAffineSymbolExpr(0);
  AffineExpr upper = rewriter.getAffineSymbolExpr(1);
  Value zero = arith::ConstantIndexOp::create(rewriter, loc, 0);
  std::optional<int64_t> step = getConstantIntValue(loop.step[position]);
  Value count;
  if (step) {
    OpFoldResult folded = affine::makeComposedFoldedAffineApply(
        rewriter, loc, (upper - lower).ceilDiv(*step),
        getAsOpFoldResult({loop.lower[position], loop.upper[position]}));
    count = getValueOrCreateConstantIndexOp(rewriter, loc, folded);
  } else {
    Value distance = arith::SubIOp::create(rewriter, loc, loop.upper[position],
                                           loop.lower[position]);
    count = arith::CeilDivSIOp::create(rewriter, loc, distance,
                                       loop.step[position]);
  }
  return rewriter.createOrFold<arith::MaxSIOp>(loc, count, zero);
}

/// What the body uses from outside; constants are listed apart, to be cloned.
SmallVector<Value> Outliner::capture(Region &body,
                                     SmallVector<Operation *> &constants) {
  llvm::SetVector<Value> used;
  getUsedValuesDefinedAbove(body, used);
  SmallVector<Value> captured;
  for (Value value : used) {
    Operation *definition = value.getDefiningOp();
    if (definition && definition->hasTrait<OpTrait::ConstantLike>())
      constants.push_back(definition);
    else
      captured.push_back(value);
  }
  return captured;
}

/// Stores the values into a struct on the caller's stack. It is allocated in
/// the entry block, so that a loop around does not let the stack grow.
Value Outliner::pack(ArrayRef<Value> values, LLVM::LLVMStructType type,
                     Location loc, func::FuncOp caller) {
  Value closure;
  {
    OpBuilder::InsertionGuard guard(rewriter);
    rewriter.setInsertionPointToStart(&caller.getBody().front());
    Value one = LLVM::ConstantOp::create(rewriter, loc, rewriter.getI64Type(),
                                         rewriter.getI64IntegerAttr(1));
    closure = LLVM::AllocaOp::create(
        rewriter, loc, LLVM::LLVMPointerType::get(rewriter.getContext()), type,
        one);
  }
  for (auto [index, original] : llvm::enumerate(values)) {
    Value value = original;
    Type converted = type.getBody()[index];
    if (converted != value.getType())
      value =
          UnrealizedConversionCastOp::create(rewriter, loc, converted, value)
              .getResult(0);
    Value field = LLVM::GEPOp::create(
        rewriter, loc, closure.getType(), type, closure,
        ArrayRef<LLVM::GEPArg>{0, static_cast<int32_t>(index)});
    LLVM::StoreOp::create(rewriter, loc, value, field);
  }
  return closure;
}

/// The outlined function; its parameters are the closure and the range.
func::FuncOp Outliner::createBody(const ParallelLoop &loop, func::FuncOp caller,
                                  ArrayRef<Value> captured,
                                  ArrayRef<Value> counts,
                                  ArrayRef<Operation *> constants,
                                  LLVM::LLVMStructType closureType) {
  OpBuilder::InsertionGuard guard(rewriter);
  Location loc = loop.op->getLoc();
  MLIRContext *context = module.getContext();
  Type pointer = LLVM::LLVMPointerType::get(context);
  Type i64 = rewriter.getI64Type();
  rewriter.setInsertionPointAfter(caller);
  auto body = func::FuncOp::create(
      rewriter, loc, (caller.getName() + "_loop").str(),
      rewriter.getFunctionType({pointer, i64, i64}, rewriter.getI32Type()));
  body.setPrivate();
  body->setAttr(kLoopBodyAttrName, rewriter.getUnitAttr());
  if (Attribute processor = caller->getAttr(kProcessorAttrName))
    body->setAttr(kProcessorAttrName, processor);
  symbols.insert(body);
  rewriter.setInsertionPointToStart(body.addEntryBlock());
  IRMapping mapping;
  for (Operation *constant : constants)
    rewriter.clone(*constant, mapping);
  for (auto [index, value] : llvm::enumerate(captured)) {
    Value field = LLVM::GEPOp::create(
        rewriter, loc, pointer, closureType, body.getArgument(0),
        ArrayRef<LLVM::GEPArg>{0, static_cast<int32_t>(index)});
    Value loaded = LLVM::LoadOp::create(rewriter, loc,
                                        closureType.getBody()[index], field);
    if (loaded.getType() != value.getType())
      loaded = UnrealizedConversionCastOp::create(rewriter, loc,
                                                  value.getType(), loaded)
                   .getResult(0);
    mapping.map(value, loaded);
  }
  fillBody(body, loop, counts, mapping);
  return body;
}

/// The loop over the linear range, with the indices of each iteration.
void Outliner::fillBody(func::FuncOp body, const ParallelLoop &loop,
                        ArrayRef<Value> counts, IRMapping &mapping) {
  Location loc = loop.op->getLoc();
  Type index = rewriter.getIndexType();
  Value begin =
      arith::IndexCastOp::create(rewriter, loc, index, body.getArgument(1));
  Value end =
      arith::IndexCastOp::create(rewriter, loc, index, body.getArgument(2));
  Value one = arith::ConstantIndexOp::create(rewriter, loc, 1);
  auto range = scf::ForOp::create(rewriter, loc, begin, end, one);
  Value status =
      arith::ConstantOp::create(rewriter, loc, rewriter.getI32IntegerAttr(0));
  func::ReturnOp::create(rewriter, loc, status);
  rewriter.setInsertionPointToStart(range.getBody());
  Value rest = range.getInductionVar();
  for (int position = counts.size() - 1; position >= 0; --position) {
    Value count = mapping.lookupOrDefault(counts[position]);
    Value place = rest;
    if (position != 0) {
      place = arith::RemUIOp::create(rewriter, loc, rest, count);
      rest = arith::DivUIOp::create(rewriter, loc, rest, count);
    }
    Value scaled = rewriter.createOrFold<arith::MulIOp>(
        loc, place, mapping.lookupOrDefault(loop.step[position]));
    mapping.map(
        loop.indices[position],
        rewriter.createOrFold<arith::AddIOp>(
            loc, scaled, mapping.lookupOrDefault(loop.lower[position])));
  }
  for (Operation &inner : loop.body->front().without_terminator())
    rewriter.clone(inner, mapping);
}

void Outliner::outline(Operation *op) {
  auto caller = op->getParentOfType<func::FuncOp>();
  Location loc = op->getLoc();
  ParallelLoop loop = read(op);
  SmallVector<Value> counts;
  Value total = arith::ConstantIndexOp::create(rewriter, loc, 1);
  for (unsigned position = 0; position < loop.indices.size(); ++position) {
    counts.push_back(getCount(loop, position));
    total = rewriter.createOrFold<arith::MulIOp>(loc, total, counts.back());
  }
  SmallVector<Operation *> constants;
  llvm::SetVector<Value> captured;
  captured.insert_range(capture(*loop.body, constants));
  for (ArrayRef<Value> values :
       {ArrayRef(counts), ArrayRef(loop.lower), ArrayRef(loop.step)})
    for (Value value : values) {
      Operation *definition = value.getDefiningOp();
      if (!definition || !definition->hasTrait<OpTrait::ConstantLike>())
        captured.insert(value);
      else if (!llvm::is_contained(constants, definition))
        constants.push_back(definition);
    }
  SmallVector<Type> fields;
  for (Value value : captured)
    fields.push_back(types.convertType(value.getType()));
  auto closureType =
      LLVM::LLVMStructType::getLiteral(module.getContext(), fields);
  auto grain = op->getAttrOfType<IntegerAttr>(kGrainAttrName);
  func::FuncOp body = createBody(loop, caller, captured.getArrayRef(), counts,
                                 constants, closureType);
  Value closure = pack(captured.getArrayRef(), closureType, loc, caller);
  Type i64 = rewriter.getI64Type();
  Value count = arith::IndexCastOp::create(rewriter, loc, i64, total);
  Value least = arith::ConstantOp::create(
      rewriter, loc, rewriter.getI64IntegerAttr(grain ? grain.getInt() : 1));
  Type pointer = closure.getType();
  Value function = func::ConstantOp::create(
      rewriter, loc, body.getFunctionType(),
      FlatSymbolRefAttr::get(module.getContext(), body.getName()));
  function =
      UnrealizedConversionCastOp::create(rewriter, loc, pointer, function)
          .getResult(0);
  LLVM::LLVMFuncOp runtime = declareRuntimeFunction(
      rewriter, module, kParallelFor, {i64, i64, pointer, pointer});
  auto call = LLVM::CallOp::create(rewriter, loc, runtime,
                                   ValueRange{count, least, function, closure});
  call->setAttr(kCheckedAttrName, rewriter.getUnitAttr());
  rewriter.eraseOp(op);
}

/// True for a loop that runs its iterations side by side and yields nothing.
static bool isParallelLoop(Operation *op) {
  return isa<scf::ForallOp, scf::ParallelOp>(op) && op->getNumResults() == 0;
}

void Outliner::run(ParallelLoopCounts &counts) {
  SmallVector<Operation *> outer, inner;
  module.walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (!isParallelLoop(op))
      return;
    bool nested = false;
    for (Operation *parent = op->getParentOp(); parent;
         parent = parent->getParentOp())
      nested |= isParallelLoop(parent);
    auto function = op->getParentOfType<func::FuncOp>();
    if (nested || !function || function->hasAttr(kLoopBodyAttrName))
      inner.push_back(op);
    else
      outer.push_back(op);
  });
  // The threads are busy with the outer iterations already.
  for (Operation *op : llvm::reverse(inner)) {
    rewriter.setInsertionPoint(op);
    if (auto forall = dyn_cast<scf::ForallOp>(op))
      (void)scf::forallToForLoop(rewriter, forall);
  }
  for (Operation *op : outer)
    outline(op);
  counts.outlined = outer.size();
  counts.serialized = inner.size();
}

/// The deallocation of `op`, if it is in the same block and the only one.
static memref::DeallocOp getOwnDealloc(memref::AllocOp op) {
  memref::DeallocOp found;
  for (Operation *user : op->getUsers())
    if (auto dealloc = dyn_cast<memref::DeallocOp>(user)) {
      if (found || dealloc->getBlock() != op->getBlock())
        return {};
      found = dealloc;
    }
  return found;
}

/// Bytes of a buffer, if its size is known.
static std::optional<int64_t> getBytes(MemRefType type) {
  Type element = type.getElementType();
  if (!type.hasStaticShape() || !element.isIntOrIndexOrFloat())
    return std::nullopt;
  int64_t bytes = element.isIndex()
                      ? 8
                      : llvm::divideCeil(element.getIntOrFloatBitWidth(), 8);
  if (type.getNumElements() > kMaxStackBytes / bytes)
    return std::nullopt;
  return type.getNumElements() * bytes;
}

/// Puts small temporaries of a loop body on the stack: every iteration needs
/// them, and a stack is the thread's own. Returns how many there are.
static int64_t promoteTemporaries(func::FuncOp function) {
  SmallVector<memref::AllocOp> allocations;
  function.walk([&](memref::AllocOp op) { allocations.push_back(op); });
  int64_t left = kMaxStackBytes, count = 0;
  for (memref::AllocOp op : allocations) {
    memref::DeallocOp dealloc = getOwnDealloc(op);
    std::optional<int64_t> bytes = getBytes(op.getType());
    if (!dealloc || !bytes || *bytes > left)
      continue;
    left -= *bytes;
    dealloc.erase();
    auto builder = OpBuilder::atBlockBegin(&function.getBody().front());
    Value stack = memref::AllocaOp::create(builder, op.getLoc(), op.getType(),
                                           builder.getI64IntegerAttr(64));
    op.replaceAllUsesWith(stack);
    op.erase();
    ++count;
  }
  return count;
}

/// Replaces each outermost scf.forall and scf.parallel without results by a
/// call of heteroParallelFor with a new private function marked
/// `hetero.loop_body`. Inner parallel loops become serial ones.
static ParallelLoopCounts outlineParallelLoops(ModuleOp module) {
  ParallelLoopCounts counts;
  Outliner(module).run(counts);
  for (auto function : module.getOps<func::FuncOp>())
    if (function->hasAttr(kLoopBodyAttrName))
      counts.temporaries += promoteTemporaries(function);
  return counts;
}

namespace {
struct ConvertParallelLoopsToRuntimePass
    : public mlir::hetero::impl::ConvertParallelLoopsToRuntimePassBase<
          ConvertParallelLoopsToRuntimePass> {
  using Base::Base;
  void runOnOperation() override {
    ParallelLoopCounts counts = outlineParallelLoops(getOperation());
    remarkSummary(getOperation(), getArgument(),
                  {{"outlined", counts.outlined},
                   {"serialized", counts.serialized},
                   {"temporaries", counts.temporaries}});
  }
};
} // namespace
