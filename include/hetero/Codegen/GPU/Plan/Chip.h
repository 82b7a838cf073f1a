//===- Chip.h - What kernels are generated for ------------------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_CODEGEN_GPU_PLAN_CHIP_H
#define HETERO_CODEGEN_GPU_PLAN_CHIP_H

#include "mlir/IR/Attributes.h"
#include "mlir/IR/BuiltinOps.h"
#include <string>

namespace mlir::hetero {

/// "sm_90a" is 90; 0 for anything else.
unsigned getArchitecture(StringRef chip);

/// The chip of the kernels: that of the option, else the lowest that a device
/// of the topology has, since PTX for it runs on the others, too.
std::string chooseChip(ModuleOp module, StringRef option);

/// Fails with a diagnostic unless LLVM generates code for the chip; upstream
/// only warns.
LogicalResult verifyChip(Location loc, StringRef chip);

/// `#nvvm.target` for the chip, at the highest optimization level.
Attribute getNVVMTarget(MLIRContext *context, StringRef chip);

} // namespace mlir::hetero

#endif // HETERO_CODEGEN_GPU_PLAN_CHIP_H
