//===- WarpCollectives.h - Threads that meet --------------------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_LIB_EMULATOR_VECTORIZE_WARPCOLLECTIVES_H
#define HETERO_LIB_EMULATOR_VECTORIZE_WARPCOLLECTIVES_H

#include "llvm/IR/Instruction.h"

namespace hetero::emulator::ptx {

class WarpBuilder;

/// Whether threads of a warp or of a block meet at the instruction.
bool isCollective(const llvm::Instruction &op);

/// Lets the lanes meet; false if the instruction is none of these.
bool emitCollective(WarpBuilder &w, llvm::Instruction &op);

} // namespace hetero::emulator::ptx

#endif // HETERO_LIB_EMULATOR_VECTORIZE_WARPCOLLECTIVES_H
