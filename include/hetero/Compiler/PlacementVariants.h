//===- PlacementVariants.h - The same program placed otherwise --*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a check of placements does to the source of a program, and which of its
// values show where two placements begin to differ.
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_COMPILER_PLACEMENTVARIANTS_H
#define HETERO_COMPILER_PLACEMENTVARIANTS_H

#include "hetero/Analysis/Machine/Topology.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace mlir::hetero {

/// Removes what the program says of where its operations run: annotations,
/// copies, schedules, and what an earlier placement has left. Signatures stay,
/// since callers rely on them.
void forgetPlacement(ModuleOp module);

/// Places each operation at random on one of the devices that can run it.
void placeRandomly(ModuleOp module, const Topology &topology,
                   ArrayRef<DeviceIndex> devices, uint64_t seed);

/// What stays on the host of a module that is placed with a default device.
struct Remainder {
  /// Whether any operation is on that device.
  bool isUsed = false;
  /// "2 operation(s): no gpu kernel for ...", for each reason.
  std::vector<std::string> lines;
};
Remainder collectRemainder(ModuleOp placed, StringRef device);

/// The tensors that the operations of the function's only block make, in
/// program order, without those that are not written everywhere, constants and
/// other values that are made again where they are needed. Empty for a function
/// of several blocks, and for one that is called, whose results cannot change.
SmallVector<OpResult> collectComparableValues(func::FuncOp function);

/// Has the function return these values of its own after its results.
void returnToo(func::FuncOp function, ArrayRef<OpResult> values);

} // namespace mlir::hetero

#endif // HETERO_COMPILER_PLACEMENTVARIANTS_H
