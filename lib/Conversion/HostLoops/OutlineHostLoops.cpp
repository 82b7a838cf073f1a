//===- OutlineHostLoops.cpp - Loops of large functions --------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   scf.for %i = ... { ... %a ... }
//   scf.for %i = ... { ... %b ... }
//     ->
//   call @main_serial(%a)
//   call @main_serial(%b)
//
// in functions that have many of them. LLVM's loop passes keep the dominators
// and what guards each loop for a whole function, so that their time grows with
// the square of the loops in it. Equal loops become one function.
//
//===----------------------------------------------------------------------===//

#include "hetero/Codegen/CPU/Target/Processor.h"
#include "hetero/Conversion/Passes.h"
#include "hetero/Dialect/Hetero/IR/HeteroDialect.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/OperationSupport.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Transforms/RegionUtils.h"

namespace mlir::hetero {
#define GEN_PASS_DEF_OUTLINEHOSTLOOPSPASS
#include "hetero/Conversion/Passes.h.inc"
} // namespace mlir::hetero

using namespace mlir;
using namespace mlir::hetero;

//===----------------------------------------------------------------------===//
// Finding loops
//===----------------------------------------------------------------------===//

/// True if the operation computes and does nothing that may fail at run time.
static bool isPlain(Operation *op) {
  if (isa<memref::AllocOp, memref::DeallocOp, memref::ReallocOp>(op))
    return false;
  return isa<affine::AffineDialect, arith::ArithDialect, linalg::LinalgDialect,
             math::MathDialect, memref::MemRefDialect, scf::SCFDialect,
             vector::VectorDialect>(op->getDialect());
}

/// True for an outermost loop that can be a function. Its results are numbers.
static bool isLoop(Operation *op) {
  if (!isa<scf::ForOp, affine::AffineForOp, linalg::LinalgOp>(op))
    return false;
  auto isNumber = [](Type type) { return type.isIntOrIndexOrFloat(); };
  return llvm::all_of(op->getResultTypes(), isNumber) &&
         !op->walk([](Operation *inner) {
              return isPlain(inner) ? WalkResult::advance()
                                    : WalkResult::interrupt();
            }).wasInterrupted();
}

static SmallVector<Operation *> findLoops(func::FuncOp function) {
  SmallVector<Operation *> loops;
  function.walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (!isLoop(op))
      return WalkResult::advance();
    loops.push_back(op);
    return WalkResult::skip();
  });
  return loops;
}

//===----------------------------------------------------------------------===//
// Outlining
//===----------------------------------------------------------------------===//

namespace {
/// Makes functions of loops.
class LoopOutliner {
public:
  explicit LoopOutliner(ModuleOp module) : symbols(module) {}

  void outline(Operation *loop, func::FuncOp caller);

private:
  func::FuncOp create(Operation *loop, func::FuncOp caller,
                      ArrayRef<Value> captured,
                      ArrayRef<Operation *> constants);
  func::FuncOp findEqual(func::FuncOp function);

  SymbolTable symbols;
  llvm::DenseMap<llvm::hash_code, SmallVector<func::FuncOp, 1>> byHash;
};
} // namespace

/// What the loop uses from outside: constants, which it gets copies of, and
/// other values.
static void findUses(Operation *loop, llvm::SetVector<Value> &captured,
                     llvm::SetVector<Operation *> &constants) {
  llvm::SetVector<Value> used(loop->operand_begin(), loop->operand_end());
  getUsedValuesDefinedAbove(loop->getRegions(), used);
  for (Value value : used) {
    Operation *op = value.getDefiningOp();
    if (op && op->hasTrait<OpTrait::ConstantLike>())
      constants.insert(op);
    else
      captured.insert(value);
  }
}

func::FuncOp LoopOutliner::create(Operation *loop, func::FuncOp caller,
                                  ArrayRef<Value> captured,
                                  ArrayRef<Operation *> constants) {
  OpBuilder builder(loop->getContext());
  Location loc = loop->getLoc();
  auto type = builder.getFunctionType(TypeRange(ValueRange(captured)),
                                      loop->getResultTypes());
  auto function =
      func::FuncOp::create(loc, (caller.getName() + "_serial").str(), type);
  function.setPrivate();
  function->setAttr("passthrough", builder.getStrArrayAttr({"noinline"}));
  if (Attribute processor = caller->getAttr(kProcessorAttrName))
    function->setAttr(kProcessorAttrName, processor);
  builder.setInsertionPointToStart(function.addEntryBlock());
  IRMapping mapping;
  mapping.map(captured, function.getArguments());
  for (Operation *constant : constants)
    builder.clone(*constant, mapping);
  Operation *inside = builder.clone(*loop, mapping);
  func::ReturnOp::create(builder, loc, inside->getResults());
  // They say where an operation comes from, which differs between equal loops.
  function.getBody().walk(removeOwnAttributes);
  return function;
}

func::FuncOp LoopOutliner::findEqual(func::FuncOp function) {
  auto hash = llvm::hash_value(function.getFunctionType().getAsOpaquePointer());
  function.getBody().walk([&](Operation *op) {
    hash =
        llvm::hash_combine(hash, OperationEquivalence::computeHash(
                                     op, OperationEquivalence::ignoreHashValue,
                                     OperationEquivalence::ignoreHashValue,
                                     OperationEquivalence::IgnoreLocations));
  });
  SmallVector<func::FuncOp, 1> &same = byHash[hash];
  for (func::FuncOp other : same)
    if (other.getFunctionType() == function.getFunctionType() &&
        other->getAttr(kProcessorAttrName) ==
            function->getAttr(kProcessorAttrName) &&
        OperationEquivalence::isRegionEquivalentTo(
            &other.getBody(), &function.getBody(),
            OperationEquivalence::IgnoreLocations))
      return other;
  same.push_back(function);
  return function;
}

void LoopOutliner::outline(Operation *loop, func::FuncOp caller) {
  llvm::SetVector<Value> captured;
  llvm::SetVector<Operation *> constants;
  findUses(loop, captured, constants);
  func::FuncOp function =
      create(loop, caller, captured.getArrayRef(), constants.getArrayRef());
  if (func::FuncOp equal = findEqual(function); equal != function) {
    function->erase();
    function = equal;
  } else {
    symbols.insert(function, std::next(Block::iterator(caller)));
  }
  OpBuilder builder(loop);
  auto call = func::CallOp::create(builder, loop->getLoc(), function,
                                   captured.getArrayRef());
  loop->replaceAllUsesWith(call);
  loop->erase();
}

static void outlineHostLoops(ModuleOp module, unsigned maxLoops) {
  LoopOutliner outliner(module);
  SmallVector<func::FuncOp> functions(module.getOps<func::FuncOp>());
  for (func::FuncOp function : functions) {
    SmallVector<Operation *> loops = findLoops(function);
    if (loops.size() > maxLoops)
      for (Operation *loop : loops)
        outliner.outline(loop, function);
  }
}

namespace {
struct OutlineHostLoopsPass
    : public mlir::hetero::impl::OutlineHostLoopsPassBase<
          OutlineHostLoopsPass> {
  using Base::Base;

  void runOnOperation() override { outlineHostLoops(getOperation(), maxLoops); }
};
} // namespace
