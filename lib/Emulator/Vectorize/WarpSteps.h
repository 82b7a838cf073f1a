//===- WarpSteps.h - Where the threads of a warp keep step ------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A warp that does not diverge executes each instruction for all of its
// threads before the next one. Only accesses to memory that others see show
// that, so fibers keep step there and nowhere else:
//
//   %a = emu.shared(%load)           %a = emu.shared(%load)
//   emu.shared(%store)               heteroEmuStep(context, 7, ...)
//                                    emu.shared(%store)
//
// Nothing is put between accesses that a barrier separates already, or that
// only load.
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_LIB_EMULATOR_VECTORIZE_WARPSTEPS_H
#define HETERO_LIB_EMULATOR_VECTORIZE_WARPSTEPS_H

#include "llvm/IR/Module.h"

#include <set>

namespace hetero::emulator::ptx {

/// Adds the calls to all functions of the module, before the accesses are
/// defined. `orderedOnly`: for volatile and other ordered accesses; plain ones
/// of shared memory are checked for races instead.
class WarpSteps {
public:
  WarpSteps(llvm::Module &module, bool orderedOnly);

  /// Whether the kernel, or what it calls, keeps step anywhere.
  bool areIn(const llvm::Function &kernel) const;

private:
  std::set<const llvm::Function *> functions;
};

} // namespace hetero::emulator::ptx

#endif // HETERO_LIB_EMULATOR_VECTORIZE_WARPSTEPS_H
