//===- CPUTarget.h - What host code may use of the processor ----*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_CODEGEN_CPU_TARGET_CPUTARGET_H
#define HETERO_CODEGEN_CPU_TARGET_CPUTARGET_H

#include "llvm/ADT/StringRef.h"
#include <cstdint>

namespace mlir {
class Operation;
} // namespace mlir

namespace mlir::hetero {

/// As `codegen`: convolutions may round more than sums of products do.
inline constexpr llvm::StringLiteral kWinogradCodegen = "winograd";

/// What the generated code may use of the processor.
struct CPUTarget {
  int64_t vectorBits = 256;
  int64_t vectorRegisters = 16;
  /// Instructions for dot products that are worth using: AVX512_BF16 and
  /// AVX512_VNNI or AVX_VNNI.
  bool dotsBF16 = false, dotsI8 = false;

  /// The target that the module of `op` asks for.
  static CPUTarget get(Operation *op);
};

} // namespace mlir::hetero

#endif // HETERO_CODEGEN_CPU_TARGET_CPUTARGET_H
