//===- PublicVariants.h - Public functions for callers inside ---*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   func.func @f(%x)                  func.func @f(%x)
//   call @f(%device)          ->      func.func private @f_0(%x {gpu:0})
//                                     call @f_0(%device)
//
// Callers outside rely on the signature of a public function; those in the
// module do not.
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_TRANSFORMS_PLACEMENT_PUBLICVARIANTS_H
#define HETERO_TRANSFORMS_PLACEMENT_PUBLICVARIANTS_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

namespace mlir::hetero {

/// Before placement: gives the calls of each public function with tensors a
/// private copy, whose signature is open to choice. Returns the functions.
SmallVector<FunctionOpInterface> addPrivateVariants(ModuleOp module);

/// After it: calls of what came out equal to one of these functions call that
/// one again. Returns how many variants are left.
unsigned mergeVariants(ModuleOp module,
                       ArrayRef<FunctionOpInterface> functions);

} // namespace mlir::hetero

#endif // HETERO_TRANSFORMS_PLACEMENT_PUBLICVARIANTS_H
