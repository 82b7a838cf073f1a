//===- RandomPrograms.h - Random programs on random machines ----*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Small modules with everything that placement decides on: operations with
// several results, pins, constants, fills, element reads, loops, branches and
// functions, recursive ones too, that use and carry values, and a topology on
// which moving and computing cost about the same.
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_TEST_UNIT_ANALYSIS_RANDOMPROGRAMS_H
#define HETERO_TEST_UNIT_ANALYSIS_RANDOMPROGRAMS_H

#include <random>
#include <string>
#include <vector>

namespace mlir::hetero::test {

struct RandomProgramOptions {
  /// Four at most.
  unsigned numDevices = 2;
  /// Operations of all kinds together, and those that no pin decides.
  unsigned maxOps = 12, maxOpen = 9;
  bool hasRegions = true;
  /// Private functions, each called at one place, some by themselves as well.
  bool hasCalls = false;
  /// Copies of matrices take longer than making them, those of vectors do not.
  bool hasDearLinks = false;
  /// The last two devices are on another node.
  bool hasNodes = false;
  /// Scalars that are elements of matrices.
  bool hasElements = true;
};

/// Prints one random program; the same for the same seed.
class RandomProgram {
public:
  RandomProgram(unsigned seed, const RandomProgramOptions &options)
      : options(options), random(seed) {}

  std::string run();

private:
  /// Names of values in sight: matrices, vectors, scalars.
  struct Scope {
    std::vector<std::string> matrices, vectors, scalars;
  };

  unsigned below(unsigned bound) { return random() % bound; }
  bool chance(unsigned percent) { return below(100) < percent; }
  /// Late values are likelier, so that programs are deep.
  std::string pick(const std::vector<std::string> &from);
  std::string device(bool ofProgram = false);
  std::string pin();
  std::string annotation();
  std::string annotationOfValue();
  const std::string &getName(unsigned device) const;
  bool areLinked(unsigned from, unsigned to);

  void addTopology();
  void addOps(Scope &scope, unsigned count, unsigned depth);
  void addOp(Scope &scope, unsigned depth);
  void addGeneric(Scope &scope);
  void addReplicable(Scope &scope);
  void addScalar(Scope &scope);
  void addLoop(Scope &scope, unsigned depth);
  void addBranch(Scope &scope, unsigned depth);
  void addCall(Scope &scope, unsigned depth);
  void addRecursion(Scope &scope, const std::string &name);
  void addConstants();
  /// A block's operations and the yield of one matrix.
  void addBody(Scope scope, unsigned depth);
  void addReturn(const Scope &scope);

  RandomProgramOptions options;
  std::mt19937 random;
  /// The text of a function, of those that are through, and of the machine.
  std::string text, functions, machine;
  unsigned next = 0, numOps = 0, numOpen = 0;
};

} // namespace mlir::hetero::test

#endif // HETERO_TEST_UNIT_ANALYSIS_RANDOMPROGRAMS_H
