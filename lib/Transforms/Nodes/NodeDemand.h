//===- NodeDemand.h - Which nodes need what ---------------------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Part of hetero-split-by-node: on which nodes each operation of a scheduled
// program runs, and where each value has to be. What touches memory, or has
// other effects, runs on one node, that of the memory. The rest follows from
// what it needs:
//
//  * control flow runs wherever something in it does;
//  * what has no effects and touches no memory is computed wherever its results
//    are needed;
//  * other scalars (a size, what is loaded from memory) come from the node that
//    has them to those that need them, once each time they are defined.
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_TRANSFORMS_NODES_NODEDEMAND_H
#define HETERO_TRANSFORMS_NODES_NODEDEMAND_H

#include "hetero/Dialect/Hetero/IR/HeteroDialect.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SparseBitVector.h"

namespace mlir::hetero {

using NodeSet = llvm::SparseBitVector<>;

/// The node whose memory a buffer is in.
int64_t getBufferNode(Value buffer);

class NodeDemand {
public:
  explicit NodeDemand(ModuleOp module) : module(module) {}

  /// Finds out. Emits an error for what no node can do.
  LogicalResult run();

  /// The functions that are split: public ones, and what they call.
  ArrayRef<FunctionOpInterface> getFunctions() const { return functions; }
  /// True if the function is split, and not there as a whole on some nodes.
  bool isSplit(FunctionOpInterface function) const {
    return splitFunctions.contains(function);
  }
  /// The function that a call calls, if it is split; else null.
  FunctionOpInterface getSplitCallee(Operation *op) const {
    return callees.lookup(op);
  }
  /// True for control flow whose regions are split. Other operations are on a
  /// node with all that is in them.
  bool isControlFlow(Operation *op) const { return control.contains(op); }

  /// The nodes that run an operation, or that have a function.
  const NodeSet &getNodes(Operation *op) const { return lookup(nodes, op); }
  /// The nodes that need a value, each of which has it.
  const NodeSet &getNeeds(Value value) const { return lookup(needs, value); }
  /// Those among them that get it from another node after its definition.
  const NodeSet &getReceivers(Value value) const {
    return lookup(receivers, value);
  }
  /// Where they get it from.
  int64_t getSender(Value value) const;
  /// The callers' nodes that need a result of a function.
  NodeSet getResultNeeds(FunctionOpInterface function, unsigned i) const;

private:
  template <typename Key>
  static const NodeSet &lookup(const llvm::DenseMap<Key, NodeSet> &sets,
                               Key key) {
    static const NodeSet none;
    auto it = sets.find(key);
    return it == sets.end() ? none : it->second;
  }

  void addFunction(FunctionOpInterface function);
  LogicalResult collectBlock(Block &block);
  FunctionOpInterface findCallee(Operation &op);
  LogicalResult addLeaf(Operation &op, std::optional<int64_t> region);
  void addControlEdges(Operation &op);
  void addBranchEdges(Operation &terminator);
  void addCallEdges(Operation *call, FunctionOpInterface callee);
  void addForwarded(OpOperand &operand, Value target);

  void run(Operation *op, int64_t node);
  void need(Value value, int64_t node);
  void propagateRun(Operation *op, int64_t node);
  LogicalResult propagateNeed(Value value, int64_t node);
  LogicalResult receive(Value value, Operation *around, int64_t node);

  ModuleOp module;
  SymbolTableCollection symbols;
  SmallVector<FunctionOpInterface> functions;
  llvm::DenseSet<Operation *> splitFunctions, control;
  llvm::DenseMap<Operation *, FunctionOpInterface> callees;
  llvm::DenseMap<Operation *, SmallVector<Operation *>> callers;
  /// Of leaves that one node runs.
  llvm::DenseMap<Operation *, int64_t> owners;
  /// What control flow and calls make of which values.
  llvm::DenseMap<Value, SmallVector<Value>> sources;
  llvm::DenseSet<OpOperand *> forwarded;

  llvm::DenseMap<Operation *, NodeSet> nodes;
  llvm::DenseMap<Value, NodeSet> needs, receivers;
  SmallVector<std::pair<Operation *, int64_t>> pendingRuns;
  SmallVector<std::pair<Value, int64_t>> pendingNeeds;
};

} // namespace mlir::hetero

#endif // HETERO_TRANSFORMS_NODES_NODEDEMAND_H
