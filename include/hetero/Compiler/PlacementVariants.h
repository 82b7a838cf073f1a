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
/// copies and schedules. Signatures stay, since callers rely on them.
void forgetPlacement(ModuleOp module);

/// Places each operation at random, as a rule would: what the device cannot run
/// falls back.
void placeRandomly(ModuleOp module, const Topology &topology, uint64_t seed);

/// The tensors that the operations of the function's only block make, in
/// program order, without those that are not written everywhere, constants and
/// other values that are made again where they are needed. Empty for a function
/// of several blocks, and for one that is called, whose results cannot change.
SmallVector<OpResult> collectComparableValues(func::FuncOp function);

/// Has the function return these values of its own after its results.
void returnToo(func::FuncOp function, ArrayRef<OpResult> values);

} // namespace mlir::hetero

#endif // HETERO_COMPILER_PLACEMENTVARIANTS_H
