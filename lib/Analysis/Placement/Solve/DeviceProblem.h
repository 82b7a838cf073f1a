//===- DeviceProblem.h - Which nodes one device should run ------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One part of the relaxed placement (LowerBound.cpp): every open node is on
// this device or not, without regard to the other devices. The device pays the
// times of its nodes, less a reward per node for taking it, and a price for
// every value that arrives. That is a binary problem, solved exactly.
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_ANALYSIS_PLACEMENT_SOLVE_DEVICEPROBLEM_H
#define HETERO_ANALYSIS_PLACEMENT_SOLVE_DEVICEPROBLEM_H

#include "Analysis/Placement/Graph/Assignment.h"
#include "hetero/Support/Solvers/BinaryProblem.h"

namespace mlir::hetero {

class DeviceProblem {
public:
  /// What one transfer of a value to this device costs, whatever device the
  /// value comes from.
  struct Arrival {
    ValueIndex value;
    /// Between the cheapest and the dearest transfer; INT64_MAX if no path
    /// leads here.
    int64_t low, high;
    int64_t price;
    /// After `solve`: how many transfers are paid, by the frequency of blocks.
    double count = 0;
  };

  /// `isChoice` says which nodes may stand on several devices. No cost counts
  /// for more than `limit`.
  DeviceProblem(const Assignment &assignment, DeviceIndex device,
                ArrayRef<uint8_t> isChoice, int64_t limit);

  /// The least cost, given what each node brings if it is here, or what it
  /// cannot be below. Nothing where the arithmetic could overflow.
  std::optional<int64_t> solve(ArrayRef<int64_t> rewards, int64_t workLimit);
  /// In the last solution.
  bool isHere(NodeIndex node) const { return isOne(variables[node]); }
  DeviceIndex getDevice() const { return device; }
  MutableArrayRef<Arrival> getArrivals() { return arrivals; }
  /// What one solution has to look at.
  size_t getSize() const {
    return costs.size() + forced.size() + priced.size();
  }

private:
  using Variable = BinaryProblem::Variable;
  /// What is 0 or 1 in any case.
  static constexpr Variable kAbsent = ~0u, kPresent = ~1u;

  /// Paid if the tail is 0 and the head is 1.
  struct Arc {
    Variable tail, head;
  };
  struct PricedArc : Arc {
    unsigned arrival;
    BlockIndex block;
  };
  struct FixedArc : Arc {
    int64_t cost;
  };
  struct Use {
    BlockIndex block;
    Variable variable;
  };

  Variable addVariable(int64_t cost);
  int64_t getReplicaCost(NodeIndex node) const;
  void addNodes(ArrayRef<uint8_t> isChoice);
  void addReplicas(ValueIndex value);
  void addValue(ValueIndex value, ArrayRef<uint8_t> isChoice);
  bool addArrival(ValueIndex value);
  void addFlat(ValueIndex value, Variable origin);
  void addTree(ValueIndex value, Variable origin);
  void addForced(Variable tail, Variable head);
  void addPriced(Variable tail, Variable head, BlockIndex block);
  void collectUses(ValueIndex value);
  void collectSources(ValueIndex value, ArrayRef<uint8_t> isChoice);
  OptionalUse getOptionalUse(const PartialRead &read) const;

  int64_t getCost(const PricedArc &arc) const;
  bool fits(ArrayRef<int64_t> rewards) const;
  BinaryProblem getProblem(ArrayRef<int64_t> rewards) const;
  int64_t evaluate(ArrayRef<int64_t> rewards);
  bool isOne(Variable variable) const {
    return variable == kPresent ||
           (variable != kAbsent && solution[variable] != 0);
  }
  bool isPaid(Arc arc) const { return !isOne(arc.tail) && isOne(arc.head); }

  const Assignment &assignment;
  const PlacementGraph &graph;
  DeviceIndex device;
  int64_t limit;
  /// Cost of what is here in any case.
  int64_t constant = 0;
  /// By node.
  SmallVector<Variable, 0> variables;
  /// By variable: the cost if it is 1.
  SmallVector<int64_t, 0> costs;
  /// By variable, as far as nodes have one: the node.
  SmallVector<NodeIndex, 0> nodeOfVariable;
  SmallVector<Arc, 0> forced;
  SmallVector<PricedArc, 0> priced;
  SmallVector<FixedArc, 0> fixed;
  SmallVector<Arrival, 0> arrivals;
  SmallVector<uint8_t, 0> solution;
  /// Of the value that is being added: its uses here, and where else it can be.
  SmallVector<Use, 8> uses;
  SmallVector<OptionalUse, 4> optional;
  SmallVector<DeviceIndex, 4> sources;
};

} // namespace mlir::hetero

#endif // HETERO_ANALYSIS_PLACEMENT_SOLVE_DEVICEPROBLEM_H
