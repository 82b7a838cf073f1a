//===- TimedLocations.h - Times that locations carry ------------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_CODEGEN_LIBRARIES_TIMEDLOCATIONS_H
#define HETERO_CODEGEN_LIBRARIES_TIMEDLOCATIONS_H

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Location.h"

namespace mlir::hetero {

/// The location of an operation with picoseconds that it takes by each code
/// generator of which that is known: generators see it, whatever the operation
/// has become.
Location withMeasuredTimes(Location loc, DictionaryAttr times);

/// The times that a location has, or null.
DictionaryAttr getMeasuredTimes(Location loc);

/// Takes times out of the locations of the operation and those in it.
void dropMeasuredTimes(Operation *root);

} // namespace mlir::hetero

#endif // HETERO_CODEGEN_LIBRARIES_TIMEDLOCATIONS_H
