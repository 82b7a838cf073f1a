//===- ExportedPlacement.h - A placement for other programs -----*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The problem that placement solves, and its solution, as numbers without IR:
// whoever reads them finds the same price, of this placement or of another one.
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_ANALYSIS_PLACEMENT_EXPORT_EXPORTEDPLACEMENT_H
#define HETERO_ANALYSIS_PLACEMENT_EXPORT_EXPORTEDPLACEMENT_H

#include "hetero/Analysis/Placement/Placement.h"

namespace mlir::hetero {

/// What a node of the problem is.
enum class PricedKind : uint8_t {
  /// An operation that takes time.
  Timed,
  /// One that is the host's in any case.
  Host,
  /// A value that a loop, a branch or a call carries.
  Carried,
  /// A copy by the user.
  Copy
};

struct PricedNode {
  PricedKind kind;
  BlockIndex block;
  /// The first of its times, one per device; -1 for what has none.
  int64_t times;
  /// Which of the sets of devices it may stand on.
  unsigned allowed;
  /// Cost decides where it stands; it is made again on each device that needs
  /// it; cost decides whether it is; cost may choose that, operands and all.
  bool isOpen, isReplicable, mayRepeat, isRepeatable;
  /// -1 for none.
  int64_t group;
};

struct PricedValue {
  /// -1 where the device is given.
  int64_t producer;
  DeviceIndex device;
  BlockIndex block;
  unsigned size;
};

/// A node that needs a value.
struct PricedRead {
  unsigned node, value;
  BlockIndex block;
};

/// A value that is needed on a device in any case.
struct PricedUse {
  unsigned value;
  DeviceIndex device;
  BlockIndex block;
  /// The last node before it, or of it.
  unsigned at;
};

/// The host needs a few bytes of a value.
struct PricedPart {
  unsigned value, size;
  BlockIndex block;
  unsigned at;
};

/// A block, with the one above it; -1 for the first of a function.
struct PricedBlock {
  int64_t parent;
  double frequency;
};

/// All times are picoseconds of all executions, INT64_MAX for never; only those
/// of transfers are of one.
struct PricedProblem {
  std::vector<std::string> devices;
  /// INT64_MAX for devices without a limit.
  SmallVector<int64_t> capacities;
  /// By from * devices + to: whether both have the same memory.
  SmallVector<uint8_t> unified;
  /// By from * devices + to: the next device on the way, -1 for no way.
  SmallVector<int64_t> next;
  /// By device: whether it computes while it copies.
  SmallVector<uint8_t> overlaps;
  /// Distinct numbers of bytes, and by size, from and to how long a copy takes.
  SmallVector<int64_t, 0> sizes, transfers;
  SmallVector<PricedBlock, 0> blocks;
  /// Distinct rows with a time for each device.
  SmallVector<int64_t, 0> times;
  /// Distinct sets of devices.
  SmallVector<SmallVector<DeviceIndex>, 0> sets;
  SmallVector<PricedNode, 0> nodes;
  SmallVector<PricedValue, 0> values;
  SmallVector<PricedRead, 0> reads;
  SmallVector<PricedUse, 0> uses;
  SmallVector<PricedPart, 0> parts;
  /// Nodes that are copies by the user, and what they copy.
  SmallVector<std::pair<unsigned, unsigned>, 0> copies;
};

/// A copy, where it stands.
struct PricedSite {
  unsigned value;
  DeviceIndex from, to;
  BlockIndex block;
  int64_t bytes, time;
  /// Of the few bytes that the host needs.
  bool isPart;
};

struct PricedSolution {
  /// By node.
  SmallVector<DeviceIndex, 0> devices;
  SmallVector<uint8_t, 0> replicated;
  PlacementPrice price;
  SmallVector<PricedSite, 0> sites;
};

/// From one node to another, both included; empty if the first comes after.
struct PricedSpan {
  int64_t first, last;
};

/// What of the memory of devices does not depend on where nodes stand: with it
/// the peaks of another placement can be found (Memory/MemoryUse.h says how).
struct PricedMemory {
  struct Value {
    /// The value whose bytes it shares, and that which it may overwrite; the
    /// number of the constant that it is; the node of the call that returns it.
    int64_t viewed, overwritten, constant, call;
    bool isArgument;
    /// The number of nodes when it was found.
    unsigned at;
  };
  struct Carrier {
    unsigned node;
    PricedSpan span;
  };
  /// State, which is where one of the nodes is that use it.
  struct State {
    unsigned node;
    int64_t bytes;
  };
  struct Block {
    int64_t first;
    unsigned function;
  };
  struct Function {
    PricedSpan span;
    bool isRoot;
  };
  struct Call {
    unsigned function, node, callee;
  };

  SmallVector<Value, 0> values;
  /// How long each use needs its value.
  SmallVector<PricedSpan, 0> reads, uses, parts;
  /// What control flow with regions carries; nodes that branches among blocks
  /// carry.
  SmallVector<Carrier, 0> carriers;
  SmallVector<unsigned, 0> blockCarriers;
  SmallVector<State, 0> states;
  SmallVector<Block, 0> blocks;
  SmallVector<Function, 0> functions;
  /// Callers before those that they call.
  SmallVector<unsigned, 0> order;
  SmallVector<Call, 0> calls;
};

/// What makes a carried value.
enum class CarriedBy : uint8_t { Nothing, Call, Block, Branch, Loop };

/// A placed module as it is priced.
struct ExportedPlacement {
  PricedProblem problem;
  PricedSolution solution;
  PricedMemory memory;
  /// By node; null for carried values.
  SmallVector<Operation *, 0> operations;
  SmallVector<CarriedBy, 0> carriers;
  /// The values of function arguments that are tensors, in program order.
  SmallVector<unsigned, 0> arguments;
  BlockTree tree;
};

/// Exports a module after hetero-place. What cost decided is open in the
/// problem, and the bound is that of the problem. The module is in phase
/// `placed`.
FailureOr<ExportedPlacement> exportPlacement(ModuleOp module,
                                             Profile *profile = nullptr);

} // namespace mlir::hetero

#endif // HETERO_ANALYSIS_PLACEMENT_EXPORT_EXPORTEDPLACEMENT_H
