//===- PlacementProblem.h - What placement decides, as numbers --*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The operations and values of a program, the machine, and what each of them
// costs, without IR: whoever has the problem and an assignment finds the same
// price. Everything has the number of its place in a list; -1 is none.
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_PLACEMENT_PLACEMENTPROBLEM_H
#define HETERO_PLACEMENT_PLACEMENTPROBLEM_H

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace mlir::hetero {

/// The kind of a node.
enum class ProblemNodeKind : uint8_t {
  /// An operation that takes time.
  Timed,
  /// One that is the host's in any case.
  Host,
  /// A value that a loop, a branch or a call carries.
  Carried,
  /// A copy by the user.
  Copy
};

struct ProblemNode {
  ProblemNodeKind kind;
  unsigned block;
  /// The first of its times, one per device; -1 for what has none.
  int64_t times;
  /// Which of the sets of devices it may stand on.
  unsigned allowed;
  /// Cost decides where it stands.
  bool isOpen;
  /// Each device that needs its results may make them again.
  bool isReplicable;
  /// It is replicable, and cost decides whether it is made again.
  bool mayRepeat;
  /// Cost may choose to make it again, with its operands.
  bool isRepeatable;
  /// Nodes of one group stand on one device; -1 for none.
  int64_t group;
};

struct ProblemValue {
  /// -1 where the device is given.
  int64_t producer;
  unsigned device;
  unsigned block;
  unsigned size;
};

/// A node that needs a value on its own device.
struct ProblemRead {
  unsigned node, value;
  unsigned block;
};

/// A value that is needed on a device in any case.
struct ProblemUse {
  unsigned value;
  unsigned device;
  unsigned block;
  /// The last node before it, or of it.
  unsigned at;
};

/// The host needs a few bytes of a value.
struct ProblemPart {
  unsigned value, size;
  unsigned block;
  unsigned at;
};

/// A block, with the one above it; -1 for the first of a function. Parents have
/// smaller numbers.
struct ProblemBlock {
  int64_t parent;
  double frequency;
};

/// From one node to another, both included; empty if the first comes after.
struct ProblemSpan {
  int64_t first, last;
};

/// The facts about memory that no assignment changes.
struct ProblemMemory {
  struct Value {
    /// The value whose bytes it shares, and that which it may overwrite; the
    /// number of the constant that it is; the node of the call that returns it.
    int64_t viewed = -1, overwritten = -1, constant = -1, call = -1;
    bool isArgument = false;
    /// The number of nodes when it was found.
    unsigned at = 0;
  };
  struct Carrier {
    unsigned node;
    ProblemSpan span;
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
    ProblemSpan span;
    bool isRoot;
  };
  struct Call {
    unsigned function, node, callee;
  };

  /// True if a read on the device has its constant for itself, which the host
  /// copies there each time.
  bool isStreamed(size_t read, unsigned device, unsigned numDevices) const {
    return !streams.empty() && streams[read * numDevices + device];
  }

  /// For each value of the problem.
  std::vector<Value> values;
  /// How long each use needs its value.
  std::vector<ProblemSpan> reads, uses, parts;
  /// By read * devices + device: whether constants are streamed so; empty if
  /// none are. It is not printed.
  std::vector<uint8_t> streams;
  /// What control flow with regions carries; nodes that branches among blocks
  /// carry.
  std::vector<Carrier> carriers;
  std::vector<unsigned> blockCarriers;
  std::vector<State> states;
  std::vector<Block> blocks;
  std::vector<Function> functions;
  /// Callers before those that they call.
  std::vector<unsigned> order;
  /// In the order of functions, then of nodes.
  std::vector<Call> calls;
};

/// All times are picoseconds of all executions, INT64_MAX for never; only those
/// of transfers are of one.
struct PlacementProblem {
  static constexpr unsigned kHost = 0;
  static constexpr int64_t kNever = INT64_MAX, kUnlimited = INT64_MAX;

  std::vector<std::string> devices;
  /// Bytes; kUnlimited for devices without a limit.
  std::vector<int64_t> capacities;
  /// By from * devices + to: whether both have the same memory.
  std::vector<uint8_t> unified;
  /// By from * devices + to: the next device on the way, -1 for no way.
  std::vector<int64_t> next;
  /// By device: whether it computes while it copies.
  std::vector<uint8_t> overlaps;
  /// Distinct numbers of bytes, and by size, from and to how long a copy takes.
  std::vector<int64_t> sizes, transfers;
  std::vector<ProblemBlock> blocks;
  /// Distinct rows with a time for each device.
  std::vector<int64_t> times;
  /// Distinct sets of devices.
  std::vector<std::vector<unsigned>> sets;
  std::vector<ProblemNode> nodes;
  std::vector<ProblemValue> values;
  std::vector<ProblemRead> reads;
  std::vector<ProblemUse> uses;
  std::vector<ProblemPart> parts;
  /// Nodes that are copies by the user, and what they copy.
  std::vector<std::pair<unsigned, unsigned>> copies;
  ProblemMemory memory;

  unsigned getNumDevices() const { return devices.size(); }
  /// True if the memory of some device has a limit.
  bool isLimited() const;
  /// kNever where the node cannot run. What is carried takes no time.
  int64_t getTime(unsigned node, unsigned device) const;
  bool canRunOn(unsigned node, unsigned device) const;
  /// True if the node can run there and annotations admit it.
  bool isAllowed(unsigned node, unsigned device) const;
  int64_t getBytes(unsigned value) const { return sizes[values[value].size]; }
  /// One copy of so many bytes; kNever where no way leads there.
  int64_t getTransferTime(unsigned size, unsigned from, unsigned to) const {
    size_t n = devices.size();
    return transfers[(size * n + from) * n + to];
  }
  bool isReachable(unsigned from, unsigned to) const {
    return from == to || next[from * devices.size() + to] >= 0;
  }
  bool isUnified(unsigned from, unsigned to) const {
    return unified[from * devices.size() + to];
  }
  /// How long something takes that takes `time` whenever the block runs.
  int64_t scale(int64_t time, unsigned block) const;
};

/// `time` as often as `frequency` says: rounded up, at most INT64_MAX - 1.
/// INT64_MAX (never possible) stays.
int64_t multiplyTime(int64_t time, double frequency);

} // namespace mlir::hetero

#endif // HETERO_PLACEMENT_PLACEMENTPROBLEM_H
