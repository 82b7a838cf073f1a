//===- Passes.h - Conversion passes -----------------------------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_CONVERSION_PASSES_H
#define HETERO_CONVERSION_PASSES_H

#include "hetero/Dialect/Hetero/IR/HeteroDialect.h"
#include "mlir/Pass/Pass.h"

namespace mlir {
class ModuleOp;
namespace LLVM {
class LLVMDialect;
} // namespace LLVM
namespace NVVM {
class NVVMDialect;
} // namespace NVVM
namespace affine {
class AffineDialect;
} // namespace affine
namespace arith {
class ArithDialect;
} // namespace arith
namespace cf {
class ControlFlowDialect;
} // namespace cf
namespace func {
class FuncDialect;
} // namespace func
namespace gpu {
class GPUDialect;
} // namespace gpu
namespace math {
class MathDialect;
} // namespace math
namespace memref {
class MemRefDialect;
} // namespace memref
namespace scf {
class SCFDialect;
} // namespace scf
namespace vector {
class VectorDialect;
} // namespace vector
} // namespace mlir

namespace mlir::hetero {

#define GEN_PASS_DECL
#include "hetero/Conversion/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "hetero/Conversion/Passes.h.inc"

} // namespace mlir::hetero

#endif // HETERO_CONVERSION_PASSES_H
