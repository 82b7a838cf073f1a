//===- GraphBuilder.h - Builds the graph of a module ------------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_ANALYSIS_PLACEMENT_GRAPH_GRAPHBUILDER_H
#define HETERO_ANALYSIS_PLACEMENT_GRAPH_GRAPHBUILDER_H

#include "PlacementGraph.h"
#include "hetero/Dialect/Hetero/IR/HeteroDialect.h"
#include "mlir/Interfaces/CallInterfaces.h"

namespace mlir::hetero {

/// Builds one graph.
class GraphBuilder {
public:
  GraphBuilder(ModuleOp module, PlacementGraph &graph, Profile *profile,
               bool pricesSettled)
      : module(module), graph(graph), topology(graph.topology),
        profile(profile), pricesSettled(pricesSettled) {}

  void run();

private:
  // Values and uses (GraphBuilder.cpp).
  ValueIndex addValue(Value value, NodeIndex producer, DeviceIndex device);
  ValueIndex getValue(Value value);
  DeviceIndex resolve(DeviceAttr device) const;
  void addFunction(FunctionOpInterface function);
  void addOperation(Operation *op, bool isControl);
  bool addTimes(Operation *op, const PlacementCost &cost);
  void addFixedUse(Value value, DeviceIndex device);
  void addOperands(Operation *op, PlacementOpInterface model,
                   const PlacementCost &cost, bool carries);
  void addResults(Operation *op, PlacementOpInterface model, NodeIndex node,
                  bool isControl);
  void addBody(Operation *op, bool needsHost);
  void addState(NodeIndex node, SymbolRefAttr name);
  void addTerminator(Operation *op, FunctionOpInterface function);
  void enter(Block *newBlock);
  void group();
  NodeIndex getLastNode() const {
    return graph.nodes.empty() ? 0 : graph.nodes.size() - 1;
  }

  // Values that are carried (CarriedValues.cpp).
  NodeIndex addCarrier(Type type, BlockIndex block);
  void addRead(NodeIndex carrier, Value value);
  void addSignatures();
  void addArguments(FunctionOpInterface function);
  void addControlFlow(Operation *op);
  void addBlockArguments(Region &region);
  void markBranchOperands(Operation *terminator);
  void markCallOperands(Operation *op);
  bool canCarry(Type type, DeviceIndex device) const;
  /// The signature of a function whose calls are all known, or null.
  CarriedValues *getSignature(Operation *call);
  FunctionOpInterface getCallee(CallOpInterface call) const;
  /// The node that passes the operand, or kNone; the device where none does.
  NodeIndex getCarrier(OpOperand &operand) const {
    if (carriers.empty())
      return kNone;
    auto it = carriers.find(&operand);
    return it == carriers.end() ? kNone : it->second;
  }
  DeviceIndex getCallDevice(Operation *call, unsigned index, bool isResult);

  ModuleOp module;
  PlacementGraph &graph;
  const Topology &topology;
  StringAttr deviceName = StringAttr::get(module.getContext(), kDeviceAttrName);
  /// Measured times, or null.
  Profile *profile;
  bool pricesSettled;
  StringAttr colocateName =
      StringAttr::get(module.getContext(), kColocateAttrName);
  StringAttr repeatedName =
      StringAttr::get(module.getContext(), kRepeatedAttrName);
  llvm::DenseMap<Value, ValueIndex> indices;
  llvm::DenseMap<StringAttr, FunctionOpInterface> functions;
  SymbolTableCollection symbols;
  /// Position in `graph.carried`.
  llvm::DenseMap<Operation *, unsigned> signatures;
  /// By the operand that is carried.
  llvm::DenseMap<OpOperand *, NodeIndex> carriers;
  /// The block whose operations are being added.
  Block *block = nullptr;
  BlockIndex blockIndex = 0;
  bool isParallel = false;
};

/// The graph of a module, nothing decided. Nodes are in program order. Times
/// that the profile has are taken from there. Those of operations whose
/// annotation leaves no choice are right only if `pricesSettled`: a price and
/// the search for memory need them, a choice by cost does not.
PlacementGraph buildPlacementGraph(ModuleOp module, const Topology &topology,
                                   const BlockTree &tree,
                                   Profile *profile = nullptr,
                                   bool pricesSettled = true);

} // namespace mlir::hetero

#endif // HETERO_ANALYSIS_PLACEMENT_GRAPH_GRAPHBUILDER_H
