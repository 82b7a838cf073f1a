//===- StateTable.h - What a program keeps, as callers see it ---*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_CONVERSION_RUNTIMEABI_STATETABLE_H
#define HETERO_CONVERSION_RUNTIMEABI_STATETABLE_H

#include "EntrySignatures.h"
#include "llvm/ADT/StringMap.h"
#include <string>
#include <vector>

namespace mlir::hetero {

/// Memory of the program that calls leave for those after them.
struct ProgramState {
  /// Also the symbol of the memory on the host.
  std::string name;
  /// HETERO_TYPE_* of its elements.
  int32_t type;
  SmallVector<int64_t> sizes;
  /// Symbol of what stands in for it where one of the devices is missing; empty
  /// for none.
  std::string fallback;
  SmallVector<int32_t> fallbackDevices;
};

/// The state of a module before the lowering to the llvm dialect, but for that
/// of types which cannot cross the ABI.
std::vector<ProgramState> collectStates(ModuleOp module);

/// Notes which entry points use state, of whatever type.
void noteStateUses(ModuleOp module, std::vector<EntrySignature> &entries);

/// Emits the HeteroStateTable of a program that has state. `residents` has the
/// symbols of HeteroConstants by those of the memory on the host.
void emitStateTable(ModuleOp module, ArrayRef<ProgramState> states,
                    const llvm::StringMap<std::string> &residents);

} // namespace mlir::hetero

#endif // HETERO_CONVERSION_RUNTIMEABI_STATETABLE_H
