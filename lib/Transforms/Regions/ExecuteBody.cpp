//===- ExecuteBody.cpp - Transforms the body of one region ----------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   %r = hetero.execute "main_0" on #gpu (%a = %x : ...) -> (...) { BODY }
//
// becomes, in a module of its own,
//
//   func.func @main_0(%a: ...) -> (...) attributes {hetero.device = #gpu}
//   {BODY}
//
// and back.
//
//===----------------------------------------------------------------------===//

#include "hetero/Transforms/Regions/ExecuteBody.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/OperationSupport.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/ADT/StringSet.h"

using namespace mlir;
using namespace mlir::hetero;

/// The function's name: symbols may not be empty.
static StringRef getFunctionName(ExecuteOp op) {
  return op.getName().empty() ? StringRef("region") : op.getName();
}

/// Clones the body of `op` into a new function at the end of `module`.
static func::FuncOp createFunction(ExecuteOp op, ModuleOp module) {
  auto builder = OpBuilder::atBlockEnd(module.getBody());
  Block *body = op.getBodyBlock();
  auto type = FunctionType::get(op.getContext(), body->getArgumentTypes(),
                                op.getYield().getOperandTypes());
  auto func =
      func::FuncOp::create(builder, op.getLoc(), getFunctionName(op), type);
  setDevice(func, op.getDevice());
  IRMapping mapping;
  op.getBody().cloneInto(&func.getBody(), mapping);
  Operation *yield = func.getBody().front().getTerminator();
  builder.setInsertionPoint(yield);
  func::ReturnOp::create(builder, yield->getLoc(), yield->getOperands());
  yield->erase();
  return func;
}

/// Copies the symbols that the body of `op` refers to, so that the scratch
/// module verifies; their names are added to `names`.
static void importSymbols(ExecuteOp op, ModuleOp scratch,
                          llvm::StringSet<> &names) {
  std::optional<SymbolTable::UseRange> uses =
      SymbolTable::getSymbolUses(&op.getBody());
  if (!uses)
    return;
  auto builder = OpBuilder::atBlockBegin(scratch.getBody());
  for (SymbolTable::SymbolUse use : *uses) {
    StringAttr name = use.getSymbolRef().getRootReference();
    Operation *symbol = SymbolTable::lookupNearestSymbolFrom(op, name);
    if (!symbol || !names.insert(name).second)
      continue;
    auto func = dyn_cast<func::FuncOp>(symbol);
    if (!func) {
      builder.clone(*symbol);
      continue;
    }
    // The body stays outside: it is compiled there, and could be large.
    auto declaration =
        cast<func::FuncOp>(builder.insert(func->cloneWithoutRegions()));
    declaration.setPrivate();
  }
}

/// Moves what the transformation added beside the function to the enclosing
/// module. Equal symbols are shared, other clashes renamed.
static LogicalResult exportSymbols(ExecuteOp op, ModuleOp scratch,
                                   func::FuncOp func,
                                   const llvm::StringSet<> &imported) {
  SmallVector<Operation *> added;
  for (Operation &other : scratch.getOps()) {
    auto name =
        other.getAttrOfType<StringAttr>(SymbolTable::getSymbolAttrName());
    if (!name)
      return op.emitOpError("cannot take back '")
             << other.getName() << "' that a pass added beside the body of \""
             << op.getName() << "\"; passes may add symbols only";
    if (&other != func && !imported.contains(name.getValue()))
      added.push_back(&other);
  }
  auto module = op->getParentOfType<ModuleOp>();
  if (added.empty() || !module)
    return success();
  SymbolTable outer(module), inner(scratch);
  for (Operation *symbol : added) {
    Operation *other = outer.lookup(SymbolTable::getSymbolName(symbol));
    if (other && OperationEquivalence::isEquivalentTo(
                     symbol, other, OperationEquivalence::IgnoreLocations))
      continue;
    if (other && failed(inner.renameToUnique(symbol, {&outer})))
      return op.emitOpError("cannot rename @")
             << SymbolTable::getSymbolName(symbol).getValue();
    symbol->remove();
    outer.insert(symbol);
  }
  return success();
}

/// The function of that name and type, with one block; else an error.
static FailureOr<func::FuncOp> findResult(ExecuteOp op, ModuleOp scratch,
                                          FunctionType type) {
  auto func = scratch.lookupSymbol<func::FuncOp>(getFunctionName(op));
  if (!func)
    return op.emitOpError("the function of region \"")
               << op.getName()
               << "\" is gone after the transformation; keep it a func.func",
           failure();
  if (func.getFunctionType() != type)
    return op.emitOpError("expected the signature of region \"")
               << op.getName() << "\" to stay " << type << ", got "
               << func.getFunctionType()
               << "; do not change function boundaries",
           failure();
  if (!func.getBody().hasOneBlock() ||
      !isa<func::ReturnOp>(func.getBody().front().getTerminator()))
    return op.emitOpError("expected the body of region \"")
               << op.getName()
               << "\" to stay one block; keep structured control flow",
           failure();
  return func;
}

LogicalResult mlir::hetero::runOnExecuteBody(
    ExecuteOp op, function_ref<LogicalResult(func::FuncOp)> transform) {
  OwningOpRef<ModuleOp> scratch = ModuleOp::create(op.getLoc());
  if (auto module = op->getParentOfType<ModuleOp>())
    (*scratch)->setDiscardableAttrs(module->getDiscardableAttrDictionary());
  llvm::StringSet<> imported;
  importSymbols(op, *scratch, imported);
  func::FuncOp func = createFunction(op, *scratch);
  FunctionType type = func.getFunctionType();
  // The body may refer to a symbol that has the region's own name.
  if (imported.contains(getFunctionName(op)))
    return op.emitOpError("expected a name that the body does not refer to, "
                          "got \"")
           << op.getName() << "\"; rename the region";
  if (failed(transform(func)))
    return failure();
  FailureOr<func::FuncOp> result = findResult(op, *scratch, type);
  if (failed(result) || failed(exportSymbols(op, *scratch, *result, imported)))
    return failure();
  op.getBody().takeBody(result->getBody());
  Operation *terminator = op.getBodyBlock()->getTerminator();
  OpBuilder builder(terminator);
  YieldOp::create(builder, terminator->getLoc(), terminator->getOperands());
  terminator->erase();
  return success();
}

LogicalResult
mlir::hetero::runPipelineOnExecuteBody(ExecuteOp op,
                                       const OpPassManager &pipeline) {
  return runOnExecuteBody(op, [&](func::FuncOp func) {
    PassManager manager(op.getContext(), ModuleOp::getOperationName());
    static_cast<OpPassManager &>(manager) = pipeline;
    return manager.run(func->getParentOfType<ModuleOp>());
  });
}
