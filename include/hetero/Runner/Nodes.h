//===- Nodes.h - Runs a program over several nodes --------------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A program over several nodes has a rank for each. Either this process is one
// of the ranks that mpirun has started, or it runs all of them, as threads.
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_RUNNER_NODES_H
#define HETERO_RUNNER_NODES_H

#include "hetero/Runner/Runner.h"
#include "hetero/Runtime/HeteroNodes.h"

#include <functional>
#include <string>
#include <vector>

namespace hetero::runner {

/// What --nodes, --timeout, --node-seed and --node-fault say.
struct NodeOptions {
  /// Whether all ranks are threads of this process.
  bool isInProcess = false;
  /// Seconds that a rank waits for another one.
  double timeout = HETERO_NODES_TIMEOUT;
  /// Of the delays between threads; none without.
  uint64_t seed = 0;
  std::vector<HeteroNodeFault> faults;
};

/// Takes one of these options; false where it is none of them, or with what its
/// value is expected to be.
bool setNodeOption(NodeOptions &options, const std::string &name,
                   const std::string &value, std::string &expected);

/// What a program over several nodes was made for.
struct NodeMachine {
  int32_t count = 1;
  /// By rank the gpu of this machine that is its gpu:0, where all ranks are in
  /// one process.
  std::vector<int32_t> firstDevices;
  /// count * count, from each to each; empty: not known.
  std::vector<HeteroNodeLink> links;
};

/// How this process runs a program.
enum class NodeRole {
  /// The program has one node.
  Alone,
  /// As one rank of those that mpirun has started.
  OneRank,
  /// As all of them.
  AllRanks
};

/// Says how the process was started, which must fit the number of nodes; false
/// with the reason, which tells how to start `tool`.
bool chooseNodeRole(const NodeOptions &options, int32_t nodes,
                    const std::string &tool, NodeRole &role,
                    std::string &error);

/// What a rank does; false with the reason.
using RankBody = std::function<bool(int32_t rank, std::string &error)>;

/// Runs a program as `role` says: in OneRank the body is called once, joined,
/// else by a thread for each rank. An error of the body is told to the other
/// ranks. Returns the errors of this process's ranks, each with its rank.
std::vector<std::string> runRanks(const NodeOptions &options, NodeRole role,
                                  const NodeMachine &machine,
                                  const RankBody &body);

/// For a body: fails unless all ranks have the same program, and from then on
/// waits for others as long as the options say.
bool agreeOnProgram(const NodeOptions &options, int32_t nodes, uint64_t hash,
                    std::string &error);

/// The options of a rank besides 0: it makes as many calls, which take nothing
/// and give nothing, and prints nothing.
RunOptions getOptionsOfOtherRank(const RunOptions &options);

} // namespace hetero::runner

#endif // HETERO_RUNNER_NODES_H
