//===- SpecializeCallees.h - One clone per call, and back -------*- C++ -*-===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A function that is called with tensors on different devices is best placed
// differently for each. Before placement every call gets a clone of its own;
// after it, clones that came out alike become one again, so that one function
// is left per signature and placement.
//
//===----------------------------------------------------------------------===//

#ifndef HETERO_TRANSFORMS_PLACEMENT_SPECIALIZECALLEES_H
#define HETERO_TRANSFORMS_PLACEMENT_SPECIALIZECALLEES_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Interfaces/CallInterfaces.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

namespace mlir::hetero {

/// The clones that were made, by original.
struct SpecializedCallees {
  struct Clone {
    FunctionOpInterface function;
    /// The one operation that refers to it.
    CallOpInterface call;
  };
  struct Family {
    FunctionOpInterface original;
    SmallVector<Clone> clones;
  };
  /// Callers before callees.
  SmallVector<Family> families;
};

/// Clones private functions that take or give tensors, so that each call has
/// one of its own. Functions that call themselves, or that something other than
/// a call refers to, stay; so does everything once the clones would outgrow the
/// module.
SpecializedCallees specializeCallees(ModuleOp module);

/// Makes equal functions of a family one. Returns how many clones are left.
unsigned mergeCallees(const SpecializedCallees &specialized);

/// True if the function takes or gives tensors, so that its calls may differ.
bool handlesTensors(FunctionOpInterface function);

/// True if two functions differ in nothing but their names and who may call
/// them.
bool areEqual(FunctionOpInterface a, FunctionOpInterface b);

} // namespace mlir::hetero

#endif // HETERO_TRANSFORMS_PLACEMENT_SPECIALIZECALLEES_H
