//===- CallGraph.h - What PTX functions use and call ------------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_LIB_EMULATOR_PTX_CALLGRAPH_H
#define HETERO_LIB_EMULATOR_PTX_CALLGRAPH_H

#include "Emulator/PTX/AST.h"

#include <map>
#include <set>

namespace hetero::emulator::ptx {

/// What a chain of recursive calls, or alloca in a function, may use in
/// addition to the frames that are known.
constexpr uint64_t kUnknownStack = 16384;

/// A function, and what its code and that of its callees use.
struct FunctionFacts {
  const Function *function = nullptr;
  std::set<FunctionFacts *> callees;    ///< Called or address taken.
  std::set<const Variable *> shared;    ///< Static shared variables.
  std::vector<const Variable *> locals; ///< .local of its own body.
  std::set<Name> movedSymbols;          ///< Sources of mov.
  bool usesCollectives = false;
  /// Atomic operations and fences in loops, which may wait for other threads.
  std::set<const Instruction *> spins;
  bool callsIndirectly = false;
  bool usesDynamicShared = false;
  bool allocates = false; ///< By alloca, beyond its frame.
  bool usesReservedShared = false;
  bool isRecursive = false; ///< May call itself, by way of others too.
  uint64_t frameBytes = 0;  ///< Its own .local memory.
  uint64_t stackBytes = 0;  ///< With that of its callees.
  bool stackKnown = false;
  uint64_t registers = 0; ///< 32-bit registers declared, an upper bound.
};

/// The functions of a module by name, with shared memory laid out.
class CallGraph {
public:
  explicit CallGraph(const Module &module);

  FunctionFacts *lookup(Name name);
  FunctionFacts &facts(const Function &function);

  /// Where a static shared variable begins in the memory of every block that
  /// uses it.
  uint64_t sharedOffset(const Variable &variable) const;
  /// The end of the static shared memory of a kernel.
  uint64_t sharedBytes(const FunctionFacts &kernel) const;
  /// Offset of a .local variable from the beginning of its function's frame.
  uint64_t localOffset(const Variable &variable) const;

private:
  void addModuleSymbols(const Module &module);
  void scanBlock(FunctionFacts &facts, const Block &block);
  void findSpins(FunctionFacts &facts);
  void scanOp(FunctionFacts &facts, const Instruction &op);
  void scanOperand(FunctionFacts &facts, const Operand &operand);
  void scanDeclaration(FunctionFacts &facts, const Variable &variable);
  void propagate();
  void findRecursion();
  void layoutFrames();
  uint64_t stackOf(FunctionFacts &facts, std::set<FunctionFacts *> &active);
  void layoutShared();
  void placeShared(const FunctionFacts &kernel, const Variable &variable);

  std::map<Name, FunctionFacts> byName;
  std::map<Name, const Variable *> moduleShared;
  uint64_t dynamicAlign = 16; ///< Of the dynamic part of shared memory.
  std::map<const Variable *, uint64_t> sharedOffsets, localOffsets;
  std::vector<Name> order;
};

} // namespace hetero::emulator::ptx

#endif // HETERO_LIB_EMULATOR_PTX_CALLGRAPH_H
