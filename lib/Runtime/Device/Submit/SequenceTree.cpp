//===- SequenceTree.cpp - Sequences that came before ----------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Runtime/Device/Submit/SequenceTree.h"

#include "Runtime/Report/Report.h"

#include <algorithm>
#include <cstring>

using namespace hetero::runtime;

/// What is kept; where there is more, all is learned anew.
static constexpr int64_t kMostNodes = 1 << 13, kMostGraphs = 64;

bool SequenceTree::isFull() const {
  return numNodes > kMostNodes || root->numGraphs > kMostGraphs;
}

void SequenceTree::forget() {
  root = std::make_unique<SequenceNode>(nullptr);
  numNodes = 0;
  ++epoch;
}

//===----------------------------------------------------------------------===//
// Nodes
//===----------------------------------------------------------------------===//

static bool isSameLaunch(const LaunchShape &a, const LaunchShape &b) {
  if (a.kernel != b.kernel || a.sharedBytes != b.sharedBytes ||
      !std::equal(a.grid, a.grid + 3, b.grid) ||
      !std::equal(a.block, a.block + 3, b.block))
    return false;
  if (!a.kernel)
    return true;
  const std::vector<size_t> &sizes = *a.kernel->parameters;
  for (size_t i = 0; i < sizes.size(); ++i)
    if (std::memcmp(a.arguments[i], b.arguments[i], sizes[i]) != 0)
      return false;
  return true;
}

/// Whether a driver does the same for both.
static bool isSame(const Operation &a, const Operation &b) {
  return a.kind == b.kind && a.device == b.device && a.unit == b.unit &&
         a.other == b.other && a.otherUnit == b.otherUnit && a.to == b.to &&
         a.from == b.from && a.rows.width == b.rows.width &&
         a.rows.count == b.rows.count && a.rows.toPitch == b.rows.toPitch &&
         a.rows.fromPitch == b.rows.fromPitch &&
         isSameLaunch(a.launch, b.launch);
}

uint64_t SequenceTree::hash(const Operation &operation) {
  uint64_t hash = 0;
  auto add = [&](uint64_t word) {
    hash = (hash ^ word) * 0x9e3779b97f4a7c15;
    hash ^= hash >> 32;
  };
  auto addPointer = [&](const void *pointer) {
    add(reinterpret_cast<uintptr_t>(pointer));
  };
  add(operation.kind);
  add(operation.unit);
  addPointer(operation.device);
  addPointer(operation.to);
  addPointer(operation.from);
  add(operation.rows.width);
  const Kernel *kernel = operation.launch.kernel;
  addPointer(kernel);
  for (size_t i = 0; kernel && i < kernel->parameters->size(); ++i) {
    uint64_t word = 0;
    std::memcpy(&word, operation.launch.arguments[i],
                std::min(sizeof word, (*kernel->parameters)[i]));
    add(word);
  }
  return hash;
}

SequenceNode *SequenceTree::find(const SequenceNode &node, uint64_t hash,
                                 const Operation &operation) {
  for (const auto &[key, next] : node.next)
    if (key == hash && isSame(next->operation, operation))
      return next.get();
  return nullptr;
}

SequenceNode *SequenceTree::add(SequenceNode &parent, uint64_t hash,
                                const Operation &operation) {
  auto node = std::make_unique<SequenceNode>(&parent);
  node->operation = operation;
  if (const Kernel *kernel = operation.launch.kernel) {
    const std::vector<size_t> &sizes = *kernel->parameters;
    size_t total = 0;
    for (size_t size : sizes)
      total += size;
    node->bytes.resize(total);
    char *place = node->bytes.data();
    for (size_t i = 0; i < sizes.size(); ++i) {
      std::memcpy(place, operation.launch.arguments[i], sizes[i]);
      node->arguments.push_back(place);
      place += sizes[i];
    }
    node->operation.launch.arguments = node->arguments.data();
  }
  ++numNodes;
  parent.next.push_back({hash, std::move(node)});
  return parent.next.back().second.get();
}

//===----------------------------------------------------------------------===//
// Graphs
//===----------------------------------------------------------------------===//

static void countOnPath(SequenceNode *node, int64_t change) {
  for (; node; node = node->parent)
    node->numGraphs += change;
}

void SequenceTree::makeGraph(SequenceNode &node) {
  if (node.isRefused)
    return;
  std::vector<const Operation *> operations;
  for (SequenceNode *at = &node; at->parent; at = at->parent)
    operations.push_back(&at->operation);
  std::reverse(operations.begin(), operations.end());
  auto count = std::count_if(operations.begin(), operations.end(),
                             [](const Operation *operation) {
                               return operation->kind != Operation::Order;
                             });
  if (count > 1)
    node.graph = Graph::create(operations);
  node.isRefused = !node.graph;
  if (!node.graph)
    return;
  countOnPath(&node, 1);
  countGraph(count);
}

bool SequenceTree::launch(SequenceNode &node,
                          const std::vector<Operation> &operations) {
  if (node.graph->launch(operations)) {
    countGraphLaunch();
    return true;
  }
  if (!node.graph->isRefused())
    return false;
  node.graph.reset();
  node.isRefused = true;
  countOnPath(&node, -1);
  return false;
}
