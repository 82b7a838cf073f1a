//===- SequenceTree.h - Sequences that came before --------------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// All sequences are paths in one tree, from its root. The node where a sequence
// ends has the graph that it became.
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_LIB_RUNTIME_DEVICE_SUBMIT_SEQUENCETREE_H
#define HETERO_LIB_RUNTIME_DEVICE_SUBMIT_SEQUENCETREE_H

#include "Runtime/Device/Submit/Graph.h"
#include "Runtime/Device/Submit/Operation.h"

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

namespace hetero::runtime {

/// An operation that has followed those of the nodes above it.
struct SequenceNode {
  explicit SequenceNode(SequenceNode *parent) : parent(parent) {}

  SequenceNode *const parent;
  /// With pointers to arguments of its own.
  Operation operation = {};
  std::vector<char> bytes;
  std::vector<void *> arguments;
  /// By hash.
  std::vector<std::pair<uint64_t, std::unique_ptr<SequenceNode>>> next;
  /// Sequences that ended here, and what they became.
  int64_t ends = 0;
  std::unique_ptr<Graph> graph;
  bool isRefused = false;
  /// Here and below.
  int64_t numGraphs = 0;
};

class SequenceTree {
public:
  SequenceNode *getRoot() { return root.get(); }
  /// Another one for the tree after each forget().
  int64_t getEpoch() const { return epoch; }
  /// Whether it is time to forget.
  bool isFull() const;
  void forget();

  static uint64_t hash(const Operation &operation);
  /// What follows a node if it is this operation; null if it never was.
  static SequenceNode *find(const SequenceNode &node, uint64_t hash,
                            const Operation &operation);
  SequenceNode *add(SequenceNode &parent, uint64_t hash,
                    const Operation &operation);

  /// Makes a graph of the sequence that ends at the node. One operation is as
  /// good by itself.
  static void makeGraph(SequenceNode &node);
  /// Launches the node's graph in the place of `operations`. False if that
  /// cannot be.
  static bool launch(SequenceNode &node,
                     const std::vector<Operation> &operations);

private:
  std::unique_ptr<SequenceNode> root = std::make_unique<SequenceNode>(nullptr);
  int64_t epoch = 1, numNodes = 0;
};

} // namespace hetero::runtime

#endif // HETERO_LIB_RUNTIME_DEVICE_SUBMIT_SEQUENCETREE_H
