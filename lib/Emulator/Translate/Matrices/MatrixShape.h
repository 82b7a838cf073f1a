//===- MatrixShape.h - Sizes in a modifier ----------------------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_LIB_EMULATOR_TRANSLATE_MATRICES_MATRIXSHAPE_H
#define HETERO_LIB_EMULATOR_TRANSLATE_MATRICES_MATRIXSHAPE_H

#include "Emulator/PTX/AST.h"

#include <array>

namespace hetero::emulator::ptx {

/// The rows, columns and depth in the modifier that is like "m16n8k32"; zeros
/// if none is.
std::array<unsigned, 3> findShape(const Instruction &op);

} // namespace hetero::emulator::ptx

#endif // HETERO_LIB_EMULATOR_TRANSLATE_MATRICES_MATRIXSHAPE_H
