//===- PageBoxes.h - A placed program as boxes in boxes ---------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Functions, control flow and the scopes of names are boxes; operations and
// carried values stand in them, and so do ports: what a function gets and what
// it returns.
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_TARGET_PAGEBOXES_H
#define HETERO_TARGET_PAGEBOXES_H

#include "hetero/Analysis/Placement/Export/ExportedPlacement.h"
#include "hetero/Support/Solvers/NestedLayout.h"

namespace mlir::hetero {

struct PageBox {
  enum Kind { Module, Function, Loop, Branch, Region, Scope, Chunk };

  Kind kind;
  std::string name;
  /// The node of its control flow, or -1.
  int64_t node = -1;
  /// Iterations of a loop, or -1 where they are not known.
  int64_t trips = -1;
};

struct PagePort {
  bool isOutput;
  unsigned value;
  std::string name;
  unsigned box;
};

class PageBoxes {
public:
  PageBoxes(ModuleOp module, const ExportedPlacement &placement);

  /// Box 0 is the module. Others than these are chunks.
  ArrayRef<PageBox> getBoxes() const { return boxes; }
  ArrayRef<PagePort> getPorts() const { return ports; }
  const NestedLayout &getLayout() const { return layout; }
  /// Boxes with what is in each right after it.
  SmallVector<unsigned, 0> getPreOrder() const;
  /// The box and the place of a node. Control flow is its box.
  unsigned getBox(unsigned node) const;
  LayoutPoint getPoint(unsigned node) const;
  unsigned getPortBox(unsigned port) const {
    return layout.getBox(portItems[port]);
  }
  LayoutPoint getPortPoint(unsigned port) const {
    return layout.getPoint(portItems[port]);
  }
  /// By fixed use: the node that needs it, or -1 less the number of a port.
  ArrayRef<int64_t> getReaders() const { return readers; }

private:
  static constexpr unsigned kNone = ~0u;

  unsigned addBox(unsigned parent, PageBox box);
  unsigned getScope(unsigned around, Operation *op);
  void addBlock(BlockIndex block);
  unsigned addControlFlow(Operation *op);
  void findSpans();
  void addNodes();
  void addNode(unsigned node);
  unsigned getCarrierBox(unsigned node) const;
  uint64_t getCarrierRank(unsigned node) const;
  void addInputs(ModuleOp module);
  void findReaders();
  bool isRead(const ProblemUse &use) const;
  int64_t addOutput(const ProblemUse &use);
  void addEdges();
  unsigned getSource(unsigned value) const;

  const ExportedPlacement &placement;
  NestedLayout layout;
  SmallVector<PageBox, 0> boxes;
  SmallVector<PagePort, 0> ports;
  SmallVector<int64_t, 0> readers;
  /// The box of each block; of each control flow, and its node; those of
  /// scopes, by what is around and the name.
  SmallVector<unsigned, 0> blockBoxes;
  llvm::DenseMap<Operation *, unsigned> controlBoxes, controlNodes;
  llvm::DenseMap<std::pair<unsigned, StringRef>, unsigned> scopes;
  /// The scopes around a box of control flow, outer ones first.
  llvm::DenseMap<unsigned, SmallVector<std::string, 2>> enclosing;
  /// By block: the first and the last node in it and what is nested in it.
  SmallVector<unsigned, 0> firstNodes, lastNodes;
  /// The item of the layout, or kNone for control flow.
  SmallVector<unsigned, 0> nodeItems, portItems;
  /// By value: the port that it comes from, or kNone.
  SmallVector<unsigned, 0> inputs;
};

} // namespace mlir::hetero

#endif // HETERO_TARGET_PAGEBOXES_H
