//===- Chip.h - What kernels are generated for ------------------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_CODEGEN_GPU_PLAN_CHIP_H
#define HETERO_CODEGEN_GPU_PLAN_CHIP_H

#include "hetero/Dialect/Hetero/IR/HeteroDialect.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/DenseMap.h"
#include <string>

namespace mlir::hetero {

/// "sm_90a" is 90; 0 for anything else.
unsigned getArchitecture(StringRef chip);

/// Whether code for the chip runs on no other one: `sm_90a` has instructions
/// that later chips have not.
bool isOfOneChip(StringRef chip);

/// What kernels are generated for: the chip that the option names, else for
/// each device its own in the topology. A device without one gets the lowest of
/// the others, since code for it runs on all of them, and `sm_80` where none
/// has one.
class Chips {
public:
  Chips(ModuleOp module, StringRef option);

  /// That of the device's kernels.
  StringRef getChip(DeviceAttr device) const;
  /// Each chip that a device may have, the lowest first.
  ArrayRef<std::string> getAll() const { return all; }
  /// Targets of a gpu.module with kernels for the chip: that first, then the
  /// later chips on which they run as well, so that a device which turns out to
  /// be one of those finds code of its own.
  ArrayAttr getTargets(MLIRContext *context, StringRef chip) const;

private:
  llvm::SmallDenseMap<DeviceAttr, std::string> ofDevices;
  SmallVector<std::string> all;
};

/// Fails with a diagnostic unless LLVM generates code for the chip; upstream
/// only warns.
LogicalResult verifyChip(Location loc, StringRef chip);

} // namespace mlir::hetero

#endif // HETERO_CODEGEN_GPU_PLAN_CHIP_H
