//===- ProjectNodes.h - The program of each node ----------------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Part of hetero-split-by-node: copies to each node's program what the node
// runs, in the order of the joined program, and lets it send and receive what
// crosses between nodes.
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_TRANSFORMS_NODES_PROJECTNODES_H
#define HETERO_TRANSFORMS_NODES_PROJECTNODES_H

#include "NodeDemand.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/OwningOpRef.h"

#include <map>

namespace mlir::memref {
class CopyOp;
} // namespace mlir::memref

namespace mlir::hetero {

/// What one node runs, as it comes to be.
struct NodeProgram {
  NodeProgram(ModuleOp joined, int64_t node);

  /// The value in this program; nothing sensible for one that it lacks, which
  /// nobody reads.
  Value lookup(Value value);
  /// Goes on at the end of what the block has become.
  void goTo(Block *block) {
    builder.setInsertionPointToEnd(mapping.lookup(block));
  }

  int64_t node;
  OwningOpRef<ModuleOp> module;
  OpBuilder builder;
  IRMapping mapping;
  /// Begins the function that is copied.
  Block *entry = nullptr;
  llvm::DenseMap<Type, Value> missing;
};

class NodeProjector {
public:
  /// Makes the programs of these nodes.
  NodeProjector(ModuleOp joined, const NodeDemand &demand,
                ArrayRef<int64_t> nodes);

  void run();

  NodeProgram &getProgram(int64_t node) { return programs.at(node); }
  /// Values that are sent, and the copies between nodes among them.
  int64_t numTransfers = 0, numCopies = 0;

private:
  using Receives = llvm::function_ref<void(int64_t node, int64_t tag)>;

  /// Calls the function for each program that is made of these nodes.
  void forEach(const NodeSet &nodes,
               llvm::function_ref<void(NodeProgram &)> visit);
  bool keepsArgument(FunctionOpInterface function, unsigned i,
                     int64_t node) const;
  bool keepsResult(FunctionOpInterface function, unsigned i,
                   int64_t node) const;
  SmallVector<Value> lookupKept(NodeProgram &program,
                                FunctionOpInterface function,
                                OperandRange operands, bool areResults);

  void copyFunction(FunctionOpInterface function);
  void beginFunction(NodeProgram &program, FunctionOpInterface function);
  void copyBlock(Block &block);
  void copyOperation(Operation &op);
  void copyLeaf(NodeProgram &program, Operation &op);
  void copyControlFlow(NodeProgram &program, Operation &op);
  void copyCall(NodeProgram &program, Operation &op,
                FunctionOpInterface callee);
  void copyTerminator(NodeProgram &program, Operation &op);
  void markPosition(const NodeSet &nodes, Operation &op);
  void transferBuffer(memref::CopyOp copy);
  void transferScalars(ValueRange values, Block *block);
  void transferScalar(Value value, int64_t to, Block *block);
  void copySymbols(NodeProgram &program);

  ModuleOp joined;
  const NodeDemand &demand;
  std::map<int64_t, NodeProgram> programs;
  /// Of control flow, calls and transfers, in the order of the joined program.
  int64_t position = 0;
};

} // namespace mlir::hetero

#endif // HETERO_TRANSFORMS_NODES_PROJECTNODES_H
