//===- TunePlacement.h - Places by what was measured ------------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A program is placed, run and measured, and placed again by what was measured,
// until nothing changes. All of it on each device is measured as well, so that
// each operation has a time wherever it runs and the result is never slower
// than the best single device. docs/Design/Placement.md describes it.
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_COMPILER_TUNING_TUNEPLACEMENT_H
#define HETERO_COMPILER_TUNING_TUNEPLACEMENT_H

#include "hetero/Compiler/Program.h"
#include "hetero/Compiler/Tuning/ProgramVariant.h"
#include "hetero/Runner/Runner.h"

namespace mlir::hetero {

/// What was predicted of a part of a program, and what was measured: seconds of
/// a call.
struct TunedPart {
  /// An operation, the value of copies, or the name of a device or link.
  std::string name;
  /// "gpu:0", or "cpu:0 to gpu:0".
  std::string where;
  double predicted, measured;
};

/// A placement that was measured.
struct TunedPlacement {
  /// "round 1" or "all on gpu:0".
  std::string name;
  bool isRound = false;
  /// Why it could not be measured; what follows is nothing then.
  std::string failure;
  /// Seconds: the parts that are predicted, as predicted and as measured one by
  /// one, and the shortest call as it runs.
  double predicted = 0, measured = 0, call = 0;
  /// Operations by device, as "cpu:0 2, gpu:0 1".
  std::string counts;
  std::vector<TunedPart> operations, copies, devices, links;
  /// Where each operation is, by their order.
  std::vector<std::string> devicesOfOperations;
};

struct Tuning {
  std::vector<TunedPlacement> placements;
  /// Of the shortest call.
  size_t kept = 0;
  /// Whether the last round placed as the one before.
  bool isSettled = false;
  /// What was measured, for the option `profile`.
  std::string profile;
  /// The kept placement, and its program, ready to run.
  std::unique_ptr<ProgramVariant> variant;
  std::unique_ptr<Program> program;

  const TunedPlacement &getKept() const { return placements[kept]; }
};

/// Tunes the placement of a parsed compilation that was adapted to this process
/// by measuring calls of an entry point, at most so many rounds. Remarks and
/// errors go where those of the compilation go; nothing after an error.
std::optional<Tuning> tunePlacement(Compilation &model,
                                    const CompilationHost &host,
                                    const ::hetero::runner::RunOptions &options,
                                    const ::hetero::runner::RunValues &values,
                                    llvm::StringRef entry, unsigned rounds);

} // namespace mlir::hetero

#endif // HETERO_COMPILER_TUNING_TUNEPLACEMENT_H
