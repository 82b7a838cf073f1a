//===- LiveOperations.h - What results depend on ----------------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the results of functions and side effects depend on. Control flow that
// carries several values depends on each by itself.
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_ANALYSIS_BLOCKS_LIVEOPERATIONS_H
#define HETERO_ANALYSIS_BLOCKS_LIVEOPERATIONS_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"

namespace mlir::hetero {

class LiveOperations {
public:
  explicit LiveOperations(ModuleOp module);

  /// Of operations in functions and in what is entered.
  bool isLive(Operation *op) const { return operations.contains(op); }
  /// Of the results and arguments of what carries, and arguments of blocks
  /// that are not the first.
  bool isLive(Value carried) const { return values.contains(carried); }

  /// True if operations in its regions are looked at one by one.
  static bool isEntered(Operation *op);
  /// True if its results and the arguments of its regions are looked at one by
  /// one.
  static bool carries(Operation *op);
  /// True if all that leads to the block says what it hands to which argument.
  static bool mayDropArguments(Block &block);

private:
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
