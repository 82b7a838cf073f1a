//===- EntrySignatures.h - Public functions as callers see them -*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_CONVERSION_RUNTIMEABI_ENTRYSIGNATURES_H
#define HETERO_CONVERSION_RUNTIMEABI_ENTRYSIGNATURES_H

#include "hetero/Dialect/Hetero/IR/HeteroDialect.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/SymbolTable.h"
#include "llvm/ADT/SetVector.h"
#include <string>
#include <vector>

namespace mlir::hetero {

/// A public function of the program, as it was before the lowering.
struct EntrySignature {
  std::string name;
  /// Symbols of the functions that do the work, one per processor.
  struct Implementation {
    std::string symbol;
    /// The HETERO_CPU_* that it needs; -1: it runs wherever this code does.
    int32_t level;
  };
  std::vector<Implementation> implementations;
  Location loc;
  FunctionType type;
  std::vector<DeviceAttr> argumentDevices, resultDevices;
  /// HETERO_TYPE_* of their elements.
  std::vector<int32_t> argumentElements, resultElements;
  /// The arguments that are donated.
  std::vector<unsigned> donated;
  /// The devices that share an argument; null for none.
  std::vector<DeviceAttr> sharers;
  /// The entry point that stands in where one of the devices is missing; empty
  /// for none.
  std::string fallback;
  std::vector<DeviceAttr> fallbackDevices;
  /// Whether only another entry point calls it.
  bool isFallback = false;
  /// Whether calls read or write what the program keeps.
  bool usesState = false;
};

/// Renames every public function to make room for its entry point, and makes it
/// private. Fails on types that cannot cross the ABI.
FailureOr<std::vector<EntrySignature>> separateEntryPoints(ModuleOp module);

/// The function, and everything that it calls, directly or not.
llvm::SetVector<Operation *> findReachable(const SymbolTable &symbols,
                                           StringRef root);

} // namespace mlir::hetero

#endif // HETERO_CONVERSION_RUNTIMEABI_ENTRYSIGNATURES_H
