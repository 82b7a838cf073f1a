//===- EmptyTensors.h - Tensors that are not filled yet ---------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_TRANSFORMS_BUFFERS_EMPTYTENSORS_H
#define HETERO_TRANSFORMS_BUFFERS_EMPTYTENSORS_H

#include "mlir/IR/BuiltinOps.h"

namespace mlir::hetero {

/// Common subexpressions are eliminated before: tensors that have nothing in
/// common but their shape are then made by one tensor.empty. The analysis would
/// take all that is written to them for one tensor, and compare each write with
/// each read of it. So each user gets a tensor of its own, but not inside of
/// loops that the common one is outside of.
void separateEmptyTensors(ModuleOp module);

/// Puts a fill before each operation that goes on with what it fills, and
/// nowhere else. If one was for several, all but one of them would have a copy
/// of it, which costs more than the fill; if it stood at the start of the
/// program, its buffer would live from there.
void separateFills(ModuleOp module);

/// Makes empty tensors the parts of others that they are inserted into, of
/// regions that are dissolved. Work stays in its region: where the other tensor
/// has its elements from a region after, the empty one becomes an allocation.
LogicalResult eliminateEmptyTensors(ModuleOp module);

} // namespace mlir::hetero

#endif // HETERO_TRANSFORMS_BUFFERS_EMPTYTENSORS_H
