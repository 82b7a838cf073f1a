//===- PlainPrice.h - What programs cost, said plainly ----------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Two price functions that share nothing with the placement analysis but the
// times of single operations and transfers. One adds up what stands in
// materialized IR. The other prices a placement before materialization, so that
// all placements of a program can be tried; tests hold it against the first.
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_TEST_UNIT_ANALYSIS_PLAINPRICE_H
#define HETERO_TEST_UNIT_ANALYSIS_PLAINPRICE_H

#include "hetero/Analysis/Machine/Topology.h"
#include "hetero/Dialect/Hetero/IR/TensorSizes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"

namespace mlir::hetero::test {

/// What takes a time as often as that; fractions of picoseconds are rounded up.
int64_t repeat(int64_t time, double frequency);

struct IRPrice {
  int64_t cost = 0, copies = 0;
};

/// Compute times of operations and transfer times of copies, each as often as
/// its block runs.
IRPrice priceIR(ModuleOp module, const Topology &topology);

/// Bytes that copies move between nodes, each as often as its block runs.
int64_t countTraffic(ModuleOp module, const Topology &topology);

struct LeastLatency {
  /// INT64_MAX if nothing takes less than the limit.
  int64_t latency = INT64_MAX;
  /// Whether nothing was given up.
  bool isExact = true;
};

/// A program before placement.
class PlainProgram {
public:
  PlainProgram(ModuleOp module, const Topology &topology);

  /// Operations, and tensors that loops and branches carry, that a placement
  /// decides. The number after that of the last device is for what is made
  /// again wherever it is needed; what takes no time always is.
  unsigned getNumOpen() const { return openOps.size(); }
  /// The cost if what is open is on these devices.
  int64_t price(ArrayRef<unsigned> devices);
  /// The least bytes that move between two nodes if what is open is on these
  /// devices: each value goes there once for all that need it.
  int64_t getLeastTraffic(ArrayRef<unsigned> devices);
  /// The largest load of a device or of a link, one of which joins each two
  /// devices.
  int64_t getLargestLoad(ArrayRef<unsigned> devices);
  /// Calls `visit` with the devices of each placement that keeps colocated
  /// operations together.
  void forEachPlacement(llvm::function_ref<void(ArrayRef<unsigned>)> visit);
  /// The least cost of all of them.
  int64_t enumerate();
  /// The least of the largest loads, each operation made once, except for what
  /// has no operands and is made again.
  int64_t enumerateLoads();
  /// What is the least time of one request, of all placements that make
  /// operations as `enumerateLoads` says: with the best schedule of each. Looks
  /// for what takes less than `limit` only, and gives up on schedules that take
  /// too long to find.
  LeastLatency enumerateLatency(int64_t limit);
  /// Makes two open operations stand on one device.
  bool colocate(unsigned first, unsigned second);
  /// Every operation where it is fastest, without copies.
  int64_t sumFastest() const;
  /// Writes the devices onto what is open, and removes them.
  void annotate(ArrayRef<unsigned> devices);
  void removeAnnotations();

private:
  struct Op {
    Operation *op;
    unsigned device = 0;
    /// What control flow and calls carry, which takes no time.
    bool isCarrier = false, isReplicable = false;
    /// The argument of a function that it carries, if it is not the result.
    std::optional<unsigned> argument = {};
    /// Takes time to make, once or wherever it is needed; then possibly with
    /// its operands.
    bool mayRepeat = false, hasOperands = false;
    SmallVector<int64_t, 3> times = {};
    SmallVector<unsigned, 4> reads = {};
    /// Where it is scheduled.
    unsigned segment = 0;
  };
  struct Value {
    int producer = -1;
    unsigned device = 0, block = 0;
    int64_t bytes = 0;
    unsigned segment = 0;
    /// Operations that read it, and their blocks.
    SmallVector<std::pair<unsigned, unsigned>, 4> readers = {};
    /// Devices that need it whatever is decided, and blocks.
    SmallVector<std::pair<unsigned, unsigned>, 2> fixed = {};
    /// Blocks where the host reads one element, and the segments there.
    SmallVector<unsigned, 1> elements = {}, elementSegments = {};
  };
  struct Block {
    unsigned parent;
    double frequency;
  };
  /// The carriers of a private function; none for an argument that has its
  /// device.
  struct Function {
    SmallVector<std::optional<unsigned>, 4> arguments;
    unsigned result;
  };

  void addBlock(mlir::Block &block, unsigned parent, double frequency);
  void addOp(Operation &op, unsigned block);
  void addControlFlow(Operation &op, unsigned block);
  void addCall(func::CallOp call, unsigned block);
  unsigned addCarrier(Operation *op);
  const Function &addSignature(func::FuncOp callee);
  void addTerminator(Operation &op, unsigned block);
  void addRead(unsigned op, mlir::Value value, unsigned block);
  void findUnused();
  unsigned addValue(mlir::Value value, int producer, unsigned block,
                    unsigned device);
  void findReplicas();
  void setDevices(ArrayRef<unsigned> devices);
  bool runsOn(unsigned op, unsigned device) const;
  int64_t priceValue(const Value &value, unsigned to);
  unsigned getHome(const Value &value) const {
    return value.producer < 0 ? value.device : ops[value.producer].device;
  }
  void findUses(const Value &value, unsigned to, MutableArrayRef<bool> isUsed);
  int64_t serve(const Value &value, ArrayRef<bool> isUsed, int64_t once,
                SmallVector<int64_t> inside);
  bool isMadeOnce(ArrayRef<unsigned> devices) const;
  void endSegment() { segment = numSegments++; }

  const Topology &topology;
  TensorSizes sizes;
  SmallVector<Op> ops;
  SmallVector<Value> values;
  SmallVector<Block> blocks;
  SmallVector<unsigned> openOps;
  SmallVector<std::pair<unsigned, unsigned>> colocated;
  llvm::DenseMap<Operation *, Function> functions;
  llvm::DenseMap<mlir::Value, unsigned> numbers;
  /// Where replicas are, by operation: one bit per device.
  SmallVector<unsigned> replicas;
  /// What is scheduled together: the operations of a block between two with
  /// effects or with regions. The one at hand, and their number.
  unsigned segment = 0, numSegments = 0;
  /// By block.
  SmallVector<unsigned> firstSegments;

  friend class PlainSchedule;
};

} // namespace mlir::hetero::test

#endif // HETERO_TEST_UNIT_ANALYSIS_PLAINPRICE_H
