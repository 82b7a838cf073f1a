//===- Graph.h - Operations that are launched as one ------------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A CUDA graph of operations of one or more devices. Each unit has a lane in
// it, which is to other work as the unit's stream would be: it begins when
// `ready` of the unit's stream says so, and records `done` at its end. So a
// graph orders nothing that its operations would not have ordered one by one.
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_LIB_RUNTIME_DEVICE_SUBMIT_GRAPH_H
#define HETERO_LIB_RUNTIME_DEVICE_SUBMIT_GRAPH_H

#include "Runtime/Device/Submit/Operation.h"

#include <memory>
#include <vector>

namespace hetero::runtime {

/// A unit whose work is in a graph.
struct GraphLane {
  Device *device;
  int32_t unit;
  /// How often the host had waited for the unit when the graph was launched.
  uint64_t waits;
  /// While the graph is captured.
  cuda::Stream stream;
  /// By lane: those whose operations are done when this one's are.
  std::vector<bool> covers;
  /// By lane: those after whose earlier work this one comes.
  std::vector<bool> follows;
  /// Whether there was earlier work when the graph was launched.
  bool hadWork = false;
};

struct GraphLanes {
  /// What the host knows when it has waited for the unit's lane; with the
  /// device's lock held.
  void settle(const Device &waited, int32_t unit) const;
  bool isDoneWith(const GraphLane &lane, const GraphLane &waited) const;

  /// In the order of their first operations.
  std::vector<GraphLane> lanes;
};

class Graph {
public:
  /// Captures the operations, whose arguments are there; null when the driver
  /// refuses one.
  static std::unique_ptr<Graph>
  create(const std::vector<const Operation *> &operations);
  /// Waits until it does not run any more.
  ~Graph();

  /// Launches it. False if the operations have to be submitted instead: it
  /// still runs, which it may do only once at a time, or the driver refuses.
  bool launch(const std::vector<Operation> &operations);
  /// Whether the driver refused to launch it.
  bool isRefused() const { return hasFailed; }

private:
  using Lane = GraphLane;

  Graph() = default;
  bool hasLanes() const { return lanes.size() > 1; }
  /// The unit's, which is added where it is new.
  Lane &laneOf(Device *device, int32_t unit);
  const cuda::Functions &functions() const;
  bool enter(const Lane &lane) const;
  bool openLanes();
  bool join(Lane &lane, Lane &after);
  void findCovered(const std::vector<const Operation *> &operations);
  bool capture(const std::vector<const Operation *> &operations);
  bool instantiate(const std::vector<const Operation *> &operations);
  bool isRunning() const;
  bool isWorthwhile() const;
  bool prepare();
  class Lock;

  /// Units that are in the graph know them.
  const std::shared_ptr<GraphLanes> shared = std::make_shared<GraphLanes>();
  std::vector<Lane> &lanes = shared->lanes;
  /// Of the lanes, each once.
  std::vector<Device *> devices;
  cuda::GraphExec exec = nullptr;
  /// Where it is launched: the unit's own if there is one lane only.
  cuda::Stream stream = nullptr;
  /// Of the driver, for the operations one by one.
  int64_t numCalls = 0;
  bool hasFailed = false;
};

} // namespace hetero::runtime

#endif // HETERO_LIB_RUNTIME_DEVICE_SUBMIT_GRAPH_H
