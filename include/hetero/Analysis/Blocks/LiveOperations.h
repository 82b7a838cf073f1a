//===- LiveOperations.h - What results depend on ----------------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Finds what public results and side effects depend on. Control flow
// and private functions that pass several values depend on each by itself.
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_ANALYSIS_BLOCKS_LIVEOPERATIONS_H
#define HETERO_ANALYSIS_BLOCKS_LIVEOPERATIONS_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/MapVector.h"

namespace mlir::hetero {

class LiveOperations {
public:
  explicit LiveOperations(ModuleOp module);

  /// Asks for an operation of a function or of entered control flow.
  bool isLive(Operation *op) const { return operations.contains(op); }
  /// Asks for results and arguments that are carried or trimmable, and
  /// arguments of blocks that are not the first.
  bool isLive(Value carried) const { return values.contains(carried); }

  /// True if operations in its regions are looked at one by one.
  static bool isEntered(Operation *op);
  /// True if its results and the arguments of its regions are looked at one by
  /// one.
  static bool carries(Operation *op);
  /// Private functions that nothing but calls refers to, and these.
  using Trimmable = llvm::MapVector<Operation *, SmallVector<func::CallOp>>;
  const Trimmable &getTrimmable() const { return trimmable; }
  /// Whether a result of such a function is live in some call.
  bool isResultLive(Operation *function, unsigned index) const;
  /// True if all that leads to the block says what it hands to which argument.
  static bool mayDropArguments(Block &block);

private:
  void findTrimmable(ModuleOp module);
  /// The function that is called, if it is trimmable.
  Operation *getCallee(Operation *op);
  bool isCarried(Value value);
  void needFromCalls(Value carried);
  bool isPure(FunctionOpInterface function);
  bool hasEffects(Operation *op);
  void addRoots(Region &region);
  void need(Value value);
  void need(Operation *op);
  void needOperands(Operation *op);
  void needTerminators(Operation *op);
  void needNested(Operation *op);
  void needSources(Value carried);
  /// By result and argument of what carries: the operands that become it.
  const RegionBranchInverseSuccessorMapping &getMapping(Operation *op);
  bool isPassedOn(OpOperand &operand);

  SymbolTableCollection symbols;
  Trimmable trimmable;
  /// By function: no effects, in what it calls neither, and no recursion.
  llvm::DenseMap<Operation *, bool> pure;
  llvm::DenseMap<Operation *, RegionBranchInverseSuccessorMapping> mappings;
  /// Operands in these.
  llvm::DenseSet<OpOperand *> passedOn;
  llvm::DenseSet<Operation *> operations;
  llvm::DenseSet<Value> values;
  SmallVector<Operation *> pendingOperations;
  SmallVector<Value> pendingValues;
};

} // namespace mlir::hetero

#endif // HETERO_ANALYSIS_BLOCKS_LIVEOPERATIONS_H
