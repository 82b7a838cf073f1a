//===- DeviceConstants.h - Constants that live on devices -------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_CONVERSION_HETEROTOLLVM_DEVICECONSTANTS_H
#define HETERO_CONVERSION_HETEROTOLLVM_DEVICECONSTANTS_H

#include "EntryPoints.h"
#include "MergeConstants.h"
#include "hetero/Dialect/Hetero/IR/HeteroBufferOps.h"

namespace mlir::hetero {

/// A constant on a device.
struct DeviceConstant {
  /// Symbol of its HeteroConstant.
  std::string symbol;
  /// Symbol of the elements on the host, and their size.
  std::string elements;
  int64_t bytes;
  std::string name;
  int32_t device;
};

/// The constants that the functions of a module read on devices.
struct DeviceConstants {
  std::vector<DeviceConstant> all;
  /// By entry point: the numbers of those that its calls may need.
  std::vector<std::vector<unsigned>> needed;
};

/// Finds the constants before the lowering to the llvm dialect, and notes on
/// each hetero.resident the symbol that it reads. Fails on one whose source is
/// no constant.
FailureOr<DeviceConstants>
collectDeviceConstants(ModuleOp module, ArrayRef<EntrySignature> entries,
                       const EqualConstants &equal);

/// The symbol that the operation reads, a HeteroConstant.
StringRef getConstantSymbol(ResidentOp op);

/// Emits each HeteroConstant, and the HeteroConstants of each entry point that
/// needs some: `__hetero_constants_<name>`.
void emitDeviceConstants(ModuleOp module, const DeviceConstants &constants,
                         ArrayRef<EntrySignature> entries);
std::string getConstantsSymbol(StringRef entry);

} // namespace mlir::hetero

#endif // HETERO_CONVERSION_HETEROTOLLVM_DEVICECONSTANTS_H
