//===- BinarySolver.h - Reductions of a binary problem ----------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The state of one solution: variables with what joins them, reduced step by
// step. Neighbours lie in one array, a range per variable; ranges only shrink.
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_SUPPORT_SOLVERS_BINARYSOLVER_H
#define HETERO_SUPPORT_SOLVERS_BINARYSOLVER_H

#include "hetero/Support/Solvers/BinaryProblem.h"
#include "llvm/ADT/ArrayRef.h"

namespace mlir::hetero {

class BinarySolver {
public:
  using Variable = BinaryProblem::Variable;
  using Slot = unsigned;

  /// A preference that nothing outweighs.
  static constexpr int64_t kForced = FlowEdge::kInfinite * 8;

  /// One of two entries for what joins two variables.
  struct Neighbour {
    Variable other;
    /// The entry of the other variable.
    Slot mate;
    /// Cost if this variable is 0 and the other is 1, and the reverse.
    int64_t out, in;
  };

  explicit BinarySolver(BinaryProblem &problem);
  llvm::SmallVector<uint8_t, 0> solve(int64_t workLimit = 0);

private:
  /// What is asked of a variable lies together: each look at a neighbour is a
  /// cache line that was not expected.
  struct State {
    /// Cost of 1 less cost of 0.
    int64_t preference;
    /// Its neighbours: a range of slots.
    Slot begin = 0;
    unsigned size = 0;
    /// kOpen, kEliminated, 0 or 1.
    uint8_t value;
    bool isQueued = false;
  };
  /// A variable whose best value follows from those of at most two others.
  struct Elimination {
    Variable variable;
    int64_t preference;
    unsigned size;
    Neighbour neighbours[2];
  };

  void buildNeighbours();
  void mergeParallel();
  void reduce();
  void visit(Variable variable);
  /// Decides the variable if its own preference outweighs all arcs.
  bool decideByDominance(Variable variable);
  void decide(Variable variable, bool isOne);
  void eliminate(Variable variable);
  void join(const Neighbour &a, const Neighbour &b,
            const Elimination &elimination);
  void addPreference(Variable variable, int64_t amount);
  void removeSlot(Variable variable, Slot slot);
  void push(Variable variable);
  void cutRest(int64_t workLimit);
  void substitute();

  llvm::ArrayRef<Neighbour> getNeighbours(Variable variable) const {
    return llvm::ArrayRef(slots).slice(states[variable].begin,
                                       states[variable].size);
  }

  BinaryProblem &problem;
  llvm::SmallVector<State, 0> states;
  llvm::SmallVector<Neighbour, 0> slots;
  llvm::SmallVector<Elimination, 0> eliminations;
  /// First in, first out.
  llvm::SmallVector<Variable, 0> worklist;
  size_t worklistHead = 0;
};

} // namespace mlir::hetero

#endif // HETERO_SUPPORT_SOLVERS_BINARYSOLVER_H
